//! The pages for what cannot go on. They never redirect.

use axum::response::Response;
use http::StatusCode;
use maud::html;

use super::Frame;

/// Why it cannot go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Trouble {
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

/// The page about `trouble`.
pub(crate) fn trouble(frame: &Frame<'_>, trouble: Trouble) -> Response {
    let (status, title, text) = match trouble {
        Trouble::UnknownApplication => (
            StatusCode::BAD_REQUEST,
            "unknown-application-title",
            "unknown-application",
        ),
        Trouble::BadRedirect => (
            StatusCode::BAD_REQUEST,
            "bad-redirect-title",
            "bad-redirect",
        ),
        Trouble::Malformed => (StatusCode::BAD_REQUEST, "malformed-title", "malformed"),
        Trouble::SignOutRefused => (
            StatusCode::BAD_REQUEST,
            "sign-out-refused-title",
            "sign-out-refused",
        ),
        Trouble::NotFound => (StatusCode::NOT_FOUND, "not-found-title", "not-found"),
        Trouble::Unavailable => (
            StatusCode::SERVICE_UNAVAILABLE,
            "unavailable-title",
            "unavailable",
        ),
    };
    let title = frame.speech.say(title);
    let content = html! {
        h1 { (title) }
        p { (frame.speech.say(text)) }
        @if status == StatusCode::BAD_REQUEST { p { (frame.speech.say("start-again")) } }
    };
    frame.page(status, &title, &content)
}
