//! The answer to an attempt: taken once, redeemed, and shown.

use std::sync::Arc;

use super::attempt::{Attempt, Phase};
use super::callback::{self, Answer, Expected};
use super::loopback::Deliver;
use super::{Outcome, SignIn, TOO_LATE, refusal};
use crate::BoxFuture;
use crate::provider::ProviderError;
use crate::session::State;
use crate::views::{CallbackRefusal, CommandError};

impl SignIn {
    /// An address came back. It may be anybody's.
    pub(crate) async fn answer(self: &Arc<Self>, address: &str) -> Outcome {
        let taken = match self.take(address) {
            Ok(taken) => taken,
            Err(error) => {
                self.refused(&error);
                return Err(error);
            }
        };
        self.changes.bump();
        self.host.bring_to_front();
        // A task of its own: who pasted the address may stop waiting.
        let sign_in = Arc::clone(self);
        let finishing = tokio::spawn(async move { sign_in.finish(taken).await });
        finishing
            .await
            .unwrap_or(Err(CommandError::NothingToContinue))
    }

    /// Takes the attempt that the address answers, which no other address can then answer again.
    fn take(&self, address: &str) -> Result<Taken, CommandError> {
        let now = self.clock.monotonic();
        let mut state = self.lock();
        let Some(current) = state.current.as_mut() else {
            return Err(CommandError::NothingToContinue);
        };
        let Phase::Waiting(attempt) = &current.phase else {
            return Err(refusal(CallbackRefusal::OtherAttempt));
        };
        let expected = Expected {
            redirect_uri: &attempt.redirect_uri,
            state: &attempt.secrets.state,
            issuer: attempt.environment.issuer(),
        };
        let answer = callback::read(address, &expected).map_err(refusal)?;
        if now.saturating_sub(attempt.began) > TOO_LATE {
            return Err(refusal(CallbackRefusal::TooLate));
        }
        current.trouble = None;
        let finishing = Phase::Finishing {
            environment: Box::new(attempt.environment.clone()),
        };
        match std::mem::replace(&mut current.phase, finishing) {
            Phase::Waiting(attempt) => Ok(Taken {
                number: current.number,
                attempt,
                answer,
            }),
            Phase::Preparing | Phase::Finishing { .. } => Err(CommandError::NothingToContinue),
        }
    }

    async fn finish(self: Arc<Self>, taken: Taken) -> Outcome {
        let Taken {
            number,
            attempt,
            answer,
        } = taken;
        let Attempt {
            environment,
            provider,
            secrets,
            redirect_uri,
            ..
        } = *attempt;
        let redeemed = match answer {
            Answer::Code(code) => provider.redeem(code, secrets, &redirect_uri).await,
            Answer::Refused(code) => Err(ProviderError::Refused { code }),
        };
        let signed_in = match redeemed {
            Ok(signed_in) => signed_in,
            Err(error) => {
                let error = error.into_command_error(&environment, self.support());
                self.over(number, &error);
                return Err(error);
            }
        };
        if !self.with(number, |_| ()) {
            // Given up meanwhile: what was granted is given back.
            if let Some(token) = &signed_in.tokens.refresh {
                let _ = provider.revoke(token).await;
            }
            return Err(CommandError::NothingToContinue);
        }
        self.session.begin(environment, provider, signed_in).await;
        let done = self
            .lock()
            .current
            .take_if(|current| current.number == number);
        if let Some(current) = done {
            current.finish(Ok(()));
        }
        self.changes.bump();
        Ok(())
    }

    /// The attempt has failed for good.
    pub(super) fn over(&self, number: u64, error: &CommandError) {
        let Some(current) = self
            .lock()
            .current
            .take_if(|current| current.number == number)
        else {
            return;
        };
        // A silent attempt has somebody who waits for its end.
        if !current.wish.silent {
            match self.session.state() {
                State::SignedOut { .. } => self.session.set(State::SignedOut {
                    trouble: Some(error.clone()),
                }),
                // Who is signed in stays so: only a new sign-in failed.
                State::SignedIn(_) | State::Starting => self.lock().trouble = Some(error.clone()),
            }
        }
        current.finish(Err(error.clone()));
        self.changes.bump();
    }

    /// Shows why an address was not used; the attempt goes on.
    fn refused(&self, error: &CommandError) {
        let mut state = self.lock();
        match state.current.as_mut() {
            Some(current) => current.trouble = Some(error.clone()),
            None => {
                drop(state);
                // A late answer finds the sign-in screen, and it says so there. It disturbs nobody who is signed in.
                if matches!(self.session.state(), State::SignedOut { trouble: None }) {
                    let trouble = Some(refusal(CallbackRefusal::OtherAttempt));
                    self.session.set(State::SignedOut { trouble });
                }
                return;
            }
        }
        drop(state);
        self.changes.bump();
    }

    pub(super) fn deliver(self: &Arc<Self>, number: u64) -> Deliver {
        let sign_in = Arc::downgrade(self);
        Arc::new(move |address| {
            let sign_in = sign_in.clone();
            let delivered: BoxFuture<'static, bool> = Box::pin(async move {
                let Some(sign_in) = sign_in.upgrade() else {
                    return false;
                };
                // Anybody on this computer can reach the port, so what does not fit leaves no trace there.
                if !sign_in.with(number, |_| ()) || sign_in.is_refused(&address) {
                    return false;
                }
                tokio::spawn(async move { sign_in.answer(&address).await });
                true
            });
            delivered
        })
    }

    fn is_refused(&self, address: &str) -> bool {
        let state = self.lock();
        let Some(Phase::Waiting(attempt)) = state.current.as_ref().map(|current| &current.phase)
        else {
            return true;
        };
        let (state, issuer) = (&attempt.secrets.state, attempt.environment.issuer());
        callback::read(
            address,
            &Expected {
                redirect_uri: &attempt.redirect_uri,
                state,
                issuer,
            },
        )
        .is_err()
    }
}

/// An attempt with its answer.
struct Taken {
    number: u64,
    attempt: Box<Attempt>,
    answer: Answer,
}
