//! Check digits of an IBAN (ISO 13616-1, ISO 7064 MOD 97-10).

use crate::Country;

/// Characters of an IBAN: country and check digits, and an account number of the country.
const CHARACTERS: std::ops::RangeInclusive<usize> = 15..=34;

/// Whether an account number has the form of an IBAN and its check digits do not fit. Other numbers are accounts of another kind,
/// and nothing is known of their digits. Spaces and dashes do not count, and neither does case.
#[must_use]
pub fn is_mistyped(account: &str) -> bool {
    let characters = account
        .chars()
        .filter(|letter| !letter.is_whitespace() && *letter != '-')
        .map(|letter| letter.to_ascii_uppercase());
    let characters: Vec<char> = characters.collect();
    has_form(&characters) && remainder(&characters) != Some(1)
}

fn has_form(characters: &[char]) -> bool {
    let [first, second, third, fourth, rest @ ..] = characters else {
        return false;
    };
    let country: String = [first, second].into_iter().collect();
    CHARACTERS.contains(&characters.len())
        && Country::parse(&country).is_some()
        && third.is_ascii_digit()
        && fourth.is_ascii_digit()
        && rest.iter().all(char::is_ascii_alphanumeric)
}

/// The number that the characters make, with the first four at the end and letters as 10 to 35, modulo 97.
fn remainder(characters: &[char]) -> Option<u32> {
    let (begin, rest) = characters.split_at_checked(4)?;
    rest.iter().chain(begin).try_fold(0, |remainder, letter| {
        let value = letter.to_digit(36)?;
        let shift = if value < 10 { 10 } else { 100 };
        Some((remainder * shift + value) % 97)
    })
}

#[cfg(test)]
mod tests {
    use super::is_mistyped;

    #[test]
    fn iban_with_fitting_check_digits_is_right() {
        for account in [
            "SA0380000000608010167519",
            "SA03 8000 0000 6080 1016 7519",
            "sa03-8000-0000-6080-1016-7519",
            "AE070331234567890123456",
            "GB82WEST12345698765432",
            "NO9386011117947",
        ] {
            assert!(!is_mistyped(account), "{account}");
        }
    }

    #[test]
    fn iban_with_other_check_digits_is_mistyped() {
        for account in [
            "SA0380000000608010167591",
            "GB82WEST12345698765423",
            "AE170331234567890123456",
        ] {
            assert!(is_mistyped(account), "{account}");
        }
    }

    #[test]
    fn account_of_another_kind_is_not_judged() {
        for account in [
            "",
            "SA03",
            "0123456789012345",
            "ACCOUNT-7",
            "XX00123456789012345",
            "SAA380000000608010167519",
            "SA03\u{664}0000000608010167519",
        ] {
            assert!(!is_mistyped(account), "{account}");
        }
    }
}
