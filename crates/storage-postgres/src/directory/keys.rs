//! [`KeyStore`] on PostgreSQL.

use std::slice;

use async_trait::async_trait;
use invoicing_contract::Timestamp;
use invoicing_storage::StorageError;
use invoicing_storage::audit::AuditEvent;
use invoicing_storage::keys::{
    KeyRotation, KeyState, KeyStore, SigningAlgorithm, SigningKeyRecord,
};
use tokio_postgres::Row;
use zeroize::Zeroizing;

use crate::Postgres;
use crate::audit::NewEvents;
use crate::engine::{
    EngineError, Transaction, TransactionEnd, TransactionWork, invalid_value, timestamp,
};

/// The columns of a key, as [`signing_key`] reads them.
macro_rules! columns {
    () => {
        "kid, algorithm, pkcs8, state, changed_at"
    };
}

#[async_trait]
impl KeyStore for Postgres {
    async fn signing_keys(&self) -> Result<Vec<SigningKeyRecord>, StorageError> {
        let select = concat!(
            "SELECT ",
            columns!(),
            " FROM signing_keys ORDER BY changed_at, kid"
        );
        self.engine().lookup_all(select, &[], signing_key).await
    }

    async fn add_signing_key(&self, key: &SigningKeyRecord) -> Result<bool, StorageError> {
        self.engine().write(&AddKey(key)).await
    }

    async fn rotate_signing_keys(
        &self,
        rotations: &[KeyRotation],
        now: Timestamp,
        event: &AuditEvent,
    ) -> Result<bool, StorageError> {
        let work = RotateKeys {
            rotations,
            now,
            events: NewEvents::new(slice::from_ref(event), self.engine().rng()),
        };
        self.engine().write(&work).await
    }

    async fn replace_signing_key(
        &self,
        kid: &str,
        stored: &[u8],
        replacement: &[u8],
        event: &AuditEvent,
    ) -> Result<bool, StorageError> {
        let update = "UPDATE signing_keys SET pkcs8 = $3 WHERE kid = $1 AND pkcs8 = $2";
        self.execute_audited(update, &[&kid, &stored, &replacement], event)
            .await
    }
}

/// Adds a key, unless its algorithm has one in the same state.
struct AddKey<'a>(&'a SigningKeyRecord);

#[async_trait]
impl TransactionWork for AddKey<'_> {
    type Output = bool;

    async fn run(&self, transaction: &Transaction) -> Result<TransactionEnd<bool>, EngineError> {
        let key = self.0;
        if insert(transaction, key, key.state, key.changed_at).await? {
            return Ok(TransactionEnd::Commit(true));
        }
        // Another key, or the one that an attempt before has inserted.
        let ours = transaction.repeats_commit() && {
            let select = "SELECT 1 FROM signing_keys WHERE kid = $1";
            transaction.row(select, &[&key.kid]).await?.is_some()
        };
        Ok(TransactionEnd::Rollback(ours))
    }
}

/// Moves the keys of algorithms one state on, all or none. False if one of the current keys is another.
struct RotateKeys<'a> {
    rotations: &'a [KeyRotation],
    now: Timestamp,
    events: NewEvents<'a>,
}

#[async_trait]
impl TransactionWork for RotateKeys<'_> {
    type Output = bool;

    fn partition_times(&self) -> Vec<Timestamp> {
        self.events.times()
    }

    async fn run(&self, transaction: &Transaction) -> Result<TransactionEnd<bool>, EngineError> {
        for rotation in self.rotations {
            if !rotate(transaction, rotation, self.now).await? {
                let rotated = self.events.are_recorded(transaction).await?;
                return Ok(TransactionEnd::Rollback(rotated));
            }
        }
        self.events.record(transaction).await?;
        Ok(TransactionEnd::Commit(true))
    }
}

/// Moves the keys of one algorithm one state on. False if the current key is another one.
async fn rotate(
    transaction: &Transaction,
    rotation: &KeyRotation,
    now: Timestamp,
) -> Result<bool, EngineError> {
    let KeyRotation {
        current,
        next,
        retired_before,
    } = rotation;
    let (algorithm, at) = (next.algorithm.name(), now.as_millis());
    // Decides: of several rotations the others wait here, and find another current key.
    let retire = "UPDATE signing_keys SET state = 'previous', changed_at = $2 WHERE kid = $1 AND state = 'current'";
    if transaction.execute(retire, &[current, &at]).await? == 0 {
        return Ok(false);
    }
    let promote = "UPDATE signing_keys SET state = 'current', changed_at = $2 WHERE algorithm = $1 AND state = 'next'";
    transaction.execute(promote, &[&algorithm, &at]).await?;
    if !insert(transaction, next, KeyState::Next, now).await? {
        return Ok(false);
    }
    let remove =
        "DELETE FROM signing_keys WHERE algorithm = $1 AND state = 'previous' AND changed_at < $2";
    transaction
        .execute(remove, &[&algorithm, &retired_before.as_millis()])
        .await?;
    Ok(true)
}

/// Inserts a key, unless its algorithm has one in the same state. Returns whether it did. It waits for a transaction that is about
/// to insert one.
async fn insert(
    transaction: &Transaction,
    key: &SigningKeyRecord,
    state: KeyState,
    changed_at: Timestamp,
) -> Result<bool, EngineError> {
    let insert = concat!(
        "INSERT INTO signing_keys (",
        columns!(),
        ") SELECT $1, $2, $3::bytea, $4, $5::bigint
         WHERE NOT EXISTS (SELECT 1 FROM signing_keys WHERE algorithm = $2 AND state = $4) ON CONFLICT DO NOTHING"
    );
    let inserted = transaction
        .execute(
            insert,
            &[
                &key.kid,
                &key.algorithm.name(),
                &key.pkcs8.as_slice(),
                &state.name(),
                &changed_at.as_millis(),
            ],
        )
        .await?;
    Ok(inserted > 0)
}

fn signing_key(row: &Row) -> Result<SigningKeyRecord, EngineError> {
    let algorithm: &str = row.try_get("algorithm")?;
    let state: &str = row.try_get("state")?;
    Ok(SigningKeyRecord {
        kid: row.try_get("kid")?,
        algorithm: SigningAlgorithm::named(algorithm)
            .ok_or_else(|| invalid_value(algorithm, "signing algorithm"))?,
        pkcs8: Zeroizing::new(row.try_get("pkcs8")?),
        state: KeyState::named(state).ok_or_else(|| invalid_value(state, "state of a key"))?,
        changed_at: timestamp(row, "changed_at")?,
    })
}
