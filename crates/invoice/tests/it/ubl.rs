//! Reading and writing UBL: round trips, unmapped elements, encodings, limits and malformed input.

use std::io::{self, BufRead, Read};

use crate::fixtures::arbitrary_documents::any_document;
use invoice::ubl;
use invoice::xml::{Limit, Limits, ReadError};
use invoice::{Document, Kind};
use proptest::prelude::*;

const HEAD: &str = r#"<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2" xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2" xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">"#;

fn invoice(inside: &str) -> String {
    format!("{HEAD}{inside}</Invoice>")
}

fn read(text: &str) -> Result<invoice::ParsedDocument, ReadError> {
    ubl::read(text.as_bytes(), Limits::default())
}

fn document(inside: &str) -> Document {
    read(&invoice(inside)).expect("it is UBL").document
}

fn unmapped_names(inside: &str) -> Vec<String> {
    let read = read(&invoice(inside)).expect("it is UBL");
    read.unmapped.into_iter().map(|one| one.name).collect()
}

proptest! {
    #[test]
    fn document_round_trips_through_ubl(document in any_document()) {
        let written = ubl::write(&document).expect("UBL can hold it");
        let read = read(&written).unwrap_or_else(|error| panic!("{error}: {written}"));
        prop_assert_eq!(read.document, document);
        prop_assert_eq!(read.unmapped, []);
    }

    #[test]
    fn reading_arbitrary_bytes_never_panics(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = ubl::read(bytes.as_slice(), Limits::default());
    }

    #[test]
    fn reading_a_damaged_document_never_panics(document in any_document(), at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let mut bytes = ubl::write(&document).expect("UBL can hold it").into_bytes();
        let at = at.index(bytes.len());
        bytes[at] = byte;
        let _ = ubl::read(bytes.as_slice(), Limits::default());
    }
}

#[test]
fn note_in_arabic_is_an_element_of_its_own_that_names_its_language() {
    let mut content = document("<cbc:Note>Paid</cbc:Note>").content;
    content.note_ar = "دُفعت".into();
    let written = ubl::write(&Document {
        content,
        ..document("")
    });
    let written = written.expect("UBL can hold it");
    assert!(written.contains("<cbc:Note>Paid</cbc:Note>"), "{written}");
    assert!(
        written.contains(r#"<cbc:Note languageID="ar">دُفعت</cbc:Note>"#),
        "{written}"
    );
}

#[test]
fn notes_are_read_by_their_language_and_another_one_is_reported() {
    let notes = concat!(
        r#"<cbc:Note languageID="ar">الأولى</cbc:Note><cbc:Note>One</cbc:Note>"#,
        r#"<cbc:Note languageID="ar">الثانية</cbc:Note><cbc:Note languageID="de">Zwei</cbc:Note>"#
    );
    let content = document(notes).content;
    assert_eq!(content.note, "One\nZwei");
    assert_eq!(content.note_ar, "الأولى\nالثانية");
    assert_eq!(unmapped_names(notes), ["Invoice/cbc:Note@languageID"]);
}

#[test]
fn elements_are_matched_by_namespace_not_by_prefix() {
    let text = read(concat!(
        r#"<u:Invoice xmlns:u="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2">"#,
        r#"<ID xmlns="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">7</ID>"#,
        r#"<cbc:IssueDate xmlns:cbc="urn:somebody-else">2026-11-21</cbc:IssueDate></u:Invoice>"#
    ))
    .expect("it is UBL");
    assert_eq!(text.document.number, "7");
    assert_eq!(
        text.document.content.issue_date, "",
        "cbc means something else here"
    );
    assert_eq!(text.unmapped[0].name, "u:Invoice/cbc:IssueDate");
}

#[test]
fn ubl_elements_outside_the_model_are_unmapped_with_count_and_position() {
    let found = read(&invoice(
        "<cbc:LineCountNumeric>1</cbc:LineCountNumeric><cac:Signature><cbc:ID>1</cbc:ID></cac:Signature><cac:Signature/>",
    ))
    .expect("it is UBL")
    .unmapped;
    let found: Vec<_> = found
        .iter()
        .map(|one| (one.name.as_str(), one.count))
        .collect();
    assert_eq!(
        found,
        [
            ("Invoice/cac:Signature", 2),
            ("Invoice/cbc:LineCountNumeric", 1)
        ]
    );
    assert_eq!(
        unmapped_names("<cbc:ID schemeAgencyName=\"x\">1</cbc:ID>"),
        ["Invoice/cbc:ID@schemeAgencyName"]
    );
    assert_eq!(
        unmapped_names("<cbc:ID>1</cbc:ID><cbc:ID>2</cbc:ID>"),
        ["Invoice/cbc:ID"],
        "a second number"
    );
    assert_eq!(unmapped_names("loose text"), ["Invoice/text()"]);
    assert_eq!(
        unmapped_names("<cbc:ID>1<cbc:Name>2</cbc:Name></cbc:ID>"),
        ["Invoice/cbc:ID/cbc:Name"]
    );
}

#[test]
fn amount_in_another_currency_is_unmapped() {
    let inside = r#"<cbc:DocumentCurrencyCode>SAR</cbc:DocumentCurrencyCode><cac:LegalMonetaryTotal><cbc:PayableAmount currencyID="EUR">1</cbc:PayableAmount></cac:LegalMonetaryTotal>"#;
    assert_eq!(
        unmapped_names(inside),
        ["Invoice/cac:LegalMonetaryTotal/cbc:PayableAmount@currencyID"]
    );
}

#[test]
fn entities_and_cdata_are_resolved_in_texts() {
    for (written, text) in [
        ("a &amp; b", "a & b"),
        ("&#x645;&#1585;", "مر"),
        ("<![CDATA[<b>]]>", "<b>"),
        ("a<!-- no -->b", "ab"),
        ("\n   padded\t", "padded"),
        ("one\r\ntwo", "one\ntwo"),
        ("a&#13;b", "a\rb"),
    ] {
        assert_eq!(
            document(&format!("<cbc:ID>{written}</cbc:ID>")).number,
            text,
            "{written}"
        );
    }
}

#[test]
fn type_code_selects_the_kind_below_an_invoice_root_element() {
    for (code, kind) in [
        ("380", Kind::Invoice),
        ("383", Kind::DebitNote),
        // The rule BR-CL-01 reports it.
        ("381", Kind::Invoice),
    ] {
        let read = document(&format!(
            "<cbc:InvoiceTypeCode>{code}</cbc:InvoiceTypeCode>"
        ));
        assert_eq!(read.content.kind, kind, "{code}");
    }
}

#[test]
fn invalid_file_is_rejected_with_its_position() {
    let refused = |text: &str| read(text).expect_err(text);
    assert!(matches!(
        refused("<Order xmlns=\"urn:oasis:names:specification:ubl:schema:xsd:Order-2\"/>"),
        ReadError::Root { name, .. } if name == "Order"
    ));
    assert!(matches!(refused("<Invoice/>"), ReadError::Root { .. }));
    assert!(matches!(refused(""), ReadError::Malformed { .. }));
    assert!(matches!(
        refused("no xml at all"),
        ReadError::Malformed { .. }
    ));
    assert!(matches!(
        refused(&invoice("<cbc:ID>1</cbc:Name>")),
        ReadError::Malformed { position, .. } if position > HEAD.len() as u64
    ));
    assert!(matches!(
        refused(&format!("{}<again/>", invoice(""))),
        ReadError::Malformed { .. }
    ));
    assert!(matches!(
        refused("<?xml version=\"1.0\" encoding=\"windows-1256\"?><Invoice/>"),
        ReadError::Encoding { name, .. } if name == "windows-1256"
    ));
    assert!(
        matches!(
            refused("<?xml version=\"1.0\" encoding=\"UTF-16\"?><Invoice/>"),
            ReadError::Encoding { name, .. } if name == "UTF-16"
        ),
        "it is not written in what it says"
    );
    assert!(
        matches!(
            refused(&invoice(
                "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><cbc:ID>1</cbc:ID>"
            )),
            ReadError::Malformed { .. }
        ),
        "no other encoding begins in the middle"
    );
    let half = [0xff_u8, 0xfe, b'<', 0, b'I'];
    assert!(ubl::read(&half[..], Limits::default()).is_err());
}

#[test]
fn same_document_is_read_from_every_supported_encoding() {
    let text = |encoding: &str| {
        let declaration = format!("<?xml version=\"1.0\"{encoding}?>");
        format!("{declaration}{}", invoice("<cbc:ID>Müller & Søn</cbc:ID>")).replace("& ", "&amp; ")
    };
    let wide = |text: &str, mark: &[u8], bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
        mark.iter()
            .copied()
            .chain(text.encode_utf16().flat_map(bytes))
            .collect()
    };
    let latin = |text: &str| -> Vec<u8> {
        let byte = |letter| u8::try_from(u32::from(letter)).expect("a letter of Latin 1");
        text.chars().map(byte).collect()
    };
    let utf_16 = text(" encoding=\"utf-16\"");
    let marked = format!("\u{feff}{}", text(""));
    for bytes in [
        text("").into_bytes(),
        text(" encoding='utf-8'").into_bytes(),
        marked.into_bytes(),
        wide(&utf_16, b"\xff\xfe", u16::to_le_bytes),
        wide(&utf_16, b"\xfe\xff", u16::to_be_bytes),
        wide(&utf_16, b"", u16::to_be_bytes),
        wide(&text(""), b"\xff\xfe", u16::to_le_bytes),
        latin(&text(" encoding=\"ISO-8859-1\"")),
    ] {
        let read = ubl::read(bytes.as_slice(), Limits::default()).expect("it reads");
        assert_eq!(read.document.number, "Müller & Søn");
        assert_eq!(read.unmapped, []);
    }
}

#[test]
fn truncated_file_is_rejected_at_any_length() {
    let whole = invoice("<cbc:ID>1</cbc:ID><cac:InvoiceLine><cbc:ID>1</cbc:ID></cac:InvoiceLine>");
    for end in 0..whole.len() {
        assert!(
            read(&whole[..end]).is_err(),
            "the first {end} bytes are no invoice"
        );
    }
}

#[test]
fn entities_and_document_types_are_rejected() {
    let bomb = r#"<!DOCTYPE lolz [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>"#;
    let text = format!("{bomb}{}", invoice("<cbc:ID>&b;</cbc:ID>"));
    assert!(matches!(read(&text), Err(ReadError::Doctype { .. })));
    for reference in ["&b;", "&nbsp;", "&#0;", "&#xd800;", "&#x1f;"] {
        let text = invoice(&format!("<cbc:ID>{reference}</cbc:ID>"));
        assert!(
            matches!(read(&text), Err(ReadError::Entity { .. })),
            "{reference}"
        );
    }
}

#[test]
fn input_beyond_each_limit_is_rejected() {
    let limited = |text: &str, limits: Limits| match ubl::read(text.as_bytes(), limits) {
        Err(ReadError::Limit { limit, .. }) => limit,
        other => panic!("{other:?}"),
    };
    let limits = Limits::default();
    let deep = format!("{}{}", "<cac:Party>".repeat(40), "</cac:Party>".repeat(40));
    assert_eq!(limited(&invoice(&deep), limits), Limit::Depth);
    let lines = "<cac:InvoiceLine/>".repeat(11);
    let few = Limits {
        repeated: 10,
        ..limits
    };
    assert_eq!(limited(&invoice(&lines), few), Limit::Repeated);
    let long = format!("<cbc:ID>{}</cbc:ID>", "x".repeat(5_000));
    let short = Limits {
        token_bytes: 1_000,
        ..limits
    };
    assert_eq!(limited(&invoice(&long), short), Limit::TokenBytes);
    let pieces = format!("<cbc:ID>{}</cbc:ID>", "x&amp;".repeat(5_000));
    assert_eq!(
        limited(&invoice(&pieces), short),
        Limit::TokenBytes,
        "in pieces too"
    );
    let small = Limits {
        bytes: 400,
        ..limits
    };
    assert_eq!(limited(&invoice(&long), small), Limit::Bytes);
    let attributes: String = (0..100).map(|at| format!(" a{at}=\"\"")).collect();
    assert_eq!(
        limited(&invoice(&format!("<cbc:ID{attributes}/>")), limits),
        Limit::Attributes
    );
    let name = "x".repeat(257);
    for named in [format!("<{name}/>"), format!("<cbc:ID {name}=\"\"/>")] {
        assert_eq!(limited(&invoice(&named), limits), Limit::NameBytes);
    }
    let names: String = (0..1_001).map(|at| format!("<a{at}/>")).collect();
    assert_eq!(limited(&invoice(&names), limits), Limit::UnmappedNames);
}

/// An endless input.
struct Endless {
    head: io::Cursor<Vec<u8>>,
    again: &'static [u8],
    at: usize,
}

impl Read for Endless {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let bytes = self.fill_buf()?;
        let length = bytes.len().min(into.len());
        into[..length].copy_from_slice(&bytes[..length]);
        self.consume(length);
        Ok(length)
    }
}

impl BufRead for Endless {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.head.position() < self.head.get_ref().len() as u64 {
            return self.head.fill_buf();
        }
        Ok(&self.again[self.at..])
    }

    fn consume(&mut self, bytes: usize) {
        if self.head.position() < self.head.get_ref().len() as u64 {
            self.head.consume(bytes);
        } else {
            self.at = (self.at + bytes) % self.again.len();
        }
    }
}

#[test]
fn endless_input_is_rejected_at_the_byte_limit() {
    let limits = Limits {
        bytes: 4 << 20,
        token_bytes: 1 << 20,
        ..Limits::default()
    };
    for (again, expected) in [
        (&b"<cac:Note>x</cac:Note>"[..], Limit::Bytes),
        (&b"<cac:InvoiceLine/>"[..], Limit::Repeated),
        (&b"xxxxxxxxxxxxxxxx"[..], Limit::TokenBytes),
        (&b"<cac:Party>"[..], Limit::Depth),
    ] {
        let endless = Endless {
            head: io::Cursor::new(HEAD.as_bytes().to_vec()),
            again,
            at: 0,
        };
        match ubl::read(endless, limits) {
            Err(ReadError::Limit { limit, .. }) => assert_eq!(limit, expected),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn characters_that_xml_forbids_are_not_written() {
    let mut document = document("");
    document.number = "a\u{0}b".into();
    let error = ubl::write(&document).expect_err("a null");
    assert_eq!(
        error.to_string(),
        "cbc:ID contains U+0000, which XML cannot hold"
    );
}
