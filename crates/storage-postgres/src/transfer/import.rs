//! The transaction that stores records of one table.

use std::collections::BTreeMap;

use async_trait::async_trait;
use invoicing_contract::{OrganizationId, Timestamp};
use invoicing_storage::StorageError;
use invoicing_storage::tokens::TokenAuthorization;
use invoicing_storage::transfer::{ColumnKind, Record, Table, Value};

use super::statements::Statements;
use crate::engine::{EngineError, Parameter, Transaction, TransactionEnd, TransactionWork};
use crate::tokens::content_id;

/// The values of a column of several records.
enum Array {
    Integers(Vec<Option<i64>>),
    Texts(Vec<Option<String>>),
    Bytes(Vec<Option<Vec<u8>>>),
}

impl Array {
    fn parameter(&self) -> Parameter<'_> {
        match self {
            Self::Integers(values) => values,
            Self::Texts(values) => values,
            Self::Bytes(values) => values,
        }
    }
}

/// Inserts records of one organization, or of none.
pub(super) struct Import {
    statements: &'static Statements,
    organization: Option<OrganizationId>,
    times: Vec<Timestamp>,
    columns: Vec<Array>,
}

#[async_trait]
impl TransactionWork for Import {
    type Output = ();

    fn organization(&self) -> Option<&OrganizationId> {
        self.organization.as_ref()
    }

    fn partition_times(&self) -> Vec<Timestamp> {
        self.times.clone()
    }

    async fn run(&self, transaction: &Transaction) -> Result<TransactionEnd<()>, EngineError> {
        let parameters: Vec<_> = self.columns.iter().map(Array::parameter).collect();
        for insert in &self.statements.insert {
            transaction.execute(insert, &parameters).await?;
        }
        Ok(TransactionEnd::Commit(()))
    }
}

impl Import {
    pub(super) fn new(
        table: &Table,
        statements: &'static Statements,
        organization: Option<OrganizationId>,
        records: &[Record],
    ) -> Result<Self, StorageError> {
        let mut columns = Vec::new();
        for (at, column) in table.columns.iter().enumerate() {
            columns.push(array(column.kind, records, at)?);
        }
        if table.name == "access_tokens" {
            columns.push(authorization_ids(records)?);
        }
        Ok(Self {
            statements,
            organization,
            times: times(table, records),
            columns,
        })
    }
}

/// The error of a record whose values are not of the kinds of its table.
pub(super) fn wrong_kind() -> StorageError {
    StorageError::corrupt("a record has a value of another kind")
}

fn array(kind: ColumnKind, records: &[Record], at: usize) -> Result<Array, StorageError> {
    let values = records.iter().map(|record| record.get(at));
    Ok(match kind {
        ColumnKind::Integer | ColumnKind::TokenNumber => Array::Integers(
            values
                .map(|value| match value {
                    Some(Value::Null) => Ok(None),
                    Some(Value::Integer(integer)) => Ok(Some(*integer)),
                    Some(Value::Text(_) | Value::Bytes(_)) | None => Err(wrong_kind()),
                })
                .collect::<Result<_, _>>()?,
        ),
        ColumnKind::Text => Array::Texts(
            values
                .map(|value| match value {
                    Some(Value::Null) => Ok(None),
                    Some(Value::Text(text)) => Ok(Some(text.clone())),
                    Some(Value::Integer(_) | Value::Bytes(_)) | None => Err(wrong_kind()),
                })
                .collect::<Result<_, _>>()?,
        ),
        ColumnKind::Bytes => Array::Bytes(
            values
                .map(|value| match value {
                    Some(Value::Null) => Ok(None),
                    Some(Value::Bytes(bytes)) => Ok(Some(bytes.clone())),
                    Some(Value::Integer(_) | Value::Text(_)) | None => Err(wrong_kind()),
                })
                .collect::<Result<_, _>>()?,
        ),
    })
}

/// The ids of the token authorizations of access tokens, which follow from their columns.
fn authorization_ids(records: &[Record]) -> Result<Array, StorageError> {
    let ids = records.iter().map(|record| {
        let [
            _,
            _,
            _,
            Value::Text(client_id),
            Value::Text(scope),
            Value::Text(audiences),
            Value::Integer(carries_home),
            ..,
        ] = &record[..]
        else {
            return Err(wrong_kind());
        };
        Ok(Some(content_id(&TokenAuthorization {
            client_id: client_id.as_str().into(),
            scope: scope.clone(),
            audiences: audiences.split_whitespace().map(str::to_owned).collect(),
            carries_home: *carries_home != 0,
        })))
    });
    Ok(Array::Integers(ids.collect::<Result<_, _>>()?))
}

/// The times whose partitions the records need, one of each day.
fn times(table: &Table, records: &[Record]) -> Vec<Timestamp> {
    const DAY: i64 = 86_400_000;
    let (column, shift) = match table.name {
        "families" | "refresh_tokens" | "access_tokens" => (0, 21),
        "audit_events" => (1, 0),
        "document_history" => (3, 0),
        _ => return Vec::new(),
    };
    let times = records
        .iter()
        .filter_map(|record| match record.get(column) {
            Some(Value::Integer(number)) => Some(number >> shift),
            Some(Value::Null | Value::Text(_) | Value::Bytes(_)) | None => None,
        });
    let days: BTreeMap<i64, i64> = times.map(|time| (time.div_euclid(DAY), time)).collect();
    days.into_values().map(Timestamp::from_millis).collect()
}
