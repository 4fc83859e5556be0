//! Environments as the sign-in screen shows them.

use std::fmt;

use invoicing_contract::ClientId;
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
    /// Its configuration, if it can be changed: the embedded one's cannot.
    pub config: Option<EnvironmentConfig>,
    /// Demo accounts; only the embedded environment has any.
    pub demo_accounts: Vec<DemoAccount>,
}

/// An environment as it is stored and entered; not validated.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct EnvironmentConfig {
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
    pub client_id: ClientId,
    /// Namespace of claims, scopes and headers: lower-case letters and digits, as `idp`.
    pub namespace: String,
    /// The HTTP proxy: empty for that of the system, `direct` for none, else an address without user and password.
    #[serde(default)]
    pub proxy: String,
    /// A PEM file with certificates of authorities that are trusted besides the system's, or empty.
    #[serde(default)]
    pub ca_file: String,
}

/// An invalid field of [`EnvironmentConfig`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct EnvironmentProblem {
    /// The field.
    pub field: EnvironmentField,
    /// Why it is invalid.
    pub reason: InvalidFieldReason,
    /// With [`InvalidFieldReason::OtherAddresses`]: those of the removed environment, to sign in at and of the service, separated by a space.
    pub earlier: Option<String>,
}

/// A field of [`EnvironmentConfig`].
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
    Proxy,
    CaFile,
}

/// Why a field of [`EnvironmentConfig`] is invalid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum InvalidFieldReason {
    /// It is empty.
    Empty,
    /// It contains a character that is not allowed in a name, id or namespace.
    Characters,
    /// Another environment has this name.
    Taken,
    /// A removed environment had this name and other addresses. Its drafts are kept under the name.
    OtherAddresses,
    /// Not the address of a server: scheme, host and port, without path, query, user or fragment.
    NotAnAddress,
    /// Not https, and not this computer itself.
    NotHttps,
    /// Not the address of a proxy without user and password, and not `direct`.
    NotAProxy,
    /// The file cannot be read.
    NotReadable,
    /// The file holds no certificate in PEM form.
    NoCertificate,
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
    /// Its password, of this installation only.
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
