//! Cases of [`BudgetStore`](crate::BudgetStore).

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use futures_util::future::join_all;

use super::fixtures::NOW;
use crate::budgets::{Admission, AdmissionRequest};
use crate::{Clock, Store};

/// A clock that a case advances.
#[derive(Default)]
struct SteppedClock(AtomicI64);

impl SteppedClock {
    fn advance(&self, seconds: i64) {
        self.0.fetch_add(seconds, Ordering::SeqCst);
    }
}

impl Clock for SteppedClock {
    fn now(&self) -> jiff::Timestamp {
        let second = NOW.as_millis() / 1_000 + self.0.load(Ordering::SeqCst);
        jiff::Timestamp::from_second(second).unwrap()
    }

    fn monotonic(&self) -> Duration {
        Duration::from_secs(u64::try_from(self.0.load(Ordering::SeqCst)).unwrap())
    }
}

fn request(key: &str, units: u32) -> AdmissionRequest<'_> {
    AdmissionRequest {
        key,
        unit: Duration::from_secs(1),
        capacity: Duration::from_secs(60),
        units,
    }
}

async fn acquire(store: &dyn Store, key: &str, units: u32, clock: &SteppedClock) -> Admission {
    store.acquire(&request(key, units), clock).await.unwrap()
}

pub async fn budget_sells_its_capacity_and_then_one_unit_for_each_interval(store: &dyn Store) {
    let clock = SteppedClock::default();
    assert_eq!(acquire(store, "a", 40, &clock).await, Admission::Units(40));
    assert_eq!(acquire(store, "a", 40, &clock).await, Admission::Units(20));
    let wait = Admission::Wait(Duration::from_secs(1));
    assert_eq!(acquire(store, "a", 40, &clock).await, wait);
    assert_eq!(acquire(store, "b", 1, &clock).await, Admission::Units(1));
    clock.advance(3);
    assert_eq!(acquire(store, "a", 40, &clock).await, Admission::Units(3));
    assert_eq!(acquire(store, "a", 1, &clock).await, wait);
}

pub async fn units_that_many_buy_at_the_same_time_are_sold_once(store: &dyn Store) {
    let clock = SteppedClock::default();
    let callers = (0..50).map(|_| acquire(store, "a", 2, &clock));
    let given: u32 = join_all(callers)
        .await
        .into_iter()
        .map(|admission| match admission {
            Admission::Units(units) => units,
            Admission::Wait(_) => 0,
        })
        .sum();
    assert_eq!(given, 60);
}

pub async fn units_in_use_are_those_that_are_not_regained(store: &dyn Store) {
    let clock = SteppedClock::default();
    let in_use = async |key: &str| {
        let units = store.units_in_use(&request(key, 1), &clock).await;
        units.unwrap()
    };
    assert_eq!(in_use("a").await, 0, "nobody has asked for any");
    acquire(store, "a", 40, &clock).await;
    assert_eq!((in_use("a").await, in_use("b").await), (40, 0));
    clock.advance(30);
    assert_eq!(in_use("a").await, 10);
    clock.advance(60);
    assert_eq!(in_use("a").await, 0);
}
