//! Additions of rights within the limit of the people of an organization (decision 0118).

use async_trait::async_trait;
use invoicing_contract::{OrganizationId, SubjectId, Timestamp};
use invoicing_storage::users::{Addition, RuleEvaluation};

use super::increment_version;
use super::right_holders::{Change, LostRight, RightHolders};
use super::subjects::INSERT_GRANT;
use crate::audit::NewEvents;
use crate::engine::{
    EngineError, Parameter, Transaction, TransactionEnd, TransactionWork, identifier,
};

/// Additions to one organization wait for each other here.
const LOCK: &str = "SELECT 1 FROM organizations WHERE id = $1 FOR NO KEY UPDATE";
/// How many other people are counted, and whether the subject is.
const COUNT: &str =
    "SELECT count(*) FILTER (WHERE s.id <> $2) AS others, count(*) FILTER (WHERE s.id = $2) AS own
     FROM subjects s
     WHERE s.disabled_at IS NULL AND s.password_hash IS NOT NULL AND s.id IN (
         SELECT id FROM subjects WHERE home_organization = $1
         UNION SELECT subject FROM grants WHERE organization_id = $1)";
const ENABLE: &str = "UPDATE subjects SET disabled_at = NULL, epoch = epoch + 1
     WHERE id = $1 AND home_organization = $2 AND disabled_at IS NOT NULL";
/// The organizations in which a subject counts: the home organization and those with a role.
macro_rules! organizations_of_subject {
    () => {
        "SELECT home_organization FROM subjects WHERE id = $1 UNION SELECT organization_id FROM grants WHERE subject = $1"
    };
}

const LOCK_ALL: &str = concat!(
    "SELECT id FROM organizations WHERE id IN (",
    organizations_of_subject!(),
    ") ORDER BY id FOR NO KEY UPDATE"
);
/// Those of them that have as many people as the tenant, or else its plan, allows.
const SELECT_FULL: &str = concat!(
    "SELECT t.organization_id FROM tenants t LEFT JOIN plans p ON p.id = t.plan_id
     WHERE t.organization_id IN (",
    organizations_of_subject!(),
    ") AND coalesce(t.users, p.users) <= (
        SELECT count(*) FROM subjects s
        WHERE s.disabled_at IS NULL AND s.password_hash IS NOT NULL AND s.id IN (
            SELECT id FROM subjects WHERE home_organization = t.organization_id
            UNION SELECT subject FROM grants WHERE organization_id = t.organization_id))
     ORDER BY t.organization_id"
);

/// Whether the subject would be a person above the limit, which nobody else changes until the end of the transaction.
pub(super) async fn is_above_limit(
    transaction: &Transaction,
    organization: &OrganizationId,
    id: &SubjectId,
    limit: Option<i64>,
) -> Result<bool, EngineError> {
    let Some(limit) = limit else {
        return Ok(false);
    };
    let organization = organization.as_str();
    transaction.row(LOCK, &[&organization]).await?;
    // In a statement of its own: the one before does not see what it waited for.
    let key: [Parameter<'_>; 2] = [&organization, &id.as_str()];
    let Some(row) = transaction.row(COUNT, &key).await? else {
        return Ok(false);
    };
    let (others, own): (i64, i64) = (row.try_get("others")?, row.try_get("own")?);
    Ok(own == 0 && others >= limit)
}

/// Whether the subject is a person who can be counted. Who is disabled is not; nobody enables the subject until the end of the
/// transaction.
async fn is_counted_with_role(transaction: &Transaction, id: &str) -> Result<bool, EngineError> {
    let lock = "SELECT disabled_at IS NULL AND password_hash IS NOT NULL AS counts FROM subjects WHERE id = $1 FOR SHARE";
    let row = transaction.row(lock, &[&id]).await?;
    Ok(row
        .map(|row| row.try_get("counts"))
        .transpose()?
        .unwrap_or(false))
}

/// A role of a subject that is to be granted.
pub(super) struct AddRole<'a> {
    pub(super) organization: &'a OrganizationId,
    pub(super) id: &'a SubjectId,
    pub(super) role: &'a str,
    pub(super) limit: Option<i64>,
    pub(super) evaluation: &'a RuleEvaluation,
    pub(super) events: NewEvents<'a>,
}

#[async_trait]
impl TransactionWork for AddRole<'_> {
    type Output = Addition;

    fn partition_times(&self) -> Vec<Timestamp> {
        self.events.times()
    }

    async fn run(
        &self,
        transaction: &Transaction,
    ) -> Result<TransactionEnd<Addition>, EngineError> {
        let rollback = |addition| Ok(TransactionEnd::Rollback(addition));
        let (organization, id) = (self.organization.as_str(), self.id.as_str());
        let counts = is_counted_with_role(transaction, id).await?;
        let limit = self.limit.filter(|_| counts);
        if is_above_limit(transaction, self.organization, self.id, limit).await? {
            return rollback(Addition::UserLimit);
        }
        let holders = RightHolders::lock(
            transaction,
            self.organization,
            Change::Roles,
            self.evaluation,
        )
        .await?;
        let before = holders.held(transaction).await?;
        let row: [Parameter<'_>; 3] = [&id, &organization, &self.role];
        if transaction.execute(INSERT_GRANT, &row).await? == 0 {
            let is_own = self.events.are_recorded(transaction).await?;
            return rollback(if is_own {
                Addition::Done
            } else {
                Addition::Present
            });
        }
        if let Some(lost) = holders.lost_since(transaction, before).await? {
            return rollback(match lost {
                LostRight::LastAdministrator => Addition::LastAdministrator,
                LostRight::LastRuleManager => Addition::LastRuleManager,
            });
        }
        self.events.record(transaction).await?;
        increment_version(transaction).await?;
        if !holders.are_rules_current(transaction).await? {
            return rollback(Addition::Outdated);
        }
        Ok(TransactionEnd::Commit(Addition::Done))
    }
}

/// A subject that is to be enabled, at home in the organization.
pub(super) struct Enable<'a> {
    pub(super) organization: &'a OrganizationId,
    pub(super) id: &'a SubjectId,
    pub(super) events: NewEvents<'a>,
}

impl Enable<'_> {
    /// The organizations in which the person would be one above the limit. First the subject is locked, then its organizations by
    /// id, as roles are granted: nobody adds one of either until the end of the transaction.
    async fn full_organizations(
        &self,
        transaction: &Transaction,
    ) -> Result<Vec<OrganizationId>, EngineError> {
        let id = self.id.as_str();
        let lock = "SELECT 1 FROM subjects
             WHERE id = $1 AND disabled_at IS NOT NULL AND password_hash IS NOT NULL FOR NO KEY UPDATE";
        if transaction.row(lock, &[&id]).await?.is_none() {
            return Ok(Vec::new());
        }
        transaction.rows(LOCK_ALL, &[&id]).await?;
        let rows = transaction.rows(SELECT_FULL, &[&id]).await?;
        rows.iter()
            .map(|row| identifier(row, "organization_id"))
            .collect()
    }
}

#[async_trait]
impl TransactionWork for Enable<'_> {
    type Output = Addition;

    fn partition_times(&self) -> Vec<Timestamp> {
        self.events.times()
    }

    async fn run(
        &self,
        transaction: &Transaction,
    ) -> Result<TransactionEnd<Addition>, EngineError> {
        let full = self.full_organizations(transaction).await?;
        if full.contains(self.organization) {
            return Ok(TransactionEnd::Rollback(Addition::UserLimit));
        }
        if !full.is_empty() {
            return Ok(TransactionEnd::Rollback(Addition::UserLimitElsewhere));
        }
        let key: [Parameter<'_>; 2] = [&self.id.as_str(), &self.organization.as_str()];
        if transaction.execute(ENABLE, &key).await? == 0 {
            let is_own = self.events.are_recorded(transaction).await?;
            return Ok(TransactionEnd::Rollback(if is_own {
                Addition::Done
            } else {
                Addition::Present
            }));
        }
        self.events.record(transaction).await?;
        increment_version(transaction).await?;
        Ok(TransactionEnd::Commit(Addition::Done))
    }
}
