//! Currencies and amounts in stored rows.

use invoice::{Currency, Money};

use crate::engine::invalid_value;

/// A currency from its ISO 4217 code.
pub(crate) fn currency(code: &str) -> rusqlite::Result<Currency> {
    Currency::parse(code).ok_or_else(|| invalid_value(code, "currency"))
}

/// An amount from minor units.
pub(super) fn money(minor: i64, currency: Currency) -> rusqlite::Result<Money> {
    Money::from_minor(minor, currency)
        .ok_or_else(|| invalid_value(&format!("{minor} {}", currency.code()), "amount"))
}
