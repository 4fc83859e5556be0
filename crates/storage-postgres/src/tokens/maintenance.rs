//! Deletes what has expired, and creates the partitions of the next days.

use std::time::Duration;

use invoicing_contract::Timestamp;
use invoicing_storage::StorageError;

use crate::engine::{Engine, EngineError, Lease};

/// Rows that one run deletes from a table at most, so that a statement is short.
const BATCH: i64 = 5_000;
/// Partitions that one run drops at most. For each, statements on its table wait until those before it have ended.
const PARTITIONS: u64 = 4;
/// How long before their first row partitions exist.
const DAYS_AHEAD: u32 = 7;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);
/// Longer than a run takes. If its process ends, another one goes on after this time.
const LEASE: Duration = Duration::from_secs(5 * 60);
/// An application is told that its pushed request has expired, if it is opened within this time after that.
const PUSHED_REQUEST_RETENTION: Duration = Duration::from_secs(10 * 60);

const DELETE_SESSIONS: &str = "DELETE FROM sessions WHERE hash IN
    (SELECT hash FROM sessions WHERE expires_at < $1 ORDER BY expires_at LIMIT $2) RETURNING 1";
const DELETE_PUSHED_REQUESTS: &str = "DELETE FROM pushed_requests WHERE hash IN
    (SELECT hash FROM pushed_requests WHERE expires_at < $1 ORDER BY expires_at LIMIT $2) RETURNING 1";
const DELETE_REVOKED: &str = "DELETE FROM revoked WHERE (bucket, kind, number, hash) IN
    (SELECT bucket, kind, number, hash FROM revoked WHERE expires_at < $1 ORDER BY expires_at LIMIT $2) RETURNING 1";
/// The condition twice: the outer one holds for a row that another process has counted at meanwhile, and such a row stays.
const DELETE_FAILED_ATTEMPTS: &str = "DELETE FROM failed_attempts WHERE expires_at < $1 AND key IN
    (SELECT key FROM failed_attempts WHERE expires_at < $1 ORDER BY expires_at LIMIT $2) RETURNING 1";

/// Deletes a bounded number of rows and partitions that expired before `now`, and returns the number; 0 while another process
/// does it.
pub(super) async fn delete_expired(engine: &Engine, now: Timestamp) -> Result<u64, StorageError> {
    let Some(lease) = Lease::acquire(engine, "maintenance", now, LEASE).await? else {
        return Ok(0);
    };
    let deleted = delete_under_lease(engine, now).await;
    lease.release(engine).await?;
    deleted
}

async fn delete_under_lease(engine: &Engine, now: Timestamp) -> Result<u64, StorageError> {
    for days in 0..=DAYS_AHEAD {
        let day = now.plus(DAY * days);
        engine.ensure_partitions(day.as_millis()).await?;
    }
    let mut deleted = 0;
    for (statement, before) in [
        (DELETE_SESSIONS, now),
        (DELETE_PUSHED_REQUESTS, now.minus(PUSHED_REQUEST_RETENTION)),
        (DELETE_REVOKED, now),
        (DELETE_FAILED_ATTEMPTS, now),
    ] {
        let rows = engine
            .write_statement(&[], statement, &[&before.as_millis(), &BATCH])
            .await?;
        deleted += u64::try_from(rows.len()).unwrap_or(u64::MAX);
    }
    // Rows of tokens are deleted with their partition, when all of them have expired.
    let mut dropped = 0;
    while dropped < PARTITIONS && drop_expired_partition(engine, now).await? {
        dropped += 1;
    }
    Ok(deleted + dropped)
}

async fn drop_expired_partition(engine: &Engine, now: Timestamp) -> Result<bool, StorageError> {
    let drop = "SELECT drop_expired_partition($1) AS dropped";
    let rows = engine
        .write_statement(&[], drop, &[&now.as_millis()])
        .await?;
    let dropped = rows.first().map(|row| row.try_get("dropped"));
    let dropped = dropped.transpose().map_err(EngineError::from)?;
    Ok(dropped.unwrap_or(false))
}
