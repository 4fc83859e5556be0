//! The lines (BG-25).

use std::collections::HashSet;

use rust_decimal::Decimal;

use super::fields::{LONG, SHORT};
use super::{Scope, allowances, details, taxes};
use crate::tax::Tax;
use crate::violation::Violations;
use crate::{Content, Currency, Money, calculation, content, decimal, invoice};

/// Most lines of an invoice.
const MOST: usize = 10_000;

/// A line as far as it could be read.
pub(super) struct CheckedLine {
    id: String,
    quantity: Option<Decimal>,
    unit: String,
    unit_price: Option<Decimal>,
    price_base: Option<Decimal>,
    tax: Option<Tax>,
    pub(super) net: Option<Money>,
}

impl CheckedLine {
    /// The line, if all that is computed with could be read.
    pub(super) fn typed(self) -> Option<invoice::Line> {
        let (tax, net) = (self.tax?, self.net?);
        Some(invoice::Line {
            id: self.id,
            quantity: self.quantity?,
            unit: self.unit,
            unit_price: self.unit_price?,
            price_base: self.price_base?,
            tax_amounts: calculation::line_tax(net, tax.rate),
            tax,
            net,
        })
    }
}

pub(super) fn check(
    violations: &mut Violations,
    content: &Content,
    currency: Option<Currency>,
    scope: &Scope<'_>,
) -> Vec<CheckedLine> {
    if content.lines.is_empty() {
        violations.add("lines", "BR-16", "an invoice has at least one line");
    }
    if content.lines.len() > MOST {
        violations
            .add(
                "lines",
                "INV-TOO-MANY",
                format!("an invoice has at most {MOST} lines"),
            )
            .with("most", MOST.to_string());
    }
    let mut ids = HashSet::new();
    let lines = content.lines.iter().take(MOST).enumerate();
    lines
        .map(|(index, line)| {
            let path = format!("lines[{index}]");
            let checked = check_line(violations, &path, index, line, currency, scope);
            if scope.is_own() && !ids.insert(checked.id.clone()) {
                violations.add(
                    format!("{path}.id"),
                    "INV-LINE-ID",
                    "another line has this id",
                );
            }
            checked
        })
        .collect()
}

fn check_line(
    violations: &mut Violations,
    path: &str,
    index: usize,
    line: &content::Line,
    currency: Option<Currency>,
    scope: &Scope<'_>,
) -> CheckedLine {
    if line.description.ar.trim().is_empty() && line.description.en.trim().is_empty() {
        violations.add(
            format!("{path}.description"),
            "BR-25",
            "a description is required in Arabic or in English",
        );
    }
    for (name, text, most) in [
        ("id", &line.id, SHORT),
        ("description.ar", &line.description.ar, LONG),
        ("description.en", &line.description.en, LONG),
        ("itemCode", &line.item_code, SHORT),
    ] {
        if !text.is_empty() {
            violations.text(&format!("{path}.{name}"), text, most);
        }
    }
    let unit = unit(violations, path, &line.unit, scope);
    let quantity = quantity(violations, path, &line.quantity, scope);
    let unit_price = unit_price(violations, path, &line.unit_price);
    let price_base = price_base(violations, path, &line.price_base);
    let allowances =
        allowances::check_line(violations, path, &line.allowances_charges, currency, scope);
    let tax = taxes::check(
        violations,
        &format!("{path}.tax"),
        &line.tax,
        scope,
        taxes::Place::Line,
    );

    let amount = match (quantity, unit_price, price_base, currency) {
        (Some(quantity), Some(price), Some(base), Some(currency)) => {
            let amount = calculation::line_amount(quantity, price, base, currency);
            if amount.is_none() {
                violations.too_large(&format!("{path}.unitPrice"));
            }
            amount
        }
        _ => None,
    };
    let net = match (amount, allowances) {
        (Some(amount), Some(more)) => {
            let net = amount.plus(more);
            if net.is_none() {
                violations.too_large(&format!("{path}.allowancesCharges"));
            }
            net
        }
        _ => None,
    };
    details::check_line(violations, path, line, currency);
    super::texts::check_line(violations, path, line);
    let net = match scope.document {
        Some(document) => {
            let stated = document
                .figures
                .line_nets
                .get(index)
                .map_or("", String::as_str);
            stated_net(violations, path, stated, net, currency)
        }
        None => net,
    };
    if !scope.is_own() {
        violations.required(
            format!("{path}.id"),
            &line.id,
            "BR-21",
            "a line has an identifier",
        );
    }
    let id = if line.id.is_empty() {
        (index + 1).to_string()
    } else {
        line.id.clone()
    };
    CheckedLine {
        id,
        quantity,
        unit,
        unit_price,
        price_base,
        tax,
        net,
    }
}

/// How far the net amount of a line may be from what its parts give, in minor units (PEPPOL-EN16931-R120: 0.02).
const SLACK: u64 = 2;

/// What a document states as the net amount of a line: that is what its totals are made of.
fn stated_net(
    violations: &mut Violations,
    line: &str,
    stated: &str,
    computed: Option<Money>,
    currency: Option<Currency>,
) -> Option<Money> {
    let path = format!("{line}.net");
    let Some(stated) = violations
        .amount(&path, stated, currency, "BR-DEC-23")
        .ok()?
    else {
        violations.add(path, "BR-24", "the net amount of the line is required");
        return None;
    };
    if let Some(computed) = computed
        && computed.minor().abs_diff(stated.minor()) > SLACK
    {
        violations
            .add(
                path,
                "PEPPOL-EN16931-R120",
                format!(
                    "quantity, price, allowances and charges give {computed}, and not {stated}"
                ),
            )
            .with("computed", computed.to_string())
            .with("stated", stated.to_string());
    }
    Some(stated)
}

fn unit(violations: &mut Violations, path: &str, unit: &str, scope: &Scope<'_>) -> String {
    if unit.is_empty() {
        if !scope.is_own() {
            violations.add(
                format!("{path}.unit"),
                "BR-23",
                "a quantity has a unit of measure",
            );
        }
        return "C62".to_owned();
    }
    // Documents of others are held against the list itself.
    let held_elsewhere = !scope.is_own() && !scope.has_own_lists();
    let shaped = unit.len() <= 3
        && unit
            .bytes()
            .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
    let fits = held_elsewhere || shaped;
    if !fits {
        violations.add(
            format!("{path}.unit"),
            "BR-CL-23",
            "is not a unit code of UN/ECE Recommendation 20, such as C62 or KGM",
        );
    }
    unit.to_owned()
}

fn quantity(
    violations: &mut Violations,
    path: &str,
    text: &str,
    scope: &Scope<'_>,
) -> Option<Decimal> {
    let path = format!("{path}.quantity");
    let Some(quantity) = violations.number(&path, text, decimal::MAX_FRACTION).ok()? else {
        violations.add(path, "BR-22", "a quantity is required");
        return None;
    };
    if scope.is_own() && quantity.is_zero() {
        violations.add(path, "INV-QUANTITY-ZERO", "must not be zero");
    }
    Some(quantity)
}

fn unit_price(violations: &mut Violations, path: &str, text: &str) -> Option<Decimal> {
    let path = format!("{path}.unitPrice");
    let Some(price) = violations.number(&path, text, decimal::MAX_FRACTION).ok()? else {
        violations.add(path, "BR-26", "a unit price is required");
        return None;
    };
    if price < Decimal::ZERO {
        violations.add(
            path,
            "BR-27",
            "must not be negative; take the sign into the quantity",
        );
    }
    Some(price)
}

fn price_base(violations: &mut Violations, path: &str, text: &str) -> Option<Decimal> {
    let path = format!("{path}.priceBase");
    let base = violations
        .number(&path, text, decimal::MAX_FRACTION)
        .ok()?
        .unwrap_or(Decimal::ONE);
    if base <= Decimal::ZERO {
        violations.add(path, "INV-NEGATIVE", "must be above zero");
        return None;
    }
    Some(base)
}
