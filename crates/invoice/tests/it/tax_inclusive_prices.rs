//! Tax-inclusive prices.

use crate::fixtures::{check_content, content, line, rules};
use invoice::content::{AllowanceCharge, Line};
use invoice::inclusive::{net_price, without_tax};
use invoice::{Content, decimal};
use proptest::prelude::*;

fn price(gross: &str, rate: &str) -> String {
    let number = |text| decimal::parse(text).expect("a number");
    decimal::print(net_price(number(gross), number(rate)).expect("it fits"))
}

/// The payable amount of lines with tax-inclusive prices, and BT-114.
fn payable(lines: Vec<Line>) -> (String, String) {
    let net = without_tax(&content(lines), &rules()).expect("numbers");
    let checked = check_content(&net);
    assert_eq!(checked.violations, []);
    let totals = checked.calculation.totals.expect("totals");
    (totals.payable.to_string(), net.rounding)
}

#[test]
fn net_price_excludes_the_tax_of_the_rate() {
    assert_eq!(price("115", "15"), "100");
    assert_eq!(price("10", "15"), "8.6956521739");
    assert_eq!(price("10", "0"), "10");
    assert_eq!(price("-0.05", "5"), "-0.0476190476");
    assert_eq!(
        price("9999999999999.99", "15"),
        "8695652173913.03478",
        "as many digits as there is room for"
    );
    let huge = decimal::parse("999999999999999999").expect("a number");
    assert_eq!(
        net_price(huge, decimal::parse("0").expect("a number")),
        Some(huge)
    );
}

#[test]
fn payable_amount_equals_the_entered_total() {
    let one = |gross| payable(vec![line("1", gross, "S", "15")]);
    assert_eq!(one("115"), ("115.00".into(), String::new()));
    // 8.70 and 1.31: the sum exceeds the entered 10.00 by 0.01.
    assert_eq!(one("10"), ("10.00".into(), "-0.01".into()));
    let three = payable(vec![
        line("3", "9.99", "S", "15"),
        line("2", "5", "Z", "0"),
        line("1", "10", "S", "5"),
    ]);
    assert_eq!(three.0, "49.97");
}

#[test]
fn allowance_suppresses_the_rounding_of_the_entered_total() {
    let mut content = content(vec![line("1", "10", "S", "15")]);
    content.lines[0].allowances_charges.push(AllowanceCharge {
        amount: "1".into(),
        reason: "discount".into(),
        ..AllowanceCharge::default()
    });
    let net = without_tax(&content, &rules()).expect("numbers");
    assert_eq!(net.lines[0].unit_price, "8.6956521739");
    assert_eq!(net.rounding, "");
}

#[test]
fn without_tax_of_an_invalid_number_is_none() {
    for (name, mutate) in [
        (
            "price",
            (|it| it.lines[0].unit_price = "ten".into()) as fn(&mut Content),
        ),
        ("rate", |it| it.lines[0].tax.rate = "-100".into()),
        ("quantity", |it| it.lines[0].quantity.clear()),
    ] {
        let mut content = content(vec![line("1", "10", "S", "15")]);
        mutate(&mut content);
        assert_eq!(without_tax(&content, &rules()), None, "{name}");
    }
}

proptest! {
    #[test]
    fn payable_amount_equals_any_entered_total_to_the_minor_unit(lines in prop::collection::vec(
        (1_u32..1_000, 1_u32..10_000_000, prop_oneof![Just("15"), Just("5"), Just("17.5"), Just("21")]), 1..20))
    {
        let entered: u64 = lines.iter().map(|(quantity, price, _)| u64::from(*quantity) * u64::from(*price)).sum();
        let lines = lines.iter().map(|(quantity, price, rate)| {
            line(&quantity.to_string(), &format!("{}.{:02}", price / 100, price % 100), "S", rate)
        });
        let (payable, _) = payable(lines.collect());
        prop_assert_eq!(payable, format!("{}.{:02}", entered / 100, entered % 100));
    }
}
