//! A content as it was typed: its numbers read into decimal strings, before anything is computed or sent.

use invoice::number_input::{NumberInputError, normalize};
use invoice::rules::AMBIGUOUS_NUMBER;
use invoicing_contract::fold::fold;

use super::number_input::minor_units;
use super::percentage_bases;
use crate::views::{BuyerContent, BuyerDetails, InvoiceContent, Violation};

/// The content with its numbers as decimal strings, and a violation for each number that has two readings; its field is
/// empty until the user has chosen one. Text that is not a number stays as it was typed: the rules report it. The numbers that
/// identify the buyer are in Latin digits, which the rules and the authorities ask for.
pub(crate) fn parse_numbers(content: &InvoiceContent) -> (InvoiceContent, Vec<Violation>) {
    let minor_units = minor_units(&content.currency);
    let mut parsed = content.clone();
    let mut ambiguous = Vec::new();
    for NumberField {
        field,
        text,
        minor_units,
    } in numbers(&mut parsed, minor_units)
    {
        match normalize(text, minor_units) {
            Ok(plain) => *text = plain,
            Err(error @ NumberInputError::Ambiguous { .. }) => {
                text.clear();
                ambiguous.push(Violation {
                    field: Some(field.clone()),
                    path: field,
                    rule: AMBIGUOUS_NUMBER.to_owned(),
                    description: format!("This number {error}."),
                });
            }
            Err(NumberInputError::Malformed) => {}
        }
    }
    percentage_bases::fill_in(&mut parsed);
    for text in identifiers(&mut parsed.buyer) {
        to_latin_digits(text);
    }
    (parsed, ambiguous)
}

/// Writes an identifier in Latin digits. A text with words in it, as of a building, keeps the digits of its language.
pub(crate) fn to_latin_digits(text: &mut String) {
    if !text.is_ascii() && !text.chars().any(char::is_alphabetic) {
        *text = fold(text);
    }
}

/// Tax id, numbers of the address, and other identifiers.
fn identifiers(buyer: &mut BuyerContent) -> impl Iterator<Item = &mut String> {
    let BuyerContent {
        tax_id,
        building,
        postal_code,
        details,
        ..
    } = buyer;
    let BuyerDetails {
        other_ids,
        legal_id,
        additional_number,
        ..
    } = details;
    let others = other_ids.iter_mut().map(|id| &mut id.value);
    [
        tax_id,
        building,
        postal_code,
        additional_number,
        &mut legal_id.value,
    ]
    .into_iter()
    .chain(others)
}

/// A field of the form that holds a number.
struct NumberField<'a> {
    /// Path in the form.
    field: String,
    text: &'a mut String,
    /// Decimals of its notation in which a group of three digits could be a fraction.
    minor_units: u32,
}

/// The numbers of a content, in the order of the form. An empty one stays empty.
fn numbers(content: &mut InvoiceContent, minor_units: u32) -> Vec<NumberField<'_>> {
    let mut found = Vec::new();
    let mut add = |field: String, text, minor_units| {
        found.push(NumberField {
            field,
            text,
            minor_units,
        });
    };
    for (index, line) in content.lines.iter_mut().enumerate() {
        let path = format!("lines[{index}]");
        add(format!("{path}.quantity"), &mut line.quantity, 0);
        add(
            format!("{path}.unitPrice"),
            &mut line.unit_price,
            minor_units,
        );
        add(format!("{path}.taxRate"), &mut line.tax_rate, 0);
        let path = format!("{path}.details");
        add(format!("{path}.priceBase"), &mut line.details.price_base, 0);
        for (name, text) in [
            ("grossPrice", &mut line.details.gross_price),
            ("priceDiscount", &mut line.details.price_discount),
        ] {
            add(format!("{path}.{name}"), text, minor_units);
        }
        for (at, item) in line.details.allowances_charges.iter_mut().enumerate() {
            let path = format!("{path}.allowancesCharges[{at}]");
            add(format!("{path}.amount"), &mut item.amount, minor_units);
            add(format!("{path}.percent"), &mut item.percent, 0);
            add(format!("{path}.base"), &mut item.base, minor_units);
        }
    }
    let details = &mut content.details;
    for (at, item) in details.allowances_charges.iter_mut().enumerate() {
        let path = format!("details.allowancesCharges[{at}]");
        add(format!("{path}.amount"), &mut item.amount, minor_units);
        add(format!("{path}.percent"), &mut item.percent, 0);
        add(format!("{path}.base"), &mut item.base, minor_units);
        add(format!("{path}.taxRate"), &mut item.tax_rate, 0);
    }
    for (name, text, minor_units) in [
        ("exchangeRate", &mut details.exchange_rate, 0),
        ("prepaid", &mut details.prepaid, minor_units),
        ("rounding", &mut details.rounding, minor_units),
    ] {
        add(format!("details.{name}"), text, minor_units);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::views::{IdentifierContent, LineContent};

    fn content(quantity: &str, unit_price: &str) -> InvoiceContent {
        let line = LineContent {
            quantity: quantity.to_owned(),
            unit_price: unit_price.to_owned(),
            ..LineContent::default()
        };
        InvoiceContent {
            currency: "SAR".to_owned(),
            lines: vec![line],
            ..InvoiceContent::default()
        }
    }

    #[test]
    fn arabic_digits_and_separators_become_decimal_strings() {
        let (parsed, ambiguous) = parse_numbers(&content("٣٠٫٥", "١٬٠٩١٫٥٠"));
        assert_eq!(
            (
                parsed.lines[0].quantity.as_str(),
                parsed.lines[0].unit_price.as_str()
            ),
            ("30.5", "1091.50")
        );
        assert_eq!(ambiguous, [], "both have one reading");
    }

    #[test]
    fn identifiers_of_the_buyer_are_sent_in_latin_digits_and_texts_as_they_were_typed() {
        let mut typed = content("1", "1");
        typed.buyer.tax_id = "٣١٠١٢٢٣٩٣٥٠٠٠٠٣".to_owned();
        typed.buyer.postal_code = "\u{200f}۱۲۲۱۲".to_owned();
        typed.buyer.building = "مبنى ٧".to_owned();
        typed.buyer.details.other_ids = vec![IdentifierContent {
            scheme: "CRN".to_owned(),
            value: "١٠١٠".to_owned(),
        }];
        let (parsed, _) = parse_numbers(&typed);
        let BuyerContent {
            tax_id,
            postal_code,
            building,
            details,
            ..
        } = parsed.buyer;
        assert_eq!(
            (tax_id.as_str(), postal_code.as_str(), building.as_str()),
            ("310122393500003", "12212", "مبنى ٧")
        );
        assert_eq!(details.other_ids[0].value, "1010");
    }

    #[test]
    fn price_with_two_readings_is_a_violation_and_is_cleared() {
        let (parsed, ambiguous) = parse_numbers(&content("1", "1,234"));
        assert_eq!(parsed.lines[0].unit_price, "", "neither reading is taken");
        assert_eq!(ambiguous.len(), 1, "{ambiguous:?}");
        assert_eq!(
            (ambiguous[0].field.as_deref(), ambiguous[0].rule.as_str()),
            (Some("lines[0].unitPrice"), "INV-AMBIGUOUS")
        );
    }

    #[test]
    fn text_that_is_no_number_is_left_for_the_rules() {
        let (parsed, ambiguous) = parse_numbers(&content("two", ""));
        assert_eq!(
            (
                parsed.lines[0].quantity.as_str(),
                parsed.lines[0].unit_price.as_str()
            ),
            ("two", "")
        );
        assert_eq!(ambiguous, [], "it has no reading at all");
    }
}
