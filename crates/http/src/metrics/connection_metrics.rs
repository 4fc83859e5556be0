//! Metrics of the connections of one listener.

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;

use super::ServerLabels;

/// The limit that refused a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RefusedBy {
    /// The connections of one address.
    AddressLimit,
    /// All connections of the listener.
    TotalLimit,
}

/// The time limit that closed a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ConnectionTimeout {
    /// Until the end of the first head.
    FirstHead,
    /// Until the end of a later head.
    LaterHead,
    /// Without a request.
    Idle,
    /// While the client takes nothing of a response.
    Response,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RefusalLabels {
    server: &'static str,
    limit: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct TimeoutLabels {
    server: &'static str,
    limit: &'static str,
}

/// The families, of which each listener has its series.
#[derive(Clone, Default)]
pub(super) struct ConnectionFamilies {
    open: Family<ServerLabels, Gauge>,
    opened: Family<ServerLabels, Counter>,
    refused: Family<RefusalLabels, Counter>,
    evicted: Family<ServerLabels, Counter>,
    timed_out: Family<TimeoutLabels, Counter>,
}

impl ConnectionFamilies {
    pub(super) fn register(&self, registry: &mut Registry) {
        registry.register("connections", "Open connections", self.open.clone());
        registry.register(
            "connections_opened",
            "Accepted connections",
            self.opened.clone(),
        );
        registry.register(
            "connections_refused",
            "Connections closed at once, because all others at the limit had a request in progress",
            self.refused.clone(),
        );
        registry.register(
            "connections_evicted",
            "Idle connections closed to make room for another",
            self.evicted.clone(),
        );
        registry.register(
            "connections_timed_out",
            "Connections closed at a time limit",
            self.timed_out.clone(),
        );
    }
}

/// Counts the connections of one listener.
#[derive(Clone, Default)]
pub struct ConnectionMetrics {
    families: ConnectionFamilies,
    server: &'static str,
}

impl ConnectionMetrics {
    pub(super) const fn new(families: ConnectionFamilies, server: &'static str) -> Self {
        Self { families, server }
    }

    pub(crate) fn count_opened(&self) {
        self.families.open.get_or_create(&self.labels()).inc();
        self.families.opened.get_or_create(&self.labels()).inc();
    }

    pub(crate) fn count_closed(&self) {
        self.families.open.get_or_create(&self.labels()).dec();
    }

    pub(crate) fn count_refusal(&self, limit: RefusedBy) {
        let labels = RefusalLabels {
            server: self.server,
            limit: match limit {
                RefusedBy::AddressLimit => "address",
                RefusedBy::TotalLimit => "total",
            },
        };
        self.families.refused.get_or_create(&labels).inc();
    }

    pub(crate) fn count_eviction(&self) {
        self.families.evicted.get_or_create(&self.labels()).inc();
    }

    pub(crate) fn count_timeout(&self, limit: ConnectionTimeout) {
        let labels = TimeoutLabels {
            server: self.server,
            limit: match limit {
                ConnectionTimeout::FirstHead => "first_head",
                ConnectionTimeout::LaterHead => "later_head",
                ConnectionTimeout::Idle => "idle",
                ConnectionTimeout::Response => "response",
            },
        };
        self.families.timed_out.get_or_create(&labels).inc();
    }

    const fn labels(&self) -> ServerLabels {
        ServerLabels {
            server: self.server,
        }
    }
}
