//! The completion of an attempt: accepts the authorization response once, exchanges the code and starts the session.

use std::sync::Arc;

use super::attempt::{PendingAuthorization, Phase};
use super::authorization_response::{self, AuthorizationResponse, ExpectedResponse};
use super::loopback::CallbackHandler;
use super::{ATTEMPT_LIFETIME, Outcome, SignIn, refusal};
use crate::BoxFuture;
use crate::provider::ProviderError;
use crate::session::{NewSession, SessionState};
use crate::views::{CallbackRefusal, CommandError};

impl SignIn {
    /// Handles a callback address, which any program may have sent.
    pub(crate) async fn handle_callback(self: &Arc<Self>, address: &str) -> Outcome {
        let accepted = match self.accept(address) {
            Ok(accepted) => accepted,
            Err(error) => {
                self.show_rejection(&error);
                return Err(error);
            }
        };
        self.changes.notify();
        self.host.bring_to_front();
        // A task of its own, so that the exchange goes on if the caller stops waiting.
        let sign_in = Arc::clone(self);
        let completion = tokio::spawn(async move { sign_in.complete(accepted).await });
        completion
            .await
            .unwrap_or(Err(CommandError::NothingToContinue))
    }

    /// Takes the pending authorization out of the attempt, so that no second response is accepted.
    fn accept(&self, address: &str) -> Result<AcceptedResponse, CommandError> {
        let now = self.clock.monotonic();
        let mut state = self.lock();
        let Some(attempt) = state.attempt.as_mut() else {
            return Err(CommandError::NothingToContinue);
        };
        let Phase::Waiting(pending) = &attempt.phase else {
            return Err(refusal(CallbackRefusal::OtherAttempt));
        };
        let response =
            authorization_response::parse(address, &expected_response(pending)).map_err(refusal)?;
        if now.saturating_sub(pending.started) > ATTEMPT_LIFETIME {
            return Err(refusal(CallbackRefusal::TooLate));
        }
        attempt.error = None;
        let finishing = Phase::Finishing {
            environment: Box::new(pending.environment.clone()),
        };
        match std::mem::replace(&mut attempt.phase, finishing) {
            Phase::Waiting(pending) => Ok(AcceptedResponse {
                attempt_id: attempt.id,
                pending,
                response,
            }),
            Phase::Preparing | Phase::Finishing { .. } => Err(CommandError::NothingToContinue),
        }
    }

    async fn complete(self: Arc<Self>, accepted: AcceptedResponse) -> Outcome {
        let AcceptedResponse {
            attempt_id,
            pending,
            response,
        } = accepted;
        let PendingAuthorization {
            environment,
            provider,
            secrets,
            redirect_uri,
            asked_for_password,
            ..
        } = *pending;
        let exchanged = match response {
            AuthorizationResponse::Code(code) => {
                provider.exchange_code(code, secrets, &redirect_uri).await
            }
            AuthorizationResponse::Error(code) => Err(ProviderError::OAuth { code }),
        };
        let tokens = match exchanged {
            Ok(tokens) => tokens,
            Err(error) => {
                let error = self.command_error(&error, &environment);
                self.fail(attempt_id, &error);
                return Err(error);
            }
        };
        let (mut expected_subject, mut remember) = (None, true);
        let is_current = self.update(attempt_id, |attempt| {
            expected_subject = attempt.options.expected_subject.clone();
            remember = attempt.options.remember;
        });
        let other_account = expected_subject
            .is_some_and(|expected| expected != tokens.identity.subject)
            .then(|| CommandError::OtherAccount {
                username: tokens.identity.username.clone().into(),
            });
        // Of a session without a refresh token the access token.
        let (access, refresh) = (&tokens.tokens.access, &tokens.tokens.refresh);
        let token = refresh.as_ref().unwrap_or(access).clone();
        let new_session = NewSession {
            environment,
            provider: Arc::clone(&provider),
            signed_in: tokens,
            remembered: remember,
            asked_for_password,
        };
        let started = is_current
            && other_account.is_none()
            && self
                .session
                .start(new_session, || self.commit(attempt_id))
                .await;
        if !started {
            // The attempt was cancelled meanwhile, or somebody else answered it, so its tokens are not used.
            provider.revoke_unused(&token).await;
            let error = other_account.unwrap_or(CommandError::NothingToContinue);
            self.fail(attempt_id, &error);
            return Err(error);
        }
        let finished = self.take(attempt_id);
        if let Some(attempt) = finished {
            attempt.finish(Ok(()));
        }
        self.changes.notify();
        Ok(())
    }

    /// Makes the attempt one that cannot be cancelled. Returns false if it is not the current one any more.
    fn commit(&self, attempt_id: u64) -> bool {
        self.update(attempt_id, |attempt| attempt.is_committed = true)
    }

    /// Ends the attempt with an error.
    pub(super) fn fail(&self, attempt_id: u64, error: &CommandError) {
        let Some(attempt) = self.take(attempt_id) else {
            return;
        };
        // The error of a silent attempt goes to its receiver alone.
        if !attempt.options.silent {
            match self.session.state() {
                SessionState::SignedOut { .. } => self.session.set(SessionState::SignedOut {
                    error: Some(error.clone()),
                }),
                // The session goes on: only signing in again failed.
                SessionState::SignedIn(_) | SessionState::Starting => {
                    self.lock().error = Some(error.clone());
                }
            }
        }
        attempt.finish(Err(error.clone()));
        self.changes.notify();
    }

    /// Shows why a callback was rejected. The attempt goes on.
    fn show_rejection(&self, error: &CommandError) {
        let mut state = self.lock();
        if let Some(attempt) = state.attempt.as_mut() {
            attempt.error = Some(error.clone());
            drop(state);
            self.changes.notify();
            return;
        }
        drop(state);
        // No attempt waits: the sign-in screen shows it. It does not disturb a session.
        if matches!(
            self.session.state(),
            SessionState::SignedOut { error: None }
        ) {
            self.session.set(SessionState::SignedOut {
                error: Some(refusal(CallbackRefusal::OtherAttempt)),
            });
        }
    }

    /// Handles the requests to the loopback redirect URI of an attempt.
    pub(super) fn loopback_callback(self: &Arc<Self>, attempt_id: u64) -> CallbackHandler {
        let sign_in = Arc::downgrade(self);
        Arc::new(move |address| {
            let sign_in = sign_in.clone();
            let handled: BoxFuture<'static, bool> = Box::pin(async move {
                let Some(sign_in) = sign_in.upgrade() else {
                    return false;
                };
                // Any program on this computer can reach the port, so what is rejected has no effect at all.
                if !sign_in.update(attempt_id, |_| ()) || !sign_in.would_accept(&address) {
                    return false;
                }
                tokio::spawn(async move { sign_in.handle_callback(&address).await });
                true
            });
            handled
        })
    }

    fn would_accept(&self, address: &str) -> bool {
        match self.lock().attempt.as_ref().map(|attempt| &attempt.phase) {
            Some(Phase::Waiting(pending)) => {
                authorization_response::parse(address, &expected_response(pending)).is_ok()
            }
            Some(Phase::Preparing | Phase::Finishing { .. }) | None => false,
        }
    }
}

fn expected_response(pending: &PendingAuthorization) -> ExpectedResponse<'_> {
    ExpectedResponse {
        redirect_uri: &pending.redirect_uri,
        state: &pending.secrets.state,
        issuer: pending.environment.issuer(),
        requires_issuer: pending.requires_issuer,
    }
}

/// The authorization response of an attempt, with what is needed to exchange its code.
struct AcceptedResponse {
    attempt_id: u64,
    pending: Box<PendingAuthorization>,
    response: AuthorizationResponse,
}
