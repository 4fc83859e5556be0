//! Tax rates and percentages in Saudi Arabia. ZATCA counts the digits after the point as they are written.

use std::fmt::Display;

use rust_decimal::Decimal;

use crate::decimal;
use crate::tax::Category;
use crate::violation::Violations;

/// The standard rates (BR-KSA-84).
const STANDARD_RATES: [Decimal; 2] = [
    Decimal::from_parts(5, 0, 0, false, 0),
    Decimal::from_parts(15, 0, 0, false, 0),
];
/// Most digits after the point of a rate and a percentage.
const MOST_DIGITS: usize = 2;

/// BR-KSA-84 and BR-KSA-DEC-02: a tax rate. Other rules report what is no number.
pub(in crate::rules) fn tax_rate(
    violations: &mut Violations,
    path: impl Display,
    category: Category,
    text: &str,
) {
    if has_many_digits(text) {
        violations.add(
            path,
            "BR-KSA-DEC-02",
            "has more than two digits after the point",
        );
    } else if category == Category::Standard
        && decimal::parse(text).is_ok_and(|rate| !STANDARD_RATES.contains(&rate))
    {
        violations.add(path, "BR-KSA-84", "the standard rate is 5 or 15 percent");
    }
}

/// BR-KSA-DEC-01: the percentage of an allowance. Another rule reports one below zero.
pub(in crate::rules) fn allowance(violations: &mut Violations, path: impl Display, text: &str) {
    let above = decimal::parse(text).is_ok_and(|percent| percent > Decimal::ONE_HUNDRED);
    if above || has_many_digits(text) {
        violations.add(
            path,
            "BR-KSA-DEC-01",
            "is at most 100, with at most two digits after the point",
        );
    }
}

fn has_many_digits(text: &str) -> bool {
    text.split_once('.')
        .is_some_and(|(_, fraction)| fraction.len() > MOST_DIGITS)
}
