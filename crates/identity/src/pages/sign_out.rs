//! The logout pages.

use axum::response::Response;
use http::StatusCode;
use maud::html;

use super::PageLayout;

/// Asks for confirmation before all accounts of this browser are signed out, when no `id_token_hint` proves that the
/// application requests it (RP-Initiated Logout, 2).
pub(crate) fn confirm_sign_out(
    layout: &PageLayout<'_>,
    action: &str,
    csrf_token: &str,
    names: &[&str],
) -> Response {
    let title = layout.localizer.text("sign-out-title");
    let content = html! {
        h1 { (title) }
        @if let [name] = names {
            p.lead { (layout.localizer.format("sign-out-question", &[("name", (*name).into())])) }
        } @else {
            p.lead { (layout.localizer.text("sign-out-several")) }
            ul { @for name in names { li { bdi { (name) } } } }
        }
        form #sign-out method="post" action=(action) {
            input type="hidden" name="page" value=(csrf_token);
            button.primary type="submit" {
                (layout.localizer.text(if names.len() == 1 { "sign-out" } else { "sign-out-all" }))
            }
        }
        p.aside { (layout.localizer.text("sign-out-cancel")) }
    };
    layout.page(StatusCode::OK, &title, &content)
}

/// Confirms the logout.
pub(crate) fn signed_out(layout: &PageLayout<'_>) -> Response {
    let title = layout.localizer.text("signed-out-title");
    let content = html! {
        h1 { (title) }
        p { (layout.localizer.text("signed-out")) }
    };
    layout.page(StatusCode::OK, &title, &content)
}
