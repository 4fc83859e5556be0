//! Every rule is reported for at least one document: each mutation is applied to each base document. Other tests check
//! where each rule is reported.

use std::collections::BTreeSet;

use crate::fixtures::documents::{saudi, swedish, untaxed};
use crate::fixtures::mutations::mutations;
use invoice::content::{Reference, Text};
use invoice::rules::RuleOrigin;
use invoice::{
    CheckContext, Country, Currency, Document, Kind, Money, Subtype, check, check_document, rules,
};
use jiff::civil::date;

/// Valid documents of every kind and tax category.
fn bases() -> Vec<Document> {
    let mut peppol = swedish();
    peppol.specification = "urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017".into();
    let mut bases = vec![swedish(), peppol, saudi()];
    bases.extend(["Z", "E", "AE", "G", "K", "O"].map(untaxed));
    for category in ["L", "M"] {
        let mut document = swedish();
        document.content.lines[0].tax.category = category.into();
        for item in &mut document.content.allowances_charges {
            item.tax.category = category.into();
        }
        document.figures.tax_breakdown[0].category = category.into();
        bases.push(document);
    }
    let mut simplified = saudi();
    simplified.content.subtype = Some(Subtype::Simplified);
    bases.push(simplified);
    let mut exported = saudi();
    exported.traits.export = true;
    bases.push(exported);
    let mut note = saudi();
    note.type_code = "381".into();
    note.content.kind = Kind::CreditNote;
    note.content.reason = "Returned".into();
    note.content.preceding = vec![Reference {
        number: "INV-0".into(),
        ..Reference::default()
    }];
    bases.push(note);
    for category in ["Z", "E", "O"] {
        let mut document = saudi();
        document.content.lines[0].tax.category = category.into();
        document.content.lines[0].tax.rate = "0".into();
        let row = &mut document.figures.tax_breakdown[0];
        row.category = category.into();
        row.rate = "0".into();
        bases.push(document);
    }
    bases
}

/// The rules that a document breaks, checked as a received document and as a content of our own.
fn broken(document: &Document) -> Vec<&'static str> {
    let today = date(2026, 11, 21);
    let theirs = check_document(document, today).violations;
    let mut found: Vec<_> = theirs.into_iter().map(|violation| violation.rule).collect();
    for country in ["SA", "AE", "EG", "SE"] {
        let rules = CheckContext {
            today,
            seller_country: Country::parse(country).expect("a known code"),
            currency: Currency::parse("SAR").expect("a known code"),
        };
        let mut content = document.content.clone();
        content.buyer.name = Text {
            ar: "شركة".into(),
            en: "Company".into(),
        };
        let ours = check(&content, &rules).violations;
        found.extend(ours.into_iter().map(|violation| violation.rule));
    }
    found
}

#[test]
fn every_rule_is_reported_for_some_document() {
    let mut many = saudi();
    many.content.lines = vec![many.content.lines[0].clone(); 10_001];
    let mut found: BTreeSet<_> = check_document(&many, date(2026, 11, 21))
        .violations
        .into_iter()
        .map(|violation| violation.rule)
        .collect();
    for base in bases() {
        found.extend(broken(&base));
        for mutate in mutations() {
            let mut document = base.clone();
            mutate(&mut document);
            found.extend(broken(&document));
        }
    }
    let sar = |minor| Money::from_minor(minor, Currency::parse("SAR").expect("a known code"));
    let (credit, original) = (sar(2).expect("small"), sar(1).expect("small"));
    let above = rules::check_credit(Kind::CreditNote, credit, &[original]);
    let together = rules::check_credits(original, &[original], &[original]);
    let below = rules::check_corrected(&[original], &[credit]);
    let credits = above.into_iter().chain(together).chain(below);
    let credits = credits.chain(rules::check_rejected(true));
    let credits = credits.chain(rules::check_original_draft(true));
    let credits = credits.chain(rules::check_original_kind(true));
    let credits = credits.chain(rules::check_credit_count(true));
    found.extend(credits.map(|one| one.rule));
    assert_eq!(rules::check_rejected(false), None);
    assert_eq!(rules::check_original_draft(false), None);
    assert_eq!(rules::check_original_kind(false), None);
    assert_eq!(rules::check_corrected_kind(false), None);
    assert_eq!(rules::check_credit_count(false), None);
    let never: Vec<_> = rules::ALL
        .iter()
        .filter(|rule| rules::origin(rule) == Some(RuleOrigin::Library))
        .filter(|rule| !found.contains(**rule))
        .collect();
    assert!(never.is_empty(), "nothing breaks {never:?}");
    let unknown: Vec<_> = found
        .iter()
        .filter(|rule| !rules::ALL.contains(rule))
        .collect();
    assert!(unknown.is_empty(), "{unknown:?} are no rules of the list");
}
