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
use invoicing_storage::StorageError;
use invoicing_storage::applications::{Application, GrantType};
use invoicing_storage::audit::{self, Entry};
use invoicing_storage::secret::TokenHash;
use invoicing_storage::subjects::Subject;
use invoicing_storage::tokens::{FoundCode, FoundRefresh, Reach};

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
    let grant_type = form.get("grant_type");
    if grant_type.and_then(GrantType::named) == Some(GrantType::ClientCredentials) {
        // Nothing is presented that would have to be looked up: the database is asked nothing before the token is written.
        provider.store.suppose();
        let answer = answer(&request).await;
        if !provider.store.supposes() || provider.store.supposed_right().await? {
            return answer;
        }
    }
    answer(&request).await
}

/// A call of the token endpoint.
struct Request<'a> {
    provider: &'a Provider,
    credentials: Result<Credentials, OAuthError>,
    form: &'a Parameters,
    address: IpAddr,
}

async fn answer(request: &Request<'_>) -> Result<JsonObjectWriter, OAuthError> {
    let Request {
        provider,
        ref credentials,
        form,
        address,
    } = *request;
    let grant_type = form
        .get("grant_type")
        .ok_or(missing("grant_type is missing"))?;
    // Before the application is looked up: with what is found, the database has told all there is to ask it. Nothing is done
    // with it before the application authenticated.
    let presented = PresentedGrant::load(provider, form).await?;
    let credentials = credentials.as_ref().map_err(Clone::clone)?;
    let application = authenticate(provider, credentials).await?;
    let named = GrantType::named(grant_type);
    let scope = form.get("scope");
    let machine_authorization = named
        .filter(|grant_type| *grant_type == GrantType::ClientCredentials)
        .and_then(|_| provider.machine_authorizations.known(&application, scope));
    // Whatever the grant: an audience of another environment means that host and audience were not switched together.
    let requested = match scope {
        Some(scope) if machine_authorization.is_none() => {
            Some(granted(provider, &application, scope)?)
        }
        Some(_) | None => None,
    };
    let Some(grant_type) = named else {
        return Err(OAuthError::new(
            ErrorCode::UnsupportedGrantType,
            "this grant is not offered",
        ));
    };
    if !application.may_use(grant_type) {
        return Err(OAuthError::new(
            ErrorCode::UnauthorizedClient,
            "this application may not use this grant",
        ));
    }
    let call = GrantRequest {
        provider,
        application: &application,
        form,
        presented,
        requested,
        machine_authorization,
        address,
    };
    // Boxed, so that each call has room for its own grant only and not for the largest.
    match grant_type {
        GrantType::AuthorizationCode => Box::pin(authorization_code::exchange(&call)).await,
        GrantType::RefreshToken => Box::pin(refresh_token::refresh(&call)).await,
        GrantType::ClientCredentials => Box::pin(client_credentials::grant(&call)).await,
        GrantType::Password => Box::pin(password::grant(&call)).await,
    }
}

/// A call of the token endpoint by an application that authenticated.
struct GrantRequest<'a> {
    provider: &'a Provider,
    application: &'a Arc<Application>,
    form: &'a Parameters,
    presented: PresentedGrant,
    /// What is asked for and may be, unless it is known how far that reaches.
    requested: Option<Scope>,
    machine_authorization: Option<Arc<Reach>>,
    address: IpAddr,
}

/// What is presented to be given tokens for, as it stands in storage.
enum PresentedGrant {
    Nothing,
    Code(FoundCode),
    RefreshToken(FoundRefresh),
}

impl PresentedGrant {
    async fn load(provider: &Provider, form: &Parameters) -> Result<Self, StorageError> {
        let store = &provider.store;
        let grant_type = form.get("grant_type").and_then(GrantType::named);
        let found = match grant_type {
            Some(GrantType::AuthorizationCode) => match form.get("code").map(TokenHash::of) {
                Some(code) => store.code(&code).await?.map(Self::Code),
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
    tracing::info!(client_id = application.client_id, reason, "grant refused");
    OAuthError::new(
        ErrorCode::InvalidGrant,
        "the code or token is wrong, expired, used or revoked",
    )
}
