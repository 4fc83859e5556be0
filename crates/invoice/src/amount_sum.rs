//! A sum of amounts of one currency: exact, and not bounded as one amount is. Reports and selections add up with it.

use std::fmt;

use rust_decimal::{Decimal, RoundingStrategy};

/// An amount, or a sum of amounts, of one currency. Its text has the fraction digits of what was added.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct AmountSum(Decimal);

impl AmountSum {
    /// Reads a decimal string, as `-1091.50`. `None` if it is none, or has more digits than can be exact.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Decimal::from_str_exact(text).ok().map(Self)
    }

    /// The sum of both. `None` if it is too large to be exact.
    #[must_use]
    pub fn plus(self, other: Self) -> Option<Self> {
        self.0.checked_add(other.0).map(Self)
    }

    /// The amount with the other sign.
    #[must_use]
    pub fn negated(self) -> Self {
        // A decimal zero has a sign too, which its text would show.
        if self.0.is_zero() {
            self
        } else {
            Self(-self.0)
        }
    }

    /// The amount without its sign.
    #[must_use]
    pub fn magnitude(self) -> Self {
        Self(self.0.abs())
    }

    /// Whether it is above zero.
    #[must_use]
    pub fn is_positive(self) -> bool {
        self.0 > Decimal::ZERO
    }

    /// Its share of `largest` in thousandths, rounded half away from zero: the length of a bar in a chart. An amount that is not zero
    /// has at least one thousandth. Zero if `largest` is zero.
    #[must_use]
    pub fn thousandths_of(self, largest: Self) -> i32 {
        let share = (self.0.checked_mul(Decimal::ONE_THOUSAND))
            .and_then(|amount| amount.checked_div(largest.0))
            .unwrap_or_default()
            .round_dp_with_strategy(0, RoundingStrategy::MidpointAwayFromZero);
        let length = i32::try_from(share).unwrap_or_default();
        if length != 0 || self.0.is_zero() {
            return length;
        }
        if self.is_positive() { 1 } else { -1 }
    }
}

impl fmt::Display for AmountSum {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(text: &str) -> AmountSum {
        AmountSum::parse(text).expect("a decimal")
    }

    #[test]
    fn sums_are_exact_and_beyond_one_amount() {
        assert_eq!(sum("0.10").plus(sum("0.20")), Some(sum("0.30")));
        let large = sum("99999999999999.99");
        assert_eq!(
            large.plus(large).map(|sum| sum.to_string()).as_deref(),
            Some("199999999999999.98")
        );
        assert_eq!(AmountSum::parse("1e3"), None);
    }

    #[test]
    fn zero_has_no_sign() {
        assert_eq!(sum("1.50").negated().to_string(), "-1.50");
        assert_eq!(sum("0.00").negated().to_string(), "0.00");
    }

    #[test]
    fn what_is_not_zero_has_a_bar() {
        let largest = sum("1000000.00");
        assert_eq!(largest.thousandths_of(largest), 1_000);
        assert_eq!(sum("0.01").thousandths_of(largest), 1);
        assert_eq!(sum("-0.01").thousandths_of(largest), -1);
        assert_eq!(sum("0.00").thousandths_of(largest), 0);
        assert_eq!(sum("500.00").thousandths_of(sum("1000.00")), 500);
        assert_eq!(sum("1.00").thousandths_of(AmountSum::default()), 1);
    }
}
