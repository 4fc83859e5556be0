//! Error pages. They never redirect.

use axum::response::Response;
use http::StatusCode;
use maud::html;

use super::PageLayout;

/// The error that the page shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ErrorPage {
    /// The client id is unknown, or its application may not use the authorization endpoint.
    UnknownApplication,
    /// The redirect_uri is absent or not registered.
    UnregisteredRedirect,
    /// A parameter is repeated or missing.
    Malformed,
    /// The request_uri is unknown, or another application pushed it.
    UnknownRequest,
    /// The parameters of a logout request are invalid.
    InvalidLogoutRequest,
    /// Too many requests from one address.
    TooManyRequests,
    /// Storage is unavailable.
    Unavailable,
    /// The path is unknown.
    NotFound,
}

/// Renders the page of `error`.
pub(crate) fn error_page(layout: &PageLayout<'_>, error: ErrorPage) -> Response {
    let (status, title, text) = match error {
        ErrorPage::UnknownApplication => (
            StatusCode::BAD_REQUEST,
            "unknown-application-title",
            "unknown-application",
        ),
        ErrorPage::UnregisteredRedirect => (
            StatusCode::BAD_REQUEST,
            "unregistered-redirect-title",
            "unregistered-redirect",
        ),
        ErrorPage::Malformed => (
            StatusCode::BAD_REQUEST,
            "malformed-request-title",
            "malformed-request",
        ),
        ErrorPage::UnknownRequest => (
            StatusCode::BAD_REQUEST,
            "unknown-request-title",
            "unknown-request",
        ),
        ErrorPage::InvalidLogoutRequest => (
            StatusCode::BAD_REQUEST,
            "invalid-logout-request-title",
            "invalid-logout-request",
        ),
        ErrorPage::TooManyRequests => (
            StatusCode::TOO_MANY_REQUESTS,
            "too-many-requests-title",
            "too-many-requests",
        ),
        ErrorPage::NotFound => (StatusCode::NOT_FOUND, "not-found-title", "not-found"),
        ErrorPage::Unavailable => (
            StatusCode::SERVICE_UNAVAILABLE,
            "unavailable-title",
            "unavailable",
        ),
    };
    let title = layout.localizer.text(title);
    let content = html! {
        h1 { (title) }
        p { (layout.localizer.text(text)) }
        @if status == StatusCode::BAD_REQUEST { p { (layout.localizer.text("start-again")) } }
    };
    layout.page(status, &title, &content)
}
