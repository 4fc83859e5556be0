//! Properties of arbitrary bytes in requests, for the fuzz targets and for their short runs in the tests.

use invoicing_contract::messages::documents::{Invoice, ListDocumentsRequest};
use invoicing_contract::{FieldMask, field_mask};
use invoicing_http::PageTokens;

pub use crate::documents::fuzz_checks::{check_filter, check_invoice_json};
pub use crate::rest::fuzz_checks::check_rest_request;

/// Bytes are the JSON of a request for a list: each violation of its filter names a field of it.
///
/// # Panics
/// A property does not hold.
pub fn check_filter_json(bytes: &[u8]) {
    if let Ok(request) = serde_json::from_slice::<ListDocumentsRequest>(bytes) {
        check_filter(&request);
    }
}

/// Bytes are a field mask in its JSON form. It survives a round trip, and an update by it is refused with the index of each wrong
/// path, or changes nothing the second time.
///
/// # Panics
/// A property does not hold.
pub fn check_field_mask(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let Ok(mask) = FieldMask::parse(text) else {
        return;
    };
    let mut current = Invoice {
        note: "current".to_owned(),
        number: "INV-2026-0001".to_owned(),
        ..Invoice::default()
    };
    let update = Invoice {
        due_date: "2026-12-31".to_owned(),
        ..Invoice::default()
    };
    match field_mask::apply(&current, &update, Some(&mask)) {
        Ok(updated) => {
            assert_eq!(FieldMask::parse(&mask.text()).as_ref(), Ok(&mask));
            assert_eq!(updated.number, current.number, "an output stays");
            current = updated;
            let again = field_mask::apply(&current, &update, Some(&mask));
            assert_eq!(again.as_ref(), Ok(&current));
        }
        Err(violations) => {
            for violation in violations {
                assert!(violation.field.starts_with("updateMask"), "{violation:?}");
            }
        }
    }
}

/// No bytes are a page token but those that were signed for the list.
///
/// # Panics
/// A property does not hold.
pub fn check_page_token(bytes: &[u8]) {
    let tokens = PageTokens::with_key(&[7; 32]);
    let text = String::from_utf8_lossy(bytes);
    assert_eq!(tokens.verify::<serde_json::Value>(&text, b"list"), None);
    let position = text.as_ref();
    let token = tokens.sign(&position, b"list");
    assert_eq!(tokens.verify(&token, b"list"), Some(position.to_owned()));
    if bytes != b"list" {
        assert_eq!(tokens.verify::<String>(&token, bytes), None);
    }
}
