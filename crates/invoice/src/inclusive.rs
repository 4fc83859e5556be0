//! Converts prices that include tax to net prices. EN 16931 has net prices only.

use rust_decimal::Decimal;

use crate::content::Line;
use crate::percentage_bases::{amount, apply, line_base_at};
use crate::{Currency, Money, calculation, decimal};

/// The net price (BT-146) of a price that includes tax: `price × 100 ÷ (100 + rate)`, half away from zero, to the precision of a
/// price. `None` if it is too large.
#[must_use]
pub fn net_price(price: Decimal, rate: Decimal) -> Option<Decimal> {
    let divisor = Decimal::ONE_HUNDRED.checked_add(rate)?;
    let whole = price.trunc().abs().normalize().to_string().len();
    let room = u32::try_from(decimal::MAX_DIGITS.checked_sub(whole)?).ok()?;
    let fraction = room.min(decimal::MAX_FRACTION);
    decimal::multiply_divide(price, Decimal::ONE_HUNDRED, divisor, fraction)
}

/// A net price that gives a price with tax back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReversiblePrice {
    /// BT-146
    pub price: Decimal,
    /// Whether the price is the exact quotient, and not rounded.
    pub is_exact: bool,
    /// The line with tax: net amount (BT-131) and tax, each rounded.
    pub with_tax: Money,
    /// What was asked for: quantity times the price with tax, divided by the quantity that a price is for (BT-149), with the
    /// allowances and charges of the line.
    pub wanted: Money,
}

/// The net price of the fewest decimals with which `line` comes to exactly what it comes to at `price` with tax. The price of
/// `line` itself does not count.
///
/// Amounts of allowances and charges are without tax, as everywhere in the line. A percentage without a base is of the amount of
/// the line: of what was typed with tax here, and of the net amount there.
///
/// # Errors
/// The nearest net price, and of those the one of the fewest decimals, if there is none: amounts are rounded to the minor unit
/// before and after the tax, so that some totals cannot be reached. `Ok(None)` if a number of the line is missing or invalid, or
/// an amount is too large.
pub fn reversible_price(
    price: Decimal,
    line: &Line,
    currency: Currency,
) -> Result<Option<ReversiblePrice>, ReversiblePrice> {
    let Some((wanted, rate)) = rate(line).and_then(|rate| {
        let wanted = wanted(price, line, rate, currency)?;
        Some((wanted, rate))
    }) else {
        return Ok(None);
    };
    let mut nearest = None;
    for fraction in currency.minor_units()..=decimal::MAX_FRACTION {
        let Some(found) = rounded_price(price, line, rate, wanted, fraction) else {
            break;
        };
        let rest = found.with_tax.minus(wanted).map(|rest| rest.amount().abs());
        if rest == Some(Decimal::ZERO) {
            return Ok(Some(found));
        }
        // More decimals that come no closer are left out.
        match nearest {
            Some((_, least)) if rest.is_none_or(|rest| rest >= least) => {}
            _ => nearest = rest.map(|rest| (found, rest)),
        }
    }
    nearest.map_or(Ok(None), |(found, _)| Err(found))
}

/// BT-152
fn rate(line: &Line) -> Option<Decimal> {
    match line.tax.rate.as_str() {
        "" => Some(Decimal::ZERO),
        rate => decimal::parse(rate).ok(),
    }
}

/// The line with tax, as it was typed.
fn wanted(price: Decimal, line: &Line, rate: Decimal, currency: Currency) -> Option<Money> {
    let typed = line_base_at(line, price, currency)?;
    let mut sum = typed;
    for item in &line.allowances_charges {
        let part = amount(item, typed)?;
        let is_of_the_line = item.amount.is_empty() && item.base.is_empty();
        let part = if is_of_the_line {
            part
        } else {
            part.plus(calculation::percentage(part.amount(), rate, currency)?)?
        };
        sum = apply(item, sum, part)?;
    }
    Some(sum)
}

fn rounded_price(
    price: Decimal,
    line: &Line,
    rate: Decimal,
    wanted: Money,
    fraction: u32,
) -> Option<ReversiblePrice> {
    let currency = wanted.currency();
    let divisor = Decimal::ONE_HUNDRED.checked_add(rate)?;
    let net_price = decimal::multiply_divide(price, Decimal::ONE_HUNDRED, divisor, fraction)?;
    let base = line_base_at(line, net_price, currency)?;
    let mut net = base;
    for item in &line.allowances_charges {
        net = apply(item, net, amount(item, base)?)?;
    }
    let tax = calculation::percentage(net.amount(), rate, currency)?;
    Some(ReversiblePrice {
        price: net_price,
        is_exact: net_price.checked_mul(divisor)? == price.checked_mul(Decimal::ONE_HUNDRED)?,
        with_tax: net.plus(tax)?,
        wanted,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::AllowanceCharge;

    fn line(quantity: &str) -> Line {
        let mut line = Line {
            quantity: quantity.to_owned(),
            ..Line::default()
        };
        "15".clone_into(&mut line.tax.rate);
        line
    }

    fn number(text: &str) -> Decimal {
        decimal::parse(text).expect("a number")
    }

    fn riyals() -> Currency {
        Currency::parse("SAR").expect("a currency")
    }

    fn of(price: &str, line: &Line) -> Result<Option<ReversiblePrice>, ReversiblePrice> {
        reversible_price(number(price), line, riyals())
    }

    /// Net price and line with tax.
    fn found(price: &str, line: &Line) -> (String, String) {
        let found = of(price, line).expect("reachable").expect("numbers");
        assert_eq!(found.with_tax, found.wanted);
        (decimal::print(found.price), found.with_tax.to_string())
    }

    #[test]
    fn price_with_an_exact_quotient_is_exact() {
        let found = of("115", &line("3")).expect("reachable").expect("numbers");
        assert_eq!(
            (decimal::print(found.price).as_str(), found.is_exact),
            ("100", true)
        );
        assert_eq!(found.with_tax.to_string(), "345.00");
    }

    #[test]
    fn rounded_price_gives_the_typed_total_back() {
        let found = of("1", &line("1")).expect("reachable").expect("numbers");
        assert!(!found.is_exact);
        assert_eq!(found.with_tax.to_string(), "1.00");
    }

    #[test]
    fn price_for_a_hundred_pieces_is_divided_by_them() {
        let line = Line {
            price_base: "100".to_owned(),
            ..line("250")
        };
        assert_eq!(found("115", &line), ("100".into(), "287.50".into()));
    }

    #[test]
    fn allowance_of_a_percentage_is_of_the_line_and_an_amount_is_without_tax() {
        let mut line = line("2");
        line.allowances_charges.push(AllowanceCharge {
            percent: "10".to_owned(),
            ..AllowanceCharge::default()
        });
        assert_eq!(found("115", &line), ("100".into(), "207.00".into()));
        line.allowances_charges.push(AllowanceCharge {
            is_charge: true,
            amount: "20".to_owned(),
            ..AllowanceCharge::default()
        });
        assert_eq!(found("115", &line), ("100".into(), "230.00".into()));
    }

    #[test]
    fn line_without_a_quantity_has_no_price() {
        assert_eq!(of("115", &line("")), Ok(None));
    }

    #[test]
    fn total_that_no_net_price_reaches_is_refused() {
        let nearest =
            of("35", &line("20")).expect_err("608.70 gives 700.01, and 608.69 gives 699.99");
        assert_eq!(nearest.with_tax.to_string(), "700.01");
    }

    #[test]
    fn nearest_price_has_no_decimals_that_come_no_closer() {
        let nearest = of("35", &line("1")).expect_err("30.43 gives 34.99, and 30.44 gives 35.01");
        assert_eq!(
            (decimal::print(nearest.price), nearest.with_tax.to_string()),
            ("30.43".to_owned(), "34.99".to_owned())
        );
    }
}
