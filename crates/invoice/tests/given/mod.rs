//! Contents that are right, for tests to spoil.
#![allow(dead_code, reason = "every test file uses some of it")]

use invoice::content::{Line, Party, Tax, Text};
use invoice::{Checked, Content, Country, Currency, Rules, check};
use jiff::civil::date;

pub(crate) fn rules() -> Rules {
    Rules {
        today: date(2026, 11, 21),
        seller_country: Country::SAUDI_ARABIA,
        currency: Currency::parse("SAR").expect("a known code"),
    }
}

pub(crate) fn line(quantity: &str, unit_price: &str, category: &str, rate: &str) -> Line {
    Line {
        description: Text {
            ar: "خدمة".into(),
            en: "Service".into(),
        },
        quantity: quantity.into(),
        unit_price: unit_price.into(),
        tax: Tax {
            category: category.into(),
            rate: rate.into(),
            ..Tax::default()
        },
        ..Line::default()
    }
}

pub(crate) fn content(lines: Vec<Line>) -> Content {
    let name = Text {
        ar: "شركة النخيل".into(),
        en: "Palm Company".into(),
    };
    Content {
        buyer: Party {
            name,
            ..Party::default()
        },
        lines,
        ..Content::default()
    }
}

pub(crate) fn checked(content: &Content) -> Checked {
    check(content, &rules())
}

/// `(path, rule)` of everything wrong.
pub(crate) fn wrong(content: &Content) -> Vec<(String, &'static str)> {
    checked(content)
        .violations
        .into_iter()
        .map(|violation| (violation.path, violation.rule))
        .collect()
}

/// The totals of a content that must be right: net, tax, gross.
pub(crate) fn sums(content: &Content) -> (String, String, String) {
    let checked = checked(content);
    assert_eq!(checked.violations, [], "the content is right");
    let totals = checked
        .invoice
        .expect("a right content is an invoice")
        .totals;
    (
        totals.net.to_string(),
        totals.tax.to_string(),
        totals.gross.to_string(),
    )
}
