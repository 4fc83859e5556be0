//! Metrics of clearance: what waits for the answer of a tax authority.

use std::time::Duration;

use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::{Registry, Unit};

/// The queue of all organizations, as it was read last.
#[derive(Default)]
pub(super) struct ClearanceMetrics {
    waiting: Gauge,
    oldest_age: Gauge,
}

impl ClearanceMetrics {
    pub(super) fn register(&self, registry: &mut Registry) {
        registry.register(
            "clearance_waiting_documents",
            "Documents without an answer of their tax authority",
            self.waiting.clone(),
        );
        registry.register_with_unit(
            "clearance_oldest_age",
            "Age of the document without an answer of its tax authority that was sent most often",
            Unit::Seconds,
            self.oldest_age.clone(),
        );
    }

    pub(super) fn record(&self, waiting: u64, oldest_age: Duration) {
        let gauge = |value: u64| i64::try_from(value).unwrap_or(i64::MAX);
        self.waiting.set(gauge(waiting));
        self.oldest_age.set(gauge(oldest_age.as_secs()));
    }
}
