//! A session for measurements, with an access token that nobody has issued.

use std::sync::Arc;
use std::time::Duration;

use super::{AccessToken, AccountRecord, ActiveSession, Session, SessionState};
use crate::environments::Environment;
use crate::provider::{Identity, Provider};

impl Session {
    /// Starts a session that lasts a day and cannot be renewed.
    pub(crate) fn start_without_sign_in(
        &self,
        environment: Environment,
        identity: Identity,
        token: &str,
    ) -> Arc<ActiveSession> {
        let record = AccountRecord {
            environment: environment.name().to_owned(),
            authority: environment.authority().to_owned(),
            client_id: environment.client_id().clone(),
            identity,
            last_answer: self.clock.now(),
            refresh_in_flight: None,
            renewable: false,
            remembered: true,
            session: String::new(),
        };
        let (clock, rng) = (Arc::clone(&self.clock), Arc::clone(&self.rng));
        let provider = Provider::new(environment.clone(), clock, rng, &self.network);
        let provider = Arc::new(provider);
        let lifetime = Duration::from_secs(86_400);
        let token = AccessToken::new(
            token.into(),
            1,
            lifetime,
            self.clock.as_ref(),
            self.rng.as_ref(),
        );
        let active = Arc::new(ActiveSession::new(
            environment,
            provider,
            record,
            None,
            Some(token),
            None,
        ));
        self.set(SessionState::SignedIn(Arc::clone(&active)));
        active
    }
}
