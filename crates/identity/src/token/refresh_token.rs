//! The refresh_token grant: the presented token dies, new ones are returned (contract, part 3).

use super::minted_tokens::MintedTokens;
use super::{GrantRequest, PresentedGrant, invalid_grant, missing};
use crate::json_object::JsonObjectWriter;
use crate::oauth_error::{ErrorCode, OAuthError};
use crate::scope::Scope;
use invoicing_storage::applications::GrantType;
use invoicing_storage::audit::{self, Entry};
use invoicing_storage::secret::TokenHash;
use invoicing_storage::tokens::{Family, InsertOutcome};

/// Rotates a refresh token. The access token given before stays valid until it expires; a token presented again gives
/// invalid_grant and leaves its successor alive, unless the application wants its family revoked then.
pub(super) async fn refresh(call: &GrantRequest<'_>) -> Result<JsonObjectWriter, OAuthError> {
    let GrantRequest {
        provider,
        application,
        form,
        ref requested,
        ..
    } = *call;
    form.get("refresh_token")
        .ok_or(missing("refresh_token is missing"))?;
    let refused = |reason| Err(invalid_grant(application, reason));

    let PresentedGrant::RefreshToken(found) = &call.presented else {
        return refused("unknown refresh token");
    };
    if found.family.client_id != application.client_id {
        return refused("refresh token of another application");
    }
    if found.revoked {
        return refused("revoked refresh token");
    }
    if found.used {
        return reused(call, &found.token.hash, &found.family).await;
    }
    let now = provider.now_ms();
    if found.token.expires_at <= now || found.family.expires_at <= now {
        return refused("expired refresh token");
    }
    let member = provider
        .store
        .member(&found.family.subject, call.basis)
        .await?;
    let Some(member) =
        member.filter(|member| found.family.authenticated_at >= member.subject.valid_from)
    else {
        return refused("the account is disabled, or its earlier sign-ins were ended");
    };
    let authorized = Scope::stored(&found.family.scope);
    let scope = requested.as_ref().unwrap_or(&authorized).clone();
    // Asking for less never lets a token out of the organization that it is confined to.
    let scope = match authorized.confined_to(&provider.names) {
        Some(organization) => scope.with(&provider.names.organization_scope(organization)),
        None => scope.unconfined(&provider.names),
    };
    if !scope.within(&authorized) {
        return Err(OAuthError::new(
            ErrorCode::InvalidScope,
            "more than what was authorized",
        ));
    }

    let (made, kept) = MintedTokens::of_family(provider, &found.family, &scope);
    let issued = call.issued(GrantType::RefreshToken, &member.subject);
    let outcome = provider
        .store
        .rotate_refresh_token(&found.token.hash, kept, now, issued)
        .await?;
    if outcome != InsertOutcome::Inserted {
        return reused(call, &found.token.hash, &found.family).await;
    }
    Ok(made.response(None))
}

async fn reused(
    call: &GrantRequest<'_>,
    hash: &TokenHash,
    family: &Family,
) -> Result<JsonObjectWriter, OAuthError> {
    let GrantRequest {
        provider,
        application,
        ..
    } = *call;
    let (now, revoke) = (provider.now_ms(), application.revoke_family_on_reuse);
    let entry = Entry::new(now, audit::Kind::RefreshReused)
        .about(&family.subject)
        .through(&application.client_id)
        .from(call.address)
        .with("family_revoked", revoke.to_string());
    provider
        .store
        .record_refresh_token_reuse(hash, revoke, now, &entry)
        .await?;
    Err(invalid_grant(application, "refresh token used before"))
}
