//! The refresh of the access token: one at a time on this computer, not cancellable, stored before it is used.
//!
//! A rotating refresh token that is exchanged without its successor being stored ends the session. So a token is only
//! exchanged if its successor can probably be stored (decision 0052).

use std::sync::Arc;

use super::access_token::AccessToken;
use super::error::LeaseError;
use super::refresh_token::{RefreshLock, StoredRefreshToken, lock_path};
use super::{ActiveSession, Session, SessionState};
use crate::provider::{ProviderError, TokenSet};
use crate::vault::{KEYRING_TIMEOUT, VaultError, answer_within};
use crate::views::{CommandError, VaultProblem};

/// Why the access token is replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RefreshReason {
    /// A call needs another token than the present one, because it expires or because the gateway rejected this
    /// generation.
    Needed { rejected: Option<u64> },
    /// The present token is valid for some time yet (see [`AccessToken::is_due`]). Nothing is risked for it.
    Ahead,
}

impl Session {
    pub(super) async fn refresh(
        self: &Arc<Self>,
        active: &Arc<ActiveSession>,
        reason: RefreshReason,
    ) -> Result<(), LeaseError> {
        let clock = &self.clock;
        // Single flight: a second caller waits here and finds the new token.
        let mut refresh_token = active.refresh_token().lock().await;
        if self.has_usable_token(active, reason).await {
            return Ok(());
        }
        if active.is_closing() {
            return Err(LeaseError::Closing);
        }
        if !active.is_renewable() {
            return Err(self.end(active));
        }
        if active.is_waiting_for_vault() {
            return Err(LeaseError::Vault(VaultError::TimedOut));
        }
        let entry = active.record().vault_entry();
        let lock = RefreshLock::acquire(clock, &lock_path(&self.locks, &entry))
            .await
            .map_err(|error| LeaseError::Locked(Arc::new(error)))?;
        let lock = Arc::new(lock);
        let storable = self
            .load_newer_token(active, &mut refresh_token, &entry, &lock)
            .await?;
        if !storable && active.is_remembered() && reason == RefreshReason::Ahead {
            return Err(LeaseError::Vault(VaultError::Unavailable));
        }
        // Waits for calls under way: the exchange may invalidate their access token.
        let mut access_token = active.access_token().write().await;
        let (tokens, used) = self
            .exchange(active, &mut refresh_token, &entry, reason)
            .await?;
        let TokenSet {
            access,
            refresh,
            expires_in,
        } = tokens;
        let next = StoredRefreshToken {
            generation: used.generation + 1,
            token: refresh.unwrap_or(used.token),
            id_token: used.id_token,
        };
        if storable {
            let write = self.vault.write(&entry, next.to_secret());
            match answer_within(clock, KEYRING_TIMEOUT, write).await {
                Ok(Ok(())) => {
                    active.set_stored_generation(next.generation);
                    self.show_vault_problem(active, None);
                    self.write_refresh_in_flight(active, None).await;
                }
                Ok(Err(error)) => self.show_vault_problem(active, Some(error.problem())),
                // Another process waits until it has been written: it would else exchange the former token again.
                Err(write) => {
                    self.await_late_write(active, write, next.generation, Some(Arc::clone(&lock)));
                }
            }
        }
        let (clock, rng) = (clock.as_ref(), self.rng.as_ref());
        let published = AccessToken::new(access, next.generation, expires_in, clock, rng);
        active.set_access_token_expires(published.expires());
        *access_token = Some(published);
        *refresh_token = Some(next);
        drop(access_token);
        active.set_online(clock.now());
        self.changes.notify();
        Ok(())
    }

    /// Whether the present access token needs no refresh for this reason.
    async fn has_usable_token(&self, active: &ActiveSession, reason: RefreshReason) -> bool {
        let clock = self.clock.as_ref();
        let lease = active.lease(|token| match reason {
            RefreshReason::Needed { rejected } => {
                token.is_fresh(clock) && token.is_newer_than(rejected)
            }
            RefreshReason::Ahead => !token.is_due(clock),
        });
        lease.await.is_some()
    }

    /// Exchanges the refresh token. Returns the new tokens and the token that was exchanged.
    async fn exchange(
        self: &Arc<Self>,
        active: &Arc<ActiveSession>,
        refresh_token: &mut Option<StoredRefreshToken>,
        entry: &str,
        reason: RefreshReason,
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
                    match self
                        .read_newer_token(active, current.generation, entry)
                        .await?
                    {
                        Some(newer) => *refresh_token = Some(newer),
                        // The access token is still good. The person is told when it ends.
                        None if reason == RefreshReason::Ahead => {
                            active.set_not_renewable();
                            self.changes.notify();
                            return Err(LeaseError::Ended);
                        }
                        None if interrupted => return Err(self.end_interrupted(active).await),
                        None => return Err(self.end(active)),
                    }
                }
                Err(error) => {
                    if error.is_refused() {
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

    /// A token in the keyring that is newer than `generation`. That there is none is only known if the keyring answers.
    async fn read_newer_token(
        self: &Arc<Self>,
        active: &Arc<ActiveSession>,
        generation: u64,
        entry: &str,
    ) -> Result<Option<StoredRefreshToken>, LeaseError> {
        if !active.is_remembered() {
            return Ok(None);
        }
        let read = self.vault.read(entry);
        let stored = match answer_within(&self.clock, KEYRING_TIMEOUT, read).await {
            Ok(Ok(text)) => StoredRefreshToken::parse(text),
            // Without a keyring there is no other process that shares the session.
            Ok(Err(VaultError::Unavailable)) => None,
            Ok(Err(error)) => {
                self.show_vault_problem(active, Some(error.problem()));
                return Err(LeaseError::Vault(error));
            }
            Err(read) => {
                self.await_late_read(active, read);
                return Err(LeaseError::Vault(VaultError::TimedOut));
            }
        };
        Ok(stored.filter(|stored| stored.generation > generation))
    }

    /// Replaces the token in memory by a newer one in the keyring, and returns whether the next one can be stored. While
    /// the keyring is silent it waits for the person, so that nothing is exchanged until it has answered.
    async fn load_newer_token(
        self: &Arc<Self>,
        active: &Arc<ActiveSession>,
        refresh_token: &mut Option<StoredRefreshToken>,
        entry: &str,
        lock: &Arc<RefreshLock>,
    ) -> Result<bool, LeaseError> {
        if !active.is_remembered() {
            return Ok(false);
        }
        let clock = &self.clock;
        let read = match answer_within(clock, KEYRING_TIMEOUT, self.vault.read(entry)).await {
            Ok(answer) => answer.map(StoredRefreshToken::parse),
            Err(read) => {
                self.await_late_read(active, read);
                return Err(LeaseError::Vault(VaultError::TimedOut));
            }
        };
        if let Ok(Some(stored)) = &read {
            active.set_stored_generation(stored.generation);
            if refresh_token
                .as_ref()
                .is_none_or(|current| stored.generation > current.generation)
            {
                *refresh_token = Some(stored.clone());
            }
        }
        let probe = match (&read, refresh_token.as_ref()) {
            // The same token again, to learn whether its successor could be written.
            (Ok(_), Some(current)) => {
                let write = self.vault.write(entry, current.to_secret());
                match answer_within(clock, KEYRING_TIMEOUT, write).await {
                    Ok(answer) => {
                        if answer.is_ok() {
                            active.set_stored_generation(current.generation);
                        }
                        answer
                    }
                    Err(write) => {
                        // The lock is held until then: a late write must not replace another process's newer token.
                        self.await_late_write(
                            active,
                            write,
                            current.generation,
                            Some(Arc::clone(lock)),
                        );
                        return Err(LeaseError::Vault(VaultError::TimedOut));
                    }
                }
            }
            // The account is known and its entry is missing: some locked keyrings answer so.
            (Ok(_), None) => Err(VaultError::Locked),
            (Err(error), _) => Err(*error),
        };
        self.show_vault_problem(active, probe.err().map(VaultError::problem));
        match probe {
            Ok(()) => Ok(true),
            // It will not become available by itself: this session lasts until the program ends.
            Err(VaultError::Unavailable) if refresh_token.is_some() => Ok(false),
            // The person can unlock it, so the token is not exchanged until then.
            Err(error) => Err(LeaseError::Vault(error)),
        }
    }

    pub(super) fn show_vault_problem(&self, active: &ActiveSession, problem: Option<VaultProblem>) {
        if active.set_vault_problem(problem) {
            self.changes.notify();
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
        if !record.remembered {
            return;
        }
        if self
            .active()
            .is_ok_and(|current| current.account_id() != record.id())
        {
            // The session was left meanwhile.
            self.put_into_index(&record).await;
            return;
        }
        if let Err(error) = self.account.write(&record).await {
            tracing::warn!(
                error = &error as &dyn std::error::Error,
                "the account file was not written"
            );
        }
    }

    pub(super) fn end(&self, active: &ActiveSession) -> LeaseError {
        active.set_ended();
        self.changes.notify();
        LeaseError::Ended
    }

    /// Ends the session because the response to the exchange of a token was lost. At a start nobody has seen the session
    /// yet, and the sign-in screen says why it is over; a window that is in use stays as it is.
    async fn end_interrupted(&self, active: &ActiveSession) -> LeaseError {
        active.set_ended();
        self.write_refresh_in_flight(active, None).await;
        self.set_if(
            |state| matches!(state, SessionState::Starting),
            SessionState::SignedOut {
                error: Some(CommandError::SessionInterrupted),
            },
        );
        self.changes.notify();
        LeaseError::Ended
    }
}

impl ProviderError {
    /// Whether the provider has certainly not exchanged the token. A 5xx, a page of a proxy or an answer that cannot be
    /// read may come after the exchange.
    fn is_refused(&self) -> bool {
        match self {
            Self::Unreachable(_) | Self::OAuth { .. } | Self::Unavailable { status: 429 } => true,
            Self::ResponseLost(_)
            | Self::Unavailable { .. }
            | Self::UnexpectedResponse { .. }
            | Self::VerificationFailed { .. }
            | Self::ClockSkew { .. } => false,
        }
    }
}
