//! Signs and tolerances of amounts, rates, prices and the transaction code in documents of Saudi sellers.

use invoice::content::{AllowanceCharge, TaxAmounts};
use invoice::xml::Limits;
use invoice::{ParsedDocument, ubl};

use super::assert_violations;
use crate::fixtures::document_violations as violations;
use crate::fixtures::documents::saudi;

#[test]
fn amounts_and_quantities_are_not_negative() {
    assert_violations(
        saudi,
        &[
            (
                |it| it.content.lines[0].quantity = "-1".into(),
                &[
                    "lines[0].net BR-KSA-EN16931-11",
                    "lines[0].quantity BR-KSA-F-04",
                ],
            ),
            (
                |it| it.content.lines[0].details.price_discount = "-1".into(),
                &["lines[0].priceDiscount BR-KSA-F-04"],
            ),
            (
                |it| {
                    it.content.lines[0].unit_price = "1090.50".into();
                    it.content.lines[0].allowances_charges = vec![AllowanceCharge {
                        amount: "-1.00".into(),
                        reason: "agreed".into(),
                        ..AllowanceCharge::default()
                    }];
                },
                &["lines[0].allowancesCharges[0].amount BR-KSA-F-04"],
            ),
            (
                |it| {
                    it.content.prepaid = "-1.00".into();
                    it.figures.totals.payable = "1256.23".into();
                },
                &["prepaid BR-KSA-F-04"],
            ),
            (
                |it| it.figures.totals.allowances = "-1.00".into(),
                &[
                    "totals.allowances BR-CO-11",
                    "totals.net BR-CO-13",
                    "totals.allowances BR-KSA-F-04",
                ],
            ),
            // A rounding amount may be negative.
            (
                |it| {
                    it.content.rounding = "-0.23".into();
                    it.figures.totals.payable = "1255.00".into();
                },
                &[],
            ),
        ],
    );
}

#[test]
fn percentages_are_exact_and_net_amounts_within_one_hundredth() {
    assert_violations(
        saudi,
        &[
            (|it| it.content.lines[0].unit_price = "1091.51".into(), &[]),
            (
                |it| it.content.lines[0].unit_price = "1091.52".into(),
                &["lines[0].net BR-KSA-EN16931-11"],
            ),
            (
                |it| {
                    it.content.lines[0].unit_price = "1101.51".into();
                    it.content.lines[0].allowances_charges = vec![AllowanceCharge {
                        amount: "10.01".into(),
                        base: "100.00".into(),
                        percent: "10".into(),
                        reason: "agreed".into(),
                        ..AllowanceCharge::default()
                    }];
                },
                &["lines[0].allowancesCharges[0].amount BR-KSA-EN16931-03"],
            ),
            (
                |it| {
                    it.content.lines[0].unit_price = "1101.50".into();
                    it.content.lines[0].allowances_charges = vec![AllowanceCharge {
                        amount: "10.00".into(),
                        percent: "10".into(),
                        reason: "agreed".into(),
                        ..AllowanceCharge::default()
                    }];
                },
                &["lines[0].allowancesCharges[0].base BR-KSA-EN16931-04"],
            ),
            (
                |it| {
                    it.content.lines[0].unit_price = "1101.50".into();
                    it.content.lines[0].allowances_charges = vec![AllowanceCharge {
                        amount: "10.00".into(),
                        base: "100.00".into(),
                        reason: "agreed".into(),
                        ..AllowanceCharge::default()
                    }];
                },
                &["lines[0].allowancesCharges[0].percent BR-KSA-EN16931-05"],
            ),
        ],
    );
}

#[test]
fn rate_of_a_line_and_of_a_row_has_two_decimals_and_is_5_or_15_percent() {
    let mut document = saudi();
    let mut with_rate = |rate: &str| {
        document.content.lines[0].tax.rate = rate.into();
        document.figures.tax_breakdown[0].rate = rate.into();
        violations(&document)
    };
    assert_eq!(with_rate("15.00"), [""; 0]);
    assert_eq!(
        with_rate("15.000"),
        [
            "lines[0].tax.rate BR-KSA-DEC-02",
            "taxBreakdown[0].rate BR-KSA-DEC-02"
        ]
    );

    let (tax, gross) = ("76.41", "1167.91");
    document.content.lines[0].details.tax_amounts = Some(TaxAmounts {
        tax: tax.into(),
        gross: gross.into(),
    });
    document.content.lines[0].tax.rate = "7".into();
    let row = &mut document.figures.tax_breakdown[0];
    row.rate = "7".into();
    row.tax = tax.into();
    let totals = &mut document.figures.totals;
    totals.tax = tax.into();
    totals.tax_in_tax_currency = tax.into();
    totals.gross = gross.into();
    totals.payable = gross.into();
    assert_eq!(
        violations(&document),
        [
            "lines[0].tax.rate BR-KSA-84",
            "taxBreakdown[0].rate BR-KSA-84"
        ]
    );
}

#[test]
fn percentage_price_and_exchange_rate_are_as_zatca_requires() {
    assert_violations(
        saudi,
        &[
            (
                |it| {
                    it.content.lines[0].unit_price = "1106.50".into();
                    it.content.lines[0].allowances_charges = vec![AllowanceCharge {
                        amount: "15.00".into(),
                        base: "10.00".into(),
                        percent: "150".into(),
                        reason: "agreed".into(),
                        ..AllowanceCharge::default()
                    }];
                },
                &["lines[0].allowancesCharges[0].percent BR-KSA-DEC-01"],
            ),
            (
                |it| {
                    it.content.lines[0].details.gross_price = "1100.00".into();
                    it.content.lines[0].details.price_discount = "8.50".into();
                },
                &[],
            ),
            (
                |it| {
                    it.content.lines[0].details.gross_price = "1100.00".into();
                    it.content.lines[0].details.price_discount = "8.00".into();
                },
                &["lines[0].priceDiscount BR-KSA-EN16931-07"],
            ),
            (|it| it.content.exchange_rate = "1.000000000000".into(), &[]),
            (
                |it| it.content.exchange_rate = "1.0000000000000".into(),
                &["exchangeRate BR-KSA-90"],
            ),
        ],
    );
}

#[test]
fn tax_of_a_row_is_within_one_hundredth_for_each_line() {
    let with_tax = |tax: &str, gross: &str| {
        let mut document = saudi();
        document.figures.tax_breakdown[0].tax = tax.into();
        let totals = &mut document.figures.totals;
        totals.tax = tax.into();
        totals.tax_in_tax_currency = tax.into();
        totals.gross = gross.into();
        totals.payable = gross.into();
        violations(&document)
    };
    assert_eq!(with_tax("163.74", "1255.24"), [""; 0]);
    assert_eq!(
        with_tax("163.75", "1255.25"),
        [
            "taxBreakdown[0].tax BR-S-09",
            "taxBreakdown[0].tax BR-CO-17"
        ]
    );
}

#[test]
fn transaction_code_has_seven_to_nine_positions() {
    let mut named = saudi();
    // A supply to the government names its contract.
    named.content.references.contract = "C-1".into();
    let xml = ubl::write(&named).expect("UBL can hold it");
    let read = |code: &str| -> ParsedDocument {
        let xml = xml.replace("name=\"0100000\"", &format!("name=\"{code}\""));
        ubl::read(xml.as_bytes(), Limits::default()).expect("it is UBL")
    };
    for (code, continuous, government) in [
        ("0100000", false, false),
        ("01000000", false, false),
        ("01000001", true, false),
        ("010000001", false, true),
        ("010000011", true, true),
    ] {
        let parsed = read(code);
        let traits = parsed.document.traits;
        assert_eq!(
            (traits.continuous, traits.government),
            (continuous, government),
            "{code}"
        );
        assert_eq!(violations(&parsed.document), [""; 0], "{code}");
        let written = ubl::write(&parsed.document).expect("UBL can hold it");
        let again = ubl::read(written.as_bytes(), Limits::default()).expect("it is UBL");
        assert_eq!(again.document, parsed.document, "{code}");
    }
    for code in ["010000", "0100000000", "01000002", "0300000"] {
        let document = read(code).document;
        assert_eq!(violations(&document), ["subtype BR-KSA-06"], "{code}");
    }
}
