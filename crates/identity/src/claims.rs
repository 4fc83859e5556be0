//! The claims about a subject in id_token, userinfo and introspection.

use serde::{Serialize, Serializer};

use crate::json_object::JsonObjectWriter;
use crate::provider::Provider;
use crate::scope::Scope;
use invoicing_storage::subjects::{Grant, Member, MemberClaims};

impl JsonObjectWriter {
    /// Adds the `act` claim of an impersonation (contract, part 2).
    pub(crate) fn actor(self, administrator: Option<&str>) -> Self {
        #[derive(Serialize)]
        struct Act<'a> {
            sub: &'a str,
        }
        self.with_some("act", administrator.map(|sub| Act { sub }))
    }

    /// Adds the claims of the scopes `profile` and `email`, if granted (OpenID Connect Core, 5.4).
    pub(crate) fn profile(self, provider: &Provider, member: &Member, scope: &Scope) -> Self {
        let mut claims = self;
        if scope.contains("profile") {
            claims = claims.with_members(&member_claims(provider, member).profile);
        }
        if scope.contains("email") {
            claims = claims.with_members(&member_claims(provider, member).email);
        }
        claims
    }

    /// Adds the roles that `scope` permits and, if `includes_home`, the home organization (contract, part 2).
    pub(crate) fn roles_and_home(
        self,
        provider: &Provider,
        member: &Member,
        scope: &Scope,
        includes_home: bool,
    ) -> Self {
        let mut claims = self;
        if includes_home {
            claims = claims.with_members(&member_claims(provider, member).home);
        }
        let restricted_to = scope.organization(&provider.names);
        if restricted_to.is_none() {
            return claims.with_members(&member_claims(provider, member).roles);
        }
        let grants = &member.grants;
        let roles = Roles {
            grants,
            restricted_to,
        };
        claims.with(provider.names.roles(), roles)
    }
}

/// JSON fragments of the claims about `member`, computed on first use.
fn member_claims<'a>(provider: &Provider, member: &'a Member) -> &'a MemberClaims {
    member.claims.get_or_init(|| {
        let Member {
            subject,
            home,
            grants,
            ..
        } = member;
        let names = &provider.names;
        let email = subject.email.as_deref();
        let organization = home.as_ref();
        MemberClaims {
            profile: JsonObjectWriter::new()
                .with("name", &subject.name)
                .with("preferred_username", &subject.username)
                .into_members(),
            email: JsonObjectWriter::new()
                .with_some("email", email)
                .with_some("email_verified", email.map(|_| subject.email_verified))
                .into_members(),
            home: JsonObjectWriter::new()
                .with(names.home_organization_id(), &subject.home_organization)
                .with_some(
                    names.home_organization_name(),
                    organization.map(|home| &home.name),
                )
                .with_some(
                    names.home_organization_domain(),
                    organization.map(|home| &home.domain),
                )
                .into_members(),
            roles: JsonObjectWriter::new()
                .with(
                    names.roles(),
                    Roles {
                        grants,
                        restricted_to: None,
                    },
                )
                .into_members(),
        }
    })
}

/// Role key -> { organization id: organization domain } (contract, part 2), optionally for one organization only.
struct Roles<'a> {
    /// Sorted by role.
    grants: &'a [Grant],
    restricted_to: Option<&'a str>,
}

impl Serialize for Roles<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let grants_by_role = self.grants.chunk_by(|grant, next| grant.role == next.role);
        serializer.collect_map(grants_by_role.filter_map(|grants| {
            let restricted_to = self.restricted_to;
            let domains = Domains {
                grants,
                restricted_to,
            };
            let (role, _) = (&grants.first()?.role, domains.iter().next()?);
            Some((role, domains))
        }))
    }
}

/// Organization id -> organization domain, for one role.
struct Domains<'a> {
    grants: &'a [Grant],
    restricted_to: Option<&'a str>,
}

impl Domains<'_> {
    fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        let is_permitted = |grant: &&Grant| {
            self.restricted_to
                .is_none_or(|organization| grant.organization == organization)
        };
        self.grants
            .iter()
            .filter(is_permitted)
            .map(|grant| (grant.organization.as_str(), &*grant.domain))
    }
}

impl Serialize for Domains<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}
