//! An invoice that keeps every rule: what is computed with is typed, and the words stay in the [`Content`](crate::Content).

use jiff::civil::Date;
use rust_decimal::Decimal;

use crate::calculation::{LineTax, TaxSubtotal, Totals};
use crate::tax::Tax;
use crate::{Currency, Kind, Money};

/// A checked invoice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invoice {
    /// BT-3
    pub kind: Kind,
    /// BT-2
    pub issue_date: Date,
    /// BT-9
    pub due_date: Option<Date>,
    /// BT-72
    pub supply_date: Option<Date>,
    /// BT-5
    pub currency: Currency,
    /// BG-25
    pub lines: Vec<Line>,
    /// BG-20, BG-21
    pub allowances_charges: Vec<AllowanceCharge>,
    /// BG-23, by category and rate.
    pub tax_breakdown: Vec<TaxSubtotal>,
    /// BG-22
    pub totals: Totals,
}

/// BG-25
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// BT-126
    pub id: String,
    /// BT-129
    pub quantity: Decimal,
    /// BT-130
    pub unit: String,
    /// BT-146
    pub unit_price: Decimal,
    /// BT-149
    pub price_base: Decimal,
    /// BG-30
    pub tax: Tax,
    /// BT-131
    pub net: Money,
    /// KSA-11 and KSA-12. `None` if they are too large.
    pub tax_amounts: Option<LineTax>,
}

/// BG-20 or BG-21.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AllowanceCharge {
    /// Added rather than taken off.
    pub is_charge: bool,
    /// BT-92, BT-99
    pub amount: Money,
    /// BT-95, BT-102
    pub tax: Tax,
}
