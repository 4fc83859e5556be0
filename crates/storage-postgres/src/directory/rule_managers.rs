//! What keeps the operator organization somebody who manages the rules (decision 0116).

use invoicing_contract::OrganizationId;
use invoicing_storage::users::RuleManagement;

use super::SELECT_OPERATOR;
use crate::engine::{EngineError, Parameter, Transaction, identifier};

/// Sets of roles of the people of an organization who can sign in.
const SELECT_ROLES: &str = "SELECT DISTINCT roles FROM (
        SELECT array_agg(g.role ORDER BY g.role) AS roles FROM grants g JOIN subjects s ON s.id = g.subject
        WHERE g.organization_id = $1 AND s.password_hash IS NOT NULL AND s.disabled_at IS NULL
            AND NOT EXISTS (SELECT 1 FROM password_codes c WHERE c.subject = s.id)
        GROUP BY g.subject) people";

/// The operator organization, in which a change can leave nobody who manages the rules.
pub(super) struct RuleManagers<'a> {
    operator: OrganizationId,
    management: &'a RuleManagement,
}

impl<'a> RuleManagers<'a> {
    /// Those that a change of `id` concerns: of its role in `organization`, or without one of all its roles.
    pub(super) async fn of_change(
        transaction: &Transaction,
        organization: Option<&OrganizationId>,
        id: &str,
        management: &'a RuleManagement,
    ) -> Result<Option<Self>, EngineError> {
        let Some(row) = transaction.row(SELECT_OPERATOR, &[]).await? else {
            return Ok(None);
        };
        let operator: OrganizationId = identifier(&row, "organization_id")?;
        let concerned = match organization {
            Some(organization) => *organization == operator,
            None => {
                let select =
                    "SELECT 1 FROM grants WHERE subject = $1 AND organization_id = $2 LIMIT 1";
                let key: [Parameter<'_>; 2] = [&id, &operator.as_str()];
                transaction.row(select, &key).await?.is_some()
            }
        };
        Ok(concerned.then_some(Self {
            operator,
            management,
        }))
    }

    /// The operator organization.
    pub(super) const fn operator(&self) -> &OrganizationId {
        &self.operator
    }

    /// Whether somebody manages the rules. Nobody else changes that until the end of a transaction that has locked the row of the
    /// operator organization.
    pub(super) async fn exist(&self, transaction: &Transaction) -> Result<bool, EngineError> {
        let rows = transaction
            .rows(SELECT_ROLES, &[&self.operator.as_str()])
            .await?;
        for row in rows {
            let roles: Vec<String> = row.try_get("roles")?;
            if (self.management.manages)(&roles) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether the rules are still those that decided. Asked after the version of the directory was incremented, for which
    /// publications wait: one that was committed before is seen, and one that comes later finds the directory changed.
    pub(super) async fn are_current(&self, transaction: &Transaction) -> Result<bool, EngineError> {
        let select = "SELECT coalesce(max(number), 0) AS number FROM rule_versions";
        let Some(row) = transaction.row(select, &[]).await? else {
            return Ok(false);
        };
        Ok(row.try_get::<_, i64>("number")? == self.management.version)
    }
}

/// Locks the rows of organizations in the order of their ids, so that transactions wait for each other and never in a circle.
pub(super) async fn lock_organizations(
    transaction: &Transaction,
    first: &OrganizationId,
    second: &OrganizationId,
) -> Result<(), EngineError> {
    let lock = "SELECT id FROM organizations WHERE id IN ($1, $2) ORDER BY id FOR NO KEY UPDATE";
    let ids: [Parameter<'_>; 2] = [&first.as_str(), &second.as_str()];
    transaction.rows(lock, &ids).await?;
    Ok(())
}
