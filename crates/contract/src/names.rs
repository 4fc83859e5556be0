//! Names of claims, scopes and headers, all built from one namespace (decisions, "Names and constants").

/// The namespace of a deployment. The default is `idp`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Names {
    namespace: String,
}

impl Default for Names {
    fn default() -> Self {
        Self {
            namespace: "idp".to_owned(),
        }
    }
}

impl Names {
    /// A namespace other than the default. `None` unless it is 1 to 32 lower-case letters or digits, starting with a
    /// letter: it becomes part of header names and URNs.
    #[must_use]
    pub fn new(namespace: &str) -> Option<Self> {
        let fits = (1..=32).contains(&namespace.len())
            && namespace.starts_with(|first: char| first.is_ascii_lowercase())
            && namespace
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
        fits.then(|| Self {
            namespace: namespace.to_owned(),
        })
    }

    /// The namespace itself.
    #[must_use]
    pub fn namespace(&self) -> &str {
        &self.namespace
    }

    /// Claim: id of the home organization.
    #[must_use]
    pub fn home_organization_id(&self) -> String {
        format!("urn:{}:iam:user:resourceowner:id", self.namespace)
    }

    /// Claim: name of the home organization.
    #[must_use]
    pub fn home_organization_name(&self) -> String {
        format!("urn:{}:iam:user:resourceowner:name", self.namespace)
    }

    /// Claim: primary domain of the home organization.
    #[must_use]
    pub fn home_organization_domain(&self) -> String {
        format!(
            "urn:{}:iam:user:resourceowner:primary_domain",
            self.namespace
        )
    }

    /// Claim: granted roles, `{ role: { organization id: organization domain } }`.
    #[must_use]
    pub fn roles(&self) -> String {
        format!("urn:{}:iam:org:project:roles", self.namespace)
    }

    /// Scope: embeds the caller's home organization.
    #[must_use]
    pub fn home_organization_scope(&self) -> String {
        format!("urn:{}:iam:user:resourceowner", self.namespace)
    }

    /// Scope: adds the project's audience, without which the gateway refuses the token.
    #[must_use]
    pub fn audience_scope(&self, project_audience_id: &str) -> String {
        format!(
            "urn:{}:iam:org:project:id:{project_audience_id}:aud",
            self.namespace
        )
    }

    /// The project-audience id in an audience scope.
    #[must_use]
    pub fn audience_of_scope<'scope>(&self, scope: &'scope str) -> Option<&'scope str> {
        scope
            .strip_prefix(&format!("urn:{}:iam:org:project:id:", self.namespace))?
            .strip_suffix(":aud")
    }

    /// Scope: selects the user's organization in the password grant.
    #[must_use]
    pub fn organization_scope(&self, organization: &str) -> String {
        format!("urn:{}:iam:org:id:{organization}", self.namespace)
    }

    /// The organization id in a scope that selects one.
    #[must_use]
    pub fn organization_of_scope<'scope>(&self, scope: &'scope str) -> Option<&'scope str> {
        scope.strip_prefix(&format!("urn:{}:iam:org:id:", self.namespace))
    }

    /// Header and gRPC metadata entry that names the targeted organization.
    #[must_use]
    pub fn organization_header(&self) -> String {
        format!("x-{}-orgid", self.namespace)
    }
}

/// Header of every response: what support finds a request by.
pub const CORRELATION_ID: &str = "x-correlation-id";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_namespace_gives_the_names_of_the_contract() {
        let names = Names::default();
        assert_eq!(names.roles(), "urn:idp:iam:org:project:roles");
        assert_eq!(
            names.home_organization_id(),
            "urn:idp:iam:user:resourceowner:id"
        );
        assert_eq!(
            names.audience_scope("7"),
            "urn:idp:iam:org:project:id:7:aud"
        );
        assert_eq!(names.organization_header(), "x-idp-orgid");
    }

    #[test]
    fn an_audience_scope_gives_its_id_back() {
        let names = Names::default();
        assert_eq!(
            names.audience_of_scope(&names.audience_scope("2930")),
            Some("2930")
        );
        assert_eq!(names.audience_of_scope("openid"), None);
        assert_eq!(
            names.organization_of_scope(&names.organization_scope("274")),
            Some("274")
        );
        assert_eq!(
            names.organization_of_scope(&names.audience_scope("2930")),
            None,
            "a project is no organization"
        );
    }

    #[test]
    fn a_namespace_that_would_break_a_header_is_refused() {
        for namespace in ["", "a b", "É", "a:b", "A", "1a"] {
            assert_eq!(Names::new(namespace), None, "{namespace:?}");
        }
    }
}
