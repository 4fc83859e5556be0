//! What a publication of authorization rules would do, and why they are not accepted.

use serde::Serialize;
use specta::Type;

use super::{ChangedCell, LosingUser, RuleFinding};

/// What a publication would do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RulesCheck {
    /// Whether it would be accepted.
    pub publishable: bool,
    /// What is wrong with the rules.
    pub violations: Vec<RulesViolation>,
    /// Why valid rules are not accepted.
    pub findings: Vec<RuleFinding>,
    /// Cells that would change, at most 1,000.
    pub changed_cells: Vec<ChangedCell>,
    /// How many there are.
    pub changed_cell_count: i32,
    /// People who would lose scopes, at most 100.
    pub losing_users: Vec<LosingUser>,
    /// How many there are.
    pub losing_user_count: i32,
    /// Scopes that nobody would hold.
    pub unheld_scopes: Vec<String>,
}

/// What is wrong with rules.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RulesViolation {
    /// By the field that the service names.
    pub problem: RulesProblem,
    /// The role or the permission that it is about; empty if the service names none.
    pub about: String,
    /// What the service says, in English.
    pub description: String,
}

/// What a violation of rules is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum RulesProblem {
    /// The name of a role is none, or there twice.
    Role,
    /// A role neither allows nor forbids anything.
    EmptyRole,
    /// The service has no such permission.
    Permission,
    /// Something else.
    Other,
}
