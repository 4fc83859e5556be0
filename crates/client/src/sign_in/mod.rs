//! Signing in: one attempt at a time, from opening the browser to a verified identity.

mod answer;
mod attempt;
mod callback;
mod loopback;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::oneshot;

use crate::changes::Changes;
use crate::environments::Environments;
use crate::provider::{Asking, Provider, ProviderError, Secrets};
use crate::session::Session;
use crate::views::{CallbackRefusal, CommandError, SessionView, Support, WayBack};
use crate::{Clock, Host, Rng};

use attempt::{Attempt, Current, Phase};
use loopback::Bound;

/// After this the screen offers other ways back.
const SLOW: Duration = Duration::from_secs(25);
/// After this an answer is too old.
const TOO_LATE: Duration = Duration::from_secs(600);

type Outcome = Result<(), CommandError>;

/// The one attempt that may be under way.
pub(crate) struct SignIn {
    clock: Arc<dyn Clock>,
    rng: Arc<dyn Rng>,
    host: Arc<dyn Host>,
    environments: Arc<Environments>,
    session: Arc<Session>,
    changes: Arc<Changes>,
    state: Mutex<Attempts>,
}

#[derive(Default)]
struct Attempts {
    number: u64,
    current: Option<Current>,
    /// Why the last attempt failed while somebody was signed in.
    trouble: Option<CommandError>,
    /// Where the last one went.
    environment: Option<String>,
}

/// What an attempt is to be like.
#[derive(Debug, Clone)]
pub(crate) struct Wish {
    pub(crate) environment: String,
    /// Language of the page, as `ar`.
    pub(crate) language: Option<&'static str>,
    /// Not through the application's scheme, even if that is registered.
    pub(crate) loopback: bool,
    /// Without any question, for new claims of whoever is signed in.
    pub(crate) silent: bool,
}

impl SignIn {
    pub(crate) fn new(
        clock: Arc<dyn Clock>,
        rng: Arc<dyn Rng>,
        host: Arc<dyn Host>,
        environments: Arc<Environments>,
        session: Arc<Session>,
        changes: Arc<Changes>,
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

    /// What the screen shows of an attempt, if one is under way that a person waits for.
    pub(crate) fn view(&self) -> Option<SessionView> {
        self.lock().current.as_ref()?.view()
    }

    /// Why the last attempt failed, if somebody was and is signed in.
    pub(crate) fn trouble(&self) -> Option<CommandError> {
        self.lock().trouble.clone()
    }

    /// Where the last attempt went, or the session that ended.
    pub(crate) fn last_environment(&self) -> Option<String> {
        self.lock().environment.clone()
    }

    /// The next attempt will most likely go there.
    pub(crate) fn remember(&self, environment: &str) {
        self.lock().environment = Some(environment.to_owned());
    }

    /// Opens the browser. Whatever attempt was under way is given up.
    pub(crate) async fn start(self: &Arc<Self>, wish: Wish) -> Outcome {
        self.begin(wish).await.map(|_| ())
    }

    /// Signs in again without a question, for a new id_token, and waits until that is done.
    pub(crate) async fn start_silently(self: &Arc<Self>, wish: Wish) -> Outcome {
        let done = self
            .begin(Wish {
                silent: true,
                ..wish
            })
            .await?;
        done.await.unwrap_or(Err(CommandError::NothingToContinue))
    }

    /// Opens the browser again on the same address.
    pub(crate) fn open_again(&self) -> Outcome {
        let address = match self.lock().current.as_ref().map(|current| &current.phase) {
            Some(Phase::Waiting(attempt)) => attempt.address.clone(),
            Some(Phase::Preparing | Phase::Finishing { .. }) | None => {
                return Err(CommandError::NothingToContinue);
            }
        };
        self.host
            .open_browser(&address)
            .map_err(|_| CommandError::BrowserNotOpened)
    }

    /// Starts the waiting attempt anew with a port of this computer as the way back.
    pub(crate) async fn use_loopback(self: &Arc<Self>) -> Outcome {
        let wish = self
            .lock()
            .current
            .as_ref()
            .map(|current| current.wish.clone());
        let wish = wish.ok_or(CommandError::NothingToContinue)?;
        self.start(Wish {
            loopback: true,
            ..wish
        })
        .await
    }

    /// Gives the attempt up.
    pub(crate) fn cancel(&self) -> Outcome {
        let given_up = self.lock().current.take();
        self.changes.bump();
        given_up
            .map(|current| current.finish(Err(CommandError::NothingToContinue)))
            .ok_or(CommandError::NothingToContinue)
    }

    async fn begin(
        self: &Arc<Self>,
        wish: Wish,
    ) -> Result<oneshot::Receiver<Outcome>, CommandError> {
        let (current, number, done) = {
            let mut state = self.lock();
            state.number += 1;
            state.trouble = None;
            state.environment = Some(wish.environment.clone());
            let number = state.number;
            let (current, done) = Current::new(number, wish.clone());
            (state.current.replace(current), number, done)
        };
        if let Some(given_up) = current {
            given_up.finish(Err(CommandError::NothingToContinue));
        }
        let prepared = self.prepare(number, &wish).await;
        let mut state = self.lock();
        let Some(current) = state
            .current
            .as_mut()
            .filter(|current| current.number == number)
        else {
            return Err(CommandError::NothingToContinue);
        };
        let attempt = match prepared {
            Ok(attempt) => attempt,
            Err(error) => {
                state.current = None;
                drop(state);
                self.changes.bump();
                return Err(error);
            }
        };
        let address = attempt.address.clone();
        current.phase = Phase::Waiting(Box::new(attempt));
        drop(state);
        self.session.forget_trouble();
        if self.host.open_browser(&address).is_err() {
            self.with(number, |current| {
                current.trouble = Some(CommandError::BrowserNotOpened)
            });
        }
        self.changes.bump();
        self.watch_the_clock(number);
        Ok(done)
    }

    async fn prepare(self: &Arc<Self>, number: u64, wish: &Wish) -> Result<Attempt, CommandError> {
        let environment = self.environments.get(&wish.environment).await?;
        let provider = Arc::new(Provider::new(environment.clone(), Arc::clone(&self.clock)));
        let failed = |error: ProviderError| error.into_command_error(&environment, self.support());
        provider.greet().await.map_err(failed)?;

        let loopback = if wish.loopback || !self.host.scheme_registered() {
            let bound = Bound::any(environment.loopback_path()).await;
            Some(bound.map_err(|error| CommandError::NotKept {
                reason: error.kind().to_string(),
            })?)
        } else {
            None
        };
        let way_back = if loopback.is_some() {
            WayBack::Loopback
        } else {
            WayBack::DeepLink
        };
        let redirect_uri = loopback
            .as_ref()
            .map_or_else(|| environment.deep_link(), Bound::redirect_uri);
        let secrets = Secrets::new(&*self.rng);
        let hint = self.session.login_hint(environment.name()).await;
        // Without it (after a restart) the person is asked with one click.
        let silently_after = wish
            .silent
            .then(|| self.session.id_token(environment.name()))
            .flatten();
        let asking = Asking {
            redirect_uri: &redirect_uri,
            language: wish.language,
            silently_after,
            login_hint: hint.as_deref(),
        };
        let address = provider
            .authorize_url(&secrets, &asking)
            .await
            .map_err(failed)?;
        Ok(Attempt {
            environment,
            provider,
            secrets,
            redirect_uri,
            address,
            way_back,
            _listening: loopback.map(|bound| bound.listen(self.deliver(number))),
            began: self.clock.monotonic(),
        })
    }

    fn watch_the_clock(self: &Arc<Self>, number: u64) {
        let sign_in = Arc::downgrade(self);
        let clock = Arc::clone(&self.clock);
        tokio::spawn(async move {
            clock.sleep(SLOW).await;
            let Some(waiting) = sign_in.upgrade() else {
                return;
            };
            if !waiting.with(number, |current| current.slow = true) {
                return;
            }
            waiting.changes.bump();
            drop(waiting);
            clock.sleep(TOO_LATE.saturating_sub(SLOW)).await;
            let Some(waiting) = sign_in.upgrade() else {
                return;
            };
            // An answer that is being checked gets its time.
            let waits = waiting
                .lock()
                .current
                .as_ref()
                .is_some_and(|current| matches!(current.phase, Phase::Waiting(_)));
            if waits {
                waiting.over(number, &refusal(CallbackRefusal::TooLate));
            }
        });
    }

    /// Changes the attempt with this number, and says whether it is still under way.
    fn with(&self, number: u64, change: impl FnOnce(&mut Current)) -> bool {
        let mut state = self.lock();
        let current = state
            .current
            .as_mut()
            .filter(|current| current.number == number);
        current.map(change).is_some()
    }

    fn support(&self) -> Support {
        Support {
            operation: "start_sign_in".to_owned(),
            time: self.clock.now().to_string(),
            ..Support::default()
        }
    }

    fn lock(&self) -> MutexGuard<'_, Attempts> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn refusal(refusal: CallbackRefusal) -> CommandError {
    CommandError::CallbackRefused { refusal }
}
