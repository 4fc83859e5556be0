//! How many characters a text has at most in Saudi Arabia (BR-KSA-F-06). ZATCA rejects a document for the identifier of a line, and warns of
//! the other texts: those of contents of our own have the limits of INV-TEXT.

use std::fmt::Display;

use crate::content::{Line, Party};
use crate::violation::Violations;
use crate::{Content, Document};

/// A name, a description, a street or a reason.
const LONG: usize = 1_000;
/// Another text.
const SHORT: usize = 127;
/// The identifier of a line (BT-126).
const LINE_ID: usize = 6;

/// Checks a received document.
pub(super) fn check(violations: &mut Violations, document: &Document) {
    let content = &document.content;
    let contact = &content.buyer.contact;
    limit(violations, "number", &document.number, SHORT);
    limit(violations, "reason", &content.reason, LONG);
    limit(violations, "buyer.contact.name", &contact.name, LONG);
    party(violations, "seller", &document.seller);
    party(violations, "buyer", &content.buyer);
    line_ids(violations, content);
    for (at, item) in content.lines.iter().enumerate() {
        line(violations, format_args!("lines[{at}]"), item);
    }
}

/// The identifiers of the lines, also of a content of our own.
pub(super) fn line_ids(violations: &mut Violations, content: &Content) {
    for (at, line) in content.lines.iter().enumerate() {
        limit(
            violations,
            format_args!("lines[{at}].id"),
            &line.id,
            LINE_ID,
        );
    }
}

fn party(violations: &mut Violations, path: &str, party: &Party) {
    let address = &party.address;
    for (name, text, most) in [
        ("name.ar", &party.name.ar, LONG),
        ("name.en", &party.name.en, LONG),
        ("address.street", &address.street, LONG),
        (
            "address.additionalStreet",
            &address.additional_street,
            SHORT,
        ),
        ("address.district", &address.district, SHORT),
        ("address.city", &address.city, SHORT),
        ("address.region", &address.region, SHORT),
    ] {
        limit(violations, format_args!("{path}.{name}"), text, most);
    }
}

fn line(violations: &mut Violations, path: impl Display + Copy, line: &Line) {
    let details = &line.details;
    for (name, text, most) in [
        ("description.ar", &line.description.ar, LONG),
        ("description.en", &line.description.en, LONG),
        ("unit", &line.unit, SHORT),
        ("itemCode", &line.item_code, SHORT),
        ("buyerItemCode", &details.buyer_item_code, SHORT),
        (
            "standardItemCode.value",
            &details.standard_item_code.value,
            SHORT,
        ),
        ("priceBaseUnit", &details.price_base_unit, SHORT),
    ] {
        limit(violations, format_args!("{path}.{name}"), text, most);
    }
}

fn limit(violations: &mut Violations, path: impl Display, text: &str, most: usize) {
    // A text has no more characters than bytes.
    if text.len() > most && text.chars().count() > most {
        violations
            .add(
                path,
                "BR-KSA-F-06",
                format!("is longer than {most} characters"),
            )
            .with("most", most.to_string());
    }
}
