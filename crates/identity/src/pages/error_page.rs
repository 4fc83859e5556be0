//! The pages for what cannot go on. They never redirect.

use axum::response::Response;
use http::StatusCode;
use maud::html;

use super::PageLayout;

/// Why it cannot go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ErrorPage {
    /// No application of that id may ask people to sign in.
    UnknownApplication,
    /// The redirect_uri is absent or not registered.
    BadRedirect,
    /// A parameter occurs twice or is absent.
    Malformed,
    /// The parameters of a sign-out fit nothing.
    SignOutRefused,
    /// Storage does not answer.
    Unavailable,
    /// Nothing is at that address.
    NotFound,
}

/// Renders `reason`.
pub(crate) fn error_page(frame: &PageLayout<'_>, reason: ErrorPage) -> Response {
    let (status, title, text) = match reason {
        ErrorPage::UnknownApplication => (
            StatusCode::BAD_REQUEST,
            "unknown-application-title",
            "unknown-application",
        ),
        ErrorPage::BadRedirect => (
            StatusCode::BAD_REQUEST,
            "bad-redirect-title",
            "bad-redirect",
        ),
        ErrorPage::Malformed => (StatusCode::BAD_REQUEST, "malformed-title", "malformed"),
        ErrorPage::SignOutRefused => (
            StatusCode::BAD_REQUEST,
            "sign-out-refused-title",
            "sign-out-refused",
        ),
        ErrorPage::NotFound => (StatusCode::NOT_FOUND, "not-found-title", "not-found"),
        ErrorPage::Unavailable => (
            StatusCode::SERVICE_UNAVAILABLE,
            "unavailable-title",
            "unavailable",
        ),
    };
    let title = frame.localizer.text(title);
    let content = html! {
        h1 { (title) }
        p { (frame.localizer.text(text)) }
        @if status == StatusCode::BAD_REQUEST { p { (frame.localizer.text("start-again")) } }
    };
    frame.page(status, &title, &content)
}
