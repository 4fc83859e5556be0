//! What several tables store: currencies, amounts, keys, and the numbers of enums.

use invoice::{Currency, Money};
use invoicing_contract::messages::documents::{AuthorityState, Kind, Status};
use rusqlite::Row;
use rusqlite::types::Type;
use uuid::Uuid;

use crate::engine::invalid_value;

/// A currency from its ISO 4217 code.
pub(crate) fn currency(code: &str) -> rusqlite::Result<Currency> {
    Currency::parse(code).ok_or_else(|| invalid_value(code, "currency"))
}

/// An amount from minor units.
pub(crate) fn money(minor: i64, currency: Currency) -> rusqlite::Result<Money> {
    Money::from_minor(minor, currency)
        .ok_or_else(|| invalid_value(&format!("{minor} {}", currency.code()), "amount"))
}

/// A key from 16 bytes.
pub(crate) fn uuid(bytes: &[u8]) -> rusqlite::Result<Uuid> {
    Uuid::from_slice(bytes)
        .map_err(|error| rusqlite::Error::FromSqlConversionFailure(0, Type::Blob, Box::new(error)))
}

/// A key in a column.
pub(crate) fn key(row: &Row<'_>, column: &str) -> rusqlite::Result<Uuid> {
    uuid(row.get_ref(column)?.as_blob()?)
}

/// A kind of document from its number in the enum.
pub(crate) fn kind(number: i32) -> rusqlite::Result<Kind> {
    Kind::try_from(number).map_err(|error| {
        rusqlite::Error::FromSqlConversionFailure(0, Type::Integer, Box::new(error))
    })
}

/// A status of a document from its number in the enum.
pub(crate) fn status(number: i32) -> rusqlite::Result<Status> {
    Status::try_from(number).map_err(|error| {
        rusqlite::Error::FromSqlConversionFailure(0, Type::Integer, Box::new(error))
    })
}

/// What a tax authority says of a document, from its number in the enum.
pub(crate) fn authority_state(number: i32) -> rusqlite::Result<AuthorityState> {
    AuthorityState::try_from(number).map_err(|error| {
        rusqlite::Error::FromSqlConversionFailure(0, Type::Integer, Box::new(error))
    })
}
