//! The QR code of a rendered PDF file.

use crate::fixtures::documents::{saudi, swedish};
use crate::fixtures::rendered_pdf::print;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use invoice::content::SupportingDocument;
use invoice::pdf::{Languages, tlv};

#[test]
fn printed_qr_code_decodes_to_the_tlv_content() {
    let document = saudi();
    for languages in [Languages::English, Languages::Arabic, Languages::Both] {
        let Some(codes) = print(&document, languages).qr_codes() else {
            return;
        };
        let [code] = codes.as_slice() else {
            panic!("one code: {codes:?}");
        };
        let bytes = STANDARD.decode(code).expect("Base64");
        assert_eq!(Some(bytes), tlv(&document));
    }
}

#[test]
fn signed_qr_code_is_printed_unchanged_and_none_outside_saudi_arabia() {
    let mut document = saudi();
    document.content.documents.push(SupportingDocument {
        id: invoice::content::Identifier {
            scheme: String::new(),
            value: "QR".into(),
        },
        attachment: Some(invoice::content::Attachment {
            content: "AQVQYWxtcw==".into(),
            ..Default::default()
        }),
        ..SupportingDocument::default()
    });
    let Some(codes) = print(&document, Languages::English).qr_codes() else {
        return;
    };
    assert_eq!(codes, ["AQVQYWxtcw=="]);
    let none = print(&swedish(), Languages::English).qr_codes();
    assert_eq!(none.as_deref(), Some(&[][..]));
}
