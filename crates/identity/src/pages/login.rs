//! The sign-in page.

use axum::response::Response;
use http::{HeaderValue, StatusCode, header};
use maud::{Markup, html};

use super::PageLayout;
use crate::DemoAccount;

/// What the sign-in page shows.
pub(crate) struct Login<'a> {
    /// Where its forms go.
    pub(crate) action: &'a str,
    /// Proves that a form comes from this page.
    pub(crate) csrf_token: &'a str,
    /// The application that waits.
    pub(crate) application: &'a str,
    /// What was typed before, or what the application suggests.
    pub(crate) username: &'a str,
    /// What went wrong.
    pub(crate) problem: Option<Problem>,
    /// Accounts that are shown with their passwords.
    pub(crate) demo_accounts: &'a [DemoAccount],
}

/// What went wrong with the form before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Problem {
    /// Unknown account or wrong password: the page does not tell which.
    WrongPassword,
    /// The field was empty.
    UsernameMissing,
    /// The field was empty.
    PasswordMissing,
    /// Too many tries from here.
    Throttled {
        /// The delay in seconds.
        seconds: i64,
    },
    /// The page was too old, or another browser's.
    Expired,
    /// Too many people at once.
    Busy,
}

impl Problem {
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
            Self::Busy => Some(1),
            Self::WrongPassword | Self::UsernameMissing | Self::PasswordMissing | Self::Expired => {
                None
            }
        }
    }
}

/// The sign-in page.
pub(crate) fn login(frame: &PageLayout<'_>, login: &Login<'_>) -> Response {
    let text = |id| frame.localizer.text(id);
    let alert = login.problem.map(|problem| alert(frame, problem));
    let title = match &alert {
        // A screen reader says the title first.
        Some(alert) => frame
            .localizer
            .format("problem-title", &[("title", alert.title.as_str().into())]),
        None => text("sign-in-title"),
    };
    let content = html! {
        h1 { (text("sign-in-title")) }
        p.lead { (frame.localizer.format("sign-in-for", &[("application", login.application.into())])) }
        @if let Some(alert) = &alert {
            div.alert #problem role="alert" {
                strong { (alert.title) }
                @if let Some(text) = &alert.text { p { (text) } }
            }
        }
        form #sign-in method="post" action=(login.action) {
            input type="hidden" name="page" value=(login.csrf_token);
            (username(frame, login))
            (password(frame, login))
            button.primary type="submit" name="action" value="sign-in" { (text("sign-in")) }
            button.quiet type="submit" name="action" value="cancel" formnovalidate { (text("cancel")) }
        }
        @if let Some(told) = frame.handing_over(login.application) { (told) }
        @if !login.demo_accounts.is_empty() { (demo_accounts(frame, login)) }
    };
    let status = login.problem.map_or(StatusCode::OK, Problem::status);
    let mut response = frame.page(status, &title, &content);
    if let Some(seconds) = login.problem.and_then(Problem::retry_after) {
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

fn alert(frame: &PageLayout<'_>, problem: Problem) -> Alert {
    let text = |title: &str, text: &str| Alert {
        title: frame.localizer.text(title),
        text: Some(frame.localizer.text(text)),
    };
    let field = |id: &str| Alert {
        title: frame.localizer.text(id),
        text: None,
    };
    match problem {
        Problem::WrongPassword => text("wrong-password-title", "wrong-password"),
        Problem::UsernameMissing => field("username-missing"),
        Problem::PasswordMissing => field("password-missing"),
        Problem::Expired => text("expired-title", "expired"),
        Problem::Busy => text("busy-title", "busy"),
        Problem::Throttled { seconds } => Alert {
            title: frame.localizer.text("throttled-title"),
            text: Some(
                frame
                    .localizer
                    .format("throttled", &[("seconds", seconds.into())]),
            ),
        },
    }
}

fn username(frame: &PageLayout<'_>, login: &Login<'_>) -> Markup {
    let wrong = matches!(
        login.problem,
        Some(Problem::WrongPassword | Problem::UsernameMissing)
    );
    html! {
        label for="username" { (frame.localizer.text("username")) }
        input #username name="username" type="text" inputmode="email" autocomplete="username" autocapitalize="none"
            spellcheck="false" dir="ltr" maxlength="254" required value=(login.username)
            aria-invalid=[wrong.then_some("true")] aria-describedby=[wrong.then_some("problem")]
            autofocus[login.username.is_empty() || login.problem == Some(Problem::UsernameMissing)];
    }
}

fn password(frame: &PageLayout<'_>, login: &Login<'_>) -> Markup {
    let wrong = matches!(
        login.problem,
        Some(Problem::WrongPassword | Problem::PasswordMissing)
    );
    html! {
        label for="password" { (frame.localizer.text("password")) }
        input #password name="password" type="password" autocomplete="current-password" dir="ltr" maxlength="1024" required
            aria-invalid=[wrong.then_some("true")] aria-describedby=[wrong.then_some("problem")]
            autofocus[!login.username.is_empty() && login.problem != Some(Problem::UsernameMissing)];
    }
}

fn demo_accounts(frame: &PageLayout<'_>, login: &Login<'_>) -> Markup {
    html! {
        section.demo aria-labelledby="demo-title" {
            h2 #demo-title { (frame.localizer.text("demo-title")) }
            p { (frame.localizer.text("demo")) }
            @for DemoAccount { name, username, password } in login.demo_accounts {
                form method="post" action=(login.action) {
                    input type="hidden" name="page" value=(login.csrf_token);
                    input type="hidden" name="username" value=(username);
                    input type="hidden" name="password" value=(password);
                    button type="submit" name="action" value="sign-in"
                        aria-label=(frame.localizer.format("demo-sign-in", &[("name", name.as_str().into())])) {
                        strong { bdi { (name) } }
                        bdi.address { (username) }
                        span.hint { (frame.localizer.format("demo-password", &[("password", password.as_str().into())])) }
                    }
                }
            }
        }
    }
}
