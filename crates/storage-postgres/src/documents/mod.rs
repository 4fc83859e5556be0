//! [`DocumentStore`] on PostgreSQL.

use std::collections::BTreeSet;

use async_trait::async_trait;
use invoicing_contract::messages::documents::{Document, Revision};
use invoicing_contract::{ConcurrencyStamp, OrganizationId};
use invoicing_storage::StorageError;
use invoicing_storage::documents::*;
use uuid::Uuid;

use crate::Postgres;

#[async_trait]
impl DocumentStore for Postgres {
    async fn document(
        &self,
        _organization: &OrganizationId,
        _key: Uuid,
    ) -> Result<Option<Document>, StorageError> {
        Err(StorageError::unexpected("not built yet"))
    }
    async fn add_document(
        &self,
        _row: &DocumentRow,
        _month: &PlanMonth,
    ) -> Result<AddOutcome, StorageError> {
        Err(StorageError::unexpected("not built yet"))
    }
    async fn replace_document(
        &self,
        _row: &DocumentRow,
        _expected: &ConcurrencyStamp,
        _action: Action,
    ) -> Result<WriteOutcome, StorageError> {
        Err(StorageError::unexpected("not built yet"))
    }
    async fn number_document(
        &self,
        _organization: &OrganizationId,
        _key: Uuid,
        _expected: &ConcurrencyStamp,
        _series: &NumberSeries,
        _numbering: Numbering,
    ) -> Result<NumberOutcome, StorageError> {
        Err(StorageError::unexpected("not built yet"))
    }
    async fn credit_relations(
        &self,
        _organization: &OrganizationId,
        _originals: &BTreeSet<Uuid>,
    ) -> Result<CreditRelations, StorageError> {
        Err(StorageError::unexpected("not built yet"))
    }
    async fn delete_document(
        &self,
        _row: &DocumentRow,
        _expected: &ConcurrencyStamp,
    ) -> Result<WriteOutcome, StorageError> {
        Err(StorageError::unexpected("not built yet"))
    }
    async fn document_history(
        &self,
        _organization: &OrganizationId,
        _key: Uuid,
        _limit: u32,
    ) -> Result<Vec<Revision>, StorageError> {
        Err(StorageError::unexpected("not built yet"))
    }
    async fn documents_created(
        &self,
        _organization: &OrganizationId,
        _month: &str,
    ) -> Result<i64, StorageError> {
        Err(StorageError::unexpected("not built yet"))
    }
    async fn list_documents(&self, _query: &ListQuery) -> Result<ListPage<Document>, StorageError> {
        Err(StorageError::unexpected("not built yet"))
    }
    async fn list_document_summaries(
        &self,
        _query: &ListQuery,
    ) -> Result<ListPage<DocumentSummary>, StorageError> {
        Err(StorageError::unexpected("not built yet"))
    }
    async fn count_documents(&self, _organization: &OrganizationId) -> Result<u64, StorageError> {
        Err(StorageError::unexpected("not built yet"))
    }
    async fn last_numbers(
        &self,
        _organization: &OrganizationId,
    ) -> Result<Vec<(NumberSeries, i64)>, StorageError> {
        Err(StorageError::unexpected("not built yet"))
    }
    async fn import_documents(
        &self,
        _rows: Vec<DocumentRow>,
        _series: &[(NumberSeries, i64)],
    ) -> Result<(), StorageError> {
        Err(StorageError::unexpected("not built yet"))
    }
}
