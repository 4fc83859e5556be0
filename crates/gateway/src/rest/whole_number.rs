//! Whole numbers in the forms that the proto3 JSON mapping has for them.

/// Digits of the largest number of 32 bits.
const MAX_DIGITS: usize = 10;

/// A whole number in any form that JSON has for it: the proto3 JSON mapping takes `1.0` and `1e2`, too. It is exact, whatever digits
/// there are.
pub(super) fn parse_int32(text: &str) -> Option<i32> {
    if let Ok(number) = text.parse() {
        return Some(number);
    }
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i64>().ok()?),
        None => (text, 0),
    };
    let (sign, mantissa) = match mantissa.strip_prefix('-') {
        Some(mantissa) => ("-", mantissa),
        None => ("", mantissa),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((_, "")) => return None,
        Some(parts) => parts,
        None => (mantissa, ""),
    };
    let digits = [whole, fraction].concat();
    if whole.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    let significant = digits.trim_end_matches('0');
    // The places that the point has to go to the right of the significant digits.
    let after_point = i64::try_from(fraction.len()).ok()?;
    let trailing_zeros = i64::try_from(digits.len() - significant.len()).ok()?;
    let places = exponent
        .checked_sub(after_point)?
        .checked_add(trailing_zeros)?;
    let significant = significant.trim_start_matches('0');
    if significant.is_empty() {
        return Some(0);
    }
    let zeros = usize::try_from(places)
        .ok()
        .filter(|zeros| *zeros <= MAX_DIGITS)?;
    format!("{sign}{significant}{}", "0".repeat(zeros))
        .parse()
        .ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_number_has_every_form_of_the_json_mapping_and_is_exact() {
        for (text, number) in [
            ("0", 0),
            ("-0.0", 0),
            ("0e999", 0),
            ("1.0", 1),
            ("1e2", 100),
            ("1E+2", 100),
            ("-12.50e1", -125),
            ("100e-2", 1),
            ("0.001e3", 1),
            ("2147483647.000", i32::MAX),
            ("-2147483648.0", i32::MIN),
            ("2.147483647e9", i32::MAX),
        ] {
            assert_eq!(parse_int32(text), Some(number), "{text}");
        }
        for text in [
            "",
            "-",
            ".",
            "1.",
            ".5",
            "1.5",
            "1e-1",
            "1e",
            "e2",
            "1e2.0",
            "1e400",
            "1e99999999999999999999",
            "2147483648.0",
            "2147483647.0000000000000000001",
            "٢.0",
            "1.+0",
            "--1.0",
            "NaN",
        ] {
            assert_eq!(parse_int32(text), None, "{text}");
        }
    }
}
