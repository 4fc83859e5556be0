//! What keeps an organization somebody who administers it, and the operator organization somebody who manages the rules (decision
//! 0116).

use invoicing_contract::OrganizationId;
use invoicing_storage::users::{RightOfRoles, RuleEvaluation};

use super::{SELECT_OPERATOR, can_sign_in};
use crate::engine::{EngineError, Parameter, Transaction, identifier};

/// Sets of roles of the people of an organization who can sign in.
pub(super) const SELECT_ROLES: &str = concat!(
    "SELECT DISTINCT roles FROM (
        SELECT array_agg(g.role ORDER BY g.role) AS roles FROM grants g JOIN subjects s ON s.id = g.subject
        WHERE g.organization_id = $1 AND ",
    can_sign_in!(),
    " GROUP BY g.subject) people"
);

/// What a change can take a right from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    /// The roles of a subject in the organization.
    Roles,
    /// The sign-in of a subject, who can have roles elsewhere.
    SignIn,
}

/// Which rights are held by somebody who can sign in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct HeldRights {
    /// Administering the organization.
    administration: bool,
    /// Managing the rules.
    rules: bool,
}

/// Why a change is not kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LostRight {
    LastAdministrator,
    LastRuleManager,
}

/// The organizations in which a change can leave nobody with a right. Their rows are locked, so nobody else changes who holds what
/// until the end of the transaction.
pub(super) struct RightHolders<'a> {
    organization: &'a OrganizationId,
    /// The operator organization, if the change concerns it.
    operator: Option<OrganizationId>,
    evaluation: &'a RuleEvaluation,
}

impl<'a> RightHolders<'a> {
    /// Those that a change in `organization` concerns. Waits for other changes there.
    pub(super) async fn lock(
        transaction: &Transaction,
        organization: &'a OrganizationId,
        change: Change,
        evaluation: &'a RuleEvaluation,
    ) -> Result<Self, EngineError> {
        let operator = match transaction.row(SELECT_OPERATOR, &[]).await? {
            Some(row) => Some(identifier(&row, "organization_id")?),
            None => None,
        };
        let operator: Option<OrganizationId> =
            operator.filter(|operator| change == Change::SignIn || operator == organization);
        // In the order of their ids, so that transactions wait for each other and never in a circle.
        let lock =
            "SELECT id FROM organizations WHERE id IN ($1, $2) ORDER BY id FOR NO KEY UPDATE";
        let second = operator.as_ref().unwrap_or(organization).as_str();
        let ids: [Parameter<'_>; 2] = [&organization.as_str(), &second];
        transaction.rows(lock, &ids).await?;
        Ok(Self {
            organization,
            operator,
            evaluation,
        })
    }

    /// What is held now. In statements of their own: the lock does not see what it waited for.
    pub(super) async fn held(&self, transaction: &Transaction) -> Result<HeldRights, EngineError> {
        let RuleEvaluation {
            administers,
            manages_rules,
            ..
        } = self.evaluation;
        Ok(HeldRights {
            administration: is_right_held(transaction, self.organization, &**administers).await?,
            rules: match &self.operator {
                Some(operator) => is_right_held(transaction, operator, &**manages_rules).await?,
                None => false,
            },
        })
    }

    /// What was held and is not any more.
    pub(super) async fn lost_since(
        &self,
        transaction: &Transaction,
        before: HeldRights,
    ) -> Result<Option<LostRight>, EngineError> {
        let after = self.held(transaction).await?;
        Ok(if before.administration && !after.administration {
            Some(LostRight::LastAdministrator)
        } else if before.rules && !after.rules {
            Some(LostRight::LastRuleManager)
        } else {
            None
        })
    }

    /// Whether the rules are still those that decided. Asked after the version of the directory was incremented, for which
    /// publications wait: one that was committed before is seen, and one that comes later finds the directory changed.
    pub(super) async fn are_rules_current(
        &self,
        transaction: &Transaction,
    ) -> Result<bool, EngineError> {
        let select = "SELECT coalesce(max(number), 0) AS number FROM rule_versions";
        let Some(row) = transaction.row(select, &[]).await? else {
            return Ok(false);
        };
        Ok(row.try_get::<_, i64>("number")? == self.evaluation.version)
    }
}

/// Whether somebody who can sign in has a right in an organization.
async fn is_right_held(
    transaction: &Transaction,
    organization: &OrganizationId,
    right: &RightOfRoles,
) -> Result<bool, EngineError> {
    let rows = transaction
        .rows(SELECT_ROLES, &[&organization.as_str()])
        .await?;
    for row in rows {
        let roles: Vec<String> = row.try_get("roles")?;
        if right(&roles) {
            return Ok(true);
        }
    }
    Ok(false)
}
