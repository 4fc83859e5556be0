//! A sign-in attempt: its state, and what the screen shows of it.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::oneshot;
use url::Url;

use super::SignInOptions;
use super::loopback::LoopbackServer;
use crate::environments::Environment;
use crate::provider::{AuthorizationSecrets, Provider};
use crate::views::{CallbackMethod, CommandError, SessionView};

/// The current attempt.
pub(super) struct Attempt {
    /// Tells attempts apart.
    pub(super) id: u64,
    pub(super) options: SignInOptions,
    pub(super) phase: Phase,
    /// More than 25 seconds have passed.
    pub(super) slow: bool,
    /// Why the last callback was rejected, or the browser not opened.
    pub(super) error: Option<CommandError>,
    /// The session is being stored: the attempt cannot be cancelled any more.
    pub(super) is_committed: bool,
    outcome: oneshot::Sender<Result<(), CommandError>>,
}

/// The phase of an attempt. Only an attempt that waits for the authorization response holds the secrets.
pub(super) enum Phase {
    /// The discovery document is being fetched.
    Preparing,
    /// The browser was opened.
    Waiting(Box<PendingAuthorization>),
    /// The code is being exchanged.
    Finishing { environment: Box<Environment> },
}

/// An authorization request without a response yet.
pub(super) struct PendingAuthorization {
    pub(super) environment: Environment,
    pub(super) provider: Arc<Provider>,
    pub(super) secrets: AuthorizationSecrets,
    pub(super) redirect_uri: String,
    /// Whether a response without `iss` is refused.
    pub(super) requires_issuer: bool,
    pub(super) address: Url,
    pub(super) callback_method: CallbackMethod,
    /// Whether the request has `prompt=login`.
    pub(super) asked_for_password: bool,
    /// Listens as long as the request is pending.
    pub(super) _loopback: Option<LoopbackServer>,
    /// When the attempt began, by the monotonic clock.
    pub(super) started: Duration,
}

impl Attempt {
    /// A new attempt, and the receiver of its outcome.
    pub(super) fn new(
        id: u64,
        options: SignInOptions,
    ) -> (Self, oneshot::Receiver<Result<(), CommandError>>) {
        let (outcome, receiver) = oneshot::channel();
        let attempt = Self {
            id,
            options,
            phase: Phase::Preparing,
            slow: false,
            error: None,
            is_committed: false,
            outcome,
        };
        (attempt, receiver)
    }

    /// Ends the attempt and sends its outcome.
    pub(super) fn finish(self, outcome: Result<(), CommandError>) {
        // Only a silent attempt has a receiver.
        let _ = self.outcome.send(outcome);
    }

    /// What the screen shows. A silent attempt is not shown.
    pub(super) fn view(&self) -> Option<SessionView> {
        if self.options.silent {
            return None;
        }
        match &self.phase {
            Phase::Preparing => None,
            Phase::Waiting(pending) => Some(SessionView::Waiting {
                environment: pending.environment.view(),
                address: pending.address.to_string(),
                callback_method: pending.callback_method,
                slow: self.slow,
                error: self.error.clone(),
            }),
            Phase::Finishing { environment } => Some(SessionView::Finishing {
                environment: environment.view(),
            }),
        }
    }
}
