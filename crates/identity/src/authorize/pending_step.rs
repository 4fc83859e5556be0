//! POST /oauth/v2/steps: the forms of the steps that follow the password check, one for each [`PendingStep`].

use std::net::IpAddr;
use std::sync::Arc;

use axum::Extension;
use axum::extract::{RawQuery, State};
use axum::response::Response;
use http::HeaderMap;

use super::interaction::{complete_sign_in, error_response, login_page, pending_step_page};
use super::request::{AuthorizationRequest, AuthorizeError};
use crate::oauth::{FormBody, Parameters, parse_form};
use crate::pages::{ErrorPage, LoginProblem, PasswordProblem, error_page};
use crate::password::{NewPassword, change_password};
use crate::provider::Provider;
use crate::session::{Browser, SignedInAccount};
use invoicing_http::Peer;
use invoicing_storage::tokens::{PendingStep, Session};

/// POST /oauth/v2/steps, with the authorization request in its query.
pub(crate) async fn pending_step_post(
    State(provider): State<Arc<Provider>>,
    Extension(peer): Extension<Peer>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    FormBody(body): FormBody,
) -> Response {
    let parameters = Parameters::parse(query.unwrap_or_default().as_bytes()).ok();
    let browser = Browser::new(&provider, &headers, parameters.as_ref());
    let (Some(parameters), Ok(form)) = (parameters, parse_form(None, &headers, &body)) else {
        return error_page(&browser.layout(None), ErrorPage::Malformed);
    };
    let request = match AuthorizationRequest::parse(&provider, parameters).await {
        Ok(request) => request,
        Err(error) => return error_response(&provider, &browser, error),
    };
    let address = peer.client_address(&headers, &provider.proxies);
    match submit_step(&provider, &browser, &request, &form, address).await {
        Ok(response) => response,
        Err(error) => error_response(&provider, &browser, error),
    }
}

async fn submit_step(
    provider: &Provider,
    browser: &Browser<'_>,
    request: &AuthorizationRequest,
    form: &Parameters,
    address: IpAddr,
) -> Result<Response, AuthorizeError> {
    let Some((
        SignedInAccount {
            session, subject, ..
        },
        step,
    )) = browser.pending_account().await?
    else {
        // The step was done in another tab, or the session has expired: the person signs in again.
        return Ok(login_page(
            browser,
            request,
            "",
            Some(LoginProblem::Expired),
        ));
    };
    let show_problem = |problem| {
        Ok(pending_step_page(
            browser,
            request,
            &subject,
            step,
            Some(problem),
        ))
    };
    if !browser.verify_csrf_token(form.get("page").unwrap_or_default(), &request.parameters) {
        return show_problem(PasswordProblem::Expired);
    }
    let epoch = match step {
        PendingStep::ChangePassword => {
            let new_password = NewPassword::from_form(form);
            match change_password(provider, &subject, &new_password, address).await? {
                Ok(epoch) => epoch,
                Err(problem) => return show_problem(problem),
            }
        }
    };
    // Further pending steps follow from the subject as it is stored now.
    let now = provider.now();
    let basis = provider.store.basis().await?;
    let member = provider.store.member(&subject.id, basis).await?;
    let Some(member) = member else {
        return Ok(login_page(
            browser,
            request,
            "",
            Some(LoginProblem::Expired),
        ));
    };
    let pending = PendingStep::due(&member.subject);
    provider
        .store
        .advance_session(&session.id, pending, epoch, now)
        .await?;
    let session = Session {
        pending,
        epoch,
        authenticated_at: now,
        ..session
    };
    complete_sign_in(provider, browser, request, &member.subject, &session).await
}
