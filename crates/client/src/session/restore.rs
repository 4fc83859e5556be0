//! The stored session, restored at a start from the account file and the keyring, and its upkeep: connection and renewal.

use std::sync::{Arc, Weak};
use std::time::Duration;

use super::account::account_not_read;
use super::refresh::RefreshReason;
use super::{AccountRecord, ActiveSession, Session, SessionState, StoredRefreshToken};
use secrecy::SecretString;

use crate::BoxFuture;
use crate::clock::Clock;
use crate::environments::Environments;
use crate::provider::Provider;
use crate::vault::{UNLOCK_TIMEOUT, VaultError, answer_within, with_timeout};
use crate::views::CommandError;

/// A restored session is shown as offline if the provider has not answered within this time.
const FIRST_LEASE_TIMEOUT: Duration = Duration::from_secs(4);
/// How long a start waits for the keyring before it shows the error.
const RESTORE_TIMEOUT: Duration = Duration::from_secs(30);
/// The delays between the probes of an offline session; the last one repeats.
const PROBE_DELAYS: [Duration; 4] = [
    Duration::from_secs(2),
    Duration::from_secs(5),
    Duration::from_secs(10),
    Duration::from_secs(30),
];

/// How long after a failure the access token is not refreshed ahead of need.
const AHEAD_RETRY_DELAY: Duration = Duration::from_secs(300);

impl Session {
    /// Restores the stored session.
    pub(crate) async fn restore(self: &Arc<Self>, environments: &Arc<Environments>) {
        let record = match self.stored_account().await {
            Ok(Some(record)) => record,
            Ok(None) => {
                self.set_if(is_starting, SessionState::SignedOut { error: None });
                return;
            }
            Err(error) => {
                let error = Some(error);
                self.set_if(is_starting, SessionState::SignedOut { error });
                return;
            }
        };
        match self.open(environments, record).await {
            Ok(Opened::Session(active)) => {
                tokio::select! {
                    // The connectivity of the session shows whether it succeeded.
                    _ = self.lease_access_token(&active, None) => {}
                    () = self.clock.sleep(FIRST_LEASE_TIMEOUT) => {}
                }
                self.set_if(is_starting, SessionState::SignedIn(active));
            }
            Ok(Opened::Waiting(opening)) => {
                let error = CommandError::from(VaultError::TimedOut);
                let waiting = SessionState::SignedOut { error: Some(error) };
                self.set_if(is_starting, waiting);
                let session = Arc::clone(self);
                tokio::spawn(async move { session.restore_late(opening).await });
            }
            Err(error) => {
                // The environment was edited since, which is no error.
                let error = Some(error).filter(|error| *error != CommandError::NotSignedIn);
                self.set_if(is_starting, SessionState::SignedOut { error });
            }
        }
    }

    /// The account of the account file, unless it has signed out and the file could not be removed then.
    ///
    /// # Errors
    /// [`CommandError::AccountNotRead`]
    async fn stored_account(&self) -> Result<Option<AccountRecord>, CommandError> {
        let stored = async {
            let Some(record) = self.account.read().await? else {
                return Ok(None);
            };
            let signed_out = self.sign_outs.all_pending().await?;
            let ended = signed_out.iter().any(|sign_out| sign_out.ended(&record));
            Ok((!ended).then_some(record))
        };
        stored.await.map_err(|error| account_not_read(&error))
    }

    /// Restores the session when the keyring answers at last, unless the person has done something else since.
    async fn restore_late(
        self: &Arc<Self>,
        opening: BoxFuture<'static, Result<Arc<ActiveSession>, CommandError>>,
    ) {
        let is_waiting = |state: &SessionState| {
            let waiting = Some(CommandError::from(VaultError::TimedOut));
            matches!(state, SessionState::SignedOut { error } if *error == waiting)
        };
        match opening.await {
            Ok(active) => {
                self.set_if(is_waiting, SessionState::SignedIn(Arc::clone(&active)));
                if self.is_active(&active) {
                    let _ = self.lease_access_token(&active, None).await;
                }
            }
            Err(error) => {
                let error = Some(error);
                self.set_if(is_waiting, SessionState::SignedOut { error });
            }
        }
    }

    /// Accesses the keyring and the account file again: stores the token of a session that is only in memory, or restores
    /// the stored session.
    pub(crate) async fn unlock(
        self: &Arc<Self>,
        environments: &Environments,
    ) -> Result<(), CommandError> {
        let is_signed_out = |state: &SessionState| matches!(state, SessionState::SignedOut { .. });
        match self.state() {
            SessionState::SignedIn(active) => self.store_again(&active).await,
            SessionState::SignedOut { .. } => {
                let Some(record) = self.stored_account().await? else {
                    self.set_if(is_signed_out, SessionState::SignedOut { error: None });
                    return Err(CommandError::NotSignedIn);
                };
                let active = match self.open(environments, record).await? {
                    Opened::Session(active) => active,
                    Opened::Waiting(opening) => {
                        let opening = Box::pin(async move { Ok(opening.await) });
                        with_timeout(&self.clock, UNLOCK_TIMEOUT, opening).await??
                    }
                };
                // Somebody may have signed in while the keyring waited for its password.
                self.set_if(is_signed_out, SessionState::SignedIn(Arc::clone(&active)));
                if self.is_active(&active) {
                    // The connectivity of the session shows whether it succeeded.
                    let _ = self.lease_access_token(&active, None).await;
                }
                Ok(())
            }
            SessionState::Starting => Err(CommandError::NotSignedIn),
        }
    }

    /// Keeps the session usable as long as it lives: probes the provider while it is offline, refreshes the access token
    /// ahead of need while it is online, and ends a session that cannot be renewed with its access token. Confirms
    /// sign-outs at the provider.
    pub(crate) async fn upkeep_loop(
        session: Weak<Self>,
        environments: Arc<Environments>,
        clock: Arc<dyn Clock>,
    ) {
        let mut attempt = 0;
        loop {
            clock.sleep(PROBE_DELAYS[attempt]).await;
            let Some(session) = session.upgrade() else {
                return;
            };
            tokio::spawn(Arc::clone(&session).confirm_sign_outs(Arc::clone(&environments)));
            let SessionState::SignedIn(active) = session.state() else {
                continue;
            };
            if !active.is_renewable() && !active.has_ended() && !session.is_fresh(&active).await {
                session.end(&active);
                continue;
            }
            if !active.is_offline() {
                attempt = 0;
                session.refresh_ahead(&active).await;
                continue;
            }
            attempt = (attempt + 1).min(PROBE_DELAYS.len() - 1);
            session.reconnect(&active).await;
        }
    }

    /// Brings an offline session back online if the provider can be reached.
    pub(crate) async fn reconnect(self: &Arc<Self>, active: &Arc<ActiveSession>) {
        // A session without an access token needs one before it is online.
        if active.is_offline()
            && active.provider().is_reachable().await
            && self.lease_access_token(active, None).await.is_ok()
        {
            self.note_online(active);
        }
    }

    fn is_active(&self, session: &Arc<ActiveSession>) -> bool {
        self.active()
            .is_ok_and(|active| Arc::ptr_eq(&active, session))
    }

    async fn is_fresh(&self, active: &ActiveSession) -> bool {
        let lease = active.lease(|token| token.is_fresh(self.clock.as_ref()));
        lease.await.is_some()
    }

    /// Refreshes an access token that is valid but due, while the network is good: then a later hour without network, or
    /// a lost answer, costs nothing (decision 0063). After a failure it waits for some minutes.
    async fn refresh_ahead(self: &Arc<Self>, active: &Arc<ActiveSession>) {
        let now = self.clock.monotonic();
        if !active.is_online() || !active.is_renewable() || active.retries_refresh_after() > now {
            return;
        }
        let due = active.lease(|token| token.is_due(self.clock.as_ref()));
        if due.await.is_none() {
            return;
        }
        if let Err(error) = self.refresh_in_task(active, RefreshReason::Ahead).await {
            active.set_retries_refresh_after(now + AHEAD_RETRY_DELAY);
            tracing::info!(
                error = &error as &dyn std::error::Error,
                "the access token was not refreshed ahead of need"
            );
        }
    }

    /// Reads the refresh token of the stored session.
    pub(super) async fn open(
        self: &Arc<Self>,
        environments: &Environments,
        record: AccountRecord,
    ) -> Result<Opened, CommandError> {
        let environment = environments.get(&record.environment).await?;
        if !environment.has_sign_in_of(&record.authority, &record.client_id) {
            // The environment was edited: the keyring entry belongs to another provider or client.
            return Err(CommandError::NotSignedIn);
        }
        if !record.renewable {
            // Its access token was in memory only.
            return Err(CommandError::SessionEnded {
                support: Box::default(),
            });
        }
        let read = self.vault.read(&record.vault_entry());
        let (clock, rng) = (Arc::clone(&self.clock), Arc::clone(&self.rng));
        let network = self.network.clone();
        let open = move |text: Option<SecretString>| {
            // The account is known and its entry is missing: some locked keyrings answer so. That is not a sign-out.
            let token = StoredRefreshToken::parse(text).ok_or(VaultError::Unavailable)?;
            let provider = Arc::new(Provider::new(environment.clone(), clock, rng, &network));
            let (generation, id_token) = (token.generation, token.id_token.clone());
            let active = ActiveSession::new(environment, provider, record, Some(token), None, None);
            active.set_stored_generation(generation);
            active.set_id_token(id_token);
            Ok(Arc::new(active))
        };
        match answer_within(&self.clock, RESTORE_TIMEOUT, read).await {
            Ok(text) => open(text?).map(Opened::Session),
            Err(read) => Ok(Opened::Waiting(Box::pin(async move { open(read.await?) }))),
        }
    }
}

/// The stored session, or what is left to do until the keyring answers.
pub(super) enum Opened {
    Session(Arc<ActiveSession>),
    Waiting(BoxFuture<'static, Result<Arc<ActiveSession>, CommandError>>),
}

fn is_starting(state: &SessionState) -> bool {
    matches!(state, SessionState::Starting)
}
