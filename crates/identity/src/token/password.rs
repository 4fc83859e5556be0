//! The password grant: a person of the application's own tenant, through an application that was given it (RFC 6749, 4.3;
//! contract, part 5; decision 0007).

use invoicing_contract::ready::ApplicationKind;

use super::id_token::IdTokenClaims;
use super::minted_tokens::{MintedTokens, REFRESH_ABSOLUTE_MS};
use super::{GrantRequest, id_token, invalid_grant, missing};
use crate::Provider;
use crate::credentials::{Credentials, PasswordCheck};
use crate::json_object::JsonObjectWriter;
use crate::oauth_error::{ErrorCode, OAuthError};
use crate::scope::Scope;
use crate::throttle::SignInAttempt;
use invoicing_storage::applications::GrantType;
use invoicing_storage::audit;
use invoicing_storage::secret::time_ordered_id;
use invoicing_storage::subjects::Member;
use invoicing_storage::tokens::{Family, PendingStep};

/// Tokens for whoever the name and the password belong to. They are confined to one organization: the one that the scope
/// selects, else the person's home. Acting for others takes an interactive sign-in.
pub(super) async fn grant(call: &GrantRequest<'_>) -> Result<JsonObjectWriter, OAuthError> {
    let GrantRequest {
        provider,
        application,
        form,
        ref requested,
        address,
        ..
    } = *call;
    let unauthorized =
        |description| Err(OAuthError::new(ErrorCode::UnauthorizedClient, description));
    if application.kind == ApplicationKind::Public {
        return unauthorized("a public application must use authorization_code with PKCE");
    }
    let Some(tenant) = application.organization.as_ref() else {
        return unauthorized("this application belongs to no tenant");
    };
    let username = form
        .get("username")
        .ok_or(missing("username is missing"))?
        .trim();
    let password = form.get("password").ok_or(missing("password is missing"))?;
    let scope = requested.clone().unwrap_or_default();
    if scope.organizations(&provider.names).count() > 1 {
        return Err(OAuthError::new(
            ErrorCode::InvalidScope,
            "more than one organization is selected",
        ));
    }

    let credentials = Credentials {
        username,
        password,
        tenant: Some(tenant),
        client_id: &application.client_id,
        address,
    };
    let attempt = SignInAttempt::through_application(username, address);
    let subject = match credentials.check(provider, &attempt).await? {
        PasswordCheck::Valid(subject) => subject,
        PasswordCheck::Invalid => {
            return Err(OAuthError::new(
                ErrorCode::InvalidGrant,
                "the username and password do not belong together",
            ));
        }
        PasswordCheck::Throttled(wait) => return Err(OAuthError::too_many_requests(wait.seconds)),
        PasswordCheck::Busy => return Err(OAuthError::too_many_requests(1)),
    };
    if PendingStep::due(&subject).is_some() {
        // What is due takes a page. The application's own text must not tell more than that.
        return Err(OAuthError::new(
            ErrorCode::InvalidGrant,
            "the person must sign in with a browser first",
        ));
    }
    // Read again: verifying the password takes long enough for the account to be disabled meanwhile.
    let basis = provider.store.basis().await?;
    let Some(member) = provider.store.member(&subject.id, basis).await? else {
        return Err(invalid_grant(
            application,
            "the account was disabled just now",
        ));
    };
    let scope = confined(provider, &member, scope)?;
    let scope = if application.may_use(GrantType::RefreshToken) {
        scope
    } else {
        scope.without("offline_access")
    };

    let now = provider.now_ms();
    let family = Family {
        id: time_ordered_id(now, &*provider.world.randomness),
        client_id: application.client_id.clone(),
        subject: subject.id.clone(),
        session_id: None,
        scope: scope.joined(),
        authenticated_at: now,
        expires_at: now + REFRESH_ABSOLUTE_MS,
    };
    let (made, kept) = MintedTokens::of_family(provider, &family, &scope);
    let id_token = if scope.contains("openid") {
        Some(id_token::sign(
            provider,
            application,
            &member,
            &IdTokenClaims::of(&family, &scope, None),
            &made.access,
        )?)
    } else {
        None
    };
    provider
        .store
        .insert_authorization_with_tokens(
            family,
            kept,
            vec![
                call.entry(audit::Kind::SignedIn, &subject),
                call.issued(GrantType::Password, &subject),
            ],
        )
        .await?;
    Ok(made.response(id_token.as_deref()))
}

/// For one organization only, of which the person is a member.
fn confined(provider: &Provider, member: &Member, scope: Scope) -> Result<Scope, OAuthError> {
    let Some(selected) = scope.confined_to(&provider.names) else {
        let home = provider
            .names
            .organization_scope(member.subject.home_organization.as_str());
        return Ok(scope.with(&home));
    };
    if is_member(member, selected) {
        return Ok(scope);
    }
    Err(OAuthError::new(
        ErrorCode::InvalidScope,
        "the person is not a member of the selected organization",
    ))
}

fn is_member(member: &Member, organization: &str) -> bool {
    let mut organizations = member.grants.iter().map(|grant| &grant.organization);
    member.subject.home_organization == organization || organizations.any(|id| id == organization)
}
