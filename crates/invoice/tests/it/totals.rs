//! Totals of contents, exact to the minor unit.

use crate::fixtures::{
    check_content, content, expected_totals, line, totals_in, totals_of, violations_in,
    violations_of,
};
use invoice::content::{AllowanceCharge, ExpectedTotals, Tax};

#[test]
fn tax_is_computed_once_for_each_category_and_rate() {
    // Three times 0.10 at 5 %: 0.005 each would give 0.03; the sum gives 0.015, rounded to 0.02.
    let lines = vec![
        line("1", "0.10", "S", "5"),
        line("1", "0.10", "S", "5.00"),
        line("1", "0.10", "S", "5"),
    ];
    assert_eq!(
        totals_of(&content(lines)),
        expected_totals("0.30", "0.02", "0.32")
    );
}

#[test]
fn price_base_divides_the_price() {
    let mut content = content(vec![line("7", "10", "S", "15")]);
    content.lines[0].price_base = "3".into();
    assert_eq!(totals_of(&content).0, "23.33");
}

#[test]
fn document_allowances_and_charges_are_taxed_by_their_own_category() {
    let mut content = content(vec![line("1", "100", "S", "15")]);
    let tax = |rate: &str| Tax {
        category: "S".into(),
        rate: rate.into(),
        ..Tax::default()
    };
    content.allowances_charges = vec![
        AllowanceCharge {
            amount: "10".into(),
            reason: "loyalty".into(),
            tax: tax("15"),
            ..AllowanceCharge::default()
        },
        AllowanceCharge {
            is_charge: true,
            amount: "20.00".into(),
            reason: "freight".into(),
            reason_code: "FC".into(),
            tax: tax("5"),
            ..AllowanceCharge::default()
        },
    ];
    assert_eq!(
        totals_of(&content),
        expected_totals("110.00", "14.50", "124.50")
    );
    let totals = check_content(&content).calculation.totals.expect("totals");
    assert_eq!(
        (totals.allowances.to_string(), totals.charges.to_string()),
        ("10.00".into(), "20.00".into())
    );
    assert_eq!(check_content(&content).calculation.tax_breakdown.len(), 2);
}

/// A percentage of a base, or an amount.
fn item(is_charge: bool, base: &str, percent: &str, amount: &str) -> AllowanceCharge {
    AllowanceCharge {
        is_charge,
        base: base.into(),
        percent: percent.into(),
        amount: amount.into(),
        reason: "agreed".into(),
        ..AllowanceCharge::default()
    }
}

#[test]
fn line_that_takes_something_back_takes_its_allowances_and_charges_back() {
    let sold = || {
        let mut sold = line("5", "10", "S", "5");
        sold.allowances_charges = vec![item(false, "50.00", "10", "")];
        sold
    };
    for (items, net) in [
        // 10 % of −10.00 is −1.00: the line comes to −9.00.
        (vec![item(false, "-10.00", "10", "")], "-9.00"),
        (vec![item(false, "-10.00", "10", "-1.00")], "-9.00"),
        (vec![item(false, "", "", "-1.00")], "-9.00"),
        (vec![item(true, "-10.00", "5", "")], "-10.50"),
        // A charge for the return itself is none of what was sold.
        (vec![item(true, "", "", "2.00")], "-8.00"),
    ] {
        let mut returned = line("-1", "10", "S", "5");
        returned.allowances_charges = items;
        let content = content(vec![sold(), returned]);
        assert_eq!(violations_in("AE", &content), [], "{net}");
        let nets = check_content(&content).calculation.lines;
        assert_eq!(nets[1].map(|net| net.to_string()).as_deref(), Some(net));
    }
    let mut returned = line("-1", "10", "S", "5");
    returned.allowances_charges = vec![item(false, "-10.00", "10", "")];
    assert_eq!(
        totals_in("AE", &content(vec![sold(), returned])),
        expected_totals("36.00", "1.80", "37.80")
    );
}

#[test]
fn percentage_of_a_negative_base_is_rounded_away_from_zero() {
    let mut returned = line("-1", "0.05", "S", "5");
    returned.allowances_charges = vec![item(false, "-0.05", "10", "")];
    // 10 % of −0.05 is −0.005, rounded to −0.01: 1.00 − 0.04 is 0.96, and 0.048 of tax is 0.05.
    assert_eq!(
        totals_in("AE", &content(vec![line("1", "1", "S", "5"), returned])),
        expected_totals("0.96", "0.05", "1.01")
    );
}

#[test]
fn allowance_of_a_line_that_sells_something_is_not_negative() {
    for item in [item(false, "-10.00", "10", ""), item(true, "", "", "-1.00")] {
        let mut content = content(vec![line("1", "10", "S", "5")]);
        content.lines[0].allowances_charges = vec![item];
        let path = "lines[0].allowancesCharges[0].amount".to_owned();
        assert_eq!(violations_in("AE", &content), [(path, "INV-NEGATIVE")]);
    }
}

#[test]
fn payable_amount_includes_prepaid_and_rounding() {
    let mut content = content(vec![line("1", "100", "S", "15")]);
    content.prepaid = "15".into();
    content.rounding = "-0.25".into();
    let totals = check_content(&content).invoice.expect("valid").totals;
    assert_eq!(
        (totals.gross.to_string(), totals.payable.to_string()),
        ("115.00".into(), "99.75".into())
    );
}

#[test]
fn tax_is_computed_in_the_tax_currency() {
    let mut content = content(vec![line("1", "1000", "S", "15")]);
    content.currency = "EUR".into();
    content.tax_currency = "KWD".into();
    content.exchange_rate = "0.3333333".into();
    let totals = check_content(&content).invoice.expect("valid").totals;
    assert_eq!(
        totals.tax_in_tax_currency.map(|tax| format!("{tax:?}")),
        Some("KWD 50.000".into())
    );
}

#[test]
fn wrong_expected_total_is_reported_with_both_amounts() {
    let mut content = content(vec![line("1", "1091.50", "S", "15")]);
    content.expected_totals = Some(ExpectedTotals {
        tax: "163.72".into(),
        net: "1091.5".into(),
        ..ExpectedTotals::default()
    });
    let violations = check_content(&content).violations;
    assert_eq!(violations.len(), 1, "{violations:?}");
    assert_eq!(
        (violations[0].path.as_str(), violations[0].rule),
        ("expectedTotals.tax", "INV-EXPECTED-TOTAL")
    );
    assert_eq!(
        violations[0].data,
        [("computed", "163.73".into()), ("expected", "163.72".into())]
    );
}

#[test]
fn too_large_amounts_are_reported_at_their_field() {
    let huge = content(vec![line("999999999", "9999999999", "S", "15")]);
    assert_eq!(
        violations_of(&huge),
        [("lines[0].unitPrice".to_owned(), "INV-TOO-LARGE")]
    );
    let digits = content(vec![line("1", "1234567890123456789", "S", "15")]);
    assert_eq!(
        violations_of(&digits),
        [("lines[0].unitPrice".to_owned(), "INV-TOO-LARGE")]
    );
    let many = content(vec![
        line("1", "99999999999999", "S", "15"),
        line("1", "1", "S", "15"),
    ]);
    assert_eq!(
        violations_of(&many),
        [("lines".to_owned(), "INV-TOO-LARGE")]
    );
}

#[test]
fn valid_lines_are_computed_while_others_are_invalid() {
    let checked = check_content(&content(vec![
        line("2", "5", "S", "15"),
        line("x", "5", "S", "15"),
    ]));
    let nets: Vec<_> = checked
        .calculation
        .lines
        .iter()
        .map(|net| net.map(|net| net.to_string()))
        .collect();
    assert_eq!(nets, [Some("10.00".to_owned()), None]);
    assert_eq!(
        checked.calculation.totals, None,
        "half a total would mislead"
    );
}
