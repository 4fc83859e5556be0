//! Rules as a table: for each role the scopes that it gives and takes. Decides a request without evaluating a policy.

use std::collections::BTreeMap;

use cedar_policy::Effect;
use invoicing_contract::Role;

use super::RulePolicy;
use super::scopes::{Scope, ScopeSet, Scopes, least_role_group};

/// The scopes that policies give to a role and take from its users.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RoleRow {
    allowed: ScopeSet,
    forbidden: ScopeSet,
}

/// The decisions of a set of policies (decision 0112): a user holds a scope if a policy permits it for one of the roles, and no
/// policy forbids it for any of them.
pub(crate) struct RuleTable<'a> {
    scopes: &'a Scopes,
    roles: BTreeMap<String, RoleRow>,
    /// Forbidden for every user.
    forbidden: ScopeSet,
}

impl<'a> RuleTable<'a> {
    pub(crate) fn new(policies: &[RulePolicy], scopes: &'a Scopes) -> Self {
        let mut table = Self {
            scopes,
            roles: BTreeMap::new(),
            forbidden: scopes.none(),
        };
        for policy in policies {
            let set = policy.scopes(scopes);
            let Some(role) = &policy.role else {
                table.forbidden.insert_all(&set);
                continue;
            };
            let row = table.roles.entry(role.clone()).or_insert_with(|| RoleRow {
                allowed: scopes.none(),
                forbidden: scopes.none(),
            });
            match policy.effect {
                Effect::Permit => row.allowed.insert_all(&set),
                Effect::Forbid => row.forbidden.insert_all(&set),
            }
        }
        table
    }

    /// Whether a user with these roles holds a scope.
    pub(crate) fn allows(&self, roles: &[&str], scope: &str) -> bool {
        let Some(position) = self.scopes.position(scope) else {
            return false;
        };
        if self.forbidden.contains(position) {
            return false;
        }
        let mut allowed = false;
        for row in roles.iter().filter_map(|role| self.roles.get(*role)) {
            if row.forbidden.contains(position) {
                return false;
            }
            allowed |= row.allowed.contains(position);
        }
        allowed
    }

    /// Whether a user with these roles in the operator organization reads, checks, publishes and rolls back rules.
    pub(crate) fn manages_rules(&self, roles: &[String]) -> bool {
        self.holds_every(roles, Scope::is_of_rules)
    }

    /// Whether a user with these roles can give people of an organization access again.
    pub(crate) fn administers(&self, roles: &[String]) -> bool {
        self.holds_every(roles, Scope::restores_access)
    }

    fn holds_every(&self, roles: &[String], condition: fn(&Scope) -> bool) -> bool {
        let held = self.held(roles.iter().map(String::as_str));
        let scopes = self.scopes.all().iter().enumerate();
        scopes
            .filter(|(_, scope)| condition(scope))
            .all(|(position, _)| held.contains(position))
    }

    /// The scopes that a user with these roles holds.
    pub(crate) fn held<'role>(&self, roles: impl IntoIterator<Item = &'role str>) -> ScopeSet {
        let mut held = self.scopes.none();
        let mut forbidden = self.forbidden.clone();
        for row in roles.into_iter().filter_map(|role| self.roles.get(role)) {
            held.insert_all(&row.allowed);
            forbidden.insert_all(&row.forbidden);
        }
        held.remove_all(&forbidden);
        held
    }

    /// The roles that the rules name, in alphabetical order.
    pub(crate) fn roles(&self) -> impl Iterator<Item = &str> {
        self.roles.keys().map(String::as_str)
    }

    /// Whether the rules name a role.
    pub(crate) fn names_role(&self, role: &str) -> bool {
        self.roles.contains_key(role)
    }

    /// The scopes that no role holds.
    pub(crate) fn unheld(&self) -> ScopeSet {
        let mut unheld = self.scopes.every();
        for role in self.roles.keys() {
            unheld.remove_all(&self.held([&**role]));
        }
        unheld
    }

    /// The scopes that it was made for.
    pub(crate) const fn scopes(&self) -> &'a Scopes {
        self.scopes
    }
}

/// The text of the built-in version (decision 0023). It names groups by least role, so that an operation of a later release is
/// in it without an edit.
pub(crate) fn built_in_text() -> String {
    let mut text = "// The built-in rules. LeastRole.x are the operations that are meant for the role x and those above it, also\n// those of later releases.\n"
        .to_owned();
    for role in Role::ALL {
        let groups: Vec<_> = Role::ALL
            .into_iter()
            .filter(|least| role.holds(*least))
            .map(|least| format!("Action::{:?}", least_role_group(least)))
            .collect();
        text.push_str(&policy_text("permit", Some(role.name()), &groups));
    }
    text
}

/// A policy in Cedar. `actions` are entities.
pub(super) fn policy_text(effect: &str, role: Option<&str>, actions: &[String]) -> String {
    let principal = role.map_or_else(
        || "principal".to_owned(),
        |role| format!("principal in Role::{role:?}"),
    );
    let actions = actions.join(",\n        ");
    format!(
        "\n{effect} (\n    {principal},\n    action in [\n        {actions}\n    ],\n    resource\n);\n"
    )
}
