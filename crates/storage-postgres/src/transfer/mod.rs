//! [`TransferStore`] on PostgreSQL: the records of every table, as all engines exchange them. For the role that owns the
//! tables: the application may not write all of them.

mod statements;

use std::collections::BTreeMap;

use async_trait::async_trait;
use invoicing_contract::{OrganizationId, Timestamp};
use invoicing_storage::StorageError;
use invoicing_storage::tokens::TokenAuthorization;
use invoicing_storage::transfer::{
    ColumnKind, Record, Table, TransferStore, Value, restore_token_numbers,
};
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;

use self::statements::Statements;
use crate::Postgres;
use crate::documents::classify_sums;
use crate::engine::{
    EngineError, Parameter, Transaction, TransactionEnd, TransactionWork, identifier,
};
use crate::tokens::content_id;

/// Gives positions to all events of the audit that have none, in the order in which they would get theirs.
struct NumberAllEvents;

#[async_trait]
impl TransactionWork for NumberAllEvents {
    type Output = ();

    async fn run(&self, transaction: &Transaction) -> Result<TransactionEnd<()>, EngineError> {
        let lock = "SELECT last_position FROM audit_chain WHERE id = 1 FOR UPDATE";
        transaction.execute(lock, &[]).await?;
        let number = "INSERT INTO audit_positions (position, at, id)
             SELECT last_position + row_number() OVER (ORDER BY event.at, event.id), event.at, event.id
             FROM audit_chain, audit_events AS event
             WHERE NOT EXISTS (SELECT FROM audit_positions AS known WHERE known.at = event.at AND known.id = event.id)";
        let added = transaction.execute(number, &[]).await?;
        let added = i64::try_from(added).map_err(StorageError::unexpected)?;
        let count = "UPDATE audit_chain SET last_position = last_position + $1";
        transaction.execute(count, &[&added]).await?;
        Ok(TransactionEnd::Commit(()))
    }
}

/// Sets or removes a mark.
struct SetMark {
    mark: &'static str,
    value: Option<String>,
}

#[async_trait]
impl TransactionWork for SetMark {
    type Output = ();

    async fn run(&self, transaction: &Transaction) -> Result<TransactionEnd<()>, EngineError> {
        let delete = "DELETE FROM settings WHERE name = $1";
        transaction.execute(delete, &[&self.mark]).await?;
        if let Some(value) = &self.value {
            let insert = "INSERT INTO settings (name, value) VALUES ($1, $2)";
            transaction.execute(insert, &[&self.mark, value]).await?;
        }
        Ok(TransactionEnd::Commit(()))
    }
}

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
struct Import {
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
    fn new(
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

fn wrong_kind() -> StorageError {
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

fn exported(table: &Table, row: &Row) -> Result<Record, EngineError> {
    let columns = table.columns.iter().enumerate();
    let values = columns.map(|(at, column)| {
        Ok(match column.kind {
            ColumnKind::Integer | ColumnKind::TokenNumber => row
                .try_get::<_, Option<i64>>(at)?
                .map_or(Value::Null, Value::Integer),
            ColumnKind::Text => row
                .try_get::<_, Option<String>>(at)?
                .map_or(Value::Null, Value::Text),
            ColumnKind::Bytes => row
                .try_get::<_, Option<Vec<u8>>>(at)?
                .map_or(Value::Null, Value::Bytes),
        })
    });
    values.collect()
}

fn parameter(value: &Value) -> &(dyn ToSql + Sync) {
    match value {
        Value::Null => &None::<i64>,
        Value::Integer(integer) => integer,
        Value::Text(text) => text,
        Value::Bytes(bytes) => bytes,
    }
}

/// Organizations that are read at once: few, because each page begins with those after its own.
const ORGANIZATIONS: i64 = 64;

impl Postgres {
    /// The organizations with the next ids.
    async fn organizations_after(
        &self,
        last: &OrganizationId,
    ) -> Result<Vec<OrganizationId>, StorageError> {
        let select = "SELECT id FROM organizations WHERE id > $1 ORDER BY id LIMIT $2";
        let key: [Parameter<'_>; 2] = [&last.as_str(), &ORGANIZATIONS];
        self.engine()
            .lookup_all(select, &key, |row| identifier(row, "id"))
            .await
    }

    async fn page(
        &self,
        table: &Table,
        statements: &'static Statements,
        organization: Option<&OrganizationId>,
        after: Option<&[Value]>,
        limit: i64,
    ) -> Result<Vec<Record>, StorageError> {
        let organization_id = organization.map(OrganizationId::as_str);
        let mut parameters: Vec<Parameter<'_>> = Vec::new();
        let select = match after {
            Some(key) => {
                parameters.extend(key.iter().map(parameter));
                &statements.next
            }
            None => {
                if let Some(organization) = &organization_id {
                    parameters.push(organization);
                }
                &statements.first
            }
        };
        parameters.push(&limit);
        let rows = self
            .engine()
            .rows(organization, select, &parameters)
            .await?;
        let records = rows.iter().map(|row| exported(table, row));
        Ok(records.collect::<Result<_, EngineError>>()?)
    }
}

#[async_trait]
impl TransferStore for Postgres {
    async fn begin_export(&self) -> Result<(), StorageError> {
        self.engine().write(&NumberAllEvents).await
    }

    async fn export(
        &self,
        table: &'static Table,
        after: Option<&Record>,
        limit: u32,
    ) -> Result<Vec<Record>, StorageError> {
        let statements = Statements::find(table)?;
        let limit = i64::from(limit);
        let key = after.map(|record| &record[..table.key]);
        if !table.is_of_organizations() {
            return self.page(table, statements, None, key, limit).await;
        }
        // A transaction sees the rows of one organization.
        let mut last = OrganizationId::from(String::new());
        if let Some(key) = key {
            let [Value::Text(begun), ..] = key else {
                return Err(wrong_kind());
            };
            last = OrganizationId::new(begun.as_str());
            let page = self.page(table, statements, Some(&last), Some(key), limit);
            let page = page.await?;
            if !page.is_empty() {
                return Ok(page);
            }
        }
        loop {
            let next = self.organizations_after(&last).await?;
            let Some(end) = next.last().cloned() else {
                return Ok(Vec::new());
            };
            for organization in &next {
                let page = self.page(table, statements, Some(organization), None, limit);
                let page = page.await?;
                if !page.is_empty() {
                    return Ok(page);
                }
            }
            last = end;
        }
    }

    async fn import(
        &self,
        table: &'static Table,
        mut records: Vec<Record>,
    ) -> Result<(), StorageError> {
        let statements = Statements::find(table)?;
        // Lookups compare the number, and a constraint the bucket of a token with that of its family.
        restore_token_numbers(table, &mut records);
        if !table.is_of_organizations() {
            let import = Import::new(table, statements, None, &records)?;
            return self.engine().write(&import).await;
        }
        let mut organizations: BTreeMap<String, Vec<Record>> = BTreeMap::new();
        for record in records {
            let Some(Value::Text(organization)) = record.first() else {
                return Err(wrong_kind());
            };
            organizations
                .entry(organization.clone())
                .or_default()
                .push(record);
        }
        for (organization, records) in organizations {
            let organization = Some(organization.into());
            let import = Import::new(table, statements, organization, &records)?;
            self.engine().write(&import).await?;
        }
        Ok(())
    }

    async fn end_import(&self) -> Result<(), StorageError> {
        classify_sums(self.engine()).await
    }

    async fn set_mark(
        &self,
        mark: &'static str,
        value: Option<String>,
    ) -> Result<(), StorageError> {
        self.engine().write(&SetMark { mark, value }).await
    }
}
