//! Totals of worked examples, including published errors of other programs.

use crate::fixtures::{
    content, expected_totals, line, totals_in, totals_of, violations_in, violations_of,
};
use invoice::content::{AllowanceCharge, ExpectedTotals, Tax};
use invoice::rules::{check_corrected, check_credit, check_credits};
use invoice::{Currency, Kind, Money};

#[test]
fn tax_of_1091_50_at_15_percent_is_163_73() {
    // 163.725; a tax authority rejected 163.72.
    assert_eq!(
        totals_of(&content(vec![line("1", "1091.50", "S", "15")])),
        expected_totals("1091.50", "163.73", "1255.23")
    );
}

#[test]
fn price_of_57_48_less_10_percent_at_21_percent_is_62_59() {
    let mut content = content(vec![line("1", "57.48", "S", "21")]);
    content.lines[0].allowances_charges.push(AllowanceCharge {
        base: "57.48".into(),
        percent: "10".into(),
        reason: "discount".into(),
        ..AllowanceCharge::default()
    });
    // 5.748 is rounded to 5.75, so 51.73 and not 51.732; 10.8633 to 10.86. Without intermediate rounding it would be 62.60.
    assert_eq!(
        totals_in("ES", &content),
        expected_totals("51.73", "10.86", "62.59")
    );
}

#[test]
fn amounts_in_kwd_bhd_and_omr_have_three_decimals() {
    for currency in ["KWD", "BHD", "OMR"] {
        // 3.7035 and 0.1852.
        let mut three = content(vec![line("3", "1.2345", "S", "5")]);
        three.currency = currency.into();
        assert_eq!(
            totals_of(&three),
            expected_totals("3.704", "0.185", "3.889"),
            "{currency}"
        );
        // 0.0005 is rounded up with three decimals, and to zero with two.
        let mut half = content(vec![line("1", "0.010", "S", "5")]);
        half.currency = currency.into();
        assert_eq!(
            totals_of(&half),
            expected_totals("0.010", "0.001", "0.011"),
            "{currency}"
        );
        let mut four = content(vec![line("1", "1", "S", "5")]);
        four.currency = currency.into();
        four.prepaid = "0.0001".into();
        assert_eq!(violations_of(&four), [("prepaid".to_owned(), "BR-DEC-16")]);
    }
}

#[test]
fn amounts_in_jpy_and_krw_have_no_decimals() {
    for (currency, country) in [("JPY", "JP"), ("KRW", "KR")] {
        // 100.5 and 10.1.
        let mut none = content(vec![line("3", "33.5", "S", "10")]);
        none.currency = currency.into();
        assert_eq!(
            totals_in(country, &none),
            expected_totals("101", "10", "111"),
            "{currency}"
        );
        none.prepaid = "0.5".into();
        let found = violations_in(country, &none);
        assert_eq!(found, [("prepaid".to_owned(), "BR-DEC-16")]);
    }
}

#[test]
fn thousand_lines_are_summed_exactly() {
    // 0.37, 0.74, … 370.00: 0.37 × 500,500.
    let lines = (1..=1_000).map(|count: u32| line(&count.to_string(), "0.37", "S", "15"));
    assert_eq!(
        totals_of(&content(lines.collect())),
        expected_totals("185185.00", "27777.75", "212962.75")
    );
    // A thousand times 0.015, each rounded up, and the tax of the sum.
    let lines = (0..1_000).map(|_| line("1", "0.015", "S", "15"));
    assert_eq!(
        totals_of(&content(lines.collect())),
        expected_totals("20.00", "3.00", "23.00")
    );
}

#[test]
fn amount_of_28_digits_is_reported_in_every_field() {
    let digits = "1234567890123456789012345678";
    let fraction = "12345678901234567890123456.78";
    let right = || content(vec![line("1", "1", "S", "15")]);
    for amount in [digits, fraction] {
        let mut cases = vec![right(); 6];
        cases[0].lines[0].unit_price = amount.into();
        cases[1].lines[0].quantity = amount.into();
        cases[2].prepaid = amount.into();
        cases[3].rounding = amount.into();
        cases[4].allowances_charges = vec![AllowanceCharge {
            amount: amount.into(),
            reason: "x".into(),
            tax: Tax {
                category: "S".into(),
                rate: "15".into(),
                ..Tax::default()
            },
            ..AllowanceCharge::default()
        }];
        cases[5].expected_totals = Some(ExpectedTotals {
            gross: amount.into(),
            ..ExpectedTotals::default()
        });
        let paths = [
            "lines[0].unitPrice",
            "lines[0].quantity",
            "prepaid",
            "rounding",
            "allowancesCharges[0].amount",
            "expectedTotals.gross",
        ];
        for (case, path) in cases.iter().zip(paths) {
            assert_eq!(
                violations_of(case),
                [(path.to_owned(), "INV-TOO-LARGE")],
                "{amount}"
            );
        }
    }
}

#[test]
fn credit_note_above_the_sum_of_its_originals_is_reported() {
    let sar = |minor| {
        let currency = Currency::parse("SAR").expect("a known code");
        Money::from_minor(minor, currency).expect("small")
    };
    let omani = Currency::parse("OMR").expect("a known code");
    let above = |gross, originals: &[Money]| {
        check_credit(Kind::CreditNote, gross, originals).map(|violation| violation.data)
    };
    assert_eq!(above(sar(100), &[sar(100)]), None);
    assert_eq!(above(sar(100), &[sar(60), sar(40)]), None);
    assert_eq!(
        above(sar(101), &[sar(60), sar(40)]),
        Some(vec![
            ("most", "1.00".to_owned()),
            ("computed", "1.01".to_owned())
        ])
    );
    assert_eq!(above(sar(101), &[]), None, "nothing is known of it");
    assert_eq!(above(sar(101), &[Money::zero(omani)]), None);
    assert_eq!(check_credit(Kind::DebitNote, sar(101), &[sar(1)]), None);
}

#[test]
fn credit_notes_together_above_their_originals_are_reported() {
    let sar = |minor| {
        let currency = Currency::parse("SAR").expect("a known code");
        Money::from_minor(minor, currency).expect("small")
    };
    let omani = Currency::parse("OMR").expect("a known code");
    assert_eq!(check_credits(sar(40), &[sar(60)], &[sar(100)]), None);
    let above = check_credits(sar(41), &[sar(50), sar(10)], &[sar(70), sar(30)]);
    let above = above.expect("1.01 of 1.00");
    assert_eq!(
        (above.path.as_str(), above.rule),
        ("preceding", "INV-CREDITS-ABOVE-ORIGINAL")
    );
    let data = [("most", "1.00"), ("earlier", "0.60"), ("computed", "0.41")];
    assert_eq!(
        above.data,
        data.map(|(name, value)| (name, value.to_owned()))
    );
    let alone = check_credits(sar(101), &[], &[sar(100)]);
    assert_eq!(alone, None, "another rule says it of one note alone");
    let other = check_credits(sar(101), &[Money::zero(omani)], &[sar(100)]);
    assert_eq!(other, None, "two currencies do not compare");
}

#[test]
fn documents_below_their_credit_notes_are_reported() {
    let sar = |minor| {
        let currency = Currency::parse("SAR").expect("a known code");
        Money::from_minor(minor, currency).expect("small")
    };
    let omani = Currency::parse("OMR").expect("a known code");
    let below = check_corrected(&[sar(50), sar(20)], &[sar(40), sar(31)]);
    let below = below.expect("0.70 for 0.71");
    assert_eq!(
        (below.path.as_str(), below.rule),
        ("lines", "INV-BELOW-CREDITS")
    );
    let data = [("least", "0.71"), ("computed", "0.70")];
    assert_eq!(
        below.data,
        data.map(|(name, value)| (name, value.to_owned()))
    );
    assert_eq!(check_corrected(&[sar(71)], &[sar(40), sar(31)]), None);
    assert_eq!(check_corrected(&[sar(0)], &[]), None, "no note");
    let other = check_corrected(&[sar(1)], &[Money::zero(omani)]);
    assert_eq!(other, None, "two currencies do not compare");
}
