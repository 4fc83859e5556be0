//! Checks the declared totals of a document against its declared parts (BR-CO-10 to 16).

use super::{DeclaredTotals, breakdown, taxable_amounts};
use crate::calculation::Calculation;
use crate::rules::Scope;
use crate::violation::Violations;
use crate::{Currency, Document, Money};

/// Checks every declared amount of a document.
pub(in crate::rules) fn check_figures(
    violations: &mut Violations,
    document: &Document,
    calculation: &Calculation,
    scope: &Scope<'_>,
) {
    let currency = Currency::of_declared_amounts(&document.content.currency);
    let totals = &document.figures.totals;
    let mut read = |name: &str, text: &str, digits: &'static str| {
        violations
            .amount(format_args!("totals.{name}"), text, Some(currency), digits)
            .ok()
            .flatten()
    };
    let lines = read("lines", &totals.lines, "BR-DEC-09");
    let allowances = read("allowances", &totals.allowances, "BR-DEC-10");
    let charges = read("charges", &totals.charges, "BR-DEC-11");
    let net = read("net", &totals.net, "BR-DEC-12");
    let tax = read("tax", &totals.tax, "BR-DEC-13");
    let gross = read("gross", &totals.gross, "BR-DEC-14");
    let payable = read("payable", &totals.payable, "BR-DEC-18");
    for (name, text, rule) in [
        ("lines", &totals.lines, "BR-12"),
        ("net", &totals.net, "BR-13"),
        ("gross", &totals.gross, "BR-14"),
        ("payable", &totals.payable, "BR-15"),
    ] {
        violations.required(
            format_args!("totals.{name}"),
            text,
            rule,
            "this total is required",
        );
    }
    tax_currency(violations, document);
    one_tax_total(violations, document, scope);

    let zero = Money::zero(currency);
    let or_zero = |amount: Option<Money>| amount.unwrap_or(zero);
    let sum = |signs: &[(Option<Money>, bool)]| {
        signs.iter().try_fold(zero, |sum, (amount, plus)| {
            if *plus {
                sum.plus((*amount)?)
            } else {
                sum.minus((*amount)?)
            }
        })
    };
    let mut equal = |name: &str, rule, declared: Option<Money>, computed: Option<Money>| {
        violations.compare_declared(format_args!("totals.{name}"), rule, declared, computed);
    };
    let line_sum = calculation
        .lines
        .iter()
        .try_fold(zero, |sum, net| sum.plus((*net)?));
    equal("lines", "BR-CO-10", lines, line_sum);
    let items = &document.content.allowances_charges;
    for (is_charge, name, rule, declared) in [
        (false, "allowances", "BR-CO-11", allowances),
        (true, "charges", "BR-CO-12", charges),
    ] {
        let mut items = items.iter().filter(|item| item.is_charge == is_charge);
        let sum = items.try_fold(zero, |sum, item| {
            sum.plus(taxable_amounts::amount(item, currency)?)
        });
        // An empty sum may be omitted.
        equal(name, rule, Some(or_zero(declared)), sum);
    }
    equal(
        "net",
        "BR-CO-13",
        net,
        sum(&[
            (lines, true),
            (Some(or_zero(allowances)), false),
            (Some(or_zero(charges)), true),
        ]),
    );
    equal(
        "gross",
        "BR-CO-15",
        gross,
        sum(&[(net, true), (Some(or_zero(tax)), true)]),
    );
    // Both are input terms and were checked with the header.
    let settled = |text: &str| {
        if text.is_empty() {
            return Some(zero);
        }
        Money::exact(crate::decimal::parse(text).ok()?, currency)
    };
    let (prepaid, rounding) = (
        settled(&document.content.prepaid),
        settled(&document.content.rounding),
    );
    equal(
        "payable",
        "BR-CO-16",
        payable,
        sum(&[(gross, true), (prepaid, false), (rounding, true)]),
    );
    breakdown::check(
        violations,
        document,
        calculation,
        scope,
        &DeclaredTotals { currency, tax },
    );
}

/// BR-CO-15 also requires one tax total in the document currency. In Saudi Arabia a second one is in the tax currency.
///
/// CII may omit a tax total of zero: there the breakdown is apart from the totals, and gross equals net. UBL has the breakdown
/// inside the tax total.
fn one_tax_total(violations: &mut Violations, document: &Document, scope: &Scope<'_>) {
    let (content, figures) = (&document.content, &document.figures);
    let totals = &figures.totals;
    let same = content.currency == content.tax_currency;
    let twice = same && !totals.tax.is_empty() && !totals.tax_in_tax_currency.is_empty();
    let untaxed = !figures.tax_breakdown.is_empty() && same_amount(&totals.net, &totals.gross);
    let none = totals.tax.is_empty() && !content.currency.is_empty() && !untaxed;
    if !scope.is_saudi() && (none || twice || !figures.duplicate_tax_total.is_empty()) {
        violations.add(
            "totals.tax",
            "BR-CO-15",
            "there is one total of tax in the currency of the document",
        );
    }
}

fn same_amount(left: &str, right: &str) -> bool {
    crate::decimal::parse(left).is_ok_and(|left| crate::decimal::parse(right) == Ok(left))
}

/// BR-53 and BR-DEC-15
fn tax_currency(violations: &mut Violations, document: &Document) {
    let (content, totals) = (&document.content, &document.figures.totals);
    if content.tax_currency.is_empty() {
        return;
    }
    let currency = Currency::of_declared_amounts(&content.tax_currency);
    // With one currency for both, the tax total is declared already.
    let same = content.tax_currency == content.currency && !totals.tax.is_empty();
    if !same {
        violations.required(
            "totals.taxInTaxCurrency",
            &totals.tax_in_tax_currency,
            "BR-53",
            "the tax is declared in the tax currency too",
        );
    }
    let _ = violations.amount(
        "totals.taxInTaxCurrency",
        &totals.tax_in_tax_currency,
        Some(currency),
        "BR-DEC-15",
    );
}
