//! Browser sessions.

use invoicing_contract::Timestamp;

use crate::Sqlite;
use crate::engine::Engine;
use invoicing_storage::StorageError;
use invoicing_storage::audit::AuditEvent;
use invoicing_storage::tokens::{PendingStep, Session};

/// Inserts a session.
pub(super) async fn begin(
    store: &Sqlite,
    session: &Session,
    event: &AuditEvent,
) -> Result<(), StorageError> {
    let insert =
        "INSERT INTO sessions (id, hash, subject, epoch, authenticated_at, expires_at, pending)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    let row = (
        session.id.clone(),
        session.hash.as_bytes().to_vec(),
        session.subject.as_str().to_owned(),
        session.epoch,
        session.authenticated_at.as_millis(),
        session.expires_at.as_millis(),
        session.pending.map(PendingStep::name),
    );
    store.execute_audited(insert, row, event).await?;
    Ok(())
}

/// Sets the pending step and the epoch of a session that has not ended.
pub(super) async fn advance(
    engine: &Engine,
    id: &str,
    pending: Option<PendingStep>,
    epoch: i64,
    now: Timestamp,
) -> Result<(), StorageError> {
    let row = (
        id.to_owned(),
        pending.map(PendingStep::name),
        epoch,
        now.as_millis(),
    );
    engine
        .write(move |transaction| {
            let update = "UPDATE sessions SET pending = ?2, epoch = ?3, authenticated_at = ?4 WHERE id = ?1 AND ended_at IS NULL";
            transaction.prepare_cached(update)?.execute(row)?;
            Ok(())
        })
        .await
}

/// Ends a session that has not ended.
pub(super) async fn end(
    store: &Sqlite,
    id: &str,
    now: Timestamp,
    event: &AuditEvent,
) -> Result<(), StorageError> {
    let update = "UPDATE sessions SET ended_at = ?2 WHERE id = ?1 AND ended_at IS NULL";
    store
        .execute_audited(update, (id.to_owned(), now.as_millis()), event)
        .await?;
    Ok(())
}
