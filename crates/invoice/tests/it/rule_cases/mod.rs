//! Each rule of EN 16931 on minimal documents: it is reported if it is broken, and not if it is met, whatever other
//! violations there are.

mod notation;

use std::collections::BTreeSet;

use invoice::xml::Limits;
use invoice::{check_document, rules, ubl};
use jiff::civil::date;

/// One document with its expected result.
struct Case {
    rule: String,
    breaks_rule: bool,
    text: String,
}

/// All cases of `cases.txt`, which describes its notation.
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
                breaks_rule: kind == "wrong",
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
fn rule_is_reported_for_breaking_cases_and_not_for_conforming_cases() {
    let mut differences = Vec::new();
    for Case {
        rule,
        breaks_rule,
        text,
    } in cases()
    {
        let found = broken(&notation::document(&text));
        if found.contains(rule.as_str()) != breaks_rule {
            let is = if breaks_rule {
                "not reported"
            } else {
                "reported"
            };
            differences.push(format!("{rule} is {is} for {text}: {found:?}"));
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn every_en_16931_rule_has_a_conforming_and_a_breaking_case() {
    let cases = cases();
    let has = |rule: &str, breaks_rule: bool| {
        cases
            .iter()
            .any(|case| case.rule == rule && case.breaks_rule == breaks_rule)
    };
    // Tax in two currencies and the rules of Saudi Arabia have other tests.
    let elsewhere = |rule: &str| {
        matches!(rule, "BR-DEC-13" | "BR-DEC-15")
            || rule.starts_with("BR-KSA")
            || rule.starts_with("BR-CUSTOM")
    };
    let european = rules::ALL.iter().filter(|rule| rule.starts_with("BR-"));
    let missing: Vec<_> = european
        .filter(|rule| !elsewhere(rule))
        .filter(|rule| !has(rule, true) || !has(rule, false))
        .collect();
    // The rates of these categories are covered by their line rules.
    let missing: Vec<_> = missing
        .into_iter()
        .filter(|rule| !matches!(**rule, "BR-AF-06" | "BR-AF-07" | "BR-AG-06" | "BR-AG-07"))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}
