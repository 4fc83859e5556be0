//! Badge, colour and pattern of an organization: the same on every computer. The pattern and the badge distinguish
//! organizations without colour (WCAG 2.2, 1.4.1).

use sha2::{Digest as _, Sha256};

/// Eight hues of about the same lightness. Each has a contrast of more than 3:1 with the light and the dark window, and of
/// more than 4.5:1 with white text (WCAG 2.2, 1.4.3 and 1.4.11).
const COLORS: [&str; 8] = [
    "#a55d3e", "#876e33", "#65772d", "#307f51", "#307c7f", "#4174ad", "#8654dd", "#ba468a",
];

/// The colour of an organization.
pub(crate) fn color(id: &str) -> &'static str {
    COLORS[usize::from(digest(id)[0] % 8)]
}

/// The number of the edge pattern of an organization, 0 to 7.
pub(crate) fn pattern(id: &str) -> u8 {
    digest(id)[1] % 8
}

/// The initials of the first two words of a name, or of its only word. The Arabic article is skipped.
pub(crate) fn badge(name: &str) -> String {
    let initial = |word: &str| {
        let bare = word
            .strip_prefix("ال")
            .filter(|rest| rest.chars().count() > 1)
            .unwrap_or(word);
        bare.chars()
            .find(|letter| letter.is_alphanumeric())
            .map(|letter| letter.to_uppercase().to_string())
    };
    let letters: Vec<_> = name
        .split([' ', '-', '.', '_', '\u{a0}'])
        .filter_map(initial)
        .take(2)
        .collect();
    if letters.is_empty() {
        "?".to_owned()
    } else {
        letters.concat()
    }
}

fn digest(id: &str) -> [u8; 32] {
    Sha256::digest(id.as_bytes()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[expect(
        clippy::float_arithmetic,
        reason = "contrast after WCAG, nothing to do with money"
    )]
    fn luminance(color: &str) -> f64 {
        let channel = |at: usize| {
            let value =
                f64::from(u8::from_str_radix(&color[at..at + 2], 16).expect("two hex digits"))
                    / 255.0;
            if value <= 0.040_45 {
                value / 12.92
            } else {
                ((value + 0.055) / 1.055).powf(2.4)
            }
        };
        0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
    }

    #[test]
    fn every_colour_has_the_contrast_that_wcag_requires() {
        for color in COLORS {
            let luminance = luminance(color);
            assert!(
                1.05 / (luminance + 0.05) > 4.5,
                "{color} is too light for white letters"
            );
            assert!(
                (luminance + 0.05) / (self::luminance("#1b1e22") + 0.05) > 3.0,
                "{color} is too dark for the night"
            );
        }
    }

    #[test]
    fn badge_has_one_or_two_letters_in_either_language() {
        for (name, expected) in [
            ("Al-Khair Trading", "AK"),
            ("acme", "A"),
            ("شركة الخير", "شخ"),
            ("  ", "?"),
            ("x.example", "XE"),
            ("ال", "ا"),
        ] {
            assert_eq!(badge(name), expected, "{name}");
        }
    }
}
