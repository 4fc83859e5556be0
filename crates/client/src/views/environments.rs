//! Environments as the sign-in screen shows them.

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
    /// Accounts to try it with; only the embedded local environment has any.
    pub demo_accounts: Vec<DemoAccount>,
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct DemoAccount {
    /// Name to sign in with.
    pub username: String,
    /// Its well-known password.
    pub password: String,
    /// How many organizations it can work in.
    pub organizations: u32,
}
