//! Document numbers, as `INV-2026-0421`: without gaps for each organization, kind and year.

use invoicing_contract::messages::documents::Kind;

/// The number of a document.
#[must_use]
pub fn document_number(kind: Kind, year: i16, sequence: i64) -> String {
    let prefix = match kind {
        Kind::Invoice | Kind::Unspecified => "INV",
        Kind::CreditNote => "CN",
        Kind::DebitNote => "DN",
    };
    format!("{prefix}-{year}-{sequence:04}")
}

/// The sort key of a [`document_number`]: its sequence is padded, so that text order is numeric order. Any other text is its own
/// sort key.
pub(super) fn sort_key(number: &str) -> String {
    let padded = number.rsplit_once('-').and_then(|(series, sequence)| {
        let sequence: i64 = sequence.parse().ok()?;
        Some(format!("{series}-{sequence:012}"))
    });
    padded.unwrap_or_else(|| number.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sort_keys_of_numbers_are_in_numeric_order() {
        let number = document_number(Kind::Invoice, 2026, 10_000);
        assert_eq!(number, "INV-2026-10000");
        assert_eq!(sort_key(&number), "INV-2026-000000010000");
        assert!(
            sort_key("INV-2026-9999") < sort_key(&number),
            "9999 is less than 10000"
        );
    }
}
