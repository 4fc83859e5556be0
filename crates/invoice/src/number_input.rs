//! Parses numbers as users type and paste them into decimal strings. An ambiguous number is an error.

use thiserror::Error;

use crate::decimal;

/// Why a number of a user cannot be parsed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NumberInputError {
    /// The text is not a number.
    #[error("is not a number")]
    Malformed,
    /// One separator before three digits is either a thousands separator or a decimal separator.
    #[error("can be read as {thousands} or as {fraction}")]
    Ambiguous {
        /// The reading as thousands, as `1234`.
        thousands: String,
        /// The reading as a fraction, as `1.2340`.
        fraction: String,
    },
}

/// Normalizes a number of a user to a decimal string: `"١٬٠٩١٫٥٠"` to `"1091.50"`. Empty text stays empty.
///
/// Digits may be Latin, Arabic-Indic (٠-٩) or extended Arabic-Indic (۰-۹). `٫` is a decimal separator and `٬` a grouping separator; a
/// point or a comma is either, depending on the rest of the number. `minor_units` is that of the currency for an amount and 0 for
/// other numbers: in a currency with three decimals, three digits after one point are a fraction.
///
/// # Errors
/// [`NumberInputError`]
pub fn normalize(text: &str, minor_units: u32) -> Result<String, NumberInputError> {
    let (negative, symbols) = to_latin_symbols(text)?;
    if symbols.is_empty() {
        return if negative {
            Err(NumberInputError::Malformed)
        } else {
            Ok(String::new())
        };
    }
    let sign = if negative { "-" } else { "" };
    let (whole, fraction) = split(sign, &symbols, minor_units)?;
    let whole = whole.trim_start_matches('0');
    let whole = if whole.is_empty() { "0" } else { whole };
    let point = if fraction.is_empty() { "" } else { "." };
    let wire = format!("{sign}{whole}{point}{fraction}");
    match decimal::parse(&wire) {
        // The rules report too many digits at the field.
        Ok(_) | Err(decimal::DecimalError::TooLong) => Ok(wire),
        Err(decimal::DecimalError::Malformed) => Err(NumberInputError::Malformed),
    }
}

/// Whether the number is negative, and its symbols: Latin digits, `.`, `,`, `٫` and `٬` unchanged, and any space as U+0020.
fn to_latin_symbols(text: &str) -> Result<(bool, Vec<char>), NumberInputError> {
    let mut negative = false;
    let mut symbols = Vec::with_capacity(text.len());
    for letter in text.trim().chars() {
        let latin = match letter {
            '0'..='9' | '.' | ',' | '٫' | '٬' => letter,
            '٠'..='٩' => to_latin_digit(letter, '٠'),
            '۰'..='۹' => to_latin_digit(letter, '۰'),
            '،' => ',',
            ' ' | '\u{a0}' | '\u{2009}' | '\u{202f}' => ' ',
            // Pasted text contains bidirectional control characters.
            '\u{200e}'
            | '\u{200f}'
            | '\u{61c}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}' => continue,
            '-' | '\u{2212}' if symbols.is_empty() && !negative => {
                negative = true;
                continue;
            }
            _ => return Err(NumberInputError::Malformed),
        };
        symbols.push(latin);
    }
    Ok((negative, symbols))
}

fn to_latin_digit(letter: char, zero: char) -> char {
    // The caller passes one of the ten digits from `zero` on.
    char::from_digit(letter as u32 - zero as u32, 10).unwrap_or('0')
}

/// Splits into integer digits and fraction digits, without the sign, which only the readings of an ambiguous number have.
fn split(
    sign: &str,
    symbols: &[char],
    minor_units: u32,
) -> Result<(String, String), NumberInputError> {
    let separators: Vec<(usize, char)> = symbols
        .iter()
        .copied()
        .enumerate()
        .filter(|(_, letter)| !letter.is_ascii_digit())
        .collect();
    let Some(&(last_at, last)) = separators.last() else {
        return Ok((symbols.iter().collect(), String::new()));
    };
    let (before, after) = (&symbols[..last_at], &symbols[last_at + 1..]);
    let repeated = separators
        .iter()
        .filter(|(_, separator)| *separator == last)
        .count()
        > 1;
    let alone = separators.len() == 1;
    let could_group =
        after.len() == 3 && (1..=3).contains(&before.len()) && before.first() != Some(&'0');
    let decimal = match last {
        '٫' => true,
        '٬' | ' ' => false,
        _ if repeated => false,
        _ if alone && could_group && last == '.' && minor_units == 3 => true,
        _ if alone && could_group => return Err(ambiguous(sign, before, after)),
        _ => true,
    };
    if !decimal {
        return Ok((remove_grouping(symbols)?, String::new()));
    }
    // `5.` is valid, `.` is not.
    if before.is_empty() && after.is_empty() {
        return Err(NumberInputError::Malformed);
    }
    Ok((remove_grouping(before)?, after.iter().collect()))
}

/// Removes the grouping separators of digits in groups of three. Ungrouped digits stay as they are.
fn remove_grouping(symbols: &[char]) -> Result<String, NumberInputError> {
    let Some(separator) = symbols
        .iter()
        .copied()
        .find(|letter| !letter.is_ascii_digit())
    else {
        return Ok(symbols.iter().collect());
    };
    if separator == '٫' {
        return Err(NumberInputError::Malformed);
    }
    let mut groups = symbols.split(|letter| *letter == separator);
    let first = groups.next().map_or(0, <[char]>::len);
    let whole = symbols
        .iter()
        .all(|letter| letter.is_ascii_digit() || *letter == separator);
    if !whole || !(1..=3).contains(&first) || !groups.all(|group| group.len() == 3) {
        return Err(NumberInputError::Malformed);
    }
    Ok(symbols
        .iter()
        .filter(|letter| letter.is_ascii_digit())
        .collect())
}

fn ambiguous(sign: &str, before: &[char], after: &[char]) -> NumberInputError {
    let (before, after): (String, String) = (before.iter().collect(), after.iter().collect());
    NumberInputError::Ambiguous {
        thousands: format!("{sign}{before}{after}"),
        fraction: format!("{sign}{before}.{after}0"),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rust_decimal::Decimal;

    use super::*;

    fn read(text: &str) -> Result<String, NumberInputError> {
        normalize(text, 2)
    }

    #[test]
    fn arabic_digits_and_separators_are_numbers() {
        for (input, wire) in [
            ("١٬٠٩١٫٥٠", "1091.50"),
            ("۱۲۳", "123"),
            ("١٫٢٣٤", "1.234"),
            ("١٬٢٣٤", "1234"),
            ("\u{61c}-١٢٫٥", "-12.5"),
            ("\u{2212}7", "-7"),
            ("\u{200f}١٥\u{200f}", "15"),
        ] {
            assert_eq!(read(input), Ok(wire.to_owned()), "{input:?}");
        }
    }

    #[test]
    fn unambiguous_grouping_is_removed() {
        for (input, wire) in [
            ("1,234,567", "1234567"),
            ("1.234.567,8", "1234567.8"),
            ("1,234.50", "1234.50"),
            ("1 234,50", "1234.50"),
            ("1\u{202f}234", "1234"),
            ("0.500", "0.500"),
            ("1234.567", "1234.567"),
            ("1,5", "1.5"),
            ("007", "7"),
            ("5.", "5"),
            (".5", "0.5"),
            ("", ""),
            ("   ", ""),
        ] {
            assert_eq!(read(input), Ok(wire.to_owned()), "{input:?}");
        }
    }

    #[test]
    fn one_separator_before_three_digits_is_ambiguous() {
        let ambiguous = NumberInputError::Ambiguous {
            thousands: "1234".into(),
            fraction: "1.2340".into(),
        };
        for input in ["1.234", "1,234", "١.٢٣٤", "١،٢٣٤"] {
            assert_eq!(read(input), Err(ambiguous.clone()), "{input:?}");
        }
        let negative = NumberInputError::Ambiguous {
            thousands: "-1234".into(),
            fraction: "-1.2340".into(),
        };
        for input in ["-1.234", "\u{2212}1,234"] {
            assert_eq!(read(input), Err(negative.clone()), "{input:?}");
        }
        assert_eq!(
            read("1.2340"),
            Ok("1.2340".into()),
            "four decimals are unambiguous"
        );
        assert_eq!(read("1234"), Ok("1234".into()));
    }

    #[test]
    fn three_decimals_are_unambiguous_in_a_three_decimal_currency() {
        assert_eq!(normalize("1.234", 3), Ok("1.234".into()));
        assert!(normalize("1,234", 3).is_err(), "a comma stays one");
    }

    #[test]
    fn malformed_numbers_are_rejected() {
        for input in [
            "abc",
            "1e5",
            "1-2",
            "--1",
            "-",
            ".",
            "1,23,456",
            "1.234,567.8",
            "12 34",
            "١٫٢٫٣",
            "1,,234",
            ",123,456",
            "$5",
            "5%",
        ] {
            assert_eq!(read(input), Err(NumberInputError::Malformed), "{input:?}");
        }
    }

    proptest! {
        #[test]
        fn parsing_arbitrary_text_never_panics(text in any::<String>(), minor_units in 0_u32..5) {
            let _ = normalize(&text, minor_units);
        }

        #[test]
        fn separators_and_digits_in_any_order_normalize_or_fail(text in "[-0-9٠-٩.,٫٬ ]{0,12}") {
            if let Ok(wire) = read(&text) {
                prop_assert!(wire.is_empty() || decimal::parse(&wire).is_ok(), "{text:?} gave {wire:?}");
            }
        }

        #[test]
        fn normalize_keeps_a_decimal_string_and_its_sign_in_both_readings(mantissa in any::<i32>(), scale in 0_u32..9) {
            let wire = decimal::print(Decimal::new(i64::from(mantissa), scale));
            match read(&wire) {
                Ok(read) => prop_assert_eq!(read, wire),
                Err(NumberInputError::Ambiguous { thousands, fraction }) => {
                    prop_assert_eq!(thousands, wire.replace('.', ""));
                    prop_assert_eq!(read(&fraction), Ok(format!("{wire}0")));
                }
                Err(NumberInputError::Malformed) => panic!("{wire} is a number"),
            }
        }
    }
}
