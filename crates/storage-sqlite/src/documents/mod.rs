//! [`DocumentStore`] on SQLite.

mod attachments;
mod credits;
mod debits;
mod filter;
mod import;
mod list;
mod list_sort;
mod list_sums;
#[cfg(test)]
mod plan_tests;
mod rows;
mod submissions;
mod summary_row;
mod sums;

pub(crate) use self::sums::derive_sums;

use std::collections::BTreeSet;

use async_trait::async_trait;
use invoicing_contract::messages::documents::{Document, Revision, Status};
use invoicing_contract::{ConcurrencyStamp, OrganizationId};
use rusqlite::{Connection, Transaction, params};
use uuid::Uuid;

use self::sums::CountedDocument;
use crate::Sqlite;
use crate::engine::{EngineError, TransactionEnd, count};
use crate::payments::{add_receivables, give_back, rest_credits, restore_credits};
use crate::reports::add_taxes;
use crate::values::kind;
use invoicing_storage::StorageError;
use invoicing_storage::documents::{
    Action, AddOutcome, AttachmentChange, CreditRelations, DataVersion, DocumentRow, DocumentStore,
    DocumentSummary, ListPage, ListQuery, NumberOutcome, NumberSeries, NumberedDocument, Numbering,
    PlanMonth, WriteOutcome, assigned_number, credited_documents,
};
use invoicing_storage::reports::TaxChanges;

#[async_trait]
impl DocumentStore for Sqlite {
    fn data_version(&self) -> Option<DataVersion> {
        self.engine.data_version()
    }

    async fn encoded_document(
        &self,
        organization: &OrganizationId,
        key: Uuid,
    ) -> Result<Option<Vec<u8>>, StorageError> {
        let key = (organization.as_str(), key.into_bytes());
        self.engine
            .lookup_one(rows::SELECT_BODY, key, |row| row.get(0))
            .await
    }

    async fn add_document(
        &self,
        row: &DocumentRow,
        month: &PlanMonth,
    ) -> Result<AddOutcome, StorageError> {
        let (row, month) = (row.clone(), month.clone());
        self.engine
            .transact(move |transaction| {
                if rows::find(transaction, &row.organization, row.key)?.is_some() {
                    return Ok(TransactionEnd::Rollback(AddOutcome::KeyTaken));
                }
                if !count_in_month(transaction, &row.organization, &month)? {
                    return Ok(TransactionEnd::Rollback(AddOutcome::PlanLimit));
                }
                rows::insert(transaction, &row)?;
                let written = CountedDocument::new(&row);
                sums::change(transaction, &row.organization, &[written], &[])?;
                rows::insert_revision(transaction, &row, Action::Created)?;
                Ok(TransactionEnd::Commit(AddOutcome::Stored))
            })
            .await
    }

    async fn replace_document(
        &self,
        row: &DocumentRow,
        expected: &ConcurrencyStamp,
        action: Action,
    ) -> Result<WriteOutcome, StorageError> {
        let (row, expected) = (row.clone(), expected.clone());
        self.engine
            .write(move |transaction| {
                let stored =
                    rows::find_expected(transaction, &row.organization, row.key, &expected)?;
                let Some(stored) = stored else {
                    return Ok(WriteOutcome::Stale);
                };
                rows::replace(transaction, &stored, &row, action)?;
                Ok(WriteOutcome::Stored)
            })
            .await
    }

    async fn number_document(
        &self,
        organization: &OrganizationId,
        key: Uuid,
        expected: &ConcurrencyStamp,
        series: &NumberSeries,
        numbering: Numbering,
    ) -> Result<NumberOutcome, StorageError> {
        let (organization, expected) = (organization.clone(), expected.clone());
        let series = series.clone();
        self.engine
            .transact(move |transaction| {
                let stored = rows::find_expected(transaction, &organization, key, &expected)?;
                let Some(stored) = stored else {
                    return Ok(TransactionEnd::Rollback(NumberOutcome::Stale));
                };
                // There is one writer: of two credit notes that are numbered at the same time the second sees the first.
                let originals = credited_documents(&stored.document);
                let relations = credits::relations(transaction, &organization, &originals)?;
                let is_new = assigned_number(&stored.document).is_empty();
                let number = if is_new {
                    next_number(transaction, &organization, &series)?
                } else {
                    // Issued before: it keeps its number, and its content may correct other documents.
                    credits::delete(transaction, &organization, key)?;
                    debits::delete(transaction, &organization, key)?;
                    0
                };
                let NumberedDocument { row, submission } = match numbering(number, &relations)? {
                    Ok(numbered) => numbered,
                    Err(violation) => {
                        return Ok(TransactionEnd::Rollback(NumberOutcome::Refused(violation)));
                    }
                };
                rows::replace(transaction, &stored, &row, Action::Issued)?;
                let taken_off = add_receivables(transaction, std::slice::from_ref(&row))?;
                if !is_new {
                    restore_credits(transaction, &row)?;
                    submissions::supersede(transaction, &organization, key, row.updated_at)?;
                }
                let mut taxes = TaxChanges::default();
                taxes.subtract(&stored.document);
                taxes.add(&row.document);
                add_taxes(transaction, &organization, &taxes)?;
                credits::insert(transaction, std::slice::from_ref(&row), &taken_off)?;
                debits::insert(transaction, std::slice::from_ref(&row))?;
                if let Some(submission) = &submission {
                    submissions::insert(transaction, &organization, key, submission)?;
                }
                Ok(TransactionEnd::Commit(NumberOutcome::Stored(Box::new(
                    row.document,
                ))))
            })
            .await
    }

    async fn credit_relations(
        &self,
        organization: &OrganizationId,
        originals: &BTreeSet<Uuid>,
    ) -> Result<CreditRelations, StorageError> {
        let (organization, originals) = (organization.clone(), originals.clone());
        self.engine
            .read(move |connection| credits::relations(connection, &organization, &originals))
            .await
    }

    async fn debit_notes(
        &self,
        organization: &OrganizationId,
        original: Uuid,
        limit: u32,
    ) -> Result<Vec<Uuid>, StorageError> {
        let organization = organization.clone();
        self.engine
            .read(move |connection| debits::notes(connection, &organization, original, limit))
            .await
    }

    async fn change_attachments(
        &self,
        row: &DocumentRow,
        expected: &ConcurrencyStamp,
        change: &AttachmentChange,
    ) -> Result<WriteOutcome, StorageError> {
        let (row, expected, change) = (row.clone(), expected.clone(), change.clone());
        self.engine
            .write(move |transaction| {
                let stored =
                    rows::find_expected(transaction, &row.organization, row.key, &expected)?;
                let Some(stored) = stored else {
                    return Ok(WriteOutcome::Stale);
                };
                let action = match &change {
                    AttachmentChange::Add { .. } => Action::AttachmentAdded,
                    AttachmentChange::Remove { .. } => Action::AttachmentRemoved,
                };
                rows::replace(transaction, &stored, &row, action)?;
                attachments::change(transaction, &row, &change)?;
                Ok(WriteOutcome::Stored)
            })
            .await
    }

    async fn attachment(
        &self,
        organization: &OrganizationId,
        key: Uuid,
        id: Uuid,
    ) -> Result<Option<Vec<u8>>, StorageError> {
        let organization = organization.clone();
        self.engine
            .read(move |connection| attachments::find(connection, &organization, key, id))
            .await
    }

    async fn delete_document(
        &self,
        row: &DocumentRow,
        expected: &ConcurrencyStamp,
    ) -> Result<WriteOutcome, StorageError> {
        let (row, expected) = (row.clone(), expected.clone());
        self.engine
            .write(move |transaction| {
                let stored =
                    rows::find_expected(transaction, &row.organization, row.key, &expected)?;
                let Some(stored) = stored else {
                    return Ok(WriteOutcome::Stale);
                };
                rows::delete(transaction, &stored, &row)?;
                attachments::remove_all(transaction, &row)?;
                Ok(WriteOutcome::Stored)
            })
            .await
    }

    async fn document_history(
        &self,
        organization: &OrganizationId,
        key: Uuid,
        before: Option<i32>,
        limit: u32,
    ) -> Result<Vec<Revision>, StorageError> {
        let organization = organization.clone();
        self.engine
            .read(move |connection| rows::history(connection, &organization, key, before, limit))
            .await
    }

    async fn documents_created(
        &self,
        organization: &OrganizationId,
        month: &str,
    ) -> Result<i64, StorageError> {
        let select =
            "SELECT created FROM document_months WHERE organization_id = ?1 AND month = ?2";
        let key = (organization.as_str(), month);
        let created = self
            .engine
            .lookup_one(select, key, |row| row.get(0))
            .await?;
        Ok(created.unwrap_or_default())
    }

    async fn list_documents(&self, query: &ListQuery) -> Result<ListPage<Document>, StorageError> {
        let query = query.clone();
        self.engine
            .read(move |connection| list::page_of_documents(connection, &query))
            .await
    }

    async fn list_document_summaries(
        &self,
        query: &ListQuery,
    ) -> Result<ListPage<DocumentSummary>, StorageError> {
        let query = query.clone();
        self.engine
            .read(move |connection| list::page_of_summaries(connection, &query))
            .await
    }

    async fn list_document_rows(
        &self,
        query: &ListQuery,
        total: u64,
    ) -> Result<ListPage<DocumentSummary>, StorageError> {
        let query = query.clone();
        self.engine
            .read(move |connection| list::rows_of_summaries(connection, &query, total))
            .await
    }

    async fn count_documents(&self, organization: &OrganizationId) -> Result<u64, StorageError> {
        let organization = organization.clone();
        self.engine
            .read(move |connection| {
                let select = "SELECT coalesce(sum(documents), 0) FROM document_totals WHERE organization_id = ?1";
                Ok(connection.query_row(select, [organization.as_str()], |row| count(row, 0))?)
            })
            .await
    }

    async fn last_numbers(
        &self,
        organization: &OrganizationId,
    ) -> Result<Vec<(NumberSeries, i64)>, StorageError> {
        let select =
            "SELECT kind, year, last_number FROM document_series WHERE organization_id = ?1";
        self.engine
            .lookup_all(select, [organization.as_str()], |row| {
                let kind = kind(row.get(0)?)?;
                let year = row.get(1)?;
                Ok((NumberSeries { kind, year }, row.get(2)?))
            })
            .await
    }

    async fn import_documents(
        &self,
        rows: Vec<DocumentRow>,
        series: &[(NumberSeries, i64)],
    ) -> Result<(), StorageError> {
        let series = series.to_vec();
        self.engine
            .write(move |transaction| import::import(transaction, &rows, &series))
            .await
    }
}

/// A document inside a transaction, for other aggregates.
pub(crate) fn find_document(
    connection: &Connection,
    organization: &OrganizationId,
    key: Uuid,
) -> Result<Option<Document>, EngineError> {
    let found = rows::find(connection, organization, key)?;
    Ok(found.map(|found| found.document))
}

/// Replaces the numbered document with the key of `row` by what the tax authority makes of it, inside the transaction that has read
/// it. A rejected document has no taxes, asks for nothing, and a note gives back what it took off.
pub(crate) fn amend_document(
    transaction: &Transaction<'_>,
    row: &DocumentRow,
    action: Action,
) -> Result<(), EngineError> {
    let Some(stored) = rows::find(transaction, &row.organization, row.key)? else {
        return Err(rows::missing_content());
    };
    rows::replace(transaction, &stored, row, action)?;
    if row.status == Status::Rejected {
        let mut taxes = TaxChanges::default();
        taxes.subtract(&stored.document);
        add_taxes(transaction, &row.organization, &taxes)?;
        add_receivables(transaction, std::slice::from_ref(row))?;
        rest_credits(transaction, row)?;
        give_back(transaction, &row.organization, row.key)?;
    }
    Ok(())
}

/// Counts one more document in a month. False, and nothing is counted, when the limit is reached.
fn count_in_month(
    transaction: &Transaction<'_>,
    organization: &OrganizationId,
    month: &PlanMonth,
) -> Result<bool, EngineError> {
    transaction
        .prepare_cached(
            "INSERT INTO document_months (organization_id, month, created) VALUES (?1, ?2, 0)
             ON CONFLICT (organization_id, month) DO NOTHING",
        )?
        .execute([organization.as_str(), &month.name])?;
    let counted = transaction
        .prepare_cached(
            "UPDATE document_months SET created = created + 1
             WHERE organization_id = ?1 AND month = ?2 AND (?3 IS NULL OR created < ?3)",
        )?
        .execute(params![organization.as_str(), month.name, month.limit])?;
    Ok(counted > 0)
}

/// Takes the next number of a series.
fn next_number(
    transaction: &Transaction<'_>,
    organization: &OrganizationId,
    series: &NumberSeries,
) -> Result<i64, EngineError> {
    let mut next = transaction.prepare_cached(
        "INSERT INTO document_series (organization_id, kind, year, last_number) VALUES (?1, ?2, ?3, 1)
         ON CONFLICT (organization_id, kind, year) DO UPDATE SET last_number = last_number + 1 RETURNING last_number",
    )?;
    let key = params![organization.as_str(), series.kind as i32, series.year];
    Ok(next.query_row(key, |row| row.get(0))?)
}
