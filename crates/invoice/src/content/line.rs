//! A line, and the allowances, charges and taxes of lines and documents.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::LazyLock;

use super::{Identifier, Period, Text};

/// BG-25
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Line {
    /// BT-126. The position of the line, counted from 1, if empty.
    pub id: String,
    /// BT-153
    pub description: Text,
    /// BT-129
    pub quantity: String,
    /// BT-130, UN/ECE Recommendation 20. C62 (one) if empty.
    pub unit: String,
    /// BT-146
    pub unit_price: String,
    /// BT-149: the quantity that the price is for. 1 if empty.
    pub price_base: String,
    /// BG-27, BG-28
    pub allowances_charges: Vec<AllowanceCharge>,
    /// BG-30
    pub tax: Tax,
    /// BT-155
    pub item_code: String,
    /// Fields that few lines have.
    pub details: SparseLineDetails,
}

/// [`LineDetails`] that are allocated on the first write, because an invoice can have ten thousand lines.
#[derive(Clone, Default)]
pub struct SparseLineDetails(Option<Box<LineDetails>>);

static NONE: LazyLock<LineDetails> = LazyLock::new(LineDetails::default);

impl Deref for SparseLineDetails {
    type Target = LineDetails;

    fn deref(&self) -> &LineDetails {
        self.0.as_deref().unwrap_or(&NONE)
    }
}

impl DerefMut for SparseLineDetails {
    fn deref_mut(&mut self) -> &mut LineDetails {
        self.0.get_or_insert_default()
    }
}

impl From<LineDetails> for SparseLineDetails {
    fn from(details: LineDetails) -> Self {
        Self(Some(Box::new(details)))
    }
}

impl PartialEq for SparseLineDetails {
    fn eq(&self, other: &Self) -> bool {
        (self.0.is_none() && other.0.is_none()) || **self == **other
    }
}

impl Eq for SparseLineDetails {}

impl fmt::Debug for SparseLineDetails {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(formatter)
    }
}

/// The fields of a line that no computation uses.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LineDetails {
    /// BT-127
    pub note: String,
    /// BT-128
    pub object: Identifier,
    /// BT-132
    pub order_line: String,
    /// BT-133
    pub accounting: String,
    /// BG-26
    pub period: Option<Period>,
    /// BT-147
    pub price_discount: String,
    /// BT-148
    pub gross_price: String,
    /// BT-150
    pub price_base_unit: String,
    /// BT-154
    pub item_description: Text,
    /// BT-156
    pub buyer_item_code: String,
    /// BT-157
    pub standard_item_code: Identifier,
    /// BT-158
    pub classifications: Vec<Classification>,
    /// BT-159, ISO 3166-1 alpha-2
    pub origin: String,
    /// BG-32
    pub attributes: Vec<ItemAttribute>,
    /// KSA-11 and KSA-12, which Saudi Arabia requires on every line.
    pub tax_amounts: Option<TaxAmounts>,
}

/// BT-158
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Classification {
    /// UNTDID 7143
    pub list: String,
    /// The version of the list.
    pub version: String,
    /// The code.
    pub code: String,
}

/// BG-32
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ItemAttribute {
    /// BT-160
    pub name: String,
    /// BT-161
    pub value: String,
}

/// The tax of a line as declared in the document. No computation uses it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TaxAmounts {
    /// KSA-11
    pub tax: String,
    /// KSA-12
    pub gross: String,
}

/// BG-20, BG-21 on the document, BG-27, BG-28 on a line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AllowanceCharge {
    /// Whether it is a charge (added) or an allowance (subtracted).
    pub is_charge: bool,
    /// The amount. Given alone, or together with base and percentage if they agree.
    pub amount: String,
    /// The base of the percentage.
    pub base: String,
    /// The percentage of the base.
    pub percent: String,
    /// The reason as text.
    pub reason: String,
    /// The reason as a code: UNCL5189 for an allowance, UNCL7161 for a charge.
    pub reason_code: String,
    /// The tax, of the document level only.
    pub tax: Tax,
}

/// BG-30, or the tax of an allowance or charge on the document.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tax {
    /// UNCL5305
    pub category: String,
    /// Percent.
    pub rate: String,
    /// VATEX code.
    pub exemption_code: String,
    /// The reason in words.
    pub exemption_reason: String,
}

impl Tax {
    /// Whether all fields are empty.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        let Self {
            category,
            rate,
            exemption_code,
            exemption_reason,
        } = self;
        // Comparing lengths is about a hundred times faster than comparing empty strings.
        category.is_empty()
            && rate.is_empty()
            && exemption_code.is_empty()
            && exemption_reason.is_empty()
    }
}
