//! What a percentage of an allowance or a charge is of, if no base is given: the amount of its line, or the sum of the lines.

use rust_decimal::Decimal;

use crate::content::{AllowanceCharge, Content, Line};
use crate::{Currency, Money, calculation, decimal};

/// The amounts that percentages without a base are of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PercentageBases {
    /// Of each line: quantity times price, before its allowances and charges. `None` if a number is missing or invalid.
    pub lines: Vec<Option<Money>>,
    /// Of the document (BT-106): the sum of the lines with their allowances and charges. `None` if one of them is unknown.
    pub document: Option<Money>,
}

/// The bases of a content; `None` if its currency is unknown.
#[must_use]
pub fn percentage_bases(content: &Content) -> Option<PercentageBases> {
    let currency = Currency::parse(&content.currency)?;
    let lines: Vec<_> = content
        .lines
        .iter()
        .map(|line| line_base(line, currency))
        .collect();
    Some(PercentageBases {
        document: sum_of_lines(content, &lines, currency),
        lines,
    })
}

/// Whether a base, and an amount unless it is empty, are those that `percent` of `computed` has.
#[must_use]
pub fn follows(base: &str, percent: &str, amount: &str, computed: Money) -> bool {
    let is = |text: &str, amount: Money| decimal::parse(text).is_ok_and(|it| it == amount.amount());
    let Ok(percent) = decimal::parse(percent) else {
        return false;
    };
    is(base, computed)
        && (amount.is_empty()
            || calculation::percentage(computed.amount(), percent, computed.currency())
                .is_some_and(|part| is(amount, part)))
}

fn line_base(line: &Line, currency: Currency) -> Option<Money> {
    line_base_at(line, decimal::parse(&line.unit_price).ok()?, currency)
}

/// Quantity times `price`, divided by the quantity that a price is for (BT-149).
pub(crate) fn line_base_at(line: &Line, price: Decimal, currency: Currency) -> Option<Money> {
    let quantity = decimal::parse(&line.quantity).ok()?;
    let base = match line.price_base.as_str() {
        "" => "1",
        base => base,
    };
    calculation::line_amount(quantity, price, decimal::parse(base).ok()?, currency)
}

fn sum_of_lines(content: &Content, lines: &[Option<Money>], currency: Currency) -> Option<Money> {
    let mut sum = Money::zero(currency);
    for (line, base) in content.lines.iter().zip(lines) {
        let base = (*base)?;
        sum = sum.plus(base)?;
        for item in &line.allowances_charges {
            sum = apply(item, sum, amount(item, base)?)?;
        }
    }
    Some(sum)
}

/// A sum with a charge, or without an allowance.
pub(crate) fn apply(item: &AllowanceCharge, sum: Money, amount: Money) -> Option<Money> {
    if item.is_charge {
        sum.plus(amount)
    } else {
        sum.minus(amount)
    }
}

/// The amount of an allowance or a charge of a line, whose percentage without a base is of `line`.
pub(crate) fn amount(item: &AllowanceCharge, line: Money) -> Option<Money> {
    if let Ok(amount) = decimal::parse(&item.amount) {
        return Money::exact(amount, line.currency());
    }
    let percent = decimal::parse(&item.percent).ok()?;
    let base = match item.base.as_str() {
        "" => line.amount(),
        base => decimal::parse(base).ok()?,
    };
    calculation::percentage(base, percent, line.currency())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentage_of_the_document_is_of_the_lines_with_their_allowances() {
        let percent = |percent: &str| AllowanceCharge {
            percent: percent.to_owned(),
            ..AllowanceCharge::default()
        };
        let line = Line {
            quantity: "3".to_owned(),
            unit_price: "33.35".to_owned(),
            allowances_charges: vec![percent("10")],
            ..Line::default()
        };
        let content = Content {
            currency: "SAR".to_owned(),
            lines: vec![line],
            ..Content::default()
        };
        let bases = percentage_bases(&content).expect("a currency");
        let line = bases.lines[0].expect("a line with numbers");
        assert_eq!(line.to_string(), "100.05", "before its own allowance");
        let document = bases.document.expect("a sum");
        assert_eq!(document.to_string(), "90.04", "100.05 less 10.01");
        assert!(follows("100.05", "10", "10.01", line));
        assert!(follows("100.05", "10", "", line));
        assert!(!follows("100.05", "10", "10.00", line));
        assert!(!follows("100", "10", "", line));
    }

    #[test]
    fn percentage_of_a_line_that_takes_something_back_is_of_a_negative_amount() {
        let line = Line {
            quantity: "-1".to_owned(),
            unit_price: "10".to_owned(),
            allowances_charges: vec![AllowanceCharge {
                percent: "10".to_owned(),
                ..AllowanceCharge::default()
            }],
            ..Line::default()
        };
        let content = Content {
            currency: "EUR".to_owned(),
            lines: vec![line],
            ..Content::default()
        };
        let bases = percentage_bases(&content).expect("a currency");
        let line = bases.lines[0].expect("a line with numbers");
        assert_eq!(line.to_string(), "-10.00");
        assert!(follows("-10.00", "10", "-1.00", line));
        let document = bases.document.expect("a sum");
        assert_eq!(document.to_string(), "-9.00", "-10.00 less -1.00");
    }
}
