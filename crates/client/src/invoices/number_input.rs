//! Numbers as people type them, in any digits, and decimal strings as the form shows them.

use invoice::Currency;
use invoice::number_input::{NumberInputError, normalize};
use invoice::rules::AMBIGUOUS_NUMBER;

/// Of a content that names no currency yet.
const DEFAULT_MINOR_UNITS: u32 = 2;

/// A number as it was typed, as a decimal string, or the rule that it breaks.
pub(crate) fn normalize_number(text: &str, minor_units: u32) -> Result<String, &'static str> {
    normalize(text, minor_units).map_err(|error| match error {
        NumberInputError::Ambiguous { .. } => AMBIGUOUS_NUMBER,
        NumberInputError::Malformed => "INV-NUMBER",
    })
}

/// How many decimals amounts in this currency have.
pub(crate) fn minor_units(currency: &str) -> u32 {
    Currency::parse(currency).map_or(DEFAULT_MINOR_UNITS, Currency::minor_units)
}

/// A decimal string as the form shows it, so that
/// [`parse_numbers`](super::parse_numbers) finds one reading in it: `1.234` becomes `1.2340`.
pub(crate) fn unambiguous(decimal: String, minor_units: u32) -> String {
    match normalize(&decimal, minor_units) {
        Err(NumberInputError::Ambiguous { fraction, .. }) => fraction,
        Ok(_) | Err(NumberInputError::Malformed) => decimal,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimal_with_two_readings_is_shown_with_one_more_digit() {
        assert_eq!(unambiguous("1.234".to_owned(), 2), "1.2340");
        assert_eq!(unambiguous("-1.234".to_owned(), 0), "-1.2340");
        assert_eq!(unambiguous("1.234".to_owned(), 3), "1.234");
        assert_eq!(unambiguous("1091.50".to_owned(), 2), "1091.50");
    }
}
