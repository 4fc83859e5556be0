//! Sessions of impersonated people: only an access token, in memory.

use std::sync::Arc;
use std::time::Duration;

use secrecy::SecretString;

use super::{AccessToken, AccountRecord, ActiveSession, Session};
use crate::provider::Identity;

impl Session {
    /// A session in which the user of `actor` acts as `identity`. It does not become the active one: a window has it. It is not
    /// remembered, so neither the keyring nor the read cache gets anything of it, and not renewable: it ends with its token.
    pub(crate) fn impersonated(
        &self,
        actor: &ActiveSession,
        identity: Identity,
        access: SecretString,
        expires_in: Duration,
    ) -> Arc<ActiveSession> {
        let record = AccountRecord {
            identity,
            last_answer: self.clock.now(),
            refresh_in_flight: None,
            renewable: false,
            remembered: false,
            ..actor.record()
        };
        let (clock, rng) = (self.clock.as_ref(), self.rng.as_ref());
        Arc::new(ActiveSession::new(
            actor.environment().clone(),
            Arc::clone(actor.provider()),
            record,
            None,
            Some(AccessToken::new(access, 1, expires_in, clock, rng)),
            None,
        ))
    }

    /// Revokes the token of an impersonated session, without waiting for calls under way.
    pub(crate) async fn end_impersonated(&self, session: &ActiveSession) {
        session.close();
        session.set_ended();
        let token = session.access_token().read().await;
        let Some(token) = token.as_ref().map(|token| token.secret.clone()) else {
            return;
        };
        session.provider().revoke_unused(&token).await;
    }
}
