//! Numbering: the next numbers of a series and the documents that have them, stored together.

use std::collections::BTreeMap;

use async_trait::async_trait;
use invoicing_contract::messages::documents::{Document, Kind};
use invoicing_contract::{ConcurrencyStamp, OrganizationId, Timestamp};
use invoicing_storage::StorageError;
use invoicing_storage::documents::{
    Action, CreditRelations, NewSubmission, NumberOutcome, NumberSeries, NumberedDocument,
    Numbering, assigned_number, credited_documents,
};
use invoicing_storage::reports::TaxChanges;
use tokio_postgres::Row;
use uuid::Uuid;

use super::replacements::{Replacement, ReplacementColumns};
use super::rows::{RevisionId, message};
use super::sums::CountedDocument;
use super::{credits, debits, submissions};
use crate::engine::{
    Engine, EngineError, Parameter, Transaction, TransactionEnd, TransactionWork, Write,
};
use crate::payments::{ReceivableColumns, restore_credits, take_off_credits};
use crate::reports::TaxColumns;

/// Locks some series of one kind, in their order, and reserves so many numbers of each.
const LOCK_SERIES: &str =
    "INSERT INTO document_series (organization_id, kind, year, last_number)
     SELECT $1, $2, ($3::smallint[])[position], ($4::bigint[])[position] FROM generate_subscripts($3::smallint[], 1) AS position
     ON CONFLICT (organization_id, kind, year) DO UPDATE SET last_number = document_series.last_number + excluded.last_number
     RETURNING year, last_number";
/// Locks the documents that have the expected stamps, in the order of their keys. A caller that waited gets the rows as they
/// are then.
const LOCK_DOCUMENTS: &str =
    "SELECT d.key, d.issue_date, d.status, d.kind, d.currency, d.net, d.tax, d.gross, d.gross_sort_key, d.body
     FROM documents d JOIN unnest($2::uuid[], $3::text[]) AS expected (key, concurrency_stamp)
         ON d.key = expected.key AND d.concurrency_stamp = expected.concurrency_stamp
     WHERE d.organization_id = $1 ORDER BY d.key FOR UPDATE OF d";
const SET_LAST_NUMBER: &str = "UPDATE document_series SET last_number = $4
     WHERE organization_id = $1 AND kind = $2 AND year = $3";
/// No series: whoever numbers a credit note locks the row of this year, since credit notes of one document can be in series of
/// different years.
pub(super) const ALL_YEARS: i16 = 0;

/// The series of an organization.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct SeriesKey {
    pub(super) organization: OrganizationId,
    pub(super) kind: Kind,
    pub(super) year: i16,
}

impl SeriesKey {
    pub(super) fn new(organization: &OrganizationId, series: &NumberSeries) -> Self {
        Self {
            organization: organization.clone(),
            kind: series.kind,
            year: series.year,
        }
    }
}

/// A document that is to be numbered if it has the stamp `expected`.
pub(super) struct NumberRequest {
    pub(super) key: Uuid,
    pub(super) expected: ConcurrencyStamp,
    pub(super) numbering: Numbering,
    pub(super) id: RevisionId,
}

/// What a request gets.
pub(super) type NumberResult = Result<NumberOutcome, StorageError>;

/// The end of an attempt.
pub(super) enum Numbered {
    /// Everything is decided, in the order of the requests.
    Results(Vec<NumberResult>),
    /// The history has no partition for the time of a numbered document. Nothing was written.
    MissingPartition { at: Timestamp },
}

/// Lets whoever numbers a credit note wait until the end of the transaction, which changes a document: the note is compared with the
/// documents that it corrects.
pub(crate) async fn lock_credit_notes(
    transaction: &Transaction,
    organization: &OrganizationId,
) -> Result<(), EngineError> {
    let parameters: [Parameter<'_>; 4] = [
        &organization.as_str(),
        &(Kind::CreditNote as i32),
        &vec![ALL_YEARS],
        &vec![0_i64],
    ];
    transaction.rows(LOCK_SERIES, &parameters).await?;
    Ok(())
}

/// Numbers documents in one series, in the order of the requests.
pub(super) struct NumberDocuments<'a> {
    pub(super) engine: &'a Engine,
    pub(super) series: &'a SeriesKey,
    pub(super) requests: &'a [NumberRequest],
    /// Times of numbered documents, as soon as they are known.
    pub(super) times: Vec<Timestamp>,
}

impl NumberDocuments<'_> {
    /// Locks series and documents, and reserves some numbers. Returns the last of them, and the documents that have their stamps.
    async fn lock(
        &self,
        transaction: &Transaction,
        reserved: i64,
    ) -> Result<(i64, BTreeMap<Uuid, Row>), EngineError> {
        let organization = self.series.organization.as_str();
        let kind = self.series.kind as i32;
        let (mut years, mut numbers) = (vec![self.series.year], vec![reserved]);
        if self.series.kind == Kind::CreditNote {
            years.push(ALL_YEARS);
            numbers.push(0);
        }
        let keys: Vec<Uuid> = self.requests.iter().map(|request| request.key).collect();
        let stamps = self
            .requests
            .iter()
            .map(|request| request.expected.as_str());
        let stamps: Vec<&str> = stamps.collect();
        let (series, documents) = transaction
            .rows_of_both(
                (LOCK_SERIES, &[&organization, &kind, &years, &numbers]),
                (LOCK_DOCUMENTS, &[&organization, &keys, &stamps]),
            )
            .await?;
        let mut stored = BTreeMap::new();
        for row in documents {
            stored.insert(row.try_get("key")?, row);
        }
        for row in &series {
            if row.try_get::<_, i16>("year")? == self.series.year {
                return Ok((row.try_get("last_number")?, stored));
            }
        }
        Err(StorageError::corrupt("a series has no row after it was locked").into())
    }

    /// Numbers the document of one request, and says whether that uses the number. `Err` is the result of a request that is not
    /// numbered.
    async fn number(
        &self,
        transaction: &Transaction,
        request: &NumberRequest,
        stored: Option<&Row>,
        number: i64,
    ) -> Result<Result<(NumberedDocument, bool), NumberResult>, EngineError> {
        let organization = &self.series.organization;
        let Some(stored) = stored else {
            let written = request.id.written(transaction, organization, request.key);
            let written = written.await?;
            let stored = written.map(|document| NumberOutcome::Stored(Box::new(document)));
            return Ok(Err(Ok(stored.unwrap_or(NumberOutcome::Stale))));
        };
        let document: Document = message(stored, "body")?;
        let is_new = assigned_number(&document).is_empty();
        if !is_new && self.series.kind != Kind::CreditNote {
            // A rejection takes these locks the other way round: this one, and then its document. That is no deadlock: its
            // document still waits for an answer, so it is neither a draft nor rejected, and no batch that comes here holds it.
            lock_credit_notes(transaction, organization).await?;
        }
        // In a statement of its own, which sees the notes that were numbered while this transaction waited for the locks.
        let originals = credited_documents(&document);
        let relations: CreditRelations =
            credits::relations(transaction, organization, &originals).await?;
        let numbered = match (request.numbering)(number, &relations) {
            Ok(Ok(numbered)) => numbered,
            Ok(Err(violation)) => return Ok(Err(Ok(NumberOutcome::Refused(violation)))),
            Err(error) => return Ok(Err(Err(error))),
        };
        if !is_new {
            // Issued before: it keeps its number, and its content may correct other documents.
            credits::delete(transaction, organization, request.key).await?;
            debits::delete(transaction, organization, request.key).await?;
        }
        Ok(Ok((numbered, is_new)))
    }

    /// Stores everything, and commits. `last_number` is the last one that is used, if not all are that were reserved.
    async fn store(
        &self,
        transaction: &Transaction,
        replacements: Vec<Replacement<'_>>,
        taxes: &TaxChanges,
        submissions: &[(Uuid, &NewSubmission)],
        reissued: &[(Uuid, Timestamp)],
        last_number: Option<i64>,
    ) -> Result<(), EngineError> {
        let organization = &self.series.organization;
        submissions::supersede(transaction, organization, reissued).await?;
        submissions::insert(transaction, organization, submissions).await?;
        let rows: Vec<_> = replacements.iter().map(|of| of.row).collect();
        let taken_off = take_off_credits(transaction, &rows).await?;
        credits::insert(transaction, &rows, &taken_off).await?;
        debits::insert(transaction, &rows).await?;
        let taxes = TaxColumns::new(organization, taxes);
        let receivables = ReceivableColumns::new(&rows);
        let replacements = ReplacementColumns::new(replacements, Action::Issued);
        let organization = organization.as_str();
        let kind = self.series.kind as i32;
        // Of a note it is what the note itself takes off others.
        let originals = if self.series.kind == Kind::CreditNote {
            Vec::new()
        } else {
            reissued.iter().map(|(key, _)| *key).collect()
        };
        let last_number = last_number.as_ref().map(|last_number| Write {
            statement: SET_LAST_NUMBER,
            parameters: vec![&organization, &kind, &self.series.year, last_number],
        });
        let writes = [
            taxes.as_ref().map(TaxColumns::write),
            receivables.as_ref().map(ReceivableColumns::write),
            restore_credits(&organization, &originals),
            replacements.as_ref().map(ReplacementColumns::write),
            last_number,
        ];
        let writes: Vec<_> = writes.into_iter().flatten().collect();
        transaction.commit_with(&writes).await?;
        Ok(())
    }
}

#[async_trait]
impl TransactionWork for NumberDocuments<'_> {
    type Output = Numbered;

    fn organization(&self) -> Option<&OrganizationId> {
        Some(&self.series.organization)
    }

    fn partition_times(&self) -> Vec<Timestamp> {
        self.times.clone()
    }

    /// The locks are on rows of the organization.
    fn begins_with_statements(&self) -> bool {
        true
    }

    async fn run(
        &self,
        transaction: &Transaction,
    ) -> Result<TransactionEnd<Numbered>, EngineError> {
        let reserved = i64::try_from(self.requests.len()).map_err(StorageError::unexpected)?;
        let (last_reserved, mut stored) = self.lock(transaction, reserved).await?;
        let mut last_number = last_reserved - reserved;
        let mut results = Vec::new();
        let mut numbered: Vec<(NumberedDocument, Row, RevisionId)> = Vec::new();
        let mut reissued: Vec<(Uuid, Timestamp)> = Vec::new();
        for request in self.requests {
            let found = stored.get(&request.key);
            let next = last_number + 1;
            match self.number(transaction, request, found, next).await? {
                Err(result) => results.push(result),
                Ok((new, uses_number)) => {
                    let row = &new.row;
                    let at = row.updated_at;
                    if !self.times.contains(&at) && !self.engine.has_partitions(at) {
                        return Ok(TransactionEnd::Rollback(Numbered::MissingPartition { at }));
                    }
                    if uses_number {
                        last_number = next;
                    } else {
                        reissued.push((row.key, at));
                    }
                    let document = Box::new(row.document.clone());
                    results.push(Ok(NumberOutcome::Stored(document)));
                    // A second request of the document finds another stamp.
                    if let Some(found) = stored.remove(&request.key) {
                        numbered.push((new, found, request.id));
                    }
                }
            }
        }
        let results = Numbered::Results(results);
        if numbered.is_empty() {
            return Ok(TransactionEnd::Rollback(results));
        }
        let submissions = numbered.iter().filter_map(|(new, ..)| {
            let submission = new.submission.as_ref()?;
            Some((new.row.key, submission))
        });
        let submissions: Vec<_> = submissions.collect();
        let replacements = numbered.iter().map(|(new, found, id)| {
            Ok(Replacement {
                row: &new.row,
                stored: CountedDocument::stored(found)?,
                id: *id,
            })
        });
        let replacements = replacements.collect::<Result<_, EngineError>>()?;
        let mut taxes = TaxChanges::default();
        for (new, found, _) in &numbered {
            taxes.subtract(&message(found, "body")?);
            taxes.add(&new.row.document);
        }
        self.store(
            transaction,
            replacements,
            &taxes,
            &submissions,
            &reissued,
            (last_number < last_reserved).then_some(last_number),
        )
        .await?;
        Ok(TransactionEnd::Commit(results))
    }
}
