//! The sign-in page.

use axum::response::Response;
use http::{HeaderValue, StatusCode, header};
use maud::{Markup, html};

use super::PageLayout;
use crate::password_hashing::RETRY_SECONDS;

/// The content of the sign-in page.
pub(crate) struct LoginPage<'a> {
    /// The URL of the forms.
    pub(crate) action: &'a str,
    /// The CSRF token of the forms.
    pub(crate) csrf_token: &'a str,
    /// The name of the application.
    pub(crate) application: &'a str,
    /// The initial username: that of the submitted form or of `login_hint`.
    pub(crate) username: &'a str,
    /// The error of the submitted form.
    pub(crate) problem: Option<LoginProblem>,
}

/// An error of the submitted form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LoginProblem {
    /// The account is unknown or the password is wrong. The page does not disclose which.
    WrongPassword,
    /// The username is empty.
    UsernameMissing,
    /// The password is empty.
    PasswordMissing,
    /// Too many attempts.
    Throttled {
        /// The delay in seconds.
        seconds: i64,
    },
    /// The CSRF token is invalid or has expired.
    Expired,
    /// Too many password checks at once.
    Busy,
}

impl LoginProblem {
    const fn status(self) -> StatusCode {
        match self {
            Self::WrongPassword | Self::UsernameMissing | Self::PasswordMissing => {
                StatusCode::UNPROCESSABLE_ENTITY
            }
            Self::Throttled { .. } => StatusCode::TOO_MANY_REQUESTS,
            Self::Expired => StatusCode::FORBIDDEN,
            Self::Busy => StatusCode::SERVICE_UNAVAILABLE,
        }
    }

    const fn retry_after(self) -> Option<i64> {
        match self {
            Self::Throttled { seconds } => Some(seconds),
            Self::Busy => Some(RETRY_SECONDS),
            Self::WrongPassword | Self::UsernameMissing | Self::PasswordMissing | Self::Expired => {
                None
            }
        }
    }
}

/// Renders the sign-in page.
pub(crate) fn login(layout: &PageLayout<'_>, page: &LoginPage<'_>) -> Response {
    let text = |id| layout.localizer.text(id);
    let alert = page.problem.map(|problem| alert(layout, problem));
    let title = match &alert {
        // A screen reader reads the title first.
        Some(alert) => layout
            .localizer
            .format("problem-title", &[("title", alert.title.as_str().into())]),
        None => text("sign-in-title"),
    };
    let content = html! {
        h1 { (text("sign-in-title")) }
        p.lead { (layout.localizer.format("sign-in-for", &[("application", page.application.into())])) }
        @if let Some(alert) = &alert {
            div.alert #problem role="alert" {
                strong { (alert.title) }
                @if let Some(text) = &alert.text { p { (text) } }
            }
        }
        form #sign-in method="post" action=(page.action) {
            input type="hidden" name="page" value=(page.csrf_token);
            (username(layout, page))
            (password(layout, page))
            button.primary type="submit" name="action" value="sign-in" { (text("sign-in")) }
            button.tertiary type="submit" name="action" value="cancel" formnovalidate { (text("cancel")) }
        }
        @if let Some(notice) = layout.handoff_notice(page.application) { (notice) }
    };
    let status = page.problem.map_or(StatusCode::OK, LoginProblem::status);
    let mut response = layout.page(status, &title, &content);
    if let Some(seconds) = page.problem.and_then(LoginProblem::retry_after) {
        response
            .headers_mut()
            .insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
    response
}

struct Alert {
    title: String,
    text: Option<String>,
}

fn alert(layout: &PageLayout<'_>, problem: LoginProblem) -> Alert {
    let text = |title: &str, text: &str| Alert {
        title: layout.localizer.text(title),
        text: Some(layout.localizer.text(text)),
    };
    let field = |id: &str| Alert {
        title: layout.localizer.text(id),
        text: None,
    };
    match problem {
        LoginProblem::WrongPassword => text("wrong-password-title", "wrong-password"),
        LoginProblem::UsernameMissing => field("username-missing"),
        LoginProblem::PasswordMissing => field("password-missing"),
        LoginProblem::Expired => text("expired-title", "expired"),
        LoginProblem::Busy => text("busy-title", "busy"),
        LoginProblem::Throttled { seconds } => Alert {
            title: layout.localizer.text("throttled-title"),
            text: Some(
                layout
                    .localizer
                    .format("throttled", &[("seconds", seconds.into())]),
            ),
        },
    }
}

fn username(layout: &PageLayout<'_>, page: &LoginPage<'_>) -> Markup {
    let is_invalid = matches!(
        page.problem,
        Some(LoginProblem::WrongPassword | LoginProblem::UsernameMissing)
    );
    html! {
        label for="username" { (layout.localizer.text("username")) }
        input #username name="username" type="text" inputmode="email" autocomplete="username" autocapitalize="none"
            spellcheck="false" dir="ltr" maxlength="254" required value=(page.username)
            aria-invalid=[is_invalid.then_some("true")] aria-describedby=[is_invalid.then_some("problem")]
            autofocus[page.username.is_empty() || page.problem == Some(LoginProblem::UsernameMissing)];
    }
}

fn password(layout: &PageLayout<'_>, page: &LoginPage<'_>) -> Markup {
    let is_invalid = matches!(
        page.problem,
        Some(LoginProblem::WrongPassword | LoginProblem::PasswordMissing)
    );
    html! {
        label for="password" { (layout.localizer.text("password")) }
        input #password name="password" type="password" autocomplete="current-password" dir="ltr" maxlength="1024" required
            aria-invalid=[is_invalid.then_some("true")] aria-describedby=[is_invalid.then_some("problem")]
            autofocus[!page.username.is_empty() && page.problem != Some(LoginProblem::UsernameMissing)];
    }
}
