//! A session of somebody: tokens in memory, standing, and the access token on loan.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jiff::Timestamp;
use secrecy::SecretString;
use tokio::sync::{OwnedRwLockReadGuard, RwLock};

use super::Identity;
use super::access::Access;
use super::account::AccountRecord;
use super::chain::Link;
use crate::account_key::AccountKey;
use crate::environments::Environment;
use crate::http;
use crate::provider::Provider;
use crate::views::{Standing, VaultTrouble};

/// Somebody is signed in.
pub(crate) struct Live {
    environment: Environment,
    provider: Arc<Provider>,
    /// To the gateway.
    http: Option<reqwest::Client>,
    /// Readers are calls under way; a refresh waits for them, as it may kill the token they carry.
    access: Arc<RwLock<Option<Access>>>,
    /// Held by the one refresh that is under way.
    chain: tokio::sync::Mutex<Option<Link>>,
    closing: AtomicBool,
    state: Mutex<LiveState>,
}

struct LiveState {
    record: AccountRecord,
    standing: Reach,
    vault: Option<VaultTrouble>,
    id_token: Option<SecretString>,
}

/// Whether calls can be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    Online,
    Offline,
    Ended,
}

/// The access token on loan: the session is not refreshed while it is held.
pub(crate) struct Lent {
    guard: OwnedRwLockReadGuard<Option<Access>, Access>,
}

impl Lent {
    pub(crate) fn token(&self) -> &SecretString {
        &self.guard.token
    }

    pub(crate) fn generation(&self) -> u64 {
        self.guard.generation
    }
}

impl Live {
    pub(super) fn new(
        environment: Environment,
        provider: Arc<Provider>,
        record: AccountRecord,
        link: Option<Link>,
        access: Option<Access>,
        vault: Option<VaultTrouble>,
    ) -> Self {
        let standing = if access.is_some() {
            Reach::Online
        } else {
            Reach::Offline
        };
        Self {
            http: http::client(&environment),
            environment,
            provider,
            access: Arc::new(RwLock::new(access)),
            chain: tokio::sync::Mutex::new(link),
            closing: AtomicBool::new(false),
            state: Mutex::new(LiveState {
                record,
                standing,
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

    /// `None`: nothing can be sent at all.
    pub(crate) fn http(&self) -> Option<&reqwest::Client> {
        self.http.as_ref()
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

    pub(crate) fn standing(&self) -> Standing {
        let state = self.lock();
        match state.standing {
            Reach::Online => Standing::Online,
            Reach::Offline => Standing::Offline {
                since: state.record.last_answer.to_string(),
            },
            Reach::Ended => Standing::Ended,
        }
    }

    pub(crate) fn reach(&self) -> Reach {
        self.lock().standing
    }

    pub(crate) fn vault_trouble(&self) -> Option<VaultTrouble> {
        self.lock().vault
    }

    /// Notes whether the service answers, and says whether that is news. A session that ended stays ended.
    pub(crate) fn note_reach(&self, reach: Reach, now: Timestamp) -> bool {
        let mut state = self.lock();
        if reach == Reach::Online {
            state.record.last_answer = now;
        }
        let news = state.standing != reach && state.standing != Reach::Ended;
        if news {
            state.standing = reach;
        }
        news
    }

    pub(super) fn note_vault(&self, trouble: Option<VaultTrouble>) {
        self.lock().vault = trouble;
    }

    pub(super) fn record(&self) -> AccountRecord {
        self.lock().record.clone()
    }

    pub(super) fn note_refresh_in_flight(&self, generation: Option<u64>) -> AccountRecord {
        let mut state = self.lock();
        state.record.refresh_in_flight = generation;
        state.record.clone()
    }

    pub(super) fn keep_id_token(&self, token: SecretString) {
        self.lock().id_token = Some(token);
    }

    pub(super) fn id_token(&self) -> Option<SecretString> {
        self.lock().id_token.clone()
    }

    pub(super) fn take_id_token(&self) -> Option<SecretString> {
        self.lock().id_token.take()
    }

    pub(super) fn access(&self) -> &Arc<RwLock<Option<Access>>> {
        &self.access
    }

    pub(super) fn chain(&self) -> &tokio::sync::Mutex<Option<Link>> {
        &self.chain
    }

    /// No refresh begins any more.
    pub(super) fn close(&self) {
        self.closing.store(true, Ordering::Release);
    }

    pub(super) fn is_closing(&self) -> bool {
        self.closing.load(Ordering::Acquire)
    }

    /// The access token, if there is one that `fits`.
    pub(super) async fn borrow(&self, fits: impl Fn(&Access) -> bool) -> Option<Lent> {
        let guard = Arc::clone(&self.access).read_owned().await;
        let fits = |access: &Option<Access>| access.as_ref().is_some_and(&fits);
        if !fits(&guard) {
            return None;
        }
        OwnedRwLockReadGuard::try_map(guard, Option::as_ref)
            .ok()
            .map(|guard| Lent { guard })
    }

    fn lock(&self) -> MutexGuard<'_, LiveState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
