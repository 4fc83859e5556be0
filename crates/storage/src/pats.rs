//! Personal access tokens: opaque credentials of machine users, for development (contract, part 5).

use std::sync::Arc;

use async_trait::async_trait;
use invoicing_contract::{SubjectId, Timestamp};

use super::audit::{AuditEvent, AuditedValues};
use super::subjects::Member;
use super::{Basis, StorageError};
use crate::secret::TokenHash;

/// A personal access token, without its secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonalAccessToken {
    /// Id. Not secret.
    pub id: String,
    /// The machine user that it stands for.
    pub subject: SubjectId,
    /// The epoch of the machine user at the creation. The token is valid while the machine user has it.
    pub epoch: i64,
    /// Its purpose, as entered at its creation.
    pub name: String,
    /// When it was issued.
    pub created_at: Timestamp,
    /// When it expires.
    pub expires_at: Timestamp,
    /// When it was revoked.
    pub revoked_at: Option<Timestamp>,
}

/// The place of a token among those of its machine user: its creation in milliseconds, then its id.
pub type PatPosition = (i64, String);

impl PersonalAccessToken {
    /// Its place in a list.
    #[must_use]
    pub fn position(&self) -> PatPosition {
        (self.created_at.as_millis(), self.id.clone())
    }

    /// What events say of it.
    #[must_use]
    pub fn audited_values(&self) -> AuditedValues {
        let expires_at = jiff::Timestamp::from_millisecond(self.expires_at.as_millis());
        let expires_at = expires_at.map_or_else(|_out_of_range| String::new(), |at| at.to_string());
        AuditedValues::default()
            .value("pat", &*self.id)
            .value("expires_at", expires_at)
            .concealed("name", &self.name)
    }
}

/// Personal access tokens.
#[async_trait]
pub trait PatStore: Send + Sync {
    /// Inserts a token. False, and nothing is written, when its id is taken.
    async fn add_pat(
        &self,
        pat: &PersonalAccessToken,
        hash: &TokenHash,
        event: &AuditEvent,
    ) -> Result<bool, StorageError>;
    /// The token with this hash and who it stands for, if both are valid at `now`.
    async fn pat(
        &self,
        hash: &TokenHash,
        now: Timestamp,
    ) -> Result<Option<(PersonalAccessToken, Arc<Member>, Basis)>, StorageError>;
    /// At most `limit` tokens of a machine user, valid or not, the newest first: those after a position.
    async fn pats(
        &self,
        subject: &SubjectId,
        after: Option<&PatPosition>,
        limit: u32,
    ) -> Result<Vec<PersonalAccessToken>, StorageError>;
    /// How many tokens of a machine user are neither expired nor revoked at `now`.
    async fn count_valid_pats(
        &self,
        subject: &SubjectId,
        now: Timestamp,
    ) -> Result<i64, StorageError>;
    /// A token by its id, valid or not.
    async fn pat_by_id(&self, id: &str) -> Result<Option<PersonalAccessToken>, StorageError>;
    /// Revokes a token. False when it does not exist or is revoked.
    async fn revoke_pat(
        &self,
        id: &str,
        now: Timestamp,
        event: &AuditEvent,
    ) -> Result<bool, StorageError>;
}
