//! The claims about a subject that id_token, userinfo and introspection share.

use serde::{Serialize, Serializer};

use super::Provider;
use super::json_object::JsonObjectWriter;
use super::scope::Scope;
use invoicing_storage::subjects::{Grant, Member, MemberClaims};

/// Claims.
impl JsonObjectWriter {
    /// And who acts, if somebody else does: an administrator (contract, part 2).
    pub(super) fn actor(self, administrator: Option<&str>) -> Self {
        #[derive(Serialize)]
        struct Act<'a> {
            sub: &'a str,
        }
        self.with_some("act", administrator.map(|sub| Act { sub }))
    }

    /// And what the scopes `profile` and `email` stand for (OpenID Connect Core, 5.4), as far as `scope` reaches.
    pub(super) fn profile(self, provider: &Provider, member: &Member, scope: &Scope) -> Self {
        let mut claims = self;
        if scope.contains("profile") {
            claims = claims.with_members(&member_claims(provider, member).profile);
        }
        if scope.contains("email") {
            claims = claims.with_members(&member_claims(provider, member).email);
        }
        claims
    }

    /// And the roles of `member`, as far as `scope` reaches; with its home organization (id, name, domain) if `home` is told
    /// (contract, part 2).
    pub(super) fn roles_and_home(
        self,
        provider: &Provider,
        member: &Member,
        scope: &Scope,
        home: bool,
    ) -> Self {
        let mut claims = self;
        if home {
            claims = claims.with_members(&member_claims(provider, member).home);
        }
        let confined_to = scope.confined_to(&provider.names);
        if confined_to.is_none() {
            return claims.with_members(&member_claims(provider, member).roles);
        }
        let grants = &member.grants;
        let roles = Roles {
            grants,
            confined_to,
        };
        claims.with(provider.names.roles(), roles)
    }
}

/// What is told of `member` with its tokens, written the first time.
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
                .with_some("email_verified", email.map(|_| true))
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
                        confined_to: None,
                    },
                )
                .into_members(),
        }
    })
}

/// Role key -> { organization id: organization domain } (contract, part 2); of one organization only, if the scope is
/// confined to it.
struct Roles<'a> {
    /// Those of a role follow each other.
    grants: &'a [Grant],
    confined_to: Option<&'a str>,
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
                .is_none_or(|organization| grant.organization == organization)
        };
        let reached = self.grants.iter().filter(reached);
        reached.map(|grant| (grant.organization.as_str(), &*grant.domain))
    }
}

impl Serialize for Domains<'_> {
    fn serialize<Into: Serializer>(&self, into: Into) -> Result<Into::Ok, Into::Error> {
        into.collect_map(self.each())
    }
}
