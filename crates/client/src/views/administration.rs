//! People, machine users, authorization rules and plans, as an administrator sees them.

use std::fmt;

use invoicing_contract::OrganizationId;
use serde::{Deserialize, Serialize};
use specta::Type;

/// A secret that the service has made for somebody else and shows once (decision 0136). It is never stored here, and its
/// `Debug` output does not contain it.
#[derive(Clone, PartialEq, Eq, Serialize, Type)]
#[serde(transparent)]
pub struct ShownSecret(String);

impl From<String> for ShownSecret {
    fn from(secret: String) -> Self {
        Self(secret)
    }
}

impl fmt::Debug for ShownSecret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("ShownSecret")
    }
}

/// Whether somebody can sign in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum UserState {
    /// Yes.
    Active,
    /// Not before a password has been set with the code of the invitation.
    Invited,
    /// Not before another password has been set with a code.
    PasswordReset,
    /// No.
    Disabled,
}

/// A person who works for the organization.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct UserView {
    /// The id.
    pub id: String,
    /// Name to sign in with.
    pub username: String,
    /// The name.
    pub name: String,
    /// Mail address; empty if there is none, or the person is of another organization.
    pub email: String,
    /// At home in another organization: only the roles in this one can be changed.
    pub from_another_organization: bool,
    /// Whether they can sign in.
    pub state: UserState,
    /// In this organization.
    pub roles: Vec<String>,
    /// When the code to set a password expires, if there is one.
    pub code_expires: Option<String>,
}

/// A page of people, by username.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct UserPage {
    /// The people.
    pub users: Vec<UserView>,
    /// Of the next page; empty on the last.
    pub next_page: String,
    /// The roles that the person may grant in the organization.
    pub grantable_roles: Vec<String>,
}

/// A person to invite.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct NewUser {
    /// Name to sign in with, usually the mail address.
    pub username: String,
    /// The name.
    pub name: String,
    /// Mail address, or empty.
    pub email: String,
    /// Role in the organization.
    pub role: String,
}

/// A code with which a person sets a password, to be handed over by the administrator.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PasswordCodeView {
    /// The code.
    pub code: ShownSecret,
    /// The page on which the person enters it.
    pub page: String,
    /// When it expires.
    pub expires: String,
}

/// A change of a person or of a machine user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(
    tag = "kind",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum UserChange {
    /// Grants a role in the organization.
    GrantRole {
        /// The role.
        role: String,
    },
    /// Revokes a role in the organization.
    RevokeRole {
        /// The role.
        role: String,
    },
    /// Ends all sessions and tokens; nobody can sign in.
    Disable,
    /// Lets a disabled user sign in again.
    Enable,
    /// Ends all sessions and tokens.
    EndSessions,
}

/// A subject without a person, for automation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct MachineUserView {
    /// The id.
    pub id: String,
    /// The username.
    pub username: String,
    /// What it is for.
    pub name: String,
    /// Active or disabled.
    pub state: UserState,
    /// In this organization.
    pub roles: Vec<String>,
}

/// A machine user that was just created.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct CreatedMachineUser {
    /// The machine user.
    pub user: MachineUserView,
    /// The client id of its application.
    pub client_id: String,
    /// The client secret of its application.
    pub client_secret: ShownSecret,
}

/// A personal access token, without its secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PersonalTokenView {
    /// The id.
    pub id: String,
    /// What it is for.
    pub name: String,
    /// When it was minted.
    pub created: String,
    /// When it expires.
    pub expires: String,
    /// When it was revoked, if it was.
    pub revoked: Option<String>,
}

/// A page of the personal access tokens of a machine user, the newest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PersonalTokenPage {
    /// Tokens, also those that have expired or were revoked.
    pub tokens: Vec<PersonalTokenView>,
    /// Token of the page with those before; empty at the end.
    pub next_page: String,
}

/// A personal access token that was just minted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct MintedToken {
    /// Which one it is.
    pub token: PersonalTokenView,
    /// The token itself.
    pub secret: ShownSecret,
}

/// What a role holds, and what it must not hold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RoleRules {
    /// The role.
    pub role: String,
    /// Scopes and groups of scopes.
    pub allowed: Vec<String>,
    /// Scopes and groups that a user with this role does not hold, whatever else they are.
    pub forbidden: Vec<String>,
}

/// Authorization rules as rows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RuleMatrix {
    /// One row for each role.
    pub roles: Vec<RoleRules>,
    /// Scopes and groups that nobody holds.
    pub forbidden: Vec<String>,
}

/// What is wanted of one cell of the table role by scope.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RuleEdit {
    /// The role.
    pub role: String,
    /// The scope.
    pub scope: String,
    /// Whether the role shall have it.
    pub allowed: bool,
}

/// Changes of the rules that are not published.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RuleEdits {
    /// The stamp of the version that was shown with the last change.
    pub stamp: String,
    /// The changed cells.
    pub cells: Vec<RuleEdit>,
    /// Why, as it was typed.
    pub comment: String,
}

/// A name with scopes: a role with what it holds, or a group with its members.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ScopeSet {
    /// The role or the group.
    pub name: String,
    /// The scopes.
    pub scopes: Vec<String>,
}

/// A published version of the rules.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RuleVersionView {
    /// 0 for the built-in one.
    pub number: i32,
    /// What a publication that is based on it sends.
    pub stamp: String,
    /// Id of the user, or `command line`; empty for the built-in one.
    pub by: String,
    /// When; `None` for the built-in one.
    pub time: Option<String>,
    /// Why.
    pub comment: String,
    /// The earlier version whose text it has, if it rolled back to one.
    pub restores: Option<i32>,
}

/// A page of the published versions of the rules, the latest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RuleVersionPage {
    /// The versions.
    pub versions: Vec<RuleVersionView>,
    /// Of the page with those before; empty on the last.
    pub next_page: String,
}

/// A version of the rules with what follows from it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RulesView {
    /// Which version it is.
    pub version: RuleVersionView,
    /// The rules.
    pub matrix: RuleMatrix,
    /// What each role holds.
    pub held: Vec<ScopeSet>,
    /// Every scope, in alphabetical order.
    pub scopes: Vec<String>,
    /// Every group of scopes.
    pub groups: Vec<ScopeSet>,
}

/// A cell of the table role by scope that a publication would change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ChangedCell {
    /// The role.
    pub role: String,
    /// The scope.
    pub scope: String,
    /// Whether the role would hold it.
    pub allowed: bool,
}

/// Somebody who would lose scopes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct LosingUser {
    /// The id.
    pub user: String,
    /// Where.
    pub organization: OrganizationId,
    /// All roles there.
    pub roles: Vec<String>,
    /// The scopes that they would lose.
    pub scopes: Vec<String>,
}

/// Why rules cannot be published although they are valid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum RuleFindingReason {
    /// The publisher could not manage the rules any longer.
    PublisherLockedOut,
    /// Nobody could.
    RulesLockedOut,
    /// An organization would have nobody left for its administration.
    AdministrationLockedOut,
    /// The publisher would gain a scope.
    PublisherGains,
    /// Something that this version does not know.
    Other,
}

/// A reason with what it is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RuleFinding {
    /// Why.
    pub reason: RuleFindingReason,
    /// Organizations that it is about.
    pub organizations: Vec<String>,
    /// Scopes that it is about.
    pub scopes: Vec<String>,
}

/// The plan of the organization, and what it uses. A limit that is `None` does not hold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PlanView {
    /// The name in English; empty without a plan.
    pub name: String,
    /// The name in Arabic; the English one if it has none.
    pub name_ar: String,
    /// Documents of a month.
    pub documents: PlanUse,
    /// When the month ends.
    pub month_end: Option<String>,
    /// Requests of a minute.
    pub requests: PlanUse,
    /// People.
    pub users: PlanUse,
    /// Whether machine users may call the service.
    pub api_access: bool,
}

/// How much of a limit is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PlanUse {
    /// Used.
    pub used: u32,
    /// The limit.
    pub limit: Option<u32>,
}
