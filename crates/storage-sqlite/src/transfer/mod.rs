//! [`TransferStore`] on SQLite: the records of every table, as all engines exchange them.

mod statements;

use async_trait::async_trait;
use rusqlite::types::{Value as Stored, ValueRef};
use rusqlite::{Row, Transaction, params_from_iter};

use self::statements::Statements;
use crate::Sqlite;
use crate::documents::derive_sums;
use crate::engine::{EngineError, identifier, invalid_value};
use invoicing_contract::OrganizationId;
use invoicing_storage::StorageError;
use invoicing_storage::transfer::{ColumnKind, Record, Table, TransferStore, Value};

#[async_trait]
impl TransferStore for Sqlite {
    async fn begin_export(&self) -> Result<(), StorageError> {
        Ok(())
    }

    async fn count(&self, table: &'static Table) -> Result<u64, StorageError> {
        let statements = Statements::find(table)?;
        let count: i64 = self
            .engine()
            .read(move |connection| {
                let mut select = connection.prepare_cached(&statements.count)?;
                Ok(select.query_row((), |row| row.get(0))?)
            })
            .await?;
        u64::try_from(count).map_err(StorageError::unexpected)
    }

    async fn export(
        &self,
        table: &'static Table,
        after: Option<&Record>,
        limit: u32,
    ) -> Result<Vec<Record>, StorageError> {
        let statements = Statements::find(table)?;
        let key = after.map(|record| record[..table.key].to_vec());
        self.engine()
            .read(move |connection| {
                let statement = if key.is_some() {
                    &statements.next
                } else {
                    &statements.first
                };
                let values = key.into_iter().flatten().map(stored);
                let values = values.chain([Stored::Integer(limit.into())]);
                let mut select = connection.prepare_cached(statement)?;
                let records =
                    select.query_and_then(params_from_iter(values), |row| exported(table, row))?;
                records.collect()
            })
            .await
    }

    async fn import(
        &self,
        table: &'static Table,
        records: Vec<Record>,
    ) -> Result<(), StorageError> {
        let statements = Statements::find(table)?;
        self.engine()
            .write(move |transaction| {
                for record in records {
                    insert_record(transaction, statements, record)?;
                }
                Ok(())
            })
            .await
    }

    async fn end_import(&self) -> Result<(), StorageError> {
        let organizations = self
            .engine()
            .read(|connection| {
                let mut select = connection.prepare("SELECT id FROM organizations ORDER BY id")?;
                let ids = select.query_map((), |row| identifier(row, 0))?;
                Ok(ids.collect::<Result<Vec<OrganizationId>, _>>()?)
            })
            .await?;
        for organization in organizations {
            self.engine()
                .write(move |transaction| derive_sums(transaction, &organization))
                .await?;
        }
        Ok(())
    }

    async fn set_mark(
        &self,
        mark: &'static str,
        value: Option<String>,
    ) -> Result<(), StorageError> {
        self.engine()
            .write(move |transaction| {
                let delete = "DELETE FROM settings WHERE name = ?1";
                transaction.execute(delete, [mark])?;
                if let Some(value) = value {
                    let insert = "INSERT INTO settings (name, value) VALUES (?1, ?2)";
                    transaction.execute(insert, (mark, value))?;
                }
                Ok(())
            })
            .await
    }
}

fn insert_record(
    transaction: &Transaction<'_>,
    statements: &Statements,
    record: Record,
) -> Result<(), EngineError> {
    let values = if matches!(statements.table.name, "document_sums" | "document_tax_sums") {
        split_amounts(record)?
    } else {
        record.into_iter().map(stored).collect()
    };
    for insert in &statements.insert {
        let mut insert = transaction.prepare_cached(insert)?;
        // A statement of several has parameters up to the last that it uses.
        let used = insert.parameter_count();
        insert.execute(params_from_iter(values.iter().take(used)))?;
    }
    Ok(())
}

fn stored(value: Value) -> Stored {
    match value {
        Value::Null => Stored::Null,
        Value::Integer(integer) => Stored::Integer(integer),
        Value::Text(text) => Stored::Text(text),
        Value::Bytes(bytes) => Stored::Blob(bytes),
    }
}

fn exported(table: &Table, row: &Row<'_>) -> Result<Record, EngineError> {
    let columns = table.columns.iter().enumerate();
    let values = columns.map(|(at, column)| {
        let value = row.get_ref(at)?;
        Ok(match (column.kind, value) {
            (_, ValueRef::Null) => Value::Null,
            (ColumnKind::Integer | ColumnKind::TokenNumber, value) => {
                Value::Integer(value.as_i64().map_err(|error| mapping(at, error))?)
            }
            (ColumnKind::Text, value) => {
                let text = value.as_str().map_err(|error| mapping(at, error))?;
                Value::Text(match (table.name, column.name) {
                    ("document_sums", "net" | "tax" | "gross")
                    | ("document_tax_sums", "taxable" | "tax") => joined_amount(text)?,
                    _ => text.to_owned(),
                })
            }
            (ColumnKind::Bytes, value) => Value::Bytes(
                value
                    .as_blob()
                    .map_err(|error| mapping(at, error))?
                    .to_vec(),
            ),
        })
    });
    values.collect()
}

fn mapping(column: usize, error: rusqlite::types::FromSqlError) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(column, rusqlite::types::Type::Null, Box::new(error))
}

/// `HIGH:LOW` as one number.
fn joined_amount(text: &str) -> Result<String, EngineError> {
    let parts = text.split_once(':').and_then(|(high, low)| {
        let (high, low): (i128, i128) = (high.parse().ok()?, low.parse().ok()?);
        Some((high << 32) + low)
    });
    let amount = parts.ok_or_else(|| invalid_value(text, "sum of amounts"))?;
    Ok(amount.to_string())
}

/// The values of a table of sums, each amount as its high and low part.
fn split_amounts(record: Record) -> Result<Vec<Stored>, EngineError> {
    const FIRST_AMOUNT: usize = 6;
    let mut values = Vec::new();
    for (at, value) in record.into_iter().enumerate() {
        match value {
            Value::Text(text) if at >= FIRST_AMOUNT => {
                let amount: i128 = text.parse().map_err(StorageError::corrupt)?;
                let high = i64::try_from(amount >> 32).map_err(StorageError::corrupt)?;
                let low = i64::try_from(amount & 0xFFFF_FFFF).map_err(StorageError::corrupt)?;
                values.extend([Stored::Integer(high), Stored::Integer(low)]);
            }
            value @ (Value::Null | Value::Integer(_) | Value::Text(_) | Value::Bytes(_)) => {
                values.push(stored(value));
            }
        }
    }
    Ok(values)
}
