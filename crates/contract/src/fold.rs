//! Case and spelling folding of text, by which both sides search: the gateway in what it stores, the client in what it has cached.

/// The Arabic article, which people leave out.
const ARTICLE: &str = "ال";
/// Least letters that stay of a word without its article.
const LEAST_LETTERS: usize = 2;

/// The text in lower case, with one space between words, Latin digits; Arabic without diacritics and tatweel, with one alef, one yeh, and
/// teh marbuta as heh.
#[must_use]
pub fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for letter in text.chars().flat_map(char::to_lowercase) {
        match letter {
            '\u{64b}'..='\u{65f}' | '\u{670}' | '\u{640}' => {}
            '\u{200c}'..='\u{200f}'
            | '\u{61c}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}' => {}
            'أ' | 'إ' | 'آ' | 'ٱ' => folded.push('ا'),
            'ى' | 'ئ' => folded.push('ي'),
            'ؤ' => folded.push('و'),
            'ة' => folded.push('ه'),
            '٠'..='٩' => folded.push(digit(letter, '٠')),
            '۰'..='۹' => folded.push(digit(letter, '۰')),
            letter if letter.is_whitespace() => {
                if !folded.is_empty() && !folded.ends_with(' ') {
                    folded.push(' ');
                }
            }
            letter => folded.push(letter),
        }
    }
    folded.truncate(folded.trim_end().len());
    folded
}

/// The folded words of a text: letters and digits, without the Arabic article.
#[must_use]
pub fn words(text: &str) -> Vec<String> {
    let folded = fold(text);
    let words = folded
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty());
    words.map(|word| without_article(word).to_owned()).collect()
}

/// An identifier as records are compared by it: folded letters and digits. `None` if there are none.
#[must_use]
pub fn folded_identifier(text: &str) -> Option<String> {
    let mut folded = fold(text);
    folded.retain(char::is_alphanumeric);
    (!folded.is_empty()).then_some(folded)
}

fn without_article(word: &str) -> &str {
    let rest = word.strip_prefix(ARTICLE);
    rest.filter(|rest| rest.chars().count() >= LEAST_LETTERS)
        .unwrap_or(word)
}

fn digit(letter: char, zero: char) -> char {
    // The ranges of the caller are the ten digits from `zero`.
    char::from_digit(letter as u32 - zero as u32, 10).unwrap_or('0')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spelling_variants_fold_to_the_same_text() {
        for (one, other) in [
            ("شَرِكَة الأُفُق", "شركه الافق"),
            ("مؤسسـة  إبراهيم", "موسسه ابراهيم"),
            ("مستشفى", "مستشفي"),
            ("Al-KHAIR\u{a0}Trading ", "al-khair trading"),
            ("٣١٠١", "3101"),
        ] {
            assert_eq!(fold(one), fold(other), "{one} and {other}");
        }
    }
}
