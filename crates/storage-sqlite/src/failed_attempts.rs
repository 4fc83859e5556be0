//! [`FailedAttemptStore`] on SQLite: rows, so that a restart forgets nothing.

use async_trait::async_trait;
use invoicing_contract::Timestamp;
use invoicing_storage::StorageError;
use invoicing_storage::failed_attempts::{
    AttemptCount, AttemptCounter, AttemptKey, FailedAttemptStore,
};
use rusqlite::Row;

use crate::Sqlite;
use crate::engine::timestamp;

const SELECT: &str = "SELECT max(level - drain * max(?2 - at, 0), 0) AS level, at
     FROM failed_attempts WHERE key = ?1 AND abs(?2 - at) < expires_at - at";

/// Whether what is known counts still.
macro_rules! is_current {
    () => {
        "abs(excluded.at - known.at) < excluded.expires_at - excluded.at"
    };
}

/// After an attempt by a clock that was set back a little, the last one is that before.
const COUNT: &str = concat!(
    "INSERT INTO failed_attempts AS known (key, level, drain, at, expires_at)
     VALUES (?1, min(?2, ?4), ?3, ?5, ?5 + ?4)
     ON CONFLICT (key) DO UPDATE SET
         level = min(excluded.expires_at - excluded.at, excluded.level + CASE WHEN ",
    is_current!(),
    " THEN max(known.level - excluded.drain * max(excluded.at - known.at, 0), 0) ELSE 0 END),
         drain = excluded.drain,
         at = CASE WHEN ",
    is_current!(),
    " THEN max(known.at, excluded.at) ELSE excluded.at END,
         expires_at = excluded.expires_at - excluded.at + CASE WHEN ",
    is_current!(),
    " THEN max(known.at, excluded.at) ELSE excluded.at END
     RETURNING level, at"
);

/// A row without attempts is deleted when it has expired, like all others.
const FORGET: &str = "UPDATE failed_attempts SET level = max(level - ?2, 0) WHERE key = ?1";

#[async_trait]
impl FailedAttemptStore for Sqlite {
    async fn failed_attempts(
        &self,
        counters: &[AttemptCounter],
        now: Timestamp,
    ) -> Result<Vec<AttemptCount>, StorageError> {
        let mut counts = Vec::new();
        for counter in counters {
            let key = (counter.key.0, now.as_millis());
            let found = self.engine().lookup_one(SELECT, key, count).await?;
            counts.push(found.unwrap_or_default());
        }
        Ok(counts)
    }

    async fn count_failed_attempt(
        &self,
        counters: &[AttemptCounter],
        now: Timestamp,
    ) -> Result<Vec<AttemptCount>, StorageError> {
        let counters = counters.to_vec();
        self.engine()
            .write(move |transaction| {
                let mut statement = transaction.prepare_cached(COUNT)?;
                let mut counts = Vec::new();
                for AttemptCounter { key, forgetting } in counters {
                    let row = (
                        key.0,
                        forgetting.unit(),
                        forgetting.drain(),
                        forgetting.lifetime(),
                        now.as_millis(),
                    );
                    counts.push(statement.query_row(row, count)?);
                }
                Ok(counts)
            })
            .await
    }

    async fn forget_failed_attempts(
        &self,
        keys: &[AttemptKey],
        attempts: i64,
    ) -> Result<(), StorageError> {
        let keys = keys.to_vec();
        self.engine()
            .write(move |transaction| {
                let mut statement = transaction.prepare_cached(FORGET)?;
                for key in keys {
                    statement.execute((key.0, attempts))?;
                }
                Ok(())
            })
            .await
    }
}

fn count(row: &Row<'_>) -> rusqlite::Result<AttemptCount> {
    Ok(AttemptCount {
        level: row.get("level")?,
        last: timestamp(row, "at")?,
    })
}
