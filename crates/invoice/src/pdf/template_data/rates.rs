//! The tax rate and the tax category as the template prints them.

use crate::content::Tax;
use crate::decimal;

/// The rate as `15%`, or empty. The template writes the sign as the language of the paper does.
pub(super) fn rate(tax: &Tax) -> String {
    if tax.rate.is_empty() {
        return String::new();
    }
    let printed = decimal::parse(&tax.rate).map_or_else(|_| tax.rate.clone(), decimal::print);
    format!("{printed}%")
}

/// The code of the category that the template names. Empty for a standard rate, which the rate says.
pub(super) fn category(tax: &Tax) -> &str {
    match tax.category.as_str() {
        "S" if !tax.rate.is_empty() => "",
        code => code,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn category_is_named_unless_the_rate_of_the_standard_category_says_it() {
        for (code, percent, expected) in [
            ("S", "15.00", ("15%", "")),
            ("S", "", ("", "S")),
            ("Z", "0", ("0%", "Z")),
            ("O", "", ("", "O")),
            ("", "5", ("5%", "")),
            ("S", "?", ("?%", "")),
        ] {
            let tax = Tax {
                category: code.to_owned(),
                rate: percent.to_owned(),
                ..Tax::default()
            };
            assert_eq!((rate(&tax).as_str(), category(&tax)), expected);
        }
    }
}
