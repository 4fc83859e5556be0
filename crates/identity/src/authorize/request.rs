//! Parses and validates authorization requests. Errors are redirected only after client id and redirect URI are validated.

use std::sync::Arc;
use std::time::Duration;

use invoicing_contract::ready::ApplicationKind;
use invoicing_contract::{ClientId, SubjectId};

use super::redirect::{Redirect, RedirectError};
use super::request_error::RequestError;
use crate::id_token::IdTokenHint;
use crate::oauth::{Parameters, is_registered, is_s256_challenge};
use crate::pages::ErrorPage;
use crate::provider::Provider;
use crate::scope::Scope;
use invoicing_storage::StorageError;
use invoicing_storage::applications::{Application, GrantType};

/// Maximum length in bytes of `state`, `nonce` and `scope`, which are stored or returned unchanged.
const MAX_PARAMETER_LENGTH: usize = 2_048;

/// A valid authorization request.
pub(super) struct AuthorizationRequest {
    pub(super) application: Arc<Application>,
    pub(super) redirect: Redirect,
    pub(super) scope: Scope,
    pub(super) code_challenge: Option<String>,
    pub(super) nonce: Option<String>,
    pub(super) prompt: Prompt,
    /// The maximum time since the authentication, in seconds.
    pub(super) max_age: Option<Duration>,
    pub(super) login_hint: Option<String>,
    /// The subject of `id_token_hint`, which must be signed in. It selects an account and proves nothing: an id_token is no
    /// credential (decision 0014).
    pub(super) expected_subject: Option<SubjectId>,
    /// The subject whose access token the application pushed the request with.
    pub(super) pushed_for: Option<SubjectId>,
    /// All parameters, for the forms of the sign-in pages.
    pub(super) parameters: Parameters,
}

/// The `prompt` parameter (OpenID Connect Core, 3.1.2.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Prompt {
    /// Absent: interaction only where it is necessary.
    Unspecified,
    /// No interaction: an error is returned where it would be necessary.
    None,
    /// The person enters the password again.
    Login,
    /// The person selects an account.
    SelectAccount,
}

/// Why an authorization request fails.
pub(super) enum AuthorizeError {
    /// Reported on a page, since there is no validated redirect URI.
    Page(ErrorPage),
    /// Reported to the application.
    Redirect(Redirect, RedirectError),
}

impl From<StorageError> for AuthorizeError {
    fn from(error: StorageError) -> Self {
        tracing::error!(%error, "storage failed");
        Self::Page(ErrorPage::Unavailable)
    }
}

impl AuthorizationRequest {
    /// Parses and validates `parameters`.
    pub(super) async fn parse(
        provider: &Provider,
        parameters: Parameters,
    ) -> Result<Self, AuthorizeError> {
        let (application, redirect) = validate_client(provider, &parameters).await?;
        match ValidatedParameters::parse(provider, &application, &parameters) {
            Ok(ValidatedParameters {
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
                pushed_for: None,
                parameters,
            }),
            Err(error) => Err(AuthorizeError::Redirect(redirect, error.into())),
        }
    }
}

/// The validated client and redirect URI.
pub(super) async fn validate_client(
    provider: &Provider,
    parameters: &Parameters,
) -> Result<(Arc<Application>, Redirect), AuthorizeError> {
    let client_id = parameters
        .get("client_id")
        .ok_or(AuthorizeError::Page(ErrorPage::Malformed))?;
    let client_id = ClientId::new(client_id);
    let basis = provider.store.basis().await?;
    let application = provider.store.application(&client_id, basis).await?;
    let application = application
        .filter(|application| application.may_use(GrantType::AuthorizationCode))
        .ok_or(AuthorizeError::Page(ErrorPage::UnknownApplication))?;

    let native = application.kind == ApplicationKind::Public;
    let uri = parameters.get("redirect_uri").unwrap_or_default();
    if !is_registered(uri, &application.redirect_uris, native) {
        return Err(AuthorizeError::Page(ErrorPage::UnregisteredRedirect));
    }
    let state = parameters
        .get("state")
        .filter(|state| state.len() <= MAX_PARAMETER_LENGTH)
        .map(str::to_owned);
    Ok((
        application,
        Redirect {
            uri: uri.to_owned(),
            state,
        },
    ))
}

/// The parameters whose errors are returned to the application.
pub(super) struct ValidatedParameters {
    scope: Scope,
    code_challenge: Option<String>,
    prompt: Prompt,
    max_age: Option<Duration>,
    pub(super) expected_subject: Option<SubjectId>,
}

impl ValidatedParameters {
    /// Validates all parameters but client and redirect URI.
    pub(super) fn parse(
        provider: &Provider,
        application: &Application,
        parameters: &Parameters,
    ) -> Result<Self, RequestError> {
        if parameters.get("request").is_some() {
            return Err(RequestError::RequestNotSupported);
        }
        if parameters.get("request_uri").is_some() {
            return Err(RequestError::RequestUriNotSupported);
        }
        match parameters.get("response_type") {
            Some("code") => {}
            Some(_) => return Err(RequestError::UnsupportedResponseType),
            None => return Err(RequestError::InvalidRequest("response_type is missing")),
        }
        if !matches!(parameters.get("response_mode"), None | Some("query")) {
            return Err(RequestError::InvalidRequest(
                "response_mode can only be query",
            ));
        }
        let is_too_long = |name: &str| {
            parameters
                .get(name)
                .is_some_and(|value| value.len() > MAX_PARAMETER_LENGTH)
        };
        if is_too_long("state") || is_too_long("nonce") || is_too_long("scope") {
            return Err(RequestError::InvalidRequest("a value is too long"));
        }
        let requested = parameters.get("scope").ok_or(RequestError::MissingScope)?;
        // The password grant alone selects an organization (contract, part 4, "Scopes").
        let scope = Scope::parse_requested(requested, &provider.names, provider.audience_id())?
            .require_no_organization(&provider.names)?
            .restrict_to_application(application, &provider.names)?
            .restrict_to_served_organization(application, &provider.names)?;
        Ok(Self {
            scope,
            code_challenge: code_challenge(application, parameters)?,
            prompt: prompt(parameters)?,
            max_age: max_age(parameters)?,
            expected_subject: expected_subject(provider, application, parameters)?,
        })
    }
}

/// The PKCE challenge. It is required for public clients and optional for others. A missing method means `plain`, which is
/// not supported (RFC 7636, 4.3).
fn code_challenge(
    application: &Application,
    parameters: &Parameters,
) -> Result<Option<String>, RequestError> {
    let method = parameters.get("code_challenge_method");
    let Some(challenge) = parameters.get("code_challenge") else {
        if application.kind == ApplicationKind::Public || method.is_some() {
            return Err(RequestError::InvalidRequest("code_challenge is missing"));
        }
        return Ok(None);
    };
    if method != Some("S256") {
        return Err(RequestError::InvalidRequest(
            "code_challenge_method must be S256",
        ));
    }
    if !is_s256_challenge(challenge) {
        return Err(RequestError::InvalidRequest(
            "code_challenge is no S256 challenge",
        ));
    }
    Ok(Some(challenge.to_owned()))
}

fn prompt(parameters: &Parameters) -> Result<Prompt, RequestError> {
    let mut prompt = Prompt::Unspecified;
    let values = parameters.get("prompt").unwrap_or_default();
    for value in values.split_ascii_whitespace() {
        prompt = match (value, prompt) {
            ("none", Prompt::Unspecified) if values.trim() == "none" => Prompt::None,
            ("none", _) => return Err(RequestError::InvalidRequest("prompt=none stands alone")),
            ("login", _) | ("select_account" | "consent", Prompt::Login) => Prompt::Login,
            // First-party applications need no consent, so `consent` shows the account chooser.
            ("select_account" | "consent", _) => Prompt::SelectAccount,
            _ => return Err(RequestError::InvalidRequest("an unknown prompt")),
        };
    }
    Ok(prompt)
}

fn max_age(parameters: &Parameters) -> Result<Option<Duration>, RequestError> {
    let Some(max_age) = parameters.get("max_age") else {
        return Ok(None);
    };
    match max_age.parse::<u32>() {
        Ok(seconds) => Ok(Some(Duration::from_secs(seconds.into()))),
        Err(_) => Err(RequestError::InvalidRequest(
            "max_age is no number of seconds",
        )),
    }
}

fn expected_subject(
    provider: &Provider,
    application: &Application,
    parameters: &Parameters,
) -> Result<Option<SubjectId>, RequestError> {
    let Some(hint) = parameters.get("id_token_hint") else {
        return Ok(None);
    };
    let hint = IdTokenHint::verify(provider, hint);
    match hint.filter(|hint| application.client_id == hint.azp) {
        Some(hint) => Ok(Some(hint.sub)),
        None => Err(RequestError::InvalidRequest(
            "id_token_hint is no id_token of this application",
        )),
    }
}
