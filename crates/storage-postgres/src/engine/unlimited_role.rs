//! Roles that the policies and privileges of the schema do not limit (decision 0181).

use std::fmt;

use invoicing_storage::StorageError;

use super::Engine;

/// Why row-level security and the append-only audit do nothing against whoever has a role.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnlimitedRole {
    /// It is a superuser.
    Superuser,
    /// It has `BYPASSRLS`.
    BypassesPolicies,
    /// Tables are its own, or those of a role that it is a member of: it can switch their policies off, and change the audit.
    OwnsTables,
}

impl fmt::Display for UnlimitedRole {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Superuser => "is a superuser",
            Self::BypassesPolicies => "has BYPASSRLS",
            Self::OwnsTables => "owns tables",
        })
    }
}

/// A superuser is a member of every role, so that it owns the tables too.
const SELECT_ROLE: &str = "SELECT r.rolsuper, r.rolbypassrls, EXISTS (
         SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
         WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p') AND pg_has_role(c.relowner, 'MEMBER')
     ) AS owns_tables
     FROM pg_roles r WHERE r.rolname = current_user";

impl Engine {
    /// What the role of the connections may do beyond the policies and privileges of the schema.
    ///
    /// # Errors
    /// [`StorageError`] when no attempt could be completed.
    pub(crate) async fn unlimited_role(&self) -> Result<Option<UnlimitedRole>, StorageError> {
        let role = self.lookup_one(SELECT_ROLE, &[], |row| {
            Ok(if row.try_get("rolsuper")? {
                Some(UnlimitedRole::Superuser)
            } else if row.try_get("rolbypassrls")? {
                Some(UnlimitedRole::BypassesPolicies)
            } else if row.try_get("owns_tables")? {
                Some(UnlimitedRole::OwnsTables)
            } else {
                None
            })
        });
        Ok(role.await?.flatten())
    }
}
