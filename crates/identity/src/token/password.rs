//! The password grant, for accounts of the application's own organization (RFC 6749, 4.3; contract, part 5; decision 0007).

use invoicing_contract::ready::ApplicationKind;

use super::minted_tokens::MintedTokens;
use super::{GrantRequest, invalid_grant, missing};
use crate::id_token::{IdTokenClaims, sign_id_token};
use crate::json_object::JsonObjectWriter;
use crate::lifetimes::REFRESH_TOKEN_ABSOLUTE_LIFETIME;
use crate::oauth::{ErrorCode, OAuthError};
use crate::password::{AttemptOrigin, PasswordCheck, PasswordCredentials};
use crate::password_hashing::RETRY_SECONDS;
use crate::provider::Provider;
use crate::scope::Scope;
use invoicing_storage::applications::GrantType;
use invoicing_storage::audit;
use invoicing_storage::secret::time_ordered_id;
use invoicing_storage::subjects::Member;
use invoicing_storage::tokens::{Family, PendingStep};

/// Checks username and password and issues tokens. The tokens are restricted to one organization: the one that the scope
/// selects, otherwise the home organization. Access to several organizations needs an interactive sign-in.
pub(super) async fn grant(request: &GrantRequest<'_>) -> Result<JsonObjectWriter, OAuthError> {
    let GrantRequest {
        provider,
        application,
        form,
        ref requested_scope,
        address,
        ..
    } = *request;
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
    let scope = requested_scope.clone().unwrap_or_default();
    if scope.organizations(&provider.names).count() > 1 {
        return Err(OAuthError::new(
            ErrorCode::InvalidScope,
            "more than one organization is selected",
        ));
    }

    let credentials = PasswordCredentials {
        username,
        password,
        tenant: Some(tenant),
        client_id: &application.client_id,
        address,
        origin: AttemptOrigin::Application,
    };
    let subject = match credentials.check(provider).await? {
        PasswordCheck::Valid(subject) => subject,
        PasswordCheck::Invalid => {
            return Err(OAuthError::new(
                ErrorCode::InvalidGrant,
                "the username and password do not belong together",
            ));
        }
        PasswordCheck::Throttled(delay) => {
            return Err(OAuthError::too_many_requests(delay.seconds));
        }
        PasswordCheck::Busy => return Err(OAuthError::too_many_requests(RETRY_SECONDS)),
    };
    if PendingStep::due(&subject).is_some() {
        // A pending step needs a page. The error does not disclose which step it is.
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
    let scope = scope.restrict_to_served_organization(application, &provider.names)?;
    let scope = restrict_to_organization(provider, &member, scope)?;

    let now = provider.now();
    let family = Family {
        id: time_ordered_id(now, &*provider.rng),
        client_id: application.client_id.clone(),
        subject: subject.id.clone(),
        session_id: None,
        scope: scope.to_wire(),
        // Of the password that was verified, and not of the member that was read again.
        epoch: subject.epoch,
        authenticated_at: now,
        expires_at: now.plus(REFRESH_TOKEN_ABSOLUTE_LIFETIME),
    };
    let (tokens, records) = MintedTokens::for_family(provider, &family, &scope, &scope);
    let id_token = if scope.contains("openid") {
        Some(sign_id_token(
            provider,
            application,
            &member,
            &IdTokenClaims::for_family(&family, &scope, None),
            &tokens.access,
        )?)
    } else {
        None
    };
    provider
        .store
        .insert_authorization_with_tokens(
            family,
            records,
            vec![
                request.event(audit::AuditEventKind::SignedIn, &subject),
                request.token_issued(GrantType::Password, &subject),
            ],
        )
        .await?;
    Ok(tokens.response(id_token.as_deref()))
}

/// Restricts `scope` to one organization, of which the subject must be a member.
fn restrict_to_organization(
    provider: &Provider,
    member: &Member,
    scope: Scope,
) -> Result<Scope, OAuthError> {
    let Some(organization) = scope.organization(&provider.names) else {
        let home = provider
            .names
            .organization_scope(member.subject.home_organization.as_str());
        return Ok(scope.with(&home));
    };
    if is_member(member, organization) {
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
