//! `grpc.health.v1.Health`: serves while storage answers.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use invoicing_contract::operation;
use invoicing_http::Readiness;
use tokio::sync::Mutex;
use tokio_util::sync::CancellationToken;
use tonic_health::ServingStatus;
use tonic_health::pb::health_server::{Health, HealthServer};
use tonic_health::server::HealthReporter;

/// How often storage is asked for callers that watch. Others cause a probe themselves.
const PROBE_INTERVAL: Duration = Duration::from_secs(5);
/// Stands for all services (gRPC Health Checking Protocol).
const WHOLE_SERVER: &str = "";

/// The status of each service, which is the same for all: they use one storage.
pub(crate) struct GrpcHealth {
    reporter: HealthReporter,
    names: BTreeSet<&'static str>,
    readiness: Arc<Readiness>,
    /// The status that the reporter has.
    serving: Mutex<bool>,
}

impl GrpcHealth {
    /// The status of the services of all operations, which is every service that the gateway serves.
    pub(crate) async fn new(readiness: Arc<Readiness>) -> (Arc<Self>, HealthServer<impl Health>) {
        let (reporter, service) = tonic_health::server::health_reporter();
        let services = operation::ALL.iter().map(|operation| operation.service);
        let names = services.chain([WHOLE_SERVER]).collect();
        let health = Arc::new(Self {
            reporter,
            names,
            readiness,
            serving: Mutex::new(false),
        });
        health.report(true).await;
        (health, service)
    }

    /// Asks storage, and reports whether it answers.
    pub(crate) async fn refresh(&self) {
        self.report(self.readiness.check().await).await;
    }

    /// Refreshes the status until `stop`, then withdraws it, so that no new requests are sent to a server that ends.
    pub(crate) async fn watch(&self, stop: CancellationToken) {
        loop {
            tokio::select! {
                () = stop.cancelled() => return self.report(false).await,
                () = tokio::time::sleep(PROBE_INTERVAL) => self.refresh().await,
            }
        }
    }

    async fn report(&self, serving: bool) {
        let mut reported = self.serving.lock().await;
        // A caller that watches gets a message each time a status is set.
        if *reported == serving {
            return;
        }
        let status = if serving {
            ServingStatus::Serving
        } else {
            ServingStatus::NotServing
        };
        for name in &self.names {
            self.reporter.set_service_status(name, status).await;
        }
        *reported = serving;
    }
}
