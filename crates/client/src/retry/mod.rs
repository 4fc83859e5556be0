//! Trying again: what the contract's retry table says, in the open, so that a person can hurry it or stop it.

mod table;
mod waits;

use std::sync::Arc;

use crate::World;
use crate::gateway::{Caller, Failure};
use crate::views::{CommandError, Wait};

use waits::Verdict;
pub(crate) use waits::Waits;

/// The tries of one call.
pub(crate) struct Retry<'a> {
    world: &'a World,
    waits: &'a Arc<Waits>,
    caller: &'a Caller,
    failed: u32,
}

impl<'a> Retry<'a> {
    pub(crate) fn new(world: &'a World, waits: &'a Arc<Waits>, caller: &'a Caller) -> Self {
        Self {
            world,
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
        let Some(delay) = table::row(failure).and_then(|row| row.delay(tried, failure.floor()))
        else {
            return false;
        };
        // Clients that failed together must not come back together.
        let delay = delay + self.world.share_of(delay / 4);
        let until = self
            .world
            .clock
            .now()
            .saturating_add(jiff::SignedDuration::try_from(delay).unwrap_or_default());
        let wait = Wait {
            id: 0,
            command: self.caller.command.to_owned(),
            organization: self.caller.organization.clone(),
            write: self.caller.write,
            error,
            until: until.map_or_else(|_| String::new(), |until| until.to_string()),
            tries: self.failed,
        };
        let (_shown, verdict) = self.waits.begin(wait);
        tokio::select! {
            verdict = verdict => matches!(verdict, Ok(Verdict::Go)),
            () = self.world.clock.sleep(delay) => true,
        }
    }
}
