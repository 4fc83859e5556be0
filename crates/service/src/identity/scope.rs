//! Scopes: what a caller asks for and what it is given.

use invoicing_contract::Names;

/// Granted scopes, in the order asked for, without repeats.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Scope(Vec<String>);

/// A project-audience id that belongs to another environment (contract, part 1, rule 2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ForeignAudience;

impl Scope {
    /// What is known of `requested`; unknown scopes are left out (RFC 6749, 3.3).
    pub(crate) fn grant(
        requested: &str,
        names: &Names,
        audience_id: &str,
    ) -> Result<Self, ForeignAudience> {
        let home = names.home_organization_scope();
        let mut granted: Vec<String> = Vec::new();
        for scope in requested.split_ascii_whitespace() {
            match names.audience_of_scope(scope) {
                Some(audience) if audience != audience_id => return Err(ForeignAudience),
                Some(_) => {}
                None if matches!(scope, "openid" | "profile" | "email" | "offline_access")
                    || scope == home => {}
                None => continue,
            }
            if !granted.iter().any(|known| known == scope) {
                granted.push(scope.to_owned());
            }
        }
        Ok(Self(granted))
    }

    /// From the stored form, which was granted before.
    pub(crate) fn stored(scope: &str) -> Self {
        Self(scope.split_ascii_whitespace().map(str::to_owned).collect())
    }

    /// Whether `scope` was granted.
    pub(crate) fn contains(&self, scope: &str) -> bool {
        self.0.iter().any(|granted| granted == scope)
    }

    /// The same without `scope`.
    pub(crate) fn without(mut self, scope: &str) -> Self {
        self.0.retain(|granted| granted != scope);
        self
    }

    /// Whether everything in `self` is in `other`.
    pub(crate) fn within(&self, other: &Self) -> bool {
        self.0.iter().all(|scope| other.contains(scope))
    }

    /// Project-audience ids among the scopes.
    pub(crate) fn audiences(&self, names: &Names) -> Vec<String> {
        self.0
            .iter()
            .filter_map(|scope| names.audience_of_scope(scope))
            .map(str::to_owned)
            .collect()
    }

    /// Separated by spaces: for the wire and for storage.
    pub(crate) fn joined(&self) -> String {
        self.0.join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_scopes_are_granted_once_and_unknown_ones_left_out() {
        let names = Names::default();
        let audience = names.audience_scope("7");
        let scope =
            Scope::grant(&format!("openid  colour {audience} openid"), &names, "7").unwrap();
        assert_eq!(scope.joined(), format!("openid {audience}"));
        assert_eq!(scope.audiences(&names), ["7"]);
    }

    #[test]
    fn the_audience_of_another_environment_is_refused() {
        let names = Names::default();
        assert_eq!(
            Scope::grant(&names.audience_scope("8"), &names, "7"),
            Err(ForeignAudience)
        );
    }
}
