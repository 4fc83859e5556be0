//! The built-in authorization rules: which role holds which scope. Where a role of the operator counts is decided by the
//! request guard.

use invoicing_contract::{Role, operation};
use invoicing_storage::access::Authorizer;

/// The built-in roles hold the scopes of the operations whose least role they reach (decision 0023). A scope of no operation
/// is the administrator's.
#[derive(Debug, Clone, Copy)]
pub struct RoleTable;

impl Authorizer for RoleTable {
    fn allows(&self, roles: &[&str], scope: &str) -> bool {
        let least_role = operation::ALL
            .iter()
            .find(|operation| operation.scope == scope)
            .map_or(Role::Administrator, |operation| operation.least_role);
        roles
            .iter()
            .filter_map(|role| Role::from_name(role))
            .any(|role| role.holds(least_role))
    }

    fn names_role(&self, role: &str) -> bool {
        Role::from_name(role).is_some()
    }

    fn role_names(&self) -> Vec<String> {
        let mut names = Role::ALL.map(|role| role.name().to_owned());
        names.sort_unstable();
        names.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_role_of_a_tenant_holds_the_scopes_of_the_roles_before_it() {
        let held = |role: Role| {
            operation::ALL
                .iter()
                .filter(|operation| RoleTable.allows(&[role.name()], operation.scope))
                .count()
        };
        let [tenant @ .., administrator, operator] = Role::ALL.map(held);
        assert!(
            tenant.is_sorted() && tenant[2] < administrator,
            "{tenant:?}"
        );
        let platform = operation::ALL
            .iter()
            .filter(|operation| operation.is_platform());
        assert_eq!(operator, platform.count(), "the platform and nothing else");
        assert_eq!(
            administrator + operator,
            operation::ALL.len(),
            "an administrator holds every other scope"
        );
    }

    #[test]
    fn built_in_roles_hold_the_scopes_of_decision_0023() {
        for (role, operation, allowed) in [
            ("viewer", operation::LIST_INVOICES, true),
            ("viewer", operation::CREATE_INVOICE, false),
            ("clerk", operation::ISSUE_DOCUMENT, true),
            ("clerk", operation::FREEZE_INVOICE, false),
            ("accountant", operation::FREEZE_DOCUMENT, true),
            ("accountant", operation::IMPERSONATE, false),
            ("administrator", operation::IMPERSONATE, true),
            ("administrator", operation::CREATE_TENANT, false),
            ("operator", operation::CREATE_TENANT, true),
            ("operator", operation::LIST_INVOICES, false),
        ] {
            assert_eq!(
                RoleTable.allows(&[role], operation.scope),
                allowed,
                "{role} {}",
                operation.scope
            );
        }
        assert!(
            !RoleTable.allows(&["owner", ""], operation::LIST_INVOICES.scope),
            "an unknown role holds nothing"
        );
        assert!(
            !RoleTable.allows(&["accountant"], "Service.Documents.v2.Shred"),
            "an unknown scope is the administrator's"
        );
    }
}
