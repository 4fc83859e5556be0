//! GET and POST /oauth/v2/authorize.

use std::sync::Arc;

use axum::extract::{RawQuery, State};
use axum::response::Response;
use http::HeaderMap;

use super::request::{AuthorizationRequest, Prompt, Refusal};
use super::response::{RedirectError, with_code};
use crate::browser::{Browser, SignedIn};
use crate::form_body::FormBody;
use crate::pages::{Choice, ErrorPage, Problem, choose, error_page};
use crate::parameters::Parameters;
use crate::{Provider, token};

/// GET /oauth/v2/authorize
pub(crate) async fn authorize_get(
    State(provider): State<Arc<Provider>>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    answer(
        &provider,
        &headers,
        Parameters::parse(query.unwrap_or_default().as_bytes()).ok(),
    )
    .await
}

/// POST /oauth/v2/authorize (OpenID Connect Core, 3.1.2.1)
pub(crate) async fn authorize_post(
    State(provider): State<Arc<Provider>>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    FormBody(body): FormBody,
) -> Response {
    answer(
        &provider,
        &headers,
        token::form(query.as_deref(), &headers, &body).ok(),
    )
    .await
}

async fn answer(
    provider: &Provider,
    headers: &HeaderMap,
    parameters: Option<Parameters>,
) -> Response {
    let browser = Browser::new(provider, headers, parameters.as_ref());
    let Some(parameters) = parameters else {
        return error_page(&browser.frame(None), ErrorPage::Malformed);
    };
    let request = match AuthorizationRequest::read(provider, parameters).await {
        Ok(request) => request,
        Err(refusal) => return refused(provider, &browser, refusal),
    };
    match decide(provider, &browser, &request).await {
        Ok(response) => response,
        Err(refusal) => refused(provider, &browser, refusal),
    }
}

/// The answer to a request that cannot go on.
pub(super) fn refused(provider: &Provider, browser: &Browser<'_>, refusal: Refusal) -> Response {
    match refusal {
        Refusal::Page(why) => error_page(&browser.frame(None), why),
        Refusal::Redirect(redirect, error) => redirect.error(provider, error),
    }
}

async fn decide(
    provider: &Provider,
    browser: &Browser<'_>,
    request: &AuthorizationRequest,
) -> Result<Response, Refusal> {
    let mut signed_in = browser.signed_in().await?;
    signed_in.retain(|one| satisfies_request(provider, request, one));
    let hinted = |one: &SignedIn| {
        let hint = request.login_hint.as_deref().unwrap_or_default();
        one.subject.username == hint.trim().to_lowercase()
    };
    if request.prompt != Prompt::SelectAccount && signed_in.iter().any(hinted) {
        signed_in.retain(hinted);
    }
    // Any program can claim a private-use scheme. An id_token shows that it is the one that signed in; to all others nothing
    // is given without a click, whether they use prompt=none or no prompt at all (RFC 8252, 8.6).
    let silently = !request.redirect.is_private_use() || request.expected_subject.is_some();
    let error = |error| Ok(request.redirect.error(provider, error));
    match (request.prompt, signed_in.as_slice()) {
        (Prompt::None, []) => error(RedirectError::LoginRequired),
        (Prompt::None, _) if !silently => error(RedirectError::InteractionRequired),
        (Prompt::Needed | Prompt::None, [one]) if silently => {
            Ok(with_code(provider, request, &one.session).await?)
        }
        (Prompt::None, _) => error(RedirectError::AccountSelectionRequired),
        (Prompt::Login, _) | (Prompt::Needed | Prompt::SelectAccount, []) => {
            let hint = request.login_hint.as_deref().unwrap_or_default();
            Ok(login_page(browser, request, hint, None))
        }
        (Prompt::Needed | Prompt::SelectAccount, several) => {
            Ok(choose_page(browser, request, several))
        }
    }
}

fn choose_page(
    browser: &Browser<'_>,
    request: &AuthorizationRequest,
    signed_in: &[SignedIn],
) -> Response {
    let choices: Vec<_> = signed_in
        .iter()
        .map(|one| Choice {
            session: &one.session.id,
            name: &one.subject.name,
            username: &one.subject.username,
        })
        .collect();
    let page = browser.page(&request.parameters);
    let shown = choose(
        &browser.frame(Some(&request.redirect.uri)),
        &page.action,
        &page.token,
        &request.application.name,
        &choices,
    );
    page.with_cookie(shown)
}

/// Whether being signed in like this answers the request: the right person, recently enough.
pub(super) fn satisfies_request(
    provider: &Provider,
    request: &AuthorizationRequest,
    signed_in: &SignedIn,
) -> bool {
    let session = &signed_in.session;
    let recent = request
        .max_age
        .is_none_or(|seconds| provider.now_ms() - session.authenticated_at <= seconds * 1000);
    let right = request
        .expected_subject
        .as_ref()
        .is_none_or(|expected| session.subject == **expected);
    recent && right
}

/// The sign-in page for `request`.
pub(super) fn login_page(
    browser: &Browser<'_>,
    request: &AuthorizationRequest,
    username: &str,
    problem: Option<Problem>,
) -> Response {
    let page = browser.page(&request.parameters);
    let frame = browser.frame(Some(&request.redirect.uri));
    let shown = crate::pages::login(
        &frame,
        &crate::pages::Login {
            action: &page.action,
            csrf_token: &page.token,
            application: &request.application.name,
            username,
            problem,
            demo_accounts: &browser.provider().demo_accounts,
        },
    );
    page.with_cookie(shown)
}
