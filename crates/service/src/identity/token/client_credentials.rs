//! The client_credentials grant: a machine user acts for itself (RFC 6749, 4.4).

use super::issue::Made;
use super::{Call, TokenResponse, invalid_grant};
use crate::identity::oauth_error::{ErrorCode, OAuthError};
use crate::storage::applications::GrantType;

/// An access token and nothing else. Without the home-organization scope it carries no organization, and without the
/// audience scope the gateway refuses it (contract, part 5).
pub(super) async fn grant(call: &Call<'_>) -> Result<TokenResponse, OAuthError> {
    let Call {
        provider,
        application,
        ref requested,
        ..
    } = *call;
    let Some(subject) = &application.subject else {
        return Err(OAuthError::new(
            ErrorCode::UnauthorizedClient,
            "this application acts for no machine user",
        ));
    };
    let Some(member) = provider.store.member(subject).await? else {
        return Err(invalid_grant(application, "the machine user is disabled"));
    };
    // Nobody signs in here, so there is nobody to describe and nothing to renew.
    let scope = requested
        .clone()
        .unwrap_or_default()
        .without("openid")
        .without("offline_access")
        .unconfined(&provider.names);
    let scope = if application.includes_audience {
        scope.with(&provider.names.audience_scope(provider.audience_id()))
    } else {
        scope
    };
    let (made, kept) = Made::of_machine(provider, application, &member.subject, &scope);
    let issued = call.issued(GrantType::ClientCredentials, &member.subject);
    provider.store.issue(kept, issued).await?;
    Ok(made.response(None))
}
