//! Dates, currencies, references and settlement.

use std::fmt::Display;

use jiff::civil::Date;
use rust_decimal::Decimal;

use super::Scope;
use super::fields::{LONG_TEXT, SHORT_TEXT};
use crate::violation::Violations;
use crate::{Content, Currency, Kind, Money, decimal};

/// Most characters of an exchange rate in Saudi Arabia.
const SAUDI_RATE_LENGTH: usize = 14;

/// The parsed header fields. An outer `None` is an invalid field.
pub(super) struct Header {
    pub(super) issue_date: Option<Date>,
    pub(super) due_date: Option<Date>,
    pub(super) supply_date: Option<Date>,
    pub(super) currency: Option<Currency>,
    pub(super) tax_currency: Option<Option<(Currency, Decimal)>>,
    pub(super) prepaid: Option<Money>,
    pub(super) rounding: Option<Money>,
}

pub(super) fn check(violations: &mut Violations, content: &Content, scope: &Scope<'_>) -> Header {
    let issue_date = issue_date(violations, content, scope);
    let due_date = due_date(violations, content, issue_date, scope);
    let supply_date = violations
        .date("supplyDate", &content.supply_date)
        .ok()
        .flatten();
    period(violations, content);
    let currency = currency(violations, content, scope);
    let tax_currency = tax_currency(violations, content, currency, scope);
    preceding(violations, content, scope);
    violations.text("note", &content.note, LONG_TEXT);
    violations.text("noteAr", &content.note_ar, LONG_TEXT);
    violations.text("paymentTerms", &content.payment_terms, LONG_TEXT);
    violations.text("purchaseOrder", &content.purchase_order, SHORT_TEXT);
    let prepaid = settled(
        violations,
        "prepaid",
        &content.prepaid,
        currency,
        "BR-DEC-16",
    );
    if scope.is_own() && prepaid.is_some_and(Money::is_negative) {
        violations.add("prepaid", "INV-NEGATIVE", "must not be negative");
    }
    let rounding = settled(
        violations,
        "rounding",
        &content.rounding,
        currency,
        "BR-DEC-17",
    );
    Header {
        issue_date,
        due_date,
        supply_date,
        currency,
        tax_currency,
        prepaid,
        rounding,
    }
}

fn issue_date(violations: &mut Violations, content: &Content, scope: &Scope<'_>) -> Option<Date> {
    let date = violations.date("issueDate", &content.issue_date).ok()?;
    let Some(date) = date.or(scope.is_own().then_some(scope.today)) else {
        violations.add("issueDate", "BR-03", "an issue date is required");
        return None;
    };
    if date > scope.today {
        let rule = if scope.is_saudi() && !scope.is_own() {
            "BR-KSA-04"
        } else {
            "INV-ISSUE-DATE-FUTURE"
        };
        violations
            .add("issueDate", rule, "must not be in the future")
            .with("today", scope.today.to_string());
    }
    Some(date)
}

fn due_date(
    violations: &mut Violations,
    content: &Content,
    issue_date: Option<Date>,
    scope: &Scope<'_>,
) -> Option<Date> {
    let due = violations
        .date("dueDate", &content.due_date)
        .ok()
        .flatten()?;
    if let Some(issued) = issue_date.filter(|issued| scope.is_own() && due < *issued) {
        violations
            .add(
                "dueDate",
                "INV-DUE-DATE",
                "must not be before the issue date",
            )
            .with("issueDate", issued.to_string());
    }
    Some(due)
}

fn period(violations: &mut Violations, content: &Content) {
    if let Some(period) = &content.period {
        violations.period("period", period, "BR-29", "BR-CO-19");
    }
    let point = violations.date("taxPointDate", &content.tax_point_date);
    if !content.tax_point_code.is_empty() {
        if point.is_ok_and(|date| date.is_some()) {
            violations.add(
                "taxPointCode",
                "BR-CO-03",
                "give either the tax point date or its code",
            );
        }
        if !matches!(content.tax_point_code.as_str(), "3" | "35" | "432") {
            violations.add(
                "taxPointCode",
                "BR-CL-06",
                "is not one of the tax point codes 3, 35, 432",
            );
        }
    }
}

fn currency(violations: &mut Violations, content: &Content, scope: &Scope<'_>) -> Option<Currency> {
    if content.currency.is_empty() {
        if scope.currency.is_none() {
            violations.add("currency", "BR-05", "a currency is required");
        }
        return scope.currency.or(Some(Currency::NONE));
    }
    let currency = known(&content.currency, scope);
    if currency.is_none() {
        violations.add("currency", "BR-CL-04", "is not a currency code of ISO 4217");
        // The currency attribute of each amount repeats the code.
        if !scope.is_own() {
            violations.add("currency", "BR-CL-03", "is not a currency code of ISO 4217");
        }
    }
    // The declared amounts of a received document are checked nevertheless.
    currency.or_else(|| (!scope.is_own()).then_some(Currency::NONE))
}

/// The currency of amounts with this code; for our own contents only currencies in use.
fn known(code: &str, scope: &Scope<'_>) -> Option<Currency> {
    if scope.is_own() {
        return Currency::parse(code);
    }
    Some(Currency::of_declared_amounts(code)).filter(|currency| *currency != Currency::NONE)
}

/// The tax currency with its rate. `Some(None)` if tax is declared in the document currency only, or its rate is not known yet.
fn tax_currency(
    violations: &mut Violations,
    content: &Content,
    currency: Option<Currency>,
    scope: &Scope<'_>,
) -> Option<Option<(Currency, Decimal)>> {
    let rate = violations.number(
        "exchangeRate",
        &content.exchange_rate,
        decimal::MAX_FRACTION,
    );
    if scope.is_saudi() && rate.is_ok() && content.exchange_rate.len() > SAUDI_RATE_LENGTH {
        violations.add(
            "exchangeRate",
            "BR-KSA-90",
            format!("has at most {SAUDI_RATE_LENGTH} characters"),
        );
    }
    if content.tax_currency.is_empty() {
        if rate.is_ok_and(|rate| rate.is_some()) {
            violations.add(
                "taxCurrency",
                "BR-53",
                "an exchange rate needs the currency that it leads to",
            );
        }
        return Some(None);
    }
    let Some(other) = known(&content.tax_currency, scope) else {
        violations.add(
            "taxCurrency",
            "BR-CL-05",
            "is not a currency code of ISO 4217",
        );
        return None;
    };
    if Some(other) == currency {
        return Some(None);
    }
    match rate.ok()? {
        Some(rate) if rate > Decimal::ZERO => Some(Some((other, rate))),
        Some(_) => {
            violations.add("exchangeRate", "INV-EXCHANGE-RATE", "must be above zero");
            None
        }
        // A received document declares the tax in the tax currency instead of the rate.
        None if !scope.is_own() => Some(None),
        None => {
            violations.add(
                "exchangeRate",
                "INV-EXCHANGE-RATE",
                "is required when tax is declared in another currency",
            );
            // The other totals do not depend on it.
            Some(None)
        }
    }
}

fn preceding(violations: &mut Violations, content: &Content, scope: &Scope<'_>) {
    violations.text("reason", &content.reason, LONG_TEXT);
    for (index, reference) in content.preceding.iter().enumerate() {
        let path = format_args!("preceding[{index}]");
        if reference.number.trim().is_empty() {
            violations.add(
                format_args!("{path}.number"),
                "BR-55",
                "the number of the preceding document is required",
            );
        }
        violations.text(format_args!("{path}.number"), &reference.number, SHORT_TEXT);
        violations.text(
            format_args!("{path}.documentKey"),
            &reference.document_key,
            SHORT_TEXT,
        );
        let _ = violations.date(format_args!("{path}.issueDate"), &reference.issue_date);
    }
    let corrects = content.kind != Kind::Invoice && (scope.is_own() || scope.is_saudi());
    if !corrects {
        return;
    }
    if content.preceding.is_empty() {
        violations.add(
            "preceding",
            "BR-KSA-56",
            "a credit or debit note names the document that it corrects",
        );
    }
    if content.reason.trim().is_empty() {
        violations.add(
            "reason",
            "BR-KSA-17",
            "a credit or debit note says why it is issued",
        );
    }
}

fn settled(
    violations: &mut Violations,
    path: impl Display + Copy,
    text: &str,
    currency: Option<Currency>,
    rule: &'static str,
) -> Option<Money> {
    let amount = violations.amount(path, text, currency, rule).ok()?;
    amount.or_else(|| currency.map(Money::zero))
}
