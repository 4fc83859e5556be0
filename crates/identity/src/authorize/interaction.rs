//! Responses that the authorization endpoint and its forms share: pages, errors, and the end of a sign-in.

use axum::response::Response;

use super::code::redirect_with_code;
use super::redirect::RedirectError;
use super::request::{AuthorizationRequest, AuthorizeError};
use crate::lifetimes::CLOCK_LEEWAY;
use crate::pages::{
    ChangePasswordPage, LoginPage, LoginProblem, PasswordProblem, PasswordProof, change_password,
    error_page, login,
};
use crate::provider::Provider;
use crate::session::{Browser, SignedInAccount};
use invoicing_storage::subjects::Subject;
use invoicing_storage::tokens::{PendingStep, Session};

/// The path of the forms of pending steps.
pub(super) const PENDING_STEP_PATH: &str = "/oauth/v2/steps";

/// The response to a request that failed: an error page or a redirect with an error.
pub(super) fn error_response(
    provider: &Provider,
    browser: &Browser<'_>,
    error: AuthorizeError,
) -> Response {
    match error {
        AuthorizeError::Page(page) => error_page(&browser.layout(None), page),
        AuthorizeError::Redirect(redirect, error) => redirect.error(provider, error),
    }
}

/// Whether the session of `account` fulfils `id_token_hint` and `max_age` of the request, and its application serves the account.
pub(super) fn satisfies_request(
    provider: &Provider,
    request: &AuthorizationRequest,
    account: &SignedInAccount,
) -> bool {
    let session = &account.session;
    let now = provider.now();
    // The clock was set back if the session is of the future: nobody knows how old it is.
    let is_recent = request.max_age.is_none_or(|max_age| {
        session.authenticated_at.since(now) <= CLOCK_LEEWAY
            && now.since(session.authenticated_at) <= max_age
    });
    let is_expected = request
        .expected_subject
        .as_ref()
        .is_none_or(|expected| session.subject == *expected);
    let is_served = request
        .application
        .serves(&account.subject.home_organization);
    is_recent && is_expected && is_served
}

/// The sign-in page for `request`.
pub(super) fn login_page(
    browser: &Browser<'_>,
    request: &AuthorizationRequest,
    username: &str,
    problem: Option<LoginProblem>,
) -> Response {
    let form = browser.sign_in_form(&request.parameters);
    let layout = browser.layout(Some(&request.redirect.uri));
    let page = login(
        &layout,
        &LoginPage {
            action: &form.action,
            csrf_token: &form.csrf_token,
            application: &layout.application_name(&request.application),
            username,
            problem,
        },
    );
    form.with_cookie(page)
}

/// The page of a pending step.
pub(super) fn pending_step_page(
    browser: &Browser<'_>,
    request: &AuthorizationRequest,
    subject: &Subject,
    step: PendingStep,
    problem: Option<PasswordProblem>,
) -> Response {
    let form = browser.form(PENDING_STEP_PATH, &request.parameters);
    let layout = browser.layout(Some(&request.redirect.uri));
    let page = match step {
        PendingStep::ChangePassword => change_password(
            &layout,
            &ChangePasswordPage {
                action: &form.action,
                csrf_token: &form.csrf_token,
                username: &subject.username,
                proof: PasswordProof::PendingStep,
                problem,
            },
        ),
    };
    form.with_cookie(page)
}

/// The response after a successful password check or step: the page of the next pending step, or a redirect with a code.
/// If the request expects another subject, the redirect has login_required (OpenID Connect Core, 3.1.2.2).
pub(super) async fn complete_sign_in(
    provider: &Provider,
    browser: &Browser<'_>,
    request: &AuthorizationRequest,
    subject: &Subject,
    session: &Session,
) -> Result<Response, AuthorizeError> {
    if let Some(step) = session.pending {
        return Ok(pending_step_page(browser, request, subject, step, None));
    }
    let is_expected = request
        .expected_subject
        .as_ref()
        .is_none_or(|expected| subject.id == *expected);
    if !is_expected || !request.application.serves(&subject.home_organization) {
        return Ok(request
            .redirect
            .error(provider, RedirectError::LoginRequired));
    }
    Ok(redirect_with_code(provider, request, session).await?)
}
