//! POST /oauth/v2/revoke: gives a token back (RFC 7009).

use invoicing_contract::SubjectId;
use std::sync::Arc;

use axum::Extension;
use axum::extract::{RawQuery, State};
use http::{HeaderMap, StatusCode};

use super::Provider;
use super::client_authentication::{Credentials, authenticate};
use super::form_body::FormBody;
use super::oauth_error::{ErrorCode, OAuthError};
use super::token::form;
use invoicing_http::Peer;
use invoicing_storage::audit::{self, Entry};
use invoicing_storage::secret::{TokenHash, is_personal};

/// POST /oauth/v2/revoke. A refresh token takes its whole family with it, an access token only itself. A token that is
/// not known is as revoked as it can be: 200. Personal access tokens are revoked by administrators only.
pub(super) async fn revoke(
    State(provider): State<Arc<Provider>>,
    Extension(peer): Extension<Peer>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    FormBody(body): FormBody,
) -> Result<StatusCode, OAuthError> {
    let form = form(query.as_deref(), &headers, &body)?;
    let credentials = Credentials::of(&headers, &form)?;
    let basis = provider.store.basis().await?;
    let application = authenticate(&provider, &credentials, basis).await?;
    let token = form.get("token").ok_or(OAuthError::new(
        ErrorCode::InvalidRequest,
        "token is missing",
    ))?;
    if is_personal(token) {
        // It belongs to a machine user and to no application. A 200 would claim that it is revoked.
        return Err(OAuthError::new(
            ErrorCode::UnsupportedTokenType,
            "an administrator revokes personal access tokens",
        ));
    }
    let not_its_own = || {
        OAuthError::new(
            ErrorCode::UnauthorizedClient,
            "the token belongs to another application",
        )
    };

    let hash = TokenHash::of(token);
    let now = provider.now_ms();
    let entry = |subject: &SubjectId, what: &str| {
        Entry::new(now, audit::Kind::TokenRevoked)
            .about(subject)
            .through(&application.client_id)
            .from(peer.client_address(&headers, &provider.proxies))
            .with("token", what)
    };
    if let Some(found) = provider.store.refresh_token(&hash).await? {
        if found.family.client_id != application.client_id {
            return Err(not_its_own());
        }
        let entry = entry(&found.family.subject, "refresh_token");
        provider
            .store
            .revoke_family(found.family.id, now, &entry)
            .await?;
    } else if let Some(access) = provider.store.access_token(&hash, now).await? {
        if access.authorization.client_id != application.client_id {
            return Err(not_its_own());
        }
        let entry = entry(&access.subject, "access_token");
        provider
            .store
            .revoke_access_token(&access.hash, now, &entry)
            .await?;
    }
    Ok(StatusCode::OK)
}
