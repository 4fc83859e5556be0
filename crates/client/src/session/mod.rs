//! The session: who is signed in, and the access token for calls.

mod access_token;
mod account;
mod accounts;
mod active;
mod error;
mod impersonated;
mod late_vault;
mod lease;
mod refresh;
mod refresh_token;
mod restore;
mod sign_out;
mod sign_out_queue;
#[cfg(feature = "testing")]
mod without_sign_in;

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use secrecy::SecretString;

use crate::BoxFuture;
use crate::change_notifier::ChangeNotifier;
use crate::clock::Clock;
use crate::environments::Environment;
use crate::http::Network;
use crate::provider::{Provider, SignInTokens};
use crate::rng::{Rng, time_ordered_id};
use crate::vault::{KEYRING_TIMEOUT, Vault, VaultError, answer_within};
use crate::views::CommandError;

use access_token::AccessToken;
use account::AccountFile;
pub(crate) use account::AccountRecord;
use accounts::AccountIndex;
pub(crate) use active::{AccessTokenLease, ActiveSession};
pub(crate) use error::LeaseError;
use refresh_token::{RefreshLock, StoredRefreshToken, lock_path};
use sign_out::SignOutRetry;
use sign_out_queue::SignOutQueue;

/// How long a refresh or the keyring may delay the end of the program.
const STOP_TIMEOUT: Duration = Duration::from_secs(15);

/// Holds at most one active session.
pub(crate) struct Session {
    clock: Arc<dyn Clock>,
    rng: Arc<dyn Rng>,
    vault: Arc<dyn Vault>,
    changes: Arc<ChangeNotifier>,
    network: Network,
    account: AccountFile,
    index: AccountIndex,
    locks: PathBuf,
    sign_outs: SignOutQueue,
    sign_out_retry: tokio::sync::Mutex<SignOutRetry>,
    /// Held while tokens of sign-outs are put into the keyring, and while those of a confirmed one are taken out.
    sign_out_tokens: tokio::sync::Mutex<()>,
    /// Held from when the token of a new session is stored until it is the active one.
    starting: tokio::sync::Mutex<()>,
    state: Mutex<SessionState>,
}

/// What a session starts with after a sign-in.
pub(crate) struct NewSession {
    pub(crate) environment: Environment,
    pub(crate) provider: Arc<Provider>,
    pub(crate) signed_in: SignInTokens,
    /// Whether it is stored for the next start.
    pub(crate) remembered: bool,
    /// Whether the authorization request had `prompt=login`.
    pub(crate) asked_for_password: bool,
}

/// Whether the first refresh token of a session is in the keyring.
enum FirstToken {
    Stored,
    Failed(VaultError),
    /// The keyring has not yet answered what it has.
    Reading(BoxFuture<'static, Result<Option<SecretString>, VaultError>>),
    /// The keyring has not yet answered that it stores the token.
    Writing(BoxFuture<'static, Result<(), VaultError>>),
}

/// The state of the session.
#[derive(Clone)]
pub(crate) enum SessionState {
    /// The keyring is being read at start.
    Starting,
    /// Nobody is signed in.
    SignedOut {
        /// Why, unless the user signed out.
        error: Option<CommandError>,
    },
    /// A user is signed in.
    SignedIn(Arc<ActiveSession>),
}

impl Session {
    pub(crate) fn new(
        clock: Arc<dyn Clock>,
        rng: Arc<dyn Rng>,
        vault: Arc<dyn Vault>,
        changes: Arc<ChangeNotifier>,
        network: Network,
        data: &std::path::Path,
    ) -> Self {
        Self {
            sign_outs: SignOutQueue::new(Arc::clone(&clock), data),
            sign_out_retry: tokio::sync::Mutex::default(),
            sign_out_tokens: tokio::sync::Mutex::default(),
            starting: tokio::sync::Mutex::default(),
            clock,
            rng,
            vault,
            changes,
            network,
            account: AccountFile::new(data.join("account.json")),
            index: AccountIndex::new(data.join("accounts.json")),
            locks: data.join("locks"),
            state: Mutex::new(SessionState::Starting),
        }
    }

    /// How servers are found and trusted.
    pub(crate) fn network(&self) -> &Network {
        &self.network
    }

    pub(crate) fn state(&self) -> SessionState {
        self.state
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// The active session.
    ///
    /// # Errors
    /// [`CommandError::NotSignedIn`]
    pub(crate) fn active(&self) -> Result<Arc<ActiveSession>, CommandError> {
        match self.state() {
            SessionState::SignedIn(active) => Ok(active),
            SessionState::Starting | SessionState::SignedOut { .. } => {
                Err(CommandError::NotSignedIn)
            }
        }
    }

    /// The user name of the last session, if it was in this environment.
    pub(crate) async fn login_hint(&self, environment: &str) -> Option<String> {
        // Without it the person types the name.
        let record = self.account.read().await.ok()??;
        (record.environment == environment).then_some(record.identity.username)
    }

    /// Whether a sign-in to this environment continues a session in an open window, which has ended or cannot be renewed.
    pub(crate) fn is_continued_in(&self, environment: &str) -> bool {
        self.active().is_ok_and(|active| {
            let is_over = active.has_ended() || !active.is_renewable();
            is_over && active.environment().name() == environment
        })
    }

    /// The id_token of the active session, if it is in this environment and began since the start of the program.
    pub(crate) fn id_token(&self, environment: &str) -> Option<SecretString> {
        let active = self.active().ok()?;
        (active.environment().name() == environment)
            .then(|| active.id_token())
            .flatten()
    }

    /// Starts a session after a sign-in: stores it if it is `remembered`, then shows it. It replaces the active session of
    /// the same account; that of another one is left.
    ///
    /// `commit` is called when nothing is stored yet, after a refresh in flight or another process was waited for. If it
    /// returns false, the sign-in was cancelled: then there is no session, and this returns false too.
    pub(crate) async fn start(
        self: &Arc<Self>,
        new: NewSession,
        commit: impl FnOnce() -> bool + Send,
    ) -> bool {
        let NewSession {
            environment,
            provider,
            signed_in,
            remembered,
            asked_for_password,
        } = new;
        let SignInTokens {
            tokens,
            identity,
            id_token,
        } = signed_in;
        let record = AccountRecord {
            environment: environment.name().to_owned(),
            authority: environment.authority().to_owned(),
            client_id: environment.client_id().clone(),
            identity,
            last_answer: self.clock.now(),
            refresh_in_flight: None,
            renewable: tokens.refresh.is_some(),
            remembered,
            session: time_ordered_id(&*self.clock, &*self.rng).to_string(),
        };
        let entry = record.vault_entry();
        let previous = self.active().ok();
        // Waits for a refresh in flight, which would otherwise overwrite the new token with an older one.
        let mut previous_token = match &previous {
            Some(previous) => Some(previous.refresh_token().lock().await),
            None => None,
        };
        let lock = RefreshLock::acquire(&self.clock, &lock_path(&self.locks, &entry)).await;
        if let Err(error) = &lock {
            tracing::warn!(
                error = error as &dyn std::error::Error,
                "the session starts without the lock"
            );
        }
        if !commit() {
            return false;
        }
        let starting = self.starting.lock().await;
        let (refresh_token, stored) = match tokens.refresh {
            Some(token) if !remembered => (
                Some(StoredRefreshToken {
                    generation: 1,
                    token,
                    id_token: Some(id_token.clone()),
                }),
                FirstToken::Stored,
            ),
            Some(token) => {
                let (token, stored) = self
                    .store_first_token(&entry, token, id_token.clone())
                    .await;
                (Some(token), stored)
            }
            None => (None, FirstToken::Stored),
        };
        if remembered {
            self.put_into_index(&record).await;
            if let Err(error) = self.account.write(&record).await {
                tracing::warn!(
                    error = &error as &dyn std::error::Error,
                    "the account was not stored: the next start will not know it"
                );
            }
        } else {
            self.forget_stored(&record).await;
        }
        let generation = refresh_token.as_ref().map_or(1, |token| token.generation);
        let access_token = AccessToken::new(
            tokens.access,
            generation,
            tokens.expires_in,
            self.clock.as_ref(),
            self.rng.as_ref(),
        );
        let active = Arc::new(ActiveSession::new(
            environment,
            provider,
            record,
            refresh_token,
            Some(access_token),
            None,
        ));
        active.set_id_token(Some(id_token));
        // A silent keyring may be waiting for its password on another screen: the session is used meanwhile.
        match stored {
            FirstToken::Stored => active.set_stored_generation(generation),
            FirstToken::Failed(error) => {
                active.set_vault_problem(Some(error.problem()));
            }
            FirstToken::Reading(read) => self.await_late_read(&active, read),
            FirstToken::Writing(write) => {
                let lock = lock.ok().map(Arc::new);
                self.await_late_write(&active, write, generation, lock);
            }
        }
        // A silent sign-in leaves it to the next one that can ask.
        if asked_for_password {
            self.sign_outs.signed_in(active.environment()).await;
        }
        self.set(SessionState::SignedIn(Arc::clone(&active)));
        drop(starting);

        if let Some(previous) = &previous {
            let is_same = previous.record().vault_entry() == entry;
            let token = previous_token
                .as_mut()
                .filter(|_| is_same)
                .and_then(|token| token.take());
            drop(previous_token);
            if is_same {
                self.discard(Arc::clone(previous), token, &entry);
            } else {
                self.leave(previous).await;
            }
        }
        true
    }

    /// Stores the first refresh token of a session, with a higher generation than any that another process has stored, or that a
    /// sign-out has left.
    async fn store_first_token(
        &self,
        entry: &str,
        token: SecretString,
        id_token: SecretString,
    ) -> (StoredRefreshToken, FirstToken) {
        let clock = &self.clock;
        // A sign-out that is confirmed later deletes what it finds in the entry, unless its generation is higher.
        let signed_out = self.sign_outs.last_generation(entry).await;
        let read = answer_within(clock, KEYRING_TIMEOUT, self.vault.read(entry)).await;
        let generation = match &read {
            Ok(Ok(text)) => {
                let previous = StoredRefreshToken::parse(text.clone());
                let previous = previous.map_or(0, |token| token.generation);
                previous.max(signed_out) + 1
            }
            // Unknown. The time in milliseconds is higher than any number of refreshes.
            Ok(Err(_)) | Err(_) => u64::try_from(clock.now().as_millisecond()).unwrap_or(1),
        };
        let token = StoredRefreshToken {
            generation,
            token,
            id_token: Some(id_token),
        };
        if let Err(read) = read {
            return (token, FirstToken::Reading(read));
        }
        let write = self.vault.write(entry, token.to_secret());
        let stored = match answer_within(clock, KEYRING_TIMEOUT, write).await {
            Ok(Ok(())) => FirstToken::Stored,
            Ok(Err(error)) => FirstToken::Failed(error),
            Err(write) => FirstToken::Writing(write),
        };
        (token, stored)
    }

    pub(crate) fn set(&self, state: SessionState) {
        self.set_if(|_| true, state);
    }

    /// Clears the error of the last sign-in attempt or session, when a new attempt begins. An error of the keyring or of the
    /// stored account stays.
    pub(crate) fn clear_error(&self) {
        let clearable = |state: &SessionState| match state {
            SessionState::SignedOut { error: Some(error) } => !matches!(
                error,
                CommandError::Vault { .. } | CommandError::AccountNotRead { .. }
            ),
            SessionState::SignedOut { error: None }
            | SessionState::Starting
            | SessionState::SignedIn(_) => false,
        };
        self.set_if(clearable, SessionState::SignedOut { error: None });
    }

    /// Sets the state if the current one satisfies `condition`: another task may have changed it.
    fn set_if(&self, condition: impl FnOnce(&SessionState) -> bool, state: SessionState) {
        let mut current = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if condition(&current) {
            *current = state;
            drop(current);
            self.changes.notify();
        }
    }
}
