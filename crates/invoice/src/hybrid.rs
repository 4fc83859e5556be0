//! The XML inside a PDF: hybrid invoices as Factur-X, ZUGFeRD and our own have it (ISO 19005-3).
//!
//! A stream is never inside another object of a PDF (ISO 32000-2, section 7.3.8), so embedded files are found without its
//! cross-reference table. Nothing but them is decompressed, and nothing beyond a limit.

use std::io::Read as _;

use flate2::read::ZlibDecoder;

/// Bytes before a stream that are searched for the start of its object.
const MAX_DICTIONARY: usize = 64 << 10;
/// Embedded files that are looked at.
const MAX_FILES: usize = 64;
/// What the dictionary of an embedded file has: its type, or the media type of XML.
const MARKS: [&[u8]; 3] = [b"/EmbeddedFile", b"/text#2Fxml", b"/application#2Fxml"];

/// Whether bytes begin as a PDF does.
#[must_use]
pub fn is_pdf(bytes: &[u8]) -> bool {
    bytes.starts_with(b"%PDF-")
}

/// The embedded files of a PDF of at most `most` bytes each, as they stand in it. Those that are larger, encrypted or
/// compressed in another way than with Flate are left out.
#[must_use]
pub fn embedded_files(pdf: &[u8], most: usize) -> Vec<Vec<u8>> {
    let mut files = Vec::new();
    let mut from = 0;
    while files.len() < MAX_FILES
        && let Some(found) = find(&pdf[from..], b"stream")
    {
        let keyword = from + found;
        let start = keyword + b"stream".len();
        let Some(length) = find(&pdf[start..], b"endstream") else {
            break;
        };
        // From where the stream before it ends: no byte is searched for two streams.
        let dictionary = dictionary(&pdf[from..keyword]);
        if MARKS.iter().any(|mark| find(dictionary, mark).is_some()) {
            files.extend(decode(dictionary, &pdf[start..start + length], most));
        }
        from = start + length + b"endstream".len();
    }
    files
}

/// The dictionary before a stream: from the start of its object.
fn dictionary(before: &[u8]) -> &[u8] {
    let window = &before[before.len().saturating_sub(MAX_DICTIONARY)..];
    let object = window.windows(4).rposition(|bytes| bytes == b" obj");
    object.map_or(&[], |at| &window[at..])
}

fn decode(dictionary: &[u8], stream: &[u8], most: usize) -> Option<Vec<u8>> {
    let stream = stream
        .strip_prefix(b"\r\n")
        .or_else(|| stream.strip_prefix(b"\n"))
        .unwrap_or(stream);
    if find(dictionary, b"/Filter").is_none() {
        return (stream.len() <= most).then(|| stream.trim_ascii_end().to_vec());
    }
    if find(dictionary, b"/FlateDecode").is_none() || find(dictionary, b"/Predictor").is_some() {
        return None;
    }
    let mut bytes = Vec::new();
    let limit = u64::try_from(most).ok()?.checked_add(1)?;
    let mut decoder = ZlibDecoder::new(stream).take(limit);
    decoder.read_to_end(&mut bytes).ok()?;
    (bytes.len() <= most).then_some(bytes)
}

fn find(bytes: &[u8], word: &[u8]) -> Option<usize> {
    bytes.windows(word.len()).position(|window| window == word)
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use flate2::Compression;
    use flate2::write::ZlibEncoder;

    use super::*;

    fn compressed(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(bytes).expect("in memory");
        encoder.finish().expect("in memory")
    }

    fn object(dictionary: &str, stream: &[u8]) -> Vec<u8> {
        let mut bytes = format!("%PDF-1.7\n1 0 obj\n<<{dictionary}>>\nstream\n").into_bytes();
        bytes.extend_from_slice(stream);
        bytes.extend_from_slice(b"\nendstream\nendobj\n");
        bytes
    }

    #[test]
    fn embedded_file_is_read_compressed_and_plain() {
        let flate = "/Type /EmbeddedFile /Filter /FlateDecode";
        let read = embedded_files(&object(flate, &compressed(b"<a/>")), 100);
        assert_eq!(read, [b"<a/>"]);
        let read = embedded_files(&object("/Subtype /text#2Fxml", b"<a/>"), 100);
        assert_eq!(read, [b"<a/>"]);
    }

    #[test]
    fn other_streams_and_other_filters_are_left_out() {
        let page = object("/Filter /FlateDecode", &compressed(b"<a/>"));
        assert!(embedded_files(&page, 100).is_empty());
        let other = object("/Type /EmbeddedFile /Filter /LZWDecode", b"<a/>");
        assert!(embedded_files(&other, 100).is_empty());
        let encrypted = object("/Type /EmbeddedFile /Filter /FlateDecode", b"noise");
        assert!(embedded_files(&encrypted, 100).is_empty());
    }

    #[test]
    fn stream_without_a_dictionary_has_not_that_of_the_stream_before_it() {
        let mut pdf = object("/Subtype /text#2Fxml", b"<a/>");
        pdf.extend_from_slice(b"stream\n<b/>\nendstream\n");
        assert_eq!(embedded_files(&pdf, 100), [b"<a/>"]);
    }

    #[test]
    fn file_that_grows_beyond_the_limit_is_left_out() {
        let bomb = compressed(&vec![b' '; 10 << 20]);
        let pdf = object("/Type /EmbeddedFile /Filter /FlateDecode", &bomb);
        assert!(embedded_files(&pdf, 1 << 20).is_empty());
    }

    #[test]
    fn any_bytes_are_searched_without_panic() {
        for bytes in [
            b"" as &[u8],
            b"stream",
            b"endstream",
            b"streamendstream",
            b" objstreamendstream",
            b"%PDF-1.7 /EmbeddedFile stream",
        ] {
            assert!(embedded_files(bytes, 10).is_empty());
        }
    }
}
