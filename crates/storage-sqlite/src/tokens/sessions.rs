//! Browser sessions.

use crate::Sqlite;
use crate::engine::Engine;
use invoicing_storage::StorageError;
use invoicing_storage::audit::AuditEvent;
use invoicing_storage::tokens::{PendingStep, Session};

/// Inserts a session.
pub(super) async fn begin(
    store: &Sqlite,
    session: &Session,
    entry: &AuditEvent,
) -> Result<(), StorageError> {
    let insert = "INSERT INTO sessions (id, hash, subject, authenticated_at, expires_at, pending)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    let row = (
        session.id.clone(),
        session.hash.as_bytes().to_vec(),
        session.subject.as_str().to_owned(),
        session.authenticated_at,
        session.expires_at,
        session.pending.map(PendingStep::name),
    );
    store.change_recorded(insert, row, entry).await?;
    Ok(())
}

/// Sets the pending step of a session that has not ended.
pub(super) async fn advance(
    engine: &Engine,
    id: &str,
    pending: Option<PendingStep>,
    now: i64,
) -> Result<(), StorageError> {
    let row = (id.to_owned(), pending.map(PendingStep::name), now);
    engine
        .write(move |transaction| {
            let update = "UPDATE sessions SET pending = ?2, authenticated_at = ?3 WHERE id = ?1 AND ended_at IS NULL";
            transaction.prepare_cached(update)?.execute(row)?;
            Ok(())
        })
        .await
}

/// Ends a session that has not ended.
pub(super) async fn end(
    store: &Sqlite,
    id: &str,
    now: i64,
    entry: &AuditEvent,
) -> Result<(), StorageError> {
    let update = "UPDATE sessions SET ended_at = ?2 WHERE id = ?1 AND ended_at IS NULL";
    store
        .change_recorded(update, (id.to_owned(), now), entry)
        .await?;
    Ok(())
}
