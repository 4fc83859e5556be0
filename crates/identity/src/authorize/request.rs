//! Reads an authorization request. Until application and redirect URI are known to fit, nothing redirects.

use invoicing_contract::ClientId;
use std::sync::Arc;

use invoicing_contract::ready::ApplicationKind;

use super::response::{Redirect, RedirectError};
use crate::pages::ErrorPage;
use crate::parameters::Parameters;
use crate::scope::Scope;
use crate::token::IdTokenHint;
use crate::{Provider, pkce, redirect_uri};
use invoicing_storage::StorageError;
use invoicing_storage::applications::{Application, GrantType};

/// `state`, `nonce` and the like are kept or sent back as they are: longer than this is no random value.
const MAX_VALUE: usize = 2_048;

/// An authorization request that can be answered.
pub(super) struct AuthorizationRequest {
    pub(super) application: Arc<Application>,
    pub(super) redirect: Redirect,
    pub(super) scope: Scope,
    pub(super) code_challenge: Option<String>,
    pub(super) nonce: Option<String>,
    pub(super) prompt: Prompt,
    /// Seconds since the password was given, at most.
    pub(super) max_age: Option<i64>,
    pub(super) login_hint: Option<String>,
    /// The subject that must be signed in.
    pub(super) expected_subject: Option<String>,
    /// As it came, for the form of the sign-in page.
    pub(super) parameters: Parameters,
}

/// What the application wants the person to be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Prompt {
    /// Only what is necessary.
    Needed,
    /// Nothing: answer with an error instead.
    None,
    /// The password, even if somebody is signed in.
    Login,
    /// Which account.
    SelectAccount,
}

/// Why a request is not answered with a code.
pub(super) enum Refusal {
    /// By a page: there is no address that can be trusted.
    Page(ErrorPage),
    /// By a redirect with an error.
    Redirect(Redirect, RedirectError),
}

impl From<StorageError> for Refusal {
    fn from(error: StorageError) -> Self {
        tracing::error!(%error, "storage did not answer");
        Self::Page(ErrorPage::Unavailable)
    }
}

impl AuthorizationRequest {
    /// Reads `parameters`.
    pub(super) async fn read(provider: &Provider, parameters: Parameters) -> Result<Self, Refusal> {
        let (application, redirect) = destination(provider, &parameters).await?;
        let details = Details::read(provider, &application, &parameters);
        match details {
            Ok(Details {
                scope,
                code_challenge,
                prompt,
                max_age,
                expected_subject,
            }) => Ok(Self {
                application,
                redirect,
                scope,
                code_challenge,
                nonce: parameters.get("nonce").map(str::to_owned),
                prompt,
                max_age,
                login_hint: parameters.get("login_hint").map(str::to_owned),
                expected_subject,
                parameters,
            }),
            Err(error) => Err(Refusal::Redirect(redirect, error)),
        }
    }
}

/// The application and where its answer goes, both known to fit.
async fn destination(
    provider: &Provider,
    parameters: &Parameters,
) -> Result<(Arc<Application>, Redirect), Refusal> {
    let client_id = parameters
        .get("client_id")
        .ok_or(Refusal::Page(ErrorPage::Malformed))?;
    let basis = provider.store.basis().await?;
    let client_id = ClientId::new(client_id);
    let application = provider.store.application(&client_id, basis).await?;
    let application = application
        .filter(|application| application.may_use(GrantType::AuthorizationCode))
        .ok_or(Refusal::Page(ErrorPage::UnknownApplication))?;

    let native = application.kind == ApplicationKind::Public;
    let uri = parameters.get("redirect_uri").unwrap_or_default();
    if !redirect_uri::is_registered(uri, &application.redirect_uris, native) {
        return Err(Refusal::Page(ErrorPage::BadRedirect));
    }
    let state = parameters
        .get("state")
        .filter(|state| state.len() <= MAX_VALUE)
        .map(str::to_owned);
    Ok((
        application,
        Redirect {
            uri: uri.to_owned(),
            state,
        },
    ))
}

struct Details {
    scope: Scope,
    code_challenge: Option<String>,
    prompt: Prompt,
    max_age: Option<i64>,
    expected_subject: Option<String>,
}

impl Details {
    fn read(
        provider: &Provider,
        application: &Application,
        parameters: &Parameters,
    ) -> Result<Self, RedirectError> {
        for unsupported in [
            ("request", RedirectError::RequestNotSupported),
            ("request_uri", RedirectError::RequestUriNotSupported),
        ] {
            if parameters.get(unsupported.0).is_some() {
                return Err(unsupported.1);
            }
        }
        match parameters.get("response_type") {
            Some("code") => {}
            Some(_) => return Err(RedirectError::UnsupportedResponseType),
            None => return Err(RedirectError::InvalidRequest("response_type is missing")),
        }
        if !matches!(parameters.get("response_mode"), None | Some("query")) {
            return Err(RedirectError::InvalidRequest(
                "response_mode can only be query",
            ));
        }
        let long = |name: &str| {
            parameters
                .get(name)
                .is_some_and(|value| value.len() > MAX_VALUE)
        };
        if long("state") || long("nonce") || long("scope") {
            return Err(RedirectError::InvalidRequest("a value is too long"));
        }
        let requested = parameters.get("scope").unwrap_or_default();
        let scope = Scope::requested(requested, &provider.names, provider.audience_id())
            .map_err(|_| RedirectError::InvalidClient)?
            .allowed_to(application, &provider.names)
            .unconfined(&provider.names);
        let scope = if application.may_use(GrantType::RefreshToken) {
            scope
        } else {
            scope.without("offline_access")
        };
        Ok(Self {
            scope,
            code_challenge: code_challenge(application, parameters)?,
            prompt: prompt(parameters)?,
            max_age: max_age(parameters)?,
            expected_subject: expected_subject(provider, application, parameters)?,
        })
    }
}

/// PKCE is for everybody and a must for public applications. `plain` is what a missing method means (RFC 7636, 4.3).
fn code_challenge(
    application: &Application,
    parameters: &Parameters,
) -> Result<Option<String>, RedirectError> {
    let method = parameters.get("code_challenge_method");
    let Some(challenge) = parameters.get("code_challenge") else {
        if application.kind == ApplicationKind::Public || method.is_some() {
            return Err(RedirectError::InvalidRequest("code_challenge is missing"));
        }
        return Ok(None);
    };
    if method != Some("S256") {
        return Err(RedirectError::InvalidRequest(
            "code_challenge_method must be S256",
        ));
    }
    if !pkce::is_challenge(challenge) {
        return Err(RedirectError::InvalidRequest(
            "code_challenge is no S256 challenge",
        ));
    }
    Ok(Some(challenge.to_owned()))
}

fn prompt(parameters: &Parameters) -> Result<Prompt, RedirectError> {
    let mut prompt = Prompt::Needed;
    let asked = parameters.get("prompt").unwrap_or_default();
    for word in asked.split_ascii_whitespace() {
        prompt = match (word, prompt) {
            ("none", Prompt::Needed) if asked.trim() == "none" => Prompt::None,
            ("none", _) => return Err(RedirectError::InvalidRequest("prompt=none stands alone")),
            ("login", _) | ("select_account" | "consent", Prompt::Login) => Prompt::Login,
            // Our own applications need no consent; showing who is signed in is what is left of asking.
            ("select_account" | "consent", _) => Prompt::SelectAccount,
            _ => return Err(RedirectError::InvalidRequest("an unknown prompt")),
        };
    }
    Ok(prompt)
}

fn max_age(parameters: &Parameters) -> Result<Option<i64>, RedirectError> {
    let Some(max_age) = parameters.get("max_age") else {
        return Ok(None);
    };
    let seconds = max_age
        .parse::<u32>()
        .map_err(|_| RedirectError::InvalidRequest("max_age is no number of seconds"))?;
    Ok(Some(i64::from(seconds)))
}

fn expected_subject(
    provider: &Provider,
    application: &Application,
    parameters: &Parameters,
) -> Result<Option<String>, RedirectError> {
    let Some(hint) = parameters.get("id_token_hint") else {
        return Ok(None);
    };
    let hint = IdTokenHint::read(provider, hint);
    match hint.filter(|hint| application.client_id == *hint.azp) {
        Some(hint) => Ok(Some(hint.sub)),
        None => Err(RedirectError::InvalidRequest(
            "id_token_hint is no id_token of this application",
        )),
    }
}
