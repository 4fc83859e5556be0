//! Scopes: what a caller asks for and what it is given.

use std::sync::Arc;

use invoicing_contract::{ClientId, Names};

use invoicing_storage::applications::{Application, ScopeKind};
use invoicing_storage::tokens::TokenAuthorization;

/// Granted scopes, in the order asked for, without repeats, separated by spaces: as on the wire and in storage.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Scope(String);

/// A project-audience id that belongs to another environment (contract, part 1, rule 2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ForeignAudience;

impl Scope {
    /// What is known of `requested`; unknown scopes are left out (RFC 6749, 3.3).
    pub(crate) fn requested(
        requested: &str,
        names: &Names,
        audience_id: &str,
    ) -> Result<Self, ForeignAudience> {
        let mut known = Self::default();
        for scope in requested.split_ascii_whitespace() {
            if names
                .audience_of_scope(scope)
                .is_some_and(|audience| audience != audience_id)
            {
                return Err(ForeignAudience);
            }
            if kind(scope, names).is_some() {
                known = known.with(scope);
            }
        }
        Ok(known)
    }

    /// Only what `application` may ask for.
    pub(crate) fn allowed_to(self, application: &Application, names: &Names) -> Self {
        self.only(|scope| kind(scope, names).is_some_and(|kind| application.scopes.contains(&kind)))
    }

    /// From the stored form, which was granted before.
    pub(crate) fn stored(scope: &str) -> Self {
        Self(scope.to_owned())
    }

    /// Whether `scope` was granted.
    pub(crate) fn contains(&self, scope: &str) -> bool {
        self.each().any(|granted| granted == scope)
    }

    /// The same with `scope`.
    pub(crate) fn with(mut self, scope: &str) -> Self {
        if !self.contains(scope) {
            if !self.0.is_empty() {
                self.0.push(' ');
            }
            self.0.push_str(scope);
        }
        self
    }

    /// The same without `scope`.
    pub(crate) fn without(self, scope: &str) -> Self {
        self.only(|granted| granted != scope)
    }

    /// Whether everything in `self` is in `other`.
    pub(crate) fn within(&self, other: &Self) -> bool {
        self.each().all(|scope| other.contains(scope))
    }

    /// Project-audience ids among the scopes.
    pub(crate) fn audiences(&self, names: &Names) -> Vec<String> {
        self.each()
            .filter_map(|scope| names.audience_of_scope(scope))
            .map(str::to_owned)
            .collect()
    }

    /// Organization ids among the scopes. A token that was given has one at most, and is confined to it.
    pub(crate) fn organizations<'scope>(
        &'scope self,
        names: &'scope Names,
    ) -> impl Iterator<Item = &'scope str> {
        self.each()
            .filter_map(|scope| names.organization_of_scope(scope))
    }

    /// The one organization that a token with these scopes is for, if it is for one only.
    pub(crate) fn confined_to<'scope>(&'scope self, names: &'scope Names) -> Option<&'scope str> {
        self.organizations(names).next()
    }

    /// The same, for no particular organization.
    pub(crate) fn unconfined(self, names: &Names) -> Self {
        self.only(|scope| names.organization_of_scope(scope).is_none())
    }

    /// How far a token with these scopes reaches that is given to `client_id`.
    pub(crate) fn authorization(
        &self,
        client_id: &ClientId,
        carries_home: bool,
        names: &Names,
    ) -> Arc<TokenAuthorization> {
        Arc::new(TokenAuthorization {
            client_id: client_id.clone(),
            scope: self.joined(),
            audiences: self.audiences(names),
            carries_home,
        })
    }

    /// Separated by spaces: for the wire and for storage.
    pub(crate) fn joined(&self) -> String {
        self.0.clone()
    }

    fn each(&self) -> impl Iterator<Item = &str> {
        self.0.split_ascii_whitespace()
    }

    fn only(self, keep: impl Fn(&str) -> bool) -> Self {
        if self.each().all(&keep) {
            return self;
        }
        let kept = self.each().filter(|scope| keep(scope));
        kept.fold(Self::default(), Self::with)
    }
}

/// What a scope is about; `None` when it is not known.
fn kind(scope: &str, names: &Names) -> Option<ScopeKind> {
    Some(match scope {
        "openid" => ScopeKind::OpenId,
        "profile" => ScopeKind::Profile,
        "email" => ScopeKind::Email,
        "offline_access" => ScopeKind::OfflineAccess,
        _ if names.audience_of_scope(scope).is_some() => ScopeKind::Audience,
        _ if names.organization_of_scope(scope).is_some() => ScopeKind::Organization,
        _ if scope == names.home_organization_scope() => ScopeKind::ResourceOwner,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_scopes_are_taken_once_and_unknown_ones_left_out() {
        let names = Names::default();
        let audience = names.audience_scope("7");
        let scope =
            Scope::requested(&format!("openid  colour {audience} openid"), &names, "7").unwrap();
        assert_eq!(scope.joined(), format!("openid {audience}"));
        assert_eq!(scope.audiences(&names), ["7"]);
    }

    #[test]
    fn the_audience_of_another_environment_is_refused() {
        let names = Names::default();
        assert_eq!(
            Scope::requested(&names.audience_scope("8"), &names, "7"),
            Err(ForeignAudience)
        );
    }

    #[test]
    fn a_scope_may_name_an_organization_and_be_taken_off_it() {
        let names = Names::default();
        let scope = Scope::stored("openid").with(&names.organization_scope("274"));
        assert_eq!(scope.confined_to(&names), Some("274"));
        assert_eq!(scope.unconfined(&names), Scope::stored("openid"));
    }
}
