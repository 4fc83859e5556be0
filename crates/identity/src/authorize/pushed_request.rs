//! The `request_uri` of a pushed request at the authorization endpoint (RFC 9126, 4).

use std::time::Duration;

use invoicing_contract::{ClientId, SubjectId};

use super::redirect::RedirectError;
use super::request::{AuthorizeError, validate_client};
use crate::oauth::Parameters;
use crate::pages::ErrorPage;
use crate::provider::Provider;
use invoicing_storage::StorageError;
use invoicing_storage::secret::TokenHash;
use invoicing_storage::tokens::Bearer;

/// What every `request_uri` of this service begins with (RFC 9126, 2.2).
pub(super) const REQUEST_URI_PREFIX: &str = "urn:ietf:params:oauth:request_uri:";
/// Lifetime of a pushed request. The browser may have to be started first.
pub(super) const PUSHED_REQUEST_LIFETIME: Duration = Duration::from_secs(90);

/// The parameters of an authorization request, wherever they came from.
pub(super) struct ReceivedParameters {
    pub(super) parameters: Parameters,
    /// The subject whose access token the application pushed the request with.
    pub(super) pushed_for: Option<SubjectId>,
}

impl ReceivedParameters {
    /// The parameters of the address, or those of the pushed request that it names. A pushed request is used once, also if a
    /// page is shown: the forms of the page carry its parameters.
    pub(super) async fn receive(
        provider: &Provider,
        address: Parameters,
    ) -> Result<Self, AuthorizeError> {
        let reference = address
            .get("request_uri")
            .and_then(|uri| uri.strip_prefix(REQUEST_URI_PREFIX));
        let Some(reference) = reference else {
            return Ok(Self {
                parameters: address,
                pushed_for: None,
            });
        };
        let unknown = || AuthorizeError::Page(ErrorPage::UnknownRequest);
        let client_id = address.get("client_id").map(ClientId::new);
        let found = provider
            .store
            .pushed_request(&TokenHash::of(reference))
            .await?
            .filter(|found| client_id.as_ref() == Some(&found.request.client_id))
            .ok_or_else(unknown)?;
        let request = found.request;
        let parameters =
            Parameters::parse(request.parameters.as_bytes()).map_err(|_repeated| unknown())?;
        let now = provider.now();
        let is_usable = !found.used
            && now < request.expires_at
            && provider
                .store
                .use_pushed_request(&request.hash, now)
                .await?;
        if !is_usable {
            let (_, redirect) = validate_client(provider, &parameters).await?;
            return Err(AuthorizeError::Redirect(
                redirect,
                RedirectError::InvalidRequestUri,
            ));
        }
        let pushed_for = match &request.access_token {
            Some(access_token) => {
                signed_in_subject(provider, access_token, &request.client_id).await?
            }
            None => None,
        };
        Ok(Self {
            parameters,
            pushed_for,
        })
    }
}

/// The subject of an access token, if it is still valid: it may have been revoked after the request was pushed.
async fn signed_in_subject(
    provider: &Provider,
    access_token: &TokenHash,
    client_id: &ClientId,
) -> Result<Option<SubjectId>, StorageError> {
    let bearer = provider.store.bearer(access_token, provider.now()).await?;
    let bearer = bearer.filter(|bearer| is_own_sign_in(bearer, client_id));
    Ok(bearer.map(|bearer| bearer.token.subject))
}

/// Whether a valid access token shows that the application with `client_id` is signed in for its subject. Tokens of machines
/// and personal access tokens descend from no authorization of a person; those of an impersonation are an administrator's.
pub(super) fn is_own_sign_in(bearer: &Bearer, client_id: &ClientId) -> bool {
    let token = &bearer.token;
    token.family.is_some() && token.actor.is_none() && token.authorization.client_id == *client_id
}
