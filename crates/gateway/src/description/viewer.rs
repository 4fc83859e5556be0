//! The page that shows the OpenAPI document: Swagger UI, embedded, under a strict Content-Security-Policy.

use std::io::Read as _;
use std::sync::OnceLock;

use axum::Router;
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use bytes::Bytes;
use flate2::read::GzDecoder;
use http::header::{CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, VARY};
use http::{HeaderMap, HeaderName, HeaderValue};
use invoicing_http::accepts_gzip;

static BUNDLE: CompressedFile = CompressedFile::new(
    "text/javascript; charset=utf-8",
    include_bytes!(concat!(env!("OUT_DIR"), "/swagger-ui-bundle.js.gz")),
);
static STYLE: CompressedFile = CompressedFile::new(
    "text/css; charset=utf-8",
    include_bytes!(concat!(env!("OUT_DIR"), "/swagger-ui.css.gz")),
);

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
    let file = |of: &'static CompressedFile| {
        get(move |headers: HeaderMap| async move { of.response(&headers) })
    };
    Router::new()
        .route("/docs", text("text/html; charset=utf-8", PAGE))
        .route(
            "/docs/start.js",
            text("text/javascript; charset=utf-8", START),
        )
        .route("/docs/swagger-ui-bundle.js", file(&BUNDLE))
        .route("/docs/swagger-ui.css", file(&STYLE))
}

/// A file that is kept compressed, which every browser takes.
struct CompressedFile {
    content_type: &'static str,
    bytes: &'static [u8],
    /// Made for the first client without gzip and kept: nobody needs a token to ask, so it must not be made for each request.
    plain: OnceLock<Bytes>,
}

impl CompressedFile {
    const fn new(content_type: &'static str, bytes: &'static [u8]) -> Self {
        Self {
            content_type,
            bytes,
            plain: OnceLock::new(),
        }
    }

    fn response(&self, request_headers: &HeaderMap) -> Response {
        let headers = (
            HEADERS,
            [(CONTENT_TYPE, self.content_type), (VARY, "accept-encoding")],
        );
        if accepts_gzip(request_headers) {
            return (headers, [(CONTENT_ENCODING, "gzip")], self.bytes).into_response();
        }
        (headers, self.plain().clone()).into_response()
    }

    fn plain(&self) -> &Bytes {
        self.plain.get_or_init(|| {
            let mut plain = Vec::new();
            GzDecoder::new(self.bytes)
                .read_to_end(&mut plain)
                .expect("the build compressed it");
            plain.into()
        })
    }
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
        let response = STYLE.response(&HeaderMap::new());
        assert!(!response.headers().contains_key(CONTENT_ENCODING));
    }

    #[test]
    fn file_is_decompressed_once() {
        let first = STYLE.plain().as_ptr();
        assert_eq!(STYLE.plain().as_ptr(), first);
        assert!(STYLE.plain().len() > STYLE.bytes.len());
    }
}
