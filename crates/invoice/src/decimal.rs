//! Decimal strings, and exact multiplication and division with one rounding.

use rust_decimal::Decimal;
use thiserror::Error;

/// The largest number of digits of a quantity, price, rate or amount. A product of two fits 128 bits.
pub const MAX_DIGITS: usize = 18;

/// The largest number of fraction digits of a quantity or a price in a content of our own.
pub const MAX_FRACTION: u32 = 10;

/// Why a text is not a decimal number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum DecimalError {
    /// It does not match `-?(0|[1-9][0-9]*)(\.[0-9]+)?`.
    #[error("is not a decimal number such as 1091.50")]
    Malformed,
    /// It has too many significant digits for exact computation. Zeros at the end of the fraction do not count.
    #[error("has more than {MAX_DIGITS} digits")]
    TooLong,
}

/// Parses a decimal string: ASCII digits and a point, without exponent, plus sign, grouping or spaces.
///
/// # Errors
/// [`DecimalError`] for any other notation.
pub fn parse(text: &str) -> Result<Decimal, DecimalError> {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = match unsigned.split_once('.') {
        Some((_, "")) => return Err(DecimalError::Malformed),
        Some(parts) => parts,
        None => (unsigned, ""),
    };
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let leading_zero = whole.len() > 1 && whole.starts_with('0');
    if whole.is_empty() || leading_zero || !digits(whole) || !digits(fraction) {
        return Err(DecimalError::Malformed);
    }
    if whole.len() + fraction.len() <= MAX_DIGITS {
        return exact(text);
    }
    let zeros = fraction.len() - fraction.trim_end_matches('0').len();
    if whole.len() + fraction.len() - zeros > MAX_DIGITS {
        return Err(DecimalError::TooLong);
    }
    let shortened = text[..text.len() - zeros].trim_end_matches('.');
    exact(shortened)
}

/// A number of at most [`MAX_DIGITS`] digits, which any [`Decimal`] can hold.
fn exact(text: &str) -> Result<Decimal, DecimalError> {
    Decimal::from_str_exact(text).map_err(|_out_of_range| DecimalError::TooLong)
}

/// Formats a number as a decimal string without trailing zeros. [`parse`] returns the same number.
#[must_use]
pub fn print(number: Decimal) -> String {
    let number = number.normalize();
    if number.is_zero() {
        "0".to_owned()
    } else {
        number.to_string()
    }
}

/// `left × right ÷ divisor`, rounded once, half away from zero, to `fraction` digits. Computed in integers, without
/// a loss before the rounding.
///
/// `None` if the divisor is zero or the result does not fit.
#[must_use]
pub fn multiply_divide(
    left: Decimal,
    right: Decimal,
    divisor: Decimal,
    fraction: u32,
) -> Option<Decimal> {
    let (left, right, divisor) = (left.normalize(), right.normalize(), divisor.normalize());
    let scale = i64::from(fraction) + i64::from(divisor.scale())
        - i64::from(left.scale())
        - i64::from(right.scale());
    let power = 10_i128.checked_pow(u32::try_from(scale.abs()).ok()?)?;
    let mut numerator = left.mantissa().checked_mul(right.mantissa())?;
    let mut denominator = divisor.mantissa();
    if scale >= 0 {
        numerator = numerator.checked_mul(power)?;
    } else {
        denominator = denominator.checked_mul(power)?;
    }
    let rounded = divide_half_away_from_zero(numerator, denominator)?;
    Decimal::try_from_i128_with_scale(rounded, fraction).ok()
}

/// The number multiplied by 10^`fraction`: 1.5 with four digits is 15,000. `None` if it has more digits after the point, or does not
/// fit.
#[must_use]
pub fn scaled(number: Decimal, fraction: u32) -> Option<i64> {
    if number.normalize().scale() > fraction {
        return None;
    }
    let scaled = multiply_divide(number, Decimal::ONE, Decimal::ONE, fraction)?;
    i64::try_from(scaled.mantissa()).ok()
}

/// The unrounded value of `left × right ÷ divisor`: its digits, with at most `most` fraction digits, and whether it is exact.
///
/// `None` if the divisor is zero or the value does not fit.
#[must_use]
pub fn expand(
    left: Decimal,
    right: Decimal,
    divisor: Decimal,
    most: usize,
) -> Option<(String, bool)> {
    let (left, right, divisor) = (left.normalize(), right.normalize(), divisor.normalize());
    let mut numerator = left.mantissa().checked_mul(right.mantissa())?;
    let mut denominator = divisor.mantissa();
    let scale = i64::from(divisor.scale()) - i64::from(left.scale()) - i64::from(right.scale());
    let power = 10_i128.checked_pow(u32::try_from(scale.abs()).ok()?)?;
    if scale >= 0 {
        numerator = numerator.checked_mul(power)?;
    } else {
        denominator = denominator.checked_mul(power)?;
    }
    let negative = (numerator < 0) != (denominator < 0) && numerator != 0;
    let (numerator, denominator) = (numerator.unsigned_abs(), denominator.unsigned_abs());
    let whole = numerator.checked_div(denominator)?;
    let mut rest = numerator.checked_rem(denominator)?;
    let mut digits = format!("{}{whole}", if negative { "-" } else { "" });
    for at in 0..most {
        if rest == 0 {
            break;
        }
        if at == 0 {
            digits.push('.');
        }
        rest = rest.checked_mul(10)?;
        digits.push_str(&(rest / denominator).to_string());
        rest %= denominator;
    }
    Some((digits, rest == 0))
}

fn divide_half_away_from_zero(numerator: i128, denominator: i128) -> Option<i128> {
    let quotient = numerator.checked_div(denominator)?;
    let remainder = numerator.checked_rem(denominator)?;
    // |remainder| ≥ |denominator| / 2, in a form that cannot overflow.
    let up = remainder != 0
        && remainder.unsigned_abs() >= denominator.unsigned_abs() - remainder.unsigned_abs();
    let away = if (numerator < 0) == (denominator < 0) {
        1
    } else {
        -1
    };
    if up {
        quotient.checked_add(away)
    } else {
        Some(quotient)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn decimal(text: &str) -> Decimal {
        parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    #[test]
    fn parse_accepts_the_strict_decimal_notation_only() {
        for text in [
            "", "-", ".", "1.", ".5", "+1", "1e3", "01", "1,5", " 1", "1 ", "١", "1_000", "NaN",
            "--1", "1.2.3", "0x1",
        ] {
            assert_eq!(parse(text), Err(DecimalError::Malformed), "{text:?}");
        }
        assert_eq!(parse("1234567890123456789"), Err(DecimalError::TooLong));
        assert_eq!(
            parse("0.1234567890123456789"),
            Err(DecimalError::TooLong),
            "the 19 digits of the fraction are significant"
        );
        assert_eq!(print(decimal("-0.50")), "-0.5");
        assert_eq!(print(decimal("-0.0")), "0");
    }

    #[test]
    fn zeros_at_the_end_of_the_fraction_do_not_count_as_digits() {
        for (text, number) in [
            ("10.000000000000000000", "10"),
            ("-0.500000000000000000000000000000000000000000", "-0.5"),
            (
                "123456789012345678.0000000000000000000",
                "123456789012345678",
            ),
        ] {
            assert_eq!(print(decimal(text)), number, "{text}");
        }
    }

    #[test]
    fn halves_are_rounded_away_from_zero() {
        let one = Decimal::ONE;
        for (value, rounded) in [
            ("0.005", "0.01"),
            ("-0.005", "-0.01"),
            ("0.0049", "0"),
            ("1.015", "1.02"),
            ("-1.015", "-1.02"),
        ] {
            assert_eq!(
                multiply_divide(decimal(value), one, one, 2),
                Some(decimal(rounded)),
                "{value}"
            );
        }
    }

    #[test]
    fn product_is_rounded_once() {
        // 0.0049999999999999999 would become 0.005 if it lost a digit on the way, and then 0.01.
        let nearly = decimal("0.4999999999999999");
        assert_eq!(
            multiply_divide(nearly, decimal("0.01"), Decimal::ONE, 2),
            Some(decimal("0"))
        );
    }

    #[test]
    fn overflow_is_none() {
        let huge = decimal("999999999999999999");
        assert_eq!(multiply_divide(huge, huge, Decimal::ONE, 2), None);
        assert_eq!(multiply_divide(huge, huge, Decimal::new(3, 17), 2), None);
        assert_eq!(multiply_divide(huge, Decimal::ONE, Decimal::ZERO, 2), None);
    }

    #[test]
    fn scaled_returns_the_number_in_units_of_the_last_digit() {
        assert_eq!(scaled(decimal("1.5"), 4), Some(15_000));
        assert_eq!(scaled(decimal("-0.00005"), 4), None);
        assert_eq!(scaled(decimal("1.50000"), 4), Some(15_000));
        assert_eq!(scaled(decimal("999999999999999999"), 4), None);
    }

    #[test]
    fn expand_returns_digits_and_whether_they_are_exact() {
        let expand = |left: &str, right: &str, divisor: &str| {
            expand(decimal(left), decimal(right), decimal(divisor), 6)
        };
        assert_eq!(
            expand("1091.50", "15", "100"),
            Some(("163.725".into(), true))
        );
        assert_eq!(expand("7", "10", "3"), Some(("23.333333".into(), false)));
        assert_eq!(expand("-0.5", "0.01", "1"), Some(("-0.005".into(), true)));
        assert_eq!(expand("0", "-5", "3"), Some(("0".into(), true)));
        assert_eq!(expand("1", "1", "0"), None);
    }

    proptest! {
        #[test]
        fn printed_number_parses_to_the_same_number(mantissa in -999_999_999_999_999_999_i64..=999_999_999_999_999_999, scale in 0_u32..=17) {
            let number = Decimal::new(mantissa, scale);
            prop_assert_eq!(parse(&print(number)), Ok(number));
        }

        #[test]
        fn parsing_arbitrary_text_never_panics(text in any::<String>()) {
            let _ = parse(&text);
        }
    }
}
