//! Load: callers that repeat an operation for a time.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::CALLERS;

/// How often an operation was done.
pub(crate) struct Rate {
    pub(crate) per_second: u64,
    pub(crate) count: u64,
    pub p99_micros: u64,
}

/// Has each of 16 callers repeat `operation` until `duration` has passed. It gets the number of the caller and of the repetition.
pub(crate) async fn repeat<F>(
    duration: Duration,
    operation: impl Fn(usize, u64) -> F + Send + Sync + 'static,
) -> Rate
where
    F: Future<Output = ()> + Send + 'static,
{
    repeat_by(CALLERS, duration, operation).await
}

/// The same with another number of callers.
pub(crate) async fn repeat_by<F>(
    callers: usize,
    duration: Duration,
    operation: impl Fn(usize, u64) -> F + Send + Sync + 'static,
) -> Rate
where
    F: Future<Output = ()> + Send + 'static,
{
    let operation = Arc::new(operation);
    let start = Instant::now();
    let callers = (0..callers).map(|caller| {
        let operation = operation.clone();
        tokio::spawn(async move {
            let mut times = Vec::new();
            for repetition in 0.. {
                let before = start.elapsed();
                if before >= duration {
                    break;
                }
                operation(caller, repetition).await;
                times.push(start.elapsed() - before);
            }
            times
        })
    });
    let mut times = Vec::new();
    for caller in callers.collect::<Vec<_>>() {
        times.extend(caller.await.expect("an operation fails"));
    }
    times.sort_unstable();
    let count = u64::try_from(times.len()).expect("fits");
    let passed = u64::try_from(start.elapsed().as_millis())
        .expect("fits")
        .max(1);
    Rate {
        per_second: count * 1_000 / passed,
        count,
        p99_micros: percentile(&times, 99),
    }
}

/// Microseconds within which `percent` of `times`, which are sorted, lie.
pub(crate) fn percentile(times: &[Duration], percent: usize) -> u64 {
    let at = (times.len() * percent / 100).min(times.len().saturating_sub(1));
    let time = times.get(at).copied().unwrap_or_default();
    u64::try_from(time.as_micros()).expect("fits")
}
