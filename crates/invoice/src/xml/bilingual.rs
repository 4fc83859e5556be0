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

/// Joins both languages to one text with its `languageID`, which is empty if [`split_languages`] needs none.
///
/// Equal texts are one. Of two texts that cannot be told apart by their letters, both are written and read back as one text: UBL
/// allows one element, and a person reads both (decision 0149).
pub(crate) fn join_languages(text: &Text) -> (String, &'static str) {
    let Text { ar, en } = text;
    if ar == en {
        return (en.clone(), "");
    }
    let (one, language) = match (ar.is_empty(), en.is_empty()) {
        (_, true) => (ar.clone(), "ar"),
        (true, false) => (en.clone(), "en"),
        (false, false) => return (join_both(text), ""),
    };
    if split_languages(one.clone(), "") == *text {
        (one, "")
    } else {
        (one, language)
    }
}

/// Arabic first, or English first if only that can be split again, because the Arabic text has a separator.
fn join_both(text: &Text) -> String {
    let Text { ar, en } = text;
    let arabic_first = format!("{ar}{SEPARATOR}{en}");
    if split_languages(arabic_first.clone(), "") == *text {
        return arabic_first;
    }
    let english_first = format!("{en}{SEPARATOR}{ar}");
    if split_languages(english_first.clone(), "") == *text {
        english_first
    } else {
        arabic_first
    }
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
    fn every_pair_of_texts_is_joined_without_losing_one() {
        for (both, joined) in [
            (text("", ""), ("", "")),
            (text("A", ""), ("A", "ar")),
            (text("شركة", "Company"), ("شركة | Company", "")),
            (text("شركة", "A | B"), ("شركة | A | B", "")),
            (text("ا | ب", "Company"), ("Company | ا | ب", "")),
            (text("iPhone 15", "iPhone 15"), ("iPhone 15", "")),
            (text("A", "B"), ("A | B", "")),
            (text("شركة", "نخلة"), ("شركة | نخلة", "")),
        ] {
            assert_eq!(join_languages(&both), (joined.0.to_owned(), joined.1));
        }
    }

    proptest! {
        #[test]
        fn joined_languages_are_split_to_the_same_text(ar in "[ا-ي a-z|]{0,8}", en in "[ا-يa-z |]{0,8}") {
            let both = Text { ar, en };
            let (one, language) = join_languages(&both);
            prop_assert!(one.contains(&both.ar) && one.contains(&both.en), "{both:?}: {one:?}");
            let one_is_empty = both.ar.is_empty() != both.en.is_empty();
            let has_separator = both.ar.contains('|') || both.en.contains('|');
            let told_apart = is_arabic(&both.ar) && !is_arabic(&both.en) && !has_separator;
            if one_is_empty || told_apart {
                prop_assert_eq!(split_languages(one, language), both);
            }
        }
    }
}
