//! The client_credentials grant: a machine user acts for itself (RFC 6749, 4.4).

use super::issue::ACCESS_SECONDS;
use super::{Call, TokenResponse, granted, invalid_grant};
use crate::identity::oauth_error::{ErrorCode, OAuthError};
use crate::identity::secret::Secret;
use crate::storage::applications::GrantType;
use crate::storage::tokens::AccessToken;

/// An access token and nothing else. Without the home-organization scope it carries no organization, and without the
/// audience scope the gateway refuses it (contract, part 5).
pub(super) async fn grant(call: &Call<'_>) -> Result<TokenResponse, OAuthError> {
    let Call {
        provider,
        application,
        form,
        ..
    } = *call;
    let Some(subject) = &application.subject else {
        return Err(OAuthError::new(
            ErrorCode::UnauthorizedClient,
            "this application acts for no machine user",
        ));
    };
    let Some(subject) = provider.store.subject(subject).await? else {
        return Err(invalid_grant(application, "the machine user is disabled"));
    };
    let requested = form.get("scope").unwrap_or_default();
    // Nobody signs in here, so there is nobody to describe and nothing to renew.
    let scope = granted(provider, application, requested)?
        .without("openid")
        .without("offline_access")
        .unconfined(&provider.names);
    let scope = if application.includes_audience {
        scope.with(&provider.names.audience_scope(provider.audience_id()))
    } else {
        scope
    };
    let now = provider.now_ms();
    let access = Secret::dated(now, &*provider.world.randomness);
    let kept = AccessToken {
        hash: access.hash(),
        family: None,
        client_id: application.client_id.clone(),
        subject: subject.id.clone(),
        audiences: scope.audiences(&provider.names),
        carries_home: scope.contains(provider.names.home_organization_scope()),
        scope: scope.joined(),
        actor: None,
        issued_at: now,
        expires_at: now + ACCESS_SECONDS * 1000,
    };
    let issued = call.issued(GrantType::ClientCredentials, &subject);
    provider.store.issue(&kept, &issued).await?;
    Ok(TokenResponse {
        access_token: access.expose().to_owned(),
        token_type: "Bearer",
        expires_in: ACCESS_SECONDS,
        refresh_token: None,
        id_token: None,
        scope: kept.scope,
    })
}
