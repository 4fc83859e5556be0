//! The layer around every router: host check, correlation id, request log, metrics, panic handling and default response
//! headers.
//!
//! It is one layer because each layer of a router costs two allocations per request.

use std::convert::Infallible;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::extract::{MatchedPath, Request};
use axum::response::Response;
use futures_util::FutureExt as _;
use futures_util::future::{Either, ready};
use http::{HeaderName, HeaderValue};
use invoicing_contract::names::CORRELATION_ID;
use tower::{Layer, Service};

use super::trace_context::with_current;
use super::{CorrelationId, HostPolicy, Protocol, TraceContext, panic, request_log};
use crate::metrics::Metrics;
use invoicing_storage::{Clock, Rng};

/// Adds the layer to `router`. `server` labels its log lines and metrics. Requests for a host that `hosts` does not allow do
/// not reach the router. A response gets each of `default_headers` that it
/// does not set itself.
pub fn with_request_layer(
    router: axum::Router,
    server: &'static str,
    default_headers: Vec<(HeaderName, HeaderValue)>,
    hosts: HostPolicy,
    clock: &Arc<dyn Clock>,
    rng: &Arc<dyn Rng>,
    metrics: &Arc<Metrics>,
) -> axum::Router {
    router.layer(RequestLayer(Arc::new(LayerState {
        server,
        default_headers,
        hosts,
        clock: clock.clone(),
        rng: rng.clone(),
        metrics: metrics.clone(),
    })))
}

/// What the layer shares between requests.
struct LayerState {
    server: &'static str,
    default_headers: Vec<(HeaderName, HeaderValue)>,
    hosts: HostPolicy,
    clock: Arc<dyn Clock>,
    rng: Arc<dyn Rng>,
    metrics: Arc<Metrics>,
}

#[derive(Clone)]
struct RequestLayer(Arc<LayerState>);

impl<Inner> Layer<Inner> for RequestLayer {
    type Service = RequestService<Inner>;

    fn layer(&self, inner: Inner) -> Self::Service {
        RequestService {
            inner,
            state: self.0.clone(),
        }
    }
}

#[derive(Clone)]
struct RequestService<Inner> {
    inner: Inner,
    state: Arc<LayerState>,
}

impl<Inner> Service<Request> for RequestService<Inner>
where
    Inner: Service<Request, Response = Response, Error = Infallible>,
    Inner::Future: Send + 'static,
{
    type Response = Response;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, mut request: Request) -> Self::Future {
        let state = self.state.clone();
        let id = CorrelationId::from_headers(request.headers(), &*state.rng);
        request.extensions_mut().insert(id.clone());
        let method = request.method().clone();
        let protocol = Protocol::of(request.headers());
        // Copied, because the URI borrows the read buffer of the connection, which could not be reused meanwhile.
        let path = request_log::path(request.uri());
        let route = request.extensions().get::<MatchedPath>().cloned();
        let started_at = state.clock.monotonic();
        let trace = TraceContext::from_headers(request.headers(), &*state.rng);
        let response = match state.hosts.refusal(&request, protocol) {
            None => Either::Left(self.inner.call(request)),
            Some(refusal) => Either::Right(ready(Ok(refusal))),
        };
        Box::pin(async move {
            let response = with_current(trace.clone(), AssertUnwindSafe(response).catch_unwind());
            let mut response = match response.await {
                Ok(Ok(response)) => response,
                Ok(Err(never)) => match never {},
                Err(_) => panic::internal_error(protocol),
            };
            let duration = state.clock.monotonic().saturating_sub(started_at);
            let route = route.as_ref().map(MatchedPath::as_str);
            let LayerState {
                server,
                default_headers,
                metrics,
                ..
            } = &*state;
            metrics.record_response(server, route, &response, duration);
            let ids = (&id, trace.as_ref());
            request_log::write(server, &method, &path, &response, duration, ids);
            let headers = response.headers_mut();
            headers.reserve(default_headers.len() + 1);
            for (name, value) in default_headers {
                headers.entry(name).or_insert_with(|| value.clone());
            }
            headers.entry(CORRELATION_ID).or_insert(id.into());
            Ok(response)
        })
    }
}
