//! Prepares texts for printing: replaces characters without a glyph and makes long words breakable.

use std::collections::BTreeSet;

use super::typst_world::TypesettingResources;

/// The replacement of a character without a glyph.
const REPLACEMENT: char = '\u{fffd}';
/// The character that allows a line break.
const ZERO_WIDTH_SPACE: char = '\u{200b}';
/// The number of characters from which a word may be too long for its column.
const LONG_WORD: usize = 18;
/// The number of characters between two possible line breaks of a long word.
const BREAK_INTERVAL: usize = 6;

/// Prepares texts and collects the characters without a glyph.
pub(super) struct TextPreparer<'a> {
    resources: &'a TypesettingResources,
    missing: BTreeSet<char>,
}

impl<'a> TextPreparer<'a> {
    pub(super) fn new(resources: &'a TypesettingResources) -> Self {
        Self {
            resources,
            missing: BTreeSet::new(),
        }
    }

    /// The characters without a glyph, in order.
    pub(super) fn into_missing_characters(self) -> Vec<char> {
        self.missing.into_iter().collect()
    }

    /// Prepares a text for one line.
    pub(super) fn text(&mut self, text: &str) -> String {
        let printed: String = text
            .chars()
            .filter_map(|character| self.character(character))
            .collect();
        let printed = printed.trim();
        if printed
            .split(' ')
            .all(|word| word.chars().count() <= LONG_WORD)
        {
            return printed.to_owned();
        }
        let words: Vec<_> = printed.split(' ').map(breakable).collect();
        words.join(" ")
    }

    /// Prepares each non-empty line of a text.
    pub(super) fn rows(&mut self, text: &str) -> Vec<String> {
        text.lines()
            .map(|line| self.text(line))
            .filter(|line| !line.is_empty())
            .collect()
    }

    fn character(&mut self, character: char) -> Option<char> {
        if character.is_whitespace() || character.is_control() {
            return Some(' ');
        }
        // Bidirectional control characters in a name could reorder the amounts beside it.
        let turns = matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        if turns || (is_invisible(character) && !self.resources.shows(character)) {
            return None;
        }
        if self.resources.shows(character) {
            return Some(character);
        }
        self.missing.insert(character);
        Some(REPLACEMENT)
    }
}

/// Whether the character is invisible.
const fn is_invisible(character: char) -> bool {
    matches!(character,
        '\u{ad}' | '\u{61c}' | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}' | '\u{e0000}'..='\u{e0fff}')
}

/// Inserts possible line breaks into a long word, except into scripts with joined letters.
fn breakable(word: &str) -> String {
    if word.chars().count() <= LONG_WORD || word.chars().any(|letter| letter > '\u{2ff}') {
        return word.to_owned();
    }
    let mut broken = String::with_capacity(word.len() * 2);
    for (at, letter) in word.chars().enumerate() {
        if at > 0 && at % BREAK_INTERVAL == 0 {
            broken.push(ZERO_WIDTH_SPACE);
        }
        broken.push(letter);
    }
    broken
}

/// Formats a decimal string with thousands separators: `1,091.50`. Other text stays unchanged.
pub(super) fn grouped(number: &str) -> String {
    let (sign, digits) = match number.strip_prefix('-') {
        Some(digits) => ("\u{2212}", digits),
        None => ("", number),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let all_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !all_digits(whole) || !all_digits(fraction) {
        return number.to_owned();
    }
    let mut text = sign.to_owned();
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    if !fraction.is_empty() {
        text.push('.');
        text.push_str(fraction);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_separated() {
        for (number, printed) in [
            ("1091.50", "1,091.50"),
            ("-1234567.005", "\u{2212}1,234,567.005"),
            ("999", "999"),
            ("0.5", "0.5"),
            ("", ""),
            ("1e3", "1e3"),
        ] {
            assert_eq!(grouped(number), printed, "{number}");
        }
    }

    #[test]
    fn characters_without_a_glyph_are_replaced_and_collected() {
        let resources = TypesettingResources::new();
        let mut preparer = TextPreparer::new(&resources);
        assert_eq!(
            preparer.text("Müller & Søn · Αθήνα · Київ · شركة"),
            "Müller & Søn · Αθήνα · Київ · شركة"
        );
        assert_eq!(preparer.text("東京"), "\u{fffd}\u{fffd}");
        assert_eq!(preparer.into_missing_characters(), ['京', '東']);
    }

    #[test]
    fn bidirectional_control_characters_are_removed() {
        let resources = TypesettingResources::new();
        let mut preparer = TextPreparer::new(&resources);
        assert_eq!(preparer.text("A\u{202e}B\u{2066}C\tD\u{0}"), "ABC D");
        assert!(preparer.into_missing_characters().is_empty());
    }

    #[test]
    fn long_latin_word_gets_line_breaks_and_arabic_word_does_not() {
        let resources = TypesettingResources::new();
        let mut preparer = TextPreparer::new(&resources);
        assert!(preparer.text(&"a".repeat(60)).contains(ZERO_WIDTH_SPACE));
        assert_eq!(preparer.text(&"ب".repeat(60)), "ب".repeat(60));
        assert_eq!(preparer.text("short words only"), "short words only");
    }
}
