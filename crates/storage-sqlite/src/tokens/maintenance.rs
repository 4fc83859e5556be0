//! Deletes what has expired.

use std::time::Duration;

use invoicing_contract::Timestamp;

use crate::engine::Engine;
use invoicing_storage::StorageError;

/// Rows that one run deletes from a table at most, so that other writes never wait long.
const BATCH: i64 = 5_000;

/// Longer than an access token is valid that was issued just before its family expired.
const FAMILY_GRACE: Duration = Duration::from_secs(24 * 60 * 60);

/// An application is told that its pushed request has expired, if it is opened within this time after that.
const PUSHED_REQUEST_RETENTION: Duration = Duration::from_secs(10 * 60);

/// Lookup keys begin with the time of issue: tokens are found by it that are older than an access token (12 hours) or an
/// unused refresh token (30 days) can be.
const DELETE_ACCESS_TOKENS: &str = "DELETE FROM access_tokens WHERE lookup_key IN
    (SELECT lookup_key FROM access_tokens WHERE lookup_key < (?1 - 43200000) << 21 AND expires_at < ?1 LIMIT ?2)";
const DELETE_REFRESH_TOKENS: &str = "DELETE FROM refresh_tokens WHERE lookup_key IN
    (SELECT lookup_key FROM refresh_tokens WHERE lookup_key < (?1 - 2592000000) << 21 AND expires_at < ?1 LIMIT ?2)";
/// After the last of their access tokens, which are revoked through their family.
const DELETE_FAMILIES: &str =
    "DELETE FROM families WHERE id IN (SELECT id FROM families WHERE expires_at < ?1 LIMIT ?2)";
const DELETE_SESSIONS: &str =
    "DELETE FROM sessions WHERE id IN (SELECT id FROM sessions WHERE expires_at < ?1 LIMIT ?2)";
/// Families whose code expired unused: nothing descends from them.
const DELETE_UNUSED_FAMILIES: &str = "DELETE FROM families WHERE id IN
    (SELECT family FROM authorization_codes WHERE used_at IS NULL AND expires_at < ?1 LIMIT ?2)";
const DELETE_PUSHED_REQUESTS: &str = "DELETE FROM pushed_requests WHERE lookup_key IN
    (SELECT lookup_key FROM pushed_requests WHERE lookup_key < ?1 << 21 AND expires_at < ?1 LIMIT ?2)";
const DELETE_FAILED_ATTEMPTS: &str = "DELETE FROM failed_attempts WHERE key IN
    (SELECT key FROM failed_attempts WHERE expires_at < ?1 LIMIT ?2)";

/// Deletes a bounded number of rows that expired before `now`, and returns the number.
pub(super) async fn delete_expired(engine: &Engine, now: Timestamp) -> Result<u64, StorageError> {
    let mut deleted = 0;
    for (statement, before) in [
        (DELETE_ACCESS_TOKENS, now),
        (DELETE_REFRESH_TOKENS, now),
        (DELETE_FAMILIES, now.minus(FAMILY_GRACE)),
        (DELETE_SESSIONS, now),
        (DELETE_UNUSED_FAMILIES, now),
        (DELETE_PUSHED_REQUESTS, now.minus(PUSHED_REQUEST_RETENTION)),
        (DELETE_FAILED_ATTEMPTS, now),
    ] {
        let rows = engine.write(move |transaction| {
            let mut statement = transaction.prepare_cached(statement)?;
            Ok(statement.execute((before.as_millis(), BATCH))?)
        });
        deleted += u64::try_from(rows.await?).unwrap_or(u64::MAX);
    }
    Ok(deleted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{open_checked, query_plan};

    #[test]
    fn no_delete_of_what_has_expired_reads_a_whole_table() {
        let folder = tempfile::tempdir().unwrap();
        let database = open_checked(&folder.path().join("invoicing.db")).unwrap();
        for statement in [
            DELETE_ACCESS_TOKENS,
            DELETE_REFRESH_TOKENS,
            DELETE_FAMILIES,
            DELETE_SESSIONS,
            DELETE_UNUSED_FAMILIES,
            DELETE_PUSHED_REQUESTS,
            DELETE_FAILED_ATTEMPTS,
        ] {
            let plan = query_plan(&database, statement);
            assert!(plan.contains("SEARCH"), "{statement}\n{plan}");
            assert!(!plan.contains("SCAN"), "{statement}\n{plan}");
        }
        for (statement, index) in [
            (DELETE_SESSIONS, "sessions_expiry"),
            (DELETE_UNUSED_FAMILIES, "authorization_codes_unused"),
            (DELETE_FAILED_ATTEMPTS, "failed_attempts_expiry"),
        ] {
            let plan = query_plan(&database, statement);
            let sought = format!("INDEX {index} (expires_at<?)");
            assert!(plan.contains(&sought), "{statement}\n{plan}");
        }
    }
}
