//! GET and POST /oidc/v1/end_session (OpenID Connect RP-Initiated Logout 1.0; decision 0010).

use std::net::IpAddr;
use std::sync::Arc;

use axum::Extension;
use axum::extract::{RawQuery, State};
use axum::response::Response;
use http::{HeaderMap, header};
use invoicing_contract::ClientId;
use invoicing_contract::ready::ApplicationKind;
use url::form_urlencoded;

use super::browser::Browser;
use crate::id_token::IdTokenHint;
use crate::oauth::{FormBody, Parameters, is_registered, parse_form, repeat_as_get, see_other};
use crate::pages::{ErrorPage, confirm_sign_out, error_page, signed_out};
use crate::provider::Provider;
use invoicing_http::Peer;
use invoicing_storage::StorageError;
use invoicing_storage::audit::{AuditEvent, AuditEventKind};

const PATH: &str = "/oidc/v1/end_session";

/// GET /oidc/v1/end_session
pub(crate) async fn end_session_get(
    State(provider): State<Arc<Provider>>,
    Extension(peer): Extension<Peer>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    let parameters = Parameters::parse(query.unwrap_or_default().as_bytes()).ok();
    respond(&provider, peer, &headers, parameters, Sender::Browser).await
}

/// Who sends a logout request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sender {
    /// A browser, which a page of anyone may have sent here.
    Browser,
    /// The confirmation page that this browser has requested.
    ConfirmationPage,
    /// An application itself, as the desktop does. It holds the id_token, and no page can make it send one.
    Application,
}

/// POST /oidc/v1/end_session: from an application with the parameters in the form, or from the confirmation page with the
/// parameters in the query and the CSRF token in the form.
pub(crate) async fn end_session_post(
    State(provider): State<Arc<Provider>>,
    Extension(peer): Extension<Peer>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    FormBody(body): FormBody,
) -> Response {
    let form = parse_form(None, &headers, &body).ok();
    let csrf_token = form.as_ref().and_then(|form| form.get("page"));
    let (sender, parameters) = match csrf_token {
        Some(token) => {
            let query = Parameters::parse(query.unwrap_or_default().as_bytes()).ok();
            let browser = Browser::for_path(PATH, &provider, &headers, query.as_ref());
            match query {
                // The page was open for too long, or it is one of another site: its form arrives without the cookies, and an answer
                // to it would tell the browser to forget the session, which has not ended.
                Some(query) if !browser.verify_csrf_token(token, &query) => {
                    return repeat_as_get(PATH, &query);
                }
                query => (Sender::ConfirmationPage, query),
            }
        }
        None => match form {
            // It is from a page, and no page of this service sends such a form.
            Some(form) if headers.contains_key(header::ORIGIN) => {
                return repeat_as_get(PATH, &form);
            }
            form => (Sender::Application, form),
        },
    };
    respond(&provider, peer, &headers, parameters, sender).await
}

async fn respond(
    provider: &Provider,
    peer: Peer,
    headers: &HeaderMap,
    parameters: Option<Parameters>,
    sender: Sender,
) -> Response {
    let browser = Browser::for_path(PATH, provider, headers, parameters.as_ref());
    let show_error = |page| error_page(&browser.layout(None), page);
    let Some(parameters) = parameters else {
        return show_error(ErrorPage::Malformed);
    };
    let outcome = match LogoutRequest::parse(provider, &parameters).await {
        Ok(Some(request)) => {
            let address = peer.client_address(headers, &provider.proxies);
            sign_out(provider, &browser, &parameters, &request, sender, address).await
        }
        // The parameters contradict each other: no redirect, and no session ends.
        Ok(None) => return show_error(ErrorPage::InvalidLogoutRequest),
        Err(error) => Err(error),
    };
    outcome.unwrap_or_else(|error| {
        tracing::error!(%error, "storage failed");
        show_error(ErrorPage::Unavailable)
    })
}

/// A validated logout request.
struct LogoutRequest {
    hint: Option<IdTokenHint>,
    redirect: Option<String>,
}

impl LogoutRequest {
    /// Validates `parameters`; `None` if they contradict each other or are not registered.
    async fn parse(
        provider: &Provider,
        parameters: &Parameters,
    ) -> Result<Option<Self>, StorageError> {
        let hint = match parameters.get("id_token_hint") {
            Some(hint) => match IdTokenHint::verify(provider, hint) {
                Some(hint) => Some(hint),
                None => return Ok(None),
            },
            None => None,
        };
        let client_id = match (&hint, parameters.get("client_id")) {
            (Some(hint), Some(client_id)) if hint.azp != client_id => return Ok(None),
            (Some(hint), _) => Some(hint.azp.as_str()),
            (None, client_id) => client_id,
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
            is_registered(uri, &application.post_logout_uris, native)
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
    request: &LogoutRequest,
    sender: Sender,
    address: IpAddr,
) -> Result<Response, StorageError> {
    let (now, kind) = (provider.now(), AuditEventKind::SignedOut);
    let mut remaining = browser.signed_in_accounts().await?;
    let count_before = remaining.len();
    let hint = request.hint.as_ref().filter(|hint| match sender {
        Sender::Application => true,
        // The session of another browser is not ended from this one, whoever has its id_token (RP-Initiated Logout, 2).
        Sender::Browser => remaining
            .iter()
            .any(|account| Some(&account.session.id) == hint.sid.as_ref()),
        // It has asked for all accounts of this browser.
        Sender::ConfirmationPage => false,
    });
    if let Some(hint) = hint {
        // An id_token of the password grant has no session. Other accounts stay signed in.
        if let Some(sid) = &hint.sid {
            let event = provider.event_about(kind, &hint.sub).await?;
            let event = event.client(&hint.azp).address(address);
            provider.store.end_session(sid, now, &event).await?;
            remaining.retain(|account| account.session.id != *sid);
        }
    } else if !remaining.is_empty() {
        if sender != Sender::ConfirmationPage {
            let form = browser.form(PATH, parameters);
            let layout = browser.layout(request.redirect.as_deref());
            let names: Vec<_> = remaining
                .iter()
                .map(|account| &*account.subject.name)
                .collect();
            let page = confirm_sign_out(&layout, &form.action, &form.csrf_token, &names);
            return Ok(form.with_cookie(page));
        }
        for account in remaining.drain(..) {
            let event = AuditEvent::new(now, kind)
                .subject(&account.subject.id)
                .organization(&account.subject.home_organization)
                .address(address);
            provider
                .store
                .end_session(&account.session.id, now, &event)
                .await?;
        }
    }
    let mut response = match &request.redirect {
        Some(uri) => see_other(uri),
        None => signed_out(&browser.layout(None)),
    };
    if remaining.len() < count_before || remaining.is_empty() {
        response
            .headers_mut()
            .append(header::SET_COOKIE, browser.session_cookie(&remaining));
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
