//! Numbers as people type them, in any digits, turned into the form of the wire before anything is computed or sent.

use invoice::Currency;
use invoice::typed::{TypedError, number};

use crate::views::{InvoiceContent, Violation};

/// For a content that names no currency yet.
const MINOR_UNITS: u32 = 2;

/// The content with its numbers in the form of the wire, and a violation for each that can be read in two ways; that one
/// counts as none until the person has said which. What is no number at all stays as it was typed, for the rules to judge.
pub(crate) fn read(content: &InvoiceContent) -> (InvoiceContent, Vec<Violation>) {
    let minor_units = minor_units(&content.currency);
    let mut read = content.clone();
    let mut ambiguous = Vec::new();
    for (index, line) in read.lines.iter_mut().enumerate() {
        for (name, text, minor_units) in [
            ("quantity", &mut line.quantity, 0),
            ("unitPrice", &mut line.unit_price, minor_units),
            ("taxRate", &mut line.tax_rate, 0),
        ] {
            match number(text, minor_units) {
                Ok(plain) => *text = plain,
                Err(error @ TypedError::Ambiguous { .. }) => {
                    text.clear();
                    ambiguous.push(Violation {
                        field: format!("lines[{index}].{name}"),
                        rule: "INV-AMBIGUOUS".to_owned(),
                        description: format!("This number {error}."),
                    });
                }
                Err(TypedError::Malformed) => {}
            }
        }
    }
    (read, ambiguous)
}

/// How many decimals amounts in this currency have.
pub(crate) fn minor_units(currency: &str) -> u32 {
    Currency::parse(currency).map_or(MINOR_UNITS, Currency::minor_units)
}

/// A number of the wire as a form shows it, so that it has one reading when it is typed over: `1.234` becomes `1.2340`.
pub(crate) fn shown(wire: String, minor_units: u32) -> String {
    match number(&wire, minor_units) {
        Err(TypedError::Ambiguous { fraction, .. }) => fraction,
        Ok(_) | Err(TypedError::Malformed) => wire,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::views::LineContent;

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
    fn arabic_digits_and_separators_become_those_of_the_wire() {
        let (read, ambiguous) = read(&content("٣٠٫٥", "١٬٠٩١٫٥٠"));
        assert_eq!(
            (
                read.lines[0].quantity.as_str(),
                read.lines[0].unit_price.as_str()
            ),
            ("30.5", "1091.50")
        );
        assert_eq!(ambiguous, [], "both have one reading");
    }

    #[test]
    fn a_price_with_two_readings_is_asked_about_and_not_guessed() {
        let (read, ambiguous) = read(&content("1", "1,234"));
        assert_eq!(read.lines[0].unit_price, "", "neither reading is taken");
        assert_eq!(ambiguous.len(), 1, "{ambiguous:?}");
        assert_eq!(
            (ambiguous[0].field.as_str(), ambiguous[0].rule.as_str()),
            ("lines[0].unitPrice", "INV-AMBIGUOUS")
        );
    }

    #[test]
    fn what_the_service_sent_is_shown_with_one_reading() {
        assert_eq!(shown("1.234".to_owned(), 2), "1.2340");
        assert_eq!(shown("1.234".to_owned(), 3), "1.234");
        assert_eq!(shown("1091.50".to_owned(), 2), "1091.50");
    }

    #[test]
    fn what_is_no_number_stays_for_the_rules_to_judge() {
        let (read, ambiguous) = read(&content("two", ""));
        assert_eq!(
            (
                read.lines[0].quantity.as_str(),
                read.lines[0].unit_price.as_str()
            ),
            ("two", "")
        );
        assert_eq!(ambiguous, [], "it has no reading at all");
    }
}
