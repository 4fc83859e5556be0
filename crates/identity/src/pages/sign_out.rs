//! The pages about signing out.

use axum::response::Response;
use http::StatusCode;
use maud::html;

use super::Frame;

/// Asks before signing out everybody who is signed in with this browser, when nothing proves that the application wants it (RP-Initiated Logout, 2).
pub(crate) fn confirm_sign_out(
    frame: &Frame<'_>,
    action: &str,
    page_token: &str,
    names: &[&str],
) -> Response {
    let title = frame.speech.say("sign-out-title");
    let content = html! {
        h1 { (title) }
        @if let [name] = names {
            p.lead { (frame.speech.say_with("sign-out-question", &[("name", (*name).into())])) }
        } @else {
            p.lead { (frame.speech.say("sign-out-several")) }
            ul { @for name in names { li { bdi { (name) } } } }
        }
        form #sign-out method="post" action=(action) {
            input type="hidden" name="page" value=(page_token);
            button.primary type="submit" {
                (frame.speech.say(if names.len() == 1 { "sign-out" } else { "sign-out-all" }))
            }
        }
        p.aside { (frame.speech.say("sign-out-not")) }
    };
    frame.page(StatusCode::OK, &title, &content)
}

/// Nobody is signed in with this browser any more.
pub(crate) fn signed_out(frame: &Frame<'_>) -> Response {
    let title = frame.speech.say("signed-out-title");
    let content = html! {
        h1 { (title) }
        p { (frame.speech.say("signed-out")) }
    };
    frame.page(StatusCode::OK, &title, &content)
}
