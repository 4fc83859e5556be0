//! [`KeyStore`] on SQLite.

use async_trait::async_trait;
use invoicing_contract::Timestamp;
use rusqlite::{Row, Transaction, params};
use zeroize::Zeroizing;

use crate::engine::{EngineError, TransactionEnd, invalid_value, timestamp};
use crate::{Sqlite, audit};
use invoicing_storage::StorageError;
use invoicing_storage::audit::AuditEvent;
use invoicing_storage::keys::{
    KeyRotation, KeyState, KeyStore, SigningAlgorithm, SigningKeyRecord,
};

/// The columns of a key, as [`signing_key`] reads them.
macro_rules! columns {
    () => {
        "kid, algorithm, pkcs8, state, changed_at"
    };
}

#[async_trait]
impl KeyStore for Sqlite {
    async fn signing_keys(&self) -> Result<Vec<SigningKeyRecord>, StorageError> {
        let select = concat!(
            "SELECT ",
            columns!(),
            " FROM signing_keys ORDER BY changed_at, kid"
        );
        self.engine().lookup_all(select, (), signing_key).await
    }

    async fn add_signing_key(&self, key: &SigningKeyRecord) -> Result<bool, StorageError> {
        let key = key.clone();
        let insert = concat!(
            "INSERT INTO signing_keys (",
            columns!(),
            ") SELECT ?1, ?2, ?3, ?4, ?5
             WHERE NOT EXISTS (SELECT 1 FROM signing_keys WHERE algorithm = ?2 AND state = ?4)"
        );
        self.engine()
            .write(move |transaction| {
                let inserted = transaction.prepare_cached(insert)?.execute(params![
                    key.kid,
                    key.algorithm.name(),
                    key.pkcs8.as_slice(),
                    key.state.name(),
                    key.changed_at.as_millis()
                ])?;
                Ok(inserted > 0)
            })
            .await
    }

    async fn rotate_signing_keys(
        &self,
        rotations: &[KeyRotation],
        now: Timestamp,
        event: &AuditEvent,
    ) -> Result<bool, StorageError> {
        let (rotations, event) = (rotations.to_vec(), event.clone());
        self.engine()
            .transact(move |transaction| {
                for rotation in &rotations {
                    if !rotate(transaction, rotation, now)? {
                        return Ok(TransactionEnd::Rollback(false));
                    }
                }
                audit::record_event(transaction, &event)?;
                Ok(TransactionEnd::Commit(true))
            })
            .await
    }

    async fn replace_signing_key(
        &self,
        kid: &str,
        stored: &[u8],
        replacement: &[u8],
        event: &AuditEvent,
    ) -> Result<bool, StorageError> {
        let update = "UPDATE signing_keys SET pkcs8 = ?3 WHERE kid = ?1 AND pkcs8 = ?2";
        let row = (kid.to_owned(), stored.to_vec(), replacement.to_vec());
        self.overwrite_audited(update, row, event).await
    }
}

/// Moves the keys of one algorithm one state on. False if the current key is another one.
fn rotate(
    transaction: &Transaction<'_>,
    rotation: &KeyRotation,
    now: Timestamp,
) -> Result<bool, EngineError> {
    let KeyRotation {
        current,
        next,
        retired_before,
    } = rotation;
    let (algorithm, now) = (next.algorithm.name(), now.as_millis());
    let retired = transaction
        .prepare_cached(
            "UPDATE signing_keys SET state = 'previous', changed_at = ?2 WHERE kid = ?1 AND state = 'current'",
        )?
        .execute(params![current, now])?;
    if retired == 0 {
        return Ok(false);
    }
    transaction
        .prepare_cached(
            "UPDATE signing_keys SET state = 'current', changed_at = ?2 WHERE algorithm = ?1 AND state = 'next'",
        )?
        .execute(params![algorithm, now])?;
    transaction
        .prepare_cached(concat!(
            "INSERT INTO signing_keys (",
            columns!(),
            ") VALUES (?1, ?2, ?3, 'next', ?4)"
        ))?
        .execute(params![next.kid, algorithm, next.pkcs8.as_slice(), now])?;
    transaction
        .prepare_cached(
            "DELETE FROM signing_keys WHERE algorithm = ?1 AND state = 'previous' AND changed_at < ?2",
        )?
        .execute(params![algorithm, retired_before.as_millis()])?;
    Ok(true)
}

fn signing_key(row: &Row<'_>) -> rusqlite::Result<SigningKeyRecord> {
    let algorithm: String = row.get("algorithm")?;
    let state: String = row.get("state")?;
    Ok(SigningKeyRecord {
        kid: row.get("kid")?,
        algorithm: SigningAlgorithm::named(&algorithm)
            .ok_or_else(|| invalid_value(&algorithm, "signing algorithm"))?,
        pkcs8: Zeroizing::new(row.get("pkcs8")?),
        state: KeyState::named(&state).ok_or_else(|| invalid_value(&state, "state of a key"))?,
        changed_at: timestamp(row, "changed_at")?,
    })
}
