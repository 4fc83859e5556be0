//! The session: who is signed in, and the access token for calls.

mod access_token;
mod account;
mod active;
mod refresh;
mod refresh_token;
mod restore;
mod sign_out;

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use secrecy::SecretString;

use crate::change_notifier::ChangeNotifier;
use crate::clock::Clock;
use crate::environments::Environment;
use crate::http::Network;
use crate::provider::{Provider, SignInTokens};
use crate::vault::{KEYRING_TIMEOUT, Vault, VaultError, with_timeout};
use crate::views::{CommandError, VaultProblem};

use access_token::AccessToken;
use account::{AccountFile, AccountRecord};
pub(crate) use active::{AccessTokenLease, ActiveSession};
pub(crate) use refresh::LeaseError;
use refresh_token::{RefreshLock, StoredRefreshToken, lock_path};

/// How long a refresh in flight may delay the end of the program.
const STOP_TIMEOUT: Duration = Duration::from_secs(15);

/// Holds at most one active session.
pub(crate) struct Session {
    clock: Arc<dyn Clock>,
    vault: Arc<dyn Vault>,
    changes: Arc<ChangeNotifier>,
    network: Network,
    account: AccountFile,
    locks: PathBuf,
    state: Mutex<SessionState>,
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
        vault: Arc<dyn Vault>,
        changes: Arc<ChangeNotifier>,
        network: Network,
        data: &std::path::Path,
    ) -> Self {
        Self {
            clock,
            vault,
            changes,
            network,
            account: AccountFile::new(data.join("account.json")),
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
        let record = self.account.read().await?;
        (record.environment == environment).then_some(record.identity.username)
    }

    /// The id_token of the active session, if it is in this environment and began since the start of the program.
    pub(crate) fn id_token(&self, environment: &str) -> Option<SecretString> {
        let active = self.active().ok()?;
        (active.environment().name() == environment)
            .then(|| active.id_token())
            .flatten()
    }

    /// Starts a session after a sign-in: stores it, then shows it. It replaces the active session.
    pub(crate) async fn start(
        self: &Arc<Self>,
        environment: Environment,
        provider: Arc<Provider>,
        signed_in: SignInTokens,
    ) {
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
        let (refresh_token, problem) = self.store_first_token(&entry, tokens.refresh).await;
        if let Err(error) = self.account.write(&record).await {
            tracing::warn!(
                error = &error as &dyn std::error::Error,
                "the account was not stored: the next start will not know it"
            );
        }
        drop(lock);
        let access_token = AccessToken::new(
            tokens.access,
            refresh_token.as_ref().map_or(1, |token| token.generation),
            tokens.expires_in,
            self.clock.as_ref(),
        );
        let active = Arc::new(ActiveSession::new(
            environment,
            provider,
            record,
            refresh_token,
            Some(access_token),
            problem,
        ));
        active.set_id_token(id_token);
        self.set(SessionState::SignedIn(Arc::clone(&active)));
        if problem == Some(VaultProblem::Silent) {
            // It may be waiting for its password on another screen: the session is used meanwhile.
            let session = Arc::clone(self);
            tokio::spawn(async move {
                // The session view shows whether it was stored.
                let _ = session.store_again(&active).await;
            });
        }

        if let Some(previous) = &previous {
            let token = previous_token.as_mut().and_then(|token| token.take());
            drop(previous_token);
            self.discard(Arc::clone(previous), token, &entry);
        }
    }

    /// Stores the first refresh token of a session, with a higher generation than any that another process has stored.
    async fn store_first_token(
        &self,
        entry: &str,
        token: Option<SecretString>,
    ) -> (Option<StoredRefreshToken>, Option<VaultProblem>) {
        let clock = &self.clock;
        let previous =
            StoredRefreshToken::read(self.vault.as_ref(), clock, KEYRING_TIMEOUT, entry).await;
        let Some(token) = token else {
            return (None, None);
        };
        let generation = match &previous {
            Ok(previous) => previous.as_ref().map_or(1, |token| token.generation + 1),
            // Unknown. The time in milliseconds is higher than any number of refreshes.
            Err(_) => u64::try_from(clock.now().as_millisecond()).unwrap_or(1),
        };
        let token = StoredRefreshToken { generation, token };
        if let Err(VaultError::TimedOut) = previous {
            return (Some(token), Some(VaultProblem::Silent));
        }
        let write = self.vault.write(entry, token.to_secret());
        let written = with_timeout(clock, KEYRING_TIMEOUT, write).await;
        (Some(token), written.err().map(VaultError::problem))
    }

    /// Waits for a refresh in flight, for at most 15 seconds, and prevents later ones.
    pub(crate) async fn stop(&self) {
        if let SessionState::SignedIn(active) = self.state() {
            active.close();
            tokio::select! {
                _ = active.refresh_token().lock() => {}
                () = self.clock.sleep(STOP_TIMEOUT) => {
                    tracing::warn!("a refresh was still in flight at the end");
                }
            }
        }
    }

    pub(crate) fn set(&self, state: SessionState) {
        self.set_if(|_| true, state);
    }

    /// Clears the error of the last sign-in attempt or session, when a new attempt begins. An error of the keyring stays.
    pub(crate) fn clear_error(&self) {
        let clearable = |state: &SessionState| match state {
            SessionState::SignedOut { error: Some(error) } => {
                !matches!(error, CommandError::Vault { .. })
            }
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
