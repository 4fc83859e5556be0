//! The claims that id_token, userinfo and introspection consist of, and those about a subject that they share.

use axum::response::{IntoResponse, Response};
use http::{HeaderValue, header};
use serde::{Serialize, Serializer};

use super::Provider;
use super::scope::Scope;
use crate::storage::subjects::{Grant, Member, Told};

/// Claims one after the other, as the JSON object that is sent or signed.
///
/// Most of it is the same with every token of a member: that is written once, and copied.
pub(super) struct Claims(Vec<u8>);

impl Claims {
    /// None yet.
    pub(super) fn new() -> Self {
        // Room for most; those with many roles take more.
        Self(Vec::with_capacity(1024))
    }

    /// And this one.
    pub(super) fn with(mut self, name: &str, value: impl Serialize) -> Self {
        self.next();
        write(&mut self.0, name);
        self.0.push(b':');
        write(&mut self.0, &value);
        self
    }

    /// And this one, if there is a value.
    pub(super) fn with_some(self, name: &str, value: Option<impl Serialize>) -> Self {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }

    /// And who acts, if somebody else does: an administrator (contract, part 2).
    pub(super) fn acted_by(self, administrator: Option<&str>) -> Self {
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
            claims = claims.and(&told(provider, member).profile);
        }
        if scope.contains("email") {
            claims = claims.and(&told(provider, member).email);
        }
        claims
    }

    /// And the roles of `member`, as far as `scope` reaches; with its home organization (id, name, domain) if `home` is told
    /// (contract, part 2).
    pub(super) fn standing(
        self,
        provider: &Provider,
        member: &Member,
        scope: &Scope,
        home: bool,
    ) -> Self {
        let mut claims = self;
        if home {
            claims = claims.and(&told(provider, member).home);
        }
        let confined_to = scope.confined_to(&provider.names);
        if confined_to.is_none() {
            return claims.and(&told(provider, member).roles);
        }
        let grants = &member.grants;
        let roles = Roles {
            grants,
            confined_to,
        };
        claims.with(provider.names.roles(), roles)
    }

    /// The object.
    pub(super) fn finished(mut self) -> Vec<u8> {
        if self.0.is_empty() {
            self.0.push(b'{');
        }
        self.0.push(b'}');
        self.0
    }

    /// And those that were written before.
    fn and(mut self, written: &str) -> Self {
        if !written.is_empty() {
            self.next();
            self.0.extend_from_slice(written.as_bytes());
        }
        self
    }

    fn next(&mut self) {
        self.0.push(if self.0.is_empty() { b'{' } else { b',' });
    }

    /// Without braces, to be copied.
    fn written(self) -> String {
        let claims = String::from_utf8(self.0).expect("JSON is UTF-8");
        claims.strip_prefix('{').unwrap_or_default().to_owned()
    }
}

impl IntoResponse for Claims {
    fn into_response(self) -> Response {
        const JSON: HeaderValue = HeaderValue::from_static("application/json");
        ([(header::CONTENT_TYPE, JSON)], self.finished()).into_response()
    }
}

fn write(into: &mut Vec<u8>, value: &(impl Serialize + ?Sized)) {
    serde_json::to_writer(into, value)
        .expect("claims are texts, numbers, and lists and maps of texts");
}

/// What is told of `member` with its tokens, written the first time.
fn told<'a>(provider: &Provider, member: &'a Member) -> &'a Told {
    member.told.get_or_init(|| {
        let Member {
            subject,
            home,
            grants,
            ..
        } = member;
        let names = &provider.names;
        let email = subject.email.as_deref();
        let organization = home.as_ref();
        Told {
            profile: Claims::new()
                .with("name", &subject.name)
                .with("preferred_username", &subject.username)
                .written(),
            email: Claims::new()
                .with_some("email", email)
                .with_some("email_verified", email.map(|_| true))
                .written(),
            home: Claims::new()
                .with(names.home_organization_id(), &subject.home_organization)
                .with_some(
                    names.home_organization_name(),
                    organization.map(|home| &home.name),
                )
                .with_some(
                    names.home_organization_domain(),
                    organization.map(|home| &home.domain),
                )
                .written(),
            roles: Claims::new()
                .with(
                    names.roles(),
                    Roles {
                        grants,
                        confined_to: None,
                    },
                )
                .written(),
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

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn read(claims: Claims) -> Value {
        serde_json::from_slice(&claims.finished()).unwrap()
    }

    #[test]
    fn claims_are_one_object_however_many_there_are() {
        assert_eq!(read(Claims::new()), json!({}));
        assert_eq!(read(Claims::new().and("")), json!({}));
        let none: Option<&str> = None;
        assert_eq!(read(Claims::new().with_some("none", none)), json!({}));
        let some = Claims::new()
            .with("\"quoted\"", "نورة \u{0}\n\"}")
            .and(&Claims::new().written())
            .and(&Claims::new().with("a", 1).with("b", ["x"]).written())
            .acted_by(Some("an administrator"));
        assert_eq!(
            read(some),
            json!({"\"quoted\"": "نورة \u{0}\n\"}", "a": 1, "b": ["x"], "act": {"sub": "an administrator"}})
        );
    }
}
