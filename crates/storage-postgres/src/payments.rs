//! [`PaymentStore`] on PostgreSQL, and the receivables that numbered documents make.

use std::slice;

use async_trait::async_trait;
use invoicing_contract::messages::documents::Kind;
use invoicing_contract::{OrganizationId, Timestamp};
use invoicing_storage::StorageError;
use invoicing_storage::audit::AuditEvent;
use invoicing_storage::documents::{DocumentRow, corrected_documents};
use invoicing_storage::payments::{
    PaymentEntry, PaymentOutcome, PaymentPosition, PaymentStore, Receivable, TakenOff,
    allocate_credit, takes_off,
};
use tokio_postgres::Row;
use uuid::Uuid;

use crate::Postgres;
use crate::audit::NewEvents;
use crate::engine::{
    EngineError, Parameter, Transaction, TransactionEnd, TransactionWork, Write, timestamp,
};
use crate::values::currency;

const SELECT_RECEIVABLE: &str = "SELECT currency, due_on, payable, paid, credited FROM receivables
     WHERE organization_id = $1 AND document = $2";
/// Payments and credit notes of a document take turns.
const LOCK_RECEIVABLE: &str = "SELECT currency, due_on, payable, paid, credited FROM receivables
     WHERE organization_id = $1 AND document = $2 FOR UPDATE";
/// Locks the originals of a note that have its currency, in the order of their keys.
const LOCK_ORIGINALS: &str = "SELECT document, payable - paid - credited AS open FROM receivables
     WHERE organization_id = $1 AND document = ANY ($2) AND currency = $3
         AND NOT EXISTS (SELECT FROM document_credits c WHERE c.organization_id = $1 AND c.note = $4)
     ORDER BY document FOR UPDATE";
/// A corrected document asks for another amount.
const UPSERT_RECEIVABLES: &str =
    "INSERT INTO receivables (organization_id, document, currency, due_on, payable, paid, credited)
     SELECT $1, ($2::uuid[])[position] AS document, ($3::text[])[position], ($4::text[])[position], ($5::bigint[])[position], 0, 0
     FROM generate_subscripts($2::uuid[], 1) AS position
     ORDER BY document
     ON CONFLICT (organization_id, document) DO UPDATE SET currency = excluded.currency, due_on = excluded.due_on,
         payable = excluded.payable";
/// In the order of the originals' keys, as whoever takes off locks them.
const LOCK_TAKEN_OFF: &str = "SELECT document FROM receivables
     WHERE organization_id = $1 AND document IN (
         SELECT original FROM document_credits WHERE organization_id = $1 AND note = $2 AND taken_off <> 0)
     ORDER BY document FOR UPDATE";
/// While a document is rejected, what notes take off it rests (decision 0124).
const REST_CREDITS: &str =
    "UPDATE receivables SET credited = 0 WHERE organization_id = $1 AND document = $2";
/// After the receivables are locked: another transaction that gives back waits, or has done so.
const RESTORE_CREDITS: &str = "UPDATE receivables SET credited = (
         SELECT coalesce(sum(c.taken_off), 0)::bigint FROM document_credits c
         WHERE c.organization_id = $1 AND c.original = receivables.document)
     WHERE organization_id = $1 AND document = ANY ($2)";
const GIVE_BACK: &str = "WITH note AS (
         SELECT original, taken_off FROM document_credits WHERE organization_id = $1 AND note = $2 AND taken_off <> 0
     ), given AS (
         UPDATE receivables SET credited = credited - note.taken_off FROM note
         WHERE organization_id = $1 AND document = note.original
             AND NOT EXISTS (SELECT FROM documents d
                 WHERE d.organization_id = $1 AND d.key = note.original AND d.status = 4)
     ), own AS (
         UPDATE receivables SET credited = credited + (SELECT coalesce(sum(taken_off), 0)::bigint FROM note)
         WHERE organization_id = $1 AND document = $2
     )
     UPDATE document_credits SET taken_off = 0 WHERE organization_id = $1 AND note = $2 AND taken_off <> 0";
const ADD_CREDITS: &str = "UPDATE receivables SET credited = credited + note.part
     FROM unnest($2::uuid[], $3::bigint[]) AS note (document, part)
     WHERE organization_id = $1 AND receivables.document = note.document";
const ADD_TO_NOTE: &str =
    "INSERT INTO receivables (organization_id, document, currency, due_on, payable, paid, credited)
     VALUES ($1, $2, $3, $4, $5, 0, $6)
     ON CONFLICT (organization_id, document) DO UPDATE SET credited = receivables.credited + excluded.credited";
/// Inserts an entry after all that the document has, and counts it. To be run after the receivable is locked.
const RECORD: &str = "WITH entry AS (
         INSERT INTO document_payments (organization_id, document, key, voids, amount, recorded_at, body)
         VALUES ($1, $2, $3, $4, $5, greatest($6::bigint, (
             SELECT max(recorded_at) + 1 FROM document_payments WHERE organization_id = $1 AND document = $2
         )), $7) RETURNING organization_id, document, amount
     )
     UPDATE receivables SET paid = paid + entry.amount FROM entry
     WHERE receivables.organization_id = entry.organization_id AND receivables.document = entry.document";

/// The columns that [`entry`] reads, of the entries of a document.
macro_rules! select_entries {
    ($rest:literal) => {
        concat!(
            "SELECT p.key, p.voids, p.amount, p.recorded_at, p.body,
                 EXISTS (SELECT FROM document_payments v WHERE v.organization_id = p.organization_id
                     AND v.document = p.document AND v.voids = p.key) AS voided
             FROM document_payments p WHERE p.organization_id = $1 AND p.document = $2 ",
            $rest
        )
    };
}
const SELECT_ENTRY: &str = select_entries!("AND p.key = $3");
const SELECT_VOIDING: &str = select_entries!("AND p.voids = $3");
const SELECT_PAGE: &str =
    select_entries!("AND (p.recorded_at, p.key) > ($3, $4) ORDER BY p.recorded_at, p.key LIMIT $5");

/// Records an entry.
struct RecordPayment<'a> {
    entry: &'a PaymentEntry,
    events: NewEvents<'a>,
}

#[async_trait]
impl TransactionWork for RecordPayment<'_> {
    type Output = PaymentOutcome;

    fn organization(&self) -> Option<&OrganizationId> {
        Some(&self.entry.organization)
    }

    fn partition_times(&self) -> Vec<Timestamp> {
        self.events.times()
    }

    async fn run(
        &self,
        transaction: &Transaction,
    ) -> Result<TransactionEnd<PaymentOutcome>, EngineError> {
        let entry = self.entry;
        let organization = entry.organization.as_str();
        let rollback = |outcome| Ok(TransactionEnd::Rollback(outcome));
        let locked = transaction
            .row(LOCK_RECEIVABLE, &[&organization, &entry.document])
            .await?;
        let Some(locked) = locked else {
            return rollback(PaymentOutcome::NoReceivable);
        };
        let mut receivable = read_receivable(&locked)?;
        // In statements of their own, which see what was committed while the lock was waited for.
        if self.events.are_recorded(transaction).await? {
            return rollback(PaymentOutcome::Stored(receivable));
        }
        let same_key: [Parameter<'_>; 3] = [&organization, &entry.document, &entry.key];
        if transaction.row(SELECT_ENTRY, &same_key).await?.is_some() {
            return rollback(PaymentOutcome::KeyTaken);
        }
        if let Some(voids) = entry.voids {
            let voiding: [Parameter<'_>; 3] = [&organization, &entry.document, &voids];
            if transaction.row(SELECT_VOIDING, &voiding).await?.is_some() {
                return rollback(PaymentOutcome::AlreadyVoided);
            }
        }
        if entry.voids.is_none() && !receivable.admits(entry.amount) {
            return rollback(PaymentOutcome::AboveOpen(receivable));
        }
        let recorded_at = entry.recorded_at.as_millis();
        let parameters: [Parameter<'_>; 7] = [
            &organization,
            &entry.document,
            &entry.key,
            &entry.voids,
            &entry.amount,
            &recorded_at,
            &entry.body,
        ];
        transaction.execute(RECORD, &parameters).await?;
        self.events.record(transaction).await?;
        receivable.paid += entry.amount;
        Ok(TransactionEnd::Commit(PaymentOutcome::Stored(receivable)))
    }
}

#[async_trait]
impl PaymentStore for Postgres {
    async fn receivable(
        &self,
        organization: &OrganizationId,
        document: Uuid,
    ) -> Result<Option<Receivable>, StorageError> {
        let parameters: [Parameter<'_>; 2] = [&organization.as_str(), &document];
        let row = self
            .engine()
            .row(Some(organization), SELECT_RECEIVABLE, &parameters)
            .await?;
        Ok(row.as_ref().map(read_receivable).transpose()?)
    }

    async fn record_payment(
        &self,
        entry: &PaymentEntry,
        event: &AuditEvent,
    ) -> Result<PaymentOutcome, StorageError> {
        let work = RecordPayment {
            entry,
            events: NewEvents::new(slice::from_ref(event), self.engine().rng()),
        };
        self.engine().write(&work).await
    }

    async fn payment(
        &self,
        organization: &OrganizationId,
        document: Uuid,
        key: Uuid,
    ) -> Result<Option<PaymentEntry>, StorageError> {
        let parameters: [Parameter<'_>; 3] = [&organization.as_str(), &document, &key];
        let row = self
            .engine()
            .row(Some(organization), SELECT_ENTRY, &parameters)
            .await?;
        let entry = row.map(|row| entry(&row, organization, document));
        Ok(entry.transpose()?)
    }

    async fn payments(
        &self,
        organization: &OrganizationId,
        document: Uuid,
        after: Option<PaymentPosition>,
        size: u32,
    ) -> Result<Vec<PaymentEntry>, StorageError> {
        let (at, key) = after.unwrap_or((Timestamp::MIN, Uuid::nil()));
        let (at, size) = (at.as_millis(), i64::from(size));
        let parameters: [Parameter<'_>; 5] = [&organization.as_str(), &document, &at, &key, &size];
        let rows = self
            .engine()
            .rows(Some(organization), SELECT_PAGE, &parameters)
            .await?;
        let entries = rows.iter().map(|row| entry(row, organization, document));
        Ok(entries.collect::<Result<_, _>>()?)
    }
}

/// A row with the columns of a receivable.
pub(crate) fn read_receivable(row: &Row) -> Result<Receivable, EngineError> {
    Ok(Receivable {
        currency: currency(row, "currency")?,
        due_on: row.try_get("due_on")?,
        payable: row.try_get("payable")?,
        paid: row.try_get("paid")?,
        credited: row.try_get("credited")?,
    })
}

fn entry(
    row: &Row,
    organization: &OrganizationId,
    document: Uuid,
) -> Result<PaymentEntry, EngineError> {
    Ok(PaymentEntry {
        organization: organization.clone(),
        document,
        key: row.try_get("key")?,
        voids: row.try_get("voids")?,
        voided: row.try_get("voided")?,
        amount: row.try_get("amount")?,
        recorded_at: timestamp(row, "recorded_at")?,
        body: row.try_get("body")?,
    })
}

/// What numbered documents of one organization ask for, as columns of `receivables`.
pub(crate) struct ReceivableColumns<'a> {
    organization: &'a str,
    keys: Vec<Uuid>,
    currencies: Vec<&'static str>,
    due: Vec<String>,
    payable: Vec<i64>,
}

impl<'a> ReceivableColumns<'a> {
    /// `None` if no document asks for anything.
    pub(crate) fn new(rows: &[&'a DocumentRow]) -> Option<Self> {
        let receivables = rows
            .iter()
            .filter_map(|row| Some((row, Receivable::of_document(row)?)));
        let receivables: Vec<_> = receivables.collect();
        let (first, _) = receivables.first()?;
        let currencies = receivables.iter().map(|(_, of)| of.currency.code());
        Some(Self {
            organization: first.organization.as_str(),
            keys: receivables.iter().map(|(row, _)| row.key).collect(),
            currencies: currencies.collect(),
            payable: receivables.iter().map(|(_, of)| of.payable).collect(),
            due: receivables.into_iter().map(|(_, of)| of.due_on).collect(),
        })
    }

    /// The statement that stores them.
    pub(crate) fn write(&self) -> Write<'_> {
        Write {
            statement: UPSERT_RECEIVABLES,
            parameters: vec![
                &self.organization,
                &self.keys,
                &self.currencies,
                &self.due,
                &self.payable,
            ],
        }
    }
}

/// Takes off what numbered credit notes give back. To be called before their relations are stored, with what it returns: a note
/// that has relations was taken off before.
pub(crate) async fn take_off_credits(
    transaction: &Transaction,
    rows: &[&DocumentRow],
) -> Result<TakenOff, EngineError> {
    let mut taken = TakenOff::default();
    for note in rows.iter().filter(|row| takes_off(row)) {
        take_off(transaction, note, &mut taken).await?;
    }
    Ok(taken)
}

/// The statement that takes off documents again what notes took off before they were rejected. To be run after
/// [`ReceivableColumns::write`].
pub(crate) fn restore_credits<'a>(
    organization: &'a &'a str,
    reissued: &'a Vec<Uuid>,
) -> Option<Write<'a>> {
    (!reissued.is_empty()).then(|| Write {
        statement: RESTORE_CREDITS,
        parameters: vec![organization, reissued],
    })
}

/// Lets what notes took off a document rest, which the tax authority has rejected. To be called after [`ReceivableColumns::write`].
pub(crate) async fn rest_credits(
    transaction: &Transaction,
    document: &DocumentRow,
) -> Result<(), EngineError> {
    // Of a note it is what the note itself takes off others.
    if document.kind != Kind::CreditNote {
        let parameters: [Parameter<'_>; 2] = [&document.organization.as_str(), &document.key];
        transaction.execute(REST_CREDITS, &parameters).await?;
    }
    Ok(())
}

/// Gives back what a document took off the receivables of others, if it is a credit note with relations.
pub(crate) async fn give_back(
    transaction: &Transaction,
    organization: &OrganizationId,
    note: Uuid,
) -> Result<(), EngineError> {
    let parameters: [Parameter<'_>; 2] = [&organization.as_str(), &note];
    transaction.rows(LOCK_TAKEN_OFF, &parameters).await?;
    transaction.execute(GIVE_BACK, &parameters).await?;
    Ok(())
}

async fn take_off(
    transaction: &Transaction,
    note: &DocumentRow,
    taken: &mut TakenOff,
) -> Result<(), EngineError> {
    let originals: Vec<Uuid> = corrected_documents(&note.document).into_iter().collect();
    if originals.is_empty() {
        return Ok(());
    }
    let (organization, currency) = (note.organization.as_str(), note.currency.code());
    let parameters: [Parameter<'_>; 4] = [&organization, &originals, &currency, &note.key];
    let locked = transaction.rows(LOCK_ORIGINALS, &parameters).await?;
    let (mut documents, mut open) = (Vec::<Uuid>::new(), Vec::<i64>::new());
    for row in &locked {
        documents.push(row.try_get("document")?);
        open.push(row.try_get("open")?);
    }
    if documents.is_empty() {
        return Ok(());
    }
    let parts = allocate_credit(note.gross, &open);
    let parameters: [Parameter<'_>; 3] = [&organization, &documents, &parts];
    transaction.execute(ADD_CREDITS, &parameters).await?;
    add_to_note(transaction, note, -parts.iter().sum::<i64>()).await?;
    let keys = documents.iter().map(|original| (*original, note.key));
    taken.extend(keys.zip(parts.iter().copied()));
    Ok(())
}

/// The note owes the buyer the rest. Its receivable may be stored before or after this.
async fn add_to_note(
    transaction: &Transaction,
    note: &DocumentRow,
    credited: i64,
) -> Result<(), EngineError> {
    let Some(receivable) = Receivable::of_document(note) else {
        return Ok(());
    };
    let (organization, currency) = (note.organization.as_str(), receivable.currency.code());
    let parameters: [Parameter<'_>; 6] = [
        &organization,
        &note.key,
        &currency,
        &receivable.due_on,
        &receivable.payable,
        &credited,
    ];
    transaction.execute(ADD_TO_NOTE, &parameters).await?;
    Ok(())
}
