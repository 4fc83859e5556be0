//! Environments as the sign-in screen shows them.

use std::fmt;

use serde::{Deserialize, Serialize};
use specta::Type;

/// An environment that can be signed in to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct EnvironmentView {
    /// Its unique name, as `local`.
    pub name: String,
    /// What it is for.
    pub kind: EnvironmentKind,
    /// Address of the identity provider; empty while the embedded one has not started.
    pub auth_url: String,
    /// Address of the gateway; empty while the embedded one has not started.
    pub base_url: String,
    /// What it was described with, if it may be described anew: not the embedded one.
    pub particulars: Option<Particulars>,
    /// Accounts to try it with; only the embedded local environment has any.
    pub demo_accounts: Vec<DemoAccount>,
}

/// An environment as it is kept and as it is typed; not yet checked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Particulars {
    /// Unique: 1 to 32 lower-case letters, digits and hyphens. It is part of the redirect URIs, and drafts belong to it.
    pub name: String,
    /// What it is for.
    pub kind: EnvironmentKind,
    /// Address of the identity provider.
    pub auth_url: String,
    /// Address of the gateway.
    pub base_url: String,
    /// The project-audience id that belongs to that identity provider.
    pub project_audience_id: String,
    /// OAuth client id of this application there.
    pub client_id: String,
    /// Namespace of claims, scopes and headers: lower-case letters and digits, as `idp`.
    pub namespace: String,
}

/// One thing wrong with [`Particulars`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct EnvironmentProblem {
    /// Where.
    pub field: EnvironmentField,
    /// What.
    pub trouble: EnvironmentTrouble,
}

/// A field of [`Particulars`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "each is documented where it is a field")]
pub enum EnvironmentField {
    Name,
    AuthUrl,
    BaseUrl,
    ProjectAudienceId,
    ClientId,
    Namespace,
}

/// What is wrong with a field of [`Particulars`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum EnvironmentTrouble {
    /// Nothing stands there.
    Empty,
    /// It holds a character that a name, id or namespace cannot hold.
    Characters,
    /// Another environment has this name.
    Taken,
    /// Not the address of a server: scheme, host and port, without path, query, user or fragment.
    NotAnAddress,
    /// Not https, and not this computer itself.
    NotHttps,
}

/// What an environment is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum EnvironmentKind {
    /// Embedded in the application, for practice.
    Local,
    /// For trying out; its windows are hatched.
    Staging,
    /// Real books.
    Production,
}

/// An account of the embedded environment.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct DemoAccount {
    /// Name to sign in with.
    pub username: String,
    /// Its well-known password.
    pub password: String,
    /// How many organizations it can work in.
    pub organizations: u32,
}

impl fmt::Debug for DemoAccount {
    /// Without the password.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("DemoAccount")
            .field("username", &self.username)
            .field("organizations", &self.organizations)
            .finish_non_exhaustive()
    }
}
