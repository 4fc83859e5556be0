//! What every request gets, whichever server it comes to: a correlation id, a line in the log, a count, an answer whatever
//! happens, and the headers that every answer of that server has. One layer does all of it: each
//! layer of a router is two allocations for every request.

use std::convert::Infallible;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::extract::{MatchedPath, Request};
use axum::response::Response;
use futures_util::FutureExt as _;
use http::{HeaderName, HeaderValue};
use invoicing_contract::names::CORRELATION_ID;
use tower::{Layer, Service};

use super::{CorrelationId, panic, request_log};
use crate::metrics::Metrics;
use invoicing_storage::world::World;

/// Gives every request of `router` a correlation id, a line in the log and a count under the name of `server`, and an
/// answer whatever happens. Every answer gets those headers of `always` that it does not have.
pub fn observed(
    router: axum::Router,
    server: &'static str,
    always: Vec<(HeaderName, HeaderValue)>,
    world: &World,
    metrics: &Arc<Metrics>,
) -> axum::Router {
    router.layer(Observing(Arc::new(Observer {
        server,
        always,
        world: world.clone(),
        metrics: metrics.clone(),
    })))
}

/// What observing needs besides the request.
struct Observer {
    server: &'static str,
    always: Vec<(HeaderName, HeaderValue)>,
    world: World,
    metrics: Arc<Metrics>,
}

#[derive(Clone)]
struct Observing(Arc<Observer>);

impl<Inner> Layer<Inner> for Observing {
    type Service = Observed<Inner>;

    fn layer(&self, inner: Inner) -> Self::Service {
        Observed {
            inner,
            observer: self.0.clone(),
        }
    }
}

#[derive(Clone)]
struct Observed<Inner> {
    inner: Inner,
    observer: Arc<Observer>,
}

impl<Inner> Service<Request> for Observed<Inner>
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
        let observer = self.observer.clone();
        let World { clock, randomness } = &observer.world;
        let id = CorrelationId::of(request.headers(), &**randomness);
        request.extensions_mut().insert(id.clone());
        let method = request.method().clone();
        // A text of its own: the address is a part of what was read from the connection, which is read into again meanwhile.
        let path = request_log::path(request.uri());
        let route = request.extensions().get::<MatchedPath>().cloned();
        let began = clock.now();
        let answered = self.inner.call(request);
        Box::pin(async move {
            let mut response = match AssertUnwindSafe(answered).catch_unwind().await {
                Ok(Ok(response)) => response,
                Ok(Err(never)) => match never {},
                Err(_) => panic::answer(),
            };
            // A clock that was set back meanwhile says nothing about how long it took.
            let took = observer.world.clock.now().duration_since(began);
            let took = Duration::try_from(took).unwrap_or_default();
            let route = route.as_ref().map(MatchedPath::as_str);
            let Observer {
                server,
                always,
                metrics,
                ..
            } = &*observer;
            metrics.answered(server, route, &response, took);
            request_log::write(server, &method, &path, &response, took, &id);
            let headers = response.headers_mut();
            headers.reserve(always.len() + 1);
            for (name, value) in always {
                headers.entry(name).or_insert_with(|| value.clone());
            }
            headers.entry(CORRELATION_ID).or_insert(id.into());
            Ok(response)
        })
    }
}
