//! Currencies and amounts in stored rows.

use invoice::{Currency, Money};
use tokio_postgres::Row;

use crate::engine::{EngineError, invalid_value};

/// The currency in a column, from its ISO 4217 code.
pub(crate) fn currency(row: &Row, column: &str) -> Result<Currency, EngineError> {
    let code: &str = row.try_get(column)?;
    Currency::parse(code).ok_or_else(|| invalid_value(code, "currency"))
}

/// An amount from minor units.
pub(super) fn money(minor: i64, currency: Currency) -> Result<Money, EngineError> {
    Money::from_minor(minor, currency)
        .ok_or_else(|| invalid_value(&format!("{minor} {}", currency.code()), "amount"))
}
