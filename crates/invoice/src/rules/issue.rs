//! What a document needs when it is issued, and a draft may still lack.

use crate::violation::Violations;
use crate::{Country, Currency, Violation};

/// Checks that a document of a Saudi seller declares its tax in riyals (BR-KSA-68). In another currency that takes the currency
/// of the tax (BT-6) and its exchange rate, which only the content can name; with BT-6 the rate is required of a draft too.
#[must_use]
pub fn check_tax_currency(
    currency: &str,
    tax_currency: &str,
    seller_country: Country,
) -> Option<Violation> {
    let riyal = Currency::SAUDI_RIYAL.code();
    let is_declared = match tax_currency {
        "" => currency == riyal,
        tax_currency => tax_currency == riyal,
    };
    if seller_country != Country::SAUDI_ARABIA || is_declared {
        return None;
    }
    let mut violations = Violations::new(true);
    violations.add(
        "taxCurrency",
        "BR-KSA-68",
        "the tax is declared in SAR, with the exchange rate",
    );
    violations.into_vec().pop()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn country(code: &str) -> Country {
        Country::parse(code).expect("a country")
    }

    fn path(currency: &str, tax_currency: &str, seller: &str) -> Option<String> {
        check_tax_currency(currency, tax_currency, country(seller)).map(|violation| violation.path)
    }

    #[test]
    fn saudi_document_in_another_currency_needs_the_tax_in_riyals() {
        let missing = Some("taxCurrency".to_owned());
        assert_eq!(path("EUR", "", "SA"), missing);
        assert_eq!(path("EUR", "EUR", "SA"), missing);
        assert_eq!(path("SAR", "EUR", "SA"), missing);
        assert_eq!(path("EUR", "SAR", "SA"), None);
        assert_eq!(path("SAR", "", "SA"), None);
        assert_eq!(path("EUR", "", "AE"), None);
    }
}
