//! Export of a span of each request over OTLP (gRPC), if the configuration names a collector. Without one, nothing of it runs.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::Router;
use axum::extract::{Request, State};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::Response;
use invoicing_http::trace_context::with_current;
use invoicing_http::{TraceContext, contract_status, method_name};
use invoicing_storage::Rng;
use opentelemetry::trace::{
    Span as _, SpanContext, SpanId, SpanKind, Status, TraceContextExt as _, TraceFlags, TraceId,
    TraceState, Tracer as _, TracerProvider as _,
};
use opentelemetry::{Context, KeyValue};
use opentelemetry_otlp::tonic_types::transport::ClientTlsConfig;
use opentelemetry_otlp::{SpanExporter, WithExportConfig as _, WithTonicConfig as _};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::trace::{IdGenerator, SdkTracer, SdkTracerProvider, SpanData};
use url::Url;

use crate::start_error::StartError;

/// How long the collector may take for a batch.
const EXPORT_TIMEOUT: Duration = Duration::from_secs(5);
/// How long it may take for the last one, when the service stops: a part of the time in which the process ends.
const LAST_EXPORT_TIMEOUT: Duration = Duration::from_secs(3);
/// The most characters of a path in a span.
const MAX_PATH_BYTES: usize = 200;

/// Sends spans to a collector. Batches are sent by a thread of its own; spans that do not fit into the queue are dropped.
pub(crate) struct Telemetry {
    provider: SdkTracerProvider,
    rng: Arc<dyn Rng>,
}

impl fmt::Debug for Telemetry {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Telemetry").finish_non_exhaustive()
    }
}

impl Telemetry {
    /// A connection to the collector at `endpoint`, which is made when the first batch is sent. One with TLS trusts the authorities
    /// of the system, or those of the files that `SSL_CERT_FILE` and `SSL_CERT_DIR` name.
    ///
    /// # Errors
    /// The endpoint is no address of an OTLP collector, or the system has no authorities.
    pub(crate) fn new(endpoint: &Url, rng: Arc<dyn Rng>) -> Result<Self, StartError> {
        let exporter = SpanExporter::builder()
            .with_tonic()
            .with_endpoint(endpoint.as_str())
            .with_timeout(EXPORT_TIMEOUT);
        let exporter = match endpoint.scheme() {
            "http" => exporter,
            "https" => exporter.with_tls_config(ClientTlsConfig::new().with_native_roots()),
            scheme => {
                let scheme = scheme.to_owned();
                return Err(StartError::CollectorScheme { scheme });
            }
        };
        let exporter = exporter.build()?;
        let resource = Resource::builder()
            .with_service_name("invoicing-service")
            .with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION")))
            .build();
        let provider = SdkTracerProvider::builder()
            .with_batch_exporter(ReportingExporter::new(exporter))
            .with_id_generator(CurrentIds)
            .with_resource(resource)
            .build();
        Ok(Self { provider, rng })
    }

    /// `router` with a span for each request. `server` names it: `identity` or `gateway`.
    pub(crate) fn trace(&self, router: Router, server: &'static str) -> Router {
        let state = Tracing {
            tracer: self.provider.tracer("invoicing-service"),
            rng: self.rng.clone(),
            server,
        };
        router.layer(from_fn_with_state(state, trace))
    }

    /// Sends what is left, as far as the collector takes it in time, and ends the thread.
    pub(crate) async fn shutdown(self) {
        let ended = tokio::task::spawn_blocking(move || {
            self.provider.shutdown_with_timeout(LAST_EXPORT_TIMEOUT)
        });
        if let Ok(Err(error)) = ended.await {
            tracing::warn!(%error, "the last spans could not be exported");
        }
    }
}

/// Tells the log when the collector begins to fail, and when it takes spans again. The thread that sends them drops what is not
/// taken, and says nothing.
#[derive(Debug)]
struct ReportingExporter<Exporter> {
    exporter: Exporter,
    fails: AtomicBool,
}

impl<Exporter> ReportingExporter<Exporter> {
    const fn new(exporter: Exporter) -> Self {
        Self {
            exporter,
            fails: AtomicBool::new(false),
        }
    }
}

impl<Exporter> opentelemetry_sdk::trace::SpanExporter for ReportingExporter<Exporter>
where
    Exporter: opentelemetry_sdk::trace::SpanExporter,
{
    async fn export(&self, batch: Vec<SpanData>) -> OTelSdkResult {
        let exported = self.exporter.export(batch).await;
        let fails = exported.is_err();
        if self.fails.swap(fails, Ordering::Relaxed) != fails {
            match &exported {
                Ok(()) => tracing::info!("the collector takes spans again"),
                Err(error) => {
                    tracing::warn!(%error, "the collector does not take spans: they are dropped");
                }
            }
        }
        exported
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.exporter.shutdown_with_timeout(timeout)
    }

    fn force_flush(&self) -> OTelSdkResult {
        self.exporter.force_flush()
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.exporter.set_resource(resource);
    }
}

#[derive(Clone)]
struct Tracing {
    tracer: SdkTracer,
    rng: Arc<dyn Rng>,
    server: &'static str,
}

async fn trace(State(state): State<Tracing>, request: Request, next: Next) -> Response {
    let current = TraceContext::current();
    let trace = current.unwrap_or_else(|| TraceContext::root(&*state.rng));
    let parent = parent(&trace);
    with_current(Some(trace), async move {
        let path = request.uri().path();
        let path = path[..path.floor_char_boundary(MAX_PATH_BYTES)].to_owned();
        let method = method_name(request.method());
        let mut span = state
            .tracer
            .span_builder(method)
            .with_kind(SpanKind::Server)
            .with_attributes([
                KeyValue::new("http.request.method", method),
                KeyValue::new("url.path", path),
                KeyValue::new("invoicing.server", state.server),
            ])
            .start_with_context(&state.tracer, &parent);
        let response = next.run(request).await;
        let status = response.status();
        span.set_attribute(KeyValue::new(
            "http.response.status_code",
            i64::from(status.as_u16()),
        ));
        if contract_status(&response).is_server_error() {
            span.set_status(Status::error(""));
        }
        span.end();
        response
    })
    .await
}

/// The caller's span, as far as there is one.
fn parent(trace: &TraceContext) -> Context {
    let ids = trace.parent_id().and_then(|parent| {
        let trace_id = TraceId::from_hex(trace.trace_id()).ok()?;
        Some((trace_id, SpanId::from_hex(parent).ok()?))
    });
    let Some((trace_id, span_id)) = ids else {
        return Context::new();
    };
    let flags = if trace.is_sampled() {
        TraceFlags::SAMPLED
    } else {
        TraceFlags::default()
    };
    let remote = SpanContext::new(trace_id, span_id, flags, true, TraceState::NONE);
    Context::new().with_remote_span_context(remote)
}

/// The ids of the trace of the current request, so that the exported span is the one that other services see as their parent.
#[derive(Debug)]
struct CurrentIds;

impl IdGenerator for CurrentIds {
    fn new_trace_id(&self) -> TraceId {
        TraceContext::current()
            .and_then(|trace| TraceId::from_hex(trace.trace_id()).ok())
            .unwrap_or(TraceId::INVALID)
    }

    fn new_span_id(&self) -> SpanId {
        TraceContext::current()
            .and_then(|trace| SpanId::from_hex(trace.span_id()).ok())
            .unwrap_or(SpanId::INVALID)
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Seek as _};
    use std::sync::atomic::AtomicUsize;

    use opentelemetry_sdk::error::OTelSdkError;
    use opentelemetry_sdk::trace::SpanExporter as _;

    use super::*;

    /// A collector that takes the first batch and the fourth.
    #[derive(Debug, Default)]
    struct Interrupted(AtomicUsize);

    impl opentelemetry_sdk::trace::SpanExporter for Interrupted {
        async fn export(&self, _batch: Vec<SpanData>) -> OTelSdkResult {
            match self.0.fetch_add(1, Ordering::Relaxed) {
                0 | 3 => Ok(()),
                _ => Err(OTelSdkError::InternalFailure("no answer".to_owned())),
            }
        }
    }

    #[tokio::test]
    async fn collector_that_fails_and_recovers_is_in_the_log_once_each() {
        let log = Arc::new(tempfile::tempfile().expect("a file"));
        let subscriber = tracing_subscriber::fmt()
            .with_ansi(false)
            .with_writer(log.clone())
            .finish();
        let logging = tracing::subscriber::set_default(subscriber);
        let exporter = ReportingExporter::new(Interrupted::default());
        for batch in 0..4 {
            let exported = exporter.export(Vec::new()).await;
            assert_eq!(exported.is_ok(), [0, 3].contains(&batch), "{batch}");
        }
        drop(logging);
        let (mut file, mut written) = (&*log, String::new());
        file.rewind().expect("a file");
        file.read_to_string(&mut written).expect("text");
        let lines: Vec<_> = written.lines().collect();
        assert_eq!(lines.len(), 2, "{written}");
        assert!(
            lines[0].contains("WARN") && lines[0].contains("no answer"),
            "{written}"
        );
        assert!(lines[1].contains("takes spans again"), "{written}");
    }
}
