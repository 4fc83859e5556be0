//! Additions of rights within the limit of the people of an organization (decision 0118).

use async_trait::async_trait;
use invoicing_contract::{OrganizationId, SubjectId, Timestamp};
use invoicing_storage::users::Addition;

use super::increment_version;
use super::subjects::INSERT_GRANT;
use crate::audit::NewEvents;
use crate::engine::{EngineError, Parameter, Transaction, TransactionEnd, TransactionWork};

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

/// A right of a subject that is to be added.
pub(super) struct AddRight<'a> {
    pub(super) organization: &'a OrganizationId,
    pub(super) id: &'a SubjectId,
    /// Without a role the subject, which is at home in the organization, is enabled.
    pub(super) role: Option<&'a str>,
    pub(super) limit: Option<i64>,
    pub(super) events: NewEvents<'a>,
}

#[async_trait]
impl TransactionWork for AddRight<'_> {
    type Output = Addition;

    fn partition_times(&self) -> Vec<Timestamp> {
        self.events.times()
    }

    async fn run(
        &self,
        transaction: &Transaction,
    ) -> Result<TransactionEnd<Addition>, EngineError> {
        let rollback = |addition| Ok(TransactionEnd::Rollback(addition));
        if is_above_limit(transaction, self.organization, self.id, self.limit).await? {
            return rollback(Addition::UserLimit);
        }
        let (organization, id) = (self.organization.as_str(), self.id.as_str());
        let changed = match self.role {
            Some(role) => {
                let row: [Parameter<'_>; 3] = [&id, &organization, &role];
                transaction.execute(INSERT_GRANT, &row).await?
            }
            None => transaction.execute(ENABLE, &[&id, &organization]).await?,
        };
        if changed == 0 {
            let is_own = self.events.are_recorded(transaction).await?;
            return rollback(if is_own {
                Addition::Done
            } else {
                Addition::Present
            });
        }
        self.events.record(transaction).await?;
        increment_version(transaction).await?;
        Ok(TransactionEnd::Commit(Addition::Done))
    }
}
