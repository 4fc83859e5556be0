//! [`TokenStore`] on PostgreSQL.

use async_trait::async_trait;
use invoicing_contract::Timestamp;
use invoicing_storage::audit::AuditEvent;
use invoicing_storage::pushed_requests::{FoundPushedRequest, PushedRequest, PushedRequestStore};
use invoicing_storage::secret::TokenHash;
use invoicing_storage::tokens::*;
use invoicing_storage::{Basis, StorageError};

use crate::Postgres;
use crate::engine::EngineError;

/// The current version of the cached records.
const SELECT_VERSION: &str = "SELECT number FROM versions WHERE name = 'directory'";

#[async_trait]
impl TokenStore for Postgres {
    async fn basis(&self) -> Result<Basis, StorageError> {
        let row = self.engine().row(None, SELECT_VERSION, &[]).await?;
        let row =
            row.ok_or_else(|| StorageError::corrupt("the version of the directory is missing"))?;
        let version = row.try_get("number").map_err(EngineError::from)?;
        Ok(self.read_cache().basis(version))
    }
    fn assumed_basis(&self) -> Option<Basis> {
        self.read_cache().assumed_basis()
    }
    async fn begin_session(
        &self,
        _session: &Session,
        _event: &AuditEvent,
    ) -> Result<(), StorageError> {
        Err(StorageError::unexpected("not built yet"))
    }
    async fn advance_session(
        &self,
        _id: &str,
        _pending: Option<PendingStep>,
        _epoch: i64,
        _now: Timestamp,
    ) -> Result<(), StorageError> {
        Err(StorageError::unexpected("not built yet"))
    }
    async fn session(
        &self,
        _cookie: &TokenHash,
        _now: Timestamp,
    ) -> Result<Option<Session>, StorageError> {
        Err(StorageError::unexpected("not built yet"))
    }
    async fn end_session(
        &self,
        _id: &str,
        _now: Timestamp,
        _event: &AuditEvent,
    ) -> Result<(), StorageError> {
        Err(StorageError::unexpected("not built yet"))
    }
    async fn insert_authorization(
        &self,
        _family: &Family,
        _code: &AuthorizationCode,
    ) -> Result<(), StorageError> {
        Err(StorageError::unexpected("not built yet"))
    }
    async fn insert_authorization_with_tokens(
        &self,
        _family: Family,
        _tokens: IssuedTokens,
        _events: Vec<AuditEvent>,
    ) -> Result<(), StorageError> {
        Err(StorageError::unexpected("not built yet"))
    }
    async fn authorization_code(
        &self,
        _hash: &TokenHash,
    ) -> Result<Option<FoundCode>, StorageError> {
        Err(StorageError::unexpected("not built yet"))
    }
    async fn redeem_code(
        &self,
        _hash: &TokenHash,
        _tokens: IssuedTokens,
        _now: Timestamp,
        _event: AuditEvent,
    ) -> Result<InsertOutcome, StorageError> {
        Err(StorageError::unexpected("not built yet"))
    }
    async fn refresh_token(
        &self,
        _hash: &TokenHash,
    ) -> Result<Option<FoundRefreshToken>, StorageError> {
        Err(StorageError::unexpected("not built yet"))
    }
    async fn rotate_refresh_token(
        &self,
        _hash: &TokenHash,
        _tokens: IssuedTokens,
        _now: Timestamp,
        _event: AuditEvent,
    ) -> Result<InsertOutcome, StorageError> {
        Err(StorageError::unexpected("not built yet"))
    }
    async fn record_refresh_token_reuse(
        &self,
        _hash: &TokenHash,
        _revoke_family: bool,
        _now: Timestamp,
        _event: &AuditEvent,
    ) -> Result<(), StorageError> {
        Err(StorageError::unexpected("not built yet"))
    }
    async fn insert_access_token(
        &self,
        _access: AccessToken,
        _event: AuditEvent,
        _basis: Basis,
    ) -> Result<InsertOutcome, StorageError> {
        Err(StorageError::unexpected("not built yet"))
    }
    async fn access_token(
        &self,
        _hash: &TokenHash,
        _now: Timestamp,
    ) -> Result<Option<AccessToken>, StorageError> {
        Err(StorageError::unexpected("not built yet"))
    }
    async fn bearer(
        &self,
        _hash: &TokenHash,
        _now: Timestamp,
    ) -> Result<Option<Bearer>, StorageError> {
        Err(StorageError::unexpected("not built yet"))
    }
    async fn revoke_family(
        &self,
        _family: i64,
        _now: Timestamp,
        _event: &AuditEvent,
    ) -> Result<(), StorageError> {
        Err(StorageError::unexpected("not built yet"))
    }
    async fn revoke_access_token(
        &self,
        _hash: &TokenHash,
        _now: Timestamp,
        _event: &AuditEvent,
    ) -> Result<(), StorageError> {
        Err(StorageError::unexpected("not built yet"))
    }
    async fn maintain(&self, _now: Timestamp) -> Result<u64, StorageError> {
        Err(StorageError::unexpected("not built yet"))
    }
}

#[async_trait]
impl PushedRequestStore for Postgres {
    async fn insert_pushed_request(&self, _request: &PushedRequest) -> Result<(), StorageError> {
        Err(StorageError::unexpected("not built yet"))
    }
    async fn pushed_request(
        &self,
        _hash: &TokenHash,
    ) -> Result<Option<FoundPushedRequest>, StorageError> {
        Err(StorageError::unexpected("not built yet"))
    }
    async fn use_pushed_request(
        &self,
        _hash: &TokenHash,
        _now: Timestamp,
    ) -> Result<bool, StorageError> {
        Err(StorageError::unexpected("not built yet"))
    }
}
