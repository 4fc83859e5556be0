//! Checks the declared tax breakdown (BG-23): the fields of each row, and completeness.

use std::fmt::{self, Display};

use rust_decimal::Decimal;

use super::DeclaredTotals;
use super::taxable_amounts::TaxableAmounts;
use crate::calculation::{self, Calculation};
use crate::content::Tax;
use crate::document::TaxRow;
use crate::rules::fields::{RATE_FRACTION, is_near};
use crate::rules::saudi::percentages;
use crate::rules::{Scope, taxes};
use crate::tax::{Category, CategoryRule, Rate};
use crate::violation::Violations;
use crate::{Document, Money};

pub(super) fn check(
    violations: &mut Violations,
    document: &Document,
    calculation: &Calculation,
    scope: &Scope<'_>,
    declared: &DeclaredTotals,
) {
    let rows = &document.figures.tax_breakdown;
    let taxed = TaxableAmounts::of(document, calculation, declared.currency);
    let mut sum = Some(Money::zero(declared.currency));
    for (index, row) in rows.iter().enumerate() {
        let path = format_args!("taxBreakdown[{index}]");
        let tax = check_row(violations, path, row, &taxed, scope, declared);
        sum = sum.and_then(|sum| sum.plus(tax?));
    }
    if rows.is_empty() {
        violations.add(
            "taxBreakdown",
            "BR-CO-18",
            "at least one row of the tax breakdown is required",
        );
    } else {
        violations.compare_declared("totals.tax", "BR-CO-14", declared.tax, sum);
    }
    for category in Category::ALL {
        presence(violations, document, category, scope);
    }
    let outside = Category::OutsideScope.code();
    let has = |fits: &dyn Fn(&str) -> bool| rows.iter().any(|row| fits(&row.category));
    let stands_alone = scope.separates_outside_scope();
    if stands_alone
        && has(&|code| code == outside)
        && has(&|code| code != outside && !code.is_empty())
    {
        violations.add(
            "taxBreakdown",
            "BR-O-11",
            "what is outside the scope of tax has the only row",
        );
    }
}

/// Checks one row and returns its tax amount, if it is valid.
fn check_row(
    violations: &mut Violations,
    path: impl Display + Copy,
    row: &TaxRow,
    taxed: &TaxableAmounts,
    scope: &Scope<'_>,
    declared: &DeclaredTotals,
) -> Option<Money> {
    violations.required(
        format_args!("{path}.taxable"),
        &row.taxable,
        "BR-45",
        "the taxable amount is required",
    );
    violations.required(
        format_args!("{path}.tax"),
        &row.tax,
        "BR-46",
        "the tax amount is required",
    );
    let currency = Some(declared.currency);
    let taxable_path = format_args!("{path}.taxable");
    let tax_path = format_args!("{path}.tax");
    let taxable = violations.amount(taxable_path, &row.taxable, currency, "BR-DEC-19");
    let tax = violations.amount(tax_path, &row.tax, currency, "BR-DEC-20");
    let (taxable, tax) = (taxable.ok().flatten(), tax.ok().flatten());
    let category = category(violations, path, row, scope);
    let rate_path = format_args!("{path}.rate");
    let Ok(rate) = violations.number(rate_path, &row.rate, RATE_FRACTION) else {
        return tax;
    };
    if rate.is_none() && category.is_none_or(|category| category.rate() != Rate::None) {
        violations.add(
            rate_path,
            "BR-48",
            "a rate is required, zero where there is no tax",
        );
    }
    if let Some(category) = category.filter(|_| scope.is_saudi()) {
        percentages::tax_rate(violations, rate_path, category, &row.rate);
    }
    let rate = rate.unwrap_or_default();
    let of_rate = taxable
        .and_then(|taxable| calculation::percentage(taxable.amount(), rate, taxable.currency()));
    let of_rate = unless_near(of_rate, tax, scope.tax_tolerance());
    let mut unlike = |path: fmt::Arguments<'_>, rule: Option<&'static str>, declared, computed| {
        if let Some(rule) = rule {
            violations.compare_declared(path, rule, declared, computed);
        }
    };
    if let Some(category) = category {
        let of_category = match category.rate() {
            Rate::AboveZero | Rate::Any => of_rate,
            Rate::Zero | Rate::None => Some(Money::zero(declared.currency)),
        };
        let computed = taxed.amount(category, rate);
        let computed = unless_near(computed, taxable, scope.taxable_tolerance(category));
        let rule = category.rule(CategoryRule::Taxable);
        unlike(taxable_path, rule, taxable, computed);
        let rule = category.rule(CategoryRule::Tax);
        unlike(tax_path, rule, tax, of_category);
    }
    unlike(tax_path, Some("BR-CO-17"), tax, of_rate);
    tax
}

/// The computed amount, or the declared one if that is within the tolerance.
fn unless_near(
    computed: Option<Money>,
    declared: Option<Money>,
    tolerance: Decimal,
) -> Option<Money> {
    let near = declared
        .zip(computed)
        .filter(|(declared, computed)| is_near(*declared, *computed, tolerance));
    near.map(|(declared, _)| declared).or(computed)
}

/// Checks the category of a row and its exemption reason.
fn category(
    violations: &mut Violations,
    path: impl Display + Copy,
    row: &TaxRow,
    scope: &Scope<'_>,
) -> Option<Category> {
    let Some(category) = Category::parse(&row.category) else {
        let (rule, description) = if row.category.is_empty() {
            ("BR-47", "a tax category is required")
        } else {
            ("BR-CL-17", "is not one of the tax categories")
        };
        violations.add(format_args!("{path}.category"), rule, description);
        return None;
    };
    let reason = Tax {
        exemption_code: row.exemption_code.clone(),
        exemption_reason: row.exemption_reason.clone(),
        ..Tax::default()
    };
    taxes::exemption(violations, path, category, &reason, scope);
    taxes::exemption_code(violations, path, &row.exemption_code, scope);
    Some(category)
}

/// BR-…-01: each used category has a row. A category with a rate has no row if it is unused; one without has no
/// second row.
fn presence(
    violations: &mut Violations,
    document: &Document,
    category: Category,
    scope: &Scope<'_>,
) {
    let rows = document.figures.tax_breakdown.iter();
    let rows = rows.filter(|row| row.category == category.code()).count();
    let used = scope.category_usage.has(category);
    let fits = match category.rate() {
        Rate::AboveZero | Rate::Any => used == (rows > 0),
        Rate::Zero | Rate::None => rows == 1 || (rows == 0 && !used),
    };
    match category.rule(CategoryRule::Breakdown) {
        Some(rule) if !fits => {
            violations
                .add(
                    "taxBreakdown",
                    rule,
                    "each category that is used, and no other, has its row in the tax breakdown",
                )
                .with("category", category.code());
        }
        _ => {}
    }
}
