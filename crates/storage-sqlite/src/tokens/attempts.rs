//! Counts of sign-in attempts.

use invoicing_contract::Timestamp;
use rusqlite::{OptionalExtension as _, Row};

use crate::engine::{Engine, timestamp};
use invoicing_storage::StorageError;
use invoicing_storage::tokens::Attempts;

const SELECT: &str = "SELECT attempts, last_at FROM sign_in_attempts WHERE account = ?1 AND address = ?2 AND last_at > ?3";

fn attempts(row: &Row<'_>) -> rusqlite::Result<Attempts> {
    Ok(Attempts {
        count: row.get(0)?,
        last_at: timestamp(row, 1)?,
    })
}

/// The attempts counted after `since`.
pub(super) async fn select(
    engine: &Engine,
    account: &str,
    address: &str,
    since: Timestamp,
) -> Result<Attempts, StorageError> {
    let key = (account, address, since.as_millis());
    let found = engine.lookup_one(SELECT, key, attempts).await?;
    Ok(found.unwrap_or_default())
}

/// Counts one more, and returns those before it.
pub(super) async fn count(
    engine: &Engine,
    account: &str,
    address: &str,
    now: Timestamp,
    since: Timestamp,
) -> Result<Attempts, StorageError> {
    let (account, address) = (account.to_owned(), address.to_owned());
    engine
        .write(move |transaction| {
            let before = transaction
                .prepare_cached(SELECT)?
                .query_row((&account, &address, since.as_millis()), attempts)
                .optional()?
                .unwrap_or_default();
            let upsert =
                "INSERT INTO sign_in_attempts (account, address, attempts, last_at) VALUES (?1, ?2, ?3, ?4)
                 ON CONFLICT (account, address) DO UPDATE SET attempts = excluded.attempts, last_at = excluded.last_at";
            transaction
                .prepare_cached(upsert)?
                .execute((&account, &address, before.count + 1, now.as_millis()))?;
            Ok(before)
        })
        .await
}

/// Deletes the attempts of the account, and takes one back from those of the address.
pub(super) async fn reset(
    engine: &Engine,
    account: &str,
    address: &str,
) -> Result<(), StorageError> {
    let (account, address) = (account.to_owned(), address.to_owned());
    engine
        .write(move |transaction| {
            let delete = "DELETE FROM sign_in_attempts WHERE account = ?1 AND address = ?2";
            transaction
                .prepare_cached(delete)?
                .execute((&account, &address))?;
            let update = "UPDATE sign_in_attempts SET attempts = attempts - 1
                 WHERE account = '' AND address = ?1 AND attempts > 0";
            transaction.prepare_cached(update)?.execute([&address])?;
            Ok(())
        })
        .await
}
