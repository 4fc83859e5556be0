//! Cases of [`BudgetStore`](crate::BudgetStore).

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use futures_util::future::join_all;

use super::fixtures::NOW;
use crate::budgets::{Bought, Purchase};
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

fn purchase(key: &str, units: u32) -> Purchase<'_> {
    Purchase {
        key,
        unit: Duration::from_secs(1),
        capacity: Duration::from_secs(60),
        units,
    }
}

async fn buy(store: &dyn Store, key: &str, units: u32, clock: &SteppedClock) -> Bought {
    store.buy(&purchase(key, units), clock).await.unwrap()
}

pub async fn budget_sells_its_capacity_and_then_one_unit_for_each_interval(store: &dyn Store) {
    let clock = SteppedClock::default();
    assert_eq!(buy(store, "a", 40, &clock).await, Bought::Units(40));
    assert_eq!(buy(store, "a", 40, &clock).await, Bought::Units(20));
    let wait = Bought::Wait(Duration::from_secs(1));
    assert_eq!(buy(store, "a", 40, &clock).await, wait);
    assert_eq!(buy(store, "b", 1, &clock).await, Bought::Units(1));
    clock.advance(3);
    assert_eq!(buy(store, "a", 40, &clock).await, Bought::Units(3));
    assert_eq!(buy(store, "a", 1, &clock).await, wait);
}

pub async fn units_that_many_buy_at_the_same_time_are_sold_once(store: &dyn Store) {
    let clock = SteppedClock::default();
    let buyers = (0..50).map(|_| buy(store, "a", 2, &clock));
    let sold: u32 = join_all(buyers)
        .await
        .into_iter()
        .map(|bought| match bought {
            Bought::Units(units) => units,
            Bought::Wait(_) => 0,
        })
        .sum();
    assert_eq!(sold, 60);
}
