//! [`TransferStore`] on PostgreSQL: the records of every table, as all engines exchange them. For the role that owns the
//! tables: the application may not write all of them.

mod import;
mod statements;

use std::collections::BTreeMap;

use async_trait::async_trait;
use invoicing_contract::OrganizationId;
use invoicing_storage::StorageError;
use invoicing_storage::transfer::{
    ColumnKind, Record, Table, TransferStore, Value, restore_token_numbers,
};
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;

use self::import::{Import, wrong_kind};
use self::statements::Statements;
use crate::Postgres;
use crate::documents::classify_sums;
use crate::engine::{
    EngineError, Parameter, Transaction, TransactionEnd, TransactionWork, identifier,
};

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

    /// The number of records of a table, of an organization if they belong to one.
    async fn count_of(
        &self,
        statements: &'static Statements,
        organization: Option<&OrganizationId>,
    ) -> Result<u64, StorageError> {
        let organization_id = organization.map(OrganizationId::as_str);
        let parameters: Vec<Parameter<'_>> = organization_id
            .iter()
            .map(|organization| organization as Parameter<'_>)
            .collect();
        let engine = self.engine();
        let row = engine.row(organization, &statements.count, &parameters);
        let count = row.await?.map(|row| row.try_get::<_, i64>(0));
        let count = count.transpose().map_err(EngineError::from)?;
        u64::try_from(count.unwrap_or_default()).map_err(StorageError::unexpected)
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

    async fn count(&self, table: &'static Table) -> Result<u64, StorageError> {
        let statements = Statements::find(table)?;
        if !table.is_of_organizations() {
            return self.count_of(statements, None).await;
        }
        let mut last = OrganizationId::from(String::new());
        let mut count = 0;
        loop {
            let next = self.organizations_after(&last).await?;
            let Some(end) = next.last().cloned() else {
                return Ok(count);
            };
            for organization in &next {
                count += self.count_of(statements, Some(organization)).await?;
            }
            last = end;
        }
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
