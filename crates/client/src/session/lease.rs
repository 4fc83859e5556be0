//! Leases of the access token, and what calls report about the connection.

use std::sync::Arc;

use super::access_token::AccessToken;
use super::error::LeaseError;
use super::refresh::RefreshReason;
use super::{AccessTokenLease, ActiveSession, Session, SessionState};

impl Session {
    /// Leases the access token. It is refreshed first if it is about to expire, or if its generation is not higher than
    /// `rejected`, which the gateway has rejected.
    pub(crate) async fn lease_access_token(
        self: &Arc<Self>,
        active: &Arc<ActiveSession>,
        rejected: Option<u64>,
    ) -> Result<AccessTokenLease, LeaseError> {
        let active = &self.successor_of(active);
        let is_usable = |token: &AccessToken| {
            token.is_fresh(self.clock.as_ref()) && token.is_newer_than(rejected)
        };
        if let Some(lease) = active.lease(is_usable).await {
            return Ok(lease);
        }
        if active.has_ended() {
            return Err(LeaseError::Ended);
        }
        self.refresh_in_task(active, RefreshReason::Needed { rejected })
            .await?;
        active
            .lease(|token| token.is_newer_than(rejected))
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
}
