//! Tax-inclusive prices.

use crate::fixtures::{check_content, content, line};
use invoice::content::AllowanceCharge;
use invoice::inclusive::{net_price, reversible_price};
use invoice::{Currency, decimal, percentage_bases};
use proptest::prelude::*;

fn price(gross: &str, rate: &str) -> String {
    let number = |text| decimal::parse(text).expect("a number");
    decimal::print(net_price(number(gross), number(rate)).expect("it fits"))
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

proptest! {
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
