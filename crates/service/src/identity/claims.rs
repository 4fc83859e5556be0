//! The claims about a subject that id_token, userinfo and introspection share.

use std::sync::Arc;

use invoicing_contract::Names;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::Provider;
use super::scope::Scope;
use crate::storage::StorageError;
use crate::storage::directory::Organization;
use crate::storage::subjects::{Grant, Subject};

/// Home organization and roles of a subject.
pub(super) struct Standing<'a> {
    names: &'a Names,
    subject: &'a Subject,
    /// Id, name and domain (contract, part 2), if they are told.
    home: Option<Home>,
    roles: Roles<'a>,
}

/// The home organization; `None` when it is gone, and only its id is left.
type Home = Option<Arc<Organization>>;

/// Role key -> { organization id: organization domain } (contract, part 2); of one organization only, if the scope is
/// confined to it.
struct Roles<'a> {
    /// Those of a role follow each other.
    grants: Arc<[Grant]>,
    confined_to: Option<&'a str>,
}

/// What the scopes `profile` and `email` stand for (OpenID Connect Core, 5.4).
#[derive(Serialize)]
pub(super) struct Profile<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    preferred_username: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    email: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    email_verified: Option<bool>,
}

/// Who acts (contract, part 2).
#[derive(Serialize)]
pub(super) struct Act<'a> {
    /// The administrator.
    pub(super) sub: &'a str,
}

impl<'a> Standing<'a> {
    /// That of `subject`, as far as `scope` reaches; with its home organization if `home` is told.
    pub(super) async fn of(
        provider: &'a Provider,
        subject: &'a Subject,
        scope: &'a Scope,
        home: bool,
    ) -> Result<Self, StorageError> {
        let home = match home {
            true => Some(
                provider
                    .store
                    .organization(&subject.home_organization)
                    .await?,
            ),
            false => None,
        };
        Ok(Self {
            names: &provider.names,
            subject,
            home,
            roles: Roles {
                grants: provider.store.grants(&subject.id).await?,
                confined_to: scope.confined_to(&provider.names),
            },
        })
    }
}

impl<'a> Profile<'a> {
    /// That of `subject`, as far as `scope` reaches.
    pub(super) fn of(subject: &'a Subject, scope: &Scope) -> Self {
        let profile = scope.contains("profile");
        let email = subject.email.as_deref().filter(|_| scope.contains("email"));
        Self {
            name: profile.then_some(&*subject.name),
            preferred_username: profile.then_some(&*subject.username),
            email,
            email_verified: email.map(|_| true),
        }
    }
}

impl Serialize for Standing<'_> {
    fn serialize<Into: Serializer>(&self, into: Into) -> Result<Into::Ok, Into::Error> {
        let mut claims = into.serialize_map(None)?;
        if let Some(home) = &self.home {
            let id = &self.subject.home_organization;
            claims.serialize_entry(self.names.home_organization_id(), id)?;
            if let Some(home) = home {
                claims.serialize_entry(self.names.home_organization_name(), &home.name)?;
                claims.serialize_entry(self.names.home_organization_domain(), &home.domain)?;
            }
        }
        claims.serialize_entry(self.names.roles(), &self.roles)?;
        claims.end()
    }
}

impl Serialize for Roles<'_> {
    fn serialize<Into: Serializer>(&self, into: Into) -> Result<Into::Ok, Into::Error> {
        let of_each = self.grants.chunk_by(|one, next| one.role == next.role);
        into.collect_map(of_each.filter_map(|grants| {
            let confined_to = self.confined_to;
            let domains = Domains {
                grants,
                confined_to,
            };
            let (role, _) = (&grants.first()?.role, domains.each().next()?);
            Some((role, domains))
        }))
    }
}

/// Organization id -> organization domain, of one role.
struct Domains<'a> {
    grants: &'a [Grant],
    confined_to: Option<&'a str>,
}

impl Domains<'_> {
    fn each(&self) -> impl Iterator<Item = (&str, &str)> {
        let reached = |grant: &&Grant| {
            self.confined_to
                .is_none_or(|organization| organization == grant.organization)
        };
        let reached = self.grants.iter().filter(reached);
        reached.map(|grant| (&*grant.organization, &*grant.domain))
    }
}

impl Serialize for Domains<'_> {
    fn serialize<Into: Serializer>(&self, into: Into) -> Result<Into::Ok, Into::Error> {
        into.collect_map(self.each())
    }
}
