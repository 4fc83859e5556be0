//! The ready file, which `invoicing-service serve --ready-file` writes when both listeners accept requests: addresses,
//! applications and accounts for clients.
//!
//! It holds secrets of the demo seed on purpose (development and tests); an environment of kind production lists none.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The whole file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ready {
    /// Address of the identity provider, without a trailing slash.
    pub auth_url: String,
    /// Address of the gateway, without a trailing slash.
    pub base_url: String,
    /// The project-audience id of this environment.
    pub audience_id: String,
    /// Registered applications.
    pub applications: Vec<Application>,
    /// Users that can sign in.
    pub users: Vec<User>,
    /// Organizations.
    pub organizations: Vec<Organization>,
}

/// A registered application.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Application {
    /// OAuth client id.
    pub client_id: String,
    /// OAuth client secret, if it has one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub client_secret: Option<String>,
    /// The kind of client.
    pub kind: ApplicationKind,
    /// Grant types it may use, by their OAuth names.
    pub grants: Vec<String>,
    /// Exact redirect URIs (a loopback address matches any port).
    pub redirect_uris: Vec<String>,
}

/// The kinds of application (contract, part 5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ApplicationKind {
    /// Native or in a browser: no secret, authorization_code with PKCE only.
    Public,
    /// On a server, with a secret.
    Confidential,
    /// A machine user: client_credentials.
    Machine,
    /// A resource server: may introspect.
    Api,
}

/// A user of the seed.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct User {
    /// Name to sign in with.
    pub username: String,
    /// Password to sign in with.
    pub password: String,
    /// Where the user has which roles.
    pub organizations: Vec<Membership>,
}

/// A user's roles in one organization.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Membership {
    /// Organization id.
    pub id: String,
    /// Role keys.
    pub roles: Vec<String>,
}

/// An organization.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Organization {
    /// Organization id.
    pub id: String,
    /// Name.
    pub name: String,
    /// Primary domain.
    pub domain: String,
}

impl fmt::Debug for Application {
    /// Without the secret.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Application")
            .field("client_id", &self.client_id)
            .field("kind", &self.kind)
            .field("grants", &self.grants)
            .field("redirect_uris", &self.redirect_uris)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for User {
    /// Without the password.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("User")
            .field("username", &self.username)
            .field("organizations", &self.organizations)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_output_has_no_secret() {
        let application = Application {
            client_id: "web".to_owned(),
            client_secret: Some("s3cret".to_owned()),
            kind: ApplicationKind::Confidential,
            grants: Vec::new(),
            redirect_uris: Vec::new(),
        };
        let user = User {
            username: "noura".to_owned(),
            password: "s3cret".to_owned(),
            organizations: Vec::new(),
        };
        let printed = format!("{application:?} {user:?}");
        assert!(
            printed.contains("web") && printed.contains("noura") && !printed.contains("s3cret"),
            "{printed}"
        );
    }
}
