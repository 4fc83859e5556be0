//! The page to change or set a password: as a pending step of a sign-in, on request, or with a code.

use axum::response::Response;
use http::{HeaderValue, StatusCode, header};
use maud::{Markup, html};

use super::PageLayout;
use crate::password_hashing;

/// The content of the page.
pub(crate) struct ChangePasswordPage<'a> {
    /// The URL of the form.
    pub(crate) action: &'a str,
    /// The CSRF token of the form.
    pub(crate) csrf_token: &'a str,
    /// The username of the account.
    pub(crate) username: &'a str,
    /// How the person proves who they are.
    pub(crate) proof: PasswordProof,
    /// The error of the submitted form.
    pub(crate) problem: Option<PasswordProblem>,
}

/// How a person proves who they are, before a password is changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PasswordProof {
    /// With the session of a pending step, after the password was checked.
    PendingStep,
    /// With username and current password, for which the form asks.
    CurrentPassword,
    /// With username and a code of an administrator, for which the form asks.
    Code,
}

impl PasswordProof {
    /// The messages of heading, explanation and button.
    const fn messages(self) -> [&'static str; 3] {
        match self {
            Self::PendingStep => [
                "change-password-title",
                "change-password-due",
                "change-password",
            ],
            Self::CurrentPassword => [
                "change-password-title",
                "change-password-lead",
                "change-password",
            ],
            Self::Code => ["set-password-title", "set-password-lead", "set-password"],
        }
    }
}

/// An error of the submitted form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PasswordProblem {
    /// Username or current password is wrong.
    Wrong,
    /// Username or code is wrong, or the code was used or has expired.
    WrongCode,
    /// The new password is too short or too long.
    Length,
    /// The two entries of the new password differ.
    Differ,
    /// The new password equals the current one or the username.
    Same,
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

impl PasswordProblem {
    const fn status(self) -> StatusCode {
        match self {
            Self::Wrong | Self::WrongCode | Self::Length | Self::Differ | Self::Same => {
                StatusCode::UNPROCESSABLE_ENTITY
            }
            Self::Throttled { .. } => StatusCode::TOO_MANY_REQUESTS,
            Self::Expired => StatusCode::FORBIDDEN,
            Self::Busy => StatusCode::SERVICE_UNAVAILABLE,
        }
    }

    /// The title and, unless the page already has it, an explanation.
    fn message(self, layout: &PageLayout<'_>) -> (String, Option<String>) {
        let text = |title: &str, text: &str| {
            (
                layout.localizer.text(title),
                Some(layout.localizer.text(text)),
            )
        };
        match self {
            Self::Wrong => text("wrong-password-title", "wrong-password"),
            Self::WrongCode => text("wrong-code-title", "wrong-code"),
            Self::Length => (layout.localizer.text("password-length-title"), None),
            Self::Differ => text("passwords-differ-title", "passwords-differ"),
            Self::Same => text("password-same-title", "password-same"),
            Self::Expired => text("expired-title", "expired"),
            Self::Busy => text("busy-title", "busy"),
            Self::Throttled { seconds } => (
                layout.localizer.text("throttled-title"),
                Some(
                    layout
                        .localizer
                        .format("throttled", &[("seconds", seconds.into())]),
                ),
            ),
        }
    }
}

/// Renders the page.
pub(crate) fn change_password(layout: &PageLayout<'_>, page: &ChangePasswordPage<'_>) -> Response {
    let text = |id| layout.localizer.text(id);
    let [heading, lead, button] = page.proof.messages();
    let problem = page.problem.map(|problem| problem.message(layout));
    let title = match &problem {
        // A screen reader reads the title first.
        Some((title, _)) => layout
            .localizer
            .format("problem-title", &[("title", title.as_str().into())]),
        None => text(heading),
    };
    let content = html! {
        h1 { (text(heading)) }
        p.lead { (text(lead)) }
        @if let Some((title, text)) = &problem {
            div.alert #problem role="alert" {
                strong { (title) }
                @if let Some(text) = text { p { (text) } }
            }
        }
        form #change-password method="post" action=(page.action) {
            input type="hidden" name="page" value=(page.csrf_token);
            (proof_fields(layout, page))
            (new_password_fields(layout, page))
            button.primary type="submit" { (text(button)) }
        }
    };
    let status = page.problem.map_or(StatusCode::OK, PasswordProblem::status);
    let mut response = layout.page(status, &title, &content);
    let retry_seconds = match page.problem {
        Some(PasswordProblem::Throttled { seconds }) => Some(seconds),
        Some(PasswordProblem::Busy) => Some(password_hashing::RETRY_SECONDS),
        Some(_) | None => None,
    };
    if let Some(seconds) = retry_seconds {
        response
            .headers_mut()
            .insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
    response
}

/// Renders the confirmation. All sessions of the account have ended.
pub(crate) fn password_changed(layout: &PageLayout<'_>) -> Response {
    let title = layout.localizer.text("password-changed-title");
    let content = html! {
        h1 { (title) }
        p { (layout.localizer.text("password-changed")) }
    };
    layout.page(StatusCode::OK, &title, &content)
}

/// Renders the confirmation after a code was redeemed.
pub(crate) fn password_set(layout: &PageLayout<'_>) -> Response {
    let title = layout.localizer.text("password-set-title");
    let content = html! {
        h1 { (title) }
        p { (layout.localizer.text("password-set")) }
    };
    layout.page(StatusCode::OK, &title, &content)
}

fn proof_fields(layout: &PageLayout<'_>, page: &ChangePasswordPage<'_>) -> Markup {
    let is_wrong = matches!(
        page.problem,
        Some(PasswordProblem::Wrong | PasswordProblem::WrongCode)
    );
    let username = html! {
        label for="username" { (layout.localizer.text("username")) }
        input #username name="username" type="text" inputmode="email" autocomplete="username"
            autocapitalize="none" spellcheck="false" dir="ltr" maxlength="254" required value=(page.username);
    };
    html! {
        @match page.proof {
            PasswordProof::PendingStep => {
                // For the password manager, which stores the new password under this username.
                input type="text" name="username" autocomplete="username" value=(page.username) hidden;
            }
            PasswordProof::CurrentPassword => {
                (username)
                (field(layout, "password", "current-password-label", "current-password", described(is_wrong, "")))
            }
            PasswordProof::Code => {
                (username)
                (code_field(layout, is_wrong))
            }
        }
    }
}

/// The code is not kept in the page: after an error it is entered again.
fn code_field(layout: &PageLayout<'_>, is_wrong: bool) -> Markup {
    let (is_invalid, described_by) = described(is_wrong, "code-hint");
    html! {
        label for="code" { (layout.localizer.text("code")) }
        input #code name="code" type="text" autocomplete="one-time-code" autocapitalize="characters" spellcheck="false"
            dir="ltr" maxlength="64" required aria-invalid=[is_invalid.then_some("true")] aria-describedby=(described_by);
        p.hint #code-hint { (layout.localizer.text("code-hint")) }
    }
}

fn new_password_fields(layout: &PageLayout<'_>, page: &ChangePasswordPage<'_>) -> Markup {
    let is_invalid = matches!(
        page.problem,
        Some(PasswordProblem::Length | PasswordProblem::Differ | PasswordProblem::Same)
    );
    let is_different = page.problem == Some(PasswordProblem::Differ);
    html! {
        (field(layout, "new-password", "new-password", "new-password", described(is_invalid, "length")))
        p.hint #length { (length_hint(layout)) }
        (field(layout, "repeat-password", "repeat-password", "new-password", described(is_different, "")))
    }
}

/// Whether a field is invalid, and the ids of the elements that describe it.
fn described(is_invalid: bool, hint: &str) -> (bool, String) {
    let problem = if is_invalid { "problem" } else { "" };
    (is_invalid, format!("{problem} {hint}").trim().to_owned())
}

fn field(
    layout: &PageLayout<'_>,
    name: &str,
    label: &str,
    autocomplete: &str,
    (is_invalid, described_by): (bool, String),
) -> Markup {
    html! {
        label for=(name) { (layout.localizer.text(label)) }
        input id=(name) name=(name) type="password" autocomplete=(autocomplete) dir="ltr" maxlength=(password_hashing::MAX_PASSWORD_BYTES)
            required aria-invalid=[is_invalid.then_some("true")]
            aria-describedby=[(!described_by.is_empty()).then_some(described_by)];
    }
}

fn length_hint(layout: &PageLayout<'_>) -> String {
    let minimum = i64::try_from(password_hashing::MIN_PASSWORD_CHARACTERS).unwrap_or(i64::MAX);
    layout
        .localizer
        .format("password-length", &[("minimum", minimum.into())])
}
