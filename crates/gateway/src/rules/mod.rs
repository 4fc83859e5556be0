//! Authorization rules (decisions 0112, 0113): Cedar policies that give scopes to roles, their checks and their versions.

mod authorizer;
mod built_in;
mod check;
mod error;
mod largest_rules;
mod lexical;
mod matrix;
mod policies;
#[cfg(test)]
mod property_tests;
mod rpc;
mod scopes;
mod service;
mod table;
#[cfg(test)]
mod tests;
mod views;

pub use authorizer::RuleAuthorizer;
pub(crate) use check::{Finding, FindingKind};
pub(crate) use error::RulesError;
pub use largest_rules::LargestRules;
use policies::{RulePolicy, RuleViolation};
pub(crate) use service::RuleAdministration;
