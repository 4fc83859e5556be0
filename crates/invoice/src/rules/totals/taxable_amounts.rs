//! What the lines, allowances and charges of a document come to by category and rate, also of a document that is wrong elsewhere.

use std::collections::BTreeMap;

use rust_decimal::Decimal;

use crate::calculation::Calculation;
use crate::content::{AllowanceCharge, Tax};
use crate::tax::{Category, Rate};
use crate::{Currency, Document, Money, decimal};

/// The sums, `None` where one of their amounts could not be read.
pub(super) struct TaxableAmounts {
    groups: BTreeMap<(Category, Decimal), Option<Money>>,
    zero: Money,
}

impl TaxableAmounts {
    /// The sums of the net amounts that the lines state and of what is taken off or added to the whole.
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

    /// What a row of this category and rate is to state.
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

/// The amount of an allowance or charge of the document as it is declared.
pub(super) fn amount(item: &AllowanceCharge, currency: Currency) -> Option<Money> {
    Money::exact(decimal::parse(&item.amount).ok()?, currency)
}

/// The rate by which rows of a category are told apart: none where it charges no tax.
fn grouping_rate(category: Category, rate: Decimal) -> Decimal {
    match category.rate() {
        Rate::AboveZero | Rate::Any => rate.normalize(),
        Rate::Zero | Rate::None => Decimal::ZERO,
    }
}
