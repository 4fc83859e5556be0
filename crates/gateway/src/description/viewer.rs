//! The page that shows the OpenAPI document: Swagger UI, embedded, under a strict Content-Security-Policy.

use std::io::Read as _;

use axum::Router;
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use bytes::Bytes;
use flate2::read::GzDecoder;
use http::header::{CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, VARY};
use http::{HeaderMap, HeaderName, HeaderValue};
use invoicing_http::accepts_gzip;

const BUNDLE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/swagger-ui-bundle.js.gz"));
const STYLE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/swagger-ui.css.gz"));

/// No inline script or style, nothing of another host. Swagger UI has its icons in data URLs.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const PAGE: &str = r#"<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Invoice Desk API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<div id="api"></div>
<noscript>This page needs JavaScript. The description itself is at /openapi.json.</noscript>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
"#;

/// The token that a reader enters stays in the page. Nothing is sent to a validator on the Internet.
const START: &str = r##"SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#api",
  deepLinking: true,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
  persistAuthorization: false,
});
"##;

const HEADERS: [(HeaderName, HeaderValue); 3] = [
    (CACHE_CONTROL, HeaderValue::from_static("no-cache")),
    (
        http::header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(POLICY),
    ),
    (
        http::header::REFERRER_POLICY,
        HeaderValue::from_static("no-referrer"),
    ),
];

/// `/docs` and its files.
pub(super) fn router() -> Router {
    let text = |content_type: &'static str, text: &'static str| {
        get(move || async move { (HEADERS, [(CONTENT_TYPE, content_type)], text) })
    };
    let file = |content_type: &'static str, bytes: &'static [u8]| {
        get(move |headers: HeaderMap| async move { compressed(&headers, content_type, bytes) })
    };
    Router::new()
        .route("/docs", text("text/html; charset=utf-8", PAGE))
        .route(
            "/docs/start.js",
            text("text/javascript; charset=utf-8", START),
        )
        .route(
            "/docs/swagger-ui-bundle.js",
            file("text/javascript; charset=utf-8", BUNDLE),
        )
        .route(
            "/docs/swagger-ui.css",
            file("text/css; charset=utf-8", STYLE),
        )
}

/// A file that is kept compressed, which every browser takes.
fn compressed(headers: &HeaderMap, content_type: &'static str, bytes: &'static [u8]) -> Response {
    let gzip = accepts_gzip(headers);
    let headers = (
        HEADERS,
        [(CONTENT_TYPE, content_type), (VARY, "accept-encoding")],
    );
    if gzip {
        return (headers, [(CONTENT_ENCODING, "gzip")], bytes).into_response();
    }
    let mut plain = Vec::new();
    GzDecoder::new(bytes)
        .read_to_end(&mut plain)
        .expect("the build compressed it");
    (headers, Bytes::from(plain)).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn policy_allows_nothing_inline_and_no_other_host() {
        assert!(!POLICY.contains("unsafe") && !POLICY.contains("http") && !POLICY.contains('*'));
        assert!(!PAGE.contains("style=") && !PAGE.contains("<style") && !PAGE.contains("onload"));
    }

    #[test]
    fn file_is_sent_plain_to_a_client_without_gzip() {
        let response = compressed(&HeaderMap::new(), "text/css", STYLE);
        assert!(!response.headers().contains_key(CONTENT_ENCODING));
    }
}
