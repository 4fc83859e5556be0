//! The words that a search compares, of records and of queries.

use invoicing_contract::fold;
pub(super) use invoicing_contract::fold::words;
use invoicing_contract::messages::documents::LocalizedText;
use invoicing_storage::master_data::MAX_SEARCH_TEXT;

/// The text of a record: the words of `texts` in their order, each once, each with a space before it.
pub(super) fn search_text<'a>(texts: impl Iterator<Item = &'a str>) -> String {
    let mut found = String::new();
    let mut seen = std::collections::BTreeSet::new();
    for word in texts.flat_map(words) {
        if found.len() + word.len() >= MAX_SEARCH_TEXT {
            break;
        }
        if !seen.contains(&word) {
            found.push(' ');
            found.push_str(&word);
            seen.insert(word);
        }
    }
    found
}

/// The words that records of the same name are searched by: of its English text, or of its Arabic one without that.
pub(super) fn words_of_name(name: &LocalizedText) -> Vec<String> {
    words(if name.en.is_empty() {
        &name.ar
    } else {
        &name.en
    })
}

/// An identifier as records are compared by it. `None` if it has no letters and digits, or more than an index holds.
pub(super) fn folded_identifier(text: &str) -> Option<String> {
    fold::folded_identifier(text).filter(|folded| folded.len() <= MAX_SEARCH_TEXT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_folded_and_lose_the_arabic_article() {
        assert_eq!(
            words("Al-Khair  TRADING (Co.)"),
            ["al", "khair", "trading", "co"]
        );
        assert_eq!(words("شركة الخير"), ["شركه", "خير"]);
        assert_eq!(words("الخ"), ["الخ"], "one letter would stay");
        assert_eq!(
            words("info@palm.example ٣١٠"),
            ["info", "palm", "example", "310"]
        );
        assert!(words(" %_' ").is_empty());
    }

    #[test]
    fn text_of_a_record_has_each_word_once_and_is_bounded() {
        assert_eq!(search_text(["Palm palm", "Co"].into_iter()), " palm co");
        let long = "ش".repeat(400);
        let texts: Vec<_> = (0..10).map(|number| format!("{long}{number}")).collect();
        let text = search_text(texts.iter().map(String::as_str));
        assert!(text.len() <= MAX_SEARCH_TEXT, "{}", text.len());
    }

    #[test]
    fn identifiers_compare_without_spaces_and_signs() {
        assert_eq!(
            folded_identifier("SA-310 122"),
            folded_identifier("sa310122")
        );
        assert_eq!(folded_identifier(" - "), None);
    }
}
