//! Allowances and charges, on the document (BG-20, BG-21) and on a line (BG-27, BG-28).

use std::fmt::Display;

use rust_decimal::Decimal;

use super::fields::{LONG_TEXT, is_near};
use super::saudi::percentages;
use super::{Scope, taxes};
use crate::violation::Violations;
use crate::{Currency, Money, calculation, codes, content, decimal, invoice};

/// The largest number of allowances and charges of a document or a line.
const MAX_PER_GROUP: usize = 100;

/// Checks those of the document. `None` if one is invalid.
pub(super) fn check_document(
    violations: &mut Violations,
    items: &[content::AllowanceCharge],
    currency: Option<Currency>,
    scope: &Scope<'_>,
) -> Option<Vec<invoice::AllowanceCharge>> {
    too_many(violations, "allowancesCharges", items);
    let mut parsed = Some(Vec::new());
    for (index, item) in items.iter().take(MAX_PER_GROUP).enumerate() {
        let path = format_args!("allowancesCharges[{index}]");
        let names = if item.is_charge { &CHARGE } else { &ALLOWANCE };
        let amount = amount(violations, path, item, currency, names, scope, false);
        reason(violations, path, item, names, scope);
        let tax = taxes::check(
            violations,
            format_args!("{path}.tax"),
            &item.tax,
            scope,
            taxes::Place::Document {
                is_charge: item.is_charge,
            },
        );
        parsed = match (parsed, amount, tax) {
            (Some(mut parsed), Some(amount), Some(tax)) => {
                parsed.push(invoice::AllowanceCharge {
                    is_charge: item.is_charge,
                    amount,
                    tax,
                });
                Some(parsed)
            }
            _ => None,
        };
    }
    parsed
}

/// Checks those of a line and returns their sum, with charges positive. `None` if one is invalid.
///
/// With a negative quantity the line takes back what was sold before, with its allowances and charges: their bases and amounts may be
/// negative as the line is. A return of 1 × 100.00 with an allowance of 10 % is an allowance of −10.00, and comes to −90.00.
pub(super) fn check_line(
    violations: &mut Violations,
    line: impl Display + Copy,
    items: &[content::AllowanceCharge],
    currency: Option<Currency>,
    scope: &Scope<'_>,
    takes_back: bool,
) -> Option<Money> {
    let all = format_args!("{line}.allowancesCharges");
    too_many(violations, all, items);
    let mut sum = currency.map(Money::zero);
    for (index, item) in items.iter().take(MAX_PER_GROUP).enumerate() {
        let path = format_args!("{all}[{index}]");
        let names = if item.is_charge {
            &LINE_CHARGE
        } else {
            &LINE_ALLOWANCE
        };
        let amount = amount(violations, path, item, currency, names, scope, takes_back);
        reason(violations, path, item, names, scope);
        // EN 16931 has no rule about it: a file that repeats the tax of the line is only advised against (UBL-CR-558).
        if scope.is_own() && !item.tax.is_empty() {
            violations.add(
                format_args!("{path}.tax"),
                "BR-CO-04",
                "an allowance or charge of a line is taxed as its line is",
            );
        }
        sum = match (sum, amount) {
            (Some(sum), Some(amount)) => {
                let next = if item.is_charge {
                    sum.plus(amount)
                } else {
                    sum.minus(amount)
                };
                if next.is_none() {
                    violations.too_large(path);
                }
                next
            }
            _ => None,
        };
    }
    sum
}

/// Determines the amount: given, or computed from base and percentage. If all three are given, they must agree.
fn amount(
    violations: &mut Violations,
    path: impl Display + Copy,
    item: &content::AllowanceCharge,
    currency: Option<Currency>,
    names: &RuleNames,
    scope: &Scope<'_>,
    may_be_negative: bool,
) -> Option<Money> {
    let amount_path = format_args!("{path}.amount");
    let amount = violations.amount(amount_path, &item.amount, currency, names.amount_digits);
    let base = violations.amount(
        format_args!("{path}.base"),
        &item.base,
        currency,
        names.base_digits,
    );
    let percent = violations.number(
        format_args!("{path}.percent"),
        &item.percent,
        decimal::MAX_FRACTION,
    );
    if scope.is_saudi() && !item.is_charge && percent.is_ok() {
        percentages::allowance(violations, format_args!("{path}.percent"), &item.percent);
    }
    let (amount, base, percent) = (amount.ok()?, base.ok()?, percent.ok()?);
    if percent.is_some_and(|percent| percent < Decimal::ZERO) {
        violations.add(
            format_args!("{path}.percent"),
            "INV-NEGATIVE",
            "must not be negative",
        );
    }
    let computed = match (base, percent) {
        (Some(base), Some(percent)) => {
            let computed = calculation::percentage(base.amount(), percent, base.currency());
            if computed.is_none() {
                violations.too_large(format_args!("{path}.base"));
                return None;
            }
            computed
        }
        _ => None,
    };
    let incomplete_percentage = base.is_some() != percent.is_some();
    if incomplete_percentage && let Some((no_base, no_percent)) = scope.percentage_parts_rules() {
        let (part, rule) = if base.is_none() {
            ("base", no_base)
        } else {
            ("percent", no_percent)
        };
        violations.add(
            format_args!("{path}.{part}"),
            rule,
            "a percentage and its base are given together",
        );
    }
    let money = match (amount, computed) {
        _ if incomplete_percentage && scope.is_own() => {
            either(violations, amount_path);
            return None;
        }
        (Some(amount), Some(computed)) => {
            agrees(violations, amount_path, amount, computed, scope);
            amount
        }
        (Some(amount), None) => amount,
        (None, Some(computed)) if scope.is_own() => computed,
        (None, _) if scope.is_own() => {
            either(violations, amount_path);
            return None;
        }
        (None, _) => {
            violations.add(amount_path, names.amount, "an amount is required");
            return None;
        }
    };
    if scope.is_own() && money.is_negative() && !may_be_negative {
        violations.add(amount_path, "INV-NEGATIVE", "must not be negative");
    }
    Some(money)
}

fn either(violations: &mut Violations, path: impl Display) {
    violations.add(
        path,
        "INV-AMOUNT-OR-PERCENT",
        "give either an amount, or a base and a percentage",
    );
}

/// Compares the amount with the percentage of the base: exactly for our own contents and in Saudi Arabia (BR-KSA-EN16931-03), within
/// a tolerance for received documents with the rules of Peppol (PEPPOL-EN16931-R040).
fn agrees(
    violations: &mut Violations,
    path: impl Display + Copy,
    amount: Money,
    computed: Money,
    scope: &Scope<'_>,
) {
    let Some(rule) = scope.percentage_rule() else {
        return;
    };
    let fits = if scope.is_own() || scope.is_saudi() {
        amount == computed
    } else {
        is_near(amount, computed, scope.peppol_tolerance())
    };
    if !fits {
        violations
            .add(
                path,
                rule,
                format!("the percentage of the base is {computed}, and not {amount}"),
            )
            .with("computed", computed.to_string())
            .with("stated", amount.to_string());
    }
}

/// The identifiers of the same rules for allowance and charge, on the document and on a line.
struct RuleNames {
    amount: &'static str,
    reason: &'static str,
    /// EN 16931 has the rule under two identifiers.
    duplicate_reason: &'static str,
    /// In Saudi Arabia the reason of a charge has a code and a text: the rules about both, which are reported in the place of the two
    /// above, as those ask for less (decision 0174).
    saudi_reason: Option<SaudiReason>,
    amount_digits: &'static str,
    base_digits: &'static str,
}

struct SaudiReason {
    code: &'static str,
    text: &'static str,
}

const ALLOWANCE: RuleNames = RuleNames {
    amount: "BR-31",
    reason: "BR-33",
    duplicate_reason: "BR-CO-21",
    saudi_reason: None,
    amount_digits: "BR-DEC-01",
    base_digits: "BR-DEC-02",
};

const CHARGE: RuleNames = RuleNames {
    amount: "BR-36",
    reason: "BR-38",
    duplicate_reason: "BR-CO-22",
    saudi_reason: Some(SaudiReason {
        code: "BR-KSA-19",
        text: "BR-KSA-21",
    }),
    amount_digits: "BR-DEC-05",
    base_digits: "BR-DEC-06",
};

const LINE_ALLOWANCE: RuleNames = RuleNames {
    amount: "BR-41",
    reason: "BR-42",
    duplicate_reason: "BR-CO-23",
    saudi_reason: None,
    amount_digits: "BR-DEC-24",
    base_digits: "BR-DEC-25",
};

const LINE_CHARGE: RuleNames = RuleNames {
    amount: "BR-43",
    reason: "BR-44",
    duplicate_reason: "BR-CO-24",
    saudi_reason: Some(SaudiReason {
        code: "BR-KSA-20",
        text: "BR-KSA-22",
    }),
    amount_digits: "BR-DEC-27",
    base_digits: "BR-DEC-28",
};

fn reason(
    violations: &mut Violations,
    path: impl Display + Copy,
    item: &content::AllowanceCharge,
    names: &RuleNames,
    scope: &Scope<'_>,
) {
    let code = &item.reason_code;
    let known = if item.is_charge {
        code.is_empty() || codes::is_charge_reason(code)
    } else {
        code.is_empty() || codes::is_allowance_reason(code)
    };
    if !known {
        let (rule, list) = if item.is_charge {
            ("BR-CL-20", "UNCL7161")
        } else {
            ("BR-CL-19", "UNCL5189")
        };
        violations.add(
            format_args!("{path}.reasonCode"),
            rule,
            format!("is not a code of {list}"),
        );
    }
    let text_path = format_args!("{path}.reason");
    violations.text(text_path, &item.reason, LONG_TEXT);
    if let Some(rules) = names.saudi_reason.as_ref().filter(|_| scope.is_saudi()) {
        let description = "the reason of a charge has a code and a text";
        let code_path = format_args!("{path}.reasonCode");
        violations.required(code_path, code, rules.code, description);
        violations.required(text_path, &item.reason, rules.text, description);
        return;
    }
    if !item.reason.trim().is_empty() || !code.is_empty() {
        return;
    }
    violations.add(text_path, names.reason, "a reason is required");
    if !scope.is_own() {
        violations.add(text_path, names.duplicate_reason, "a reason is required");
    }
}

fn too_many(
    violations: &mut Violations,
    path: impl Display + Copy,
    items: &[content::AllowanceCharge],
) {
    if items.len() > MAX_PER_GROUP {
        violations
            .add(
                path,
                "INV-TOO-MANY",
                format!("at most {MAX_PER_GROUP} allowances and charges stand in one place"),
            )
            .with("most", MAX_PER_GROUP.to_string());
    }
}
