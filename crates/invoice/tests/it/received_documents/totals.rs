//! Rules of declared amounts: totals, tax breakdown and decimals.

use super::assert_violations;
use crate::fixtures::document_violations;
use crate::fixtures::documents::swedish;
use crate::fixtures::mutations::Mutation;

#[test]
fn missing_and_wrong_totals_are_reported() {
    assert_violations(
        swedish,
        &[
            (
                |it| it.figures.totals.lines.clear(),
                &["totals.lines BR-12"],
            ),
            (|it| it.figures.totals.net.clear(), &["totals.net BR-13"]),
            (
                |it| it.figures.totals.gross.clear(),
                &["totals.gross BR-14"],
            ),
            (
                |it| it.figures.totals.payable.clear(),
                &["totals.payable BR-15"],
            ),
            (
                |it| it.figures.totals.lines = "90.01".into(),
                &["totals.lines BR-CO-10", "totals.net BR-CO-13"],
            ),
            (
                |it| it.figures.totals.allowances = "5.01".into(),
                &["totals.allowances BR-CO-11", "totals.net BR-CO-13"],
            ),
            (
                |it| it.figures.totals.charges.clear(),
                &["totals.charges BR-CO-12", "totals.net BR-CO-13"],
            ),
            (
                |it| it.figures.totals.net = "99.99".into(),
                &["totals.net BR-CO-13", "totals.gross BR-CO-15"],
            ),
            (
                |it| it.figures.totals.tax = "25.01".into(),
                &["totals.gross BR-CO-15", "totals.tax BR-CO-14"],
            ),
            (
                |it| it.figures.totals.gross = "125.01".into(),
                &["totals.gross BR-CO-15", "totals.payable BR-CO-16"],
            ),
            (
                |it| it.figures.totals.payable = "125.01".into(),
                &["totals.payable BR-CO-16"],
            ),
            (
                |it| it.content.prepaid = "25.00".into(),
                &["totals.payable BR-CO-16"],
            ),
            (
                |it| it.content.rounding = "0.50".into(),
                &["totals.payable BR-CO-16"],
            ),
            (
                |it| it.content.tax_currency = "EUR".into(),
                &["totals.taxInTaxCurrency BR-53"],
            ),
            (|it| it.content.due_date.clear(), &[]),
        ],
    );
}

#[test]
fn missing_and_wrong_tax_breakdown_rows_are_reported() {
    assert_violations(
        swedish,
        &[
            (
                |it| it.figures.tax_breakdown.clear(),
                &["taxBreakdown BR-CO-18", "taxBreakdown BR-S-01"],
            ),
            (
                |it| it.figures.tax_breakdown[0].taxable.clear(),
                &["taxBreakdown[0].taxable BR-45"],
            ),
            (
                |it| it.figures.tax_breakdown[0].tax.clear(),
                &["taxBreakdown[0].tax BR-46"],
            ),
            (
                |it| it.figures.tax_breakdown[0].category.clear(),
                &["taxBreakdown[0].category BR-47", "taxBreakdown BR-S-01"],
            ),
            (
                |it| it.figures.tax_breakdown[0].category = "Q".into(),
                &["taxBreakdown[0].category BR-CL-17", "taxBreakdown BR-S-01"],
            ),
            (
                |it| it.figures.tax_breakdown[0].taxable = "101.00".into(),
                &["taxBreakdown[0].taxable BR-S-08"],
            ),
            (
                |it| it.figures.tax_breakdown[0].tax = "26.00".into(),
                &[
                    "taxBreakdown[0].tax BR-S-09",
                    "taxBreakdown[0].tax BR-CO-17",
                    "totals.tax BR-CO-14",
                ],
            ),
            (
                |it| it.figures.tax_breakdown[0].exemption_reason = "none".into(),
                &["taxBreakdown[0].exemptionReason BR-S-10"],
            ),
            (
                |it| it.figures.tax_breakdown[0].rate.clear(),
                &[
                    "taxBreakdown[0].rate BR-48",
                    "taxBreakdown[0].taxable BR-S-08",
                    "taxBreakdown[0].tax BR-S-09",
                    "taxBreakdown[0].tax BR-CO-17",
                ],
            ),
        ],
    );
}

#[test]
fn tax_breakdown_is_within_one_unit_of_the_currency_where_there_is_a_rate() {
    let with = |category: &str, currency: &str, taxable: &str, tax: &str| {
        let mut document = swedish();
        document.content.currency = currency.into();
        let content = &mut document.content;
        content.lines[0].tax.category = category.into();
        for item in &mut content.allowances_charges {
            item.tax.category = category.into();
        }
        let row = &mut document.figures.tax_breakdown[0];
        row.category = category.into();
        row.taxable = taxable.into();
        row.tax = tax.into();
        let totals = &mut document.figures.totals;
        totals.tax = tax.into();
        totals.gross.clear();
        let found = document_violations(&document).into_iter();
        found
            .filter(|one| one.starts_with("taxBreakdown"))
            .collect::<Vec<_>>()
    };
    let taxable = |rule: &str| format!("taxBreakdown[0].taxable {rule}");
    let tax = |rule: &str| format!("taxBreakdown[0].tax {rule}");
    for (code, name) in [("S", "S"), ("L", "AF"), ("M", "AG")] {
        for amounts in [("100.99", "25.25"), ("99.01", "24.75"), ("100.00", "25.99")] {
            let found = with(code, "SEK", amounts.0, amounts.1);
            assert_eq!(found, [""; 0], "{code}: {amounts:?}");
        }
        assert_eq!(
            with(code, "SEK", "99.00", "24.75"),
            [taxable(&format!("BR-{name}-08"))]
        );
        assert_eq!(
            with(code, "SEK", "100.00", "24.00"),
            [tax(&format!("BR-{name}-09")), tax("BR-CO-17")]
        );
    }
    // Both 25 and 26 are within one yen of 25.25.
    for amount in ["25", "26", "25.25"] {
        assert_eq!(with("S", "JPY", "101", amount), [taxable("BR-S-08")]);
    }
    assert_eq!(with("S", "KWD", "100.000", "25.999"), [""; 0]);
}

#[test]
fn declared_amounts_have_two_decimals_also_where_the_currency_has_none() {
    let mut document = swedish();
    document.content.currency = "JPY".into();
    document.figures.totals.payable = "125.50".into();
    document.content.rounding = "0.50".into();
    assert_eq!(document_violations(&document), [""; 0]);
    document.content.rounding = "0.505".into();
    let found = document_violations(&document);
    assert!(
        found.contains(&"rounding BR-DEC-17".to_owned()),
        "{found:?}"
    );
}

#[test]
fn amounts_with_too_many_decimals_are_reported() {
    let rows: &[(Mutation, &str)] = &[
        (
            |it| it.content.allowances_charges[0].amount = "5.001".into(),
            "allowancesCharges[0].amount BR-DEC-01",
        ),
        (
            |it| it.content.allowances_charges[0].base = "5.001".into(),
            "allowancesCharges[0].base BR-DEC-02",
        ),
        (
            |it| it.content.allowances_charges[1].amount = "5.001".into(),
            "allowancesCharges[1].amount BR-DEC-05",
        ),
        (
            |it| it.content.allowances_charges[1].base = "5.001".into(),
            "allowancesCharges[1].base BR-DEC-06",
        ),
        (
            |it| it.figures.totals.lines = "1.001".into(),
            "totals.lines BR-DEC-09",
        ),
        (
            |it| it.figures.totals.allowances = "1.001".into(),
            "totals.allowances BR-DEC-10",
        ),
        (
            |it| it.figures.totals.charges = "1.001".into(),
            "totals.charges BR-DEC-11",
        ),
        (
            |it| it.figures.totals.net = "1.001".into(),
            "totals.net BR-DEC-12",
        ),
        (
            |it| it.figures.totals.tax = "1.001".into(),
            "totals.tax BR-DEC-13",
        ),
        (
            |it| it.figures.totals.gross = "1.001".into(),
            "totals.gross BR-DEC-14",
        ),
        (
            |it| {
                it.content.tax_currency = "JPY".into();
                it.figures.totals.tax_in_tax_currency = "1.505".into();
            },
            "totals.taxInTaxCurrency BR-DEC-15",
        ),
        (
            |it| it.content.prepaid = "1.001".into(),
            "prepaid BR-DEC-16",
        ),
        (
            |it| it.content.rounding = "1.001".into(),
            "rounding BR-DEC-17",
        ),
        (
            |it| it.figures.totals.payable = "1.001".into(),
            "totals.payable BR-DEC-18",
        ),
        (
            |it| it.figures.tax_breakdown[0].taxable = "1.001".into(),
            "taxBreakdown[0].taxable BR-DEC-19",
        ),
        (
            |it| it.figures.tax_breakdown[0].tax = "1.001".into(),
            "taxBreakdown[0].tax BR-DEC-20",
        ),
        (
            |it| it.figures.line_nets[0] = "1.001".into(),
            "lines[0].net BR-DEC-23",
        ),
        (
            |it| it.content.lines[0].allowances_charges[0].amount = "1.001".into(),
            "lines[0].allowancesCharges[0].amount BR-DEC-24",
        ),
        (
            |it| it.content.lines[0].allowances_charges[0].base = "1.001".into(),
            "lines[0].allowancesCharges[0].base BR-DEC-25",
        ),
        (
            |it| {
                it.content.lines[0].allowances_charges[0].is_charge = true;
                it.content.lines[0].allowances_charges[0].amount = "1.001".into();
            },
            "lines[0].allowancesCharges[0].amount BR-DEC-27",
        ),
        (
            |it| {
                it.content.lines[0].allowances_charges[0].is_charge = true;
                it.content.lines[0].allowances_charges[0].base = "1.001".into();
            },
            "lines[0].allowancesCharges[0].base BR-DEC-28",
        ),
    ];
    for (mutate, expected) in rows {
        let mut document = swedish();
        mutate(&mut document);
        let found = document_violations(&document);
        assert!(
            found.iter().any(|one| one == expected),
            "{expected}: {found:?}"
        );
    }
    let mut dinars = swedish();
    dinars.content.currency = "KWD".into();
    dinars.figures.totals.payable = "125.000".into();
    assert_eq!(
        document_violations(&dinars),
        [""; 0],
        "three decimals are right where the currency has three"
    );
}
