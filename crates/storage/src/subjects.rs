//! Storage of people and machine users, and of their roles.

use std::sync::{Arc, OnceLock};

use async_trait::async_trait;
use invoicing_contract::{OrganizationId, SubjectId};

use super::audit::Entry;
use super::directory::Organization;
use super::{Basis, StorageError};

/// A person or a machine user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subject {
    /// Id, the `sub` of its tokens.
    pub id: SubjectId,
    /// Name to sign in with, lower case.
    pub username: String,
    /// Name for people.
    pub name: String,
    /// Address for mail.
    pub email: Option<String>,
    /// Id of the home organization.
    pub home_organization: OrganizationId,
    /// argon2id in PHC form; `None` for a machine user.
    pub password_hash: Option<String>,
    /// Another password has to be chosen at the next sign-in.
    pub must_change_password: bool,
    /// What was given out for it before this moment is dead, in milliseconds since 1970.
    pub valid_from: i64,
}

impl Subject {
    /// Whether it is a machine user.
    #[must_use]
    pub const fn is_machine(&self) -> bool {
        self.password_hash.is_none()
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

/// A subject with where it belongs and what it may do: all that tokens stand for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// Who.
    pub subject: Subject,
    /// The home organization; `None` when it is gone, and only its id is left.
    pub home: Option<Organization>,
    /// All roles. Those of one key follow each other.
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

/// A subject as an administrator sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// Who.
    pub subject: Subject,
    /// Since when it is locked out.
    pub disabled_at: Option<i64>,
}

/// What is known about people and machine users. What changes something says whether it did.
#[async_trait]
pub trait SubjectStore: Send + Sync {
    /// Adds a subject, unless there is one with its id or its username.
    async fn add_subject(&self, subject: &Subject, entry: &Entry) -> Result<bool, StorageError>;
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
    /// Subjects by id, of one home organization or of all, beginning after the one with the id `after`.
    async fn accounts(
        &self,
        home_organization: Option<&OrganizationId>,
        after: Option<&SubjectId>,
        size: u32,
    ) -> Result<Vec<Account>, StorageError>;
    /// Disables a subject: its password stops working, and whatever was given out for it is dead for good.
    async fn disable_subject(
        &self,
        id: &SubjectId,
        now: i64,
        entry: &Entry,
    ) -> Result<bool, StorageError>;
    /// Lets a disabled subject in again, with its password. What was given out for it before stays dead.
    async fn enable_subject(&self, id: &SubjectId, entry: &Entry) -> Result<bool, StorageError>;
    /// Sets a person's password, and whether another has to be chosen at the next sign-in. Whatever was given out before
    /// `now` is dead.
    async fn set_password(
        &self,
        id: &SubjectId,
        password_hash: &str,
        must_change: bool,
        now: i64,
        entry: &Entry,
    ) -> Result<bool, StorageError>;
    /// Grants a role in an organization.
    async fn add_grant(
        &self,
        subject: &SubjectId,
        organization: &OrganizationId,
        role: &str,
        entry: &Entry,
    ) -> Result<bool, StorageError>;
    /// Takes a role away. The gateway knows at the next request.
    async fn remove_grant(
        &self,
        subject: &SubjectId,
        organization: &OrganizationId,
        role: &str,
        entry: &Entry,
    ) -> Result<bool, StorageError>;
    /// All roles of a subject, disabled or not.
    async fn grants(&self, subject: &SubjectId) -> Result<Vec<Grant>, StorageError>;
}
