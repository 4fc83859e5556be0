//! Writes of single documents. Each appends a revision to the history, whose id was made before the first attempt: a
//! repetition that cannot write looks whether it has written before (decision 0102).

use async_trait::async_trait;
use invoicing_contract::{ConcurrencyStamp, OrganizationId, Timestamp};
use invoicing_storage::Rng;
use invoicing_storage::documents::{
    Action, AddOutcome, AttachmentChange, DocumentRow, PlanMonth, WriteOutcome,
};
use tokio_postgres::Row;

use super::amount_classes::Spread;
use super::attachments;
use super::columns::{RevisionColumns, StoredColumns};
use super::replacements::{Replacement, ReplacementColumns};
use super::rows::{LOCK_EXPECTED, RevisionId, row_columns};
use super::sums::{CountedDocument, FIRST_MONTH_SLOT, SumsChange, month_slot, upsert_sums};
use crate::engine::{EngineError, Parameter, Transaction, TransactionEnd, TransactionWork, Write};

/// Inserts `$27`, the text of the buyer, unless it is known.
macro_rules! insert_text {
    ($source:literal) => {
        concat!(
            "text AS (
                INSERT INTO buyer_texts (organization_id, id, text) SELECT organization_id, $16, $27 FROM ",
            $source,
            " ON CONFLICT (organization_id, id) DO NOTHING
            )"
        )
    };
}

/// Appends a revision with `$1` the organization and `$2` the key.
macro_rules! insert_revision {
    ($source:literal, $at:literal, $body:literal, $id:literal, $action:literal, $subject:literal, $name:literal) => {
        concat!(
            "revision AS (
                INSERT INTO document_history (organization_id, key, revision, at, id, action, subject, subject_name, body)
                SELECT organization_id, $2, 1 + coalesce(
                        (SELECT max(revision) FROM document_history WHERE organization_id = $1 AND key = $2), 0), ",
            $at, "::bigint, ", $id, "::bigint, ", $action, "::text, ", $subject, "::text, ", $name, "::text, ", $body,
            "::bytea FROM ", $source, ")"
        )
    };
}

/// `$1` to `$27` are those of [`StoredColumns`], `$28` to `$31` those of [`RevisionColumns`].
macro_rules! insert_document {
    () => {
        concat!(
            "WITH added AS (
                INSERT INTO documents (organization_id, key, ",
            row_columns!(),
            ") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22,
                    $23, $24, $25, $26)
                ON CONFLICT (organization_id, key) DO NOTHING RETURNING organization_id
            ), ",
            insert_text!("added"),
            ", ",
            insert_revision!("added", "$17", "$26", "$28", "$29", "$30", "$31"),
        )
    };
}

/// Before a document is added, in the same round trip: waits for the end of a transaction that deletes one with this key. The next
/// statement then sees the revisions of that, after which it counts. Two revisions get one number only if another process adds the
/// document after this statement, is answered, and commits its deletion just after the next statement has begun. A third statement
/// for each document would cost more than that is worth. Both revisions are kept, by time and id.
const WAIT_FOR_DELETION: &str =
    "SELECT 1 FROM documents WHERE organization_id = $1 AND key = $2 FOR KEY SHARE";
/// A document of an organization without a limit: everything in one round trip.
const ADD: &str = concat!(
    insert_document!(),
    ", month AS (
        INSERT INTO document_months (organization_id, month, slot, created) SELECT organization_id, $41, $42, 1 FROM added
        ON CONFLICT (organization_id, month, slot) DO UPDATE SET created = document_months.created + 1
        RETURNING organization_id
    ), sums AS (",
    upsert_sums!("month", "$32", "$33", "$34", "$35", "$36", "$37", "$38", "$39", "$40"),
    ") SELECT count(*) FROM added"
);
/// The first trip under a limit.
const ADD_UNCOUNTED: &str = concat!(insert_document!(), " SELECT count(*) FROM added");
/// The second trip under a limit. The row of the month is locked as it is now; other slots are of a time without a limit.
const COUNT_WITHIN_LIMIT: &str = concat!(
    "WITH others AS (
        SELECT coalesce(sum(created), 0) AS created FROM document_months
        WHERE organization_id = $1 AND month = $11 AND slot <> $12
    ), month AS (
        INSERT INTO document_months (organization_id, month, slot, created)
        SELECT $1, $11, $12, 1 FROM others WHERE others.created < $13::bigint
        ON CONFLICT (organization_id, month, slot) DO UPDATE SET created = document_months.created + 1
            WHERE document_months.created + (SELECT created FROM others) < $13::bigint
        RETURNING organization_id
    ), sums AS (",
    upsert_sums!("month", "$2", "$3", "$4", "$5", "$6", "$7", "$8", "$9", "$10"),
    ") SELECT count(*) FROM month"
);

/// Deletes a document that is locked.
const DELETE: &str = concat!(
    "WITH deleted AS (
        DELETE FROM documents WHERE organization_id = $1 AND key = $2 RETURNING organization_id
    ), ",
    insert_revision!("deleted", "$3", "$4", "$5", "$6", "$7", "$8"),
    ", sums AS (",
    upsert_sums!(
        "deleted", "$9", "$10", "$11", "$12", "$13", "$14", "$15", "$16", "$17"
    ),
    ") SELECT count(*) FROM deleted"
);

/// Adds a new document and counts it in its month.
pub(super) struct AddDocument<'a> {
    row: &'a DocumentRow,
    month: &'a PlanMonth,
    id: RevisionId,
}

impl<'a> AddDocument<'a> {
    pub(super) fn new(row: &'a DocumentRow, month: &'a PlanMonth, rng: &dyn Rng) -> Self {
        Self {
            row,
            month,
            id: RevisionId::random(rng),
        }
    }

    /// Whether the document was inserted. The first attempt counts and commits it too, unless the month has a limit.
    async fn insert(&self, transaction: &Transaction) -> Result<bool, EngineError> {
        let columns = StoredColumns::new(self.row);
        let revision = RevisionColumns::new(self.row, Action::Created, self.id);
        let mut parameters = columns.parameters();
        parameters.extend(revision.parameters());
        if self.month.limit.is_some() {
            return self.add(transaction, ADD_UNCOUNTED, &parameters).await;
        }
        let sums = self.sums();
        let month_slot = month_slot(self.row.key);
        parameters.extend(sums.parameters());
        parameters.extend::<[Parameter<'_>; 2]>([&self.month.name, &month_slot]);
        if transaction.repeats_commit() {
            // What the attempt before has stored is looked for.
            return self.add(transaction, ADD, &parameters).await;
        }
        let organization = self.row.organization.as_str();
        let wait = Write {
            statement: WAIT_FOR_DELETION,
            parameters: vec![&organization, &self.row.key],
        };
        let add = Write {
            statement: ADD,
            parameters,
        };
        let rows = transaction.commit_with(&[wait, add]).await?;
        Ok(count(rows.last().and_then(|added| added.first()))? > 0)
    }

    /// Whether `statement` has inserted the document.
    async fn add(
        &self,
        transaction: &Transaction,
        statement: &'static str,
        parameters: &[Parameter<'_>],
    ) -> Result<bool, EngineError> {
        let organization = self.row.organization.as_str();
        let key: [Parameter<'_>; 2] = [&organization, &self.row.key];
        let (_, added) = transaction
            .rows_of_both((WAIT_FOR_DELETION, &key), (statement, parameters))
            .await?;
        Ok(count(added.first())? > 0)
    }

    /// Whether the month admits the document, which is counted then.
    async fn count_within(
        &self,
        transaction: &Transaction,
        limit: i64,
    ) -> Result<bool, EngineError> {
        let organization = self.row.organization.as_str();
        let sums = self.sums();
        let mut parameters: Vec<Parameter<'_>> = vec![&organization];
        parameters.extend(sums.parameters());
        parameters.extend::<[Parameter<'_>; 3]>([&self.month.name, &FIRST_MONTH_SLOT, &limit]);
        changed(transaction, COUNT_WITHIN_LIMIT, &parameters).await
    }

    fn sums(&self) -> SumsChange {
        let spread = Spread::of(self.row.key);
        SumsChange::new(spread, [CountedDocument::new(self.row)], None)
    }
}

#[async_trait]
impl TransactionWork for AddDocument<'_> {
    type Output = AddOutcome;

    fn organization(&self) -> Option<&OrganizationId> {
        Some(&self.row.organization)
    }

    fn partition_times(&self) -> Vec<Timestamp> {
        vec![self.row.updated_at]
    }

    /// Every row is of the organization.
    fn begins_with_statements(&self) -> bool {
        true
    }

    async fn run(
        &self,
        transaction: &Transaction,
    ) -> Result<TransactionEnd<AddOutcome>, EngineError> {
        if !self.insert(transaction).await? {
            let (organization, key) = (&self.row.organization, self.row.key);
            let written = self.id.written(transaction, organization, key).await?;
            let outcome = written.map_or(AddOutcome::KeyTaken, |_| AddOutcome::Stored);
            return Ok(TransactionEnd::Rollback(outcome));
        }
        if let Some(limit) = self.month.limit
            && !self.count_within(transaction, limit).await?
        {
            return Ok(TransactionEnd::Rollback(AddOutcome::PlanLimit));
        }
        Ok(TransactionEnd::Commit(AddOutcome::Stored))
    }
}

/// Replaces or deletes the document that has the stamp `expected`.
pub(super) struct ChangeDocument<'a> {
    row: &'a DocumentRow,
    expected: &'a ConcurrencyStamp,
    action: Action,
    attachment: Option<&'a AttachmentChange>,
    id: RevisionId,
}

impl<'a> ChangeDocument<'a> {
    /// [`Action::Deleted`] deletes, every other action replaces.
    pub(super) fn new(
        row: &'a DocumentRow,
        expected: &'a ConcurrencyStamp,
        action: Action,
        rng: &dyn Rng,
    ) -> Self {
        Self {
            row,
            expected,
            action,
            attachment: None,
            id: RevisionId::random(rng),
        }
    }

    /// Replaces the document, and changes the contents of its attachments.
    pub(super) fn of_attachment(
        row: &'a DocumentRow,
        expected: &'a ConcurrencyStamp,
        change: &'a AttachmentChange,
        rng: &dyn Rng,
    ) -> Self {
        Self {
            attachment: Some(change),
            ..Self::new(row, expected, attachments::action(change), rng)
        }
    }
}

#[async_trait]
impl TransactionWork for ChangeDocument<'_> {
    type Output = WriteOutcome;

    fn organization(&self) -> Option<&OrganizationId> {
        Some(&self.row.organization)
    }

    fn partition_times(&self) -> Vec<Timestamp> {
        vec![self.row.updated_at]
    }

    /// The lock is on a row of the organization.
    fn begins_with_statements(&self) -> bool {
        true
    }

    async fn run(
        &self,
        transaction: &Transaction,
    ) -> Result<TransactionEnd<WriteOutcome>, EngineError> {
        let (organization, key) = (&self.row.organization, self.row.key);
        // In a statement of its own: the next one sees what was committed while this one waited.
        let expected = self.expected.as_str();
        let stored = transaction
            .row(LOCK_EXPECTED, &[&organization.as_str(), &key, &expected])
            .await?;
        let Some(stored) = stored else {
            let written = self.id.written(transaction, organization, key).await?;
            let outcome = written.map_or(WriteOutcome::Stale, |_| WriteOutcome::Stored);
            return Ok(TransactionEnd::Rollback(outcome));
        };
        let stored = CountedDocument::stored(&stored)?;
        if self.action == Action::Deleted {
            delete(transaction, stored, self.row, self.id).await?;
            attachments::remove_all(transaction, self.row).await?;
        } else {
            let replacement = Replacement {
                row: self.row,
                stored,
                id: self.id,
            };
            if let Some(replacement) = ReplacementColumns::new(vec![replacement], self.action) {
                transaction.write(&replacement.write()).await?;
            }
            if let Some(change) = self.attachment {
                attachments::change(transaction, self.row, change).await?;
            }
        }
        Ok(TransactionEnd::Commit(WriteOutcome::Stored))
    }
}

/// Deletes a document that is locked and counted as `stored`.
async fn delete(
    transaction: &Transaction,
    stored: CountedDocument,
    row: &DocumentRow,
    id: RevisionId,
) -> Result<(), EngineError> {
    let columns = StoredColumns::new(row);
    let revision = RevisionColumns::new(row, Action::Deleted, id);
    let sums = SumsChange::new(Spread::of(row.key), [], Some(stored));
    let mut parameters = columns.deletion_parameters();
    parameters.extend(revision.parameters());
    parameters.extend(sums.parameters());
    changed(transaction, DELETE, &parameters).await?;
    Ok(())
}

/// Whether the first part of a statement has changed a row, which it returns as a count.
pub(super) async fn changed(
    transaction: &Transaction,
    statement: &'static str,
    parameters: &[Parameter<'_>],
) -> Result<bool, EngineError> {
    let row = transaction.row(statement, parameters).await?;
    Ok(count(row.as_ref())? > 0)
}

/// The count that a statement returns.
fn count(row: Option<&Row>) -> Result<i64, EngineError> {
    let count = row.map(|row| row.try_get(0)).transpose()?;
    Ok(count.unwrap_or_default())
}
