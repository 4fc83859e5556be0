//! Comparison of a content that was sent with the one that the service stores.
//!
//! A draft is deleted if they are equal, so each type is destructured: a field that is not compared does not compile.

mod details;

use super::percentage_bases;
use crate::views::{BuyerContent, Correction, InvoiceContent, LineContent, LocalizedText};
use details::{same_buyer_details, same_details, same_line_details};

/// Whether a stored content is the one that was sent: equal except for defaults of the service, white space around texts,
/// and the notation of numbers.
pub(crate) fn is_stored(sent: &InvoiceContent, stored: &InvoiceContent) -> bool {
    let mut sent = sent.clone();
    percentage_bases::leave_out(&mut sent);
    let InvoiceContent {
        kind,
        buyer,
        issue_date,
        due_date,
        // The service stores the date that they give.
        due_terms: _,
        supply_date,
        currency,
        lines,
        note,
        note_ar,
        correction,
        details,
    } = &sent;
    *kind == stored.kind
        && same_buyer(buyer, &stored.buyer)
        && same_or_default(issue_date, &stored.issue_date)
        && same_text(due_date, &stored.due_date)
        && same_text(supply_date, &stored.supply_date)
        && same_or_default(currency, &stored.currency)
        && lines.len() == stored.lines.len()
        && lines
            .iter()
            .zip(&stored.lines)
            .all(|(sent, stored)| same_line(sent, stored))
        && same_text(note, &stored.note)
        && same_text(note_ar, &stored.note_ar)
        && same_correction(correction.as_ref(), stored.correction.as_ref())
        && same_details(details, &stored.details)
}

fn same_buyer(sent: &BuyerContent, stored: &BuyerContent) -> bool {
    let BuyerContent {
        name,
        tax_id,
        street,
        building,
        district,
        city,
        postal_code,
        country,
        details,
    } = sent;
    same_localized(name, &stored.name)
        && same_text(tax_id, &stored.tax_id)
        && same_text(street, &stored.street)
        && same_text(building, &stored.building)
        && same_text(district, &stored.district)
        && same_text(city, &stored.city)
        && same_text(postal_code, &stored.postal_code)
        && same_text(country, &stored.country)
        && same_buyer_details(details, &stored.details)
}

fn same_line(sent: &LineContent, stored: &LineContent) -> bool {
    let LineContent {
        description,
        quantity,
        unit,
        unit_price,
        tax_category,
        tax_rate,
        exemption_code,
        // The service numbers the lines of a new document.
        id: _,
        details,
    } = sent;
    same_localized(description, &stored.description)
        && same_number(quantity, &stored.quantity)
        && same_or_default(unit, &stored.unit)
        && same_number(unit_price, &stored.unit_price)
        && same_text(tax_category, &stored.tax_category)
        && (tax_rate.trim().is_empty() || same_number(tax_rate, &stored.tax_rate))
        && same_text(exemption_code, &stored.exemption_code)
        && same_line_details(details, &stored.details)
}

/// A correction without any text is stored as none.
fn same_correction(sent: Option<&Correction>, stored: Option<&Correction>) -> bool {
    let none = Correction::default();
    let Correction {
        key,
        number,
        issue_date,
        reason,
    } = sent.unwrap_or(&none);
    let stored = stored.unwrap_or(&none);
    same_text(key.as_str(), stored.key.as_str())
        && same_text(number, &stored.number)
        && same_text(issue_date, &stored.issue_date)
        && same_text(reason, &stored.reason)
}

fn same_localized(sent: &LocalizedText, stored: &LocalizedText) -> bool {
    let LocalizedText { ar, en } = sent;
    same_text(ar, &stored.ar) && same_text(en, &stored.en)
}

fn same_text(sent: &str, stored: &str) -> bool {
    sent.trim() == stored.trim()
}

/// For fields that the service fills in if they are empty.
fn same_or_default(sent: &str, stored: &str) -> bool {
    sent.trim().is_empty() || same_text(sent, stored)
}

/// Compares numerically: `10` equals `10.00`. Text that is not a number is compared as text.
pub(crate) fn same_number(left: &str, right: &str) -> bool {
    match (
        invoice::decimal::parse(left.trim()),
        invoice::decimal::parse(right.trim()),
    ) {
        (Ok(left), Ok(right)) => left == right,
        _ => same_text(left, right),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;
    use crate::invoices::text_pointers::text_pointers;
    use crate::views::full_content;

    fn content() -> InvoiceContent {
        InvoiceContent {
            lines: vec![LineContent {
                quantity: "1".to_owned(),
                unit_price: "10".to_owned(),
                ..LineContent::default()
            }],
            ..InvoiceContent::default()
        }
    }

    #[test]
    fn stored_content_with_defaults_and_other_notation_equals_the_sent_one() {
        let mut stored = content();
        stored.currency = "SAR".to_owned();
        stored.issue_date = "2026-11-21".to_owned();
        stored.lines[0].unit = "C62".to_owned();
        stored.lines[0].unit_price = "10.00".to_owned();
        stored.correction = Some(Correction::default());
        assert!(is_stored(&content(), &stored));
    }

    /// A content with two lines and a value in every field, none of which means the same as an empty one.
    fn two_lines() -> InvoiceContent {
        let mut content = full_content();
        content.lines[0].tax_rate = "15".to_owned();
        content.lines.push(LineContent {
            quantity: "3".to_owned(),
            ..content.lines[0].clone()
        });
        content
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        #[test]
        fn content_with_any_field_changed_is_not_stored(
            text in prop_oneof!["[a-z0-9]{1,12}", "[0-9]{1,2}(\\.0{1,2})?"],
        ) {
            let sent = two_lines();
            let json = serde_json::to_value(&sent).expect("JSON");
            for pointer in text_pointers(&json) {
                for stored_text in [text.as_str(), ""] {
                    let mut changed = json.clone();
                    let field = changed.pointer_mut(&pointer).expect("it is there");
                    *field = if pointer == "/kind" {
                        Value::from("debitNote")
                    } else if pointer.ends_with("/kind") {
                        Value::from("allowance")
                    } else if field.as_str().is_some_and(|sent| same_number(sent, stored_text)) {
                        // The text means what was sent, as `1` does beside `1.00`: this one never does.
                        Value::from("other")
                    } else {
                        Value::from(stored_text)
                    };
                    let stored: InvoiceContent = serde_json::from_value(changed).expect("a content");
                    prop_assert!(!is_stored(&sent, &stored), "{} is not compared", pointer);
                }
            }
        }
    }

    #[test]
    fn content_with_another_number_of_lines_or_no_correction_is_not_stored() {
        let sent = two_lines();
        assert!(is_stored(&sent, &sent));
        let mut stored = two_lines();
        stored.lines.pop();
        assert!(!is_stored(&sent, &stored));
        assert!(!is_stored(&stored, &sent));
        let mut stored = two_lines();
        stored.correction = None;
        assert!(!is_stored(&sent, &stored), "the lost update counts as done");
        assert!(!is_stored(&stored, &sent));
    }
}
