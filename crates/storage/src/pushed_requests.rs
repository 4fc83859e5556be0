//! Storage of pushed authorization requests (RFC 9126).

use async_trait::async_trait;
use invoicing_contract::{ClientId, Timestamp};

use super::StorageError;
use crate::secret::TokenHash;

/// An authorization request that the application sent to the service before it opened the browser.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PushedRequest {
    /// Hash of the reference in its `request_uri`.
    pub hash: TokenHash,
    /// The application that pushed it.
    pub client_id: ClientId,
    /// Its parameters as `application/x-www-form-urlencoded`.
    pub parameters: String,
    /// The access token with which the application showed that it is signed in; `None` if it sent none.
    pub access_token: Option<TokenHash>,
    /// When it expires.
    pub expires_at: Timestamp,
}

/// A stored request, used or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundPushedRequest {
    /// The request.
    pub request: PushedRequest,
    /// Whether an authorization endpoint has accepted it.
    pub used: bool,
}

/// Pushed authorization requests. [`TokenStore::maintain`](crate::TokenStore::maintain) deletes those that expired.
#[async_trait]
pub trait PushedRequestStore: Send + Sync {
    /// Inserts a request.
    async fn insert_pushed_request(&self, request: &PushedRequest) -> Result<(), StorageError>;
    /// The request with this hash, expired and used ones too.
    async fn pushed_request(
        &self,
        hash: &TokenHash,
    ) -> Result<Option<FoundPushedRequest>, StorageError>;
    /// Marks a request as used. Of many callers one gets true.
    async fn use_pushed_request(
        &self,
        hash: &TokenHash,
        now: Timestamp,
    ) -> Result<bool, StorageError>;
}
