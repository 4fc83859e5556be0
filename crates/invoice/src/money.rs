//! An amount of money: exact, in whole minor units of one currency, within a bounded range.

use std::fmt;

use rust_decimal::Decimal;

use crate::{Currency, decimal};

/// The largest number of integer digits of an amount. With the four fraction digits of the finest currencies it still
/// fits 64 bits, so that amounts of all currencies can be compared in one column.
pub const MAX_WHOLE_DIGITS: u32 = 14;

/// An amount in one currency. Its text has as many fraction digits as the currency has minor units.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Money {
    minor: i64,
    currency: Currency,
}

impl Money {
    /// Zero.
    #[must_use]
    pub const fn zero(currency: Currency) -> Self {
        Self { minor: 0, currency }
    }

    /// An amount in minor units. `None` beyond [`MAX_WHOLE_DIGITS`].
    #[must_use]
    pub const fn from_minor(minor: i64, currency: Currency) -> Option<Self> {
        if minor.unsigned_abs() >= 10_u64.pow(MAX_WHOLE_DIGITS + currency.minor_units()) {
            return None;
        }
        Some(Self { minor, currency })
    }

    /// `left × right ÷ divisor`, rounded once to the minor unit, half away from zero. `None` if it is too large.
    #[must_use]
    pub fn multiply_divide(
        left: Decimal,
        right: Decimal,
        divisor: Decimal,
        currency: Currency,
    ) -> Option<Self> {
        Self::exact(
            decimal::multiply_divide(left, right, divisor, currency.minor_units())?,
            currency,
        )
    }

    /// The amount. `None` if it has a fraction of a minor unit or is too large.
    #[must_use]
    pub fn exact(amount: Decimal, currency: Currency) -> Option<Self> {
        let mut amount = amount.normalize();
        if amount.scale() > currency.minor_units() {
            return None;
        }
        amount.rescale(currency.minor_units());
        if amount.scale() != currency.minor_units() {
            return None;
        }
        Self::from_minor(i64::try_from(amount.mantissa()).ok()?, currency)
    }

    /// In minor units: 109150 for SAR 1091.50.
    #[must_use]
    pub const fn minor(self) -> i64 {
        self.minor
    }

    /// The amount as a number.
    #[must_use]
    pub fn amount(self) -> Decimal {
        Decimal::new(self.minor, self.currency.minor_units())
    }

    /// Its currency.
    #[must_use]
    pub const fn currency(self) -> Currency {
        self.currency
    }

    /// The sum. `None` if it is too large or the currencies differ.
    #[must_use]
    pub fn plus(self, other: Self) -> Option<Self> {
        if self.currency != other.currency {
            return None;
        }
        Self::from_minor(self.minor.checked_add(other.minor)?, self.currency)
    }

    /// The difference. `None` if it is too large or the currencies differ.
    #[must_use]
    pub fn minus(self, other: Self) -> Option<Self> {
        self.plus(Self {
            minor: -other.minor,
            currency: other.currency,
        })
    }

    /// Whether the amount is below zero.
    #[must_use]
    pub const fn is_negative(self) -> bool {
        self.minor < 0
    }
}

/// The amount as a decimal string without currency: `1091.50`.
impl fmt::Display for Money {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.amount().fmt(formatter)
    }
}

impl fmt::Debug for Money {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {}", self.currency, self.amount())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn currency(code: &str) -> Currency {
        Currency::parse(code).expect("a known code")
    }

    #[test]
    fn amount_is_formatted_with_the_minor_units_of_its_currency() {
        for (code, minor, text) in [
            ("SAR", 109_150, "1091.50"),
            ("KWD", -1, "-0.001"),
            ("JPY", 7, "7"),
            ("SAR", 0, "0.00"),
        ] {
            assert_eq!(
                Money::from_minor(minor, currency(code))
                    .expect("small")
                    .to_string(),
                text,
                "{code}"
            );
        }
    }

    #[test]
    fn fraction_of_a_minor_unit_is_rejected() {
        assert_eq!(Money::exact(Decimal::new(1005, 3), currency("SAR")), None);
        assert!(Money::exact(Decimal::new(1005, 3), currency("KWD")).is_some());
        assert!(
            Money::exact(Decimal::new(10500, 3), currency("SAR")).is_some(),
            "10.500 is 10.50"
        );
    }

    #[test]
    fn sum_beyond_the_range_is_none() {
        let most = Money::from_minor(9_999_999_999_999_999, currency("SAR")).expect("the most");
        assert_eq!(
            most.plus(Money::from_minor(1, currency("SAR")).expect("small")),
            None
        );
        assert_eq!(Money::from_minor(i64::MIN, currency("SAR")), None);
        assert_eq!(Money::exact(Decimal::MAX, currency("SAR")), None);
    }

    #[test]
    fn sum_of_two_currencies_is_none() {
        assert_eq!(
            Money::zero(currency("SAR")).plus(Money::zero(currency("AED"))),
            None
        );
    }
}
