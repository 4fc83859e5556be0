//! Sums the taxable amounts of lines, allowances and charges by category and rate, also for a document with other violations.

use std::collections::BTreeMap;

use rust_decimal::Decimal;

use crate::calculation::Calculation;
use crate::content::{AllowanceCharge, Tax};
use crate::tax::{Category, Rate};
use crate::{Currency, Document, Money, decimal};

/// The sums; `None` if an amount of the group is invalid.
pub(super) struct TaxableAmounts {
    groups: BTreeMap<(Category, Decimal), Option<Money>>,
    zero: Money,
}

impl TaxableAmounts {
    /// Sums the declared net amounts of lines, and the allowances and charges of the document.
    pub(super) fn of(document: &Document, calculation: &Calculation, currency: Currency) -> Self {
        let content = &document.content;
        let mut taxed = Self {
            groups: BTreeMap::new(),
            zero: Money::zero(currency),
        };
        for (line, net) in content.lines.iter().zip(&calculation.lines) {
            taxed.add(&line.tax, *net, true);
        }
        for item in &content.allowances_charges {
            taxed.add(&item.tax, amount(item, currency), item.is_charge);
        }
        taxed
    }

    /// The expected taxable amount of a row.
    pub(super) fn amount(&self, category: Category, rate: Decimal) -> Option<Money> {
        let sum = self.groups.get(&(category, grouping_rate(category, rate)));
        sum.copied().unwrap_or(Some(self.zero))
    }

    fn add(&mut self, tax: &Tax, amount: Option<Money>, plus: bool) {
        let rate = if tax.rate.is_empty() {
            Ok(Decimal::ZERO)
        } else {
            decimal::parse(&tax.rate)
        };
        let (Some(category), Ok(rate)) = (Category::parse(&tax.category), rate) else {
            return;
        };
        let key = (category, grouping_rate(category, rate));
        let sum = self.groups.entry(key).or_insert(Some(self.zero));
        *sum = match (*sum, amount) {
            (Some(sum), Some(amount)) if plus => sum.plus(amount),
            (Some(sum), Some(amount)) => sum.minus(amount),
            _ => None,
        };
    }
}

/// The declared amount of an allowance or charge of the document.
pub(super) fn amount(item: &AllowanceCharge, currency: Currency) -> Option<Money> {
    Money::exact(decimal::parse(&item.amount).ok()?, currency)
}

/// The rate that distinguishes rows of a category: zero for a category that charges no tax.
fn grouping_rate(category: Category, rate: Decimal) -> Decimal {
    match category.rate() {
        Rate::AboveZero | Rate::Any => rate.normalize(),
        Rate::Zero | Rate::None => Decimal::ZERO,
    }
}
