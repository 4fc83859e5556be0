//! CORS: which pages of other origins may read responses (WHATWG Fetch, section 3.2).

use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::extract::Request;
use axum::response::Response;
use futures_util::future::Either;
use http::{HeaderName, HeaderValue, Method, header};
use invoicing_contract::names::{CORRELATION_ID, ROW_COUNT, SERVICE_CULTURE};
use tower::{Layer, Service};
use tower_http::cors::{Any, Cors, CorsLayer};

/// How long a browser may cache a preflight response.
const PREFLIGHT_MAX_AGE: Duration = Duration::from_secs(2 * 60 * 60);

/// For the endpoints of single-page applications at the identity provider. They authenticate by the request and never by a
/// cookie, so any origin is allowed (contract, part 5, "Choosing a flow"). The headers are on every response: cacheable
/// responses need them, since the next request may come from another origin.
pub fn allow_any_origin() -> CorsLayer {
    CorsLayer::new()
        .allow_origin(Any)
        .allow_methods([Method::GET, Method::POST])
        .allow_headers([header::AUTHORIZATION, header::CONTENT_TYPE])
        .expose_headers([header::WWW_AUTHENTICATE, header::RETRY_AFTER])
        .max_age(PREFLIGHT_MAX_AGE)
}

/// For the gateway: the origins that the configuration names, and no cookies (decision 0130). `organization_header` is the
/// header that targets an organization.
pub fn allow_origins(origins: Vec<HeaderValue>, organization_header: HeaderName) -> CorsLayer {
    CorsLayer::new()
        .allow_origin(origins)
        .allow_methods([
            Method::GET,
            Method::POST,
            Method::PUT,
            Method::PATCH,
            Method::DELETE,
        ])
        .allow_headers([
            header::AUTHORIZATION,
            header::CONTENT_TYPE,
            header::IF_NONE_MATCH,
            organization_header,
            HeaderName::from_static(SERVICE_CULTURE),
            HeaderName::from_static(CORRELATION_ID),
            HeaderName::from_static("traceparent"),
            HeaderName::from_static("tracestate"),
        ])
        .expose_headers([
            header::WWW_AUTHENTICATE,
            header::RETRY_AFTER,
            header::ALLOW,
            header::ETAG,
            header::CONTENT_DISPOSITION,
            HeaderName::from_static(CORRELATION_ID),
            HeaderName::from_static(ROW_COUNT),
        ])
        .max_age(PREFLIGHT_MAX_AGE)
}

/// CORS headers only on responses to requests with an Origin header, for responses that are not cached. Other clients skip
/// the cost.
#[derive(Debug, Clone)]
pub struct OriginCorsLayer(Arc<CorsLayer>);

impl OriginCorsLayer {
    /// A layer with the rules of `cors`.
    #[must_use]
    pub fn new(cors: CorsLayer) -> Self {
        Self(Arc::new(cors))
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

/// See [`OriginCorsLayer`].
#[derive(Debug, Clone)]
pub struct OriginCorsService<Inner> {
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
