//! Requested and granted scopes.

use std::sync::Arc;

use invoicing_contract::{ClientId, Names};

use invoicing_storage::applications::{Application, GrantType, ScopeKind};
use invoicing_storage::tokens::{Family, TokenAuthorization};

/// A set of scopes as on the wire and in storage: in the order of the request, without repeats, separated by spaces.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Scope(String);

/// Why a requested scope is refused as a whole. Any other scope that cannot be granted is left out (decision 0008).
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ScopeError {
    /// A project audience belongs to another environment (contract, part 1, rule 2).
    #[error("the project audience belongs to another environment")]
    ForeignAudience,
    /// An organization is selected that the application may not select here.
    #[error("this application may not select that organization here")]
    Organization,
}

impl Scope {
    /// Parses a requested scope. Unknown scopes are ignored (RFC 6749, 3.3).
    pub(crate) fn parse_requested(
        requested: &str,
        names: &Names,
        audience_id: &str,
    ) -> Result<Self, ScopeError> {
        let mut recognized = Self::default();
        for scope in requested.split_ascii_whitespace() {
            if names
                .audience_of_scope(scope)
                .is_some_and(|audience| audience != audience_id)
            {
                return Err(ScopeError::ForeignAudience);
            }
            if scope_kind(scope, names).is_some() {
                recognized = recognized.with(scope);
            }
        }
        Ok(recognized)
    }

    /// The scopes that `application` may request.
    ///
    /// # Errors
    /// [`ScopeError::Organization`]: without that scope the token would be for another organization.
    pub(crate) fn restrict_to_application(
        self,
        application: &Application,
        names: &Names,
    ) -> Result<Self, ScopeError> {
        let this = if application.scopes.contains(&ScopeKind::Organization) {
            self
        } else {
            self.require_no_organization(names)?
        };
        Ok(this.without_withdrawn(application, names))
    }

    /// What `application` may have now of the scope that was authorized. The family keeps its whole scope: a scope that the
    /// application gets back is granted again.
    ///
    /// # Errors
    /// [`ScopeError::Organization`]: another organization was selected than the one that the application serves.
    pub(crate) fn of_family(
        family: &Family,
        application: &Application,
        names: &Names,
    ) -> Result<Self, ScopeError> {
        Self::from_stored(&family.scope)
            .without_withdrawn(application, names)
            .restrict_to_served_organization(application, names)
    }

    /// The same scopes without those that `application` may not request, or no longer. An organization stays in any case: it
    /// restricts the tokens, which would be for other organizations too without it.
    fn without_withdrawn(self, application: &Application, names: &Names) -> Self {
        // A refresh token is of no use to an application that may not refresh.
        let is_usable = |kind: ScopeKind| {
            kind != ScopeKind::OfflineAccess || application.may_use(GrantType::RefreshToken)
        };
        self.filter(|scope| {
            scope_kind(scope, names).is_some_and(|kind| {
                kind == ScopeKind::Organization
                    || application.scopes.contains(&kind) && is_usable(kind)
            })
        })
    }

    /// The same scopes, for the organization whose people alone `application` serves. A person has roles in other organizations too,
    /// whose administrators know nothing of the application (decision 0117).
    ///
    /// # Errors
    /// [`ScopeError::Organization`]: another organization is selected.
    pub(crate) fn restrict_to_served_organization(
        self,
        application: &Application,
        names: &Names,
    ) -> Result<Self, ScopeError> {
        let Some(served) = application.served_organization() else {
            return Ok(self);
        };
        match self.organization(names) {
            Some(selected) if selected != served.as_str() => Err(ScopeError::Organization),
            _ => Ok(self.with(&names.organization_scope(served.as_str()))),
        }
    }

    /// The same scopes, if none of them selects an organization.
    ///
    /// # Errors
    /// [`ScopeError::Organization`]
    pub(crate) fn require_no_organization(self, names: &Names) -> Result<Self, ScopeError> {
        match self.organization(names) {
            Some(_) => Err(ScopeError::Organization),
            None => Ok(self),
        }
    }

    /// A granted scope in its stored form.
    pub(crate) fn from_stored(scope: &str) -> Self {
        Self(scope.to_owned())
    }

    /// Whether `scope` is in the set.
    pub(crate) fn contains(&self, scope: &str) -> bool {
        self.iter().any(|granted| granted == scope)
    }

    /// Adds `scope`.
    pub(crate) fn with(mut self, scope: &str) -> Self {
        if !self.contains(scope) {
            if !self.0.is_empty() {
                self.0.push(' ');
            }
            self.0.push_str(scope);
        }
        self
    }

    /// Removes `scope`.
    pub(crate) fn without(self, scope: &str) -> Self {
        self.filter(|granted| granted != scope)
    }

    /// Whether every scope of `self` is in `other`.
    pub(crate) fn is_subset_of(&self, other: &Self) -> bool {
        self.iter().all(|scope| other.contains(scope))
    }

    /// The project-audience ids among the scopes.
    pub(crate) fn audiences(&self, names: &Names) -> Vec<String> {
        self.iter()
            .filter_map(|scope| names.audience_of_scope(scope))
            .map(str::to_owned)
            .collect()
    }

    /// The organization ids among the scopes. An issued token has at most one and is restricted to it.
    pub(crate) fn organizations<'scope>(
        &'scope self,
        names: &'scope Names,
    ) -> impl Iterator<Item = &'scope str> {
        self.iter()
            .filter_map(|scope| names.organization_of_scope(scope))
    }

    /// The organization to which a token with these scopes is restricted, if any.
    pub(crate) fn organization<'scope>(&'scope self, names: &'scope Names) -> Option<&'scope str> {
        self.organizations(names).next()
    }

    /// The authorization of a token with these scopes that is issued to `client_id`.
    pub(crate) fn authorization(
        &self,
        client_id: &ClientId,
        carries_home: bool,
        names: &Names,
    ) -> Arc<TokenAuthorization> {
        Arc::new(TokenAuthorization {
            client_id: client_id.clone(),
            scope: self.to_wire(),
            audiences: self.audiences(names),
            carries_home,
        })
    }

    /// The scopes separated by spaces, for the wire and for storage.
    pub(crate) fn to_wire(&self) -> String {
        self.0.clone()
    }

    fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.split_ascii_whitespace()
    }

    fn filter(self, keep: impl Fn(&str) -> bool) -> Self {
        if self.iter().all(&keep) {
            return self;
        }
        self.iter()
            .filter(|scope| keep(scope))
            .fold(Self::default(), Self::with)
    }
}

/// The kind of a scope; `None` if it is unknown.
fn scope_kind(scope: &str, names: &Names) -> Option<ScopeKind> {
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
    fn known_scopes_are_deduplicated_and_unknown_ones_ignored() {
        let names = Names::default();
        let audience = names.audience_scope("7");
        let scope =
            Scope::parse_requested(&format!("openid  colour {audience} openid"), &names, "7")
                .unwrap();
        assert_eq!(scope.to_wire(), format!("openid {audience}"));
        assert_eq!(scope.audiences(&names), ["7"]);
    }

    #[test]
    fn audience_of_another_environment_is_rejected() {
        let names = Names::default();
        assert_eq!(
            Scope::parse_requested(&names.audience_scope("8"), &names, "7"),
            Err(ScopeError::ForeignAudience)
        );
    }

    #[test]
    fn organization_scope_restricts_and_is_refused_where_none_may_be_selected() {
        let names = Names::default();
        let openid = Scope::from_stored("openid");
        let scope = openid.clone().with(&names.organization_scope("274"));
        assert_eq!(scope.organization(&names), Some("274"));
        assert_eq!(
            scope.require_no_organization(&names),
            Err(ScopeError::Organization)
        );
        assert_eq!(openid.clone().require_no_organization(&names), Ok(openid));
    }
}
