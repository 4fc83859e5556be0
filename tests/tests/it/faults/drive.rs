//! Runs a call to its end on a clock that only the test advances: past retries, and past requests that are never answered.

use std::time::Duration;

use invoicing_client::clock::Clock as _;
use invoicing_client::views::PendingRetry;

use super::bench::Bench;
use crate::fixtures::TestApp;

/// The command of a retry of the outbox.
pub(crate) const OUTBOX: &str = "outbox";
/// Longer than the client waits for an answer.
const REQUEST_LIMIT: Duration = Duration::from_secs(61);

/// Runs a call, with its retries and without those of the outbox.
pub(crate) fn drive<T>(
    app: &TestApp,
    bench: &Bench,
    call: impl Future<Output = T>,
) -> impl Future<Output = T> {
    let is_own = |retry: &PendingRetry| retry.command != OUTBOX;
    Box::pin(drive_retries(app, bench, call, is_own))
}

/// Runs a call, with the retries that `includes` accepts.
pub(crate) async fn drive_retries<T>(
    app: &TestApp,
    bench: &Bench,
    call: impl Future<Output = T>,
    includes: impl Fn(&PendingRetry) -> bool + Sync,
) -> T {
    let mut call = std::pin::pin!(call);
    let [identity, gateway] = [&bench.service.identity, &bench.service.gateway];
    let [mut identity_held, mut gateway_held] = bench.held_before();
    let mut last = 0;
    loop {
        tokio::select! {
            biased;
            done = &mut call => return done,
            held = identity.held_after(identity_held) => {
                identity_held = held;
                app.clock.advance(REQUEST_LIMIT);
            }
            held = gateway.held_after(gateway_held) => {
                gateway_held = held;
                app.clock.advance(REQUEST_LIMIT);
            }
            retry = next_retry(app, last, &includes) => {
                last = retry.id;
                let until: jiff::Timestamp = retry.until.parse().expect("a time");
                let left = until.duration_since(app.clock.now());
                // Zero if the clock has passed it already.
                let due = Duration::try_from(left).unwrap_or_default() + Duration::from_millis(1);
                // The snapshot shows the retry just before its sleep is registered with the clock.
                tokio::select! {
                    done = &mut call => return done,
                    _ = app.clock.sleep_matching(|sleep| sleep <= due) => {}
                }
                app.clock.advance(due);
            }
        }
    }
}

/// The first pending retry with a higher id than `last` that `includes` accepts.
async fn next_retry(
    app: &TestApp,
    last: u32,
    includes: impl Fn(&PendingRetry) -> bool,
) -> PendingRetry {
    let mut seen = 0;
    loop {
        let snapshot = app
            .desktop
            .watch(&app.window, seen)
            .await
            .expect("it answers");
        let next = snapshot
            .pending_retries
            .into_iter()
            .find(|retry| retry.id > last && includes(retry));
        if let Some(retry) = next {
            return retry;
        }
        seen = snapshot.revision;
    }
}
