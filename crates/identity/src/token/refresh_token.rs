//! The refresh_token grant with rotation: the presented token is consumed and new tokens are issued (contract, part 3).

use super::minted_tokens::MintedTokens;
use super::{GrantRequest, PresentedGrant, invalid_grant, missing};
use crate::json_object::JsonObjectWriter;
use crate::oauth::{ErrorCode, OAuthError};
use crate::scope::Scope;
use invoicing_storage::applications::GrantType;
use invoicing_storage::audit::AuditEventKind;
use invoicing_storage::secret::TokenHash;
use invoicing_storage::tokens::{Family, InsertOutcome};

/// Rotates a refresh token. The previous access token stays valid until it expires. A used token returns invalid_grant and
/// does not affect its successor, unless the application is configured to revoke the family on reuse.
pub(super) async fn refresh(request: &GrantRequest<'_>) -> Result<JsonObjectWriter, OAuthError> {
    let GrantRequest {
        provider,
        application,
        form,
        ref requested_scope,
        ..
    } = *request;
    form.get("refresh_token")
        .ok_or(missing("refresh_token is missing"))?;
    let invalid = |reason| Err(invalid_grant(application, reason));

    let PresentedGrant::RefreshToken(stored) = &request.presented else {
        return invalid("unknown refresh token");
    };
    if stored.family.client_id != application.client_id {
        return invalid("refresh token of another application");
    }
    if stored.revoked {
        return invalid("revoked refresh token");
    }
    if stored.used {
        return reject_reused(request, &stored.token.hash, &stored.family).await;
    }
    let now = provider.now();
    if stored.token.expires_at <= now || stored.family.expires_at <= now {
        return invalid("expired refresh token");
    }
    let member = provider
        .store
        .member(&stored.family.subject, request.basis)
        .await?;
    let Some(member) = member.filter(|member| member.subject.epoch == stored.family.epoch) else {
        return invalid("the account is disabled, or its earlier sign-ins were ended");
    };
    // What was authorized before its application was restricted, is restricted from now on.
    let authorized = Scope::of_family(&stored.family, application, &provider.names)?;
    if !authorized.contains("offline_access") {
        return invalid("offline_access was withdrawn from the application");
    }
    let scope = requested_scope.as_ref().unwrap_or(&authorized).clone();
    // A narrower scope keeps the restriction to an organization.
    let scope = match authorized.organization(&provider.names) {
        Some(organization) => scope.with(&provider.names.organization_scope(organization)),
        None => scope,
    };
    if !scope.is_subset_of(&authorized) {
        return Err(OAuthError::new(
            ErrorCode::InvalidScope,
            "more than what was authorized",
        ));
    }

    let (tokens, records) = MintedTokens::for_family(provider, &stored.family, &authorized, &scope);
    let event = request.token_issued(GrantType::RefreshToken, &member.subject);
    let outcome = provider
        .store
        .rotate_refresh_token(&stored.token.hash, records, now, event)
        .await?;
    if outcome != InsertOutcome::Inserted {
        return reject_reused(request, &stored.token.hash, &stored.family).await;
    }
    Ok(tokens.response(None))
}

async fn reject_reused(
    request: &GrantRequest<'_>,
    hash: &TokenHash,
    family: &Family,
) -> Result<JsonObjectWriter, OAuthError> {
    let GrantRequest {
        provider,
        application,
        ..
    } = *request;
    let revoke = application.revoke_family_on_reuse;
    let event = provider
        .event_about(AuditEventKind::RefreshReused, &family.subject)
        .await?
        .client(&application.client_id)
        .address(request.address)
        .detail("family_revoked", revoke.to_string());
    provider
        .store
        .record_refresh_token_reuse(hash, revoke, event.at, &event)
        .await?;
    Err(invalid_grant(application, "refresh token used before"))
}
