//! What a new document begins with, by the country of the organization.

use crate::views::DocumentDefaults;

/// The standard VAT rates of countries in percent; without a rate the country has no VAT. Where a rate is not known here, the
/// clerk enters it and the rules check it.
const RATES: [(&str, Option<&str>); 8] = [
    ("SA", Some("15")),
    ("AE", Some("5")),
    ("BH", Some("10")),
    ("EG", Some("14")),
    ("JO", Some("16")),
    ("KW", None),
    ("OM", Some("5")),
    ("QA", None),
];

/// What a new document begins with in a country and with a currency, both empty if they are not known.
pub(crate) fn document_defaults(country: String, currency: String) -> DocumentDefaults {
    let rate = RATES.iter().find(|(code, _)| *code == country);
    DocumentDefaults {
        country,
        currency,
        standard_rate: match rate {
            Some((_, rate)) => rate.map(str::to_owned),
            None => Some(String::new()),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn country_without_vat_is_not_one_whose_rate_is_not_known() {
        let rate =
            |country: &str| document_defaults(country.to_owned(), String::new()).standard_rate;
        assert_eq!(rate("SA").as_deref(), Some("15"));
        assert_eq!(rate("KW"), None);
        assert_eq!(rate("DE").as_deref(), Some(""));
    }
}
