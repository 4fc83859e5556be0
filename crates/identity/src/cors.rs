//! CORS for the endpoints of single-page applications. They authenticate by the request and never by a cookie, so any origin
//! is allowed (contract, part 5, "Choosing a flow").

use std::sync::Arc;
use std::task::{Context, Poll};

use axum::extract::Request;
use axum::response::Response;
use futures_util::future::Either;
use http::{Method, header};
use tower::{Layer, Service};
use tower_http::cors::{Any, Cors, CorsLayer};

/// How long a browser may cache a preflight response.
const PREFLIGHT_MAX_AGE: std::time::Duration = std::time::Duration::from_secs(2 * 60 * 60);

/// CORS headers on every response. Cacheable responses need them, since the next request may come from another origin.
pub(crate) fn allow_any_origin() -> CorsLayer {
    CorsLayer::new()
        .allow_origin(Any)
        .allow_methods([Method::GET, Method::POST])
        .allow_headers([header::AUTHORIZATION, header::CONTENT_TYPE])
        .expose_headers([header::WWW_AUTHENTICATE, header::RETRY_AFTER])
        .max_age(PREFLIGHT_MAX_AGE)
}

/// CORS headers only on responses to requests with an Origin header, for responses that are not cached. Other clients skip
/// the cost.
#[derive(Clone)]
pub(crate) struct OriginCorsLayer(Arc<CorsLayer>);

impl OriginCorsLayer {
    pub(crate) fn new() -> Self {
        Self(Arc::new(allow_any_origin()))
    }
}

impl<Inner> Layer<Inner> for OriginCorsLayer {
    type Service = OriginCorsService<Inner>;

    fn layer(&self, inner: Inner) -> OriginCorsService<Inner> {
        OriginCorsService {
            inner,
            cors: self.0.clone(),
        }
    }
}

#[derive(Clone)]
pub(crate) struct OriginCorsService<Inner> {
    inner: Inner,
    cors: Arc<CorsLayer>,
}

impl<Inner> Service<Request> for OriginCorsService<Inner>
where
    Inner: Service<Request, Response = Response> + Clone,
{
    type Response = Response;
    type Error = Inner::Error;
    type Future = Either<Inner::Future, <Cors<Inner> as Service<Request>>::Future>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request) -> Self::Future {
        if request.headers().contains_key(header::ORIGIN) {
            Either::Right(self.cors.layer(self.inner.clone()).call(request))
        } else {
            Either::Left(self.inner.call(request))
        }
    }
}
