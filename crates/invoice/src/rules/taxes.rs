//! Tax categories, rates and exemptions (BR-S, BR-Z, BR-E, BR-AE, BR-G, BR-O).

use rust_decimal::Decimal;

use super::Scope;
use super::fields::{LONG, SHORT};
use crate::tax::{Category, CategoryRule, Exemption, Rate, Tax};
use crate::violation::Violations;
use crate::{Content, content};

/// Digits after the point of a rate.
const RATE_FRACTION: u32 = 4;

/// What is taxed: the rules go by different names.
#[derive(Clone, Copy)]
pub(super) enum Place {
    Line,
    Document { is_charge: bool },
}

pub(super) fn check(
    violations: &mut Violations,
    path: &str,
    tax: &content::Tax,
    scope: &Scope<'_>,
    place: Place,
) -> Option<Tax> {
    violations.text(&format!("{path}.exemptionCode"), &tax.exemption_code, SHORT);
    violations.text(
        &format!("{path}.exemptionReason"),
        &tax.exemption_reason,
        LONG,
    );
    let category = category(violations, path, tax, place, scope);
    let rate_path = format!("{path}.rate");
    let rate = violations.number(&rate_path, &tax.rate, RATE_FRACTION);
    let category = category?;
    let rate = check_rate(violations, &rate_path, category, rate.ok()?, place, scope);
    // In a document the reason stands in the breakdown.
    if scope.is_own() {
        exemption(violations, path, category, tax, scope);
    }
    Some(Tax {
        category,
        rate: rate?,
        exemption_code: tax.exemption_code.clone(),
        exemption_reason: tax.exemption_reason.clone(),
    })
}

/// What no line can break alone: BR-O-11 to 14 and BR-AE-02.
pub(super) fn check_together(violations: &mut Violations, content: &Content, scope: &Scope<'_>) {
    let outside = Category::OutsideScope.code();
    let taxes = || {
        let lines = content.lines.iter().map(|line| &line.tax);
        lines.chain(content.allowances_charges.iter().map(|item| &item.tax))
    };
    let taxed =
        |tax: &content::Tax| tax.category != outside && Category::parse(&tax.category).is_some();
    if taxes().any(|tax| tax.category == outside) && taxes().any(taxed) {
        outside_and_taxed(violations, content, scope);
    }
    let reverse_charge = taxes().any(|tax| tax.category == Category::ReverseCharge.code());
    if scope.is_own() && reverse_charge && content.buyer.tax_id.trim().is_empty() {
        violations.add(
            "buyer.taxId",
            "BR-AE-02",
            "reverse charge needs the buyer's tax id",
        );
    }
}

/// We tell it where something is outside the scope; EN 16931 tells it where something is not.
fn outside_and_taxed(violations: &mut Violations, content: &Content, scope: &Scope<'_>) {
    let lines = content.lines.iter().enumerate();
    let lines = lines.map(|(at, line)| (format!("lines[{at}]"), &line.tax, "BR-O-12"));
    let items = content.allowances_charges.iter().enumerate();
    let items = items.map(|(at, item)| {
        let rule = if item.is_charge { "BR-O-14" } else { "BR-O-13" };
        (format!("allowancesCharges[{at}]"), &item.tax, rule)
    });
    for (path, tax, rule) in lines.chain(items) {
        let is_outside = tax.category == Category::OutsideScope.code();
        if is_outside == scope.is_own() {
            violations.add(
                format!("{path}.tax.category"),
                if scope.is_own() { "BR-O-11" } else { rule },
                "what is outside the scope of tax stands on an invoice of its own",
            );
        }
    }
}

fn category(
    violations: &mut Violations,
    path: &str,
    tax: &content::Tax,
    place: Place,
    scope: &Scope<'_>,
) -> Option<Category> {
    let path = format!("{path}.category");
    if tax.category.is_empty() {
        let rule = match place {
            Place::Line => "BR-CO-04",
            Place::Document { is_charge: false } => "BR-32",
            Place::Document { is_charge: true } => "BR-37",
        };
        violations.add(path, rule, "a tax category is required");
        return None;
    }
    let category = Category::parse(&tax.category);
    if category.is_none() {
        let rule = match place {
            Place::Line if !scope.is_own() => "BR-CL-18",
            Place::Line | Place::Document { .. } => "BR-CL-17",
        };
        violations.add(
            path,
            rule,
            "is not one of the tax categories S, Z, E, O, AE, G, K, L, M",
        );
    }
    category
}

fn check_rate(
    violations: &mut Violations,
    path: &str,
    category: Category,
    rate: Option<Decimal>,
    place: Place,
    scope: &Scope<'_>,
) -> Option<Decimal> {
    let rule = category.rule(match place {
        Place::Line => CategoryRule::LineRate,
        Place::Document { is_charge: false } => CategoryRule::AllowanceRate,
        Place::Document { is_charge: true } => CategoryRule::ChargeRate,
    });
    if rate.is_some_and(|rate| rate < Decimal::ZERO || rate > Decimal::ONE_HUNDRED) {
        violations.add(path, "INV-RATE", "must lie between 0 and 100");
        return None;
    }
    match category.rate() {
        Rate::AboveZero => {
            let rate = rate.filter(|rate| *rate > Decimal::ZERO);
            if rate.is_none() {
                violations.add(path, rule, "standard rated needs a rate above zero");
            }
            rate
        }
        Rate::Any => {
            if rate.is_none() {
                violations.add(path, rule, "this category needs a rate");
            }
            rate
        }
        // In Saudi Arabia a zero may stand there.
        Rate::None
            if rate
                .is_some_and(|rate| !(scope.is_saudi() && !scope.is_own() && rate.is_zero())) =>
        {
            violations.add(
                path,
                rule,
                "outside the scope of tax there is no rate, not even zero",
            );
            None
        }
        Rate::None => Some(Decimal::ZERO),
        Rate::Zero => {
            let rate = rate.unwrap_or_default();
            if !rate.is_zero() {
                violations
                    .add(path, rule, "this category has the rate zero")
                    .with("category", category.code());
                return None;
            }
            Some(rate)
        }
    }
}

/// BR-…-10: the reason why no tax is charged.
pub(super) fn exemption(
    violations: &mut Violations,
    path: &str,
    category: Category,
    tax: &content::Tax,
    scope: &Scope<'_>,
) {
    let given = !tax.exemption_code.trim().is_empty() || !tax.exemption_reason.trim().is_empty();
    let at = if tax.exemption_code.is_empty() && given {
        "exemptionReason"
    } else {
        "exemptionCode"
    };
    match category.exemption(scope.seller_country) {
        Exemption::Required if !given => {
            violations
                .add(
                    format!("{path}.{at}"),
                    category.rule(CategoryRule::Exemption),
                    "this category needs an exemption code or reason",
                )
                .with("category", category.code());
        }
        Exemption::Forbidden if given => {
            violations
                .add(
                    format!("{path}.{at}"),
                    category.rule(CategoryRule::Exemption),
                    "this category has no exemption reason",
                )
                .with("category", category.code());
        }
        Exemption::Required | Exemption::Allowed | Exemption::Forbidden => {}
    }
}
