//! Amounts are those of whole-number arithmetic: with lines that take something back, allowances and charges of several rates, and in
//! currencies with and without decimals.

use std::collections::BTreeMap;

use invoice::content::{AllowanceCharge, Line, Tax};
use invoice::document::Figures;
use invoice::{
    Calculation, CheckContext, Content, Country, Currency, Document, check, check_document,
};
use proptest::prelude::*;
use rust_decimal::Decimal;

use crate::fixtures::{content, line, rules};

/// Category, rate, and the rate in thousandths of the amount.
const RATES: [(&str, &str, i128); 4] = [
    ("S", "5", 50),
    ("S", "15", 150),
    ("S", "7.5", 75),
    ("Z", "0", 0),
];
const CURRENCIES: [&str; 5] = ["AED", "KWD", "BHD", "JPY", "CLF"];

#[derive(Debug, Clone)]
struct SoldItem {
    /// In thousandths.
    quantity: i64,
    /// In ten-thousandths.
    price: i64,
    price_base: i64,
    rate: usize,
}

/// An allowance or charge of the document.
#[derive(Debug, Clone)]
struct Adjustment {
    is_charge: bool,
    minor: i64,
    rate: usize,
}

fn any_sold_item() -> impl Strategy<Value = SoldItem> {
    let quantity = prop_oneof![-99_999_i64..0, 1_i64..100_000];
    let price_base = prop_oneof![Just(1_i64), Just(7), Just(12), Just(1_000)];
    (quantity, 0_i64..10_000_000, price_base, 0..RATES.len()).prop_map(
        |(quantity, price, price_base, rate)| SoldItem {
            quantity,
            price,
            price_base,
            rate,
        },
    )
}

fn any_adjustment() -> impl Strategy<Value = Adjustment> {
    (any::<bool>(), 0_i64..100_000, 0..RATES.len()).prop_map(|(is_charge, minor, rate)| {
        Adjustment {
            is_charge,
            minor,
            rate,
        }
    })
}

fn tax(rate: usize) -> Tax {
    let (category, rate, _) = RATES[rate];
    Tax {
        category: category.into(),
        rate: rate.into(),
        ..Tax::default()
    }
}

fn sold(items: &[SoldItem], adjustments: &[Adjustment], currency: Currency) -> Content {
    let amount = |minor| Decimal::new(minor, currency.minor_units()).to_string();
    let lines = items.iter().map(|item| Line {
        price_base: item.price_base.to_string(),
        tax: tax(item.rate),
        ..line(
            &Decimal::new(item.quantity, 3).to_string(),
            &Decimal::new(item.price, 4).to_string(),
            "",
            "",
        )
    });
    let mut content = content(lines.collect());
    content.currency = currency.code().into();
    content.allowances_charges = adjustments
        .iter()
        .map(|item| AllowanceCharge {
            is_charge: item.is_charge,
            amount: amount(item.minor),
            reason: "agreed".into(),
            tax: tax(item.rate),
            ..AllowanceCharge::default()
        })
        .collect();
    content
}

/// The amounts of a seller in the Emirates. A negative total is a violation, and computed nevertheless.
fn computed(content: &Content) -> Calculation {
    let context = CheckContext {
        seller_country: Country::parse("AE").expect("a known code"),
        ..rules()
    };
    check(content, &context).calculation
}

/// The quotient, rounded half away from zero.
fn quotient(numerator: i128, denominator: i128) -> i128 {
    let magnitude = (2 * numerator.abs() + denominator) / (2 * denominator);
    magnitude * numerator.signum()
}

proptest! {
    #[test]
    fn amounts_are_rounded_at_the_line_and_once_for_each_rate(
        code in prop::sample::select(CURRENCIES.to_vec()),
        items in prop::collection::vec(any_sold_item(), 1..8),
        adjustments in prop::collection::vec(any_adjustment(), 0..6),
        prepaid in 0_i64..1_000_000,
        rounding in -99_i64..100,
    ) {
        let currency = Currency::parse(code).expect("a known code");
        let mut content = sold(&items, &adjustments, currency);
        content.prepaid = Decimal::new(prepaid, currency.minor_units()).to_string();
        content.rounding = Decimal::new(rounding, currency.minor_units()).to_string();
        let calculation = computed(&content);
        let totals = calculation.totals.expect("numbers");

        let mut taxable = BTreeMap::<usize, i128>::new();
        let mut nets = Vec::new();
        for item in &items {
            let product = i128::from(item.quantity) * i128::from(item.price) * 10_i128.pow(currency.minor_units());
            let net = quotient(product, i128::from(item.price_base) * 10_i128.pow(3 + 4));
            *taxable.entry(item.rate).or_default() += net;
            nets.push(net);
        }
        for item in &adjustments {
            let sign = if item.is_charge { 1 } else { -1 };
            *taxable.entry(item.rate).or_default() += sign * i128::from(item.minor);
        }
        let net: i128 = taxable.values().sum();
        let tax: i128 = taxable.iter().map(|(rate, amount)| quotient(amount * RATES[*rate].2, 1_000)).sum();

        let found: Vec<_> = calculation.lines.iter().map(|net| i128::from(net.expect("numbers").minor())).collect();
        prop_assert_eq!(&found, &nets);
        prop_assert_eq!(i128::from(totals.lines.minor()), nets.iter().sum::<i128>());
        prop_assert_eq!(i128::from(totals.net.minor()), net);
        prop_assert_eq!(i128::from(totals.tax.minor()), tax);
        prop_assert_eq!(i128::from(totals.gross.minor()), net + tax);
        prop_assert_eq!(i128::from(totals.payable.minor()), net + tax - i128::from(prepaid) + i128::from(rounding));
        prop_assert_eq!(calculation.tax_breakdown.len(), taxable.len());
    }

    #[test]
    fn what_is_taken_back_comes_to_what_was_sold(
        code in prop::sample::select(CURRENCIES.to_vec()),
        items in prop::collection::vec(any_sold_item(), 1..8),
        adjustments in prop::collection::vec(any_adjustment(), 0..6),
    ) {
        let currency = Currency::parse(code).expect("a known code");
        let taken_back: Vec<_> = items.iter().map(|item| SoldItem { quantity: -item.quantity, ..item.clone() }).collect();
        let reversed: Vec<_> =
            adjustments.iter().map(|item| Adjustment { is_charge: !item.is_charge, ..item.clone() }).collect();
        let one = computed(&sold(&items, &adjustments, currency)).totals.expect("numbers");
        let other = computed(&sold(&taken_back, &reversed, currency)).totals.expect("numbers");
        for (one, other) in [(one.lines, other.lines), (one.net, other.net), (one.tax, other.tax), (one.gross, other.gross)] {
            prop_assert_eq!(one.minor(), -other.minor());
        }
    }

    #[test]
    fn amounts_of_a_content_are_right_in_its_file(
        code in prop::sample::select(CURRENCIES.to_vec()),
        items in prop::collection::vec(any_sold_item(), 1..8),
        adjustments in prop::collection::vec(any_adjustment(), 0..6),
    ) {
        let currency = Currency::parse(code).expect("a known code");
        let content = sold(&items, &adjustments, currency);
        let figures = Figures::of(&computed(&content)).expect("numbers");
        let mut document = Document { content, figures, ..Document::default() };
        document.seller.address.country = "AE".into();
        let found = check_document(&document, rules().today).violations;
        let wrong: Vec<_> = found
            .iter()
            .filter(|one| one.path.ends_with(".net") || ["totals.", "taxBreakdown"].iter().any(|path| one.path.starts_with(path)))
            .collect();
        prop_assert!(wrong.is_empty(), "{:?}", wrong);
    }
}
