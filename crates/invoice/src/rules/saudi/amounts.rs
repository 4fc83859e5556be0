//! The sign of amounts and quantities in Saudi Arabia (BR-KSA-F-04): a credit note takes money back, and no negative amount does.
//!
//! Net amount (BT-131) and amount with tax (KSA-12) of a line, rounding amount (BT-114) and amount due (BT-115) may be negative, and so
//! may the taxable amount of what is outside the scope of tax.

use std::fmt::Display;

use rust_decimal::Decimal;

use crate::calculation::Calculation;
use crate::content::AllowanceCharge;
use crate::tax::Category;
use crate::violation::Violations;
use crate::{Content, Document, Money, TaxSubtotal, decimal};

/// Checks a received document with the amounts that it declares. Prices below zero are reported by BR-27 and BR-28.
pub(super) fn check_document(violations: &mut Violations, document: &Document) {
    let content = &document.content;
    for (at, line) in content.lines.iter().enumerate() {
        let path = format_args!("lines[{at}]");
        let details = &line.details;
        let tax = details.tax_amounts.as_ref();
        for (name, text) in [
            ("quantity", line.quantity.as_str()),
            ("priceDiscount", details.price_discount.as_str()),
            (
                "taxAmounts.tax",
                tax.map_or("", |amounts| amounts.tax.as_str()),
            ),
        ] {
            not_negative(violations, format_args!("{path}.{name}"), text);
        }
        let items = &line.allowances_charges;
        allowances(violations, format_args!("{path}."), items);
    }
    allowances(violations, "", &content.allowances_charges);
    not_negative(violations, "prepaid", &content.prepaid);
    for (at, row) in document.figures.tax_breakdown.iter().enumerate() {
        let path = format_args!("taxBreakdown[{at}]");
        if row.category != Category::OutsideScope.code() {
            not_negative(violations, format_args!("{path}.taxable"), &row.taxable);
        }
        not_negative(violations, format_args!("{path}.tax"), &row.tax);
    }
    let totals = &document.figures.totals;
    for (name, text) in [
        ("lines", &totals.lines),
        ("allowances", &totals.allowances),
        ("charges", &totals.charges),
        ("net", &totals.net),
        ("tax", &totals.tax),
        ("taxInTaxCurrency", &totals.tax_in_tax_currency),
        ("gross", &totals.gross),
    ] {
        not_negative(violations, format_args!("totals.{name}"), text);
    }
}

/// Checks a content of our own: what is entered, and what its file states of it. A computed amount is reported at the allowance that
/// makes it negative. In a content of our own the prepaid amount is never negative, and amounts of allowances and charges are on lines
/// with a negative quantity only, which is reported itself.
pub(super) fn check_content(
    violations: &mut Violations,
    content: &Content,
    calculation: &Calculation,
) {
    for (at, line) in content.lines.iter().enumerate() {
        let path = format_args!("lines[{at}]");
        let discount = &line.details.price_discount;
        not_negative(violations, format_args!("{path}.priceDiscount"), discount);
        if is_negative(&line.quantity) {
            report(violations, format_args!("{path}.quantity"));
            continue;
        }
        let net = calculation.lines.get(at).copied().flatten();
        let allowance = line.allowances_charges.iter().position(is_allowance);
        let category = line.tax.category.as_str();
        // The tax of the line (KSA-11) has the sign of its net amount, and is zero in other categories.
        if let Some(allowance) = allowance
            && net.is_some_and(Money::is_negative)
            && (category == Category::Standard.code()
                || is_negative_by_lines(content, calculation, category))
        {
            let path = format_args!("{path}.allowancesCharges[{allowance}].amount");
            report(violations, path);
        }
    }
    for row in &calculation.tax_breakdown {
        if row.taxable.is_negative()
            && row.category != Category::OutsideScope
            && let Some(at) = allowance_of(content, row)
        {
            report(violations, format_args!("allowancesCharges[{at}].amount"));
        }
    }
}

/// Whether the taxable amount of a category without tax is negative and no allowance of the document is in it.
fn is_negative_by_lines(content: &Content, calculation: &Calculation, category: &str) -> bool {
    let mut rows = calculation.tax_breakdown.iter();
    rows.any(|row| {
        row.category != Category::OutsideScope
            && row.category.code() == category
            && row.taxable.is_negative()
            && allowance_of(content, row).is_none()
    })
}

fn allowances(violations: &mut Violations, owner: impl Display + Copy, items: &[AllowanceCharge]) {
    for (at, item) in items.iter().enumerate() {
        for (name, text) in [("amount", &item.amount), ("base", &item.base)] {
            let path = format_args!("{owner}allowancesCharges[{at}].{name}");
            not_negative(violations, path, text);
        }
    }
}

/// The first allowance of the document in the category and at the rate of a row.
fn allowance_of(content: &Content, row: &TaxSubtotal) -> Option<usize> {
    let has_rate = |text: &str| match text {
        "" => row.rate.is_zero(),
        text => decimal::parse(text) == Ok(row.rate),
    };
    let mut items = content.allowances_charges.iter();
    items.position(|item| {
        is_allowance(item) && item.tax.category == row.category.code() && has_rate(&item.tax.rate)
    })
}

const fn is_allowance(item: &AllowanceCharge) -> bool {
    !item.is_charge
}

/// Whether the text is a number below zero. Another rule reports what is no number.
fn is_negative(text: &str) -> bool {
    text.starts_with('-') && decimal::parse(text).is_ok_and(|number| number < Decimal::ZERO)
}

fn not_negative(violations: &mut Violations, path: impl Display, text: &str) {
    if is_negative(text) {
        report(violations, path);
    }
}

fn report(violations: &mut Violations, path: impl Display) {
    violations.add(
        path,
        "BR-KSA-F-04",
        "amounts and quantities are not negative",
    );
}
