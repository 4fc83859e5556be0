//! [`PushedRequestStore`] on PostgreSQL.

use async_trait::async_trait;
use invoicing_contract::Timestamp;
use invoicing_storage::StorageError;
use invoicing_storage::pushed_requests::{FoundPushedRequest, PushedRequest, PushedRequestStore};
use invoicing_storage::secret::{TokenHash, time_ordered_id};
use tokio_postgres::Row;

use super::rows::hash;
use crate::Postgres;
use crate::engine::{EngineError, identifier, optional_timestamp, timestamp};

#[async_trait]
impl PushedRequestStore for Postgres {
    async fn insert_pushed_request(&self, request: &PushedRequest) -> Result<(), StorageError> {
        let insert = "INSERT INTO pushed_requests (hash, number, client_id, parameters, access_token_number, access_token_hash,
                expires_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (hash) DO NOTHING";
        let access_token = request.access_token.as_ref();
        self.engine()
            .write_statement(
                &[],
                insert,
                &[
                    &request.hash.as_bytes(),
                    &request.hash.lookup_key(),
                    &request.client_id.as_str(),
                    &request.parameters,
                    &access_token.map(TokenHash::lookup_key),
                    &access_token.map(TokenHash::as_bytes),
                    &request.expires_at.as_millis(),
                ],
            )
            .await?;
        Ok(())
    }

    async fn pushed_request(
        &self,
        hash: &TokenHash,
    ) -> Result<Option<FoundPushedRequest>, StorageError> {
        let select = "SELECT number, hash, access_token_number, access_token_hash, client_id, parameters, expires_at, used_at
             FROM pushed_requests WHERE hash = $1";
        self.engine()
            .lookup_one(select, &[&hash.as_bytes()], pushed_request)
            .await
    }

    async fn use_pushed_request(
        &self,
        hash: &TokenHash,
        now: Timestamp,
    ) -> Result<bool, StorageError> {
        let update = "UPDATE pushed_requests SET used_at = $2, use_id = $3
             WHERE hash = $1 AND (used_at IS NULL OR use_id = $3) RETURNING hash";
        // Made before the first attempt, so that a repetition recognises its own use.
        let use_id = time_ordered_id(now, self.engine().rng());
        let used = self
            .engine()
            .write_statement(&[], update, &[&hash.as_bytes(), &now.as_millis(), &use_id])
            .await?;
        Ok(!used.is_empty())
    }
}

fn pushed_request(row: &Row) -> Result<FoundPushedRequest, EngineError> {
    let access_token: Option<i64> = row.try_get("access_token_number")?;
    let access_token = access_token.map(|_| hash(row, "access_token_number", "access_token_hash"));
    Ok(FoundPushedRequest {
        request: PushedRequest {
            hash: hash(row, "number", "hash")?,
            client_id: identifier(row, "client_id")?,
            parameters: row.try_get("parameters")?,
            access_token: access_token.transpose()?,
            expires_at: timestamp(row, "expires_at")?,
        },
        used: optional_timestamp(row, "used_at")?.is_some(),
    })
}
