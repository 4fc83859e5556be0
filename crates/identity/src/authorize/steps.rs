//! The steps after the password was right: POST /oauth/v2/steps, one form for each [`PendingStep`].

use std::sync::Arc;

use axum::Extension;
use axum::extract::{RawQuery, State};
use axum::response::Response;
use http::HeaderMap;

use super::endpoint::{login_page, refused};
use super::request::{AuthorizationRequest, Refusal};
use super::sign_in::finish;
use crate::Provider;
use crate::browser::{Browser, SignedIn};
use crate::form_body::FormBody;
use crate::pages::{
    ChangePassword, ErrorPage, PasswordProblem, Problem, change_password, error_page,
};
use crate::parameters::Parameters;
use crate::password_change::{self, NewPassword};
use crate::token::form;
use invoicing_http::Peer;
use invoicing_storage::subjects::Subject;
use invoicing_storage::tokens::PendingStep;

const PATH: &str = "/oauth/v2/steps";

/// POST /oauth/v2/steps, with the authorization request in its query.
pub(crate) async fn step(
    State(provider): State<Arc<Provider>>,
    Extension(peer): Extension<Peer>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    FormBody(body): FormBody,
) -> Response {
    let parameters = Parameters::parse(query.unwrap_or_default().as_bytes()).ok();
    let browser = Browser::new(&provider, &headers, parameters.as_ref());
    let (Some(parameters), Ok(form)) = (parameters, form(None, &headers, &body)) else {
        return error_page(&browser.frame(None), ErrorPage::Malformed);
    };
    let request = match AuthorizationRequest::read(&provider, parameters).await {
        Ok(request) => request,
        Err(refusal) => return refused(&provider, &browser, refusal),
    };
    let address = peer.client_address(&headers, &provider.proxies);
    match answer(&provider, &browser, &request, &form, address).await {
        Ok(response) => response,
        Err(refusal) => refused(&provider, &browser, refusal),
    }
}

/// The page of a step that is due.
pub(super) fn page(
    browser: &Browser<'_>,
    request: &AuthorizationRequest,
    subject: &Subject,
    step: PendingStep,
    problem: Option<PasswordProblem>,
) -> Response {
    let form = browser.form(PATH, &request.parameters);
    let frame = browser.frame(Some(&request.redirect.uri));
    let shown = match step {
        PendingStep::ChangePassword => change_password(
            &frame,
            &ChangePassword {
                action: &form.action,
                csrf_token: &form.token,
                username: &subject.username,
                due: true,
                problem,
            },
        ),
    };
    form.with_cookie(shown)
}

async fn answer(
    provider: &Provider,
    browser: &Browser<'_>,
    request: &AuthorizationRequest,
    form: &Parameters,
    address: std::net::IpAddr,
) -> Result<Response, Refusal> {
    let Some((
        SignedIn {
            session, subject, ..
        },
        step,
    )) = browser.pending().await?
    else {
        // Done in another tab, or too late: the password is asked again.
        return Ok(login_page(browser, request, "", Some(Problem::Expired)));
    };
    let again = |problem| Ok(page(browser, request, &subject, step, Some(problem)));
    if !browser.verify_csrf_token(form.get("page").unwrap_or_default(), &request.parameters) {
        return again(PasswordProblem::Expired);
    }
    match step {
        PendingStep::ChangePassword => {
            let chosen = NewPassword::read(form);
            if let Err(problem) =
                password_change::change(provider, &subject, &chosen, address).await?
            {
                return again(problem);
            }
        }
    }
    // What else is due is decided anew, by the subject as it is now.
    let now = provider.now_ms();
    let basis = provider.store.basis().await?;
    let member = provider.store.member(&subject.id, basis).await?;
    let Some(member) = member else {
        return Ok(login_page(browser, request, "", Some(Problem::Expired)));
    };
    let due = PendingStep::due(&member.subject);
    provider
        .store
        .advance_session(&session.id, due, now)
        .await?;
    let session = invoicing_storage::tokens::Session {
        pending: due,
        authenticated_at: now,
        ..session
    };
    finish(provider, browser, request, &member.subject, &session).await
}
