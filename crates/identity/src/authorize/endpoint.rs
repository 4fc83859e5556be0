//! GET and POST /oauth/v2/authorize.

use std::sync::Arc;

use axum::extract::{RawQuery, State};
use axum::response::Response;
use http::{HeaderMap, header};
use invoicing_contract::ready::ApplicationKind;

use super::code::redirect_with_code;
use super::interaction::{error_response, login_page, satisfies_request};
use super::pushed_request::ReceivedParameters;
use super::redirect::RedirectError;
use super::request::{AuthorizationRequest, AuthorizeError, Prompt};
use crate::oauth::{FormBody, Parameters, parse_form, repeat_as_get};
use crate::pages::{AccountChoice, ErrorPage, account_chooser};
use crate::provider::Provider;
use crate::session::{Browser, SignedInAccount};

/// GET /oauth/v2/authorize
pub(crate) async fn authorize_get(
    State(provider): State<Arc<Provider>>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    respond(
        &provider,
        &headers,
        Parameters::parse(query.unwrap_or_default().as_bytes()).ok(),
    )
    .await
}

/// POST /oauth/v2/authorize (OpenID Connect Core, 3.1.2.1). A form of another site, as the page of an application is, arrives
/// without the sessions of its browser, so it is repeated as a GET.
pub(crate) async fn authorize_post(
    State(provider): State<Arc<Provider>>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    FormBody(body): FormBody,
) -> Response {
    match parse_form(query.as_deref(), &headers, &body).ok() {
        Some(form) if is_from_another_site(&provider, &headers) => {
            repeat_as_get("/oauth/v2/authorize", &form)
        }
        form => respond(&provider, &headers, form).await,
    }
}

/// Whether a browser sends the request from a page that is not of this service.
fn is_from_another_site(provider: &Provider, headers: &HeaderMap) -> bool {
    headers
        .get(header::ORIGIN)
        .is_some_and(|origin| origin.as_bytes() != provider.issuer.as_bytes())
}

async fn respond(
    provider: &Provider,
    headers: &HeaderMap,
    parameters: Option<Parameters>,
) -> Response {
    let received = match parameters {
        Some(parameters) => ReceivedParameters::receive(provider, parameters).await,
        None => Err(AuthorizeError::Page(ErrorPage::Malformed)),
    };
    let ReceivedParameters {
        parameters,
        pushed_for,
    } = match received {
        Ok(received) => received,
        Err(error) => {
            return error_response(provider, &Browser::new(provider, headers, None), error);
        }
    };
    let browser = Browser::new(provider, headers, Some(&parameters));
    let request = match AuthorizationRequest::parse(provider, parameters).await {
        Ok(request) => AuthorizationRequest {
            pushed_for,
            ..request
        },
        Err(error) => return error_response(provider, &browser, error),
    };
    match authorize(provider, &browser, &request).await {
        Ok(response) => response,
        Err(error) => error_response(provider, &browser, error),
    }
}

/// Redirects with a code if the signed-in accounts and `prompt` allow it without interaction; otherwise shows a page.
async fn authorize(
    provider: &Provider,
    browser: &Browser<'_>,
    request: &AuthorizationRequest,
) -> Result<Response, AuthorizeError> {
    let mut accounts = browser.signed_in_accounts().await?;
    accounts.retain(|account| satisfies_request(provider, request, account));
    let is_silent = matches!(request.prompt, Prompt::Unspecified | Prompt::None);
    if let Some(subject) = request.pushed_for.as_ref().filter(|_| is_silent) {
        // Another program has no access token of the application, so the one that opened the browser is the application.
        let account = accounts
            .iter()
            .find(|account| account.session.subject == *subject);
        match (account, request.prompt) {
            (Some(account), _) => {
                return Ok(redirect_with_code(provider, request, &account.session).await?);
            }
            (None, Prompt::None) => {
                return Ok(request
                    .redirect
                    .error(provider, RedirectError::LoginRequired));
            }
            (None, _) => {}
        }
    }
    let matches_login_hint = |account: &SignedInAccount| {
        let hint = request.login_hint.as_deref().unwrap_or_default();
        account.subject.username == hint.trim().to_lowercase()
    };
    if request.prompt != Prompt::SelectAccount && accounts.iter().any(matches_login_hint) {
        accounts.retain(matches_login_hint);
    }
    // Any program can register a private-use scheme or listen at a loopback port, and open the browser with the client id of
    // another. Without a click of the person it gets no code (RFC 8252, 8.6; decision 0014).
    let may_skip_interaction =
        request.application.kind != ApplicationKind::Public || request.redirect.is_claimed();
    let redirect_error = |error| Ok(request.redirect.error(provider, error));
    match (request.prompt, accounts.as_slice()) {
        (Prompt::None, []) => redirect_error(RedirectError::LoginRequired),
        (Prompt::None, _) if !may_skip_interaction => {
            redirect_error(RedirectError::InteractionRequired)
        }
        (Prompt::Unspecified | Prompt::None, [account]) if may_skip_interaction => {
            Ok(redirect_with_code(provider, request, &account.session).await?)
        }
        (Prompt::None, _) => redirect_error(RedirectError::AccountSelectionRequired),
        (Prompt::Login, _) | (Prompt::Unspecified | Prompt::SelectAccount, []) => {
            let hint = request.login_hint.as_deref().unwrap_or_default();
            Ok(login_page(browser, request, hint, None))
        }
        (Prompt::Unspecified | Prompt::SelectAccount, accounts) => {
            Ok(account_chooser_page(browser, request, accounts))
        }
    }
}

fn account_chooser_page(
    browser: &Browser<'_>,
    request: &AuthorizationRequest,
    accounts: &[SignedInAccount],
) -> Response {
    let choices: Vec<_> = accounts
        .iter()
        .map(|account| AccountChoice {
            session_id: &account.session.id,
            name: &account.subject.name,
            username: &account.subject.username,
        })
        .collect();
    let form = browser.sign_in_form(&request.parameters);
    let layout = browser.layout(Some(&request.redirect.uri));
    let page = account_chooser(
        &layout,
        &form.action,
        &form.csrf_token,
        &layout.application_name(&request.application),
        &choices,
    );
    form.with_cookie(page)
}
