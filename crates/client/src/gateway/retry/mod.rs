//! Retries of gateway calls by the contract's retry rules. A pending retry is shown to the user, who can hurry or cancel it.

mod pending;
mod rules;

use std::sync::Arc;
use std::time::Duration;

use super::{CallContext, Doubt, GatewayError};
use crate::clock::Clock;
use crate::rng::{Rng, jitter};
use crate::views::CommandError;

use pending::RetryDecision;
pub(crate) use pending::{PendingRetries, RetryDescription};
pub(crate) use rules::background_delay;

/// The retries of one call.
pub(super) struct CallRetries<'a> {
    clock: &'a dyn Clock,
    rng: &'a dyn Rng,
    pending: &'a Arc<PendingRetries>,
    context: &'a CallContext,
    failed_attempts: u32,
    earlier: Doubt,
}

impl<'a> CallRetries<'a> {
    pub(super) fn new(
        clock: &'a dyn Clock,
        rng: &'a dyn Rng,
        pending: &'a Arc<PendingRetries>,
        context: &'a CallContext,
    ) -> Self {
        Self {
            clock,
            rng,
            pending,
            context,
            failed_attempts: 0,
            earlier: Doubt::None,
        }
    }

    /// The context of the call.
    pub(super) fn context(&self) -> &'a CallContext {
        self.context
    }

    pub(super) fn failed_attempts(&self) -> u32 {
        self.failed_attempts
    }

    /// What the attempts after which there was another one have left in doubt.
    pub(super) fn earlier(&self) -> Doubt {
        self.earlier
    }

    /// Waits for as long as the retry rules say and returns whether to make another attempt. The user can end the wait
    /// with either result. `shown` is the error that the UI shows meanwhile.
    pub(super) async fn wait_after(&mut self, error: &GatewayError, shown: CommandError) -> bool {
        let earlier = self.failed_attempts;
        self.failed_attempts += 1;
        if !self.context.retries {
            return false;
        }
        let rule = rules::rule_for(error);
        let Some(delay) = rule.and_then(|rule| rule.delay(earlier, error.min_retry_delay())) else {
            return false;
        };
        let description = RetryDescription {
            command: self.context.command.to_owned(),
            organization: self.context.organization.clone(),
            write: self.context.write,
            error: shown,
            failed_attempts: self.failed_attempts,
        };
        let doubt = error.doubt();
        let goes_on = wait_for_retry(self.clock, self.rng, self.pending, description, delay).await;
        if goes_on {
            self.earlier = self.earlier.max(doubt);
        }
        goes_on
    }
}

/// Shows a pending retry until `delay` and a random part of it have passed. Resolves to whether to retry: the user can end
/// the wait with either result.
pub(crate) fn wait_for_retry(
    clock: &dyn Clock,
    rng: &dyn Rng,
    pending: &Arc<PendingRetries>,
    description: RetryDescription,
    delay: Duration,
) -> impl Future<Output = bool> + Send + use<> {
    // Jitter: clients that failed together must not retry together.
    let delay = delay + jitter(rng, delay / 4);
    let until = clock
        .now()
        .saturating_add(jiff::SignedDuration::try_from(delay).unwrap_or_default());
    let until = until.map_or_else(|_| String::new(), |until| until.to_string());
    let (guard, decision) = pending.add(description, until);
    let sleep = clock.sleep(delay);
    async move {
        let _guard = guard;
        tokio::select! {
            decision = decision => matches!(decision, Ok(RetryDecision::RetryNow)),
            () = sleep => true,
        }
    }
}
