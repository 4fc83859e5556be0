//! Removals of rights that leave an organization its last administrator, and the environment somebody who manages the rules
//! (decision 0116).

use async_trait::async_trait;
use invoicing_contract::{OrganizationId, Role, SubjectId, Timestamp};
use invoicing_storage::users::{Removal, RuleManagement};

use super::increment_version;
use super::rule_managers::{RuleManagers, lock_organizations};
use crate::audit::NewEvents;
use crate::engine::{EngineError, Parameter, Transaction, TransactionEnd, TransactionWork};

/// A right of a subject that is to be removed.
pub(super) struct RemoveRight<'a> {
    organization: &'a OrganizationId,
    id: &'a SubjectId,
    right: RemovedRight<'a>,
    management: &'a RuleManagement,
    events: NewEvents<'a>,
}

/// What is removed.
#[derive(Clone, Copy)]
pub(super) enum RemovedRight<'a> {
    /// A role in the organization.
    Role(&'a str),
    /// The subject, at home in the organization, is disabled.
    SignIn { now: Timestamp },
}

impl<'a> RemoveRight<'a> {
    /// A removal with its events.
    pub(super) const fn new(
        organization: &'a OrganizationId,
        id: &'a SubjectId,
        right: RemovedRight<'a>,
        management: &'a RuleManagement,
        events: NewEvents<'a>,
    ) -> Self {
        Self {
            organization,
            id,
            right,
            management,
            events,
        }
    }

    /// Waits for other changes of the subject and of the organizations that lose a right: first the subject, as additions do.
    /// Returns whose management of the rules is at stake.
    async fn lock(
        &self,
        transaction: &Transaction,
    ) -> Result<Option<RuleManagers<'a>>, EngineError> {
        let id = self.id.as_str();
        let organization = match self.right {
            RemovedRight::Role(_) => Some(self.organization),
            RemovedRight::SignIn { .. } => {
                let lock = "SELECT 1 FROM subjects WHERE id = $1 FOR NO KEY UPDATE";
                transaction.row(lock, &[&id]).await?;
                None
            }
        };
        let managers =
            RuleManagers::of_change(transaction, organization, id, self.management).await?;
        let operator = managers.as_ref().map(RuleManagers::operator);
        let operator = operator.unwrap_or(self.organization);
        lock_organizations(transaction, self.organization, operator).await?;
        Ok(managers)
    }

    /// Whether the subject is the only administrator that counts. Removals in one organization wait for each other, so that two
    /// administrators cannot remove one another.
    async fn is_of_last_administrator(
        &self,
        transaction: &Transaction,
    ) -> Result<bool, EngineError> {
        let organization = self.organization.as_str();
        let select = "SELECT count(*) FILTER (WHERE s.id = $2) AS own, count(*) AS administrators
             FROM grants g JOIN subjects s ON s.id = g.subject
             WHERE g.organization_id = $1 AND g.role = 'administrator' AND s.password_hash IS NOT NULL
                AND s.disabled_at IS NULL AND NOT EXISTS (SELECT 1 FROM password_codes c WHERE c.subject = s.id)";
        let key: [Parameter<'_>; 2] = [&organization, &self.id.as_str()];
        let Some(row) = transaction.row(select, &key).await? else {
            return Ok(false);
        };
        let counts: (i64, i64) = (row.try_get("own")?, row.try_get("administrators")?);
        Ok(counts == (1, 1))
    }

    /// Removes the right. Returns whether there was one.
    async fn remove(&self, transaction: &Transaction) -> Result<bool, EngineError> {
        let (id, organization) = (self.id.as_str(), self.organization.as_str());
        let changed = match self.right {
            RemovedRight::Role(role) => {
                let delete =
                    "DELETE FROM grants WHERE subject = $1 AND organization_id = $2 AND role = $3";
                transaction
                    .execute(delete, &[&id, &organization, &role])
                    .await?
            }
            RemovedRight::SignIn { now } => {
                let update = "UPDATE subjects SET disabled_at = $3, epoch = epoch + 1
                     WHERE id = $1 AND home_organization = $2 AND disabled_at IS NULL";
                transaction
                    .execute(update, &[&id, &organization, &now.as_millis()])
                    .await?
            }
        };
        Ok(changed > 0)
    }
}

#[async_trait]
impl TransactionWork for RemoveRight<'_> {
    type Output = Removal;

    fn partition_times(&self) -> Vec<Timestamp> {
        self.events.times()
    }

    async fn run(&self, transaction: &Transaction) -> Result<TransactionEnd<Removal>, EngineError> {
        let may_be_last = match self.right {
            RemovedRight::Role(role) => role == Role::Administrator.name(),
            RemovedRight::SignIn { .. } => true,
        };
        // In statements of their own: the locks do not see what they waited for.
        let managers = self.lock(transaction).await?;
        let is_last = may_be_last && self.is_of_last_administrator(transaction).await?;
        if self.events.are_recorded(transaction).await? {
            return Ok(TransactionEnd::Rollback(Removal::Done));
        }
        if is_last {
            return Ok(TransactionEnd::Rollback(Removal::LastAdministrator));
        }
        let managers = match managers {
            Some(managers) if managers.exist(transaction).await? => Some(managers),
            Some(_) | None => None,
        };
        if !self.remove(transaction).await? {
            return Ok(TransactionEnd::Rollback(Removal::Absent));
        }
        if let Some(managers) = &managers
            && !managers.exist(transaction).await?
        {
            return Ok(TransactionEnd::Rollback(Removal::LastRuleManager));
        }
        self.events.record(transaction).await?;
        increment_version(transaction).await?;
        if let Some(managers) = &managers
            && !managers.are_current(transaction).await?
        {
            return Ok(TransactionEnd::Rollback(Removal::Outdated));
        }
        Ok(TransactionEnd::Commit(Removal::Done))
    }
}
