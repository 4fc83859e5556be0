//! The description of the API: an OpenAPI document and a page that shows it. Both are the same in every deployment and need no
//! token (decision 0128).

mod comments;
mod examples;
mod openapi;
mod operations;
mod responses;
mod schemas;
mod viewer;

use axum::Router;
use axum::response::IntoResponse as _;
use axum::routing::get;
use bytes::Bytes;
use http::HeaderMap;
use http::header::{CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, VARY};
use invoicing_contract::{Names, Status};
use invoicing_http::{accepts_gzip, gzip};

pub use openapi::document;

/// The paths of the description: `/openapi.json` and `/docs`.
pub(crate) fn router(names: &Names, error_examples: &[Status]) -> Router {
    let document = document(names, error_examples).to_string();
    let compressed = gzip(document.as_bytes()).map(Bytes::from).ok();
    let document = Bytes::from(document);
    let headers = [
        (CONTENT_TYPE, "application/json"),
        // Another version of the program has another description.
        (CACHE_CONTROL, "no-cache"),
        (VARY, "accept-encoding"),
    ];
    Router::new()
        .route(
            "/openapi.json",
            get(move |request: HeaderMap| async move {
                match compressed.filter(|_| accepts_gzip(&request)) {
                    Some(compressed) => {
                        (headers, [(CONTENT_ENCODING, "gzip")], compressed).into_response()
                    }
                    None => (headers, document).into_response(),
                }
            }),
        )
        .merge(viewer::router())
}
