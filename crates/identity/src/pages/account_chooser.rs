//! The page that asks which account to go on with (prompt=select_account, or several people with one browser).

use axum::response::Response;
use http::StatusCode;
use maud::html;

use super::PageLayout;

/// An account that is signed in with this browser.
pub(crate) struct Choice<'a> {
    /// What the form says if it is chosen.
    pub(crate) session: &'a str,
    /// Name for people.
    pub(crate) name: &'a str,
    /// Name to sign in with, which tells two people of one name apart.
    pub(crate) username: &'a str,
}

/// `choices` are signed in with this browser.
pub(crate) fn choose(
    frame: &PageLayout<'_>,
    action: &str,
    csrf_token: &str,
    application: &str,
    choices: &[Choice<'_>],
) -> Response {
    let title = frame.localizer.text("choose-title");
    let content = html! {
        h1 { (title) }
        p.lead { (frame.localizer.format("sign-in-for", &[("application", application.into())])) }
        form #choose method="post" action=(action) {
            input type="hidden" name="page" value=(csrf_token);
            @if let [only] = choices {
                button.primary.account type="submit" name="account" value=(only.session) {
                    (frame.localizer.format("continue-as", &[("name", only.name.into())]))
                    bdi.address { (only.username) }
                }
            } @else {
                // None of them is the one that is most likely meant.
                @for choice in choices {
                    button.choice type="submit" name="account" value=(choice.session) {
                        strong { bdi { (choice.name) } }
                        bdi.address { (choice.username) }
                    }
                }
            }
            button.secondary type="submit" name="action" value="other" { (frame.localizer.text("use-another")) }
            button.quiet type="submit" name="action" value="cancel" { (frame.localizer.text("cancel")) }
        }
        @if let Some(told) = frame.handing_over(application) { (told) }
    };
    frame.page(StatusCode::OK, &title, &content)
}
