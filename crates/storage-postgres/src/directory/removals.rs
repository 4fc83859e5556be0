//! Removals of rights that leave an organization somebody who administers it, and the environment somebody who manages the rules
//! (decision 0116).

use async_trait::async_trait;
use invoicing_contract::{OrganizationId, SubjectId, Timestamp};
use invoicing_storage::users::{Removal, RuleEvaluation};

use super::increment_version;
use super::right_holders::{Change, LostRight, RightHolders};
use crate::audit::NewEvents;
use crate::engine::{EngineError, Transaction, TransactionEnd, TransactionWork};

/// A right of a subject that is to be removed.
pub(super) struct RemoveRight<'a> {
    organization: &'a OrganizationId,
    id: &'a SubjectId,
    right: RemovedRight<'a>,
    evaluation: &'a RuleEvaluation,
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
        evaluation: &'a RuleEvaluation,
        events: NewEvents<'a>,
    ) -> Self {
        Self {
            organization,
            id,
            right,
            evaluation,
            events,
        }
    }

    /// Waits for other changes of the subject and of the organizations that lose a right: first the subject, as additions do.
    async fn lock(&self, transaction: &Transaction) -> Result<RightHolders<'a>, EngineError> {
        let change = match self.right {
            RemovedRight::Role(_) => Change::Roles,
            RemovedRight::SignIn { .. } => {
                let lock = "SELECT 1 FROM subjects WHERE id = $1 FOR NO KEY UPDATE";
                transaction.row(lock, &[&self.id.as_str()]).await?;
                Change::SignIn
            }
        };
        RightHolders::lock(transaction, self.organization, change, self.evaluation).await
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
        let holders = self.lock(transaction).await?;
        if self.events.are_recorded(transaction).await? {
            return Ok(TransactionEnd::Rollback(Removal::Done));
        }
        let before = holders.held(transaction).await?;
        if !self.remove(transaction).await? {
            return Ok(TransactionEnd::Rollback(Removal::Absent));
        }
        if let Some(lost) = holders.lost_since(transaction, before).await? {
            return Ok(TransactionEnd::Rollback(match lost {
                LostRight::LastAdministrator => Removal::LastAdministrator,
                LostRight::LastRuleManager => Removal::LastRuleManager,
            }));
        }
        self.events.record(transaction).await?;
        increment_version(transaction).await?;
        if !holders.are_rules_current(transaction).await? {
            return Ok(TransactionEnd::Rollback(Removal::Outdated));
        }
        Ok(TransactionEnd::Commit(Removal::Done))
    }
}
