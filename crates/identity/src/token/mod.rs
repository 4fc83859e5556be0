//! POST /oauth/v2/token (RFC 6749, 3.2).

mod assumed_basis;
mod authorization_code;
mod client_credentials;
mod minted_tokens;
mod password;
mod refresh_token;

use std::net::IpAddr;
use std::sync::Arc;

use axum::Extension;
use axum::extract::{RawQuery, State};
use http::HeaderMap;

use crate::json_object::JsonObjectWriter;
use crate::oauth::{
    ClientAuthentication, ErrorCode, FormBody, OAuthError, Parameters, authenticate, parse_form,
};
use crate::provider::Provider;
use crate::scope::{Scope, ScopeError};
use invoicing_contract::Names;
use invoicing_http::Peer;
use invoicing_storage::applications::{Application, GrantType};
use invoicing_storage::audit::{self, AuditEvent};
use invoicing_storage::secret::TokenHash;
use invoicing_storage::subjects::Subject;
use invoicing_storage::tokens::{FoundCode, FoundRefreshToken, TokenAuthorization};
use invoicing_storage::{Basis, StorageError};

/// POST /oauth/v2/token
pub(crate) async fn token(
    State(provider): State<Arc<Provider>>,
    Extension(peer): Extension<Peer>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    FormBody(body): FormBody,
) -> Result<JsonObjectWriter, OAuthError> {
    let address = peer.client_address(&headers, &provider.proxies);
    let refuse = |error| provider.count_failure(address, error);
    let form = parse_form(query.as_deref(), &headers, &body).map_err(refuse)?;
    let grant_type = form
        .get("grant_type")
        .map(RequestedGrantType::parse)
        .ok_or_else(|| refuse(missing("grant_type is missing")))?;
    let request = TokenRequest {
        provider: &provider,
        authentication: ClientAuthentication::from_request(&provider, address, &headers, &form)?,
        grant_type,
        form: &form,
        address,
    };
    // Frees the request buffers of the connection while the response is computed.
    drop((headers, body));
    // The client_credentials grant presents no stored record with which the basis would be read. With an assumed basis
    // nothing is read before the insert, which verifies it.
    let assumed = match grant_type {
        RequestedGrantType::Supported(GrantType::ClientCredentials) => {
            provider.store.assumed_basis()
        }
        RequestedGrantType::Supported(_) | RequestedGrantType::Unsupported => None,
    };
    assumed_basis::respond(assumed, provider.store.basis(), |basis| {
        request.respond(basis)
    })
    .await
}

/// Why no tokens are issued.
#[derive(Debug)]
enum GrantError {
    /// The error response of the endpoint.
    OAuth(OAuthError),
    /// The assumed basis is outdated. The request is repeated with the current one.
    Outdated,
}

impl From<OAuthError> for GrantError {
    fn from(error: OAuthError) -> Self {
        Self::OAuth(error)
    }
}

impl From<ScopeError> for GrantError {
    fn from(error: ScopeError) -> Self {
        Self::OAuth(error.into())
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

/// A parsed token request, before the client is authenticated.
struct TokenRequest<'a> {
    provider: &'a Provider,
    authentication: ClientAuthentication,
    grant_type: RequestedGrantType,
    form: &'a Parameters,
    address: IpAddr,
}

/// The `grant_type` parameter.
#[derive(Clone, Copy)]
enum RequestedGrantType {
    Supported(GrantType),
    Unsupported,
}

impl RequestedGrantType {
    fn parse(name: &str) -> Self {
        GrantType::named(name).map_or(Self::Unsupported, Self::Supported)
    }
}

impl TokenRequest<'_> {
    /// Issues tokens. Without `basis`, the basis is that of the presented grant, or it is read.
    async fn respond(&self, basis: Option<Basis>) -> Result<JsonObjectWriter, GrantError> {
        let Self {
            provider,
            ref authentication,
            grant_type,
            form,
            address,
        } = *self;
        // The stored grant is loaded before the application: the query that finds it also reads the basis. It is not used
        // before the client is authenticated.
        let presented = PresentedGrant::load(provider, grant_type, form).await?;
        let basis = match basis.or(presented.basis()) {
            Some(basis) => basis,
            None => provider.store.basis().await?,
        };
        let application = authenticate(provider, authentication, address, basis).await?;
        let scope = form.get("scope");
        let machine_authorization = match grant_type {
            RequestedGrantType::Supported(GrantType::ClientCredentials) => {
                provider.machine_authorizations.get(&application, scope)
            }
            RequestedGrantType::Supported(_) | RequestedGrantType::Unsupported => None,
        };
        // The scope is checked for every grant: an audience of another environment means that the client changed its host
        // but not its audience.
        let requested_scope = match scope {
            Some(scope) if machine_authorization.is_none() => {
                let scope = Scope::parse_requested(scope, &provider.names, provider.audience_id())?;
                Some(
                    presented
                        .without_authorized_organization(scope, &application, &provider.names)?
                        .restrict_to_application(&application, &provider.names)?,
                )
            }
            Some(_) | None => None,
        };
        let RequestedGrantType::Supported(grant_type) = grant_type else {
            return Err(OAuthError::new(
                ErrorCode::UnsupportedGrantType,
                "this grant is not offered",
            )
            .into());
        };
        if !application.may_use(grant_type) {
            return Err(OAuthError::new(
                ErrorCode::UnauthorizedClient,
                "this application may not use this grant",
            )
            .into());
        }
        let request = GrantRequest {
            provider,
            application: &application,
            form,
            presented,
            requested_scope,
            machine_authorization,
            address,
            basis,
        };
        // Boxed, so that the future of a request has the size of its own grant and not of the largest one.
        Ok(match grant_type {
            GrantType::AuthorizationCode => {
                Box::pin(authorization_code::exchange(&request)).await?
            }
            GrantType::RefreshToken => Box::pin(refresh_token::refresh(&request)).await?,
            GrantType::ClientCredentials => Box::pin(client_credentials::grant(&request)).await?,
            GrantType::Password => Box::pin(password::grant(&request)).await?,
        })
    }
}

/// A token request of an authenticated client.
struct GrantRequest<'a> {
    provider: &'a Provider,
    application: &'a Arc<Application>,
    form: &'a Parameters,
    presented: PresentedGrant,
    /// The requested scopes that the application may use; `None` if there are none, or with `machine_authorization`.
    requested_scope: Option<Scope>,
    /// The cached authorization of the client_credentials grant.
    machine_authorization: Option<Arc<TokenAuthorization>>,
    address: IpAddr,
    /// The version of the directory that the request is decided by.
    basis: Basis,
}

/// The stored record of the authorization code or refresh token in a request.
enum PresentedGrant {
    /// The grant type has no stored record, or none was found.
    None,
    Code(FoundCode),
    RefreshToken(FoundRefreshToken),
}

impl PresentedGrant {
    async fn load(
        provider: &Provider,
        grant_type: RequestedGrantType,
        form: &Parameters,
    ) -> Result<Self, StorageError> {
        let RequestedGrantType::Supported(grant_type) = grant_type else {
            return Ok(Self::None);
        };
        let store = &provider.store;
        let found = match grant_type {
            GrantType::AuthorizationCode => match form.get("code").map(TokenHash::of) {
                Some(hash) => store.authorization_code(&hash).await?.map(Self::Code),
                None => None,
            },
            GrantType::RefreshToken => match form.get("refresh_token").map(TokenHash::of) {
                Some(hash) => store.refresh_token(&hash).await?.map(Self::RefreshToken),
                None => None,
            },
            GrantType::ClientCredentials | GrantType::Password => None,
        };
        Ok(found.unwrap_or(Self::None))
    }

    /// Removes from `requested` the organization that the tokens of a refresh are restricted to already: a client may
    /// repeat the whole scope of its last response.
    fn without_authorized_organization(
        &self,
        requested: Scope,
        application: &Application,
        names: &Names,
    ) -> Result<Scope, ScopeError> {
        match self {
            Self::RefreshToken(found) if requested.organization(names).is_some() => {
                let authorized = Scope::of_family(&found.family, application, names)?;
                Ok(match authorized.organization(names) {
                    Some(organization) => {
                        requested.without(&names.organization_scope(organization))
                    }
                    None => requested,
                })
            }
            Self::None | Self::Code(_) | Self::RefreshToken(_) => Ok(requested),
        }
    }

    /// The basis that was read with it.
    const fn basis(&self) -> Option<Basis> {
        match self {
            Self::None => None,
            Self::Code(found) => Some(found.basis),
            Self::RefreshToken(found) => Some(found.basis),
        }
    }
}

impl GrantRequest<'_> {
    /// An audit event of this request about `subject`.
    fn event(&self, kind: audit::AuditEventKind, subject: &Subject) -> AuditEvent {
        AuditEvent::new(self.provider.now(), kind)
            .subject(&subject.id)
            .organization(&subject.home_organization)
            .client(&self.application.client_id)
            .address(self.address)
    }

    /// The audit event of issued tokens.
    fn token_issued(&self, grant: GrantType, subject: &Subject) -> AuditEvent {
        self.event(audit::AuditEventKind::TokenIssued, subject)
            .detail("grant", grant.name())
    }
}

const fn missing(description: &'static str) -> OAuthError {
    OAuthError::new(ErrorCode::InvalidRequest, description)
}

/// An invalid_grant error. `reason` is logged only; the response does not disclose it.
fn invalid_grant(application: &Application, reason: &'static str) -> OAuthError {
    tracing::info!(client_id = %application.client_id, reason, "grant refused");
    OAuthError::new(
        ErrorCode::InvalidGrant,
        "the code or token is wrong, expired, used or revoked",
    )
}
