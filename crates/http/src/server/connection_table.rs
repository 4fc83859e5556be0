//! The open connections of a listener: which new one is accepted, and which old one is closed for it.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use invoicing_storage::Clock;
use tokio::sync::Notify;

use super::activity::{Activity, Overdue};
use super::limits::{ConnectionLimits, Network};
use super::stopwatch::Stopwatch;
use crate::metrics::{ConnectionMetrics, ConnectionTimeout, RefusedBy};

type Key = (Network, u64);

/// The open connections of a listener.
pub(super) struct ConnectionTable {
    limits: ConnectionLimits,
    metrics: ConnectionMetrics,
    stopwatch: Arc<Stopwatch>,
    open: Mutex<Open>,
    /// Notified when the last connection is gone.
    emptied: Notify,
}

#[derive(Default)]
struct Open {
    connections: BTreeMap<Key, Arc<Activity>>,
    next: u64,
    /// Connections that were idle when this list was made, the longest idle last. Those that have become idle since then have
    /// been so for a shorter time, so the list is right until it is empty.
    idle: Vec<(u64, Key)>,
}

/// An open connection. It is removed from the table when dropped.
pub(super) struct Entry {
    table: Arc<ConnectionTable>,
    key: Key,
    pub(super) activity: Arc<Activity>,
}

impl Drop for Entry {
    fn drop(&mut self) {
        self.table.remove(&mut self.table.lock(), &self.key);
    }
}

impl ConnectionTable {
    pub(super) fn new(
        limits: ConnectionLimits,
        metrics: ConnectionMetrics,
        clock: Arc<dyn Clock>,
    ) -> Arc<Self> {
        Arc::new(Self {
            limits,
            metrics,
            stopwatch: Arc::new(Stopwatch::start(clock)),
            open: Mutex::default(),
            emptied: Notify::new(),
        })
    }

    pub(super) const fn limits(&self) -> &ConnectionLimits {
        &self.limits
    }

    pub(super) fn is_empty(&self) -> bool {
        self.lock().connections.is_empty()
    }

    /// Adds a connection from `address`. At a limit, the connection that has been idle longest is closed: of that address, or
    /// of all. `None` if each has a request in progress; then the new one is to be closed.
    pub(super) fn open(self: &Arc<Self>, address: IpAddr) -> Option<Entry> {
        let network = Network::of(address);
        let mut open = self.lock();
        if !self.limits.exempts(address) {
            let same = || open.connections.range((network, 0)..=(network, u64::MAX));
            if same().count() >= self.limits.per_address {
                let idle = same()
                    .filter_map(|(key, activity)| Some((activity.idle_since()?, *key)))
                    .min();
                if !idle.is_some_and(|(_, key)| self.evict(&mut open, &key)) {
                    self.metrics.count_refusal(RefusedBy::AddressLimit);
                    return None;
                }
            }
        }
        if open.connections.len() >= self.limits.total && !self.evict_longest_idle(&mut open) {
            self.metrics.count_refusal(RefusedBy::TotalLimit);
            return None;
        }
        let key = (network, open.next);
        open.next += 1;
        let activity = Arc::new(Activity::new(self.stopwatch.clone()));
        open.connections.insert(key, activity.clone());
        drop(open);
        self.metrics.count_opened();
        Some(Entry {
            table: self.clone(),
            key,
            activity,
        })
    }

    /// Closes the connection that has been idle longest, to free its descriptor.
    pub(super) fn make_room(&self) -> bool {
        self.evict_longest_idle(&mut self.lock())
    }

    /// Closes the connections that exceed a time limit.
    pub(super) fn close_overdue(&self) {
        let mut closed = Vec::new();
        let mut open = self.lock();
        for (key, activity) in &open.connections {
            let Some(overdue) = activity.overdue(&self.limits) else {
                continue;
            };
            match overdue {
                // The client may be sending a request just now: HTTP/2 tells it that the connection ends.
                Overdue::Idle => activity.end(),
                Overdue::Response => {
                    activity.close();
                    closed.push(*key);
                }
                Overdue::FirstHead | Overdue::LaterHead | Overdue::End => {
                    if !activity.close_if_idle() {
                        continue;
                    }
                    closed.push(*key);
                }
            }
            let timeout = match overdue {
                Overdue::FirstHead => ConnectionTimeout::FirstHead,
                Overdue::LaterHead => ConnectionTimeout::LaterHead,
                Overdue::Idle => ConnectionTimeout::Idle,
                Overdue::Response => ConnectionTimeout::Response,
                Overdue::End => continue,
            };
            self.metrics.count_timeout(timeout);
        }
        for key in closed {
            self.remove(&mut open, &key);
        }
    }

    /// Ends each connection when none of its requests is in progress.
    pub(super) fn end_all(&self) {
        for activity in self.lock().connections.values() {
            activity.end();
        }
    }

    /// Closes every connection.
    pub(super) fn close_all(&self) {
        for activity in self.lock().connections.values() {
            activity.close();
        }
    }

    /// Returns when there is no connection.
    pub(super) async fn wait_until_empty(&self) {
        loop {
            let emptied = self.emptied.notified();
            if self.is_empty() {
                return;
            }
            emptied.await;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn evict_longest_idle(&self, open: &mut Open) -> bool {
        if self.evict_from_list(open) {
            return true;
        }
        open.idle = open
            .connections
            .iter()
            .filter_map(|(key, activity)| Some((activity.idle_since()?, *key)))
            .collect();
        open.idle.sort_unstable_by(|one, other| other.cmp(one));
        self.evict_from_list(open)
    }

    fn evict_from_list(&self, open: &mut Open) -> bool {
        while let Some((since, key)) = open.idle.pop() {
            let still_idle = open
                .connections
                .get(&key)
                .is_some_and(|activity| activity.idle_since() == Some(since));
            if still_idle && self.evict(open, &key) {
                return true;
            }
        }
        false
    }

    /// Closes the connection with `key` unless a request has just begun.
    fn evict(&self, open: &mut Open, key: &Key) -> bool {
        let closed = open
            .connections
            .get(key)
            .is_some_and(|activity| activity.close_if_idle());
        if closed {
            self.remove(open, key);
            self.metrics.count_eviction();
        }
        closed
    }

    fn remove(&self, open: &mut Open, key: &Key) {
        if open.connections.remove(key).is_some() {
            self.metrics.count_closed();
            if open.connections.is_empty() {
                self.emptied.notify_waiters();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;
    use invoicing_storage::AdjustableClock;

    use super::super::activity::{Order, Stage};
    use super::*;

    fn table(total: usize, per_address: usize) -> (Arc<ConnectionTable>, Arc<AdjustableClock>) {
        let clock = Arc::new(AdjustableClock::default());
        let limits = ConnectionLimits {
            total,
            per_address,
            ..ConnectionLimits::default()
        };
        let table = ConnectionTable::new(limits, ConnectionMetrics::default(), clock.clone());
        (table, clock)
    }

    fn open(table: &Arc<ConnectionTable>, address: &str) -> Option<Entry> {
        table.open(address.parse().unwrap())
    }

    fn is_closed(entry: &Entry) -> bool {
        !entry.table.lock().connections.contains_key(&entry.key)
    }

    #[test]
    fn connection_above_the_total_closes_the_one_that_has_been_idle_longest() {
        let (table, clock) = table(3, 3);
        let first = open(&table, "192.0.2.1").unwrap();
        clock.advance(1);
        let second = open(&table, "192.0.2.2").unwrap();
        clock.advance(1);
        let third = open(&table, "192.0.2.3").unwrap();
        clock.advance(1);
        // The first has just completed a request, so the second has been idle longest.
        assert!(first.activity.start_request(false));
        first.activity.end_request(Stage::Handled);
        clock.advance(1);
        let fourth = open(&table, "192.0.2.4").unwrap();
        assert!(is_closed(&second));
        assert_eq!(second.activity.ordered().now_or_never(), Some(Order::Close));
        assert!(![&first, &third, &fourth].into_iter().any(is_closed));
        clock.advance(1);
        let fifth = open(&table, "192.0.2.5").unwrap();
        assert!(is_closed(&third));
        drop(first);
        let _sixth = open(&table, "192.0.2.6").unwrap();
        assert!(!is_closed(&fourth) && !is_closed(&fifth), "there was room");
    }

    #[test]
    fn connection_with_a_request_in_progress_is_never_closed_for_another() {
        let (table, clock) = table(2, 2);
        let busy = [
            open(&table, "192.0.2.1").unwrap(),
            open(&table, "192.0.2.2").unwrap(),
        ];
        for entry in &busy {
            assert!(entry.activity.start_request(true));
        }
        clock.advance(1);
        assert!(open(&table, "192.0.2.3").is_none());
        busy[1].activity.end_request(Stage::Handled);
        let third = open(&table, "192.0.2.3").unwrap();
        assert!(!is_closed(&busy[0]) && is_closed(&busy[1]) && !is_closed(&third));
    }

    #[test]
    fn address_above_its_limit_closes_only_its_own_connections() {
        let (table, clock) = table(100, 2);
        let other = open(&table, "2001:db8:0:2::1").unwrap();
        clock.advance(1);
        let first = open(&table, "2001:db8:0:1::1").unwrap();
        clock.advance(1);
        let second = open(&table, "2001:db8:0:1::2").unwrap();
        clock.advance(1);
        let third = open(&table, "2001:db8:0:1::3").unwrap();
        assert!(is_closed(&first) && !is_closed(&other));
        for entry in [&second, &third] {
            assert!(entry.activity.start_request(true));
        }
        assert!(open(&table, "2001:db8:0:1::4").is_none());
        assert!(open(&table, "2001:db8:0:2::2").is_some(), "another network");
    }

    #[test]
    fn loopback_is_without_a_limit_for_each_address() {
        let (table, _clock) = table(100, 2);
        let entries: Vec<_> = (0..10)
            .map(|_| open(&table, "127.0.0.1").unwrap())
            .collect();
        assert!(!entries.iter().any(is_closed));
    }

    #[tokio::test]
    async fn overdue_connections_are_removed_and_the_table_is_empty() {
        let (table, clock) = table(100, 100);
        let silent = open(&table, "192.0.2.1").unwrap();
        let busy = open(&table, "192.0.2.1").unwrap();
        assert!(busy.activity.start_request(false));
        clock.advance(11);
        table.close_overdue();
        assert!(is_closed(&silent) && !is_closed(&busy));
        let emptied = tokio::spawn({
            let table = table.clone();
            async move { table.wait_until_empty().await }
        });
        tokio::task::yield_now().await;
        drop(busy);
        emptied.await.unwrap();
    }
}
