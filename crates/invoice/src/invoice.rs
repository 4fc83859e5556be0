//! The validated invoice, with numbers, amounts and dates as typed values. Texts stay in the [`Content`](crate::Content).

use jiff::civil::Date;
use rust_decimal::Decimal;

use crate::tax::{Category, Tax};
use crate::{Currency, Kind, Money};

/// An invoice without violations.
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
    /// Whether it is a charge (added) or an allowance (subtracted).
    pub is_charge: bool,
    /// BT-92, BT-99
    pub amount: Money,
    /// BT-95, BT-102
    pub tax: Tax,
}

/// The tax of one line (BR-KSA-50, BR-KSA-51). Totals are not computed from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LineTax {
    /// KSA-11
    pub tax: Money,
    /// KSA-12
    pub gross: Money,
}

/// BG-23: the subtotal of one category and rate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaxSubtotal {
    /// BT-118
    pub category: Category,
    /// BT-119, percent.
    pub rate: Decimal,
    /// BT-116
    pub taxable: Money,
    /// BT-117
    pub tax: Money,
    /// BT-121, or empty.
    pub exemption_code: String,
    /// BT-120, or empty.
    pub exemption_reason: String,
}

/// BG-22
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Totals {
    /// BT-106
    pub lines: Money,
    /// BT-107
    pub allowances: Money,
    /// BT-108
    pub charges: Money,
    /// BT-109
    pub net: Money,
    /// BT-110
    pub tax: Money,
    /// BT-111
    pub tax_in_tax_currency: Option<Money>,
    /// BT-112
    pub gross: Money,
    /// BT-113
    pub prepaid: Money,
    /// BT-114
    pub rounding: Money,
    /// BT-115
    pub payable: Money,
}
