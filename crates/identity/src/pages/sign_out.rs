//! The pages about signing out.

use axum::response::Response;
use http::StatusCode;
use maud::html;

use super::PageLayout;

/// Asks before signing out everybody who is signed in with this browser, when nothing proves that the application wants it (RP-Initiated Logout, 2).
pub(crate) fn confirm_sign_out(
    frame: &PageLayout<'_>,
    action: &str,
    csrf_token: &str,
    names: &[&str],
) -> Response {
    let title = frame.localizer.text("sign-out-title");
    let content = html! {
        h1 { (title) }
        @if let [name] = names {
            p.lead { (frame.localizer.format("sign-out-question", &[("name", (*name).into())])) }
        } @else {
            p.lead { (frame.localizer.text("sign-out-several")) }
            ul { @for name in names { li { bdi { (name) } } } }
        }
        form #sign-out method="post" action=(action) {
            input type="hidden" name="page" value=(csrf_token);
            button.primary type="submit" {
                (frame.localizer.text(if names.len() == 1 { "sign-out" } else { "sign-out-all" }))
            }
        }
        p.aside { (frame.localizer.text("sign-out-not")) }
    };
    frame.page(StatusCode::OK, &title, &content)
}

/// Nobody is signed in with this browser any more.
pub(crate) fn signed_out(frame: &PageLayout<'_>) -> Response {
    let title = frame.localizer.text("signed-out-title");
    let content = html! {
        h1 { (title) }
        p { (frame.localizer.text("signed-out")) }
    };
    frame.page(StatusCode::OK, &title, &content)
}
