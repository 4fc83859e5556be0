//! Rules of lines, allowances and charges.

use invoice::content::{Classification, ItemAttribute, Period, Text};

use super::assert_violations;
use crate::fixtures::document_violations;
use crate::fixtures::documents::swedish;

const PEPPOL: &str = "urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0";
const XRECHNUNG: &str = "urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0";

#[test]
fn each_line_rule_is_reported_at_its_field() {
    assert_violations(
        swedish,
        &[
            (|it| it.content.lines[0].id.clear(), &["lines[0].id BR-21"]),
            (
                |it| it.content.lines[0].unit.clear(),
                &["lines[0].unit BR-23"],
            ),
            (
                |it| it.content.lines[0].unit = "pcs!".into(),
                &["lines[0].unit BR-CL-23"],
            ),
            (
                |it| it.content.lines[0].description = Text::default(),
                &["lines[0].description BR-25"],
            ),
            (
                |it| it.content.lines[0].details.gross_price = "-1".into(),
                &["lines[0].grossPrice BR-28"],
            ),
            (
                |it| {
                    it.specification = PEPPOL.into();
                    it.content.lines[0].unit_price = "50.02".into();
                },
                &["lines[0].net PEPPOL-EN16931-R120"],
            ),
            (
                |it| {
                    it.specification = PEPPOL.into();
                    it.content.lines[0].unit_price = "50.01".into();
                },
                &[],
            ),
            (
                |it| {
                    it.specification = XRECHNUNG.into();
                    it.content.lines[0].unit_price = "50.02".into();
                },
                &["lines[0].net PEPPOL-EN16931-R120"],
            ),
            (
                |it| {
                    it.specification = PEPPOL.into();
                    it.content.lines[0].details.gross_price = "51".into();
                    it.content.lines[0].details.price_discount = "1".into();
                },
                &[],
            ),
            (
                |it| {
                    it.specification = PEPPOL.into();
                    it.content.lines[0].details.gross_price = "51".into();
                },
                &["lines[0].priceDiscount PEPPOL-EN16931-R046"],
            ),
            (
                |it| {
                    it.specification = PEPPOL.into();
                    it.content.lines[0].details.price_base_unit = "C62".into();
                },
                &[],
            ),
            (
                |it| {
                    it.specification = PEPPOL.into();
                    it.content.lines[0].details.price_base_unit = "KGM".into();
                },
                &["lines[0].priceBaseUnit PEPPOL-EN16931-R130"],
            ),
            (
                |it| {
                    it.specification = XRECHNUNG.into();
                    it.content.lines[0].details.price_base_unit = "KGM".into();
                },
                &["lines[0].priceBaseUnit PEPPOL-EN16931-R130"],
            ),
            // EN 16931 itself does not compare units.
            (
                |it| it.content.lines[0].details.price_base_unit = "KGM".into(),
                &[],
            ),
            // EN 16931 itself does not compare prices.
            (
                |it| it.content.lines[0].details.gross_price = "51".into(),
                &[],
            ),
            // EN 16931 itself does not compare a net amount with quantity and price.
            (|it| it.content.lines[0].unit_price = "50.02".into(), &[]),
            (
                |it| {
                    it.content.lines[0].details.period = Some(Period {
                        start: "2026-02-01".into(),
                        end: "2026-01-01".into(),
                    })
                },
                &["lines[0].period.end BR-30"],
            ),
            (
                |it| it.content.lines[0].details.period = Some(Period::default()),
                &["lines[0].period.start BR-CO-20"],
            ),
            (
                |it| it.content.lines[0].details.standard_item_code.value = "1".into(),
                &["lines[0].standardItemCode.scheme BR-64"],
            ),
            (
                |it| {
                    it.content.lines[0].details.classifications = vec![Classification {
                        code: "1".into(),
                        ..Default::default()
                    }]
                },
                &["lines[0].classifications[0].list BR-65"],
            ),
            (
                |it| {
                    it.content.lines[0].details.attributes = vec![ItemAttribute {
                        name: "Colour".into(),
                        value: String::new(),
                    }]
                },
                &["lines[0].attributes[0] BR-54"],
            ),
            (
                |it| it.content.lines[0].details.origin = "ZZ".into(),
                &["lines[0].origin BR-CL-15"],
            ),
            (
                |it| it.content.lines[0].allowances_charges[0].reason.clear(),
                &[
                    "lines[0].allowancesCharges[0].reason BR-42",
                    "lines[0].allowancesCharges[0].reason BR-CO-23",
                ],
            ),
            // A file may repeat the tax of the line.
            (
                |it| {
                    let line = &mut it.content.lines[0];
                    line.allowances_charges[0].tax = line.tax.clone();
                },
                &[],
            ),
        ],
    );
    let mut without_net = swedish();
    without_net.figures.line_nets.clear();
    assert_eq!(document_violations(&without_net), ["lines[0].net BR-24"]);
}

#[test]
fn document_allowances_and_charges_require_amount_reason_and_category() {
    assert_violations(
        swedish,
        &[
            (
                |it| it.content.allowances_charges[0].amount.clear(),
                &["allowancesCharges[0].amount BR-31"],
            ),
            (
                |it| it.content.allowances_charges[1].amount.clear(),
                &["allowancesCharges[1].amount BR-36"],
            ),
            (
                |it| it.content.allowances_charges[0].tax.category.clear(),
                &[
                    "allowancesCharges[0].tax.category BR-32",
                    "taxBreakdown[0].taxable BR-S-08",
                ],
            ),
            (
                |it| it.content.allowances_charges[1].tax.category.clear(),
                &[
                    "allowancesCharges[1].tax.category BR-37",
                    "taxBreakdown[0].taxable BR-S-08",
                ],
            ),
            (
                |it| it.content.allowances_charges[0].reason.clear(),
                &[
                    "allowancesCharges[0].reason BR-33",
                    "allowancesCharges[0].reason BR-CO-21",
                ],
            ),
            (
                |it| it.content.allowances_charges[1].reason.clear(),
                &[
                    "allowancesCharges[1].reason BR-38",
                    "allowancesCharges[1].reason BR-CO-22",
                ],
            ),
            (
                |it| it.content.allowances_charges[0].reason_code = "XX".into(),
                &["allowancesCharges[0].reasonCode BR-CL-19"],
            ),
            (
                |it| it.content.allowances_charges[1].reason_code = "95".into(),
                &["allowancesCharges[1].reasonCode BR-CL-20"],
            ),
            (
                |it| {
                    it.specification = PEPPOL.into();
                    it.content.allowances_charges[0].base = "100.00".into();
                    it.content.allowances_charges[0].percent = "6".into();
                },
                &["allowancesCharges[0].amount PEPPOL-EN16931-R040"],
            ),
            (
                |it| {
                    it.content.allowances_charges[0].base = "100.00".into();
                    it.content.allowances_charges[0].percent = "6".into();
                },
                &[],
            ),
            (
                |it| {
                    it.specification = PEPPOL.into();
                    it.content.allowances_charges[0].percent = "5".into();
                },
                &["allowancesCharges[0].base PEPPOL-EN16931-R041"],
            ),
            (
                |it| {
                    it.specification = XRECHNUNG.into();
                    it.content.lines[0].allowances_charges[0].base = "100.00".into();
                },
                &["lines[0].allowancesCharges[0].percent PEPPOL-EN16931-R042"],
            ),
            // EN 16931 itself has neither rule.
            (
                |it| {
                    it.content.allowances_charges[0].percent = "5".into();
                    it.content.allowances_charges[1].base = "100.00".into();
                },
                &[],
            ),
            (
                |it| it.content.allowances_charges[0].tax.rate = "0".into(),
                &[
                    "allowancesCharges[0].tax.rate BR-S-06",
                    "taxBreakdown[0].taxable BR-S-08",
                ],
            ),
            (
                |it| it.content.allowances_charges[1].tax.rate = "0".into(),
                &[
                    "allowancesCharges[1].tax.rate BR-S-07",
                    "taxBreakdown[0].taxable BR-S-08",
                ],
            ),
        ],
    );
}

#[test]
fn tolerance_is_two_hundredths_of_the_currency_whatever_its_decimals() {
    const YEN: &str = "JPY";
    const DINARS: &str = "KWD";
    let with = |currency: &str, price: &str, percent: &str| {
        let mut document = swedish();
        document.specification = PEPPOL.into();
        document.content.currency = currency.into();
        document.content.lines[0].unit_price = price.into();
        let allowance = &mut document.content.allowances_charges[0];
        allowance.base = "100.00".into();
        allowance.percent = percent.into();
        document_violations(&document)
    };
    let net = "lines[0].net PEPPOL-EN16931-R120";
    let percentage = "allowancesCharges[0].amount PEPPOL-EN16931-R040";
    for (currency, price, percent, expected) in [
        // 90.02 for 90.00, as the rule has two decimals in every currency.
        (YEN, "50.01", "5.02", vec![]),
        // 90.40, which is 90 yen.
        (YEN, "50.2", "5", vec![net]),
        (YEN, "50", "5.4", vec![percentage]),
        (DINARS, "50.010", "5.02", vec![]),
        (DINARS, "50.0105", "5", vec![net]),
        (DINARS, "50", "5.021", vec![percentage]),
    ] {
        let found = with(currency, price, percent);
        assert_eq!(found, expected, "{price} and {percent} % in {currency}");
    }
}

#[test]
fn xrechnung_admits_half_a_forint() {
    let with = |specification: &str, currency: &str, price: &str| {
        let mut document = swedish();
        document.specification = specification.into();
        document.content.currency = currency.into();
        document.content.lines[0].unit_price = price.into();
        document_violations(&document)
    };
    let net = ["lines[0].net PEPPOL-EN16931-R120"];
    assert_eq!(with(XRECHNUNG, "HUF", "50.25"), [""; 0], "90.50 for 90.00");
    assert_eq!(with(XRECHNUNG, "HUF", "50.26"), net);
    assert_eq!(with(XRECHNUNG, "EUR", "50.25"), net);
    assert_eq!(with(PEPPOL, "HUF", "50.25"), net);
}

#[test]
fn numbers_of_a_received_document_have_any_digits_that_are_exact() {
    let with = |price: &str, rate: &str| {
        let mut document = swedish();
        document.specification = PEPPOL.into();
        document.content.lines[0].unit_price = price.into();
        document.content.lines[0].tax.rate = rate.into();
        document_violations(&document)
    };
    assert_eq!(with("49.999999999999", "25.000000"), [""; 0]);
    assert_eq!(with("49.9999999999999999", "25"), [""; 0], "18 digits");
    assert_eq!(
        with("49.99999999999999999", "25"),
        ["lines[0].unitPrice INV-TOO-LARGE"]
    );
    assert_eq!(
        with("50.0200000000000001", "25"),
        ["lines[0].net PEPPOL-EN16931-R120"]
    );
}
