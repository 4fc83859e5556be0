//! The price of one unit. A line can have a price for a hundred (BT-149), and items and last prices have no such quantity.

use invoice::decimal;
use invoicing_contract::messages::documents::Line;

/// Most fraction digits of a price.
const MAX_FRACTION: usize = 10;

/// What one unit costs in a line. `None` if that is no price: it does not end, or has too many digits.
pub(super) fn unit_price(line: &Line) -> Option<String> {
    if line.price_base.is_empty() {
        return Some(line.unit_price.clone());
    }
    let price = decimal::parse(&line.unit_price).ok()?;
    let one = decimal::parse("1").ok()?;
    let base = decimal::parse(&line.price_base).ok()?;
    let (digits, is_exact) = decimal::expand(price, one, base, MAX_FRACTION)?;
    (is_exact && decimal::parse(&digits).is_ok()).then_some(digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn price_for_some_units_is_divided_by_them_if_the_quotient_is_a_price() {
        for (price, base, one) in [
            ("38.50", "", Some("38.50")),
            ("38.50", "1", Some("38.5")),
            ("115", "100", Some("1.15")),
            ("0.7", "1000", Some("0.0007")),
            ("10", "3", None),
            ("1", "100000000000", None),
            ("10", "0", None),
        ] {
            let line = Line {
                unit_price: price.to_owned(),
                price_base: base.to_owned(),
                ..Line::default()
            };
            assert_eq!(unit_price(&line).as_deref(), one, "{price} for {base}");
        }
    }
}
