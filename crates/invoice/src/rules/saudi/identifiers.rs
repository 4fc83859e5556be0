//! The form of the other identifiers of seller and buyer (BT-29, BT-46) and of the buyer's telephone (BT-57) in Saudi Arabia.

use std::fmt::Display;
use std::ops::RangeInclusive;

use crate::content::{Identifier, Party};
use crate::violation::Violations;

/// The schemes of a seller's identifier, its registration number (BR-KSA-08).
pub(super) const SELLER_SCHEMES: [&str; 6] = ["CRN", "MOM", "MLS", "700", "SAG", "OTH"];
/// The schemes of a buyer's identifier (BR-KSA-14).
pub(super) const BUYER_SCHEMES: [&str; 11] = [
    "TIN", "CRN", "MOM", "MLS", "700", "SAG", "NAT", "GCC", "IQA", "PAS", "OTH",
];
/// The schemes whose identifiers have ten digits: what they begin with, and the rule.
const TEN_DIGITS: [(&str, &str, &str); 5] = [
    ("TIN", "3", "BR-KSA-F-07"),
    ("CRN", "", "BR-KSA-F-08"),
    ("700", "7", "BR-KSA-F-09"),
    ("NAT", "1", "BR-KSA-F-10"),
    ("IQA", "2", "BR-KSA-F-11"),
];
/// How many digits of an identifier are a series (BR-KSA-F-13).
const SERIES: usize = 8;
/// How many digits of a telephone number follow its first character.
const PHONE_DIGITS: RangeInclusive<usize> = 4..=15;

/// BR-KSA-85: the buyer's telephone. People write it in groups of digits, and ZATCA only warns of it: contents of our own are not refused for it.
pub(super) fn phone(violations: &mut Violations, buyer: &Party) {
    let phone = &buyer.contact.phone;
    if !phone.is_empty() && !is_phone(phone) {
        violations.add(
            "buyer.contact.phone",
            "BR-KSA-85",
            "a telephone number is + or 0 and 4 to 15 digits",
        );
    }
}

/// BR-KSA-14 and BR-KSA-F-07 to 12: the identifiers of the buyer.
pub(super) fn of_buyer(violations: &mut Violations, ids: &[Identifier]) {
    let rule = (
        "BR-KSA-14",
        "is not an identifier of a buyer in Saudi Arabia, such as CRN or NAT, of letters and digits",
    );
    listed(violations, "buyer", ids, &BUYER_SCHEMES, rule);
    forms(violations, "buyer", ids, &BUYER_SCHEMES);
}

/// BR-KSA-08 and BR-KSA-F-08, 09 and 12 of the registration numbers that a seller states about itself. That it has one is required of a
/// document.
pub(super) fn of_seller(violations: &mut Violations, ids: &[Identifier]) {
    let rule = (
        "BR-KSA-08",
        "is not a registration number in Saudi Arabia: CRN, MOM, MLS, 700, SAG or OTH, of letters and digits",
    );
    listed(violations, "seller", ids, &SELLER_SCHEMES, rule);
    forms(violations, "seller", ids, &SELLER_SCHEMES);
}

/// Schemes that are in the list, and identifiers of letters and digits: a rule with its description. Where the rule of a scheme says which
/// digits its identifiers have, this one is reported of the scheme alone.
fn listed(
    violations: &mut Violations,
    party: &str,
    ids: &[Identifier],
    schemes: &[&str],
    (rule, description): (&'static str, &'static str),
) {
    for (index, id) in ids.iter().enumerate() {
        let scheme = id.scheme.trim();
        let mut letters = id.value.chars();
        let field = if !schemes.contains(&scheme) {
            "scheme"
        } else if !has_ten_digits(scheme) && !letters.all(|letter| letter.is_ascii_alphanumeric()) {
            "value"
        } else {
            continue;
        };
        violations.add(
            format_args!("{party}.otherIds[{index}].{field}"),
            rule,
            description,
        );
    }
}

/// Whether the identifiers of a scheme have ten digits.
fn has_ten_digits(scheme: &str) -> bool {
    TEN_DIGITS.iter().any(|(known, _, _)| *known == scheme)
}

/// BR-KSA-F-07 to 12: the form of the identifiers with known schemes.
pub(super) fn forms(
    violations: &mut Violations,
    party: &str,
    ids: &[Identifier],
    schemes: &[&str],
) {
    for (index, id) in ids.iter().enumerate() {
        let path = format_args!("{party}.otherIds[{index}]");
        let scheme = id.scheme.trim();
        if !schemes.contains(&scheme) {
            continue;
        }
        if scheme != id.scheme {
            violations.add(
                format_args!("{path}.scheme"),
                "BR-KSA-F-12",
                "has spaces before or after it",
            );
        }
        let form = TEN_DIGITS.iter().find(|(known, _, _)| *known == scheme);
        if let Some(&(_, first, rule)) = form {
            ten_digits(violations, format_args!("{path}.value"), id, first, rule);
        }
    }
}

fn ten_digits(
    violations: &mut Violations,
    path: impl Display,
    id: &Identifier,
    first: &str,
    rule: &'static str,
) {
    let has_form = id.value.len() == 10 && is_digits(&id.value) && id.value.starts_with(first);
    if !has_form {
        let beginning = if first.is_empty() {
            String::new()
        } else {
            format!(" and begins with {first}")
        };
        violations.add(path, rule, format!("has 10 digits{beginning}"));
    }
}

/// BR-KSA-F-13: an identifier with eight digits that count up or down, or are the same. A real one may have them, and ZATCA only asks to
/// look at it again: contents of our own are not refused for it.
pub(super) fn series(
    violations: &mut Violations,
    party: &str,
    ids: &[Identifier],
    schemes: &[&str],
) {
    for (index, id) in ids.iter().enumerate() {
        if schemes.contains(&id.scheme.trim()) && is_digits(&id.value) && has_series(&id.value) {
            violations.add(
                format_args!("{party}.otherIds[{index}].value"),
                "BR-KSA-F-13",
                format!("has {SERIES} digits in a row that count up or down, or are the same"),
            );
        }
    }
}

fn has_series(digits: &str) -> bool {
    let has_step = |digits: &[u8], step: i16| {
        let mut pairs = digits.iter().zip(&digits[1..]);
        pairs.all(|(before, after)| i16::from(*after) - i16::from(*before) == step)
    };
    let mut windows = digits.as_bytes().windows(SERIES);
    windows.any(|digits| [-1, 0, 1].into_iter().any(|step| has_step(digits, step)))
}

fn is_phone(text: &str) -> bool {
    let digits = text.strip_prefix(['+', '0']);
    digits.is_some_and(|digits| PHONE_DIGITS.contains(&digits.len()) && is_digits(digits))
}

fn is_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::content::Address;
    use crate::rules::check_seller_form;

    /// The details of a seller in the window.
    const OF_SELLERS: &str = include_str!("../../../../../ui/src/administration/sellerDetails.ts");

    /// The values of a constant in a source of the window.
    fn offered(source: &'static str, constant: &str) -> BTreeSet<&'static str> {
        let (_, list) = source
            .split_once(&format!("const {constant} = ["))
            .expect("the window has the list");
        let (list, _) = list.split_once(']').expect("the list ends");
        list.split('"').skip(1).step_by(2).collect()
    }

    /// What a source of the window says of digits: of a scheme or a part of an address, how many, what they begin with, and the rule.
    fn digit_forms(source: &'static str) -> Vec<(&'static str, usize, &'static str, &'static str)> {
        let (_, forms) = source
            .split_once("const DIGIT_FORMS")
            .expect("the window has the forms");
        let (_, forms) = forms.split_once("([\n").expect("the forms begin");
        let (forms, _) = forms.split_once("\n])").expect("the forms end");
        let form = |line: &'static str| {
            let cells = line.trim().trim_end_matches(',').split(", ");
            let cells = cells.map(|cell| cell.trim_matches(|letter: char| "[]\"".contains(letter)));
            let cells: Vec<_> = cells.collect();
            let &[of, count, first, rule] = cells.as_slice() else {
                panic!("{line}")
            };
            (of, count.parse().expect("a number of digits"), first, rule)
        };
        forms.lines().map(form).collect()
    }

    /// The rules that a seller breaks with a value: a registration number of a scheme, or a part of the address.
    fn broken(of: &str, value: &str) -> Vec<&'static str> {
        let mut address = Address {
            country: "SA".to_owned(),
            ..Address::default()
        };
        let mut other_ids = Vec::new();
        match of {
            "building" => value.clone_into(&mut address.building),
            "postalCode" => value.clone_into(&mut address.postal_code),
            scheme => other_ids.push(Identifier {
                scheme: scheme.to_owned(),
                value: value.to_owned(),
            }),
        }
        let seller = Party {
            other_ids,
            address: address.into(),
            ..Party::default()
        };
        let violations = check_seller_form(&seller).into_iter();
        violations.map(|violation| violation.rule).collect()
    }

    #[test]
    fn window_checks_the_form_of_a_seller_as_the_rules_do() {
        let forms = digit_forms(OF_SELLERS);
        let has_form = |of: &str| forms.iter().any(|(known, ..)| *known == of);
        for (of, count, first, rule) in &forms {
            let right = format!("{first}{}", "1".repeat(count - first.len()));
            assert_eq!(broken(of, &right), [""; 0], "{of}");
            let short = &right[..count - 1];
            for wrong in [short, &format!("{short}a"), &format!("{right}1")] {
                assert_eq!(broken(of, wrong), [*rule], "{of} {wrong}");
            }
            if !first.is_empty() {
                assert_eq!(broken(of, &"1".repeat(*count)), [*rule], "{of}");
            }
        }
        assert!(OF_SELLERS.contains("const LETTERS_AND_DIGITS = /^[0-9A-Za-z]+$/;"));
        for scheme in SELLER_SCHEMES {
            assert_eq!(has_form(scheme), has_ten_digits(scheme), "{scheme}");
            if !has_ten_digits(scheme) {
                assert_eq!(broken(scheme, "0aZ"), [""; 0], "{scheme}");
                assert_eq!(broken(scheme, "0-1"), ["BR-KSA-08"], "{scheme}");
            }
        }
    }

    #[test]
    fn window_offers_the_schemes_of_the_rules() {
        assert_eq!(
            offered(OF_SELLERS, "REGISTRATION_SCHEMES"),
            BTreeSet::from(SELLER_SCHEMES)
        );
        let of_buyers = include_str!("../../../../../ui/src/editor/details/reasonCodes.ts");
        assert_eq!(
            offered(of_buyers, "IDENTIFIER_SCHEMES"),
            BTreeSet::from(BUYER_SCHEMES)
        );
    }

    #[test]
    fn eight_digits_that_count_or_repeat_are_a_series() {
        for digits in ["0123456789", "1098765432", "1022222222", "31111111113"] {
            assert!(has_series(digits), "{digits}");
        }
        for digits in ["1010010000", "1012345690", "8901234901", "1234567", ""] {
            assert!(!has_series(digits), "{digits}");
        }
    }

    #[test]
    fn telephone_number_is_a_plus_or_a_zero_and_4_to_15_digits() {
        for phone in ["+966112000000", "0112000000", "01234", "+123456789012345"] {
            assert!(is_phone(phone), "{phone}");
        }
        for phone in [
            "966112000000",
            "+966 11 200 0000",
            "+123",
            "+1234567890123456",
            "+٩٦٦١١٢",
            "+",
        ] {
            assert!(!is_phone(phone), "{phone}");
        }
    }
}
