//! When the certificates of the service end: a metric, and a warning in the log before it.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use invoicing_contract::Timestamp;
use invoicing_storage::Clock;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use tokio_util::sync::CancellationToken;
use x509_parser::prelude::{FromDer as _, X509Certificate};

use crate::metrics::Metrics;

/// How long before the end of a certificate the log begins to warn. One that is renewed by itself is renewed earlier.
const WARNING_PERIOD: Duration = Duration::from_secs(14 * 24 * 60 * 60);
/// The time between two warnings.
const WARNING_INTERVAL: Duration = Duration::from_secs(24 * 60 * 60);
/// How often certificates that do not change are looked at.
const WATCH_INTERVAL: Duration = Duration::from_secs(60 * 60);

/// Certificates whose end is watched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WatchedCertificates {
    /// The chain that the service shows to its callers.
    Server,
    /// The further authorities of the database server.
    DatabaseAuthorities,
}

impl WatchedCertificates {
    /// The value of the label `certificate`.
    const fn label(self) -> &'static str {
        match self {
            Self::Server => "server",
            Self::DatabaseAuthorities => "database_authorities",
        }
    }

    /// The option that names their file.
    const fn option(self) -> &'static str {
        match self {
            Self::Server => "--tls-cert",
            Self::DatabaseAuthorities => "--database-ca",
        }
    }
}

/// Shows in the metrics when certificates end, and warns of it once a day.
pub struct ExpiryWatch {
    certificates: WatchedCertificates,
    clock: Arc<dyn Clock>,
    metrics: Arc<Metrics>,
    /// When the last warning was logged, in monotonic time.
    warned: Option<Duration>,
}

impl ExpiryWatch {
    /// Nothing was looked at yet.
    #[must_use]
    pub const fn new(
        certificates: WatchedCertificates,
        clock: Arc<dyn Clock>,
        metrics: Arc<Metrics>,
    ) -> Self {
        Self {
            certificates,
            clock,
            metrics,
            warned: None,
        }
    }

    /// Watches the certificates of a PEM file that the process has read at its start, until `stop`.
    pub async fn watch_file(mut self, file: PathBuf, stop: CancellationToken) {
        let end = earliest_end(&certificates_of(&file));
        loop {
            self.observe(end);
            tokio::select! {
                () = stop.cancelled() => return,
                () = tokio::time::sleep(WATCH_INTERVAL) => {}
            }
        }
    }

    /// Looks at certificates of which the first one ends at `end`. `None`: there is none that can be read.
    pub(crate) fn observe(&mut self, end: Option<Timestamp>) {
        let Some(end) = end else {
            return;
        };
        self.metrics
            .record_certificate_end(self.certificates.label(), end);
        if !self.is_warning_due(end) {
            return;
        }
        let option = self.certificates.option();
        let now = self.clock.timestamp();
        if end <= now {
            tracing::warn!("a certificate in the file of {option} has ended: renew it");
        } else {
            let hours = end.since(now).as_secs() / (60 * 60);
            let (days, hours) = (hours / 24, hours % 24);
            tracing::warn!(
                "a certificate in the file of {option} ends in {days} days and {hours} hours: renew it"
            );
        }
    }

    fn is_warning_due(&mut self, end: Timestamp) -> bool {
        if end > self.clock.timestamp().plus(WARNING_PERIOD) {
            // A renewed one, which has warnings of its own.
            self.warned = None;
            return false;
        }
        let now = self.clock.monotonic();
        let is_due = self
            .warned
            .is_none_or(|warned| now.saturating_sub(warned) >= WARNING_INTERVAL);
        if is_due {
            self.warned = Some(now);
        }
        is_due
    }
}

/// The certificates of a PEM file. What cannot be read is reported by those who use the file.
fn certificates_of(file: &Path) -> Vec<CertificateDer<'static>> {
    match CertificateDer::pem_file_iter(file) {
        Ok(certificates) => certificates.map_while(Result::ok).collect(),
        Err(_) => Vec::new(),
    }
}

/// When the first of `certificates` ends; `None` if none of them can be read.
pub(crate) fn earliest_end(certificates: &[CertificateDer<'_>]) -> Option<Timestamp> {
    let ends = certificates.iter().filter_map(|certificate| {
        let (_, parsed) = X509Certificate::from_der(certificate).ok()?;
        let seconds = parsed.validity().not_after.timestamp();
        Some(Timestamp::from_millis(seconds.saturating_mul(1_000)))
    });
    ends.min()
}

#[cfg(test)]
mod tests {
    use invoicing_storage::AdjustableClock;

    use super::*;

    const HOUR: i64 = 60 * 60;
    const DAY: i64 = 24 * HOUR;

    fn watch(clock: &Arc<AdjustableClock>) -> ExpiryWatch {
        let metrics = Arc::new(Metrics::default());
        ExpiryWatch::new(WatchedCertificates::Server, clock.clone(), metrics)
    }

    #[test]
    fn warning_begins_two_weeks_before_the_end_and_comes_once_a_day() {
        let clock = Arc::new(AdjustableClock::default());
        let mut watch = watch(&clock);
        let end = clock.timestamp().plus(WARNING_PERIOD + WARNING_INTERVAL);
        assert!(!watch.is_warning_due(end), "15 days before");
        clock.advance(DAY + HOUR);
        assert!(watch.is_warning_due(end), "less than 14 days before");
        assert!(!watch.is_warning_due(end), "at once again");
        clock.advance(23 * HOUR);
        assert!(!watch.is_warning_due(end), "less than a day later");
        clock.advance(HOUR);
        assert!(watch.is_warning_due(end), "a day later");
        clock.advance(30 * DAY);
        assert!(watch.is_warning_due(end), "after the end");
    }

    #[test]
    fn clock_that_is_set_back_brings_no_second_warning() {
        let clock = Arc::new(AdjustableClock::default());
        let mut watch = watch(&clock);
        let end = clock.timestamp().plus(Duration::from_secs(60));
        assert!(watch.is_warning_due(end));
        clock.step_wall_clock(-HOUR);
        assert!(!watch.is_warning_due(end));
    }

    #[test]
    fn renewed_certificate_is_warned_of_by_itself() {
        let clock = Arc::new(AdjustableClock::default());
        let mut watch = watch(&clock);
        let soon = clock.timestamp().plus(Duration::from_secs(60));
        assert!(watch.is_warning_due(soon));
        assert!(!watch.is_warning_due(clock.timestamp().plus(2 * WARNING_PERIOD)));
        assert!(watch.is_warning_due(soon), "the former one is there again");
    }
}
