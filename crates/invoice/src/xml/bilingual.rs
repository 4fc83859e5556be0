//! Arabic and English in one text, as invoices of the Gulf states have them: `شركة النخيل | Palm Company`.

use crate::content::Text;

/// The separator between the two languages.
const SEPARATOR: &str = " | ";

/// Splits a text into Arabic and English, by its `languageID` or by its letters.
pub(crate) fn split_languages(text: String, language: &str) -> Text {
    match language {
        "ar" => {
            return Text {
                ar: text,
                en: String::new(),
            };
        }
        "en" => {
            return Text {
                ar: String::new(),
                en: text,
            };
        }
        _ => {}
    }
    if let Some((one, other)) = text.split_once(SEPARATOR) {
        match (is_arabic(one), is_arabic(other)) {
            (true, false) => {
                return Text {
                    ar: one.to_owned(),
                    en: other.to_owned(),
                };
            }
            (false, true) => {
                return Text {
                    ar: other.to_owned(),
                    en: one.to_owned(),
                };
            }
            (true, true) | (false, false) => {}
        }
    }
    if is_arabic(&text) {
        Text {
            ar: text,
            en: String::new(),
        }
    } else {
        Text {
            ar: String::new(),
            en: text,
        }
    }
}

/// Joins both languages to one text with its `languageID`, which is empty if [`split_languages`] needs none. `None` if the
/// text could not be split again.
pub(crate) fn join_languages(text: &Text) -> Option<(String, &'static str)> {
    let (one, language) = match (text.ar.is_empty(), text.en.is_empty()) {
        (_, true) => (text.ar.clone(), "ar"),
        (true, false) => (text.en.clone(), "en"),
        (false, false) => (format!("{}{SEPARATOR}{}", text.ar, text.en), ""),
    };
    if split_languages(one.clone(), "") == *text {
        return Some((one, ""));
    }
    (split_languages(one.clone(), language) == *text).then_some((one, language))
}

fn is_arabic(text: &str) -> bool {
    // The first block has nearly all letters in use; the others occur in names and in text copied from PDF files.
    text.chars().any(|letter| {
        matches!(letter,
            '\u{600}'..='\u{6ff}' | '\u{750}'..='\u{77f}' | '\u{8a0}'..='\u{8ff}' | '\u{fb50}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}')
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn text(ar: &str, en: &str) -> Text {
        Text {
            ar: ar.into(),
            en: en.into(),
        }
    }

    #[test]
    fn bilingual_text_is_split_by_its_letters() {
        for (written, both) in [
            ("شركة | Company", text("شركة", "Company")),
            ("Company | شركة", text("شركة", "Company")),
            ("A | B", text("", "A | B")),
            ("شركة", text("شركة", "")),
            ("", text("", "")),
        ] {
            assert_eq!(split_languages(written.into(), ""), both, "{written}");
        }
        assert_eq!(
            split_languages("A".into(), "ar"),
            text("A", ""),
            "the file says which language it is"
        );
    }

    #[test]
    fn inseparable_languages_are_not_joined() {
        assert_eq!(join_languages(&text("A", "B")), None);
        assert_eq!(join_languages(&text("A", "")), Some(("A".into(), "ar")));
    }

    proptest! {
        #[test]
        fn joined_languages_are_split_to_the_same_text(ar in "[ا-ي a-z|]{0,8}", en in "[ا-يa-z |]{0,8}") {
            let both = Text { ar, en };
            if let Some((one, language)) = join_languages(&both) {
                prop_assert_eq!(split_languages(one, language), both);
            }
        }
    }
}
