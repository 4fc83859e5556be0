//! Explanations of amounts.

use crate::fixtures::{check_content, content, line};
use invoice::content::{AllowanceCharge, Tax};
use invoice::explanation::{Operation, Step, Unrounded};
use invoice::{Content, Money, decimal, explain};
use proptest::prelude::*;
use rust_decimal::Decimal;

fn explained(content: &Content) -> Vec<Step> {
    explain(content, &check_content(content))
}

fn step(content: &Content, path: &str) -> Step {
    let steps = explained(content);
    let found = steps.into_iter().find(|step| step.path == path);
    found.unwrap_or_else(|| panic!("{path} is explained"))
}

/// Computes the result of a step from its inputs.
fn recompute(step: &Step) -> Money {
    let currency = step.result.currency();
    let mut product = None;
    let mut divisor = Decimal::ONE;
    let mut sum = Money::zero(currency);
    let mut factors = Vec::new();
    for input in &step.inputs {
        let amount = || Money::exact(input.value, currency).expect("an amount");
        match input.operation {
            Operation::Times => factors.push(input.value),
            Operation::TimesPercent => {
                factors.push(input.value);
                divisor = Decimal::ONE_HUNDRED;
            }
            Operation::DividedBy => divisor = input.value,
            Operation::Plus => sum = sum.plus(amount()).expect("small"),
            Operation::Minus => sum = sum.minus(amount()).expect("small"),
        }
    }
    if let [left, right] = factors[..] {
        product = Money::multiply_divide(left, right, divisor, currency);
    }
    product.map_or(sum, |product| sum.plus(product).expect("small"))
}

#[test]
fn tax_explanation_has_the_unrounded_value() {
    let content = content(vec![line("1", "1091.50", "S", "15")]);
    let tax = step(&content, "taxBreakdown[0].tax");
    assert_eq!((tax.term, tax.rule), ("BT-117", "BR-CO-17"));
    assert_eq!(
        tax.unrounded,
        Some(Unrounded {
            digits: "163.725".into(),
            is_exact: true
        })
    );
    assert_eq!(tax.result.to_string(), "163.73");
}

#[test]
fn line_explanation_has_product_and_allowance() {
    let mut content = content(vec![line("7", "10", "S", "15")]);
    content.lines[0].price_base = "3".into();
    content.lines[0].allowances_charges = vec![AllowanceCharge {
        base: "20.00".into(),
        percent: "12.5".into(),
        reason: "agreed".into(),
        ..AllowanceCharge::default()
    }];
    let net = step(&content, "lines[0].net");
    let inputs: Vec<_> = net
        .inputs
        .iter()
        .map(|input| (input.path.as_str(), decimal::print(input.value)))
        .collect();
    assert_eq!(
        inputs,
        [
            ("lines[0].quantity", "7".into()),
            ("lines[0].unitPrice", "10".into()),
            ("lines[0].priceBase", "3".into()),
            ("lines[0].allowancesCharges[0].amount", "2.5".into()),
        ]
    );
    let unrounded = net.unrounded.expect("a product");
    assert_eq!(
        (unrounded.digits.as_str(), unrounded.is_exact),
        ("23.333333333333", false)
    );
    assert_eq!(net.result.to_string(), "20.83");
    assert_eq!(
        step(&content, "lines[0].allowancesCharges[0].amount")
            .result
            .to_string(),
        "2.50"
    );
}

#[test]
fn amount_that_cannot_be_computed_has_no_explanation() {
    let content = content(vec![line("2", "5", "S", "15"), line("x", "5", "S", "15")]);
    let paths: Vec<_> = explained(&content)
        .into_iter()
        .map(|step| step.path)
        .collect();
    assert_eq!(paths, ["lines[0].net"]);
}

proptest! {
    #[test]
    fn every_explained_amount_follows_from_its_inputs(
        lines in prop::collection::vec((1_u32..1_000, 0_u32..100_000, 1_u32..9, 0_usize..3), 1..8), off in 0_u32..1_000, percent in 0_u32..100,
    ) {
        let rates = [("S", "15"), ("S", "5"), ("Z", "0")];
        let mut content = content(lines.iter().map(|(quantity, cents, base, kind)| {
            let (category, rate) = rates[*kind];
            let mut line = line(&quantity.to_string(), &Decimal::new(i64::from(*cents), 2).to_string(), category, rate);
            line.price_base = base.to_string();
            line
        }).collect());
        content.allowances_charges = vec![
            AllowanceCharge { amount: Decimal::new(i64::from(off), 2).to_string(), reason: "x".into(), is_charge: true, tax: Tax { category: "S".into(), rate: "15".into(), ..Tax::default() }, ..AllowanceCharge::default() },
            AllowanceCharge { base: "3.33".into(), percent: percent.to_string(), reason: "x".into(), is_charge: true, tax: Tax { category: "Z".into(), rate: "0".into(), ..Tax::default() }, ..AllowanceCharge::default() },
        ];
        let steps = explained(&content);
        prop_assert_eq!(steps.last().map(|step| step.path.as_str()), Some("totals.payable"));
        for step in &steps {
            prop_assert_eq!(recompute(step), step.result, "{:?}", step);
        }
    }
}
