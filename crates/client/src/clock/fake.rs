//! A clock that only a test advances.

use std::sync::Mutex;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp, civil};
use tokio::sync::{oneshot, watch};

use super::Clock;
use crate::BoxFuture;

/// A clock that only [`advance`](Self::advance) moves. A test can wait until the code under test sleeps.
pub struct FakeClock {
    state: Mutex<State>,
    sleepers: watch::Sender<usize>,
}

struct State {
    wall: Timestamp,
    monotonic: Duration,
    waiting: Vec<(Duration, oneshot::Sender<()>)>,
}

impl FakeClock {
    /// A clock that shows `wall`.
    #[must_use]
    pub fn new(wall: Timestamp) -> Self {
        let state = State {
            wall,
            monotonic: Duration::ZERO,
            waiting: Vec::new(),
        };
        Self {
            state: Mutex::new(state),
            sleepers: watch::Sender::new(0),
        }
    }

    /// Advances both clocks by `duration` and wakes the sleepers that are due.
    pub fn advance(&self, duration: Duration) {
        let mut state = self.lock();
        state.monotonic += duration;
        state.wall += signed(duration);
        let now = state.monotonic;
        let (due, waiting): (Vec<_>, Vec<_>) = state
            .waiting
            .drain(..)
            .filter(|(_, wake)| !wake.is_closed())
            .partition(|(until, _)| *until <= now);
        state.waiting = waiting;
        self.sleepers.send_replace(state.waiting.len());
        drop(state);
        for (_, wake) in due {
            let _ = wake.send(());
        }
    }

    /// Sets the wall clock alone, as happens when a person sets it or a computer wakes up.
    pub fn set_wall_clock(&self, wall: Timestamp) {
        self.lock().wall = wall;
    }

    /// The remaining time of every sleeper, shortest first.
    #[must_use]
    pub fn remaining_sleeps(&self) -> Vec<Duration> {
        let state = self.lock();
        let mut left: Vec<_> = state
            .waiting
            .iter()
            .filter(|(_, wake)| !wake.is_closed())
            .map(|(until, _)| until.saturating_sub(state.monotonic))
            .collect();
        left.sort();
        left
    }

    /// Resolves with the remaining time of a sleeper as soon as one satisfies `matches`.
    ///
    /// # Panics
    /// Never: the sender lives as long as the clock.
    pub async fn sleep_matching(&self, matches: impl Fn(Duration) -> bool + Send) -> Duration {
        let mut changes = self.sleepers.subscribe();
        loop {
            changes.borrow_and_update();
            if let Some(found) = self
                .remaining_sleeps()
                .into_iter()
                .find(|left| matches(*left))
            {
                return found;
            }
            changes
                .changed()
                .await
                .expect("the sender is a field of self");
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl Clock for FakeClock {
    fn now(&self) -> Timestamp {
        self.lock().wall
    }

    fn monotonic(&self) -> Duration {
        self.lock().monotonic
    }

    fn today(&self) -> civil::Date {
        self.now().to_zoned(jiff::tz::TimeZone::UTC).date()
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<'static, ()> {
        let (wake, woken) = oneshot::channel();
        let mut state = self.lock();
        let until = state.monotonic + duration;
        state.waiting.push((until, wake));
        let count = state.waiting.len();
        drop(state);
        self.sleepers.send_replace(count);
        Box::pin(async move {
            // The clock was dropped and cannot advance any more, so the sleep never ends.
            if woken.await.is_err() {
                std::future::pending::<()>().await;
            }
        })
    }
}

fn signed(duration: Duration) -> SignedDuration {
    SignedDuration::try_from(duration).unwrap_or(SignedDuration::MAX)
}
