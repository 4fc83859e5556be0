//! What several tables store: currencies, amounts, and the numbers of enums.

use invoice::{Currency, Money};
use invoicing_contract::messages::documents::{AuthorityState, Kind, Status};
use invoicing_storage::StorageError;
use tokio_postgres::Row;

use crate::engine::{EngineError, invalid_value};

/// The currency in a column, from its ISO 4217 code.
pub(crate) fn currency(row: &Row, column: &str) -> Result<Currency, EngineError> {
    let code: &str = row.try_get(column)?;
    Currency::parse(code).ok_or_else(|| invalid_value(code, "currency"))
}

/// An amount from minor units.
pub(crate) fn money(minor: i64, currency: Currency) -> Result<Money, EngineError> {
    Money::from_minor(minor, currency)
        .ok_or_else(|| invalid_value(&format!("{minor} {}", currency.code()), "amount"))
}

/// A kind of document from its number in the enum.
pub(crate) fn kind(number: i32) -> Result<Kind, EngineError> {
    Ok(Kind::try_from(number).map_err(StorageError::corrupt)?)
}

/// A status of a document from its number in the enum.
pub(crate) fn status(number: i32) -> Result<Status, EngineError> {
    Ok(Status::try_from(number).map_err(StorageError::corrupt)?)
}

/// What a tax authority says of a document, from its number in the enum.
pub(crate) fn authority_state(number: i32) -> Result<AuthorityState, EngineError> {
    Ok(AuthorityState::try_from(number).map_err(StorageError::corrupt)?)
}
