//! Badge, colour and pattern of an organization. Colour and pattern are the same on every computer. The pattern and the badge distinguish
//! organizations without colour (WCAG 2.2, 1.4.1).

use std::collections::BTreeSet;

use sha2::{Digest as _, Sha256};

/// Eight hues of about the same lightness. Each has a contrast of more than 3:1 with the light and the dark window, and of
/// more than 4.5:1 with white text (WCAG 2.2, 1.4.3 and 1.4.11).
const COLORS: [&str; 8] = [
    "#a55d3e", "#876e33", "#65772d", "#307f51", "#307c7f", "#4174ad", "#8654dd", "#ba468a",
];

/// The number of edge patterns.
const PATTERNS: usize = 8;

/// How many organizations of a person have each edge pattern in each colour.
#[derive(Debug, Default)]
pub(crate) struct Appearances([[u32; COLORS.len()]; PATTERNS]);

impl Appearances {
    /// The colour that the id suggests, as long as one of its pairs is free, with the pattern that the fewest have: an organization
    /// that is added changes few others. The patterns of the first eight are different, and so are the pairs of the first 64. The
    /// organizations come in the order of their ids, so that every computer gives them the same pairs.
    pub(crate) fn assign(&mut self, id: &str) -> (&'static str, u8) {
        let [suggested_color, suggested_pattern, ..] = digest(id).map(usize::from);
        let pairs = (0..COLORS.len()).flat_map(|step| {
            let color = (suggested_color + step) % COLORS.len();
            (0..PATTERNS).map(move |next| (step, color, (suggested_pattern + next) % PATTERNS))
        });
        let (_, color, pattern) = pairs
            .min_by_key(|&(step, color, pattern)| {
                let with_pattern = &self.0[pattern];
                (with_pattern[color], step, with_pattern.iter().sum::<u32>())
            })
            .unwrap_or_default();
        self.0[pattern][color] += 1;
        (COLORS[color], u8::try_from(pattern).unwrap_or_default())
    }
}

/// Words that many names have: articles and legal forms. The Arabic ones are without their article.
const COMMON_WORDS: [&str; 24] = [
    "al",
    "el",
    "the",
    "company",
    "co",
    "corporation",
    "corp",
    "establishment",
    "est",
    "group",
    "inc",
    "incorporated",
    "limited",
    "llc",
    "ltd",
    "plc",
    "wll",
    "شركة",
    "شركه",
    "مؤسسة",
    "مؤسسه",
    "مجموعة",
    "مجموعه",
    "ال",
];

/// The badges of the organizations of a person.
#[derive(Debug, Default)]
pub(crate) struct Badges(BTreeSet<String>);

impl Badges {
    /// The badge of a name: the initials of its first two words, or the first two letters of its only word. Words that many names
    /// have are skipped. If another name has that badge, the second letter is the next one of the name that makes it different, as
    /// long as there is one. The organizations come in the order of their ids: computers with the same names and aliases give them the
    /// same badges.
    pub(crate) fn assign(&mut self, name: &str) -> String {
        let mut candidates = candidates(name);
        let free = candidates.iter().position(|badge| !self.0.contains(badge));
        let badge = candidates.swap_remove(free.unwrap_or_default());
        self.0.insert(badge.clone());
        badge
    }
}

/// The badges that a name can have, the best one first. There is at least one.
fn candidates(name: &str) -> Vec<String> {
    let words: Vec<_> = telling_words(name).into_iter().map(letters).collect();
    let Some((first, others)) = words.split_first() else {
        return vec!["?".to_owned()];
    };
    let initial = first.iter().take(1).cloned().collect::<String>();
    let initials = others.iter().filter_map(|word| word.first());
    let further = others
        .iter()
        .chain([first])
        .flat_map(|word| word.iter().skip(1));
    let mut candidates: Vec<_> = initials
        .chain(further)
        .map(|second| format!("{initial}{second}"))
        .collect();
    if candidates.is_empty() {
        candidates.push(initial);
    }
    candidates
}

/// The words of a name that tell it from others, or all of them if none does. Of a domain, which is shown while a name is not
/// known, those before the first dot: its other parts say nothing.
fn telling_words(name: &str) -> Vec<&str> {
    let has_letters = |text: &&str| text.contains(char::is_alphanumeric);
    let label = name.split_once('.').map(|(label, _)| label);
    let label = label.filter(|label| has_letters(label) && !name.contains(' '));
    let words = label
        .unwrap_or(name)
        .split([' ', '-', '.', '_', '\u{a0}'])
        .filter(has_letters);
    let all: Vec<_> = words.map(without_article).collect();
    let telling = all.iter().filter(|word| !is_common(word));
    let telling: Vec<_> = telling.copied().collect();
    if telling.is_empty() { all } else { telling }
}

fn is_common(word: &str) -> bool {
    COMMON_WORDS.contains(&word.to_lowercase().as_str())
}

/// A word without the Arabic article, also as it is after a preposition.
fn without_article(word: &str) -> &str {
    ["ال", "لل"]
        .into_iter()
        .find_map(|article| word.strip_prefix(article))
        .filter(|rest| rest.chars().count() > 1)
        .unwrap_or(word)
}

/// The letters and digits of a word, in upper case.
fn letters(word: &str) -> Vec<String> {
    word.chars()
        .filter(|letter| letter.is_alphanumeric())
        .map(|letter| letter.to_uppercase().to_string())
        .collect()
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

    /// What this many organizations get.
    fn assigned(count: u64) -> Vec<(&'static str, u8)> {
        let mut appearances = Appearances::default();
        let ids = (0..count).map(|number| (274_893_000_000_000_000 + number * 7_919).to_string());
        ids.map(|id| appearances.assign(&id)).collect()
    }

    #[test]
    fn eight_organizations_have_eight_patterns_and_a_ninth_repeats_one() {
        let mut patterns: Vec<_> = assigned(9)[..8]
            .iter()
            .map(|(_, pattern)| *pattern)
            .collect();
        patterns.sort_unstable();
        assert_eq!(patterns, [0, 1, 2, 3, 4, 5, 6, 7]);
        let [color, pattern, ..] = digest("274893000000000000");
        let suggested = (COLORS[usize::from(color % 8)], pattern % 8);
        assert_eq!(assigned(1), [suggested], "as its id suggests");
    }

    #[test]
    fn no_two_of_forty_organizations_share_colour_and_pattern() {
        let assigned = assigned(40);
        let different: BTreeSet<_> = assigned.iter().collect();
        assert_eq!(different.len(), 40, "{assigned:?}");
    }

    #[test]
    fn sixty_fifth_organization_repeats_a_pair() {
        let assigned = assigned(65);
        let different: BTreeSet<_> = assigned.iter().collect();
        assert_eq!(different.len(), 64);
    }

    #[test]
    fn organization_that_comes_later_changes_nothing_for_those_before_it() {
        assert_eq!(assigned(40), assigned(41)[..40]);
    }

    #[test]
    fn badge_has_two_letters_of_the_words_that_tell_the_name_in_either_language() {
        for (name, expected) in [
            ("Al-Khair Trading", "KT"),
            ("Al Khair Trading Company", "KT"),
            ("The Palm Co.", "PA"),
            ("acme", "AC"),
            ("شركة الخير للتجارة", "خت"),
            ("مؤسسة النور", "نو"),
            ("المؤسسة العربية للنقل", "عن"),
            ("Company", "CO"),
            ("Al", "AL"),
            ("  ", "?"),
            ("x.example", "X"),
            ("gulfpearl.example", "GU"),
            ("al-khair.example", "KH"),
            ("St. Mary Clinic", "SM"),
            ("ال", "ال"),
        ] {
            assert_eq!(Badges::default().assign(name), expected, "{name}");
        }
    }

    #[test]
    fn later_of_two_equal_badges_has_another_letter_of_its_name() {
        let mut badges = Badges::default();
        for (name, expected) in [
            ("Khair Trading", "KT"),
            ("Karam Transport", "KR"),
            ("Kayan Trading Jeddah", "KJ"),
            ("شركة الخير للتجارة", "خت"),
            ("مؤسسة الخليج للتقنية", "خق"),
            ("X", "X"),
            ("X", "X"),
        ] {
            assert_eq!(badges.assign(name), expected, "{name}");
        }
    }
}
