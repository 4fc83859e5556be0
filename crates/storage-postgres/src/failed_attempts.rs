//! [`FailedAttemptStore`] on PostgreSQL: a row for each counter, which all processes write.

use async_trait::async_trait;
use invoicing_contract::Timestamp;
use invoicing_storage::StorageError;
use invoicing_storage::failed_attempts::{
    AttemptCount, AttemptCounter, AttemptKey, FailedAttemptStore, in_order,
};
use tokio_postgres::Row;

use crate::Postgres;
use crate::engine::{EngineError, timestamp};

const SELECT: &str =
    "SELECT key, greatest(level - drain * greatest($2::bigint - at, 0), 0) AS level, at
     FROM failed_attempts WHERE key = ANY($1::bytea[]) AND abs($2::bigint - at) < expires_at - at";

/// Whether what is known counts still.
macro_rules! is_current {
    () => {
        "abs(excluded.at - known.at) < excluded.expires_at - excluded.at"
    };
}

/// Counters are locked in the order of their keys. After an attempt by a clock that is a little behind, the last one is that before.
const COUNT: &str = concat!(
    "INSERT INTO failed_attempts AS known (key, level, drain, at, expires_at)
     SELECT key, least(unit, lifetime), drain, $5::bigint, $5::bigint + lifetime
     FROM unnest($1::bytea[], $2::bigint[], $3::bigint[], $4::bigint[]) AS attempt (key, unit, drain, lifetime)
     ORDER BY key
     ON CONFLICT (key) DO UPDATE SET
         level = least(excluded.expires_at - excluded.at, excluded.level + CASE WHEN ",
    is_current!(),
    " THEN greatest(known.level - excluded.drain * greatest(excluded.at - known.at, 0), 0) ELSE 0 END),
         drain = excluded.drain,
         at = CASE WHEN ",
    is_current!(),
    " THEN greatest(known.at, excluded.at) ELSE excluded.at END,
         expires_at = excluded.expires_at - excluded.at + CASE WHEN ",
    is_current!(),
    " THEN greatest(known.at, excluded.at) ELSE excluded.at END
     RETURNING key, level, at"
);

/// Counters are locked in the order of their keys. A row without attempts is deleted when it has expired, like all others.
const FORGET: &str = "UPDATE failed_attempts AS known SET level = greatest(known.level - $2::bigint, 0)
     FROM (SELECT key FROM failed_attempts WHERE key = ANY($1::bytea[]) ORDER BY key FOR UPDATE) AS locked
     WHERE known.key = locked.key";

#[async_trait]
impl FailedAttemptStore for Postgres {
    async fn failed_attempts(
        &self,
        counters: &[AttemptCounter],
        now: Timestamp,
    ) -> Result<Vec<AttemptCount>, StorageError> {
        let keys: Vec<&[u8]> = counters.iter().map(|one| &one.key.0[..]).collect();
        let found = self
            .engine()
            .lookup_all(SELECT, &[&keys, &now.as_millis()], count)
            .await?;
        Ok(in_order(counters, &found))
    }

    async fn count_failed_attempt(
        &self,
        counters: &[AttemptCounter],
        now: Timestamp,
    ) -> Result<Vec<AttemptCount>, StorageError> {
        let keys: Vec<&[u8]> = counters.iter().map(|one| &one.key.0[..]).collect();
        let column = |value: fn(&AttemptCounter) -> i64| -> Vec<i64> {
            counters.iter().map(value).collect()
        };
        let units = column(|counter| counter.forgetting.unit());
        let drains = column(|counter| counter.forgetting.drain());
        let lifetimes = column(|counter| counter.forgetting.lifetime());
        let rows = self
            .engine()
            .write_statement(
                &[],
                COUNT,
                &[&keys, &units, &drains, &lifetimes, &now.as_millis()],
            )
            .await?;
        let counted: Result<Vec<_>, EngineError> = rows.iter().map(count).collect();
        Ok(in_order(counters, &counted?))
    }

    async fn forget_failed_attempts(
        &self,
        keys: &[AttemptKey],
        attempts: i64,
    ) -> Result<(), StorageError> {
        let keys: Vec<&[u8]> = keys.iter().map(|key| &key.0[..]).collect();
        self.engine()
            .write_statement(&[], FORGET, &[&keys, &attempts])
            .await?;
        Ok(())
    }
}

fn count(row: &Row) -> Result<(AttemptKey, AttemptCount), EngineError> {
    let key: &[u8] = row.try_get("key")?;
    let count = AttemptCount {
        level: row.try_get("level")?,
        last: timestamp(row, "at")?,
    };
    let key = key.try_into().map_err(StorageError::corrupt)?;
    Ok((AttemptKey(key), count))
}
