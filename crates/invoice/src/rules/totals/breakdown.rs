//! The tax breakdown that a document states (BG-23): what each row says, and that all of it is there.

use rust_decimal::Decimal;

use super::stated::{Stated, differs};
use crate::calculation::{self, Calculation};
use crate::content::Tax;
use crate::document::TaxRow;
use crate::rules::{Scope, exchanged, taxes};
use crate::tax::{Category, CategoryRule, Rate};
use crate::violation::Violations;
use crate::{Document, Money};

/// Digits after the point of a rate.
const RATE_FRACTION: u32 = 4;

pub(super) fn check(
    violations: &mut Violations,
    document: &Document,
    calculation: &Calculation,
    scope: &Scope<'_>,
    stated: &Stated,
) {
    let rows = &document.figures.tax_breakdown;
    if rows.is_empty() {
        violations.add(
            "taxBreakdown",
            "BR-CO-18",
            "at least one row of the tax breakdown is required",
        );
    }
    let mut sum = Some(Money::zero(stated.currency));
    for (index, row) in rows.iter().enumerate() {
        let path = format!("taxBreakdown[{index}]");
        let tax = check_row(violations, &path, row, calculation, scope, stated);
        sum = sum.and_then(|sum| sum.plus(tax?));
    }
    differs(violations, "totals.tax", "BR-CO-14", stated.tax, sum);
    for category in Category::ALL {
        presence(violations, document, category);
    }
    let outside = Category::OutsideScope.code();
    let is_outside = |row: &TaxRow| row.category == outside;
    if rows.len() > 1 && rows.iter().any(is_outside) {
        violations.add(
            "taxBreakdown",
            "BR-O-11",
            "what is outside the scope of tax has the only row",
        );
    }
}

/// One row. Its tax, if it could be read.
fn check_row(
    violations: &mut Violations,
    path: &str,
    row: &TaxRow,
    calculation: &Calculation,
    scope: &Scope<'_>,
    stated: &Stated,
) -> Option<Money> {
    violations.required(
        format!("{path}.taxable"),
        &row.taxable,
        "BR-45",
        "the taxable amount is required",
    );
    violations.required(
        format!("{path}.tax"),
        &row.tax,
        "BR-46",
        "the tax amount is required",
    );
    let currency = Some(stated.currency);
    let taxable_path = format!("{path}.taxable");
    let tax_path = format!("{path}.tax");
    let taxable = violations.amount(&taxable_path, &row.taxable, currency, "BR-DEC-19");
    let tax = violations.amount(&tax_path, &row.tax, currency, "BR-DEC-20");
    let (taxable, tax) = (taxable.ok().flatten(), tax.ok().flatten());
    let Some(category) = Category::parse(&row.category) else {
        let (rule, description) = if row.category.is_empty() {
            ("BR-47", "a tax category is required")
        } else {
            ("BR-CL-17", "is not one of the tax categories")
        };
        violations.add(format!("{path}.category"), rule, description);
        return tax;
    };
    let reason = Tax {
        exemption_code: row.exemption_code.clone(),
        exemption_reason: row.exemption_reason.clone(),
        ..Tax::default()
    };
    taxes::exemption(violations, path, category, &reason, scope);
    let rate = violations.number(&format!("{path}.rate"), &row.rate, RATE_FRACTION);
    let Ok(rate) = rate else {
        return tax;
    };
    if rate.is_none() && category.rate() != Rate::None {
        violations.add(
            format!("{path}.rate"),
            "BR-48",
            "a rate is required, zero where there is no tax",
        );
    }
    let rate = rate.unwrap_or_default();
    if calculation.totals.is_some() {
        differs(
            violations,
            &taxable_path,
            category.rule(CategoryRule::Taxable),
            taxable,
            taxed(calculation, category, rate, stated),
        );
    }
    let computed = match category.rate() {
        Rate::AboveZero | Rate::Any => taxable.and_then(|taxable| {
            calculation::percentage(taxable.amount(), rate, taxable.currency())
        }),
        Rate::Zero | Rate::None => Some(Money::zero(stated.currency)),
    };
    let rule = category.rule(CategoryRule::Tax);
    differs(violations, &tax_path, rule, tax, computed);
    differs(violations, &tax_path, "BR-CO-17", tax, computed);
    tax
}

/// What the lines, allowances and charges of a row come to.
fn taxed(
    calculation: &Calculation,
    category: Category,
    rate: Decimal,
    stated: &Stated,
) -> Option<Money> {
    let rows = calculation.tax_breakdown.iter();
    rows.filter(|row| row.category == category && row.rate == rate)
        .try_fold(Money::zero(stated.currency), |sum, row| {
            sum.plus(row.taxable)
        })
}

/// BR-…-01: a category that is used has a row, and one that charges no tax has no second.
fn presence(violations: &mut Violations, document: &Document, category: Category) {
    let rows = document.figures.tax_breakdown.iter();
    let rows = rows.filter(|row| row.category == category.code()).count();
    let fits = match category.rate() {
        Rate::AboveZero | Rate::Any => rows > 0,
        Rate::Zero | Rate::None => rows == 1,
    };
    let used = exchanged::uses(&document.content, category);
    if !fits && (used || rows > 1) {
        violations
            .add(
                "taxBreakdown",
                category.rule(CategoryRule::Breakdown),
                "each category that is used has its row in the tax breakdown",
            )
            .with("category", category.code());
    }
}
