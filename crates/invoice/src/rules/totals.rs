//! Checks totals: their sign, the expected totals of the caller, and the declared totals of a document.

mod breakdown;
mod declared;
mod taxable_amounts;

pub(super) use declared::check_figures;

use std::fmt::Display;

use super::Scope;
use crate::violation::Violations;
use crate::{Content, Currency, Money, Totals};

/// The declared totals that the breakdown is checked against.
struct DeclaredTotals {
    currency: Currency,
    tax: Option<Money>,
}

pub(super) fn check(
    violations: &mut Violations,
    content: &Content,
    totals: &Totals,
    scope: &Scope<'_>,
) {
    if scope.is_own() && totals.gross.is_negative() {
        violations.add(
            "lines",
            "INV-NEGATIVE",
            "the total must not be negative; a credit note takes money back",
        );
    }
    let Some(expected) = &content.expected_totals else {
        return;
    };
    for (name, text, computed, digits) in [
        ("lines", &expected.lines, Some(totals.lines), "BR-DEC-09"),
        (
            "allowances",
            &expected.allowances,
            Some(totals.allowances),
            "BR-DEC-10",
        ),
        (
            "charges",
            &expected.charges,
            Some(totals.charges),
            "BR-DEC-11",
        ),
        ("net", &expected.net, Some(totals.net), "BR-DEC-12"),
        ("tax", &expected.tax, Some(totals.tax), "BR-DEC-13"),
        (
            "taxInTaxCurrency",
            &expected.tax_in_tax_currency,
            totals.tax_in_tax_currency,
            "BR-DEC-15",
        ),
        ("gross", &expected.gross, Some(totals.gross), "BR-DEC-14"),
        (
            "prepaid",
            &expected.prepaid,
            Some(totals.prepaid),
            "BR-DEC-16",
        ),
        (
            "rounding",
            &expected.rounding,
            Some(totals.rounding),
            "BR-DEC-17",
        ),
        (
            "payable",
            &expected.payable,
            Some(totals.payable),
            "BR-DEC-18",
        ),
    ] {
        compare(
            violations,
            format_args!("expectedTotals.{name}"),
            text,
            computed,
            digits,
        );
    }
}

fn compare(
    violations: &mut Violations,
    path: impl Display + Copy,
    text: &str,
    computed: Option<Money>,
    digits: &'static str,
) {
    let currency = computed.map(Money::currency);
    let Ok(Some(expected)) = violations.amount(path, text, currency, digits) else {
        return;
    };
    let Some(computed) = computed.filter(|computed| *computed != expected) else {
        return;
    };
    violations
        .add(
            path,
            "INV-EXPECTED-TOTAL",
            format!("the total is {computed}, and not {expected}"),
        )
        .with("computed", computed.to_string())
        .with("expected", expected.to_string());
}
