//! The built-in roles, which a tenant's members hold.

use std::fmt;

/// A built-in role (decision 0023). Each holds every scope of the roles before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Role {
    /// Reads documents.
    Viewer,
    /// Also creates, changes and issues them.
    Clerk,
    /// Also freezes and deletes them.
    Accountant,
    /// Everything, with administration of the tenant.
    Administrator,
}

impl Role {
    /// Every role, from the lowest to the highest.
    pub const ALL: [Self; 4] = [
        Self::Viewer,
        Self::Clerk,
        Self::Accountant,
        Self::Administrator,
    ];

    /// The role key in the roles claim (contract, part 5).
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Viewer => "viewer",
            Self::Clerk => "clerk",
            Self::Accountant => "accountant",
            Self::Administrator => "administrator",
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
