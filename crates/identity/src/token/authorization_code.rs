//! The authorization_code grant with PKCE (RFC 6749, 4.1.3; RFC 7636).

use super::id_token::IdTokenClaims;
use super::minted_tokens::MintedTokens;
use super::{GrantRequest, PresentedGrant, id_token, invalid_grant, missing};
use crate::json_object::JsonObjectWriter;
use crate::oauth_error::OAuthError;
use crate::pkce;
use crate::scope::Scope;
use invoicing_storage::applications::GrantType;
use invoicing_storage::audit::{self, Entry};
use invoicing_storage::tokens::{Family, InsertOutcome};

/// Exchanges a code for tokens. A code that was redeemed before revokes what it produced.
pub(super) async fn exchange(call: &GrantRequest<'_>) -> Result<JsonObjectWriter, OAuthError> {
    let GrantRequest {
        provider,
        application,
        form,
        ..
    } = *call;
    form.get("code").ok_or(missing("code is missing"))?;
    let redirect_uri = form
        .get("redirect_uri")
        .ok_or(missing("redirect_uri is missing"))?;
    let verifier = form.get("code_verifier");
    let refused = |reason| Err(invalid_grant(application, reason));

    let PresentedGrant::Code(found) = &call.presented else {
        return refused("unknown code");
    };
    if found.family.client_id != application.client_id {
        return refused("code of another application");
    }
    if found.used {
        return replayed(call, &found.family).await;
    }
    if found.code.expires_at <= provider.now_ms() {
        return refused("expired code");
    }
    if found.code.redirect_uri != redirect_uri {
        return refused("another redirect_uri");
    }
    match (&found.code.code_challenge, verifier) {
        (Some(challenge), Some(verifier)) if pkce::verifies(verifier, challenge) => {}
        (Some(_), Some(_)) => return refused("wrong code_verifier"),
        (Some(_), None) => return refused("no code_verifier for a challenge"),
        // Taking it would let an attacker drop the challenge from the authorization request (RFC 9700, 2.1.1).
        (None, Some(_)) => return refused("a code_verifier without a challenge"),
        (None, None) => {}
    }
    let member = provider.store.member(&found.family.subject, call.basis);
    let Some(member) = member.await? else {
        return refused("the account is disabled");
    };
    if found.family.authenticated_at < member.subject.valid_from {
        return refused("the account's earlier sign-ins were ended");
    }

    let scope = Scope::stored(&found.family.scope);
    let (made, kept) = MintedTokens::of_family(provider, &found.family, &scope);
    let id_token = if scope.contains("openid") {
        let nonce = found.code.nonce.as_deref();
        Some(id_token::sign(
            provider,
            application,
            &member,
            &IdTokenClaims::of(&found.family, &scope, nonce),
            &made.access,
        )?)
    } else {
        None
    };
    let issued = call.issued(GrantType::AuthorizationCode, &member.subject);
    let outcome = provider
        .store
        .redeem_code(&found.code.hash, kept, provider.now_ms(), issued)
        .await?;
    if outcome != InsertOutcome::Inserted {
        return replayed(call, &found.family).await;
    }
    tracing::info!(
        client_id = %application.client_id,
        subject = %member.subject.id,
        "signed in"
    );
    Ok(made.response(id_token.as_deref()))
}

async fn replayed(
    call: &GrantRequest<'_>,
    family: &Family,
) -> Result<JsonObjectWriter, OAuthError> {
    let GrantRequest {
        provider,
        application,
        ..
    } = *call;
    tracing::warn!(
        client_id = %application.client_id,
        "a code was presented twice: what it produced is revoked"
    );
    let now = provider.now_ms();
    let entry = Entry::new(now, audit::Kind::CodeReplayed)
        .about(&family.subject)
        .through(&application.client_id)
        .from(call.address);
    provider.store.revoke_family(family.id, now, &entry).await?;
    Err(invalid_grant(application, "code used before"))
}
