//! POST /oauth/v2/token: gives out tokens (RFC 6749, 3.2).

mod authorization_code;
mod client_credentials;
mod id_token;
mod machine_authorizations;
mod minted_tokens;
mod password;
mod refresh_token;

use std::net::IpAddr;
use std::sync::Arc;

use axum::Extension;
use axum::extract::{RawQuery, State};
use http::{HeaderMap, header};

pub(super) use id_token::{IdTokenClaims, IdTokenHint, sign};
pub(super) use machine_authorizations::MachineAuthorizationCache;
pub(super) use minted_tokens::REFRESH_ABSOLUTE_MS;

use super::Provider;
use super::client_authentication::{Credentials, authenticate};
use super::form_body::FormBody;
use super::json_object::JsonObjectWriter;
use super::oauth_error::{ErrorCode, OAuthError};
use super::parameters::Parameters;
use super::scope::Scope;
use invoicing_http::Peer;
use invoicing_storage::applications::{Application, GrantType};
use invoicing_storage::audit::{self, Entry};
use invoicing_storage::secret::TokenHash;
use invoicing_storage::subjects::Subject;
use invoicing_storage::tokens::{FoundCode, FoundRefreshToken, TokenAuthorization};
use invoicing_storage::{Basis, StorageError};

/// POST /oauth/v2/token
pub(super) async fn token(
    State(provider): State<Arc<Provider>>,
    Extension(peer): Extension<Peer>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    FormBody(body): FormBody,
) -> Result<JsonObjectWriter, OAuthError> {
    let form = form(query.as_deref(), &headers, &body)?;
    let request = Request {
        provider: &provider,
        credentials: Credentials::of(&headers, &form),
        form: &form,
        address: peer.client_address(&headers, &provider.proxies),
    };
    // While the answer is waited for, there is room again for what comes next on the connection.
    drop((headers, body));
    let grant_type = form.get("grant_type").and_then(GrantType::named);
    // A client_credentials request presents no stored code or token, with which the basis would be read: with an assumed one
    // nothing is read before the insert, which verifies it.
    let assumed = provider.store.assumed_basis();
    let assumed = assumed.filter(|_| grant_type == Some(GrantType::ClientCredentials));
    let Some(assumed) = assumed else {
        return Ok(respond(&request, None).await?);
    };
    let refused = match respond(&request, Some(assumed)).await {
        Ok(response) => return Ok(response),
        Err(refused) => refused,
    };
    let current = provider.store.basis().await?;
    match refused {
        GrantError::OAuth(error) if current.same_version(assumed) => Err(error),
        GrantError::OAuth(_) | GrantError::Outdated => Ok(respond(&request, Some(current)).await?),
    }
}

/// Why no tokens are issued.
#[derive(Debug)]
enum GrantError {
    /// The response of the endpoint.
    OAuth(OAuthError),
    /// The assumed basis is not the current one: the request is repeated with that.
    Outdated,
}

impl From<OAuthError> for GrantError {
    fn from(error: OAuthError) -> Self {
        Self::OAuth(error)
    }
}

impl From<StorageError> for GrantError {
    fn from(error: StorageError) -> Self {
        Self::OAuth(error.into())
    }
}

impl From<GrantError> for OAuthError {
    fn from(error: GrantError) -> Self {
        match error {
            GrantError::OAuth(error) => error,
            GrantError::Outdated => {
                Self::new(ErrorCode::TemporarilyUnavailable, "try again in a moment")
            }
        }
    }
}

/// A call of the token endpoint.
struct Request<'a> {
    provider: &'a Provider,
    credentials: Result<Credentials, OAuthError>,
    form: &'a Parameters,
    address: IpAddr,
}

/// Issues tokens, or says why not. Without `basis`, it is the one of the presented code or token, or read.
async fn respond(
    request: &Request<'_>,
    basis: Option<Basis>,
) -> Result<JsonObjectWriter, GrantError> {
    let Request {
        provider,
        ref credentials,
        form,
        address,
    } = *request;
    let grant_type = form
        .get("grant_type")
        .ok_or(missing("grant_type is missing"))?;
    // Before the application is read: a stored code or token comes with the basis, so that one query is enough. Nothing is
    // done with it before the application has authenticated.
    let presented = PresentedGrant::load(provider, form).await?;
    let credentials = credentials.as_ref().map_err(Clone::clone)?;
    let basis = match basis.or(presented.basis()) {
        Some(basis) => basis,
        None => provider.store.basis().await?,
    };
    let application = authenticate(provider, credentials, basis).await?;
    let named = GrantType::named(grant_type);
    let scope = form.get("scope");
    let machine_authorization = named
        .filter(|grant_type| *grant_type == GrantType::ClientCredentials)
        .and_then(|_| provider.machine_authorizations.get(&application, scope));
    // Whatever the grant: an audience of another environment means that host and audience were not switched together.
    let requested = match scope {
        Some(scope) if machine_authorization.is_none() => {
            Some(granted(provider, &application, scope)?)
        }
        Some(_) | None => None,
    };
    let Some(grant_type) = named else {
        return Err(
            OAuthError::new(ErrorCode::UnsupportedGrantType, "this grant is not offered").into(),
        );
    };
    if !application.may_use(grant_type) {
        return Err(OAuthError::new(
            ErrorCode::UnauthorizedClient,
            "this application may not use this grant",
        )
        .into());
    }
    let call = GrantRequest {
        provider,
        application: &application,
        form,
        presented,
        requested,
        machine_authorization,
        address,
        basis,
    };
    // Boxed, so that each call has room for its own grant only and not for the largest.
    Ok(match grant_type {
        GrantType::AuthorizationCode => Box::pin(authorization_code::exchange(&call)).await?,
        GrantType::RefreshToken => Box::pin(refresh_token::refresh(&call)).await?,
        GrantType::ClientCredentials => Box::pin(client_credentials::grant(&call)).await?,
        GrantType::Password => Box::pin(password::grant(&call)).await?,
    })
}

/// A call of the token endpoint by an application that authenticated.
struct GrantRequest<'a> {
    provider: &'a Provider,
    application: &'a Arc<Application>,
    form: &'a Parameters,
    presented: PresentedGrant,
    /// What is asked for and may be, unless it is known how far that reaches.
    requested: Option<Scope>,
    machine_authorization: Option<Arc<TokenAuthorization>>,
    address: IpAddr,
    /// The version of the directory that the request is decided by.
    basis: Basis,
}

/// What is presented to be given tokens for, as it stands in storage.
enum PresentedGrant {
    Nothing,
    Code(FoundCode),
    RefreshToken(FoundRefreshToken),
}

impl PresentedGrant {
    async fn load(provider: &Provider, form: &Parameters) -> Result<Self, StorageError> {
        let store = &provider.store;
        let grant_type = form.get("grant_type").and_then(GrantType::named);
        let found = match grant_type {
            Some(GrantType::AuthorizationCode) => match form.get("code").map(TokenHash::of) {
                Some(code) => store.authorization_code(&code).await?.map(Self::Code),
                None => None,
            },
            Some(GrantType::RefreshToken) => match form.get("refresh_token").map(TokenHash::of) {
                Some(token) => store.refresh_token(&token).await?.map(Self::RefreshToken),
                None => None,
            },
            Some(GrantType::ClientCredentials | GrantType::Password) | None => None,
        };
        Ok(found.unwrap_or(Self::Nothing))
    }

    /// The basis that was read with it.
    const fn basis(&self) -> Option<Basis> {
        match self {
            Self::Nothing => None,
            Self::Code(found) => Some(found.basis),
            Self::RefreshToken(found) => Some(found.basis),
        }
    }
}

impl GrantRequest<'_> {
    /// An event of this call, about `subject`.
    fn entry(&self, kind: audit::Kind, subject: &Subject) -> Entry {
        Entry::new(self.provider.now_ms(), kind)
            .about(&subject.id)
            .of(&subject.home_organization)
            .through(&self.application.client_id)
            .from(self.address)
    }

    /// That it gives out tokens.
    fn issued(&self, grant: GrantType, subject: &Subject) -> Entry {
        self.entry(audit::Kind::TokenIssued, subject)
            .with("grant", grant.name())
    }
}

/// The form of a POST. Parameters in the address are refused: they would end in logs (RFC 6749, 2.3.1).
pub(super) fn form(
    query: Option<&str>,
    headers: &HeaderMap,
    body: &[u8],
) -> Result<Parameters, OAuthError> {
    let invalid = |description| OAuthError::new(ErrorCode::InvalidRequest, description);
    if query.is_some_and(|query| !query.is_empty()) {
        return Err(invalid("parameters belong in the body, not in the address"));
    }
    let content_type = headers
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    let essence = content_type.split(';').next().unwrap_or_default().trim();
    if !essence.eq_ignore_ascii_case("application/x-www-form-urlencoded") {
        return Err(invalid(
            "the body must be application/x-www-form-urlencoded",
        ));
    }
    Ok(Parameters::parse(body)?)
}

/// What the application asks for and may ask for.
fn granted(
    provider: &Provider,
    application: &Application,
    requested: &str,
) -> Result<Scope, OAuthError> {
    let scope =
        Scope::requested(requested, &provider.names, provider.audience_id()).map_err(|_| {
            OAuthError::new(
                ErrorCode::InvalidClient,
                "the project audience belongs to another environment",
            )
        })?;
    Ok(scope.allowed_to(application, &provider.names))
}

const fn missing(description: &'static str) -> OAuthError {
    OAuthError::new(ErrorCode::InvalidRequest, description)
}

/// For whoever presents something that gives nothing: the reasons stay in the log, the answer is one.
fn invalid_grant(application: &Application, reason: &'static str) -> OAuthError {
    tracing::info!(client_id = %application.client_id, reason, "grant refused");
    OAuthError::new(
        ErrorCode::InvalidGrant,
        "the code or token is wrong, expired, used or revoked",
    )
}
