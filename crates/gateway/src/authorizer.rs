//! The built-in authorization rules: which role holds which scope.

use invoicing_storage::access::Authorizer;

/// The built-in roles: viewer, clerk, accountant and administrator, each with all that the one before may do.
#[derive(Debug, Clone, Copy)]
pub struct RoleTable;

impl Authorizer for RoleTable {
    fn allows(&self, roles: &[&str], scope: &str) -> bool {
        let needed = rank_needed(scope);
        roles
            .iter()
            .filter_map(|role| rank(role))
            .any(|rank| rank >= needed)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Viewer,
    Clerk,
    Accountant,
    Administrator,
}

fn rank(role: &str) -> Option<Rank> {
    Some(match role {
        "viewer" => Rank::Viewer,
        "clerk" => Rank::Clerk,
        "accountant" => Rank::Accountant,
        "administrator" => Rank::Administrator,
        _ => return None,
    })
}

/// The least rank that holds a scope. A scope that nobody thought of is the administrator's.
fn rank_needed(scope: &str) -> Rank {
    if scope.starts_with("Service.Admin.") {
        return Rank::Administrator;
    }
    match scope.rsplit('.').next() {
        Some("Get" | "List") => Rank::Viewer,
        Some("Create" | "Update" | "Issue") => Rank::Clerk,
        Some("Freeze" | "Delete") => Rank::Accountant,
        _ => Rank::Administrator,
    }
}

#[cfg(test)]
mod tests {
    use invoicing_contract::operation;

    use super::*;

    #[test]
    fn each_role_may_do_what_the_one_before_may() {
        let roles = ["viewer", "clerk", "accountant", "administrator"];
        let held = |role| {
            operation::ALL
                .iter()
                .filter(|operation| RoleTable.allows(&[role], operation.scope))
                .count()
        };
        let counts = roles.map(held);
        assert!(counts.is_sorted(), "{counts:?}");
        assert_eq!(
            counts[3],
            operation::ALL.len(),
            "an administrator may do everything"
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
        ] {
            assert_eq!(
                RoleTable.allows(&[role], operation.scope),
                allowed,
                "{role} {}",
                operation.scope
            );
        }
        assert!(!RoleTable.allows(&["accountant"], "Service.Admin.Impersonate"));
        assert!(
            !RoleTable.allows(&["owner", ""], operation::LIST_INVOICES.scope),
            "an unknown role gives nothing"
        );
        assert!(
            !RoleTable.allows(&["accountant"], "Service.Documents.v2.Shred"),
            "an unknown scope is refused"
        );
    }
}
