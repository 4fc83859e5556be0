//! Storage of sessions, authorizations, tokens and sign-in attempts.
//!
//! Every method is one transaction, and what it changes is told in the audit with it. What decides a race (a code redeemed twice, a refresh token presented by fifty
//! callers) is one compare-and-swap statement, so that it holds on any database and with any number of replicas.

use std::sync::Arc;

use async_trait::async_trait;

use super::StorageError;
use super::audit::Entry;
use super::subjects::{Member, Subject};
use crate::secret::TokenHash;

/// A person signed in with a browser.
#[derive(Debug, Clone)]
pub struct Session {
    /// The `sid` of id_tokens.
    pub id: String,
    /// Hash of the cookie.
    pub hash: TokenHash,
    /// Who.
    pub subject: String,
    /// When the password was given.
    pub authenticated_at: i64,
    /// When the cookie stops working.
    pub expires_at: i64,
    /// What is left to do before the person counts as signed in.
    pub pending: Option<PendingStep>,
}

/// A step of signing in that is still due after the password was right. Steps are asked in the order of the variants, one
/// page each, and nobody counts as signed in before the last is done.
///
/// This is the place for a second factor: a variant before the others, due in [`PendingStep::due`] when the subject has one
/// enrolled, its page beside the others in `identity/pages/`, its form beside the others in
/// `identity/authorize/steps.rs`. The compiler then names every place that has to know of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PendingStep {
    /// Another password has to be chosen.
    ChangePassword,
}

impl PendingStep {
    /// The first step that is due for `subject`.
    #[must_use]
    pub const fn due(subject: &Subject) -> Option<Self> {
        if subject.must_change_password {
            Some(Self::ChangePassword)
        } else {
            None
        }
    }

    /// As it is stored.
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

/// One authorization, and through it every token that descends from its code.
#[derive(Debug, Clone)]
pub struct Family {
    /// A number that begins with the time it was made at ([`dated_number`](crate::secret::dated_number)).
    pub id: i64,
    /// The application.
    pub client_id: String,
    /// Who.
    pub subject: String,
    /// The browser session it was given in; `None` in the password grant, which has none.
    pub session_id: Option<String>,
    /// Granted scopes, separated by spaces.
    pub scope: String,
    /// When the password was given.
    pub authenticated_at: i64,
    /// After this nothing of it can be refreshed.
    pub expires_at: i64,
}

/// An authorization code.
#[derive(Debug, Clone)]
pub struct AuthorizationCode {
    /// Hash of the code.
    pub hash: TokenHash,
    /// Where it was sent to.
    pub redirect_uri: String,
    /// S256 challenge of the verifier.
    pub code_challenge: Option<String>,
    /// For the id_token.
    pub nonce: Option<String>,
    /// 60 seconds after it was made.
    pub expires_at: i64,
}

/// A code as it was found, with the authorization it stands for.
#[derive(Debug, Clone)]
pub struct FoundCode {
    /// The code.
    pub code: AuthorizationCode,
    /// The authorization.
    pub family: Family,
    /// Whether it was redeemed before, or its authorization was revoked.
    pub spent: bool,
}

/// A refresh token.
#[derive(Debug, Clone)]
pub struct RefreshToken {
    /// Hash of the token.
    pub hash: TokenHash,
    /// When it stops working if nobody uses it.
    pub expires_at: i64,
}

/// A refresh token as it was found, with the authorization it stands for.
#[derive(Debug, Clone)]
pub struct FoundRefresh {
    /// The token.
    pub token: RefreshToken,
    /// The authorization.
    pub family: Family,
    /// Whether it was used before.
    pub used: bool,
    /// Whether its authorization was revoked.
    pub revoked: bool,
}

/// An access token.
#[derive(Debug, Clone)]
pub struct AccessToken {
    /// Hash of the token.
    pub hash: TokenHash,
    /// The authorization it descends from; `None` for client_credentials.
    pub family: Option<i64>,
    /// How far it reaches.
    pub reach: Arc<Reach>,
    /// Who it stands for.
    pub subject: String,
    /// The administrator behind it.
    pub actor: Option<String>,
    /// When it was made.
    pub issued_at: i64,
    /// When it stops working.
    pub expires_at: i64,
}

/// How far a token reaches: the same for most that an application is given.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Reach {
    /// The application that holds it.
    pub client_id: String,
    /// Granted scopes, separated by spaces.
    pub scope: String,
    /// Project-audience ids.
    pub audiences: Vec<String>,
    /// Whether it carries the subject's home organization.
    pub carries_home: bool,
}

/// A valid access token and who it stands for.
#[derive(Debug, Clone)]
pub struct Bearer {
    /// The token.
    pub token: AccessToken,
    /// Who it stands for: not disabled.
    pub member: Arc<Member>,
}

/// The tokens of one answer of the token endpoint.
#[derive(Debug, Clone)]
pub struct IssuedTokens {
    /// Always there.
    pub access: AccessToken,
    /// When `offline_access` was granted.
    pub refresh: Option<RefreshToken>,
}

/// How often signing in failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Attempts {
    /// Failures in a row.
    pub count: i64,
    /// When the last one was.
    pub last_at: i64,
}

/// Sessions and tokens. Times are milliseconds since 1970.
#[async_trait]
pub trait TokenStore: Send + Sync {
    /// Begins a browser session.
    async fn begin_session(&self, session: &Session, entry: &Entry) -> Result<(), StorageError>;
    /// Sets what is left to do in a session; with nothing left the person is signed in, as of `now`.
    async fn advance_session(
        &self,
        id: &str,
        pending: Option<PendingStep>,
        now: i64,
    ) -> Result<(), StorageError>;
    /// The living session of a cookie.
    async fn session(&self, cookie: &TokenHash, now: i64) -> Result<Option<Session>, StorageError>;
    /// Ends a session. Ending it twice is no error.
    async fn end_session(&self, id: &str, now: i64, entry: &Entry) -> Result<(), StorageError>;

    /// Keeps an authorization and its code.
    async fn authorize(
        &self,
        family: &Family,
        code: &AuthorizationCode,
    ) -> Result<(), StorageError>;
    /// Keeps an authorization that needs no code, and the tokens it gave, both or neither.
    async fn authorize_directly(
        &self,
        family: Family,
        tokens: IssuedTokens,
        entries: Vec<Entry>,
    ) -> Result<(), StorageError>;
    /// The code with this hash, spent or not.
    async fn code(&self, hash: &TokenHash) -> Result<Option<FoundCode>, StorageError>;
    /// Spends a code and keeps the tokens it gave, both or neither. False when somebody else spent it.
    async fn redeem_code(
        &self,
        hash: &TokenHash,
        tokens: IssuedTokens,
        now: i64,
        entry: Entry,
    ) -> Result<bool, StorageError>;
    /// The refresh token with this hash, used or not.
    async fn refresh_token(&self, hash: &TokenHash) -> Result<Option<FoundRefresh>, StorageError>;
    /// Spends a refresh token and keeps its successors, both or neither. False when somebody else spent it.
    async fn rotate(
        &self,
        hash: &TokenHash,
        tokens: IssuedTokens,
        now: i64,
        entry: Entry,
    ) -> Result<bool, StorageError>;
    /// A used refresh token was presented again: records it, once for each token, and revokes its authorization if told to.
    async fn refresh_reused(
        &self,
        hash: &TokenHash,
        revoke_family: bool,
        now: i64,
        entry: &Entry,
    ) -> Result<(), StorageError>;
    /// Until it writes, whatever else this request reads here may be as it was a moment ago: one question less for who is going
    /// to [`TokenStore::issue`], which makes sure that nothing has changed since. An answer that comes of it may only be given
    /// when it was [`TokenStore::supposed_right`].
    fn suppose(&self);
    /// Whether an answer still depends on what is only supposed: not if all of it was looked at by what was written.
    fn supposes(&self) -> bool;
    /// Whether everything is still as this request read it since it began to [`TokenStore::suppose`]. If not, it reads what is
    /// there from now on.
    async fn supposed_right(&self) -> Result<bool, StorageError>;
    /// Keeps an access token that descends from no code. Busy, and nothing is kept, if what was supposed is not so.
    async fn issue(&self, access: AccessToken, entry: Entry) -> Result<(), StorageError>;
    /// The access token with this hash, if it is valid at `now`.
    async fn access_token(
        &self,
        hash: &TokenHash,
        now: i64,
    ) -> Result<Option<AccessToken>, StorageError>;
    /// The access token with this hash and who it stands for, if both are valid at `now`. Every request of the gateway asks.
    async fn bearer(&self, hash: &TokenHash, now: i64) -> Result<Option<Bearer>, StorageError>;
    /// Revokes an authorization: its codes, refresh tokens and access tokens stop working.
    async fn revoke_family(&self, family: i64, now: i64, entry: &Entry)
    -> Result<(), StorageError>;
    /// Revokes one access token.
    async fn revoke_access_token(
        &self,
        hash: &TokenHash,
        now: i64,
        entry: &Entry,
    ) -> Result<(), StorageError>;

    /// Counts one more sign-in attempt and says how many there were before it, since `since`.
    async fn count_attempt(
        &self,
        account: &str,
        address: &str,
        now: i64,
        since: i64,
    ) -> Result<Attempts, StorageError>;
    /// The attempts counted since `since`.
    async fn attempts(
        &self,
        account: &str,
        address: &str,
        since: i64,
    ) -> Result<Attempts, StorageError>;
    /// After the right password: forgets the attempts of the account, and takes this one back from those of the address
    /// alone, so that an office full of people who sign in is no attack.
    async fn forgive_attempts(&self, account: &str, address: &str) -> Result<(), StorageError>;

    /// Removes what expired before `now`, a bounded number of rows. Returns how many went; 0 when nothing is left to go.
    async fn purge(&self, now: i64) -> Result<u64, StorageError>;
}
