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

/// An `xs:date` such as `2026-11-21+03:00` without its time zone. Other text is unchanged.
pub(super) fn without_time_zone(text: &str) -> &str {
    let Some((day, zone)) = text.split_at_checked("2026-11-21".len()) else {
        return text;
    };
    let is_day = day.bytes().enumerate().all(|(at, byte)| match at {
        4 | 7 => byte == b'-',
        _ => byte.is_ascii_digit(),
    });
    let is_zone = match zone.as_bytes() {
        [b'Z'] => true,
        [b'+' | b'-', hour @ .., b':', tens, ones] => {
            hour.len() == 2 && hour.iter().chain([tens, ones]).all(u8::is_ascii_digit)
        }
        _ => false,
    };
    if is_day && is_zone { day } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn day_has_no_time_zone() {
        for text in [
            "2026-11-21",
            "2026-11-21Z",
            "2026-11-21+03:00",
            "2026-11-21-11:30",
        ] {
            assert_eq!(without_time_zone(text), "2026-11-21", "{text}");
        }
        for text in [
            "",
            "2026-11-21T10:00",
            "2026-11-21+3:00",
            "2026-11-21+0300",
            "2026-11-21 ",
            "21-11-2026Z",
            "٢٠٢٦-١١-٢١Z",
        ] {
            assert_eq!(without_time_zone(text), text);
        }
    }

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
