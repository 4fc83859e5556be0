//! The refresh of the access token: one at a time on this computer, not cancellable, stored before it is used.
//!
//! A rotating refresh token that is exchanged without its successor being stored ends the session. So a token is only
//! exchanged if its successor can probably be stored (decision 0052).

use std::sync::Arc;

use thiserror::Error;

use super::access_token::AccessToken;
use super::refresh_token::{LockError, RefreshLock, StoredRefreshToken, lock_path};
use super::{AccessTokenLease, ActiveSession, Session, SessionState};
use crate::provider::{ProviderError, TokenSet};
use crate::vault::{KEYRING_TIMEOUT, VaultError};
use crate::views::{CommandError, Support};

/// Why no access token is leased.
#[derive(Debug, Clone, Error)]
pub(crate) enum LeaseError {
    /// The refresh token is invalid: the user has to sign in again.
    #[error("the session has ended")]
    Ended,
    /// The refresh failed at the identity provider; the session goes on.
    #[error("the access token could not be refreshed")]
    Provider(#[source] Arc<ProviderError>),
    /// The keyring is locked, and a token whose successor cannot be stored is not exchanged.
    #[error("the refresh token could not be stored")]
    Vault(#[source] VaultError),
    /// The lock of the account was not acquired.
    #[error("the session is locked")]
    Locked(#[source] Arc<LockError>),
    /// The session is being closed, or its refresh task was aborted.
    #[error("the session is being closed")]
    Closing,
}

impl LeaseError {
    /// The error as a command returns it.
    pub(crate) fn into_command_error(
        self,
        active: &ActiveSession,
        support: Support,
    ) -> CommandError {
        match self {
            Self::Ended => CommandError::SessionEnded {
                support: Box::new(support),
            },
            Self::Provider(error) => error.to_command_error(active.environment(), support),
            Self::Vault(error) => error.into(),
            Self::Locked(_) | Self::Closing => CommandError::Offline {
                support: Box::new(support),
            },
        }
    }
}

impl Session {
    /// Leases the access token. It is refreshed first if it is about to expire, or if its generation is not higher than
    /// `rejected`, which the gateway has rejected.
    pub(crate) async fn lease_access_token(
        self: &Arc<Self>,
        active: &Arc<ActiveSession>,
        rejected: Option<u64>,
    ) -> Result<AccessTokenLease, LeaseError> {
        let active = &self.successor_of(active);
        if let Some(lease) = active.lease(|token| self.is_usable(token, rejected)).await {
            return Ok(lease);
        }
        if active.has_ended() {
            return Err(LeaseError::Ended);
        }
        // A task of its own, so that the refresh goes on if the caller stops waiting.
        let refresh = tokio::spawn({
            let (session, active) = (Arc::clone(self), Arc::clone(active));
            async move { session.refresh(&active, rejected).await }
        });
        match refresh.await {
            Ok(refreshed) => refreshed?,
            Err(error) => {
                tracing::error!(%error, "the refresh task failed");
                return Err(LeaseError::Closing);
            }
        }
        active
            .lease(|token| is_newer(token, rejected))
            .await
            .ok_or(LeaseError::Closing)
    }

    /// The session that has replaced this one, if the same user signed in again.
    fn successor_of(&self, active: &Arc<ActiveSession>) -> Arc<ActiveSession> {
        match self.state() {
            SessionState::SignedIn(current) if current.account_key() == active.account_key() => {
                current
            }
            SessionState::SignedIn(_) | SessionState::Starting | SessionState::SignedOut { .. } => {
                Arc::clone(active)
            }
        }
    }

    /// Records that a server answered.
    pub(crate) fn note_online(&self, active: &ActiveSession) {
        if active.set_online(self.clock.now()) {
            self.changes.notify();
        }
    }

    /// Records that no server can be reached.
    pub(crate) fn note_offline(&self, active: &ActiveSession) {
        if active.set_offline() {
            self.changes.notify();
        }
    }

    /// Records that the session has ended at the identity provider.
    pub(crate) fn note_ended(&self, active: &ActiveSession) {
        if active.set_ended() {
            self.changes.notify();
        }
    }

    fn is_usable(&self, token: &AccessToken, rejected: Option<u64>) -> bool {
        token.is_fresh(self.clock.as_ref()) && is_newer(token, rejected)
    }

    async fn refresh(
        &self,
        active: &ActiveSession,
        rejected: Option<u64>,
    ) -> Result<(), LeaseError> {
        let clock = &self.clock;
        // Single flight: a second caller waits here and finds the new token.
        let mut refresh_token = active.refresh_token().lock().await;
        if active
            .lease(|token| self.is_usable(token, rejected))
            .await
            .is_some()
        {
            return Ok(());
        }
        if active.is_closing() {
            return Err(LeaseError::Closing);
        }
        let entry = active.record().vault_entry();
        let lock = RefreshLock::acquire(clock, &lock_path(&self.locks, &entry))
            .await
            .map_err(|error| LeaseError::Locked(Arc::new(error)))?;
        let storable = self
            .load_newer_token(active, &mut refresh_token, &entry)
            .await?;
        // Waits for calls under way: the exchange may invalidate their access token.
        let mut access_token = active.access_token().write().await;
        let (tokens, used) = self.exchange(active, &mut refresh_token, &entry).await?;
        let TokenSet {
            access,
            refresh,
            expires_in,
        } = tokens;
        let next = StoredRefreshToken {
            generation: used.generation + 1,
            token: refresh.unwrap_or(used.token),
        };
        let mut late_write = None;
        let mut stored = false;
        if storable {
            let mut write = self.vault.write(&entry, next.to_secret());
            let written = tokio::select! {
                written = &mut write => written,
                () = clock.sleep(KEYRING_TIMEOUT) => {
                    late_write = Some(write);
                    Err(VaultError::TimedOut)
                }
            };
            stored = written.is_ok();
            active.set_vault_problem(written.err().map(VaultError::problem));
        }
        if stored {
            self.write_refresh_in_flight(active, None).await;
        }
        *access_token = Some(AccessToken::new(
            access,
            next.generation,
            expires_in,
            clock.as_ref(),
        ));
        *refresh_token = Some(next);
        drop(access_token);
        active.set_online(clock.now());
        self.changes.notify();
        if let Some(write) = late_write
            && write.await.is_ok()
        {
            active.set_vault_problem(None);
            self.write_refresh_in_flight(active, None).await;
            self.changes.notify();
        }
        // Held until the keyring has answered.
        drop(lock);
        Ok(())
    }

    /// Exchanges the refresh token. Returns the new tokens and the token that was exchanged.
    async fn exchange(
        &self,
        active: &ActiveSession,
        refresh_token: &mut Option<StoredRefreshToken>,
        entry: &str,
    ) -> Result<(TokenSet, StoredRefreshToken), LeaseError> {
        loop {
            let Some(current) = refresh_token.clone() else {
                return Err(self.end(active));
            };
            let interrupted = active.record().refresh_in_flight == Some(current.generation);
            self.write_refresh_in_flight(active, Some(current.generation))
                .await;
            match active.provider().refresh(&current.token).await {
                Ok(tokens) => return Ok((tokens, current)),
                Err(error) if error.is_invalid_grant() => {
                    // Another process may have exchanged it and stored the successor without our lock.
                    let stored = StoredRefreshToken::read(
                        self.vault.as_ref(),
                        &self.clock,
                        KEYRING_TIMEOUT,
                        entry,
                    )
                    .await
                    .ok()
                    .flatten();
                    match stored.filter(|stored| stored.generation > current.generation) {
                        Some(newer) => *refresh_token = Some(newer),
                        None if interrupted => return Err(self.end_interrupted(active).await),
                        None => return Err(self.end(active)),
                    }
                }
                Err(error) => {
                    if !matches!(error, ProviderError::ResponseLost(_)) {
                        // It was not exchanged. If the response was lost it may have been, and the marker stays.
                        self.write_refresh_in_flight(active, None).await;
                    }
                    if error.is_offline() {
                        self.note_offline(active);
                    } else if active.is_online() {
                        self.note_online(active);
                    }
                    return Err(LeaseError::Provider(Arc::new(error)));
                }
            }
        }
    }

    /// Replaces the token in memory by a newer one in the keyring, and returns whether the next one can be stored.
    async fn load_newer_token(
        &self,
        active: &ActiveSession,
        refresh_token: &mut Option<StoredRefreshToken>,
        entry: &str,
    ) -> Result<bool, LeaseError> {
        let (vault, clock) = (self.vault.as_ref(), &self.clock);
        let read = StoredRefreshToken::read(vault, clock, KEYRING_TIMEOUT, entry).await;
        if let Ok(Some(stored)) = &read
            && refresh_token
                .as_ref()
                .is_none_or(|current| stored.generation > current.generation)
        {
            *refresh_token = Some(stored.clone());
        }
        let probe = match (&read, refresh_token.as_ref()) {
            (Ok(_), Some(current)) => current.probe_write(vault, clock, entry).await,
            // The account is known and its entry is missing: some locked keyrings answer so.
            (Ok(_), None) => Err(VaultError::Locked),
            (Err(error), _) => Err(*error),
        };
        let previous = active.vault_problem();
        active.set_vault_problem(probe.err().map(VaultError::problem));
        if active.vault_problem() != previous {
            self.changes.notify();
        }
        match probe {
            Ok(()) => Ok(true),
            // The user can unlock it, so the token is not exchanged until then.
            Err(VaultError::Locked) => Err(LeaseError::Vault(VaultError::Locked)),
            // It will not become available by itself: this session lasts until the program ends.
            Err(_) if refresh_token.is_some() => Ok(false),
            Err(error) => Err(LeaseError::Vault(error)),
        }
    }

    /// Stores which generation is being exchanged, see
    /// [`AccountRecord::refresh_in_flight`](super::AccountRecord::refresh_in_flight).
    pub(super) async fn write_refresh_in_flight(
        &self,
        active: &ActiveSession,
        generation: Option<u64>,
    ) {
        let record = active.set_refresh_in_flight(generation);
        if let Err(error) = self.account.write(&record).await {
            tracing::warn!(
                error = &error as &dyn std::error::Error,
                "the account file was not written"
            );
        }
    }

    fn end(&self, active: &ActiveSession) -> LeaseError {
        active.set_ended();
        self.changes.notify();
        LeaseError::Ended
    }

    /// Ends the session because the program stopped between the exchange of a token and the storing of its successor.
    async fn end_interrupted(&self, active: &ActiveSession) -> LeaseError {
        active.set_ended();
        self.write_refresh_in_flight(active, None).await;
        let is_this = |state: &SessionState| match state {
            SessionState::Starting => true,
            SessionState::SignedIn(current) => std::ptr::eq(Arc::as_ptr(current), active),
            SessionState::SignedOut { .. } => false,
        };
        self.set_if(
            is_this,
            SessionState::SignedOut {
                error: Some(CommandError::SessionInterrupted),
            },
        );
        LeaseError::Ended
    }
}

fn is_newer(token: &AccessToken, rejected: Option<u64>) -> bool {
    rejected.is_none_or(|rejected| token.generation > rejected)
}
