//! Metrics of storage: readiness, connections, repeated transactions, maintenance, archives of the audit.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use invoicing_contract::Timestamp;
use invoicing_storage::StorageStatistics;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::{Registry, Unit};

/// Asked for each exposition.
pub type StatisticsSource = Arc<dyn Fn() -> StorageStatistics + Send + Sync>;

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct EngineLabels {
    engine: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ConnectionLabels {
    engine: &'static str,
    state: &'static str,
}

/// The values of the last exposition.
#[derive(Default)]
pub(super) struct StorageMetrics {
    ready: Gauge,
    maintained: Gauge,
    archive_failures: Counter,
    connections: Family<ConnectionLabels, Gauge>,
    connections_limit: Family<EngineLabels, Gauge>,
    waiting: Family<EngineLabels, Gauge>,
    retries: Family<EngineLabels, Counter>,
}

impl StorageMetrics {
    pub(super) fn register(&self, registry: &mut Registry) {
        registry.register(
            "storage_ready",
            "1 while storage answers and the service does not stop, else 0",
            self.ready.clone(),
        );
        registry.register_with_unit(
            "maintenance_completed_timestamp",
            "When this process last removed all expired records, or started",
            Unit::Seconds,
            self.maintained.clone(),
        );
        registry.register(
            "audit_archive_failures",
            "Attempts at archiving old events of the audit that failed",
            self.archive_failures.clone(),
        );
        registry.register(
            "storage_connections",
            "Open connections to the database, used by a transaction or idle",
            self.connections.clone(),
        );
        registry.register(
            "storage_connections_limit",
            "Most connections that this process opens to the database",
            self.connections_limit.clone(),
        );
        registry.register(
            "storage_waiting_transactions",
            "Transactions that wait for a connection to the database",
            self.waiting.clone(),
        );
        registry.register(
            "storage_retries",
            "Attempts at transactions that failed and were repeated",
            self.retries.clone(),
        );
    }

    pub(super) fn record_ready(&self, ready: bool) {
        self.ready.set(ready.into());
    }

    pub(super) fn record_maintenance(&self, time: Timestamp) {
        self.maintained.set(time.as_seconds());
    }

    pub(super) fn count_archive_failure(&self) {
        self.archive_failures.inc();
    }

    pub(super) fn record(&self, statistics: StorageStatistics) {
        let StorageStatistics {
            engine,
            connections_used,
            connections_idle,
            connections_limit,
            waiting,
            retries,
        } = statistics;
        let gauge = |value| i64::try_from(value).unwrap_or(i64::MAX);
        for (state, number) in [("used", connections_used), ("idle", connections_idle)] {
            let labels = ConnectionLabels { engine, state };
            self.connections.get_or_create(&labels).set(gauge(number));
        }
        let labels = EngineLabels { engine };
        self.connections_limit
            .get_or_create(&labels)
            .set(gauge(connections_limit));
        self.waiting.get_or_create(&labels).set(gauge(waiting));
        // The engine counts from the start of the process, as this counter does.
        self.retries
            .get_or_create(&labels)
            .inner()
            .store(retries, Ordering::Relaxed);
    }
}
