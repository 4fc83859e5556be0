//! The limit of requests for pages, as a layer of their routes.

use std::sync::Arc;

use axum::Extension;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use http::{HeaderValue, header};
use invoicing_http::Peer;

use crate::pages::{ErrorPage, error_page};
use crate::provider::Provider;
use crate::session::Browser;

/// Counts a request for a page against the limit of its address. Over the limit the response is 429 with a page: at the
/// authorization endpoint too, because an unchecked redirect URI must not be followed (RFC 6749, 4.1.2.1).
pub(crate) async fn limit_pages(
    State(provider): State<Arc<Provider>>,
    Extension(peer): Extension<Peer>,
    request: Request,
    next: Next,
) -> Response {
    let address = peer.client_address(request.headers(), &provider.proxies);
    let admitted = provider
        .request_limits
        .admit_address(address, provider.monotonic());
    let Err(exceeded) = admitted else {
        return next.run(request).await;
    };
    let browser = Browser::new(&provider, request.headers(), None);
    let mut response = error_page(&browser.layout(None), ErrorPage::TooManyRequests);
    let seconds = HeaderValue::from(exceeded.retry_after_seconds());
    response.headers_mut().insert(header::RETRY_AFTER, seconds);
    response
}
