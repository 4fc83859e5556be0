//! The base of a percentage that was typed without one: the amount of its line, or the sum of the lines.

use invoice::{Currency, Money, calculation, decimal};

use crate::views::{AllowanceChargeContent, AllowanceChargeKind, InvoiceContent, LineContent};

/// Fills in the bases that are empty. A base that cannot be computed stays empty, and the rules report it.
pub(super) fn fill_in(content: &mut InvoiceContent) {
    let Some(currency) = Currency::parse(&content.currency) else {
        return;
    };
    for line in &mut content.lines {
        let amount = line_amount(line, currency);
        fill(&mut line.details.allowances_charges, amount);
    }
    let lacks_base =
        |item: &AllowanceChargeContent| !item.percent.is_empty() && item.base.is_empty();
    if content.details.allowances_charges.iter().any(lacks_base) {
        let sum = sum_of_lines(content, currency);
        fill(&mut content.details.allowances_charges, sum);
    }
}

/// Leaves out bases and amounts that follow from the lines, so that they follow a change of the lines again.
pub(super) fn leave_out(content: &mut InvoiceContent) {
    let Some(currency) = Currency::parse(&content.currency) else {
        return;
    };
    // The sum needs the amounts of the lines' own.
    let has_percentage =
        |items: &[AllowanceChargeContent]| items.iter().any(|item| !item.percent.is_empty());
    if has_percentage(&content.details.allowances_charges) {
        let sum = sum_of_lines(content, currency);
        shorten(&mut content.details.allowances_charges, sum);
    }
    for line in &mut content.lines {
        let amount = line_amount(line, currency);
        shorten(&mut line.details.allowances_charges, amount);
    }
}

fn shorten(items: &mut [AllowanceChargeContent], base: Option<Money>) {
    let Some(base) = base else { return };
    let is = |text: &str, amount: Money| decimal::parse(text).is_ok_and(|it| it == amount.amount());
    for item in items {
        let Ok(percent) = decimal::parse(&item.percent) else {
            continue;
        };
        if !is(&item.base, base) {
            continue;
        }
        let computed = calculation::percentage(base.amount(), percent, base.currency());
        if item.amount.is_empty() || computed.is_some_and(|computed| is(&item.amount, computed)) {
            item.base.clear();
            item.amount.clear();
        }
    }
}

fn fill(items: &mut [AllowanceChargeContent], base: Option<Money>) {
    for item in items {
        if !item.percent.is_empty()
            && item.base.is_empty()
            && let Some(base) = base
        {
            item.base = decimal::print(base.amount());
        }
    }
}

/// Quantity times price, before allowances and charges.
fn line_amount(line: &LineContent, currency: Currency) -> Option<Money> {
    let quantity = decimal::parse(&line.quantity).ok()?;
    let price = decimal::parse(&line.unit_price).ok()?;
    let base = Some(line.details.price_base.as_str()).filter(|base| !base.is_empty());
    let base = decimal::parse(base.unwrap_or("1")).ok()?;
    calculation::line_amount(quantity, price, base, currency)
}

/// BT-106: of all lines with their allowances and charges.
fn sum_of_lines(content: &InvoiceContent, currency: Currency) -> Option<Money> {
    let mut sum = Money::zero(currency);
    for line in &content.lines {
        sum = sum.plus(line_amount(line, currency)?)?;
        for item in &line.details.allowances_charges {
            let amount = amount(item, currency)?;
            sum = match item.kind {
                AllowanceChargeKind::Allowance => sum.minus(amount)?,
                AllowanceChargeKind::Charge => sum.plus(amount)?,
            };
        }
    }
    Some(sum)
}

fn amount(item: &AllowanceChargeContent, currency: Currency) -> Option<Money> {
    if let Ok(amount) = decimal::parse(&item.amount) {
        return Money::exact(amount, currency);
    }
    let base = decimal::parse(&item.base).ok()?;
    let percent = decimal::parse(&item.percent).ok()?;
    calculation::percentage(base, percent, currency)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentage_of_the_document_is_of_the_sum_of_the_lines() {
        let percent = |percent: &str| AllowanceChargeContent {
            percent: percent.to_owned(),
            ..AllowanceChargeContent::default()
        };
        let mut content = InvoiceContent {
            currency: "SAR".to_owned(),
            lines: vec![LineContent {
                quantity: "3".to_owned(),
                unit_price: "33.35".to_owned(),
                ..LineContent::default()
            }],
            ..InvoiceContent::default()
        };
        content.lines[0].details.allowances_charges = vec![percent("10")];
        content.details.allowances_charges = vec![percent("5")];
        fill_in(&mut content);
        assert_eq!(
            content.lines[0].details.allowances_charges[0].base, "100.05",
            "before its own allowance"
        );
        assert_eq!(
            content.details.allowances_charges[0].base, "90.04",
            "100.05 less 10.01"
        );
        let mut shortened = content.clone();
        leave_out(&mut shortened);
        assert_eq!(shortened.details.allowances_charges, [percent("5")]);
        fill_in(&mut shortened);
        assert_eq!(shortened, content);
    }
}
