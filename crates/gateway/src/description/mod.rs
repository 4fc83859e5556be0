//! The description of the API: an OpenAPI document and a page that shows it. Both are the same in every deployment and need no
//! token (decision 0128).

mod comments;
mod examples;
mod openapi;
mod operations;
mod responses;
mod schemas;
mod viewer;

use std::sync::{Arc, LazyLock};

use axum::Router;
use axum::response::IntoResponse as _;
use axum::routing::get;
use bytes::Bytes;
use http::HeaderMap;
use http::header::{CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, VARY};
use invoicing_contract::{Names, Status};
use invoicing_http::{accepts_gzip, gzip};
use serde_json::Value;

pub use openapi::document;

/// The paths of the description: `/openapi.json` and `/docs`.
pub(crate) fn router(names: &Names, error_examples: &[Status]) -> Router {
    let (names, error_examples) = (names.clone(), error_examples.to_vec());
    // Made for the first reader: it would take a third of each start.
    let file = Arc::new(LazyLock::new(move || {
        DocumentFile::of(&document(&names, &error_examples))
    }));
    let headers = [
        (CONTENT_TYPE, "application/json"),
        // Another version of the program has another description.
        (CACHE_CONTROL, "no-cache"),
        (VARY, "accept-encoding"),
    ];
    Router::new()
        .route(
            "/openapi.json",
            get(async move |request: HeaderMap| {
                let compressed = file.compressed.clone();
                match compressed.filter(|_| accepts_gzip(&request)) {
                    Some(compressed) => {
                        (headers, [(CONTENT_ENCODING, "gzip")], compressed).into_response()
                    }
                    None => (headers, file.plain.clone()).into_response(),
                }
            }),
        )
        .merge(viewer::router())
}

/// The OpenAPI document as it is sent.
struct DocumentFile {
    plain: Bytes,
    compressed: Option<Bytes>,
}

impl DocumentFile {
    fn of(document: &Value) -> Self {
        let plain = document.to_string();
        Self {
            compressed: gzip(plain.as_bytes()).map(Bytes::from).ok(),
            plain: plain.into(),
        }
    }
}
