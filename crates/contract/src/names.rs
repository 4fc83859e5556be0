//! Names of claims, scopes and headers, all built from one namespace (decision 0001).

/// The namespace of a deployment. The default is `idp`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Names {
    namespace: String,
    home_organization: String,
    home_organization_id: String,
    home_organization_name: String,
    home_organization_domain: String,
    roles: String,
    project: String,
    organization: String,
}

impl Default for Names {
    fn default() -> Self {
        Self::of("idp")
    }
}

impl Names {
    /// The names of a namespace. `None` unless the namespace is 1 to 32 lower-case letters or digits, starting with a
    /// letter: it becomes part of header names and URNs.
    #[must_use]
    pub fn new(namespace: &str) -> Option<Self> {
        let fits = (1..=32).contains(&namespace.len())
            && namespace.starts_with(|first: char| first.is_ascii_lowercase())
            && namespace
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
        fits.then(|| Self::of(namespace))
    }

    fn of(namespace: &str) -> Self {
        let home = format!("urn:{namespace}:iam:user:resourceowner");
        Self {
            namespace: namespace.to_owned(),
            home_organization_id: format!("{home}:id"),
            home_organization_name: format!("{home}:name"),
            home_organization_domain: format!("{home}:primary_domain"),
            home_organization: home,
            roles: format!("urn:{namespace}:iam:org:project:roles"),
            project: format!("urn:{namespace}:iam:org:project:id:"),
            organization: format!("urn:{namespace}:iam:org:id:"),
        }
    }

    /// The namespace itself.
    #[must_use]
    pub fn namespace(&self) -> &str {
        &self.namespace
    }

    /// Claim: id of the home organization.
    #[must_use]
    pub fn home_organization_id(&self) -> &str {
        &self.home_organization_id
    }

    /// Claim: name of the home organization.
    #[must_use]
    pub fn home_organization_name(&self) -> &str {
        &self.home_organization_name
    }

    /// Claim: primary domain of the home organization.
    #[must_use]
    pub fn home_organization_domain(&self) -> &str {
        &self.home_organization_domain
    }

    /// Claim: granted roles, `{ role: { organization id: organization domain } }`.
    #[must_use]
    pub fn roles(&self) -> &str {
        &self.roles
    }

    /// Scope: embeds the caller's home organization.
    #[must_use]
    pub fn home_organization_scope(&self) -> &str {
        &self.home_organization
    }

    /// Scope: adds the project's audience, without which the gateway refuses the token.
    #[must_use]
    pub fn audience_scope(&self, project_audience_id: &str) -> String {
        format!("{}{project_audience_id}:aud", self.project)
    }

    /// The project-audience id in an audience scope.
    #[must_use]
    pub fn audience_of_scope<'scope>(&self, scope: &'scope str) -> Option<&'scope str> {
        scope.strip_prefix(&self.project)?.strip_suffix(":aud")
    }

    /// Scope: selects the user's organization in the password grant.
    #[must_use]
    pub fn organization_scope(&self, organization: &str) -> String {
        format!("{}{organization}", self.organization)
    }

    /// The organization id in a scope that selects one.
    #[must_use]
    pub fn organization_of_scope<'scope>(&self, scope: &'scope str) -> Option<&'scope str> {
        scope.strip_prefix(&self.organization)
    }

    /// Header and gRPC metadata entry that names the targeted organization.
    #[must_use]
    pub fn organization_header(&self) -> String {
        format!("x-{}-orgid", self.namespace)
    }
}

/// Header of every response: the id by which support finds a request.
pub const CORRELATION_ID: &str = "x-correlation-id";

/// Header of a file with rows whose number is known before its first byte: how many it has, without that of the names.
pub const ROW_COUNT: &str = "x-row-count";

/// Header of requests that the gateway accepts and that changes nothing (contract, part 4, "Request headers").
pub const SERVICE_CULTURE: &str = "x-service-culture";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn default_namespace_gives_the_names_of_the_contract() {
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
    fn ids_are_read_back_from_their_scopes() {
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
    fn invalid_namespace_is_refused() {
        for namespace in ["", "a b", "É", "a:b", "A", "1a"] {
            assert_eq!(Names::new(namespace), None, "{namespace:?}");
        }
    }
}
