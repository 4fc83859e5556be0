//! Numbers of documents: `INV-2026-0421`, without gaps for each organization, kind and year.

use invoicing_contract::messages::documents::Kind;

/// The number of a document, and the same with its sequence padded so that text order is number order.
#[must_use]
pub fn number(kind: Kind, year: i16, sequence: i64) -> (String, String) {
    let prefix = match kind {
        Kind::Invoice | Kind::Unspecified => "INV",
        Kind::CreditNote => "CN",
        Kind::DebitNote => "DN",
    };
    (
        format!("{prefix}-{year}-{sequence:04}"),
        format!("{prefix}-{year}-{sequence:012}"),
    )
}

/// The padded form of a number that [`number`] made; any other text stays as it is.
pub(super) fn order(number: &str) -> String {
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
    fn the_order_of_numbers_survives_ten_thousand() {
        let (number, order_of_it) = number(Kind::Invoice, 2026, 10_000);
        assert_eq!(number, "INV-2026-10000");
        assert_eq!(order(&number), order_of_it);
        assert!(
            order("INV-2026-9999") < order_of_it,
            "9999 comes before 10000"
        );
    }
}
