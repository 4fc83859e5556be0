//! Limits of one process, and of several that share a budget.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use async_trait::async_trait;
use invoicing_storage::budgets::{self, Decision, nanoseconds, units_in_use};

use super::*;

/// A budget store in memory that counts acquisitions.
#[derive(Default)]
struct Budgets {
    arrival: Mutex<i64>,
    acquisitions: AtomicU32,
}

#[async_trait]
impl BudgetStore for Budgets {
    async fn acquire(
        &self,
        request: &AdmissionRequest<'_>,
        clock: &dyn Clock,
    ) -> Result<Admission, StorageError> {
        self.acquisitions.fetch_add(1, Ordering::SeqCst);
        let mut stored = self.arrival.lock().unwrap();
        Ok(
            match budgets::admit(request, *stored, nanoseconds(clock.monotonic())) {
                Decision::Units { units, arrival } => {
                    *stored = arrival;
                    Admission::Units(units)
                }
                Decision::Wait(wait) => Admission::Wait(wait),
            },
        )
    }

    async fn units_in_use(
        &self,
        request: &AdmissionRequest<'_>,
        clock: &dyn Clock,
    ) -> Result<i64, StorageError> {
        let stored = *self.arrival.lock().unwrap();
        Ok(units_in_use(
            request,
            stored,
            nanoseconds(clock.monotonic()),
        ))
    }
}

/// Milliseconds of monotonic time.
struct SteppedClock(AtomicU64);

impl Clock for SteppedClock {
    fn now(&self) -> jiff::Timestamp {
        jiff::Timestamp::UNIX_EPOCH
    }

    fn monotonic(&self) -> Duration {
        Duration::from_millis(self.0.load(Ordering::SeqCst))
    }
}

impl SteppedClock {
    fn new() -> Self {
        Self(AtomicU64::new(1_000_000))
    }

    fn advance(&self, milliseconds: u64) {
        self.0.fetch_add(milliseconds, Ordering::SeqCst);
    }
}

async fn admit(
    limiter: &RateLimiter,
    per_minute: u32,
    budgets: &Budgets,
    clock: &SteppedClock,
) -> Result<(), Duration> {
    admit_all(limiter, 1, per_minute, budgets, clock).await
}

/// Requests that are counted together.
async fn admit_all(
    limiter: &RateLimiter,
    requests: u32,
    per_minute: u32,
    budgets: &Budgets,
    clock: &SteppedClock,
) -> Result<(), Duration> {
    limiter
        .admit(&"a".into(), requests, per_minute, budgets, clock)
        .await
        .unwrap()
}

#[tokio::test]
async fn limit_of_zero_admits_no_request() {
    let (limiter, budgets, clock) = (RateLimiter::new(), Budgets::default(), SteppedClock::new());
    assert_eq!(admit(&limiter, 0, &budgets, &clock).await, Err(MINUTE));
    clock.advance(3_600_000);
    assert_eq!(admit(&limiter, 0, &budgets, &clock).await, Err(MINUTE));
}

#[tokio::test]
async fn requests_over_the_limit_wait_for_the_next_interval() {
    let (limiter, budgets, clock) = (RateLimiter::new(), Budgets::default(), SteppedClock::new());
    for request in 0..60 {
        let admitted = admit(&limiter, 60, &budgets, &clock).await;
        assert!(admitted.is_ok(), "request {request}");
    }
    let second = Duration::from_secs(1);
    assert_eq!(admit(&limiter, 60, &budgets, &clock).await, Err(second));
    clock.advance(1_000);
    assert!(admit(&limiter, 60, &budgets, &clock).await.is_ok());
    assert!(admit(&limiter, 60, &budgets, &clock).await.is_err());
}

#[tokio::test]
async fn refused_requests_ask_the_store_once_for_each_wait() {
    let (limiter, budgets, clock) = (RateLimiter::new(), Budgets::default(), SteppedClock::new());
    while admit(&limiter, 60, &budgets, &clock).await.is_ok() {}
    let acquisitions = budgets.acquisitions.load(Ordering::SeqCst);
    for _ in 0..1_000 {
        assert!(admit(&limiter, 60, &budgets, &clock).await.is_err());
    }
    assert_eq!(budgets.acquisitions.load(Ordering::SeqCst), acquisitions);
}

#[tokio::test]
async fn processes_together_never_admit_more_than_the_limit() {
    let (budgets, clock) = (Budgets::default(), SteppedClock::new());
    let processes = [RateLimiter::new(), RateLimiter::new(), RateLimiter::new()];
    let mut admitted = 0;
    // Two minutes, in which each process is asked for the whole limit.
    for _ in 0..1_200 {
        clock.advance(100);
        for process in &processes {
            for _ in 0..2 {
                admitted += u32::from(admit(process, 600, &budgets, &clock).await.is_ok());
            }
        }
    }
    // A full budget and what two minutes regain.
    let allowance = 600 + 1_200;
    assert!(admitted <= allowance, "{admitted}");
    // Units that a process holds and does not spend: one second's of each.
    assert!(admitted >= allowance - 3 * 10, "{admitted}");
}

#[tokio::test]
async fn steady_requests_cost_about_two_acquisitions_a_second() {
    let (limiter, budgets, clock) = (RateLimiter::new(), Budgets::default(), SteppedClock::new());
    for _ in 0..10_000 {
        clock.advance(1);
        assert!(admit(&limiter, 1_200_000, &budgets, &clock).await.is_ok());
    }
    let acquisitions = budgets.acquisitions.load(Ordering::SeqCst);
    assert!(acquisitions <= 25, "{acquisitions} in ten seconds");
}

#[tokio::test]
async fn changed_limit_counts_with_the_next_request() {
    let (limiter, budgets, clock) = (RateLimiter::new(), Budgets::default(), SteppedClock::new());
    assert!(admit(&limiter, 6_000, &budgets, &clock).await.is_ok());
    assert_eq!(admit(&limiter, 0, &budgets, &clock).await, Err(MINUTE));
    assert!(admit(&limiter, 6_000, &budgets, &clock).await.is_ok());
}

#[test]
fn batch_costs_its_entries_and_at_most_half_of_the_limit() {
    for (entries, per_minute, cost) in [
        (1, 6_000, 1),
        (500, 6_000, 500),
        (500, 60, 30),
        (500, 1, 1),
        (500, 0, 1),
        (0, 60, 1),
    ] {
        assert_eq!(
            batch_cost(entries, per_minute),
            cost,
            "{entries} of {per_minute}"
        );
    }
}

#[tokio::test]
async fn batch_above_what_is_left_waits_until_it_fits_and_leaves_the_rest_to_others() {
    let (limiter, budgets, clock) = (RateLimiter::new(), Budgets::default(), SteppedClock::new());
    for _ in 0..40 {
        assert!(admit(&limiter, 60, &budgets, &clock).await.is_ok());
    }
    let ten_seconds = Duration::from_secs(10);
    let refused = admit_all(&limiter, 30, 60, &budgets, &clock).await;
    assert_eq!(refused, Err(ten_seconds), "20 are left");
    assert!(admit(&limiter, 60, &budgets, &clock).await.is_ok());
    clock.advance(11_000);
    let fits = admit_all(&limiter, 30, 60, &budgets, &clock).await;
    assert_eq!(fits, Ok(()));
    assert!(admit(&limiter, 60, &budgets, &clock).await.is_err());
}

#[tokio::test]
async fn batches_and_requests_of_processes_together_never_exceed_the_limit() {
    let (budgets, clock) = (Budgets::default(), SteppedClock::new());
    let processes = [RateLimiter::new(), RateLimiter::new()];
    let mut admitted = 0;
    // Two minutes.
    for _ in 0..1_200 {
        clock.advance(100);
        for process in &processes {
            admitted += u32::from(admit(process, 600, &budgets, &clock).await.is_ok());
            let batch = admit_all(process, 50, 600, &budgets, &clock).await;
            admitted += if batch.is_ok() { 50 } else { 0 };
        }
    }
    assert!(admitted <= 600 + 1_200, "{admitted}");
    assert!(admitted >= 1_000, "{admitted}");
}
