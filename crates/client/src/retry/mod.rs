//! Trying again: what the contract's retry table says, in the open, so that a person can hurry it or stop it.

mod table;
mod waits;

use std::sync::Arc;
use std::time::Duration;

use crate::clock::Clock;
use crate::gateway::{Caller, Failure};
use crate::rng::{Rng, jitter};
use crate::views::{CommandError, Wait};

use waits::Verdict;
pub(crate) use waits::Waits;

/// The tries of one call.
pub(crate) struct Retry<'a> {
    clock: &'a dyn Clock,
    rng: &'a dyn Rng,
    waits: &'a Arc<Waits>,
    caller: &'a Caller,
    failed: u32,
}

impl<'a> Retry<'a> {
    pub(crate) fn new(
        clock: &'a dyn Clock,
        rng: &'a dyn Rng,
        waits: &'a Arc<Waits>,
        caller: &'a Caller,
    ) -> Self {
        Self {
            clock,
            rng,
            waits,
            caller,
            failed: 0,
        }
    }

    /// How many tries have failed.
    pub(crate) fn failed(&self) -> u32 {
        self.failed
    }

    /// Waits as the table says, and says whether to try again. A person can end the wait either way.
    pub(crate) async fn again(&mut self, failure: &Failure, error: CommandError) -> bool {
        let tried = self.failed;
        self.failed += 1;
        if !self.caller.tries_again {
            return false;
        }
        let Some(delay) = table::row(failure).and_then(|row| row.delay(tried, failure.floor()))
        else {
            return false;
        };
        let wait = Wait {
            id: 0,
            command: self.caller.command.to_owned(),
            organization: self.caller.organization.clone(),
            write: self.caller.write,
            error,
            until: String::new(),
            tries: self.failed,
        };
        pass(self.clock, self.rng, self.waits, wait, delay).await
    }
}

/// The wait of what is tried again for as long as it takes, after `tried` earlier tries have failed; `None` if `error` will
/// not pass by itself.
pub(crate) fn lasting(error: &CommandError, tried: u32) -> Option<Duration> {
    table::lasting(error, tried)
}

/// Shows a wait until it is over, and says whether to try again then. A person can end it either way.
pub(crate) fn pass(
    clock: &dyn Clock,
    rng: &dyn Rng,
    waits: &Arc<Waits>,
    wait: Wait,
    delay: Duration,
) -> impl Future<Output = bool> + Send + use<> {
    // Clients that failed together must not come back together.
    let delay = delay + jitter(rng, delay / 4);
    let until = clock
        .now()
        .saturating_add(jiff::SignedDuration::try_from(delay).unwrap_or_default());
    let (shown, verdict) = waits.begin(Wait {
        until: until.map_or_else(|_| String::new(), |until| until.to_string()),
        ..wait
    });
    let slept = clock.sleep(delay);
    async move {
        let _shown = shown;
        tokio::select! {
            verdict = verdict => matches!(verdict, Ok(Verdict::Go)),
            () = slept => true,
        }
    }
}
