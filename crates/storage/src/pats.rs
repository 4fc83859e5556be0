//! Storage of personal access tokens: opaque credentials of machine users, for development (contract, part 5).

use std::sync::Arc;

use async_trait::async_trait;
use invoicing_contract::SubjectId;

use super::audit::Entry;
use super::subjects::Member;
use super::{Basis, StorageError};
use crate::secret::TokenHash;

/// A personal access token, without the token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonalAccessToken {
    /// Id, which is no secret.
    pub id: String,
    /// The machine user that it stands for.
    pub subject: SubjectId,
    /// What it is for, in the words of whoever minted it.
    pub name: String,
    /// When it was minted.
    pub created_at: i64,
    /// When it stops working.
    pub expires_at: i64,
    /// When it was revoked.
    pub revoked_at: Option<i64>,
}

/// What is kept of personal access tokens.
#[async_trait]
pub trait PatStore: Send + Sync {
    /// Keeps a token that was minted.
    async fn add_pat(
        &self,
        pat: &PersonalAccessToken,
        hash: &TokenHash,
        entry: &Entry,
    ) -> Result<(), StorageError>;
    /// The token with this hash and who it stands for, if both are valid at `now`.
    async fn pat(
        &self,
        hash: &TokenHash,
        now: i64,
    ) -> Result<Option<(PersonalAccessToken, Arc<Member>, Basis)>, StorageError>;
    /// All tokens of a machine user, the newest first.
    async fn pats(&self, subject: &SubjectId) -> Result<Vec<PersonalAccessToken>, StorageError>;
    /// A token by its id.
    async fn pat_by_id(&self, id: &str) -> Result<Option<PersonalAccessToken>, StorageError>;
    /// Revokes a token. False when it was revoked before, or is not there.
    async fn revoke_pat(&self, id: &str, now: i64, entry: &Entry) -> Result<bool, StorageError>;
}
