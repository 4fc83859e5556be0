//! Numbering: the next number of a series and the document that has it, stored together.

use async_trait::async_trait;
use invoicing_contract::messages::documents::{Document, Kind};
use invoicing_contract::{ConcurrencyStamp, OrganizationId, Timestamp};
use invoicing_storage::StorageError;
use invoicing_storage::documents::{
    Action, NumberOutcome, NumberSeries, Numbering, corrected_documents,
};
use tokio_postgres::Row;
use uuid::Uuid;

use super::rows::{LOCK_EXPECTED, RevisionId, message};
use super::sums::CountedDocument;
use super::{credits, writes};
use crate::engine::{Engine, EngineError, Transaction, TransactionEnd, TransactionWork};

/// Takes the next number of each of some series of one kind, in their order.
const TAKE_NUMBERS: &str =
    "INSERT INTO document_series (organization_id, kind, year, last_number)
     SELECT $1, $2, series.year, 1 FROM unnest($3::smallint[]) AS series (year)
     ON CONFLICT (organization_id, kind, year) DO UPDATE SET last_number = document_series.last_number + 1
     RETURNING year, last_number";
/// No series: whoever numbers a credit note locks the row of this year, since credit notes of one document can be in series of
/// different years.
pub(super) const ALL_YEARS: i16 = 0;

/// The end of an attempt.
pub(super) enum Numbered {
    /// It is decided.
    Outcome(NumberOutcome),
    /// The history has no partition for the time of the numbered document. Nothing was written.
    MissingPartition { at: Timestamp },
}

/// Numbers the document that has the stamp `expected`.
pub(super) struct NumberDocument<'a> {
    pub(super) engine: &'a Engine,
    pub(super) organization: &'a OrganizationId,
    pub(super) key: Uuid,
    pub(super) expected: &'a ConcurrencyStamp,
    pub(super) series: &'a NumberSeries,
    pub(super) numbering: Numbering,
    pub(super) id: RevisionId,
    /// The time of the numbered document, as soon as it is known.
    pub(super) at: Option<Timestamp>,
}

impl NumberDocument<'_> {
    /// Locks series and document and returns the next number, and the document if it has the stamp.
    async fn lock(&self, transaction: &Transaction) -> Result<(i64, Option<Row>), EngineError> {
        let organization = self.organization.as_str();
        let kind = self.series.kind as i32;
        let mut years = vec![self.series.year];
        if self.series.kind == Kind::CreditNote {
            years.push(ALL_YEARS);
        }
        let expected = self.expected.as_str();
        let (taken, stored) = transaction
            .rows_of_both(
                (TAKE_NUMBERS, &[&organization, &kind, &years]),
                (LOCK_EXPECTED, &[&organization, &self.key, &expected]),
            )
            .await?;
        for row in &taken {
            if row.try_get::<_, i16>("year")? == self.series.year {
                return Ok((row.try_get("last_number")?, stored.into_iter().next()));
            }
        }
        Err(StorageError::corrupt("a series has no row after its number was taken").into())
    }
}

#[async_trait]
impl TransactionWork for NumberDocument<'_> {
    type Output = Numbered;

    fn organization(&self) -> Option<&OrganizationId> {
        Some(self.organization)
    }

    fn partition_times(&self) -> Vec<Timestamp> {
        self.at.into_iter().collect()
    }

    async fn run(
        &self,
        transaction: &Transaction,
    ) -> Result<TransactionEnd<Numbered>, EngineError> {
        let rollback = |outcome| Ok(TransactionEnd::Rollback(Numbered::Outcome(outcome)));
        let (number, stored) = self.lock(transaction).await?;
        let Some(stored) = stored else {
            let written = self.id.written(transaction, self.organization, self.key);
            return rollback(match written.await? {
                Some(document) => NumberOutcome::Stored(Box::new(document)),
                None => NumberOutcome::Stale,
            });
        };
        let document: Document = message(&stored, "body")?;
        // In a statement of its own, which sees the notes that were numbered while this transaction waited for the locks.
        let originals = corrected_documents(&document);
        let relations = credits::relations(transaction, self.organization, &originals).await?;
        let row = match (self.numbering)(number, &relations)? {
            Ok(row) => row,
            Err(violation) => return rollback(NumberOutcome::Refused(violation)),
        };
        let at = row.updated_at;
        if self.at != Some(at) && !self.engine.has_partitions(at) {
            return Ok(TransactionEnd::Rollback(Numbered::MissingPartition { at }));
        }
        let stored = CountedDocument::stored(&stored)?;
        credits::insert(transaction, std::slice::from_ref(&row)).await?;
        writes::replace(transaction, stored, &row, Action::Issued, self.id).await?;
        let outcome = NumberOutcome::Stored(Box::new(row.document));
        Ok(TransactionEnd::Commit(Numbered::Outcome(outcome)))
    }
}
