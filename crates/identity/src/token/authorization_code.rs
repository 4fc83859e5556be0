//! The authorization_code grant with PKCE (RFC 6749, 4.1.3; RFC 7636).

use super::minted_tokens::MintedTokens;
use super::{GrantRequest, PresentedGrant, invalid_grant, missing};
use crate::id_token::{IdTokenClaims, sign_id_token};
use crate::json_object::JsonObjectWriter;
use crate::lifetimes::{AUTHORIZATION_CODE_LIFETIME, CLOCK_LEEWAY};
use crate::oauth::OAuthError;
use crate::oauth::verify_challenge;
use crate::scope::Scope;
use invoicing_storage::applications::GrantType;
use invoicing_storage::audit::AuditEventKind;
use invoicing_storage::tokens::{Family, InsertOutcome};

/// Exchanges a code for tokens. A code that was already redeemed revokes the tokens of its family (RFC 6749, 4.1.2).
pub(super) async fn exchange(request: &GrantRequest<'_>) -> Result<JsonObjectWriter, OAuthError> {
    let GrantRequest {
        provider,
        application,
        form,
        ref requested_scope,
        ..
    } = *request;
    form.get("code").ok_or(missing("code is missing"))?;
    let redirect_uri = form
        .get("redirect_uri")
        .ok_or(missing("redirect_uri is missing"))?;
    let verifier = form.get("code_verifier");
    let invalid = |reason| Err(invalid_grant(application, reason));

    let PresentedGrant::Code(stored) = &request.presented else {
        return invalid("unknown code");
    };
    if stored.family.client_id != application.client_id {
        return invalid("code of another application");
    }
    if stored.used {
        return revoke_replayed(request, &stored.family).await;
    }
    let now = provider.now();
    let latest = now.plus(AUTHORIZATION_CODE_LIFETIME + CLOCK_LEEWAY);
    // A code that expires later than one issued now was issued before the clock was set back (decision 0088).
    if stored.code.expires_at <= now || stored.code.expires_at > latest {
        return invalid("expired code");
    }
    if stored.code.redirect_uri != redirect_uri {
        return invalid("another redirect_uri");
    }
    match (&stored.code.code_challenge, verifier) {
        (Some(challenge), Some(verifier)) if verify_challenge(verifier, challenge) => {}
        (Some(_), Some(_)) => return invalid("wrong code_verifier"),
        (Some(_), None) => return invalid("no code_verifier for a challenge"),
        // Accepting it would let an attacker remove the challenge from the authorization request (RFC 9700, 2.1.1).
        (None, Some(_)) => return invalid("a code_verifier without a challenge"),
        (None, None) => {}
    }
    let Some(member) = provider
        .store
        .member(&stored.family.subject, request.basis)
        .await?
    else {
        return invalid("the account is disabled");
    };
    if stored.family.epoch != member.subject.epoch {
        return invalid("the account's earlier sign-ins were ended");
    }

    // Since the code was issued, its application can have been restricted.
    let scope = Scope::of_family(&stored.family, application, &provider.names)?;
    // The request cannot change what was authorized. An organization that it selects would be left out (decision 0008).
    if let Some(requested) = requested_scope {
        requested.clone().require_no_organization(&provider.names)?;
    }
    let (tokens, records) = MintedTokens::for_family(provider, &stored.family, &scope, &scope);
    let id_token = if scope.contains("openid") {
        let nonce = stored.code.nonce.as_deref();
        Some(sign_id_token(
            provider,
            application,
            &member,
            &IdTokenClaims::for_family(&stored.family, &scope, nonce),
            &tokens.access,
        )?)
    } else {
        None
    };
    let event = request.token_issued(GrantType::AuthorizationCode, &member.subject);
    let outcome = provider
        .store
        .redeem_code(&stored.code.hash, records, provider.now(), event)
        .await?;
    if outcome != InsertOutcome::Inserted {
        return revoke_replayed(request, &stored.family).await;
    }
    tracing::info!(
        client_id = %application.client_id,
        subject = %member.subject.id,
        "signed in"
    );
    Ok(tokens.response(id_token.as_deref()))
}

async fn revoke_replayed(
    request: &GrantRequest<'_>,
    family: &Family,
) -> Result<JsonObjectWriter, OAuthError> {
    let GrantRequest {
        provider,
        application,
        ..
    } = *request;
    tracing::warn!(
        client_id = %application.client_id,
        "a code was presented twice: what it produced is revoked"
    );
    let event = provider
        .event_about(AuditEventKind::CodeReplayed, &family.subject)
        .await?
        .client(&application.client_id)
        .address(request.address);
    provider
        .store
        .revoke_family(family.id, event.at, &event)
        .await?;
    Err(invalid_grant(application, "code used before"))
}
