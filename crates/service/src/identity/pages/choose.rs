//! The page that asks which account to go on with (prompt=select_account).

use axum::response::Response;
use http::StatusCode;
use maud::html;

use super::Frame;

/// `name` is signed in with this browser.
pub(in crate::identity) fn choose(
    frame: &Frame<'_>,
    action: &str,
    page_token: &str,
    application: &str,
    name: &str,
) -> Response {
    let title = frame.speech.say("choose-title");
    let content = html! {
        h1 { (title) }
        p.lead { (frame.speech.say_with("sign-in-for", &[("application", application.into())])) }
        form #choose method="post" action=(action) {
            input type="hidden" name="page" value=(page_token);
            button.primary type="submit" name="action" value="continue" {
                (frame.speech.say_with("continue-as", &[("name", name.into())]))
            }
            button.secondary type="submit" name="action" value="other" { (frame.speech.say("use-another")) }
            button.quiet type="submit" name="action" value="cancel" { (frame.speech.say("cancel")) }
        }
    };
    frame.page(StatusCode::OK, &title, &content)
}
