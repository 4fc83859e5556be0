//! The client_credentials grant for machine users (RFC 6749, 4.4).

use std::sync::Arc;

use super::minted_tokens::MintedTokens;
use super::{GrantError, GrantRequest, invalid_grant};
use crate::json_object::JsonObjectWriter;
use crate::oauth::{ErrorCode, OAuthError};
use crate::scope::ScopeError;
use invoicing_storage::applications::GrantType;
use invoicing_storage::tokens::{InsertOutcome, TokenAuthorization};

/// Issues an access token. Without the home-organization scope it has no organization, and without the audience scope the
/// gateway rejects it (contract, part 5).
pub(super) async fn grant(request: &GrantRequest<'_>) -> Result<JsonObjectWriter, GrantError> {
    let GrantRequest {
        provider,
        application,
        ..
    } = *request;
    let Some(subject) = &application.subject else {
        return Err(OAuthError::new(
            ErrorCode::UnauthorizedClient,
            "this application acts for no machine user",
        )
        .into());
    };
    let Some(member) = provider.store.member(subject, request.basis).await? else {
        return Err(invalid_grant(application, "the machine user is disabled").into());
    };
    let authorization = token_authorization(request)?;
    let (tokens, record) = MintedTokens::for_machine(provider, &member.subject, authorization);
    let event = request.token_issued(GrantType::ClientCredentials, &member.subject);
    let outcome = provider
        .store
        .insert_access_token(record, event, request.basis)
        .await?;
    match outcome {
        InsertOutcome::Outdated => Err(GrantError::Outdated),
        InsertOutcome::Inserted | InsertOutcome::AlreadyUsed => Ok(tokens.response(None)),
    }
}

fn token_authorization(request: &GrantRequest<'_>) -> Result<Arc<TokenAuthorization>, ScopeError> {
    if let Some(cached) = &request.machine_authorization {
        return Ok(cached.clone());
    }
    let GrantRequest {
        provider,
        application,
        ref requested_scope,
        ..
    } = *request;
    let names = &provider.names;
    // Without a sign-in there is no id_token and no refresh token.
    let scope = requested_scope
        .clone()
        .unwrap_or_default()
        .without("openid")
        .without("offline_access")
        .require_no_organization(names)?;
    let scope = if application.includes_audience {
        scope.with(&names.audience_scope(provider.audience_id()))
    } else {
        scope
    };
    let carries_home = scope.contains(names.home_organization_scope());
    let authorization = scope.authorization(&application.client_id, carries_home, names);
    let requested = request.form.get("scope");
    provider
        .machine_authorizations
        .insert(application, requested, &authorization);
    Ok(authorization)
}
