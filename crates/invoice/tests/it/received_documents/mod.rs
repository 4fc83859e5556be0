//! Rules for received documents: each rule is broken once, by itself if possible, and reported at its field.

mod categories;
mod lines;
mod parties;
mod saudi;
mod saudi_amounts;
mod saudi_identifiers;
mod totals;

use crate::fixtures::document_violations;
use crate::fixtures::documents::swedish;
use crate::fixtures::mutations::Mutation;
use invoice::content::{PresenceTracked, Text};
use invoice::{Document, Kind, Subtype, check_document};
use jiff::civil::date;

/// Checks that the base document is valid, and that each mutation of it has the expected violations.
fn assert_violations(base: fn() -> Document, cases: &[(Mutation, &[&str])]) {
    assert_eq!(
        document_violations(&base()),
        [""; 0],
        "the document is valid unchanged"
    );
    for (at, (mutate, expected)) in cases.iter().enumerate() {
        let mut document = base();
        mutate(&mut document);
        assert_eq!(document_violations(&document), *expected, "case {at}");
    }
}

#[test]
fn each_header_rule_is_reported_at_its_field() {
    assert_violations(
        swedish,
        &[
            (|it| it.specification.clear(), &["specification BR-01"]),
            (|it| it.number.clear(), &["number BR-02"]),
            (|it| it.content.issue_date.clear(), &["issueDate BR-03"]),
            (|it| it.type_code.clear(), &["typeCode BR-04"]),
            (|it| it.type_code = "999".into(), &["typeCode BR-CL-01"]),
            (
                |it| it.content.kind = Kind::CreditNote,
                &["typeCode BR-CL-01"],
            ),
            (
                |it| {
                    it.content.subtype = Some(Subtype::Simplified);
                    it.content.buyer.name = Text::default();
                },
                &["buyer.name BR-07"],
            ),
            (|it| it.content.currency.clear(), &["currency BR-05"]),
            (
                |it| it.content.currency = "SKR".into(),
                &["currency BR-CL-04", "currency BR-CL-03"],
            ),
            (
                |it| it.seller.name = Text::default(),
                &["seller.name BR-06"],
            ),
            (
                |it| it.content.buyer.name = Text::default(),
                &["buyer.name BR-07"],
            ),
            (
                |it| it.seller.address = PresenceTracked::default(),
                &["seller.address BR-08"],
            ),
            (
                |it| it.seller.address.country.clear(),
                &["seller.address.country BR-09"],
            ),
            (
                |it| it.content.buyer.address = PresenceTracked::default(),
                &["buyer.address BR-10"],
            ),
            (
                |it| it.content.buyer.address.country.clear(),
                &["buyer.address.country BR-11"],
            ),
            (
                |it| it.content.buyer.address.country = "XX".into(),
                &["buyer.address.country BR-CL-14"],
            ),
            (
                |it| it.content.issue_date = "2026-12-24".into(),
                &["issueDate INV-ISSUE-DATE-FUTURE"],
            ),
        ],
    );
}

#[test]
fn wrong_total_is_reported_with_declared_and_computed_amount() {
    let mut document = swedish();
    document.figures.totals.payable = "125.01".into();
    let violation = check_document(&document, date(2026, 11, 21))
        .violations
        .remove(0);
    assert_eq!(
        violation.data,
        [("computed", "125.00".into()), ("stated", "125.01".into())]
    );
}
