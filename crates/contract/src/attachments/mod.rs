//! Attachments of documents (BG-24): what both sides check of a file. The client checks before anything is sent, and the service
//! decides (decision 0121).

use std::io::Cursor;

use invoice::hybrid::is_pdf;
use invoice::xml::is_xml;
use zip::ZipArchive;

/// Most attachments of a document.
pub const MAX_ATTACHMENTS: usize = 10;
/// Most bytes of an attachment: `invoicing.max_bytes` of `AddAttachmentRequest.content`.
pub const MAX_BYTES: usize = 2 << 20;
/// Most characters of a file name.
pub const MAX_NAME_CHARACTERS: usize = 255;

const XLSX: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
const ODS: &str = "application/vnd.oasis.opendocument.spreadsheet";

/// Most entries of a spreadsheet. A workbook has some dozens of them, and one with many pictures some thousands.
const MAX_ENTRIES: usize = 10_000;
/// What an archive with an entry begins with (PKWARE APPNOTE 6.3.10, section 4.3.7).
const LOCAL_HEADER: &[u8] = b"PK\x03\x04";

/// What text of another kind begins with, in any case. Other files have bytes that no text has.
const OTHER_TEXT: [&str; 5] = ["%pdf-", "{\\rtf", "<?xml", "<!doctype", "<html"];

/// Whether a text is a file name: 1 to [`MAX_NAME_CHARACTERS`] characters without a path, all of which a file of the document can
/// hold.
#[must_use]
pub fn is_file_name(name: &str) -> bool {
    !name.trim().is_empty()
        && name.chars().count() <= MAX_NAME_CHARACTERS
        && !matches!(name, "." | "..")
        && !name.contains(['/', '\\'])
        && !has_unwritable_character(name)
}

/// Whether a text has a control character, or one that no file of the document could hold.
#[must_use]
pub fn has_unwritable_character(text: &str) -> bool {
    text.contains(|letter: char| letter.is_control() || !is_xml(letter))
}

/// Whether a content is of a media type, which is one of those of BT-125. An image or a PDF is known by its signature, a spreadsheet by
/// the directory of its archive, and CSV by its characters.
#[must_use]
pub fn is_of_type(content: &[u8], media_type: &str) -> bool {
    match media_type {
        "application/pdf" => is_pdf(content),
        "image/png" => content.starts_with(b"\x89PNG\r\n\x1a\n"),
        "image/jpeg" => content.starts_with(b"\xff\xd8\xff"),
        "text/csv" => is_text(content),
        XLSX => is_xlsx(content),
        ODS => is_ods(content),
        _ => false,
    }
}

/// UTF-8 without control characters but those of its layout. The first letters say nothing: a table may begin with `BMI` or `MZ`, as
/// other files do.
fn is_text(content: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(content) else {
        return false;
    };
    let start = text.trim_start_matches('\u{feff}').trim_start();
    let is_other = OTHER_TEXT.iter().any(|mark| {
        let begin = start.get(..mark.len());
        begin.is_some_and(|begin| begin.eq_ignore_ascii_case(mark))
    });
    let is_layout = |letter: char| matches!(letter, '\t' | '\r' | '\n');
    !is_other && !text.contains(|letter: char| letter.is_control() && !is_layout(letter))
}

/// Office Open XML, with the part that every workbook has. The order of the entries differs between programs.
fn is_xlsx(content: &[u8]) -> bool {
    has_entries(content, ["[Content_Types].xml", "xl/workbook.xml"])
}

/// OpenDocument: the first entry is the media type as it is, without an extra field, from byte 38 on (version 1.3, part 2, section
/// 3.3). That of a template is longer.
fn is_ods(content: &[u8]) -> bool {
    let media_type = content
        .get(30..)
        .and_then(|content| content.strip_prefix(b"mimetype"))
        .and_then(|content| content.strip_prefix(ODS.as_bytes()));
    media_type.is_some_and(|rest| !rest.starts_with(b"-"))
        && has_entries(content, ["mimetype", "content.xml"])
}

/// Whether a content is an archive with these entries, of which nothing is decompressed. The names of parts are compared without regard
/// to case (ECMA-376, part 2). A program with an archive at its end is none.
fn has_entries(content: &[u8], needed: [&str; 2]) -> bool {
    let archive = ZipArchive::new(Cursor::new(content));
    let archive = archive.ok().filter(|archive| {
        content.starts_with(LOCAL_HEADER) && archive.offset() == 0 && archive.len() <= MAX_ENTRIES
    });
    archive.is_some_and(|archive| {
        needed.iter().all(|needed| {
            let needed = needed.as_bytes();
            archive
                .file_names_raw()
                .any(|name| name.eq_ignore_ascii_case(needed))
        })
    })
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use zip::write::SimpleFileOptions;
    use zip::{CompressionMethod, ZipWriter};

    use super::*;

    /// An archive of entries that are stored as they are.
    fn archive(entries: &[(&str, &str)]) -> Vec<u8> {
        let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
        let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
        for (name, content) in entries {
            archive.start_file(*name, stored).unwrap();
            archive.write_all(content.as_bytes()).unwrap();
        }
        archive.finish().unwrap().into_inner()
    }

    #[test]
    fn workbook_is_known_by_its_directory_whatever_entry_is_the_first() {
        let types = ("[Content_Types].xml", "<Types/>");
        let (relations, properties) = (("_rels/.rels", "r"), ("docProps/app.xml", "p"));
        let (workbook, sheet) = (("xl/workbook.xml", "w"), ("xl/worksheets/sheet1.xml", "s"));
        for entries in [
            [types, relations, workbook, sheet],
            [relations, properties, workbook, types],
            [properties, sheet, types, workbook],
            [workbook, sheet, relations, types],
        ] {
            assert!(is_of_type(&archive(&entries), XLSX), "{entries:?}");
        }
        for entries in [
            &[("xl/evil.bin", "e"), relations][..],
            &[types, relations, ("word/document.xml", "d")],
            &[workbook, sheet],
            &[],
        ] {
            assert!(!is_of_type(&archive(entries), XLSX), "{entries:?}");
        }
        let whole = archive(&[types, workbook]);
        assert!(is_of_type(&whole, XLSX));
        assert!(!is_of_type(&[b"MZ", &whole[..]].concat(), XLSX));
        assert!(!is_of_type(&whole[..whole.len() - 1], XLSX));
        assert!(!is_of_type(LOCAL_HEADER, XLSX));
    }

    #[test]
    fn open_document_spreadsheet_is_known_by_its_first_entry_and_its_directory() {
        let content = ("content.xml", "c");
        let ods = archive(&[("mimetype", ODS), content]);
        assert!(is_of_type(&ods, ODS));
        assert!(!is_of_type(&ods, XLSX));
        let template = format!("{ODS}-template");
        for entries in [
            [("mimetype", template.as_str()), content],
            [content, ("mimetype", ODS)],
            [("mimetype", ODS), ("other.xml", "o")],
        ] {
            assert!(!is_of_type(&archive(&entries), ODS), "{entries:?}");
        }
    }

    #[test]
    fn csv_is_text_whatever_its_first_letters_are() {
        for text in [
            "BMI,Weight\r\n22,70\r\n",
            "MZ,1\n",
            "PK,2\n",
            "GIF8,3\n",
            "\u{feff}اسم;قيمة\n",
            "a\tb\n",
            "<10,5\n",
        ] {
            assert!(is_of_type(text.as_bytes(), "text/csv"), "{text:?}");
        }
        for content in [
            &b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"[..],
            b"MZ\x90\0",
            b"a\0b",
            b"\xff\xfea\0",
            b"%PDF-1.7",
            b" <!DOCTYPE html><html>",
            b"\xef\xbb\xbf<HTML>",
        ] {
            assert!(!is_of_type(content, "text/csv"), "{content:?}");
        }
    }

    #[test]
    fn image_and_pdf_are_known_by_their_signatures() {
        let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR";
        assert!(is_of_type(png, "image/png"));
        assert!(!is_of_type(png, "image/jpeg"));
        assert!(is_of_type(b"\xff\xd8\xff\xe0", "image/jpeg"));
        assert!(is_of_type(b"%PDF-1.7", "application/pdf"));
        assert!(!is_of_type(b"<script>", "application/pdf"));
        assert!(!is_of_type(b"<html>", "text/html"), "no type of BT-125");
    }

    #[test]
    fn file_name_has_no_path_and_no_character_that_a_file_cannot_hold() {
        let longest = "a".repeat(MAX_NAME_CHARACTERS);
        for name in ["a.pdf", "عرض 12.pdf", &longest] {
            assert!(is_file_name(name), "{name:?}");
        }
        let longer = format!("{longest}a");
        for name in [
            "",
            " ",
            ".",
            "..",
            "a/b",
            "a\\b",
            "a\u{7}",
            "a\u{ffff}",
            &longer,
        ] {
            assert!(!is_file_name(name), "{name:?}");
        }
    }
}
