//! What the rules compute, a caller may leave out and a file must state: amounts of percentages, and the rate zero.

use crate::calculation::percentage;
use crate::content::{AllowanceCharge, Tax};
use crate::tax::Rate;
use crate::{Category, Currency, Document, decimal};

impl Document {
    /// Fills what was left out. It is filled for a file, and not when a document is completed: so documents that were stored before
    /// have it too, and callers read back what they sent.
    #[must_use]
    pub fn with_omitted_values(mut self) -> Self {
        let content = &mut self.content;
        let currency = Currency::of_document(&content.currency);
        for line in &mut content.lines {
            fill_rate(&mut line.tax);
            for item in &mut line.allowances_charges {
                fill_amount(item, currency);
            }
        }
        for item in &mut content.allowances_charges {
            fill_rate(&mut item.tax);
            fill_amount(item, currency);
        }
        self
    }
}

/// BT-92, BT-99, BT-136 and BT-141: the percentage of the base, as the rules compute it.
fn fill_amount(item: &mut AllowanceCharge, currency: Currency) {
    if !item.amount.is_empty() {
        return;
    }
    if let (Ok(base), Ok(percent)) = (decimal::parse(&item.base), decimal::parse(&item.percent))
        && let Some(amount) = percentage(base, percent, currency)
    {
        item.amount = amount.to_string();
    }
}

/// BR-Z-05 and its like: a category of the rate zero states it.
fn fill_rate(tax: &mut Tax) {
    let is_zero = Category::parse(&tax.category).is_some_and(|it| it.rate() == Rate::Zero);
    if is_zero && tax.rate.is_empty() {
        "0".clone_into(&mut tax.rate);
    }
}
