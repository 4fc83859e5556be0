//! The account chooser, for prompt=select_account and for several accounts in one browser.

use axum::response::Response;
use http::StatusCode;
use maud::html;

use super::PageLayout;

/// An account that is signed in with this browser.
pub(crate) struct AccountChoice<'a> {
    /// The id of its session, which the form submits.
    pub(crate) session_id: &'a str,
    /// The display name.
    pub(crate) name: &'a str,
    /// The username, which distinguishes people of the same name.
    pub(crate) username: &'a str,
}

/// Renders the account chooser.
pub(crate) fn account_chooser(
    layout: &PageLayout<'_>,
    action: &str,
    csrf_token: &str,
    application: &str,
    choices: &[AccountChoice<'_>],
) -> Response {
    let title = layout.localizer.text("choose-title");
    let content = html! {
        h1 { (title) }
        p.lead { (layout.localizer.format("sign-in-for", &[("application", application.into())])) }
        form #choose method="post" action=(action) {
            input type="hidden" name="page" value=(csrf_token);
            @if let [only] = choices {
                button.primary.account type="submit" name="account" value=(only.session_id) {
                    (layout.localizer.format("continue-as", &[("name", only.name.into())]))
                    bdi.address { (only.username) }
                }
            } @else {
                // No account is emphasized, since none is the most likely one.
                @for choice in choices {
                    button.choice type="submit" name="account" value=(choice.session_id) {
                        strong { bdi { (choice.name) } }
                        bdi.address { (choice.username) }
                    }
                }
            }
            button.secondary type="submit" name="action" value="other" { (layout.localizer.text("use-another")) }
            button.tertiary type="submit" name="action" value="cancel" { (layout.localizer.text("cancel")) }
        }
        @if let Some(notice) = layout.handoff_notice(application) { (notice) }
    };
    layout.page(StatusCode::OK, &title, &content)
}
