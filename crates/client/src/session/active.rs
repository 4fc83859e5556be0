//! The session of a signed-in user: tokens in memory, connectivity, and leases of the access token.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use std::time::Duration;

use jiff::Timestamp;
use secrecy::SecretString;
use tokio::sync::{OwnedRwLockReadGuard, RwLock, watch};

use super::access_token::AccessToken;
use super::account::AccountRecord;
use super::refresh_token::StoredRefreshToken;
use crate::account_key::AccountKey;
use crate::environments::Environment;
use crate::provider::{Identity, Provider};
use crate::views::{Connectivity, VaultProblem};

/// The session of a signed-in user.
pub(crate) struct ActiveSession {
    environment: Environment,
    provider: Arc<Provider>,
    /// Read-locked by calls under way. A refresh takes the write lock, because it may invalidate the token of a call.
    access_token: Arc<RwLock<Option<AccessToken>>>,
    /// Locked by the one refresh that is under way.
    refresh_token: tokio::sync::Mutex<Option<StoredRefreshToken>>,
    closing: AtomicBool,
    /// How many calls to the keyring have not answered in time and are still waited for.
    late_vault_calls: watch::Sender<u32>,
    state: Mutex<ActiveState>,
}

struct ActiveState {
    record: AccountRecord,
    connectivity: Connectivity,
    vault: Option<VaultProblem>,
    id_token: Option<SecretString>,
    /// The generation of the refresh token that is known to be in the keyring.
    stored_generation: Option<u64>,
    /// When the present access token expires.
    access_token_expires: Option<Timestamp>,
    /// By the monotonic clock: a refresh ahead of need has failed, and is not tried again before.
    retries_refresh_after: Duration,
}

/// A lease of the access token: the session is not refreshed while it is held.
pub(crate) struct AccessTokenLease {
    guard: OwnedRwLockReadGuard<Option<AccessToken>, AccessToken>,
}

impl AccessTokenLease {
    pub(crate) fn token(&self) -> &SecretString {
        &self.guard.secret
    }

    /// The generation of the token: a later token has a higher one.
    pub(crate) fn generation(&self) -> u64 {
        self.guard.generation
    }
}

impl ActiveSession {
    pub(super) fn new(
        environment: Environment,
        provider: Arc<Provider>,
        record: AccountRecord,
        refresh_token: Option<StoredRefreshToken>,
        access_token: Option<AccessToken>,
        vault: Option<VaultProblem>,
    ) -> Self {
        let access_token_expires = access_token.as_ref().map(AccessToken::expires);
        let connectivity = if access_token.is_some() {
            Connectivity::Online
        } else {
            offline_since(&record)
        };
        Self {
            environment,
            provider,
            access_token: Arc::new(RwLock::new(access_token)),
            refresh_token: tokio::sync::Mutex::new(refresh_token),
            closing: AtomicBool::new(false),
            late_vault_calls: watch::Sender::new(0),
            state: Mutex::new(ActiveState {
                record,
                connectivity,
                vault,
                id_token: None,
                stored_generation: None,
                access_token_expires,
                retries_refresh_after: Duration::ZERO,
            }),
        }
    }

    pub(crate) fn environment(&self) -> &Environment {
        &self.environment
    }

    pub(crate) fn provider(&self) -> &Arc<Provider> {
        &self.provider
    }

    /// The client for requests to the gateway. `None` if it could not be created, so that nothing can be sent.
    pub(crate) fn http(&self) -> Option<&reqwest::Client> {
        self.provider.http()
    }

    /// Whether it is a session of the environment with this name.
    pub(crate) fn is_in(&self, environment: &str) -> bool {
        self.environment.name() == environment
    }

    pub(crate) fn identity(&self) -> Identity {
        self.lock().record.identity.clone()
    }

    /// The account that window bindings, drafts and files that wait belong to. While somebody else acts as the user it is not that of
    /// the user.
    pub(crate) fn account_key(&self) -> AccountKey {
        let environment = self.environment.name();
        let state = self.lock();
        let identity = &state.record.identity;
        match &identity.actor {
            None => AccountKey::new(environment, &identity.subject),
            Some(actor) => AccountKey::impersonated(environment, &identity.subject, actor),
        }
    }

    /// Whether somebody else acts as the user: the session is of one window, and nothing of it is stored (decision 0145).
    pub(crate) fn is_impersonated(&self) -> bool {
        self.lock().record.identity.actor.is_some()
    }

    pub(crate) fn grants(&self, organization: &str) -> bool {
        self.lock().record.identity.grants(organization)
    }

    pub(crate) fn connectivity(&self) -> Connectivity {
        self.lock().connectivity.clone()
    }

    pub(crate) fn is_online(&self) -> bool {
        self.lock().connectivity == Connectivity::Online
    }

    pub(super) fn is_offline(&self) -> bool {
        matches!(self.lock().connectivity, Connectivity::Offline { .. })
    }

    /// Whether the refresh token is invalid.
    pub(crate) fn has_ended(&self) -> bool {
        self.lock().connectivity == Connectivity::Ended
    }

    /// Why the refresh token is not stored in the keyring, if it is not.
    pub(crate) fn vault_problem(&self) -> Option<VaultProblem> {
        self.lock().vault
    }

    /// Records that a server answered. Returns whether the connectivity changed.
    pub(super) fn set_online(&self, now: Timestamp) -> bool {
        let mut state = self.lock();
        state.record.last_answer = now;
        state.set_connectivity(Connectivity::Online)
    }

    /// Records that no server can be reached. Returns whether the connectivity changed.
    pub(super) fn set_offline(&self) -> bool {
        let mut state = self.lock();
        if matches!(state.connectivity, Connectivity::Offline { .. }) {
            return false;
        }
        let offline = offline_since(&state.record);
        state.set_connectivity(offline)
    }

    /// Records that the refresh token is invalid, which is final. Returns whether the connectivity changed.
    pub(super) fn set_ended(&self) -> bool {
        self.lock().set_connectivity(Connectivity::Ended)
    }

    /// Returns whether the problem changed.
    pub(super) fn set_vault_problem(&self, problem: Option<VaultProblem>) -> bool {
        let mut state = self.lock();
        let changed = state.vault != problem;
        state.vault = problem;
        changed
    }

    /// Records that the keyring has the refresh token of this generation. An older generation does not replace a newer.
    pub(super) fn set_stored_generation(&self, generation: u64) {
        let mut state = self.lock();
        state.stored_generation = state.stored_generation.max(Some(generation));
    }

    pub(super) fn stored_generation(&self) -> Option<u64> {
        self.lock().stored_generation
    }

    /// Whether the refresh token in memory is newer than the one in the keyring.
    pub(super) async fn has_unstored_token(&self) -> bool {
        if !self.is_remembered() {
            return false;
        }
        let current = self.refresh_token.lock().await;
        let current = current.as_ref().map(|token| token.generation);
        current > self.stored_generation()
    }

    pub(super) fn begin_waiting_for_vault(&self) {
        self.late_vault_calls.send_modify(|calls| *calls += 1);
    }

    pub(super) fn end_waiting_for_vault(&self) {
        self.late_vault_calls.send_modify(|calls| *calls -= 1);
    }

    /// Whether the keyring has not answered a call yet, probably because its prompt is open.
    pub(super) fn is_waiting_for_vault(&self) -> bool {
        *self.late_vault_calls.borrow() > 0
    }

    /// Resolves when no call to the keyring is waited for.
    pub(super) async fn vault_answered(&self) {
        let mut calls = self.late_vault_calls.subscribe();
        // The sender is a field of self, so waiting cannot fail.
        let _ = calls.wait_for(|calls| *calls == 0).await;
    }

    /// Whether the session outlives the program.
    pub(crate) fn is_remembered(&self) -> bool {
        self.lock().record.remembered
    }

    /// Names the account in commands.
    pub(crate) fn account_id(&self) -> String {
        self.lock().record.id()
    }

    /// Whether the session can outlive its access token.
    pub(super) fn is_renewable(&self) -> bool {
        self.lock().record.renewable
    }

    /// Records that the refresh token is of no use any more; the access token still is.
    pub(super) fn set_not_renewable(&self) {
        self.lock().record.renewable = false;
    }

    /// When the session ends, if it cannot be renewed.
    pub(crate) fn ends(&self) -> Option<Timestamp> {
        let state = self.lock();
        if state.record.renewable || state.connectivity == Connectivity::Ended {
            return None;
        }
        state.access_token_expires
    }

    pub(super) fn record(&self) -> AccountRecord {
        self.lock().record.clone()
    }

    /// Sets [`AccountRecord::refresh_in_flight`] and returns the record to be written.
    pub(super) fn set_refresh_in_flight(&self, generation: Option<u64>) -> AccountRecord {
        let mut state = self.lock();
        state.record.refresh_in_flight = generation;
        state.record.clone()
    }
    pub(super) fn set_id_token(&self, token: Option<SecretString>) {
        self.lock().id_token = token;
    }

    /// The id_token of the sign-in. `None` after a restart if the keyring had no room for it.
    pub(super) fn id_token(&self) -> Option<SecretString> {
        self.lock().id_token.clone()
    }

    pub(super) fn take_id_token(&self) -> Option<SecretString> {
        self.lock().id_token.take()
    }

    pub(super) fn access_token(&self) -> &Arc<RwLock<Option<AccessToken>>> {
        &self.access_token
    }

    /// Records when the access token that is published now expires.
    pub(super) fn set_access_token_expires(&self, expires: Timestamp) {
        self.lock().access_token_expires = Some(expires);
    }

    pub(super) fn retries_refresh_after(&self) -> Duration {
        self.lock().retries_refresh_after
    }

    pub(super) fn set_retries_refresh_after(&self, time: Duration) {
        self.lock().retries_refresh_after = time;
    }

    pub(super) fn refresh_token(&self) -> &tokio::sync::Mutex<Option<StoredRefreshToken>> {
        &self.refresh_token
    }

    /// Prevents later refreshes. Returns whether nobody has done so before.
    pub(super) fn close(&self) -> bool {
        !self.closing.swap(true, Ordering::AcqRel)
    }

    pub(super) fn is_closing(&self) -> bool {
        self.closing.load(Ordering::Acquire)
    }

    /// Leases the access token, if there is one that satisfies `accepts`.
    pub(super) async fn lease(
        &self,
        accepts: impl Fn(&AccessToken) -> bool,
    ) -> Option<AccessTokenLease> {
        let guard = Arc::clone(&self.access_token).read_owned().await;
        if !guard.as_ref().is_some_and(accepts) {
            return None;
        }
        OwnedRwLockReadGuard::try_map(guard, Option::as_ref)
            .ok()
            .map(|guard| AccessTokenLease { guard })
    }

    fn lock(&self) -> MutexGuard<'_, ActiveState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ActiveState {
    /// Changes the connectivity, unless the session has ended. Returns whether it changed.
    fn set_connectivity(&mut self, connectivity: Connectivity) -> bool {
        if self.connectivity == connectivity || self.connectivity == Connectivity::Ended {
            return false;
        }
        self.connectivity = connectivity;
        true
    }
}

fn offline_since(record: &AccountRecord) -> Connectivity {
    Connectivity::Offline {
        since: record.last_answer.to_string(),
    }
}
