//! Leases of the access token, and what calls report about the connection.

use std::sync::Arc;

use thiserror::Error;

use super::access_token::AccessToken;
use super::refresh::RefreshReason;
use super::refresh_token::LockError;
use super::{AccessTokenLease, ActiveSession, Session, SessionState};
use crate::provider::ProviderError;
use crate::vault::VaultError;
use crate::views::{CommandError, Support};

/// Why no access token is leased.
#[derive(Debug, Clone, Error)]
pub(crate) enum LeaseError {
    /// The session cannot be renewed: the user has to sign in again.
    #[error("the session has ended")]
    Ended,
    /// The refresh failed at the identity provider; the session goes on.
    #[error("the access token could not be refreshed")]
    Provider(#[source] Arc<ProviderError>),
    /// The keyring is locked or silent, and a token whose successor cannot be stored is not exchanged.
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
        let is_usable =
            |token: &AccessToken| token.is_fresh(self.clock.as_ref()) && is_newer(token, rejected);
        if let Some(lease) = active.lease(is_usable).await {
            return Ok(lease);
        }
        if active.has_ended() {
            return Err(LeaseError::Ended);
        }
        self.refresh_in_task(active, RefreshReason::Needed { rejected })
            .await?;
        active
            .lease(|token| is_newer(token, rejected))
            .await
            .ok_or(LeaseError::Closing)
    }

    /// Refreshes in a task of its own, so that the refresh goes on if the caller stops waiting.
    pub(super) async fn refresh_in_task(
        self: &Arc<Self>,
        active: &Arc<ActiveSession>,
        reason: RefreshReason,
    ) -> Result<(), LeaseError> {
        let (session, active) = (Arc::clone(self), Arc::clone(active));
        let refresh = tokio::spawn(async move { session.refresh(&active, reason).await });
        refresh.await.unwrap_or_else(|error| {
            tracing::error!(%error, "the refresh task failed");
            Err(LeaseError::Closing)
        })
    }

    /// The session that has replaced this one, if the same user signed in again.
    fn successor_of(&self, active: &Arc<ActiveSession>) -> Arc<ActiveSession> {
        match self.state() {
            SessionState::SignedIn(current)
                if current.account_key() == active.account_key() && !active.is_impersonated() =>
            {
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
}

/// Whether the token is of a later generation than the rejected one.
pub(super) fn is_newer(token: &AccessToken, rejected: Option<u64>) -> bool {
    rejected.is_none_or(|rejected| token.generation > rejected)
}
