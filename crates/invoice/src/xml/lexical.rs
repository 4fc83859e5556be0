//! Lexical forms of XML: characters, entities, numbers and dates.

/// Whether XML 1.0 allows the character (section 2.2). A text with another one cannot be written to a file.
#[must_use]
pub const fn is_xml(character: char) -> bool {
    matches!(character, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..)
}

/// The character of a predefined entity (XML 1.0, section 4.6).
pub(super) fn predefined(name: &str) -> Option<char> {
    Some(match name {
        "lt" => '<',
        "gt" => '>',
        "amp" => '&',
        "quot" => '"',
        "apos" => '\'',
        _ => return None,
    })
}

/// Normalizes an `xs:decimal` such as `+1`, `007`, `.5`, `5.`. `None` if it is normalized already or no decimal.
pub(super) fn wire_decimal(text: &str) -> Option<String> {
    let (sign, digits) = match text.as_bytes().first()? {
        b'+' => ("", &text[1..]),
        b'-' => ("-", &text[1..]),
        _ => ("", text),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let all_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if (whole.is_empty() && fraction.is_empty()) || !all_digits(whole) || !all_digits(fraction) {
        return None;
    }
    let usual = !whole.is_empty() && (whole == "0" || !whole.starts_with('0'));
    if usual && !text.starts_with('+') && !text.ends_with('.') {
        return None;
    }
    let whole = whole.trim_start_matches('0');
    let whole = if whole.is_empty() { "0" } else { whole };
    let point = if fraction.is_empty() { "" } else { "." };
    Some(format!("{sign}{whole}{point}{fraction}"))
}

/// Converts `20261121` to `2026-11-21`. `None` if it is not eight digits.
pub(super) fn wire_date(text: &str) -> Option<String> {
    let digits = text.len() == 8 && text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| format!("{}-{}-{}", &text[..4], &text[4..6], &text[6..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn xml_decimal_is_normalized_to_a_decimal_string() {
        for (text, wire) in [
            ("+1", "1"),
            ("007.50", "7.50"),
            (".5", "0.5"),
            ("-.5", "-0.5"),
            ("5.", "5"),
            ("-00.50", "-0.50"),
        ] {
            assert_eq!(wire_decimal(text).as_deref(), Some(wire), "{text}");
        }
        for text in [
            "", ".", "-", "0", "-0.5", "10", "1e3", "1,5", "١", "1.2.3", "+-1",
        ] {
            assert_eq!(wire_decimal(text), None, "{text}");
        }
    }

    #[test]
    fn eight_digits_are_converted_to_an_iso_date() {
        assert_eq!(wire_date("20261121").as_deref(), Some("2026-11-21"));
        for text in ["", "2026-11-21", "2026112", "202611211", "２０２６11"] {
            assert_eq!(wire_date(text), None, "{text}");
        }
    }
}
