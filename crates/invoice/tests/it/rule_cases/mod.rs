//! Each rule of EN 16931 by itself, on documents in which little else stands: it is told where it is broken, and not where it
//! is kept, whatever else is missing.

mod notation;

use std::collections::BTreeSet;

use invoice::xml::Limits;
use invoice::{check_document, rules, ubl};
use jiff::civil::date;

/// One document and what is to be found in it.
struct Case {
    rule: String,
    is_wrong: bool,
    text: String,
}

/// Every case of `cases.txt`, which says how it is written.
fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    let mut rule = "";
    let mut categories = Vec::new();
    let lines = include_str!("cases.txt").lines();
    for line in lines.filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let Some(case) = line.strip_prefix("  ") else {
            let named = line.split_once(" of ").unwrap_or((line, ""));
            rule = named.0;
            let pairs = named.1.split(' ');
            categories = pairs
                .map(|pair| pair.split_once('=').unwrap_or((pair, pair)))
                .collect();
            continue;
        };
        let (kind, text) = case.split_once(' ').unwrap_or((case, ""));
        assert!(["right", "wrong"].contains(&kind), "{line}");
        for (name, code) in &categories {
            cases.push(Case {
                rule: rule.replace('%', name),
                is_wrong: kind == "wrong",
                text: text.replace('%', code),
            });
        }
    }
    cases
}

/// The rules that a document breaks.
fn broken(xml: &str) -> BTreeSet<&'static str> {
    let read = ubl::read(xml.as_bytes(), Limits::default()).expect("it is UBL");
    let checked = check_document(&read.document, date(2026, 11, 21));
    let violations = checked.violations.into_iter();
    violations.map(|violation| violation.rule).collect()
}

#[test]
fn a_rule_is_told_where_it_is_broken_and_not_where_it_is_kept() {
    let mut differences = Vec::new();
    for Case {
        rule,
        is_wrong,
        text,
    } in cases()
    {
        let found = broken(&notation::document(&text));
        if found.contains(rule.as_str()) != is_wrong {
            let is = if is_wrong { "not told" } else { "told" };
            differences.push(format!("{rule} is {is} of {text}: {found:?}"));
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn every_rule_of_en_16931_has_a_document_that_keeps_it_and_one_that_breaks_it() {
    let cases = cases();
    let has = |rule: &str, is_wrong: bool| {
        cases
            .iter()
            .any(|case| case.rule == rule && case.is_wrong == is_wrong)
    };
    // Amounts of tax in two currencies have documents of their own, and so have the rules of Saudi Arabia.
    let elsewhere =
        |rule: &str| matches!(rule, "BR-DEC-13" | "BR-DEC-15") || rule.starts_with("BR-KSA");
    let european = rules::ALL.iter().filter(|rule| rule.starts_with("BR-"));
    let missing: Vec<_> = european
        .filter(|rule| !elsewhere(rule))
        .filter(|rule| !has(rule, true) || !has(rule, false))
        .collect();
    // Rates of these are told of a line already.
    let missing: Vec<_> = missing
        .into_iter()
        .filter(|rule| !matches!(**rule, "BR-AF-06" | "BR-AF-07" | "BR-AG-06" | "BR-AG-07"))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}
