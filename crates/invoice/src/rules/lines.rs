//! The lines (BG-25).

use std::fmt::Display;

use std::borrow::Cow;
use std::collections::HashSet;

use rust_decimal::Decimal;

use super::fields::{LONG_TEXT, SAUDI_TOLERANCE, SHORT_TEXT, is_near};
use super::{Scope, allowances, details, taxes};
use crate::violation::Violations;
use crate::{Content, Currency, Money, calculation, content, decimal, invoice};

/// The largest number of lines of an invoice.
const MAX_LINES: usize = 10_000;

/// The unit (BT-130) of a quantity without one in a content of our own: one.
pub(super) const DEFAULT_UNIT: &str = "C62";

/// The lines as far as they are valid.
pub(super) struct CheckedLines {
    /// The net amount of each line. `None` if it is invalid.
    pub(super) nets: Vec<Option<Money>>,
    /// The typed lines, if every field of the computation is valid.
    pub(super) parsed: Option<Vec<invoice::Line>>,
}

pub(super) fn check(
    violations: &mut Violations,
    content: &Content,
    currency: Option<Currency>,
    scope: &Scope<'_>,
) -> CheckedLines {
    if content.lines.is_empty() {
        violations.add("lines", "BR-16", "an invoice has at least one line");
    }
    if content.lines.len() > MAX_LINES {
        violations
            .add(
                "lines",
                "INV-TOO-MANY",
                format!("an invoice has at most {MAX_LINES} lines"),
            )
            .with("most", MAX_LINES.to_string());
    }
    let count = content.lines.len().min(MAX_LINES);
    let mut nets = Vec::with_capacity(count);
    let mut parsed = Some(Vec::with_capacity(count));
    let mut ids = HashSet::new();
    for (index, line) in content.lines.iter().take(MAX_LINES).enumerate() {
        let path = format_args!("lines[{index}]");
        let (net, checked) = check_line(violations, path, index, line, currency, scope);
        if scope.is_own() && !ids.insert(id(line, index)) {
            violations.add(
                format_args!("{path}.id"),
                "INV-LINE-ID",
                "another line has this id",
            );
        }
        nets.push(net);
        match (&mut parsed, checked) {
            (Some(parsed), Some(checked)) => parsed.push(checked),
            (_, None) => parsed = None,
            (None, Some(_)) => {}
        }
    }
    CheckedLines { nets, parsed }
}

/// The identifier of a line: its position, counted from 1, if empty.
fn id(line: &content::Line, index: usize) -> Cow<'_, str> {
    if line.id.is_empty() {
        Cow::Owned((index + 1).to_string())
    } else {
        Cow::Borrowed(&line.id)
    }
}

/// Checks a line. Returns its net amount, and the typed line if every field of the computation is valid.
fn check_line(
    violations: &mut Violations,
    path: impl Display + Copy,
    index: usize,
    line: &content::Line,
    currency: Option<Currency>,
    scope: &Scope<'_>,
) -> (Option<Money>, Option<invoice::Line>) {
    if line.description.ar.trim().is_empty() && line.description.en.trim().is_empty() {
        violations.add(
            format_args!("{path}.description"),
            "BR-25",
            "a description is required in Arabic or in English",
        );
    }
    for (name, text, most) in [
        ("id", &line.id, SHORT_TEXT),
        ("description.ar", &line.description.ar, LONG_TEXT),
        ("description.en", &line.description.en, LONG_TEXT),
        ("itemCode", &line.item_code, SHORT_TEXT),
    ] {
        if !text.is_empty() {
            violations.text(format_args!("{path}.{name}"), text, most);
        }
    }
    let unit = unit(violations, path, &line.unit, scope);
    let quantity = quantity(violations, path, &line.quantity, scope);
    let unit_price = unit_price(violations, path, &line.unit_price);
    let price_base = price_base(violations, path, &line.price_base);
    let allowances = allowances::check_line(
        violations,
        path,
        &line.allowances_charges,
        currency,
        scope,
        quantity.is_some_and(|quantity| quantity < Decimal::ZERO),
    );
    let tax = taxes::check(
        violations,
        format_args!("{path}.tax"),
        &line.tax,
        scope,
        taxes::Place::Line,
    );

    let amount = match (quantity, unit_price, price_base, currency) {
        (Some(quantity), Some(price), Some(base), Some(currency)) => {
            let amount = calculation::line_amount(quantity, price, base, currency);
            if amount.is_none() {
                violations.too_large(format_args!("{path}.unitPrice"));
            }
            amount
        }
        _ => None,
    };
    let net = match (amount, allowances) {
        (Some(amount), Some(more)) => {
            let net = amount.plus(more);
            if net.is_none() {
                violations.too_large(format_args!("{path}.allowancesCharges"));
            }
            net
        }
        _ => None,
    };
    details::check_line(violations, path, line, currency, scope);
    super::text_limits::check_line(violations, path, line);
    let net = match scope.document {
        Some(document) => {
            let declared = document
                .figures
                .line_nets
                .get(index)
                .map_or("", String::as_str);
            let declared = declared_net(violations, path, declared, currency);
            if let (Some(declared), Some(net)) = (declared, net) {
                compare_net(violations, path, declared, net, scope);
            }
            declared
        }
        None => net,
    };
    if !scope.is_own() {
        violations.required(
            format_args!("{path}.id"),
            &line.id,
            "BR-21",
            "a line has an identifier",
        );
    }
    let parsed = (|| {
        let (tax, net) = (tax?, net?);
        Some(invoice::Line {
            id: id(line, index).into_owned(),
            quantity: quantity?,
            unit: unit.to_owned(),
            unit_price: unit_price?,
            price_base: price_base?,
            tax_amounts: calculation::line_tax(net, tax.rate),
            tax,
            net,
        })
    })();
    (net, parsed)
}

/// The declared net amount of a line, from which the totals of a received document are computed.
fn declared_net(
    violations: &mut Violations,
    line: impl Display + Copy,
    declared: &str,
    currency: Option<Currency>,
) -> Option<Money> {
    let path = format_args!("{line}.net");
    let declared = violations
        .amount(path, declared, currency, "BR-DEC-23")
        .ok()?;
    if declared.is_none() {
        violations.add(path, "BR-24", "the net amount of the line is required");
    }
    declared
}

fn compare_net(
    violations: &mut Violations,
    line: impl Display + Copy,
    declared: Money,
    computed: Money,
    scope: &Scope<'_>,
) {
    let Some(rule) = scope.line_net_rule() else {
        return;
    };
    let tolerance = if scope.is_saudi() {
        SAUDI_TOLERANCE
    } else {
        scope.peppol_tolerance()
    };
    if !is_near(declared, computed, tolerance) {
        violations
            .add(
                format_args!("{line}.net"),
                rule,
                format!(
                    "quantity, price, allowances and charges give {computed}, and not {declared}"
                ),
            )
            .with("computed", computed.to_string())
            .with("stated", declared.to_string());
    }
}

fn unit<'a>(
    violations: &mut Violations,
    path: impl Display + Copy,
    unit: &'a str,
    scope: &Scope<'_>,
) -> &'a str {
    if unit.is_empty() {
        if !scope.is_own() {
            violations.add(
                format_args!("{path}.unit"),
                "BR-23",
                "a quantity has a unit of measure",
            );
        }
        return DEFAULT_UNIT;
    }
    // Elsewhere units are checked against the code list in `schemes`.
    let shaped = unit.len() <= 3
        && unit
            .bytes()
            .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
    if scope.has_own_lists() && !shaped {
        violations.add(
            format_args!("{path}.unit"),
            "BR-CL-23",
            "is not a unit code of UN/ECE Recommendation 20, such as C62 or KGM",
        );
    }
    unit
}

fn quantity(
    violations: &mut Violations,
    path: impl Display + Copy,
    text: &str,
    scope: &Scope<'_>,
) -> Option<Decimal> {
    let path = format_args!("{path}.quantity");
    let Some(quantity) = violations.number(path, text, decimal::MAX_FRACTION).ok()? else {
        violations.add(path, "BR-22", "a quantity is required");
        return None;
    };
    if scope.is_own() && quantity.is_zero() {
        violations.add(path, "INV-QUANTITY-ZERO", "must not be zero");
    }
    Some(quantity)
}

fn unit_price(
    violations: &mut Violations,
    path: impl Display + Copy,
    text: &str,
) -> Option<Decimal> {
    let path = format_args!("{path}.unitPrice");
    let Some(price) = violations.number(path, text, decimal::MAX_FRACTION).ok()? else {
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

fn price_base(
    violations: &mut Violations,
    path: impl Display + Copy,
    text: &str,
) -> Option<Decimal> {
    let path = format_args!("{path}.priceBase");
    let base = violations
        .number(path, text, decimal::MAX_FRACTION)
        .ok()?
        .unwrap_or(Decimal::ONE);
    if base <= Decimal::ZERO {
        violations.add(path, "INV-NEGATIVE", "must be above zero");
        return None;
    }
    Some(base)
}
