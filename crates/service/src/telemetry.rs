//! Export of a span of each request over OTLP (gRPC), if the configuration names a collector. Without one, nothing of it runs.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{Request, State};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::Response;
use invoicing_http::TraceContext;
use invoicing_http::trace_context::with_current;
use invoicing_storage::Rng;
use opentelemetry::trace::{
    Span as _, SpanContext, SpanId, SpanKind, Status, TraceContextExt as _, TraceFlags, TraceId,
    TraceState, Tracer as _, TracerProvider as _,
};
use opentelemetry::{Context, KeyValue};
use opentelemetry_otlp::{ExporterBuildError, SpanExporter, WithExportConfig as _};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::{IdGenerator, SdkTracer, SdkTracerProvider};
use url::Url;

/// How long the collector may take for a batch.
const EXPORT_TIMEOUT: Duration = Duration::from_secs(5);
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
    /// A connection to the collector at `endpoint`, which is made when the first batch is sent.
    ///
    /// # Errors
    /// The endpoint is no address of an OTLP collector.
    pub(crate) fn new(endpoint: &Url, rng: Arc<dyn Rng>) -> Result<Self, ExporterBuildError> {
        let exporter = SpanExporter::builder()
            .with_tonic()
            .with_endpoint(endpoint.as_str())
            .with_timeout(EXPORT_TIMEOUT)
            .build()?;
        let resource = Resource::builder()
            .with_service_name("invoicing-service")
            .with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION")))
            .build();
        let provider = SdkTracerProvider::builder()
            .with_batch_exporter(exporter)
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

    /// Sends what is left, and ends the thread.
    pub(crate) async fn shutdown(self) {
        let ended = tokio::task::spawn_blocking(move || {
            self.provider.shutdown_with_timeout(EXPORT_TIMEOUT)
        });
        if let Ok(Err(error)) = ended.await {
            tracing::warn!(%error, "the last spans could not be exported");
        }
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
        let method = request.method().as_str().to_owned();
        let mut span = state
            .tracer
            .span_builder(method.clone())
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
        if status.is_server_error() {
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
