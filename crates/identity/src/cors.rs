//! Lets pages of other origins call: what a program in a page calls, it calls by what it sends and never by a cookie, so that
//! any origin may ask (contract, part 5, "Choosing a flow").

use std::sync::Arc;
use std::task::{Context, Poll};

use axum::extract::Request;
use axum::response::Response;
use futures_util::future::Either;
use http::{Method, header};
use tower::{Layer, Service};
use tower_http::cors::{Any, Cors, CorsLayer};

/// For how long a browser need not ask again whether a page may call.
const PREFLIGHT_MAX_AGE: std::time::Duration = std::time::Duration::from_secs(2 * 60 * 60);

/// What every answer says that others may keep: it has to be good for whoever asks next.
pub(super) fn allow_any_origin() -> CorsLayer {
    CorsLayer::new()
        .allow_origin(Any)
        .allow_methods([Method::GET, Method::POST])
        .allow_headers([header::AUTHORIZATION, header::CONTENT_TYPE])
        .expose_headers([header::WWW_AUTHENTICATE, header::RETRY_AFTER])
        .max_age(PREFLIGHT_MAX_AGE)
}

/// The same for answers that nobody keeps: only a page asks for it, and programs need not pay for it.
#[derive(Clone)]
pub(super) struct OriginCorsLayer(Arc<CorsLayer>);

impl OriginCorsLayer {
    pub(super) fn new() -> Self {
        Self(Arc::new(allow_any_origin()))
    }
}

impl<Inner> Layer<Inner> for OriginCorsLayer {
    type Service = OriginCorsService<Inner>;

    fn layer(&self, inner: Inner) -> OriginCorsService<Inner> {
        OriginCorsService {
            inner,
            answers: self.0.clone(),
        }
    }
}

#[derive(Clone)]
pub(super) struct OriginCorsService<Inner> {
    inner: Inner,
    answers: Arc<CorsLayer>,
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
            Either::Right(self.answers.layer(self.inner.clone()).call(request))
        } else {
            Either::Left(self.inner.call(request))
        }
    }
}
