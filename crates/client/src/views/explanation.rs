//! How amounts are computed, and prices that were typed with tax.

use serde::{Deserialize, Serialize};
use specta::Type;

/// The computation of one amount.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ExplanationStep {
    /// The amount, as `totals.tax` or `lines[2].net`.
    pub path: String,
    /// Its business term, as `BT-110`.
    pub term: String,
    /// The rule that defines the computation, as `BR-CO-14`.
    pub rule: String,
    /// In order.
    pub inputs: Vec<ExplanationInput>,
    /// The value before rounding half away from zero, if it was rounded.
    pub unrounded: Option<String>,
    /// Whether `unrounded` has all digits.
    pub unrounded_is_exact: bool,
    /// The amount.
    pub result: String,
}

/// One operand of a computation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ExplanationInput {
    /// How it is applied.
    pub operation: ExplanationOperation,
    /// What it is, as `lines[2].net`.
    pub path: String,
    /// Its value.
    pub value: String,
}

/// How an operand is applied. A product comes first and is rounded before a sum.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names say it")]
pub enum ExplanationOperation {
    Times,
    TimesPercent,
    DividedBy,
    Plus,
    Minus,
}

/// The net price (BT-146) of a price with tax.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(
    tag = "kind",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum NetPrice {
    /// The line with tax comes to exactly what was typed.
    Found {
        /// BT-146
        price: String,
        /// Whether the price itself is exact, and not rounded.
        is_exact: bool,
        /// The line with tax.
        with_tax: String,
    },
    /// With no price of the allowed decimals does the line with tax come to what was typed.
    None {
        /// The nearest price.
        nearest: String,
        /// The line with tax at that price.
        with_tax: String,
        /// What was typed, times the quantity.
        typed: String,
    },
    /// A number is missing or cannot be read, or is too large.
    Unreadable,
}
