//! GET and POST /oidc/v1/end_session: signing out (OpenID Connect RP-Initiated Logout 1.0; decision 0010).

use invoicing_contract::ClientId;
use std::sync::Arc;

use axum::Extension;
use axum::extract::{RawQuery, State};
use axum::response::{IntoResponse as _, Response};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use invoicing_contract::ready::ApplicationKind;
use url::form_urlencoded;

use super::browser::Browser;
use super::form_body::FormBody;
use super::pages::{ErrorPage, confirm_sign_out, error_page, signed_out};
use super::parameters::Parameters;
use super::token::{IdTokenHint, form};
use super::{Provider, redirect_uri};
use invoicing_http::Peer;
use invoicing_storage::StorageError;
use invoicing_storage::audit::{self, Entry};

const PATH: &str = "/oidc/v1/end_session";

/// GET /oidc/v1/end_session
pub(super) async fn end_session_get(
    State(provider): State<Arc<Provider>>,
    Extension(peer): Extension<Peer>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    answer(
        &provider,
        peer,
        &headers,
        Parameters::parse(query.unwrap_or_default().as_bytes()).ok(),
        None,
    )
    .await
}

/// POST /oidc/v1/end_session: from an application with everything in the form, or from the page that asks, which has
/// the parameters in the address and its token in the form.
pub(super) async fn end_session_post(
    State(provider): State<Arc<Provider>>,
    Extension(peer): Extension<Peer>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    FormBody(body): FormBody,
) -> Response {
    let form = form(None, &headers, &body).ok();
    let confirmed = form
        .as_ref()
        .and_then(|form| form.get("page"))
        .map(str::to_owned);
    let parameters = match confirmed {
        Some(_) => Parameters::parse(query.unwrap_or_default().as_bytes()).ok(),
        None => form,
    };
    answer(&provider, peer, &headers, parameters, confirmed.as_deref()).await
}

async fn answer(
    provider: &Provider,
    peer: Peer,
    headers: &HeaderMap,
    parameters: Option<Parameters>,
    confirmed: Option<&str>,
) -> Response {
    let browser = Browser::at(PATH, provider, headers, parameters.as_ref());
    let refused = |why| error_page(&browser.frame(None), why);
    let Some(parameters) = parameters else {
        return refused(ErrorPage::Malformed);
    };
    let outcome = match Request::read(provider, &parameters).await {
        Ok(Some(request)) => {
            let entry = Entry::new(provider.now_ms(), audit::Kind::SignedOut)
                .from(peer.client_address(headers, &provider.proxies));
            sign_out(provider, &browser, &parameters, &request, confirmed, entry).await
        }
        // Whatever does not fit: no redirect, and nobody is signed out.
        Ok(None) => return refused(ErrorPage::SignOutRefused),
        Err(error) => Err(error),
    };
    outcome.unwrap_or_else(|error| {
        tracing::error!(%error, "storage did not answer");
        refused(ErrorPage::Unavailable)
    })
}

/// A request whose parameters fit together.
struct Request {
    hint: Option<IdTokenHint>,
    redirect: Option<String>,
}

impl Request {
    async fn read(
        provider: &Provider,
        parameters: &Parameters,
    ) -> Result<Option<Self>, StorageError> {
        let hint = match parameters.get("id_token_hint") {
            Some(hint) => match IdTokenHint::read(provider, hint) {
                Some(hint) => Some(hint),
                None => return Ok(None),
            },
            None => None,
        };
        let named = parameters.get("client_id");
        let client_id = match (&hint, named) {
            (Some(hint), Some(named)) if hint.azp != named => return Ok(None),
            (Some(hint), _) => Some(hint.azp.as_str()),
            (None, named) => named,
        };
        let application = match client_id {
            Some(client_id) => match provider
                .store
                .application(&ClientId::new(client_id), provider.store.basis().await?)
                .await?
            {
                Some(application) => Some(application),
                None => return Ok(None),
            },
            None => None,
        };
        let Some(uri) = parameters.get("post_logout_redirect_uri") else {
            return Ok(Some(Self {
                hint,
                redirect: None,
            }));
        };
        let registered = application.is_some_and(|application| {
            let native = application.kind == ApplicationKind::Public;
            redirect_uri::is_registered(uri, &application.post_logout_uris, native)
        });
        Ok(registered.then(|| Self {
            hint,
            redirect: Some(with_state(uri, parameters.get("state"))),
        }))
    }
}

async fn sign_out(
    provider: &Provider,
    browser: &Browser<'_>,
    parameters: &Parameters,
    request: &Request,
    confirmed: Option<&str>,
    entry: Entry,
) -> Result<Response, StorageError> {
    let now = provider.now_ms();
    let mut staying = browser.signed_in().await?;
    let before = staying.len();
    if let Some(hint) = &request.hint {
        // The id_token was signed for this session: its bearer may end it, whichever browser asks. One of the password
        // grant was signed for none. Others who are signed in here stay.
        if let Some(sid) = &hint.sid {
            let entry = entry.about(&hint.sub).through(&hint.azp);
            provider.store.end_session(sid, now, &entry).await?;
            staying.retain(|one| one.session.id != *sid);
        }
    } else if !staying.is_empty() {
        let allowed = confirmed.is_some_and(|token| browser.verify_csrf_token(token, parameters));
        if !allowed {
            let page = browser.form(PATH, parameters);
            let frame = browser.frame(request.redirect.as_deref());
            let names: Vec<_> = staying.iter().map(|one| &*one.subject.name).collect();
            let shown = confirm_sign_out(&frame, &page.action, &page.token, &names);
            return Ok(page.with_cookie(shown));
        }
        for one in staying.drain(..) {
            let entry = entry.clone().about(&one.subject.id);
            provider
                .store
                .end_session(&one.session.id, now, &entry)
                .await?;
        }
    }
    let mut response = match &request.redirect {
        Some(uri) => redirect(uri),
        None => signed_out(&browser.frame(None)),
    };
    if staying.len() < before || staying.is_empty() {
        response
            .headers_mut()
            .append(header::SET_COOKIE, browser.session_cookie(&staying));
    }
    Ok(response)
}

fn with_state(uri: &str, state: Option<&str>) -> String {
    let Some(state) = state else {
        return uri.to_owned();
    };
    let query = form_urlencoded::Serializer::new(String::new())
        .append_pair("state", state)
        .finish();
    format!("{uri}{}{query}", if uri.contains('?') { '&' } else { '?' })
}

fn redirect(uri: &str) -> Response {
    match HeaderValue::from_str(uri) {
        Ok(location) => (StatusCode::SEE_OTHER, [(header::LOCATION, location)]).into_response(),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}
