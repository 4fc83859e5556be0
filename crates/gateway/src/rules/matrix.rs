//! Rules as rows, which a user interface edits, and their text.

use std::collections::BTreeMap;

use cedar_policy::Effect;
use invoicing_contract::FieldViolation;
use invoicing_contract::messages::rules::{RoleRules, RuleMatrix};
use invoicing_contract::status::MAX_VIOLATIONS;

use super::RulePolicy;
use super::policies::is_role_name;
use super::scopes::Scopes;
use super::table::policy_text;

/// Every scope, as a group.
const EVERY_SCOPE: &str = "Service.*";

/// The policies of `matrix` in Cedar.
///
/// # Errors
/// The rows that name what does not exist, with their paths: at most 100 violations.
pub(crate) fn to_text(matrix: &RuleMatrix, scopes: &Scopes) -> Result<String, Vec<FieldViolation>> {
    let mut writer = Writer {
        scopes,
        text: String::new(),
        violations: Vec::new(),
    };
    let mut named = BTreeMap::new();
    for (
        index,
        RoleRules {
            role,
            allowed,
            forbidden,
        },
    ) in matrix.roles.iter().enumerate()
    {
        let path = format!("matrix.roles[{index}]");
        if !is_role_name(role) {
            writer.violate(format!("{path}.role"), "is no name of a role");
        }
        if let Some(first) = named.insert(role, index) {
            let description = format!("has the role of matrix.roles[{first}]");
            writer.violate(format!("{path}.role"), &description);
        }
        if allowed.is_empty() && forbidden.is_empty() {
            writer.violate(path.clone(), "allows and forbids nothing");
        }
        writer.policy("permit", Some(role), allowed, &format!("{path}.allowed"));
        writer.policy(
            "forbid",
            Some(role),
            forbidden,
            &format!("{path}.forbidden"),
        );
    }
    writer.policy("forbid", None, &matrix.forbidden, "matrix.forbidden");
    if writer.violations.is_empty() {
        Ok(writer.text)
    } else {
        Err(writer.violations)
    }
}

struct Writer<'a> {
    scopes: &'a Scopes,
    text: String,
    violations: Vec<FieldViolation>,
}

impl Writer<'_> {
    fn violate(&mut self, field: String, description: &str) {
        if self.violations.len() < MAX_VIOLATIONS {
            self.violations
                .push(FieldViolation::new(field, description));
        }
    }

    fn policy(&mut self, effect: &str, role: Option<&str>, names: &[String], path: &str) {
        if names.is_empty() {
            return;
        }
        let mut actions = Vec::new();
        for (index, name) in names.iter().enumerate() {
            if self.scopes.position(name).is_none() && self.scopes.group(name).is_none() {
                let path = format!("{path}[{index}]");
                self.violate(path, "is no scope of an operation and no group of scopes");
            }
            actions.push(format!("Action::{name:?}"));
        }
        self.text.push_str(&policy_text(effect, role, &actions));
    }
}

/// The rows of policies. Policies of the same role become one row.
pub(crate) fn from_policies(policies: &[RulePolicy]) -> RuleMatrix {
    let mut roles: BTreeMap<&str, RoleRules> = BTreeMap::new();
    let mut matrix = RuleMatrix::default();
    for RulePolicy {
        effect,
        role,
        actions,
    } in policies
    {
        let actions = actions
            .clone()
            .unwrap_or_else(|| vec![EVERY_SCOPE.to_owned()]);
        let Some(role) = role else {
            matrix.forbidden.extend(actions);
            continue;
        };
        let row = roles.entry(role).or_insert_with(|| RoleRules {
            role: role.clone(),
            ..RoleRules::default()
        });
        match effect {
            Effect::Permit => row.allowed.extend(actions),
            Effect::Forbid => row.forbidden.extend(actions),
        }
    }
    matrix.roles = roles.into_values().collect();
    for row in &mut matrix.roles {
        for names in [&mut row.allowed, &mut row.forbidden] {
            names.sort_unstable();
            names.dedup();
        }
    }
    matrix.forbidden.sort_unstable();
    matrix.forbidden.dedup();
    matrix
}
