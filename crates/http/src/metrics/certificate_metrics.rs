//! Metrics of certificates: when they end.

use invoicing_contract::Timestamp;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::{Registry, Unit};

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct CertificateLabels {
    certificate: &'static str,
}

/// The end of the first certificate of each file.
#[derive(Default)]
pub(super) struct CertificateMetrics {
    ends: Family<CertificateLabels, Gauge>,
}

impl CertificateMetrics {
    pub(super) fn register(&self, registry: &mut Registry) {
        registry.register_with_unit(
            "certificate_expiry_timestamp",
            "When the first of these certificates ends",
            Unit::Seconds,
            self.ends.clone(),
        );
    }

    pub(super) fn record_end(&self, certificate: &'static str, end: Timestamp) {
        let labels = CertificateLabels { certificate };
        self.ends.get_or_create(&labels).set(end.as_seconds());
    }
}
