//! POST /oauth/v2/revoke: token revocation (RFC 7009).

use std::sync::Arc;

use axum::Extension;
use axum::extract::{RawQuery, State};
use http::{HeaderMap, StatusCode};

use crate::oauth::FormBody;
use crate::oauth::parse_form;
use crate::oauth::{ClientAuthentication, authenticate};
use crate::oauth::{ErrorCode, OAuthError};
use crate::provider::Provider;
use invoicing_http::Peer;
use invoicing_storage::audit::{AuditEvent, AuditEventKind};
use invoicing_storage::secret::{TokenHash, is_personal};

/// POST /oauth/v2/revoke. A refresh token revokes its whole family, an access token only itself. An unknown token returns 200
/// (RFC 7009, 2.2). Only administrators revoke personal access tokens.
pub(crate) async fn revoke(
    State(provider): State<Arc<Provider>>,
    Extension(peer): Extension<Peer>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    FormBody(body): FormBody,
) -> Result<StatusCode, OAuthError> {
    let address = peer.client_address(&headers, &provider.proxies);
    let form = parse_form(query.as_deref(), &headers, &body)
        .map_err(|error| provider.count_failure(address, error))?;
    let authentication = ClientAuthentication::from_request(&provider, address, &headers, &form)?;
    let basis = provider.store.basis().await?;
    let application = authenticate(&provider, &authentication, address, basis).await?;
    let token = form.get("token").ok_or(OAuthError::new(
        ErrorCode::InvalidRequest,
        "token is missing",
    ))?;
    if is_personal(token) {
        // It belongs to a machine user and not to an application. A 200 would mean that it was revoked.
        return Err(OAuthError::new(
            ErrorCode::UnsupportedTokenType,
            "an administrator revokes personal access tokens",
        ));
    }
    let foreign_token = || {
        OAuthError::new(
            ErrorCode::UnauthorizedClient,
            "the token belongs to another application",
        )
    };

    let hash = TokenHash::of(token);
    let now = provider.now();
    let kind = AuditEventKind::TokenRevoked;
    let of_request = |event: AuditEvent, token_type: &str| {
        event
            .client(&application.client_id)
            .address(address)
            .detail("token", token_type)
    };
    if let Some(refresh) = provider.store.refresh_token(&hash).await? {
        if refresh.family.client_id != application.client_id {
            return Err(foreign_token());
        }
        let event = provider.event_about(kind, &refresh.family.subject).await?;
        let event = of_request(event, "refresh_token");
        provider
            .store
            .revoke_family(refresh.family.id, now, &event)
            .await?;
    } else if let Some(access) = provider.store.access_token(&hash, now).await? {
        if access.authorization.client_id != application.client_id {
            return Err(foreign_token());
        }
        let event = provider.event_about(kind, &access.subject).await?;
        let event = of_request(event, "access_token");
        provider
            .store
            .revoke_access_token(&access.hash, now, &event)
            .await?;
    }
    Ok(StatusCode::OK)
}
