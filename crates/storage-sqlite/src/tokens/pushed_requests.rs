//! [`PushedRequestStore`] on SQLite.

use async_trait::async_trait;
use invoicing_contract::Timestamp;
use rusqlite::{Row, params};

use super::rows::{has_value, hash};
use super::token_statements::insert_at_free_key;
use crate::Sqlite;
use crate::engine::{identifier, timestamp};
use invoicing_storage::StorageError;
use invoicing_storage::pushed_requests::{FoundPushedRequest, PushedRequest, PushedRequestStore};
use invoicing_storage::secret::TokenHash;

/// The columns that [`pushed_request`] reads, by lookup key and hash.
const SELECT: &str =
    "SELECT lookup_key, hash, access_token_key, access_token_hash, client_id, parameters, expires_at, used_at
     FROM pushed_requests WHERE lookup_key BETWEEN ?1 AND ?1 + 7 AND hash = ?2";

#[async_trait]
impl PushedRequestStore for Sqlite {
    async fn insert_pushed_request(&self, request: &PushedRequest) -> Result<(), StorageError> {
        let request = request.clone();
        self.engine()
            .write(move |transaction| {
                let access_token = request.access_token.as_ref();
                let mut statement = transaction.prepare_cached(
                    "INSERT INTO pushed_requests (lookup_key, hash, client_id, parameters, access_token_key,
                        access_token_hash, expires_at)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (lookup_key) DO NOTHING",
                )?;
                insert_at_free_key(&request.hash, |lookup_key| {
                    statement.execute(params![
                        lookup_key,
                        request.hash.as_bytes(),
                        request.client_id.as_str(),
                        request.parameters,
                        access_token.map(TokenHash::lookup_key),
                        access_token.map(TokenHash::as_bytes),
                        request.expires_at.as_millis()
                    ])
                })
            })
            .await
    }

    async fn pushed_request(
        &self,
        hash: &TokenHash,
    ) -> Result<Option<FoundPushedRequest>, StorageError> {
        let key = (hash.lookup_key(), hash.as_bytes());
        self.engine().lookup_one(SELECT, key, pushed_request).await
    }

    async fn use_pushed_request(
        &self,
        hash: &TokenHash,
        now: Timestamp,
    ) -> Result<bool, StorageError> {
        let hash = hash.clone();
        self.engine()
            .write(move |transaction| {
                let update = "UPDATE pushed_requests SET used_at = ?3
                     WHERE lookup_key BETWEEN ?1 AND ?1 + 7 AND hash = ?2 AND used_at IS NULL";
                let key = (hash.lookup_key(), hash.as_bytes(), now.as_millis());
                Ok(transaction.prepare_cached(update)?.execute(key)? > 0)
            })
            .await
    }
}

/// A row of [`SELECT`].
fn pushed_request(row: &Row<'_>) -> rusqlite::Result<FoundPushedRequest> {
    let access_token = if has_value(row, 2)? {
        Some(hash(row, 2)?)
    } else {
        None
    };
    Ok(FoundPushedRequest {
        request: PushedRequest {
            hash: hash(row, 0)?,
            client_id: identifier(row, 4)?,
            parameters: row.get(5)?,
            access_token,
            expires_at: timestamp(row, 6)?,
        },
        used: has_value(row, 7)?,
    })
}
