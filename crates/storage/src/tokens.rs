//! Storage of sessions, authorizations and tokens.
//!
//! Every method is one transaction, and the audit event of a change is part of it. A race (a code redeemed twice, a refresh
//! token presented by fifty callers) is decided by one compare-and-swap statement, so that the outcome is the same on any
//! database and with any number of replicas.

use std::sync::Arc;

use async_trait::async_trait;
use invoicing_contract::{ClientId, SubjectId, Timestamp};

use super::audit::AuditEvent;
use super::subjects::{Member, Subject, SubjectStore};
use super::{Basis, StorageError};
use crate::secret::TokenHash;

/// A browser session: a person signed in with a browser.
#[derive(Debug, Clone)]
pub struct Session {
    /// The `sid` of id_tokens.
    pub id: String,
    /// Hash of the cookie.
    pub hash: TokenHash,
    /// The person.
    pub subject: SubjectId,
    /// The epoch of the subject whose password was verified.
    pub epoch: i64,
    /// When the password was verified.
    pub authenticated_at: Timestamp,
    /// When the cookie expires.
    pub expires_at: Timestamp,
    /// The step that has to be completed before the person counts as signed in.
    pub pending: Option<PendingStep>,
}

/// A step of signing in that follows the password. Steps are presented in the order of the variants, one page each, and nobody
/// is signed in before the last is completed.
///
/// A second factor is added here: a variant before the others, returned by [`PendingStep::due`] when the subject has one
/// enrolled, its page beside the others in `identity/pages/`, its form beside the others in `identity/authorize/steps.rs`.
/// The compiler then names every place that has to handle it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PendingStep {
    /// The person has to choose another password.
    ChangePassword,
}

impl PendingStep {
    /// The first step that `subject` has to complete.
    #[must_use]
    pub const fn due(subject: &Subject) -> Option<Self> {
        if subject.must_change_password {
            Some(Self::ChangePassword)
        } else {
            None
        }
    }

    /// The stored name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::ChangePassword => "change_password",
        }
    }

    /// The step with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        [Self::ChangePassword]
            .into_iter()
            .find(|step| step.name() == name)
    }
}

/// An authorization. All tokens that descend from its code are its family, and are revoked with it.
#[derive(Debug, Clone)]
pub struct Family {
    /// A number that begins with the time of issue ([`time_ordered_id`](crate::secret::time_ordered_id)).
    pub id: i64,
    /// The application.
    pub client_id: ClientId,
    /// The resource owner.
    pub subject: SubjectId,
    /// The browser session of the authorization; `None` in the password grant, which has none.
    pub session_id: Option<String>,
    /// Granted scopes, separated by spaces.
    pub scope: String,
    /// The epoch of the subject whose password was verified. Its codes and refresh tokens are valid while the subject has it.
    pub epoch: i64,
    /// When the password was verified.
    pub authenticated_at: Timestamp,
    /// When its refresh tokens expire at the latest.
    pub expires_at: Timestamp,
}

/// An authorization code.
#[derive(Debug, Clone)]
pub struct AuthorizationCode {
    /// Hash of the code.
    pub hash: TokenHash,
    /// The redirect URI of the authorization request.
    pub redirect_uri: String,
    /// S256 challenge of the verifier (RFC 7636).
    pub code_challenge: Option<String>,
    /// The nonce of the id_token.
    pub nonce: Option<String>,
    /// When it expires: 60 seconds after its issue.
    pub expires_at: Timestamp,
}

/// A stored code with its authorization.
#[derive(Debug, Clone)]
pub struct FoundCode {
    /// The code.
    pub code: AuthorizationCode,
    /// The authorization.
    pub family: Family,
    /// Whether it was redeemed, or its authorization revoked.
    pub used: bool,
    /// The version of the directory at the time of the read.
    pub basis: Basis,
}

/// A refresh token.
#[derive(Debug, Clone)]
pub struct RefreshToken {
    /// Hash of the token.
    pub hash: TokenHash,
    /// When it expires unused.
    pub expires_at: Timestamp,
}

/// A stored refresh token with its authorization.
#[derive(Debug, Clone)]
pub struct FoundRefreshToken {
    /// The token.
    pub token: RefreshToken,
    /// The authorization.
    pub family: Family,
    /// Whether it was used.
    pub used: bool,
    /// Whether its authorization was revoked.
    pub revoked: bool,
    /// The version of the directory at the time of the read.
    pub basis: Basis,
}

/// The administrator behind an impersonated token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenActor {
    /// Subject id.
    pub subject: SubjectId,
    /// The epoch of the administrator who asked for the token.
    pub epoch: i64,
}

/// An access token.
#[derive(Debug, Clone)]
pub struct AccessToken {
    /// Hash of the token.
    pub hash: TokenHash,
    /// Id of the [`Family`] it descends from; `None` for client_credentials.
    pub family: Option<i64>,
    /// Client, scopes and audiences.
    pub authorization: Arc<TokenAuthorization>,
    /// The subject it stands for.
    pub subject: SubjectId,
    /// The epoch of the subject at the sign-in or, without one, at the issue.
    pub epoch: i64,
    /// The administrator who impersonates the subject.
    pub actor: Option<TokenActor>,
    /// When it was issued.
    pub issued_at: Timestamp,
    /// When it expires.
    pub expires_at: Timestamp,
}

/// What an access token authorizes. It is the same for most tokens of an application. An engine may store it once: a stored one
/// never changes, and callers that store an equal one at the same time, in whichever process, do not disturb each other.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TokenAuthorization {
    /// The application that holds the token.
    pub client_id: ClientId,
    /// Granted scopes, separated by spaces.
    pub scope: String,
    /// Project-audience ids.
    pub audiences: Vec<String>,
    /// Whether the token carries the subject's home organization.
    pub carries_home: bool,
}

/// A valid access token and the subject it stands for.
#[derive(Debug, Clone)]
pub struct Bearer {
    /// The token.
    pub token: AccessToken,
    /// The subject, which is not disabled.
    pub member: Arc<Member>,
    /// The version of the directory that `member` was read with.
    pub basis: Basis,
}

impl Bearer {
    /// The bearer of a valid `token`, with its subject as of `basis`; `None` unless the subject, and the administrator who
    /// impersonates it, are enabled and of the epochs that the token was issued under (decision 0106).
    ///
    /// # Errors
    /// When `subjects` fails.
    pub async fn of(
        token: AccessToken,
        basis: Basis,
        subjects: &dyn SubjectStore,
    ) -> Result<Option<Self>, StorageError> {
        if let Some(actor) = &token.actor {
            let member = subjects.member(&actor.subject, basis).await?;
            if member.is_none_or(|member| member.subject.epoch != actor.epoch) {
                return Ok(None);
            }
        }
        let member = subjects.member(&token.subject, basis).await?;
        Ok(member
            .filter(|member| member.subject.epoch == token.epoch)
            .map(|member| Self {
                token,
                member,
                basis,
            }))
    }
}

/// The tokens of one response of the token endpoint.
#[derive(Debug, Clone)]
pub struct IssuedTokens {
    /// The access token.
    pub access: AccessToken,
    /// The refresh token, if `offline_access` was granted.
    pub refresh: Option<RefreshToken>,
}

/// What became of tokens that were to be inserted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InsertOutcome {
    /// They are stored.
    Inserted,
    /// Nothing was written: the code or refresh token was used before, or its family is revoked.
    AlreadyUsed,
    /// Nothing was written: the assumed [`Basis`] is not the current one.
    Outdated,
}

/// Sessions and tokens.
#[async_trait]
pub trait TokenStore: Send + Sync {
    /// Reads the current version of the directory.
    async fn basis(&self) -> Result<Basis, StorageError>;
    /// The version that was read last, without a query, for a request that ends with [`TokenStore::insert_access_token`]: that
    /// verifies it. A response that does not depend on such a write must not be sent before the version was compared with
    /// [`TokenStore::basis`]. `None` before the first read.
    fn assumed_basis(&self) -> Option<Basis>;

    /// Inserts a browser session.
    async fn begin_session(
        &self,
        session: &Session,
        event: &AuditEvent,
    ) -> Result<(), StorageError>;
    /// Sets the pending step of a session, `epoch` as that of its subject, and `now` as the time of authentication. Without a
    /// pending step the person is signed in.
    async fn advance_session(
        &self,
        id: &str,
        pending: Option<PendingStep>,
        epoch: i64,
        now: Timestamp,
    ) -> Result<(), StorageError>;
    /// The session of a cookie, unless it has expired or ended. The caller compares its epoch with that of the subject.
    async fn session(
        &self,
        cookie: &TokenHash,
        now: Timestamp,
    ) -> Result<Option<Session>, StorageError>;
    /// Ends a session. Ending it twice is no error.
    async fn end_session(
        &self,
        id: &str,
        now: Timestamp,
        event: &AuditEvent,
    ) -> Result<(), StorageError>;

    /// Inserts an authorization and its code.
    async fn insert_authorization(
        &self,
        family: &Family,
        code: &AuthorizationCode,
    ) -> Result<(), StorageError>;
    /// Inserts an authorization without a code and its tokens (password grant), both or neither.
    async fn insert_authorization_with_tokens(
        &self,
        family: Family,
        tokens: IssuedTokens,
        events: Vec<AuditEvent>,
    ) -> Result<(), StorageError>;
    /// The code with this hash, used or not.
    async fn authorization_code(&self, hash: &TokenHash)
    -> Result<Option<FoundCode>, StorageError>;
    /// Marks a code as used and inserts its tokens, both or neither: [`InsertOutcome::Inserted`] or
    /// [`InsertOutcome::AlreadyUsed`].
    async fn redeem_code(
        &self,
        hash: &TokenHash,
        tokens: IssuedTokens,
        now: Timestamp,
        event: AuditEvent,
    ) -> Result<InsertOutcome, StorageError>;
    /// The refresh token with this hash, used or not.
    async fn refresh_token(
        &self,
        hash: &TokenHash,
    ) -> Result<Option<FoundRefreshToken>, StorageError>;
    /// Marks a refresh token as used and inserts its successors, both or neither: [`InsertOutcome::Inserted`] or
    /// [`InsertOutcome::AlreadyUsed`].
    async fn rotate_refresh_token(
        &self,
        hash: &TokenHash,
        tokens: IssuedTokens,
        now: Timestamp,
        event: AuditEvent,
    ) -> Result<InsertOutcome, StorageError>;
    /// Records that a used refresh token was presented again, once for each token, and revokes its family if
    /// `revoke_family`.
    async fn record_refresh_token_reuse(
        &self,
        hash: &TokenHash,
        revoke_family: bool,
        now: Timestamp,
        event: &AuditEvent,
    ) -> Result<(), StorageError>;
    /// Inserts an access token that descends from no code: [`InsertOutcome::Inserted`], or [`InsertOutcome::Outdated`] if
    /// `basis` is assumed and not the current one.
    async fn insert_access_token(
        &self,
        access: AccessToken,
        event: AuditEvent,
        basis: Basis,
    ) -> Result<InsertOutcome, StorageError>;
    /// The access token with this hash, if it is valid at `now`.
    async fn access_token(
        &self,
        hash: &TokenHash,
        now: Timestamp,
    ) -> Result<Option<AccessToken>, StorageError>;
    /// The access token with this hash and its subject, if both are valid at `now`: neither the subject nor the actor is
    /// disabled, and both have the epochs of the token.
    async fn bearer(
        &self,
        hash: &TokenHash,
        now: Timestamp,
    ) -> Result<Option<Bearer>, StorageError>;
    /// Revokes an authorization with its codes, refresh tokens and access tokens.
    async fn revoke_family(
        &self,
        family: i64,
        now: Timestamp,
        event: &AuditEvent,
    ) -> Result<(), StorageError>;
    /// Revokes one access token.
    async fn revoke_access_token(
        &self,
        hash: &TokenHash,
        now: Timestamp,
        event: &AuditEvent,
    ) -> Result<(), StorageError>;

    /// Deletes a bounded number of rows that expired before `now`, or of partitions of them. Returns how many; 0 when none is left,
    /// or while another process does it.
    async fn maintain(&self, now: Timestamp) -> Result<u64, StorageError>;
}
