//! Browser sessions.

use invoicing_contract::Timestamp;
use invoicing_storage::StorageError;
use invoicing_storage::audit::AuditEvent;
use invoicing_storage::tokens::{PendingStep, Session};

use crate::Postgres;
use crate::engine::Engine;

/// Inserts a session.
pub(super) async fn begin(
    store: &Postgres,
    session: &Session,
    event: &AuditEvent,
) -> Result<(), StorageError> {
    let insert =
        "INSERT INTO sessions (id, hash, subject, epoch, authenticated_at, expires_at, pending)
         VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (hash) DO NOTHING";
    store
        .execute_audited(
            insert,
            &[
                &session.id,
                &session.hash.as_bytes(),
                &session.subject.as_str(),
                &session.epoch,
                &session.authenticated_at.as_millis(),
                &session.expires_at.as_millis(),
                &session.pending.map(PendingStep::name),
            ],
            event,
        )
        .await?;
    Ok(())
}

/// Sets the pending step of a session that has not ended.
pub(super) async fn advance(
    engine: &Engine,
    id: &str,
    pending: Option<PendingStep>,
    epoch: i64,
    now: Timestamp,
) -> Result<(), StorageError> {
    let update = "UPDATE sessions SET pending = $2, authenticated_at = $3, epoch = $4 WHERE id = $1 AND ended_at IS NULL";
    let pending = pending.map(PendingStep::name);
    engine
        .write_statement(&[], update, &[&id, &pending, &now.as_millis(), &epoch])
        .await?;
    Ok(())
}

/// Ends a session that has not ended.
pub(super) async fn end(
    store: &Postgres,
    id: &str,
    now: Timestamp,
    event: &AuditEvent,
) -> Result<(), StorageError> {
    let update = "UPDATE sessions SET ended_at = $2 WHERE id = $1 AND ended_at IS NULL";
    store
        .execute_audited(update, &[&id, &now.as_millis()], event)
        .await?;
    Ok(())
}
