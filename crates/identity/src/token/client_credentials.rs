//! The client_credentials grant: a machine user acts for itself (RFC 6749, 4.4).

use std::sync::Arc;

use super::minted_tokens::MintedTokens;
use super::{GrantError, GrantRequest, invalid_grant};
use crate::json_object::JsonObjectWriter;
use crate::oauth_error::{ErrorCode, OAuthError};
use invoicing_storage::applications::GrantType;
use invoicing_storage::tokens::{InsertOutcome, TokenAuthorization};

/// An access token and nothing else. Without the home-organization scope it carries no organization, and without the
/// audience scope the gateway refuses it (contract, part 5).
pub(super) async fn grant(call: &GrantRequest<'_>) -> Result<JsonObjectWriter, GrantError> {
    let GrantRequest {
        provider,
        application,
        ..
    } = *call;
    let Some(subject) = &application.subject else {
        return Err(OAuthError::new(
            ErrorCode::UnauthorizedClient,
            "this application acts for no machine user",
        )
        .into());
    };
    let Some(member) = provider.store.member(subject, call.basis).await? else {
        return Err(invalid_grant(application, "the machine user is disabled").into());
    };
    let (made, kept) = MintedTokens::of_machine(provider, &member.subject, authorization(call));
    let issued = call.issued(GrantType::ClientCredentials, &member.subject);
    let inserted = provider.store.insert_access_token(kept, issued, call.basis);
    match inserted.await? {
        InsertOutcome::Outdated => Err(GrantError::Outdated),
        InsertOutcome::Inserted | InsertOutcome::AlreadyUsed => Ok(made.response(None)),
    }
}

fn authorization(call: &GrantRequest<'_>) -> Arc<TokenAuthorization> {
    if let Some(known) = &call.machine_authorization {
        return known.clone();
    }
    let GrantRequest {
        provider,
        application,
        ref requested,
        ..
    } = *call;
    let names = &provider.names;
    // Nobody signs in here, so there is nobody to describe and nothing to renew.
    let scope = requested
        .clone()
        .unwrap_or_default()
        .without("openid")
        .without("offline_access")
        .unconfined(names);
    let scope = if application.includes_audience {
        scope.with(&names.audience_scope(provider.audience_id()))
    } else {
        scope
    };
    let carries_home = scope.contains(names.home_organization_scope());
    let authorization = scope.authorization(&application.client_id, carries_home, names);
    let asked = call.form.get("scope");
    provider
        .machine_authorizations
        .insert(application, asked, &authorization);
    authorization
}
