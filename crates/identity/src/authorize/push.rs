//! POST /oauth/v2/par: pushed authorization requests (RFC 9126). With its access token, a public application shows who sent
//! the request, which no address on the person's computer can show (decision 0014).

use std::net::IpAddr;
use std::sync::Arc;

use axum::Extension;
use axum::extract::{RawQuery, State};
use axum::response::{IntoResponse as _, Response};
use http::{HeaderMap, StatusCode, header};
use invoicing_contract::ClientId;
use invoicing_contract::ready::ApplicationKind;
use invoicing_http::{BearerPolicy, Peer, bearer_token};

use super::pushed_request::{PUSHED_REQUEST_LIFETIME, REQUEST_URI_PREFIX, is_own_sign_in};
use super::request::{AuthorizeError, ValidatedParameters, validate_client};
use super::request_error::RequestError;
use crate::json_object::JsonObjectWriter;
use crate::oauth::{
    ClientAuthentication, ErrorCode, FormBody, OAuthError, Parameters, authenticate, parse_form,
};
use crate::pages::ErrorPage;
use crate::provider::Provider;
use invoicing_storage::applications::{Application, GrantType};
use invoicing_storage::pushed_requests::PushedRequest;
use invoicing_storage::secret::Secret;
use invoicing_storage::tokens::Bearer;

/// Maximum length in bytes of the stored parameters. A form may be longer, and public applications push without a
/// credential.
const MAX_PARAMETERS_LENGTH: usize = 8 * 1024;

/// POST /oauth/v2/par
pub(crate) async fn push(
    State(provider): State<Arc<Provider>>,
    Extension(peer): Extension<Peer>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    FormBody(body): FormBody,
) -> Result<Response, OAuthError> {
    let address = peer.client_address(&headers, &provider.proxies);
    let form = parse_form(query.as_deref(), &headers, &body)
        .map_err(|error| provider.count_failure(address, error))?;
    let pusher = Pusher::authenticate(&provider, &headers, &form, address).await?;
    if !pusher.application.may_use(GrantType::AuthorizationCode) {
        return Err(OAuthError::new(
            ErrorCode::UnauthorizedClient,
            "this application may not use the authorization endpoint",
        ));
    }
    let parameters = form
        .without("client_secret")
        .with("client_id", pusher.application.client_id.as_str());
    validate(&provider, &pusher, &parameters).await?;
    let encoded = parameters.to_query();
    if encoded.len() > MAX_PARAMETERS_LENGTH {
        return Err(OAuthError::new(
            ErrorCode::InvalidRequest,
            "the parameters are longer than 8 KiB",
        ));
    }
    let now = provider.now();
    let reference = Secret::time_ordered(now, &*provider.rng);
    let request = PushedRequest {
        hash: reference.hash(),
        client_id: pusher.application.client_id.clone(),
        parameters: encoded,
        access_token: pusher.bearer.map(|bearer| bearer.token.hash),
        expires_at: now.plus(PUSHED_REQUEST_LIFETIME),
    };
    provider.store.insert_pushed_request(&request).await?;
    let request_uri = format!("{REQUEST_URI_PREFIX}{}", reference.expose());
    let response = JsonObjectWriter::new()
        .with("request_uri", request_uri)
        .with("expires_in", PUSHED_REQUEST_LIFETIME.as_secs());
    Ok((StatusCode::CREATED, response).into_response())
}

/// Who pushes a request.
struct Pusher {
    application: Arc<Application>,
    /// The access token of a public application.
    bearer: Option<Bearer>,
}

impl Pusher {
    /// The application of a request, authenticated as at the token endpoint, or by an access token of its own.
    async fn authenticate(
        provider: &Provider,
        headers: &HeaderMap,
        form: &Parameters,
        address: IpAddr,
    ) -> Result<Self, OAuthError> {
        let mut schemes = headers.get_all(header::AUTHORIZATION).iter();
        let has_bearer = schemes.any(|value| {
            let scheme = value.as_bytes().split(|byte| *byte == b' ').next();
            scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case(b"bearer"))
        });
        if has_bearer {
            return Self::authenticate_by_access_token(provider, headers, form, address).await;
        }
        let authentication = ClientAuthentication::from_request(provider, address, headers, form)?;
        let basis = provider.store.basis().await?;
        Ok(Self {
            application: authenticate(provider, &authentication, address, basis).await?,
            bearer: None,
        })
    }

    async fn authenticate_by_access_token(
        provider: &Provider,
        headers: &HeaderMap,
        form: &Parameters,
        address: IpAddr,
    ) -> Result<Self, OAuthError> {
        let refuse = |error| provider.count_failure(address, error);
        let invalid = |description| refuse(OAuthError::new(ErrorCode::InvalidRequest, description));
        let token = bearer_token(headers, BearerPolicy::Lenient)
            .map_err(|_malformed| invalid("the Authorization header is malformed"))?;
        if form.get("client_secret").is_some() {
            return Err(invalid("the application must authenticate in one way only"));
        }
        let client_id = form
            .get("client_id")
            .map(ClientId::new)
            .ok_or_else(|| invalid("client_id is missing"))?;
        let invalid_token = OAuthError::new(
            ErrorCode::InvalidToken,
            "the access token is not of a sign-in of this application",
        );
        let bearer = provider.resolve_bearer(token).await?;
        let Some(bearer) = bearer.filter(|bearer| is_own_sign_in(bearer, &client_id)) else {
            return Err(refuse(invalid_token));
        };
        provider
            .request_limits
            .admit_bearer(&client_id, address, provider.monotonic())?;
        let application = provider.store.application(&client_id, bearer.basis).await?;
        match application.filter(|application| application.kind == ApplicationKind::Public) {
            Some(application) => Ok(Self {
                application,
                bearer: Some(bearer),
            }),
            // Another application has a secret and must send it.
            None => Err(refuse(OAuthError::invalid_client(
                "this application must send its secret",
                false,
            ))),
        }
    }
}

/// Validates the request as the authorization endpoint would.
async fn validate(
    provider: &Provider,
    pusher: &Pusher,
    parameters: &Parameters,
) -> Result<(), OAuthError> {
    if parameters.get("request_uri").is_some() {
        return Err(RequestError::RequestUriNotSupported.into());
    }
    if let Err(error) = validate_client(provider, parameters).await {
        return Err(match error {
            AuthorizeError::Page(ErrorPage::Unavailable) => {
                OAuthError::new(ErrorCode::TemporarilyUnavailable, "try again in a moment")
            }
            AuthorizeError::Page(_) | AuthorizeError::Redirect(..) => OAuthError::new(
                ErrorCode::InvalidRequest,
                "redirect_uri is missing or not registered",
            ),
        });
    }
    let validated = ValidatedParameters::parse(provider, &pusher.application, parameters)?;
    let subject = pusher.bearer.as_ref().map(|bearer| &bearer.token.subject);
    if let (Some(subject), Some(expected)) = (subject, &validated.expected_subject)
        && subject != expected
    {
        return Err(OAuthError::new(
            ErrorCode::InvalidRequest,
            "id_token_hint and the access token are about different people",
        ));
    }
    Ok(())
}
