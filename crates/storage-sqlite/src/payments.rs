//! [`PaymentStore`] on SQLite, and the receivables that numbered documents make.

use std::collections::BTreeMap;

use async_trait::async_trait;
use invoicing_contract::OrganizationId;
use invoicing_contract::messages::documents::Kind;
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, params};
use uuid::Uuid;

use crate::Sqlite;
use crate::audit::record_event;
use crate::engine::{EngineError, Statement, TransactionEnd, timestamp};
use crate::values::{currency, key, uuid};
use invoicing_storage::StorageError;
use invoicing_storage::audit::AuditEvent;
use invoicing_storage::documents::{DocumentRow, corrected_documents};
use invoicing_storage::payments::{
    PaymentEntry, PaymentOutcome, PaymentPosition, PaymentStore, Receivable, TakenOff,
    allocate_credit, takes_off,
};

const SELECT_RECEIVABLE: &str = "SELECT currency, due_on, payable, paid, credited FROM receivables
     WHERE organization_id = ?1 AND document = ?2";
/// A corrected document asks for another amount.
const UPSERT_RECEIVABLE: &str =
    "INSERT INTO receivables (organization_id, document, currency, due_on, payable, paid, credited)
     VALUES (?1, ?2, ?3, ?4, ?5, 0, 0)
     ON CONFLICT (organization_id, document) DO UPDATE SET currency = excluded.currency, due_on = excluded.due_on,
         payable = excluded.payable";
/// While a document is rejected, what notes take off it rests (decision 0124).
const REST_CREDITS: &str =
    "UPDATE receivables SET credited = 0 WHERE organization_id = ?1 AND document = ?2";
const RESTORE_CREDITS: &str = "UPDATE receivables SET credited = (
         SELECT coalesce(sum(taken_off), 0) FROM document_credits WHERE organization_id = ?1 AND original = ?2)
     WHERE organization_id = ?1 AND document = ?2";
const GIVE_BACK: &str = "UPDATE receivables SET credited = credited - c.taken_off FROM document_credits c
     WHERE receivables.organization_id = ?1 AND c.organization_id = ?1 AND c.note = ?2 AND c.original = receivables.document
         AND NOT EXISTS (SELECT 1 FROM documents d
             WHERE d.organization_id = ?1 AND d.key = receivables.document AND d.status = 4)";
const GIVE_BACK_OWN: &str = "UPDATE receivables SET credited = credited + (
         SELECT coalesce(sum(taken_off), 0) FROM document_credits WHERE organization_id = ?1 AND note = ?2)
     WHERE organization_id = ?1 AND document = ?2";
const CLEAR_TAKEN_OFF: &str =
    "UPDATE document_credits SET taken_off = 0 WHERE organization_id = ?1 AND note = ?2";
const ADD_CREDIT: &str =
    "UPDATE receivables SET credited = credited + ?3 WHERE organization_id = ?1 AND document = ?2";
const ADD_PAID: &str =
    "UPDATE receivables SET paid = paid + ?3 WHERE organization_id = ?1 AND document = ?2";
/// After all entries that the document has.
const INSERT_ENTRY: &str =
    "INSERT INTO document_payments (organization_id, document, key, voids, amount, recorded_at, body)
     VALUES (?1, ?2, ?3, ?4, ?5, max(?6, coalesce((
         SELECT max(recorded_at) + 1 FROM document_payments WHERE organization_id = ?1 AND document = ?2
     ), ?6)), ?7)";
/// The columns that [`entry`] reads.
const SELECT_ENTRIES: &str = "SELECT p.key, p.voids, p.amount, p.recorded_at, p.body,
         EXISTS (SELECT 1 FROM document_payments v
             WHERE v.organization_id = p.organization_id AND v.document = p.document AND v.voids = p.key) AS voided
     FROM document_payments p WHERE p.organization_id = ";

#[async_trait]
impl PaymentStore for Sqlite {
    async fn receivable(
        &self,
        organization: &OrganizationId,
        document: Uuid,
    ) -> Result<Option<Receivable>, StorageError> {
        let organization = organization.clone();
        self.engine()
            .read(move |connection| receivable(connection, &organization, document))
            .await
    }

    async fn record_payment(
        &self,
        entry: &PaymentEntry,
        event: &AuditEvent,
    ) -> Result<PaymentOutcome, StorageError> {
        let (entry, event) = (entry.clone(), event.clone());
        self.engine()
            .transact(move |transaction| record(transaction, &entry, &event))
            .await
    }

    async fn payment(
        &self,
        organization: &OrganizationId,
        document: Uuid,
        key: Uuid,
    ) -> Result<Option<PaymentEntry>, StorageError> {
        let organization = organization.clone();
        self.engine()
            .read(move |connection| find(connection, &organization, document, "p.key", key))
            .await
    }

    async fn payments(
        &self,
        organization: &OrganizationId,
        document: Uuid,
        after: Option<PaymentPosition>,
        size: u32,
    ) -> Result<Vec<PaymentEntry>, StorageError> {
        let organization = organization.clone();
        self.engine()
            .read(move |connection| {
                let mut statement = entries(&organization, document);
                if let Some((at, key)) = after {
                    statement
                        .push(" AND (p.recorded_at, p.key) > (")
                        .bind(at)
                        .push(", ")
                        .bind(blob(key))
                        .push(")");
                }
                statement
                    .push(" ORDER BY p.recorded_at, p.key LIMIT ")
                    .bind(i64::from(size));
                statement.all(connection, |row| entry(row, &organization, document))
            })
            .await
    }
}

fn receivable(
    connection: &Connection,
    organization: &OrganizationId,
    document: Uuid,
) -> Result<Option<Receivable>, EngineError> {
    let mut select = connection.prepare_cached(SELECT_RECEIVABLE)?;
    let found = select.query_row(
        params![organization.as_str(), document.as_bytes()],
        read_receivable,
    );
    Ok(found.optional()?)
}

/// A row with the columns of a receivable.
pub(crate) fn read_receivable(row: &Row<'_>) -> rusqlite::Result<Receivable> {
    Ok(Receivable {
        currency: currency(row.get_ref("currency")?.as_str()?)?,
        due_on: row.get("due_on")?,
        payable: row.get("payable")?,
        paid: row.get("paid")?,
        credited: row.get("credited")?,
    })
}

fn record(
    transaction: &Transaction<'_>,
    entry: &PaymentEntry,
    event: &AuditEvent,
) -> Result<TransactionEnd<PaymentOutcome>, EngineError> {
    let (organization, document) = (&entry.organization, entry.document);
    let rollback = |outcome| Ok(TransactionEnd::Rollback(outcome));
    let Some(mut receivable) = receivable(transaction, organization, document)? else {
        return rollback(PaymentOutcome::NoReceivable);
    };
    if find(transaction, organization, document, "p.key", entry.key)?.is_some() {
        return rollback(PaymentOutcome::KeyTaken);
    }
    if let Some(voided) = entry.voids
        && find(transaction, organization, document, "p.voids", voided)?.is_some()
    {
        return rollback(PaymentOutcome::AlreadyVoided);
    }
    if entry.voids.is_none() && !receivable.admits(entry.amount) {
        return rollback(PaymentOutcome::AboveOpen(receivable));
    }
    transaction.prepare_cached(INSERT_ENTRY)?.execute(params![
        organization.as_str(),
        document.as_bytes(),
        entry.key.as_bytes(),
        entry.voids.map(|key| key.as_bytes().to_vec()),
        entry.amount,
        entry.recorded_at.as_millis(),
        entry.body,
    ])?;
    transaction.prepare_cached(ADD_PAID)?.execute(params![
        organization.as_str(),
        document.as_bytes(),
        entry.amount
    ])?;
    record_event(transaction, event)?;
    receivable.paid += entry.amount;
    Ok(TransactionEnd::Commit(PaymentOutcome::Stored(receivable)))
}

/// The entries of a document.
fn entries(organization: &OrganizationId, document: Uuid) -> Statement {
    let mut statement = Statement::new(SELECT_ENTRIES);
    statement
        .bind(organization.as_str())
        .push(" AND p.document = ")
        .bind(blob(document));
    statement
}

/// The entry whose column has a key.
fn find(
    connection: &Connection,
    organization: &OrganizationId,
    document: Uuid,
    column: &str,
    key: Uuid,
) -> Result<Option<PaymentEntry>, EngineError> {
    let mut statement = entries(organization, document);
    statement
        .push(" AND ")
        .push(column)
        .push(" = ")
        .bind(blob(key));
    let found = statement.all(connection, |row| entry(row, organization, document))?;
    Ok(found.into_iter().next())
}

fn blob(key: Uuid) -> Value {
    Value::Blob(key.as_bytes().to_vec())
}

fn entry(
    row: &Row<'_>,
    organization: &OrganizationId,
    document: Uuid,
) -> rusqlite::Result<PaymentEntry> {
    let voids = row.get_ref("voids")?.as_blob_or_null()?;
    Ok(PaymentEntry {
        organization: organization.clone(),
        document,
        key: key(row, "key")?,
        voids: voids.map(uuid).transpose()?,
        voided: row.get("voided")?,
        amount: row.get("amount")?,
        recorded_at: timestamp(row, "recorded_at")?,
        body: row.get("body")?,
    })
}

/// Stores what numbered documents ask for, and takes off what numbered credit notes give back. To be called before the relations
/// of the notes are stored, with what it returns: a note that has relations was taken off before.
pub(crate) fn add_receivables(
    transaction: &Transaction<'_>,
    rows: &[DocumentRow],
) -> Result<TakenOff, EngineError> {
    for row in rows {
        if let Some(receivable) = Receivable::of_document(row) {
            transaction
                .prepare_cached(UPSERT_RECEIVABLE)?
                .execute(params![
                    row.organization.as_str(),
                    row.key.as_bytes(),
                    receivable.currency.code(),
                    receivable.due_on,
                    receivable.payable,
                ])?;
        }
    }
    let mut taken = TakenOff::default();
    for note in rows.iter().filter(|row| takes_off(row)) {
        take_off(transaction, note, &mut taken)?;
    }
    Ok(taken)
}

/// Lets what notes took off a document rest, which the tax authority has rejected. To be called after [`add_receivables`].
pub(crate) fn rest_credits(
    transaction: &Transaction<'_>,
    document: &DocumentRow,
) -> Result<(), EngineError> {
    set_credits(transaction, REST_CREDITS, document)
}

/// Takes off a document again what notes took off before it was rejected. To be called after [`add_receivables`].
pub(crate) fn restore_credits(
    transaction: &Transaction<'_>,
    document: &DocumentRow,
) -> Result<(), EngineError> {
    set_credits(transaction, RESTORE_CREDITS, document)
}

fn set_credits(
    transaction: &Transaction<'_>,
    update: &str,
    document: &DocumentRow,
) -> Result<(), EngineError> {
    // Of a note it is what the note itself takes off others.
    if document.kind != Kind::CreditNote {
        transaction.prepare_cached(update)?.execute(params![
            document.organization.as_str(),
            document.key.as_bytes()
        ])?;
    }
    Ok(())
}

/// Gives back what a document took off the receivables of others, if it is a credit note with relations.
pub(crate) fn give_back(
    transaction: &Transaction<'_>,
    organization: &OrganizationId,
    note: Uuid,
) -> Result<(), EngineError> {
    for statement in [GIVE_BACK, GIVE_BACK_OWN, CLEAR_TAKEN_OFF] {
        transaction
            .prepare_cached(statement)?
            .execute(params![organization.as_str(), note.as_bytes()])?;
    }
    Ok(())
}

fn take_off(
    transaction: &Transaction<'_>,
    note: &DocumentRow,
    taken: &mut TakenOff,
) -> Result<(), EngineError> {
    let organization = &note.organization;
    let mut known = transaction.prepare_cached(
        "SELECT 1 FROM document_credits WHERE organization_id = ?1 AND note = ?2 LIMIT 1",
    )?;
    if known.exists(params![organization.as_str(), note.key.as_bytes()])? {
        return Ok(());
    }
    let mut open = BTreeMap::new();
    for original in corrected_documents(&note.document) {
        let receivable = receivable(transaction, organization, original)?;
        if let Some(receivable) = receivable.filter(|found| found.currency == note.currency) {
            open.insert(original, receivable.open());
        }
    }
    let amounts: Vec<_> = open.values().copied().collect();
    let parts = allocate_credit(note.gross, &amounts);
    let mut add_credit = transaction.prepare_cached(ADD_CREDIT)?;
    let mut add = |document: Uuid, part: i64| {
        add_credit.execute(params![organization.as_str(), document.as_bytes(), part])
    };
    add(note.key, -parts.iter().sum::<i64>())?;
    for (original, part) in open.keys().zip(parts) {
        add(*original, part)?;
        taken.insert((*original, note.key), part);
    }
    Ok(())
}
