//! Storage of what the administrators of an organization see and change: its users, and codes to set a password (decision 0116).

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use invoicing_contract::{OrganizationId, SubjectId, Timestamp};

use super::StorageError;
use super::audit::AuditEvent;
use super::provisioning::Machine;
use super::secret::{PasswordHash, TokenHash};
use super::subjects::{Account, Subject};

/// A subject, as an administrator of an organization sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    /// The account.
    pub account: Account,
    /// Its roles in the organization, in alphabetical order.
    pub roles: Vec<String>,
    /// What its code to set a password is for, and when it expires; `None` without a code.
    pub code: Option<(CodePurpose, Timestamp)>,
}

impl User {
    /// Whether the user can sign in, and if not, why.
    #[must_use]
    pub fn state(&self) -> UserState {
        match (&self.account.disabled_at, &self.code) {
            (Some(_), _) => UserState::Disabled,
            (None, Some((CodePurpose::Invitation, _))) => UserState::Invited,
            (None, Some((CodePurpose::Reset, _))) => UserState::PasswordReset,
            (None, None) => UserState::Active,
        }
    }
}

/// Whether a user can sign in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UserState {
    /// The user can.
    Active,
    /// The person has not set a password since the invitation.
    Invited,
    /// The person has not set a password since it was reset.
    PasswordReset,
    /// The user is disabled.
    Disabled,
}

impl UserState {
    /// The name that statements compare.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Invited => CodePurpose::Invitation.name(),
            Self::PasswordReset => CodePurpose::Reset.name(),
            Self::Disabled => "disabled",
        }
    }
}

/// What a code to set a password is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CodePurpose {
    /// The first password of an invited person.
    Invitation,
    /// Another password, after an administrator has taken the former away.
    Reset,
}

impl CodePurpose {
    /// Every purpose.
    pub const ALL: [Self; 2] = [Self::Invitation, Self::Reset];

    /// The stored name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Invitation => "invitation",
            Self::Reset => "reset",
        }
    }

    /// The purpose with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|purpose| purpose.name() == name)
    }
}

/// A code with which a person sets a password, once. There is one as long as the person has no password.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PasswordCode {
    /// Hash of the code.
    pub hash: TokenHash,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it expires.
    pub expires_at: Timestamp,
}

/// The subject of a code that can be redeemed, and the code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RedeemableCode {
    /// The person, not disabled.
    pub subject: Subject,
    /// The code, expired or not.
    pub code: PasswordCode,
}

/// Which users a list contains.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserFilter {
    /// Machine users, otherwise people.
    pub machines: bool,
    /// Part of the username, the name, or the mail address, in any case; empty for all. The mail address of people of other
    /// organizations is not searched.
    pub text: String,
    /// A role in the organization; `None` for all.
    pub role: Option<String>,
    /// The state; `None` for all.
    pub state: Option<UserState>,
}

/// What became of a new user.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NewUserOutcome {
    /// The user is stored.
    Added,
    /// The id is taken, or the client id of a machine user's application. Nothing was written.
    IdTaken,
    /// The username is taken. Nothing was written.
    UsernameTaken,
    /// The organization has as many people as its plan allows. Nothing was written.
    UserLimit,
}

/// What became of the addition of a right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Addition {
    /// It is added.
    Done,
    /// It was there. Nothing was written.
    Present,
    /// The organization has as many people as its plan allows, and this would be another one. Nothing was written.
    UserLimit,
    /// The same of another organization, in which the person has a role. Nothing was written.
    UserLimitElsewhere,
    /// The organization would have no administrator: a role can also take scopes away. Nothing was written.
    LastAdministrator,
    /// Nobody would be left who manages the rules. Nothing was written.
    LastRuleManager,
    /// The rules have changed since the [`RuleEvaluation`] was made. Nothing was written.
    Outdated,
}

/// What became of the removal of a right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Removal {
    /// It is removed.
    Done,
    /// There was nothing to remove. Nothing was written.
    Absent,
    /// The organization would have no administrator. Nothing was written.
    LastAdministrator,
    /// Nobody would be left who manages the rules. Nothing was written.
    LastRuleManager,
    /// The rules have changed since the [`RuleEvaluation`] was made. Nothing was written.
    Outdated,
}

/// Whether somebody with exactly these roles in an organization, in alphabetical order, has a right there.
pub type RightOfRoles = dyn Fn(&[String]) -> bool + Send + Sync;

/// What roles give, as one version of the rules decides it (decision 0113).
#[derive(Clone)]
pub struct RuleEvaluation {
    /// The number of the version.
    pub version: i64,
    /// Whether the roles give every scope that it takes to give people access again.
    pub administers: Arc<RightOfRoles>,
    /// Whether the roles, in the operator organization, give every scope of the rules.
    pub manages_rules: Arc<RightOfRoles>,
}

impl fmt::Debug for RuleEvaluation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut formatter = formatter.debug_struct("RuleEvaluation");
        formatter
            .field("version", &self.version)
            .finish_non_exhaustive()
    }
}

/// The users of organizations. Each method that writes is one transaction with its audit events.
///
/// A `limit` is that of the people of an organization, as [`count_users`](crate::plans::PlanStore::count_users) counts them; `None`:
/// there is none. Additions to one organization with a limit wait for each other, so that together they do not exceed it. Who is
/// counted already is not another one.
///
/// A person (not a machine user) can sign in who is not disabled and has set a password. If somebody who can sign in administers an
/// organization, somebody must keep doing so; the same holds for managing the rules in the operator organization. Changes that can
/// take that away have a [`RuleEvaluation`], which says what roles give. Those of one organization wait for each other, and for
/// publications of rules: of two that would together leave nobody, the later one is refused or [`Outdated`](Removal::Outdated).
#[async_trait]
pub trait UserStore: Send + Sync {
    /// Adds a person with roles in the home organization, and the code to set the first password.
    async fn invite_user(
        &self,
        subject: &Subject,
        roles: &[String],
        code: &PasswordCode,
        limit: Option<i64>,
        events: &[AuditEvent],
    ) -> Result<NewUserOutcome, StorageError>;
    /// Grants a role in an organization. The limit is not that of machine users and of people who are disabled. A role can also
    /// take scopes away (decision 0112), so somebody in the organization must keep administering it.
    async fn grant_role(
        &self,
        organization: &OrganizationId,
        id: &SubjectId,
        role: &str,
        limit: Option<i64>,
        evaluation: &RuleEvaluation,
        event: &AuditEvent,
    ) -> Result<Addition, StorageError>;
    /// Enables a disabled user of the organization, with its password, and increments its epoch: what was issued to it before
    /// stays invalid. A person counts in every organization with a role again, so the limit of each holds, as
    /// [`Tenant::limits`](crate::directory::Tenant::limits) says it.
    async fn enable_user(
        &self,
        organization: &OrganizationId,
        id: &SubjectId,
        event: &AuditEvent,
    ) -> Result<Addition, StorageError>;
    /// Adds a machine user with its role and its application.
    async fn add_machine(
        &self,
        machine: &Machine,
        events: &[AuditEvent],
    ) -> Result<NewUserOutcome, StorageError>;
    /// A user who belongs to the organization or has a role in it. A machine user must belong to it.
    async fn user(
        &self,
        organization: &OrganizationId,
        id: &SubjectId,
    ) -> Result<Option<User>, StorageError>;
    /// Users who belong to the organization or, if they are people, have a role in it, by username, beginning after `after`.
    async fn users(
        &self,
        organization: &OrganizationId,
        filter: &UserFilter,
        after: Option<&str>,
        size: u32,
    ) -> Result<Vec<User>, StorageError>;
    /// The sets of roles that people who can sign in have in the organization, each in alphabetical order.
    async fn roles_of_sign_in(
        &self,
        organization: &OrganizationId,
    ) -> Result<Vec<Vec<String>>, StorageError>;
    /// Replaces the password of a person by `unusable_hash`, which no password has, increments the epoch, and stores a code to set
    /// another. The purpose of an invitation that was not accepted stays. False, and nothing is written, when there is no such person, or
    /// when its epoch is not the one given, by which the caller has decided: each change of a password has begun another one.
    async fn issue_password_code(
        &self,
        id: &SubjectId,
        epoch: Option<i64>,
        unusable_hash: &PasswordHash,
        code: &PasswordCode,
        event: &AuditEvent,
    ) -> Result<bool, StorageError>;
    /// The code of the person with this lower-case username, if the person is not disabled and nothing has ended the code.
    async fn password_code(&self, username: &str) -> Result<Option<RedeemableCode>, StorageError>;
    /// Sets a password with a code, which is gone then, and increments the epoch. False, and nothing is written, unless the code is the
    /// present one of the subject and is valid at `now`.
    async fn redeem_password_code(
        &self,
        id: &SubjectId,
        code: &TokenHash,
        password_hash: &PasswordHash,
        now: Timestamp,
        event: &AuditEvent,
    ) -> Result<bool, StorageError>;
    /// Increments the epoch of a subject, which ends all its sessions and tokens. False when there is no such subject.
    async fn end_sessions(&self, id: &SubjectId, event: &AuditEvent) -> Result<bool, StorageError>;
    /// Revokes a role in an organization, unless it is that of its last administrator or of the last who manages the rules.
    async fn revoke_role(
        &self,
        organization: &OrganizationId,
        id: &SubjectId,
        role: &str,
        evaluation: &RuleEvaluation,
        event: &AuditEvent,
    ) -> Result<Removal, StorageError>;
    /// Disables a subject of an organization and increments its epoch, unless it is the last administrator there, or the last who
    /// manages the rules, wherever at home.
    async fn disable_user(
        &self,
        organization: &OrganizationId,
        id: &SubjectId,
        now: Timestamp,
        evaluation: &RuleEvaluation,
        event: &AuditEvent,
    ) -> Result<Removal, StorageError>;
}
