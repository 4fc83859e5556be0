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

/// How many organizations of a person have each edge pattern. The patterns of the first eight are different.
#[derive(Debug, Default)]
pub(crate) struct Patterns([u32; 8]);

impl Patterns {
    /// The number of the edge pattern of an organization, 0 to 7: the one that its id suggests, or the next one that fewer have.
    /// The organizations come in the order of their ids, so that every computer gives them the same patterns.
    pub(crate) fn assign(&mut self, id: &str) -> u8 {
        let suggested = digest(id)[1] % 8;
        let fewest = self.0.iter().min().copied().unwrap_or_default();
        let assigned = (0..8)
            .map(|step| (suggested + step) % 8)
            .find(|pattern| self.0[usize::from(*pattern)] == fewest)
            .unwrap_or(suggested);
        self.0[usize::from(assigned)] += 1;
        assigned
    }
}

/// The initials of the first two words of a name, or of its only word. The Arabic article is skipped. Of a domain, which is
/// shown while a name is not known, the first two letters: its last part says nothing.
pub(crate) fn badge(name: &str) -> String {
    if let Some((first, _)) = name.split_once('.').filter(|_| !name.contains(' ')) {
        let letters = first.chars().filter(|letter| letter.is_alphanumeric());
        let letters: String = letters.take(2).flat_map(char::to_uppercase).collect();
        if !letters.is_empty() {
            return letters;
        }
    }
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
    fn eight_organizations_have_eight_patterns_and_a_ninth_repeats_one() {
        let mut patterns = Patterns::default();
        let ids: Vec<_> = (0..9).map(|number| format!("27489300{number}")).collect();
        let assigned: Vec<_> = ids.iter().map(|id| patterns.assign(id)).collect();
        let mut first: Vec<_> = assigned[..8].to_vec();
        first.sort_unstable();
        assert_eq!(first, [0, 1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(assigned[0], digest(&ids[0])[1] % 8, "as its id suggests");
    }

    #[test]
    fn badge_has_one_or_two_letters_in_either_language() {
        for (name, expected) in [
            ("Al-Khair Trading", "AK"),
            ("acme", "A"),
            ("شركة الخير", "شخ"),
            ("  ", "?"),
            ("x.example", "X"),
            ("gulfpearl.example", "GU"),
            ("St. Mary Clinic", "SM"),
            ("ال", "ا"),
        ] {
            assert_eq!(badge(name), expected, "{name}");
        }
    }
}
