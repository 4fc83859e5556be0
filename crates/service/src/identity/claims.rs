//! The claims about a subject that id_token, userinfo and introspection share.

use serde_json::{Map, Value, json};

use super::Provider;
use super::scope::Scope;
use crate::storage::StorageError;
use crate::storage::subjects::Subject;

/// Id, name and domain of the home organization (contract, part 2).
pub(super) async fn home_organization(
    provider: &Provider,
    subject: &Subject,
) -> Result<Map<String, Value>, StorageError> {
    let mut claims = Map::new();
    claims.insert(
        provider.names.home_organization_id(),
        json!(subject.home_organization),
    );
    if let Some(organization) = provider
        .store
        .organization(&subject.home_organization)
        .await?
    {
        claims.insert(
            provider.names.home_organization_name(),
            json!(organization.name),
        );
        claims.insert(
            provider.names.home_organization_domain(),
            json!(organization.domain),
        );
    }
    Ok(claims)
}

/// Role key -> { organization id: organization domain } (contract, part 2); of one organization only, if the scope is
/// confined to it.
pub(super) async fn roles(
    provider: &Provider,
    subject: &Subject,
    scope: &Scope,
) -> Result<Map<String, Value>, StorageError> {
    let mut roles: Map<String, Value> = Map::new();
    let confined_to = scope.confined_to(&provider.names);
    for grant in provider.store.grants(&subject.id).await? {
        if confined_to
            .as_ref()
            .is_some_and(|organization| *organization != grant.organization)
        {
            continue;
        }
        let organizations = roles.entry(grant.role).or_insert_with(|| json!({}));
        organizations[grant.organization] = json!(grant.domain);
    }
    Ok(Map::from_iter([(
        provider.names.roles(),
        Value::Object(roles),
    )]))
}

/// What the scopes `profile` and `email` stand for (OpenID Connect Core, 5.4).
pub(super) fn profile(subject: &Subject, scope: &Scope) -> Map<String, Value> {
    let mut claims = Map::new();
    if scope.contains("profile") {
        claims.insert("name".to_owned(), json!(subject.name));
        claims.insert("preferred_username".to_owned(), json!(subject.username));
    }
    if scope.contains("email")
        && let Some(email) = &subject.email
    {
        claims.insert("email".to_owned(), json!(email));
        claims.insert("email_verified".to_owned(), json!(true));
    }
    claims
}
