//! [`DocumentStore`] on PostgreSQL.

mod amendment;
mod amount_classes;
mod attachments;
mod classification;
mod columns;
mod credits;
mod debits;
mod derivation;
mod filter;
mod import;
mod list;
mod list_sums;
mod number_queue;
mod numbering;
mod replacements;
mod rows;
mod statement;
mod submissions;
mod sums;
#[cfg(test)]
mod tests;
mod writes;

use std::collections::BTreeSet;

use async_trait::async_trait;
use invoicing_contract::messages::documents::{Document, Revision};
use invoicing_contract::{ConcurrencyStamp, OrganizationId};
use invoicing_storage::StorageError;
use invoicing_storage::documents::{
    Action, AddOutcome, AttachmentChange, CreditRelations, DataVersion, DocumentRow, DocumentStore,
    DocumentSummary, ListPage, ListQuery, NumberOutcome, NumberSeries, Numbering, PAGE_BYTES,
    PlanMonth, WriteOutcome,
};
use uuid::Uuid;

pub(crate) use self::amendment::{amend_document, read_document};
pub(crate) use self::classification::classify_sums;
use self::credits::ReadRelations;
pub(crate) use self::derivation::derive_rows;
use self::import::ImportDocuments;
use self::list::ReadPage;
pub(crate) use self::number_queue::NumberQueue;
pub(crate) use self::numbering::lock_credit_notes;
use self::numbering::{ALL_YEARS, NumberRequest, SeriesKey};
pub(crate) use self::rows::RevisionId;
use self::writes::{AddDocument, ChangeDocument};
use crate::Postgres;
use crate::engine::{EngineError, count};
use crate::values::kind;

const SELECT_MONTH: &str = "SELECT coalesce(sum(created), 0)::bigint FROM document_months
     WHERE organization_id = $1 AND month = $2";
const COUNT: &str =
    "SELECT coalesce(sum(documents), 0)::bigint FROM document_sums WHERE organization_id = $1";
const SELECT_SERIES: &str =
    "SELECT kind, year, last_number FROM document_series WHERE organization_id = $1 AND year <> $2";

impl Postgres {
    /// Writes `row` over the document with the stamp `expected`, or deletes that.
    async fn change_document(
        &self,
        row: &DocumentRow,
        expected: &ConcurrencyStamp,
        action: Action,
    ) -> Result<WriteOutcome, StorageError> {
        let work = ChangeDocument::new(row, expected, action, self.engine().rng());
        self.engine().write(&work).await
    }
}

#[async_trait]
impl DocumentStore for Postgres {
    /// A question to the server takes as long as a read.
    fn data_version(&self) -> Option<DataVersion> {
        None
    }

    async fn encoded_document(
        &self,
        organization: &OrganizationId,
        key: Uuid,
    ) -> Result<Option<Vec<u8>>, StorageError> {
        let parameters = [&organization.as_str() as _, &key as _];
        let row = self
            .engine()
            .row(Some(organization), rows::SELECT_DOCUMENT, &parameters)
            .await?;
        let body = row.map(|row| row.try_get("body")).transpose();
        Ok(body.map_err(EngineError::from)?)
    }

    async fn add_document(
        &self,
        row: &DocumentRow,
        month: &PlanMonth,
    ) -> Result<AddOutcome, StorageError> {
        let work = AddDocument::new(row, month, self.engine().rng());
        self.engine().write(&work).await
    }

    async fn replace_document(
        &self,
        row: &DocumentRow,
        expected: &ConcurrencyStamp,
        action: Action,
    ) -> Result<WriteOutcome, StorageError> {
        self.change_document(row, expected, action).await
    }

    async fn number_document(
        &self,
        organization: &OrganizationId,
        key: Uuid,
        expected: &ConcurrencyStamp,
        series: &NumberSeries,
        numbering: Numbering,
    ) -> Result<NumberOutcome, StorageError> {
        let request = NumberRequest {
            key,
            expected: expected.clone(),
            numbering,
            id: RevisionId::random(self.engine().rng()),
        };
        let series = SeriesKey::new(organization, series);
        self.number_queue
            .number(&self.engine, series, request)
            .await
    }

    async fn credit_relations(
        &self,
        organization: &OrganizationId,
        originals: &BTreeSet<Uuid>,
    ) -> Result<CreditRelations, StorageError> {
        let work = ReadRelations {
            organization,
            originals,
        };
        self.engine().read(&work).await
    }

    async fn debit_notes(
        &self,
        organization: &OrganizationId,
        original: Uuid,
        limit: u32,
    ) -> Result<Vec<Uuid>, StorageError> {
        let limit = i64::from(limit);
        let parameters = [&organization.as_str() as _, &original as _, &limit as _];
        let rows = self
            .engine()
            .rows(Some(organization), debits::SELECT, &parameters)
            .await?;
        let notes = rows.iter().map(|row| row.try_get("note"));
        Ok(notes.collect::<Result<_, _>>().map_err(EngineError::from)?)
    }

    async fn change_attachments(
        &self,
        row: &DocumentRow,
        expected: &ConcurrencyStamp,
        change: &AttachmentChange,
    ) -> Result<WriteOutcome, StorageError> {
        let work = ChangeDocument::of_attachment(row, expected, change, self.engine().rng());
        self.engine().write(&work).await
    }

    async fn attachment(
        &self,
        organization: &OrganizationId,
        key: Uuid,
        id: Uuid,
    ) -> Result<Option<Vec<u8>>, StorageError> {
        let parameters = [&organization.as_str() as _, &key as _, &id as _];
        let parts = self
            .engine()
            .rows(Some(organization), attachments::SELECT, &parameters)
            .await?;
        let parts = parts.iter().map(|row| row.try_get::<_, Vec<u8>>(0));
        let parts: Vec<_> = parts.collect::<Result<_, _>>().map_err(EngineError::from)?;
        Ok((!parts.is_empty()).then(|| parts.concat()))
    }

    async fn delete_document(
        &self,
        row: &DocumentRow,
        expected: &ConcurrencyStamp,
    ) -> Result<WriteOutcome, StorageError> {
        self.change_document(row, expected, Action::Deleted).await
    }

    async fn document_history(
        &self,
        organization: &OrganizationId,
        key: Uuid,
        before: Option<i32>,
        limit: u32,
    ) -> Result<Vec<Revision>, StorageError> {
        let before = before.unwrap_or(i32::MAX);
        let (limit, bytes) = (i64::from(limit), PAGE_BYTES as i64);
        let parameters = [
            &organization.as_str() as _,
            &key as _,
            &before as _,
            &limit as _,
            &bytes as _,
        ];
        let rows = self
            .engine()
            .rows(Some(organization), rows::SELECT_HISTORY, &parameters)
            .await?;
        let revisions = rows.iter().map(rows::revision).map_while(Result::transpose);
        Ok(revisions.collect::<Result<_, _>>()?)
    }

    async fn documents_created(
        &self,
        organization: &OrganizationId,
        month: &str,
    ) -> Result<i64, StorageError> {
        let parameters = [&organization.as_str() as _, &month as _];
        let row = self
            .engine()
            .row(Some(organization), SELECT_MONTH, &parameters)
            .await?;
        let created = row.map(|row| row.try_get(0)).transpose();
        Ok(created.map_err(EngineError::from)?.unwrap_or_default())
    }

    async fn list_documents(&self, query: &ListQuery) -> Result<ListPage<Document>, StorageError> {
        self.engine().read(&ReadPage::of_documents(query)).await
    }

    async fn list_document_summaries(
        &self,
        query: &ListQuery,
    ) -> Result<ListPage<DocumentSummary>, StorageError> {
        self.engine().read(&ReadPage::of_summaries(query)).await
    }

    async fn list_document_rows(
        &self,
        query: &ListQuery,
        total: u64,
    ) -> Result<ListPage<DocumentSummary>, StorageError> {
        let page = ReadPage::of_summaries(query).without_sums(total);
        self.engine().read(&page).await
    }

    async fn count_documents(&self, organization: &OrganizationId) -> Result<u64, StorageError> {
        let parameters = [&organization.as_str() as _];
        let row = self
            .engine()
            .row(Some(organization), COUNT, &parameters)
            .await?;
        let count = row.map(|row| count(&row, 0)).transpose()?;
        Ok(count.unwrap_or_default())
    }

    async fn last_numbers(
        &self,
        organization: &OrganizationId,
    ) -> Result<Vec<(NumberSeries, i64)>, StorageError> {
        let parameters = [&organization.as_str() as _, &ALL_YEARS as _];
        let rows = self
            .engine()
            .rows(Some(organization), SELECT_SERIES, &parameters)
            .await?;
        let series = rows.iter().map(|row| {
            let kind = kind(row.try_get("kind")?)?;
            let year = row.try_get("year")?;
            let last = row.try_get("last_number")?;
            Ok::<_, EngineError>((NumberSeries { kind, year }, last))
        });
        Ok(series.collect::<Result<_, _>>()?)
    }

    async fn import_documents(
        &self,
        rows: Vec<DocumentRow>,
        series: &[(NumberSeries, i64)],
    ) -> Result<(), StorageError> {
        let Some(first) = rows.first() else {
            return Ok(());
        };
        let organization = first.organization.clone();
        let work = ImportDocuments::new(&organization, rows, series);
        self.engine().write(&work).await
    }
}
