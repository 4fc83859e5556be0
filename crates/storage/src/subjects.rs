//! Storage of users and machine users (subjects) and of their role grants.

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use async_trait::async_trait;
use invoicing_contract::{OrganizationId, SubjectId, Timestamp};

use super::audit::{AuditEvent, AuditedValues};
use super::directory::Organization;
use super::secret::PasswordHash;
use super::{Basis, StorageError};

/// A user or a machine user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subject {
    /// The `sub` of its tokens.
    pub id: SubjectId,
    /// Name to sign in with, in lower case.
    pub username: String,
    /// Display name.
    pub name: String,
    /// E-mail address.
    pub email: Option<String>,
    /// Whether an administrator has confirmed that the address is this person's. The service sends no mail that could.
    pub email_verified: bool,
    /// Id of the home organization.
    pub home_organization: OrganizationId,
    /// `None` for a machine user.
    pub password_hash: Option<PasswordHash>,
    /// Whether another password has to be chosen at the next sign-in.
    pub must_change_password: bool,
    /// How often everything that was issued to it became invalid: by a change of the password, by disabling and by enabling.
    /// Sessions, codes and tokens carry the epoch of their subject and are valid only while it is the same (decision 0106).
    pub epoch: i64,
}

impl Subject {
    /// Whether it is a machine user.
    #[must_use]
    pub const fn is_machine(&self) -> bool {
        self.password_hash.is_none()
    }

    /// What events say of it, beside its id.
    #[must_use]
    pub fn audited_values(&self) -> AuditedValues {
        AuditedValues::default()
            .flag("email_verified", self.email_verified)
            .concealed("username", &self.username)
            .concealed("name", &self.name)
            .concealed("email", self.email.as_deref().unwrap_or_default())
    }
}

/// A role of a subject in an organization.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grant {
    /// Organization id.
    pub organization: OrganizationId,
    /// The organization's primary domain.
    pub domain: String,
    /// Role key.
    pub role: String,
}

/// A subject with its home organization and its role grants: what tokens and claims are made from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// The subject.
    pub subject: Subject,
    /// The home organization; `None` if it was deleted.
    pub home: Option<Organization>,
    /// All role grants, ordered by role.
    pub grants: Box<[Grant]>,
    /// Its claims as JSON, written on first use.
    pub claims: OnceLock<MemberClaims>,
}

/// Claims about a member as JSON members without braces. The identity provider fills them on first use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemberClaims {
    /// Of the scope `profile`.
    pub profile: String,
    /// Of the scope `email`.
    pub email: String,
    /// The home organization.
    pub home: String,
    /// All roles.
    pub roles: String,
}

/// A subject, disabled or not, for administration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// The subject.
    pub subject: Subject,
    /// When it was disabled; `None` if it is enabled.
    pub disabled_at: Option<Timestamp>,
}

/// Subjects and their role grants. A method that changes something returns whether it did.
#[async_trait]
pub trait SubjectStore: Send + Sync {
    /// Inserts a subject, unless its id or its username is taken.
    async fn add_subject(
        &self,
        subject: &Subject,
        event: &AuditEvent,
    ) -> Result<bool, StorageError>;
    /// A subject that is not disabled, by id, as of `basis`.
    async fn member(
        &self,
        id: &SubjectId,
        basis: Basis,
    ) -> Result<Option<Arc<Member>>, StorageError>;
    /// A subject that is not disabled, by its lower-case username.
    async fn subject_by_username(&self, username: &str) -> Result<Option<Subject>, StorageError>;
    /// A subject, disabled or not, by its id or its lower-case username.
    async fn account(&self, name: &str) -> Result<Option<Account>, StorageError>;
    /// The subjects with these ids, disabled or not, by id. There is none for an id that no subject has.
    async fn accounts_with_ids(
        &self,
        ids: &BTreeSet<SubjectId>,
    ) -> Result<Vec<Account>, StorageError>;
    /// Subjects by id, of one home organization or of all, beginning after the one with the id `after`.
    async fn accounts(
        &self,
        home_organization: Option<&OrganizationId>,
        after: Option<&SubjectId>,
        size: u32,
    ) -> Result<Vec<Account>, StorageError>;
    /// Disables a subject and increments its epoch: it cannot sign in, and what was issued to it is invalid for good.
    async fn disable_subject(
        &self,
        id: &SubjectId,
        now: Timestamp,
        event: &AuditEvent,
    ) -> Result<bool, StorageError>;
    /// Enables a disabled subject, with its password, and increments its epoch: what was issued to it before stays invalid.
    async fn enable_subject(
        &self,
        id: &SubjectId,
        event: &AuditEvent,
    ) -> Result<bool, StorageError>;
    /// Sets a user's password, and whether another has to be chosen at the next sign-in. Increments the epoch, so that what was
    /// issued before becomes invalid, and returns the new one. `None`, and nothing is written, when there is no such user, it is
    /// a machine user, or its epoch is no longer `expected`: that of the record by which the person has proved who they are. An
    /// administrator sets a password whatever the epoch is.
    async fn set_password(
        &self,
        id: &SubjectId,
        expected: Option<i64>,
        password_hash: &PasswordHash,
        must_change: bool,
        event: &AuditEvent,
    ) -> Result<Option<i64>, StorageError>;
    /// Grants a role in an organization, unless it is granted already.
    async fn add_grant(
        &self,
        subject: &SubjectId,
        organization: &OrganizationId,
        role: &str,
        event: &AuditEvent,
    ) -> Result<bool, StorageError>;
    /// Revokes a role. The next request of the subject is decided without it.
    async fn remove_grant(
        &self,
        subject: &SubjectId,
        organization: &OrganizationId,
        role: &str,
        event: &AuditEvent,
    ) -> Result<bool, StorageError>;
    /// All roles of a subject, disabled or not.
    async fn grants(&self, subject: &SubjectId) -> Result<Vec<Grant>, StorageError>;
}
