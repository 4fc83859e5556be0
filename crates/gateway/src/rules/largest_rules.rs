//! Rules of the largest size that is expected (decision 0112), for the test and the benchmark of their decisions.

use invoicing_contract::Role;

use super::policies;
use super::scopes::Scopes;
use super::table::{RuleTable, policy_text};

const ROLES: usize = 1_000;
const SCOPES: usize = 200;
/// Groups that the scopes are in. Each role holds one.
const GROUPS: usize = 20;

/// 1,000 roles, each with ten of 200 scopes.
pub struct LargestRules {
    /// The names of the roles.
    pub roles: Vec<String>,
    /// The names of the scopes.
    pub scopes: Vec<String>,
    pub(super) text: String,
    pub(super) known: Scopes,
}

impl Default for LargestRules {
    fn default() -> Self {
        let scopes: Vec<_> = (0..SCOPES)
            .map(|number| {
                format!(
                    "Service.Module{}.v2.Modify.Operation{number}",
                    number % GROUPS
                )
            })
            .collect();
        let roles: Vec<_> = (0..ROLES).map(|number| format!("role-{number}")).collect();
        let policies = roles.iter().enumerate().map(|(number, role)| {
            let group = format!("Action::\"Service.Module{}.*\"", number % GROUPS);
            policy_text("permit", Some(role), &[group])
        });
        Self {
            text: policies.collect(),
            known: Scopes::new(scopes.iter().map(|name| (&**name, Role::Clerk))),
            roles,
            scopes,
        }
    }
}

impl LargestRules {
    /// Compiles the rules. What it returns tells whether a user with these roles holds a scope.
    pub fn compile(&self) -> impl Fn(&[&str], &str) -> bool {
        let policies = policies::read(&self.text).expect("policies that are made of names above");
        let table = RuleTable::new(&policies, &self.known);
        move |roles: &[&str], scope: &str| table.allows(roles, scope)
    }
}
