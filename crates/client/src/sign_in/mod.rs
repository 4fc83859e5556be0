//! Sign-in: one attempt at a time, from opening the browser to a verified identity.

mod attempt;
mod authorization_response;
mod completion;
mod loopback;
mod preparation;
#[cfg(test)]
mod tests;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use invoicing_contract::SubjectId;
use tokio::sync::oneshot;

use crate::change_notifier::ChangeNotifier;
use crate::environments::{Environment, Environments};
use crate::provider::ProviderError;
use crate::session::Session;
use crate::views::{CallbackRefusal, CommandError, SessionView, Support};
use crate::{BrowserNotOpened, Clock, Host, Rng};

use attempt::{Attempt, Phase};

/// After this time the screen offers other callback methods.
const SLOW_AFTER: Duration = Duration::from_secs(25);
/// An authorization response is rejected if the attempt is older.
const ATTEMPT_LIFETIME: Duration = Duration::from_secs(600);

type Outcome = Result<(), CommandError>;

/// Runs at most one attempt.
pub(crate) struct SignIn {
    clock: Arc<dyn Clock>,
    rng: Arc<dyn Rng>,
    host: Arc<dyn Host>,
    environments: Arc<Environments>,
    session: Arc<Session>,
    changes: Arc<ChangeNotifier>,
    state: Mutex<SignInState>,
}

#[derive(Default)]
struct SignInState {
    last_id: u64,
    attempt: Option<Attempt>,
    /// Why the last attempt failed that was made during a session.
    error: Option<CommandError>,
    /// The environment of the last attempt or session.
    last_environment: Option<String>,
}

/// The parameters of an attempt.
#[derive(Debug, Clone)]
pub(crate) struct SignInOptions {
    pub(crate) environment: String,
    /// Language of the sign-in page, as `ar`.
    pub(crate) language: Option<&'static str>,
    /// Use a loopback redirect URI even if the application's URI scheme is registered.
    pub(crate) loopback: bool,
    /// To get new claims of the signed-in user: not shown on the screen, and without interaction if the provider allows it.
    pub(crate) silent: bool,
    /// The only subject whose answer is accepted.
    pub(crate) expected_subject: Option<SubjectId>,
    /// Whether the session is stored for the next start.
    pub(crate) remember: bool,
    /// The user confirms a silent attempt in the browser, because the provider requires it.
    pub(crate) confirmed: bool,
}

impl SignIn {
    pub(crate) fn new(
        clock: Arc<dyn Clock>,
        rng: Arc<dyn Rng>,
        host: Arc<dyn Host>,
        environments: Arc<Environments>,
        session: Arc<Session>,
        changes: Arc<ChangeNotifier>,
    ) -> Self {
        Self {
            clock,
            rng,
            host,
            environments,
            session,
            changes,
            state: Mutex::default(),
        }
    }

    /// What the screen shows of the current attempt. `None` if there is none, or it is silent.
    pub(crate) fn view(&self) -> Option<SessionView> {
        self.lock().attempt.as_ref()?.view()
    }

    /// Why the last attempt failed that was made during a session.
    pub(crate) fn error(&self) -> Option<CommandError> {
        self.lock().error.clone()
    }

    /// The environment of the last attempt or session.
    pub(crate) fn last_environment(&self) -> Option<String> {
        self.lock().last_environment.clone()
    }

    /// Sets the environment that the sign-in screen offers first.
    pub(crate) fn set_last_environment(&self, environment: &str) {
        self.lock().last_environment = Some(environment.to_owned());
    }

    /// Opens the browser. Cancels the current attempt, if there is one.
    pub(crate) async fn start(self: &Arc<Self>, options: SignInOptions) -> Outcome {
        self.start_attempt(options).await.map(|_| ())
    }

    /// Signs in for a new id_token and waits for the outcome: without interaction, or if the provider requires one, with it.
    pub(crate) async fn start_silently(self: &Arc<Self>, options: SignInOptions) -> Outcome {
        let options = SignInOptions {
            silent: true,
            ..options
        };
        match self.complete_attempt(options.clone()).await {
            Err(CommandError::SignInRefused { code }) if requires_interaction(&code) => {
                let confirmed = true;
                self.complete_attempt(SignInOptions {
                    confirmed,
                    ..options
                })
                .await
            }
            outcome => outcome,
        }
    }

    /// Starts an attempt and waits for its outcome.
    async fn complete_attempt(self: &Arc<Self>, options: SignInOptions) -> Outcome {
        let outcome = self.start_attempt(options).await?;
        outcome
            .await
            .unwrap_or(Err(CommandError::NothingToContinue))
    }

    /// Opens the browser again with the same address.
    pub(crate) fn reopen_browser(&self) -> Outcome {
        let address = match self.lock().attempt.as_ref().map(|attempt| &attempt.phase) {
            Some(Phase::Waiting(pending)) => pending.address.clone(),
            Some(Phase::Preparing | Phase::Finishing { .. }) | None => {
                return Err(CommandError::NothingToContinue);
            }
        };
        Ok(self.host.open_browser(&address)?)
    }

    /// Restarts the current attempt with a loopback redirect URI.
    pub(crate) async fn use_loopback(self: &Arc<Self>) -> Outcome {
        let options = self
            .lock()
            .attempt
            .as_ref()
            .map(|attempt| attempt.options.clone())
            .ok_or(CommandError::NothingToContinue)?;
        self.start(SignInOptions {
            loopback: true,
            ..options
        })
        .await
    }

    /// Cancels the current attempt.
    ///
    /// # Errors
    /// [`CommandError::NothingToContinue`]: there is none, or its session is being stored.
    pub(crate) fn cancel(&self) -> Outcome {
        let cancelled = self.lock().attempt.take_if(|attempt| !attempt.is_committed);
        self.changes.notify();
        cancelled
            .map(|attempt| attempt.finish(Err(CommandError::NothingToContinue)))
            .ok_or(CommandError::NothingToContinue)
    }

    async fn start_attempt(
        self: &Arc<Self>,
        options: SignInOptions,
    ) -> Result<oneshot::Receiver<Outcome>, CommandError> {
        let (replaced, id, outcome) = {
            let mut state = self.lock();
            state.last_id += 1;
            state.error = None;
            state.last_environment = Some(options.environment.clone());
            let id = state.last_id;
            let (attempt, outcome) = Attempt::new(id, options.clone());
            (state.attempt.replace(attempt), id, outcome)
        };
        // Its screen goes with it, and the words that the screen would have for a failure of this one.
        let leaves_screen = replaced.as_ref().is_some_and(|it| it.view().is_some());
        if let Some(replaced) = replaced {
            replaced.finish(Err(CommandError::NothingToContinue));
        }
        let prepared = self.prepare(id, &options).await;
        let mut state = self.lock();
        let Some(attempt) = state.attempt.as_mut().filter(|attempt| attempt.id == id) else {
            return Err(CommandError::NothingToContinue);
        };
        let pending = match prepared {
            Ok(pending) => pending,
            Err(error) if leaves_screen => {
                drop(state);
                self.fail(id, &error);
                return Err(error);
            }
            Err(error) => {
                state.attempt = None;
                drop(state);
                self.changes.notify();
                return Err(error);
            }
        };
        let address = pending.address.clone();
        attempt.phase = Phase::Waiting(Box::new(pending));
        drop(state);
        self.session.clear_error();
        if let Err(error) = self.host.open_browser(&address) {
            self.update(id, |attempt| attempt.error = Some(error.into()));
        }
        self.changes.notify();
        self.spawn_timeouts(id);
        Ok(outcome)
    }

    /// Marks the attempt as slow after [`SLOW_AFTER`] and ends it after [`ATTEMPT_LIFETIME`].
    fn spawn_timeouts(self: &Arc<Self>, id: u64) {
        let sign_in = Arc::downgrade(self);
        let clock = Arc::clone(&self.clock);
        tokio::spawn(async move {
            clock.sleep(SLOW_AFTER).await;
            let Some(running) = sign_in.upgrade() else {
                return;
            };
            if !running.update(id, |attempt| attempt.slow = true) {
                return;
            }
            running.changes.notify();
            drop(running);
            clock
                .sleep(ATTEMPT_LIFETIME.saturating_sub(SLOW_AFTER))
                .await;
            let Some(running) = sign_in.upgrade() else {
                return;
            };
            // A code that is being exchanged is not interrupted.
            let waiting = running
                .lock()
                .attempt
                .as_ref()
                .is_some_and(|attempt| matches!(attempt.phase, Phase::Waiting(_)));
            if waiting {
                running.fail(id, &refusal(CallbackRefusal::TooLate));
            }
        });
    }

    /// Changes the attempt with this id. Returns false if it is not the current one any more.
    fn update(&self, id: u64, change: impl FnOnce(&mut Attempt)) -> bool {
        let mut state = self.lock();
        let attempt = state.attempt.as_mut().filter(|attempt| attempt.id == id);
        attempt.map(change).is_some()
    }

    /// Removes the attempt with this id, if it is still the current one.
    fn take(&self, id: u64) -> Option<Attempt> {
        self.lock().attempt.take_if(|attempt| attempt.id == id)
    }

    /// Logs an error of the provider with its causes, and converts it.
    fn command_error(&self, error: &ProviderError, environment: &Environment) -> CommandError {
        tracing::info!(error = error as &dyn std::error::Error, "sign-in failed");
        let support = Support {
            operation: "start_sign_in".to_owned(),
            time: self.clock.now().to_string(),
            ..Support::default()
        };
        error.to_command_error(environment, support)
    }

    fn lock(&self) -> MutexGuard<'_, SignInState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl From<BrowserNotOpened> for CommandError {
    fn from(error: BrowserNotOpened) -> Self {
        tracing::warn!(
            error = &error as &dyn std::error::Error,
            "sign-in needs another way to the browser"
        );
        Self::BrowserNotOpened
    }
}

/// Whether a provider refuses `prompt=none` with this error code (OpenID Connect Core, section 3.1.2.6), or a pushed request
/// that the browser opened too late.
fn requires_interaction(code: &str) -> bool {
    matches!(
        code,
        "interaction_required"
            | "login_required"
            | "account_selection_required"
            | "consent_required"
            | "invalid_request_uri"
    )
}

fn refusal(refusal: CallbackRefusal) -> CommandError {
    CommandError::CallbackRefused { refusal }
}
