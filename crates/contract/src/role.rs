//! The built-in roles: those of a tenant's members, and that of the operator.

use std::fmt;

/// A built-in role (decision 0023).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// Reads documents.
    Viewer,
    /// Also creates, changes and issues them.
    Clerk,
    /// Also freezes and deletes them.
    Accountant,
    /// Everything, with administration of the tenant.
    Administrator,
    /// Operations on the platform, in the operator organization only (decision 0022).
    Operator,
}

impl Role {
    /// The roles of a tenant, from the lowest to the highest.
    const OF_TENANTS: [Self; 4] = [
        Self::Viewer,
        Self::Clerk,
        Self::Accountant,
        Self::Administrator,
    ];

    /// Every role: those of a tenant from the lowest to the highest, then that of the operator.
    pub const ALL: [Self; 5] = [
        Self::Viewer,
        Self::Clerk,
        Self::Accountant,
        Self::Administrator,
        Self::Operator,
    ];

    /// Whether this role holds the scopes whose least role is `least`. A role of a tenant holds those of the roles before it.
    /// The operator's holds its own only, and no other role holds those.
    #[must_use]
    pub fn holds(self, least: Self) -> bool {
        let rank = |role| Self::OF_TENANTS.iter().position(|known| *known == role);
        match (rank(self), rank(least)) {
            (Some(rank), Some(least)) => rank >= least,
            (None, None) => self == least,
            _ => false,
        }
    }

    /// The role key in the roles claim (contract, part 5).
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Viewer => "viewer",
            Self::Clerk => "clerk",
            Self::Accountant => "accountant",
            Self::Administrator => "administrator",
            Self::Operator => "operator",
        }
    }

    /// The role with this key. Projects can have roles of their own, which hold no scope.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.name() == name)
    }
}

impl fmt::Display for Role {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn role_of_a_tenant_holds_those_before_it_and_the_operator_its_own_only() {
        for (index, role) in Role::ALL.into_iter().enumerate() {
            for (least_index, least) in Role::ALL.into_iter().enumerate() {
                let expected = if role == Role::Operator || least == Role::Operator {
                    role == least
                } else {
                    index >= least_index
                };
                assert_eq!(role.holds(least), expected, "{role} {least}");
            }
        }
    }
}
