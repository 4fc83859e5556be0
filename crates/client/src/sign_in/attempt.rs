//! An attempt to sign in: what it holds, and what a screen shows of it.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::oneshot;
use url::Url;

use super::Wish;
use super::loopback::Listening;
use crate::environments::Environment;
use crate::provider::{Provider, Secrets};
use crate::views::{CommandError, SessionView, WayBack};

/// The attempt under way.
pub(super) struct Current {
    pub(super) number: u64,
    pub(super) wish: Wish,
    pub(super) phase: Phase,
    /// 25 seconds have passed.
    pub(super) slow: bool,
    /// What was wrong with the last answer or with opening the browser.
    pub(super) trouble: Option<CommandError>,
    done: oneshot::Sender<Result<(), CommandError>>,
}

/// How far it is. The secrets are where they are needed and nowhere else: waiting for the answer.
pub(super) enum Phase {
    /// The identity provider is being asked who it is.
    Preparing,
    /// The browser has been opened.
    Waiting(Box<Attempt>),
    /// The answer is being checked.
    Finishing { environment: Box<Environment> },
}

/// What belongs to a waiting attempt.
pub(super) struct Attempt {
    pub(super) environment: Environment,
    pub(super) provider: Arc<Provider>,
    pub(super) secrets: Secrets,
    pub(super) redirect_uri: String,
    pub(super) address: Url,
    pub(super) way_back: WayBack,
    /// The port is open as long as the attempt waits.
    pub(super) _listening: Option<Listening>,
    /// By the monotonic clock.
    pub(super) began: Duration,
}

impl Current {
    /// A new attempt, and where its end is told.
    pub(super) fn new(
        number: u64,
        wish: Wish,
    ) -> (Self, oneshot::Receiver<Result<(), CommandError>>) {
        let (done, end) = oneshot::channel();
        (
            Self {
                number,
                wish,
                phase: Phase::Preparing,
                slow: false,
                trouble: None,
                done,
            },
            end,
        )
    }

    /// Tells whoever waits how it ended.
    pub(super) fn finish(self, outcome: Result<(), CommandError>) {
        // Only a silent attempt has somebody waiting.
        let _ = self.done.send(outcome);
    }

    /// What the screen shows; nothing of a silent attempt.
    pub(super) fn view(&self) -> Option<SessionView> {
        if self.wish.silent {
            return None;
        }
        match &self.phase {
            Phase::Preparing => None,
            Phase::Waiting(attempt) => Some(SessionView::Waiting {
                environment: attempt.environment.view(),
                address: attempt.address.to_string(),
                way_back: attempt.way_back,
                slow: self.slow,
                trouble: self.trouble.clone(),
            }),
            Phase::Finishing { environment } => Some(SessionView::Finishing {
                environment: environment.view(),
            }),
        }
    }
}
