//! The session of a signed-in user: tokens in memory, connectivity, and leases of the access token.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jiff::Timestamp;
use secrecy::SecretString;
use tokio::sync::{OwnedRwLockReadGuard, RwLock};

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
    state: Mutex<ActiveState>,
}

struct ActiveState {
    record: AccountRecord,
    connectivity: Connectivity,
    vault: Option<VaultProblem>,
    id_token: Option<SecretString>,
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
            state: Mutex::new(ActiveState {
                record,
                connectivity,
                vault,
                id_token: None,
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

    pub(crate) fn identity(&self) -> Identity {
        self.lock().record.identity.clone()
    }

    /// The account that aliases, window bindings and drafts belong to.
    pub(crate) fn account_key(&self) -> AccountKey {
        AccountKey::new(
            self.environment.name(),
            &self.lock().record.identity.subject,
        )
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
    pub(super) fn has_ended(&self) -> bool {
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

    pub(super) fn set_vault_problem(&self, problem: Option<VaultProblem>) {
        self.lock().vault = problem;
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

    pub(super) fn set_id_token(&self, token: SecretString) {
        self.lock().id_token = Some(token);
    }

    /// The id_token of the sign-in. `None` after a restart: it is not stored.
    pub(super) fn id_token(&self) -> Option<SecretString> {
        self.lock().id_token.clone()
    }

    pub(super) fn take_id_token(&self) -> Option<SecretString> {
        self.lock().id_token.take()
    }

    pub(super) fn access_token(&self) -> &Arc<RwLock<Option<AccessToken>>> {
        &self.access_token
    }

    pub(super) fn refresh_token(&self) -> &tokio::sync::Mutex<Option<StoredRefreshToken>> {
        &self.refresh_token
    }

    /// Prevents later refreshes.
    pub(super) fn close(&self) {
        self.closing.store(true, Ordering::Release);
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
