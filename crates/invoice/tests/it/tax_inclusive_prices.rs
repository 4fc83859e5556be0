//! Tax-inclusive prices.

use crate::fixtures::{check_content, content, line, rules};
use invoice::content::{AllowanceCharge, Line};
use invoice::inclusive::{net_price, reversible_price, without_tax};
use invoice::{Content, Currency, decimal, percentage_bases};
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

    // What is answered is what the check of the line then comes to, whatever quantity a price is for and whatever is allowed or
    // charged; and it is never further from what was typed than the rounding of price, line, allowances and tax.
    #[test]
    fn line_at_a_reversible_price_comes_to_what_is_answered(
        quantity in 1_u32..10_000,
        price in 1_u32..10_000_000,
        base in prop_oneof![Just(""), Just("1"), Just("10"), Just("12"), Just("1000")],
        rate in prop_oneof![Just("0"), Just("5"), Just("15"), Just("17.5")],
        allowances in prop::collection::vec((any::<bool>(), any::<bool>(), 0_u32..100), 0..4),
    ) {
        let mut line = line(&quantity.to_string(), "1", if rate == "0" { "Z" } else { "S" }, rate);
        base.clone_into(&mut line.price_base);
        for (is_charge, is_percentage, number) in allowances {
            let number = number.to_string();
            let (percent, amount) = if is_percentage { (number, String::new()) } else { (String::new(), number) };
            line.allowances_charges.push(AllowanceCharge {
                is_charge,
                percent,
                amount,
                reason: "agreed".into(),
                ..AllowanceCharge::default()
            });
        }
        let typed = decimal::parse(&format!("{}.{:02}", price / 100, price % 100)).expect("a number");
        let currency = Currency::parse("SAR").expect("a currency");
        let (found, is_reached) = match reversible_price(typed, &line, currency) {
            Ok(found) => (found.expect("numbers"), true),
            Err(nearest) => (nearest, false),
        };
        prop_assert_eq!(is_reached, found.with_tax == found.wanted);

        line.unit_price = decimal::print(found.price);
        let mut content = content(vec![line]);
        "SAR".clone_into(&mut content.currency);
        let bases = percentage_bases::percentage_bases(&content).expect("a currency");
        let of_line = bases.lines[0].expect("numbers");
        for item in &mut content.lines[0].allowances_charges {
            if !item.percent.is_empty() {
                item.base = of_line.to_string();
            }
        }
        let checked = check_content(&content);
        let totals = checked.calculation.totals.expect("totals");
        prop_assert_eq!(totals.gross, found.with_tax);
        let rest = found.with_tax.minus(found.wanted).expect("small").minor().abs();
        prop_assert!(rest <= 8, "{rest} of {:?}", found);
    }
}
