//! The page on which a person chooses another password: because it is due, or because the person wants to.

use axum::response::Response;
use http::{HeaderValue, StatusCode, header};
use maud::{Markup, html};

use super::PageLayout;
use crate::password;

/// What the page shows.
pub(crate) struct ChangePassword<'a> {
    /// Where its form goes.
    pub(crate) action: &'a str,
    /// Proves that the form comes from this page.
    pub(crate) csrf_token: &'a str,
    /// Whose password it is.
    pub(crate) username: &'a str,
    /// Due: the person just gave the present password. Else name and present password are asked too.
    pub(crate) due: bool,
    /// What went wrong.
    pub(crate) problem: Option<PasswordProblem>,
}

/// What went wrong with the form before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PasswordProblem {
    /// Name and present password do not belong together.
    Wrong,
    /// The new one is too short or too long.
    Length,
    /// The two new ones differ.
    Differ,
    /// The new one is the present one, or the name.
    Same,
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

impl PasswordProblem {
    const fn status(self) -> StatusCode {
        match self {
            Self::Wrong | Self::Length | Self::Differ | Self::Same => {
                StatusCode::UNPROCESSABLE_ENTITY
            }
            Self::Throttled { .. } => StatusCode::TOO_MANY_REQUESTS,
            Self::Expired => StatusCode::FORBIDDEN,
            Self::Busy => StatusCode::SERVICE_UNAVAILABLE,
        }
    }

    /// The title, and an explanation where the page has none itself.
    fn i18n(self, frame: &PageLayout<'_>) -> (String, Option<String>) {
        let text = |title: &str, text: &str| {
            (
                frame.localizer.text(title),
                Some(frame.localizer.text(text)),
            )
        };
        match self {
            Self::Wrong => text("wrong-password-title", "wrong-password"),
            Self::Length => (frame.localizer.text("password-length-title"), None),
            Self::Differ => text("passwords-differ-title", "passwords-differ"),
            Self::Same => text("password-same-title", "password-same"),
            Self::Expired => text("expired-title", "expired"),
            Self::Busy => text("busy-title", "busy"),
            Self::Throttled { seconds } => (
                frame.localizer.text("throttled-title"),
                Some(
                    frame
                        .localizer
                        .format("throttled", &[("seconds", seconds.into())]),
                ),
            ),
        }
    }
}

/// The page.
pub(crate) fn change_password(frame: &PageLayout<'_>, page: &ChangePassword<'_>) -> Response {
    let text = |id| frame.localizer.text(id);
    let problem = page.problem.map(|problem| problem.i18n(frame));
    let title = match &problem {
        // A screen reader says the title first.
        Some((title, _)) => frame
            .localizer
            .format("problem-title", &[("title", title.as_str().into())]),
        None => text("change-password-title"),
    };
    let content = html! {
        h1 { (text("change-password-title")) }
        p.lead { (text(if page.due { "change-password-due" } else { "change-password-lead" })) }
        @if let Some((title, text)) = &problem {
            div.alert #problem role="alert" {
                strong { (title) }
                @if let Some(text) = text { p { (text) } }
            }
        }
        form #change-password method="post" action=(page.action) {
            input type="hidden" name="page" value=(page.csrf_token);
            @if page.due {
                // For the password store of the browser: it keeps the new one under this name.
                input type="text" name="username" autocomplete="username" value=(page.username) hidden;
            } @else {
                label for="username" { (text("username")) }
                input #username name="username" type="text" inputmode="email" autocomplete="username"
                    autocapitalize="none" spellcheck="false" dir="ltr" maxlength="254" required value=(page.username);
                (field(frame, "password", "present-password", "current-password", described(page.problem == Some(PasswordProblem::Wrong), "")))
            }
            (password_change(frame, page))
            button.primary type="submit" { (text("change-password")) }
        }
    };
    let status = page.problem.map_or(StatusCode::OK, PasswordProblem::status);
    let mut response = frame.page(status, &title, &content);
    if let Some(PasswordProblem::Throttled { seconds }) = page.problem {
        response
            .headers_mut()
            .insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
    response
}

/// It is changed, and everybody is signed out everywhere else.
pub(crate) fn password_changed(frame: &PageLayout<'_>) -> Response {
    let title = frame.localizer.text("password-changed-title");
    let content = html! {
        h1 { (title) }
        p { (frame.localizer.text("password-changed")) }
    };
    frame.page(StatusCode::OK, &title, &content)
}

fn password_change(frame: &PageLayout<'_>, page: &ChangePassword<'_>) -> Markup {
    let wrong = matches!(
        page.problem,
        Some(PasswordProblem::Length | PasswordProblem::Differ | PasswordProblem::Same)
    );
    let differ = page.problem == Some(PasswordProblem::Differ);
    html! {
        (field(frame, "new-password", "new-password", "new-password", described(wrong, "length")))
        p.hint #length { (length(frame)) }
        (field(frame, "repeat-password", "repeat-password", "new-password", described(differ, "")))
    }
}

/// Whether a field is wrong, and the ids of what is said about it.
fn described(wrong: bool, hint: &str) -> (bool, String) {
    let problem = if wrong { "problem" } else { "" };
    (wrong, format!("{problem} {hint}").trim().to_owned())
}

fn field(
    frame: &PageLayout<'_>,
    name: &str,
    label: &str,
    autocomplete: &str,
    (wrong, described_by): (bool, String),
) -> Markup {
    html! {
        label for=(name) { (frame.localizer.text(label)) }
        input id=(name) name=(name) type="password" autocomplete=(autocomplete) dir="ltr" maxlength=(password::LONGEST)
            required aria-invalid=[wrong.then_some("true")]
            aria-describedby=[(!described_by.is_empty()).then_some(described_by)];
    }
}

fn length(frame: &PageLayout<'_>) -> String {
    let shortest = i64::try_from(password::SHORTEST).unwrap_or(i64::MAX);
    frame
        .localizer
        .format("password-length", &[("shortest", shortest.into())])
}
