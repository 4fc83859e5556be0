//! The claims about a subject that id_token, userinfo and introspection share.

use invoicing_contract::Names;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::Provider;
use super::scope::Scope;
use crate::storage::subjects::{Grant, Member, Subject};

/// Home organization and roles of a member.
pub(super) struct Standing<'a> {
    names: &'a Names,
    member: &'a Member,
    /// Whether the home organization is told: its id, name and domain (contract, part 2).
    home: bool,
    roles: Roles<'a>,
}

/// Role key -> { organization id: organization domain } (contract, part 2); of one organization only, if the scope is
/// confined to it.
struct Roles<'a> {
    /// Those of a role follow each other.
    grants: &'a [Grant],
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
    /// That of `member`, as far as `scope` reaches; with its home organization if `home` is told.
    pub(super) fn of(
        provider: &'a Provider,
        member: &'a Member,
        scope: &'a Scope,
        home: bool,
    ) -> Self {
        Self {
            names: &provider.names,
            member,
            home,
            roles: Roles {
                grants: &member.grants,
                confined_to: scope.confined_to(&provider.names),
            },
        }
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
        if self.home {
            let id = &self.member.subject.home_organization;
            claims.serialize_entry(self.names.home_organization_id(), id)?;
            if let Some(home) = &self.member.home {
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
