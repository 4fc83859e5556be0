//! Identifiers, telephone, charges, files and tax currency in documents of Saudi sellers.

use invoice::content::{AllowanceCharge, Identifier, Party};

use super::assert_violations;
use crate::fixtures::documents::saudi;

fn name(party: &mut Party, scheme: &str, value: &str) {
    party.other_ids = vec![Identifier {
        scheme: scheme.into(),
        value: value.into(),
    }];
}

#[test]
fn identifiers_of_seller_and_buyer_have_the_form_of_their_schemes() {
    assert_violations(
        saudi,
        &[
            (
                |it| name(&mut it.seller, "CRN", "101001000"),
                &["seller.otherIds[0].value BR-KSA-F-08"],
            ),
            (
                |it| name(&mut it.seller, "700", "1010010000"),
                &["seller.otherIds[0].value BR-KSA-F-09"],
            ),
            (
                |it| name(&mut it.seller, "CRN ", "1010010000"),
                &["seller.otherIds[0].scheme BR-KSA-F-12"],
            ),
            (
                |it| name(&mut it.seller, "CRN", "1012345678"),
                &["seller.otherIds[0].value BR-KSA-F-13"],
            ),
            (
                |it| name(&mut it.seller, "NAT", "1"),
                &["seller.otherIds BR-KSA-08"],
            ),
            (
                |it| name(&mut it.content.buyer, "TIN", "1101223935"),
                &["buyer.otherIds[0].value BR-KSA-F-07"],
            ),
            (
                |it| name(&mut it.content.buyer, "NAT", "101001000"),
                &["buyer.otherIds[0].value BR-KSA-F-10"],
            ),
            (
                |it| name(&mut it.content.buyer, "IQA", "1010010000"),
                &["buyer.otherIds[0].value BR-KSA-F-11"],
            ),
            (
                |it| name(&mut it.content.buyer, " OTH", "1"),
                &["buyer.otherIds[0].scheme BR-KSA-F-12"],
            ),
            (
                |it| name(&mut it.content.buyer, "OTH", "87654321"),
                &["buyer.otherIds[0].value BR-KSA-F-13"],
            ),
            (|it| name(&mut it.content.buyer, "PAS", "A87654321"), &[]),
        ],
    );
}

#[test]
fn telephone_charges_and_files_are_as_zatca_reads_them() {
    assert_violations(
        saudi,
        &[
            (
                |it| it.content.buyer.contact.phone = "+966 11 200 0000".into(),
                &["buyer.contact.phone BR-KSA-85"],
            ),
            (
                |it| it.content.buyer.contact.phone = "+966112000000".into(),
                &[],
            ),
            (
                |it| {
                    it.content.lines[0].unit_price = "1090.50".into();
                    it.content.lines[0].allowances_charges = vec![AllowanceCharge {
                        is_charge: true,
                        amount: "1.00".into(),
                        reason: "Freight".into(),
                        ..AllowanceCharge::default()
                    }];
                },
                &["lines[0].allowancesCharges[0].reasonCode BR-KSA-20"],
            ),
            (
                |it| {
                    let hash = &mut it.content.documents[1];
                    hash.attachment.get_or_insert_default().mime = "application/xml".into();
                },
                &["documents[1].attachment.mime BR-KSA-CL-03"],
            ),
        ],
    );
}

#[test]
fn tax_in_riyals_is_another_amount_than_in_another_currency() {
    assert_violations(
        saudi,
        &[
            (
                |it| it.content.currency = "USD".into(),
                &["totals.taxInTaxCurrency BR-KSA-97"],
            ),
            (
                |it| {
                    it.content.currency = "USD".into();
                    it.figures.totals.tax_in_tax_currency = "613.99".into();
                },
                &[],
            ),
        ],
    );
}

#[test]
fn texts_have_at_most_the_characters_of_zatca() {
    assert_violations(
        saudi,
        &[
            (|it| it.number = "9".repeat(127), &[]),
            (|it| it.number = "9".repeat(128), &["number BR-KSA-F-06"]),
            // An Arabic letter is one character of two bytes.
            (|it| it.seller.name.ar = "ش".repeat(1_000), &[]),
            (
                |it| it.seller.name.ar = "ش".repeat(1_001),
                &["seller.name.ar BR-KSA-F-06"],
            ),
            (
                |it| it.content.buyer.address.city = "x".repeat(128),
                &["buyer.address.city BR-KSA-F-06"],
            ),
            (
                |it| it.content.buyer.contact.name = "x".repeat(1_001),
                &["buyer.contact.name BR-KSA-F-06"],
            ),
            (|it| it.content.lines[0].id = "123456".into(), &[]),
            (
                |it| it.content.lines[0].id = "1234567".into(),
                &["lines[0].id BR-KSA-F-06"],
            ),
            (
                |it| it.content.lines[0].item_code = "x".repeat(128),
                &["lines[0].itemCode BR-KSA-F-06"],
            ),
        ],
    );
}
