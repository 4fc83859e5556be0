//! Explains how each amount is computed: its inputs, its value before rounding, and the rule.

use std::collections::BTreeMap;

use rust_decimal::Decimal;

use crate::calculation::Calculation;
use crate::content::{AllowanceCharge, Content, Line, Tax};
use crate::tax::{Category, CategoryRule};
use crate::{CheckReport, Money, TaxSubtotal, decimal};

/// The largest number of fraction digits of an unrounded value.
const MAX_FRACTION_DIGITS: usize = 12;

/// The computation of one amount.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The JSON path of the amount: `totals.tax`, `lines[2].net`.
    pub path: String,
    /// The business term of the amount: `BT-110`.
    pub term: &'static str,
    /// The rule that defines the computation.
    pub rule: &'static str,
    /// The operands, in order: of a product or a sum.
    pub inputs: Vec<Input>,
    /// The value before rounding half away from zero. `None` for a sum, which is exact.
    pub unrounded: Option<Unrounded>,
    /// The amount.
    pub result: Money,
}

/// One operand of a computation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    /// How the operand is applied.
    pub operation: Operation,
    /// The JSON path of the operand.
    pub path: String,
    /// Its value.
    pub value: Decimal,
}

/// How an operand is applied. A product comes first and is rounded before a sum.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// Multiply.
    Times,
    /// Multiply by the operand in percent.
    TimesPercent,
    /// Divide.
    DividedBy,
    /// Add.
    Plus,
    /// Subtract.
    Minus,
}

/// A value before rounding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unrounded {
    /// Its digits: `163.725`.
    pub digits: String,
    /// Whether the digits are the exact value.
    pub is_exact: bool,
}

/// Explains every computed amount of a checked content, in the order of computation. Amounts that could not be
/// computed are omitted.
#[must_use]
pub fn explain(content: &Content, checked: &CheckReport) -> Vec<Step> {
    let calculation = &checked.calculation;
    let mut steps = Vec::new();
    for (index, line) in content.lines.iter().enumerate() {
        if let Some(net) = calculation.lines.get(index).copied().flatten() {
            explain_line(&mut steps, index, line, net);
        }
    }
    let Some(totals) = &calculation.totals else {
        return steps;
    };
    for (index, item) in content.allowances_charges.iter().enumerate() {
        percentage(
            &mut steps,
            &format!("allowancesCharges[{index}].amount"),
            if item.is_charge { "BT-99" } else { "BT-92" },
            item,
            totals.net,
        );
    }
    let nets = calculation.lines.iter().enumerate();
    let nets = nets.filter_map(|(index, net)| Some((format!("lines[{index}].net"), (*net)?)));
    let sum = |path: &str, term, rule, inputs, result| Step {
        path: path.to_owned(),
        term,
        rule,
        inputs,
        unrounded: None,
        result,
    };
    let lines = nets.map(|(path, net)| plus(path, net)).collect();
    steps.push(sum(
        "totals.lines",
        "BT-106",
        "BR-CO-10",
        lines,
        totals.lines,
    ));
    for (is_charge, path, term, rule, result) in [
        (
            false,
            "totals.allowances",
            "BT-107",
            "BR-CO-11",
            totals.allowances,
        ),
        (true, "totals.charges", "BT-108", "BR-CO-12", totals.charges),
    ] {
        let items = items(content, totals.net);
        let items = items.filter(|(_, (item, _))| item.is_charge == is_charge);
        let inputs = items.map(|(path, item)| plus(path, item.1)).collect();
        steps.push(sum(path, term, rule, inputs, result));
    }
    let inputs = vec![
        plus("totals.lines", totals.lines),
        minus("totals.allowances", totals.allowances),
        plus("totals.charges", totals.charges),
    ];
    steps.push(sum("totals.net", "BT-109", "BR-CO-13", inputs, totals.net));
    let mut taxed = taxable_inputs(content, calculation, totals.net);
    for (index, row) in calculation.tax_breakdown.iter().enumerate() {
        let inputs = taxed.remove(&(row.category, row.rate));
        explain_row(&mut steps, index, row, inputs.unwrap_or_default());
    }
    let rows = calculation.tax_breakdown.iter().enumerate();
    let rows = rows.map(|(index, row)| plus(format!("taxBreakdown[{index}].tax"), row.tax));
    steps.push(sum(
        "totals.tax",
        "BT-110",
        "BR-CO-14",
        rows.collect(),
        totals.tax,
    ));
    if let Some(converted) = totals.tax_in_tax_currency
        && let Ok(rate) = decimal::parse(&content.exchange_rate)
    {
        steps.push(Step {
            path: "totals.taxInTaxCurrency".to_owned(),
            term: "BT-111",
            rule: "BR-53",
            inputs: vec![
                input(Operation::Times, "totals.tax", totals.tax.amount()),
                input(Operation::Times, "exchangeRate", rate),
            ],
            unrounded: expanded(totals.tax.amount(), rate, Decimal::ONE),
            result: converted,
        });
    }
    let inputs = vec![
        plus("totals.net", totals.net),
        plus("totals.tax", totals.tax),
    ];
    steps.push(sum(
        "totals.gross",
        "BT-112",
        "BR-CO-15",
        inputs,
        totals.gross,
    ));
    let inputs = vec![
        plus("totals.gross", totals.gross),
        minus("prepaid", totals.prepaid),
        plus("rounding", totals.rounding),
    ];
    steps.push(sum(
        "totals.payable",
        "BT-115",
        "BR-CO-16",
        inputs,
        totals.payable,
    ));
    steps
}

/// Explains BT-131, and before it the percentages of its allowances and charges.
fn explain_line(steps: &mut Vec<Step>, index: usize, line: &Line, net: Money) {
    let path = format!("lines[{index}]");
    let (Ok(quantity), Ok(price)) = (
        decimal::parse(&line.quantity),
        decimal::parse(&line.unit_price),
    ) else {
        return;
    };
    let base = decimal::parse(&line.price_base).unwrap_or(Decimal::ONE);
    let mut inputs = vec![
        input(Operation::Times, format!("{path}.quantity"), quantity),
        input(Operation::Times, format!("{path}.unitPrice"), price),
    ];
    if base != Decimal::ONE {
        inputs.push(input(
            Operation::DividedBy,
            format!("{path}.priceBase"),
            base,
        ));
    }
    for (at, item) in line.allowances_charges.iter().enumerate() {
        let path = format!("{path}.allowancesCharges[{at}].amount");
        let term = if item.is_charge { "BT-141" } else { "BT-136" };
        percentage(steps, &path, term, item, net);
        if let Some(amount) = amount(item, net) {
            inputs.push(signed(item, path, amount));
        }
    }
    steps.push(Step {
        path: format!("{path}.net"),
        term: "BT-131",
        rule: "PEPPOL-EN16931-R120",
        inputs,
        unrounded: expanded(quantity, price, base),
        result: net,
    });
}

/// The operands of BT-116 by category and rate: collected once, because every line can have a rate of its own.
fn taxable_inputs(
    content: &Content,
    calculation: &Calculation,
    like: Money,
) -> BTreeMap<(Category, Decimal), Vec<Input>> {
    let mut taxed = BTreeMap::<_, Vec<_>>::new();
    let mut add = |tax: &Tax, input: Input| {
        if let Some(category) = Category::parse(&tax.category) {
            let rate = decimal::parse(&tax.rate).unwrap_or_default();
            taxed.entry((category, rate)).or_default().push(input);
        }
    };
    for (at, line) in content.lines.iter().enumerate() {
        if let Some(net) = calculation.lines.get(at).copied().flatten() {
            add(&line.tax, plus(format!("lines[{at}].net"), net));
        }
    }
    for (path, (item, amount)) in items(content, like) {
        add(&item.tax, signed(item, path, amount));
    }
    taxed
}

/// Explains BT-116, which has the `inputs`, and BT-117.
fn explain_row(steps: &mut Vec<Step>, index: usize, row: &TaxSubtotal, inputs: Vec<Input>) {
    let path = format!("taxBreakdown[{index}]");
    steps.push(Step {
        path: format!("{path}.taxable"),
        term: "BT-116",
        // Split payment has no rule for the taxable amount.
        rule: row.category.rule(CategoryRule::Taxable).unwrap_or("BR-45"),
        inputs,
        unrounded: None,
        result: row.taxable,
    });
    steps.push(Step {
        path: format!("{path}.tax"),
        term: "BT-117",
        rule: "BR-CO-17",
        inputs: vec![
            input(
                Operation::Times,
                format!("{path}.taxable"),
                row.taxable.amount(),
            ),
            input(Operation::TimesPercent, format!("{path}.rate"), row.rate),
        ],
        unrounded: expanded(row.taxable.amount(), row.rate, Decimal::ONE_HUNDRED),
        result: row.tax,
    });
}

/// Explains an amount that is a percentage of a base.
fn percentage(
    steps: &mut Vec<Step>,
    path: &str,
    term: &'static str,
    item: &AllowanceCharge,
    like: Money,
) {
    let (Ok(base), Ok(percent), Some(result)) = (
        decimal::parse(&item.base),
        decimal::parse(&item.percent),
        amount(item, like),
    ) else {
        return;
    };
    let around = path.trim_end_matches("amount");
    steps.push(Step {
        path: path.to_owned(),
        term,
        rule: "PEPPOL-EN16931-R040",
        inputs: vec![
            input(Operation::Times, format!("{around}base"), base),
            input(Operation::TimesPercent, format!("{around}percent"), percent),
        ],
        unrounded: expanded(base, percent, Decimal::ONE_HUNDRED),
        result,
    });
}

/// The allowances and charges of the document, each with its path and amount.
fn items(
    content: &Content,
    like: Money,
) -> impl Iterator<Item = (String, (&AllowanceCharge, Money))> {
    let all = content.allowances_charges.iter().enumerate();
    all.filter_map(move |(index, item)| {
        let path = format!("allowancesCharges[{index}].amount");
        Some((path, (item, amount(item, like)?)))
    })
}

/// The amount of an allowance or charge, in the currency of `like`.
fn amount(item: &AllowanceCharge, like: Money) -> Option<Money> {
    if let Ok(amount) = decimal::parse(&item.amount) {
        return Money::exact(amount, like.currency());
    }
    let base = decimal::parse(&item.base).ok()?;
    let percent = decimal::parse(&item.percent).ok()?;
    crate::calculation::percentage(base, percent, like.currency())
}

fn expanded(left: Decimal, right: Decimal, divisor: Decimal) -> Option<Unrounded> {
    let (digits, is_exact) = decimal::expand(left, right, divisor, MAX_FRACTION_DIGITS)?;
    Some(Unrounded { digits, is_exact })
}

fn input(operation: Operation, path: impl Into<String>, value: Decimal) -> Input {
    Input {
        operation,
        path: path.into(),
        value,
    }
}

fn plus(path: impl Into<String>, amount: Money) -> Input {
    input(Operation::Plus, path, amount.amount())
}

fn minus(path: impl Into<String>, amount: Money) -> Input {
    input(Operation::Minus, path, amount.amount())
}

fn signed(item: &AllowanceCharge, path: String, amount: Money) -> Input {
    if item.is_charge {
        plus(path, amount)
    } else {
        minus(path, amount)
    }
}
