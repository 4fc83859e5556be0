//! [`DomainStore`] on PostgreSQL.

use std::slice;

use async_trait::async_trait;
use invoicing_contract::{OrganizationId, Timestamp};
use invoicing_storage::StorageError;
use invoicing_storage::audit::AuditEvent;
use invoicing_storage::domains::{Domain, DomainChange, DomainClaim, DomainStore};
use invoicing_storage::tenants::TenantRevision;
use tokio_postgres::Row;

use super::increment_version;
use super::tenant_history::insert_revision;
use crate::Postgres;
use crate::audit::NewEvents;
use crate::engine::{
    Engine, EngineError, Parameter, Transaction, TransactionEnd, TransactionWork, identifier,
};

/// Selects the columns that [`domain`] reads, of an organization `$1`.
macro_rules! select_domains {
    () => {
        "SELECT d.name, d.token, o.domain = d.name AS is_primary FROM (
             SELECT organization_id, name, NULL AS token FROM domains WHERE organization_id = $1
             UNION ALL SELECT organization_id, name, token FROM domain_claims WHERE organization_id = $1
         ) d JOIN organizations o ON o.id = d.organization_id"
    };
}

/// The first domains of organizations, where a program before the migration of the table has created them.
const DERIVE: &str =
    "INSERT INTO domains (name, organization_id) SELECT domain, id FROM organizations
     ON CONFLICT (name) DO NOTHING";
/// Primary domains that another organization has proved before.
const SELECT_FOREIGN: &str =
    "SELECT o.id, o.domain FROM organizations o JOIN domains d ON d.name = o.domain
     WHERE d.organization_id <> o.id ORDER BY o.id LIMIT 100";
const SELECT_DOMAIN: &str = concat!(select_domains!(), " WHERE d.name = $2");
const DELETE_CLAIM: &str = "DELETE FROM domain_claims WHERE organization_id = $1 AND name = $2";

#[async_trait]
impl DomainStore for Postgres {
    async fn claim_domain(
        &self,
        organization: &OrganizationId,
        name: &str,
        token: &str,
        limit: u32,
        event: &AuditEvent,
    ) -> Result<DomainClaim, StorageError> {
        let change = Change::Claim { token, limit };
        let outcome = self.change_domain(organization, name, change, event).await;
        Ok(match outcome? {
            Outcome::Changed(_) => DomainClaim::Done,
            Outcome::Exists => DomainClaim::Exists,
            Outcome::TooMany => DomainClaim::TooMany,
        })
    }

    async fn domains(
        &self,
        organization: &OrganizationId,
        after: Option<&str>,
        size: u32,
    ) -> Result<Vec<Domain>, StorageError> {
        let select = concat!(
            select_domains!(),
            " WHERE d.name > $2 ORDER BY d.name LIMIT $3"
        );
        let after = after.unwrap_or("");
        let page: [Parameter<'_>; 3] = [&organization.as_str(), &after, &i64::from(size)];
        self.engine().lookup_all(select, &page, domain).await
    }

    async fn domain(
        &self,
        organization: &OrganizationId,
        name: &str,
    ) -> Result<Option<Domain>, StorageError> {
        let key: [Parameter<'_>; 2] = [&organization.as_str(), &name];
        self.engine().lookup_one(SELECT_DOMAIN, &key, domain).await
    }

    async fn begin_verification(
        &self,
        organization: &OrganizationId,
        name: &str,
        now: Timestamp,
        since: Timestamp,
    ) -> Result<bool, StorageError> {
        // A time of the future is one of a clock that was set back, and an equal one that of an attempt before.
        let update =
            "UPDATE domain_claims SET checked_at = $3 WHERE organization_id = $1 AND name = $2
            AND (checked_at IS NULL OR checked_at <= $4 OR checked_at >= $3) RETURNING name";
        let row: [Parameter<'_>; 4] = [
            &organization.as_str(),
            &name,
            &now.as_millis(),
            &since.as_millis(),
        ];
        let rows = self.engine().write_statement(&[], update, &row).await?;
        Ok(!rows.is_empty())
    }

    async fn verify_domain(
        &self,
        organization: &OrganizationId,
        name: &str,
        event: &AuditEvent,
    ) -> Result<DomainChange, StorageError> {
        let outcome = self.change_domain(organization, name, Change::Verify, event);
        outcome.await?.change()
    }

    async fn remove_domain(
        &self,
        organization: &OrganizationId,
        name: &str,
        verified: bool,
        event: &AuditEvent,
    ) -> Result<DomainChange, StorageError> {
        let change = Change::Remove { verified };
        let outcome = self.change_domain(organization, name, change, event);
        outcome.await?.change()
    }

    async fn set_primary_domain(
        &self,
        organization: &OrganizationId,
        before: &str,
        name: &str,
        stamp: &str,
        revision: &TenantRevision,
        event: &AuditEvent,
    ) -> Result<DomainChange, StorageError> {
        let change = Change::SetPrimary {
            before,
            stamp,
            revision,
        };
        let outcome = self.change_domain(organization, name, change, event);
        outcome.await?.change()
    }
}

impl Postgres {
    async fn change_domain(
        &self,
        organization: &OrganizationId,
        name: &str,
        change: Change<'_>,
        event: &AuditEvent,
    ) -> Result<Outcome, StorageError> {
        let work = ChangeDomain {
            organization,
            name,
            change,
            events: NewEvents::new(slice::from_ref(event), self.engine().rng()),
        };
        self.engine().write(&work).await
    }
}

/// A change of a domain of one organization, with its event.
struct ChangeDomain<'a> {
    organization: &'a OrganizationId,
    name: &'a str,
    change: Change<'a>,
    events: NewEvents<'a>,
}

enum Change<'a> {
    Claim {
        token: &'a str,
        limit: u32,
    },
    Verify,
    Remove {
        verified: bool,
    },
    SetPrimary {
        before: &'a str,
        stamp: &'a str,
        revision: &'a TenantRevision,
    },
}

enum Outcome {
    Changed(DomainChange),
    /// Of a claim.
    Exists,
    /// Of a claim.
    TooMany,
}

impl Outcome {
    fn change(self) -> Result<DomainChange, StorageError> {
        match self {
            Self::Changed(change) => Ok(change),
            Self::Exists | Self::TooMany => Err(StorageError::corrupt("the outcome of a claim")),
        }
    }
}

#[async_trait]
impl TransactionWork for ChangeDomain<'_> {
    type Output = Outcome;

    fn organization(&self) -> Option<&OrganizationId> {
        Some(self.organization)
    }

    fn partition_times(&self) -> Vec<Timestamp> {
        self.events.times()
    }

    async fn run(&self, transaction: &Transaction) -> Result<TransactionEnd<Outcome>, EngineError> {
        let id = self.organization.as_str();
        // Changes of the domains of one organization wait for each other.
        let lock = "SELECT domain FROM organizations WHERE id = $1 FOR NO KEY UPDATE";
        let locked = transaction.row(lock, &[&id]).await?;
        if self.events.are_recorded(transaction).await? {
            return Ok(TransactionEnd::Rollback(Outcome::Changed(
                DomainChange::Done,
            )));
        }
        let key: [Parameter<'_>; 2] = [&id, &self.name];
        let found = transaction.row(SELECT_DOMAIN, &key).await?;
        let found = found.as_ref().map(domain).transpose()?;
        let unchanged = |change| Ok(TransactionEnd::Rollback(Outcome::Changed(change)));
        match (&self.change, found) {
            (Change::Claim { .. }, Some(_)) => {
                return Ok(TransactionEnd::Rollback(Outcome::Exists));
            }
            (Change::Claim { token, limit }, None) => {
                if self.count(transaction).await? >= i64::from(*limit) {
                    return Ok(TransactionEnd::Rollback(Outcome::TooMany));
                }
                let insert =
                    "INSERT INTO domain_claims (organization_id, name, token) VALUES ($1, $2, $3)";
                transaction
                    .execute(insert, &[&id, &self.name, token])
                    .await?;
            }
            (_, None) => return unchanged(DomainChange::NotFound),
            (Change::Verify, Some(found)) => {
                if found.is_verified() {
                    return unchanged(DomainChange::Done);
                }
                if !insert_domain(transaction, id, self.name).await? {
                    return unchanged(DomainChange::Taken);
                }
                transaction.execute(DELETE_CLAIM, &key).await?;
            }
            (Change::Remove { verified }, Some(found)) => {
                if found.is_primary {
                    return unchanged(DomainChange::Primary);
                }
                if found.is_verified() != *verified {
                    return unchanged(DomainChange::Stale);
                }
                transaction.execute(DELETE_CLAIM, &key).await?;
                let delete = "DELETE FROM domains WHERE organization_id = $1 AND name = $2";
                transaction.execute(delete, &key).await?;
            }
            (
                Change::SetPrimary {
                    before,
                    stamp,
                    revision,
                },
                Some(found),
            ) => {
                if !found.is_verified() {
                    return unchanged(DomainChange::NotVerified);
                }
                if found.is_primary {
                    return unchanged(DomainChange::Done);
                }
                let primary = locked.map(|row| row.try_get::<_, String>("domain"));
                if primary.transpose()?.as_deref() != Some(*before) {
                    return unchanged(DomainChange::Stale);
                }
                // The tenant first, as every other change of one: it locks the row that its revisions are counted by.
                let update = "UPDATE tenants SET concurrency_stamp = $2 WHERE organization_id = $1";
                transaction.execute(update, &[&id, stamp]).await?;
                let update = "UPDATE organizations SET domain = $2 WHERE id = $1";
                transaction.execute(update, &key).await?;
                insert_revision(transaction, self.organization, revision).await?;
            }
        }
        self.events.record(transaction).await?;
        if matches!(self.change, Change::SetPrimary { .. }) {
            increment_version(transaction).await?;
        }
        Ok(TransactionEnd::Commit(Outcome::Changed(DomainChange::Done)))
    }
}

impl ChangeDomain<'_> {
    async fn count(&self, transaction: &Transaction) -> Result<i64, EngineError> {
        let select = "SELECT (SELECT count(*) FROM domains WHERE organization_id = $1)
            + (SELECT count(*) FROM domain_claims WHERE organization_id = $1) AS number";
        let row = transaction
            .row(select, &[&self.organization.as_str()])
            .await?;
        let row = row.ok_or_else(|| StorageError::corrupt("a count has no row"))?;
        Ok(row.try_get("number")?)
    }
}

/// Makes a domain one of an organization, unless it is one already. Returns whether it did. It waits for a transaction that is
/// about to do the same.
pub(super) async fn insert_domain(
    transaction: &Transaction,
    organization: &str,
    name: &str,
) -> Result<bool, EngineError> {
    let insert =
        "INSERT INTO domains (name, organization_id) VALUES ($2, $1) ON CONFLICT DO NOTHING";
    let inserted = transaction.execute(insert, &[&organization, &name]).await?;
    Ok(inserted > 0)
}

/// Makes the primary domain of each organization one of its domains. As the role that owns the tables.
pub(crate) async fn derive_domains(engine: &Engine) -> Result<(), StorageError> {
    engine.write_statement(&[], DERIVE, &[]).await?;
    for row in engine.rows(None, SELECT_FOREIGN, &[]).await? {
        let organization: OrganizationId = identifier(&row, "id")?;
        let domain: &str = row.try_get("domain").map_err(EngineError::from)?;
        tracing::warn!(%organization, domain, "another organization has proved the primary domain of this one");
    }
    Ok(())
}

fn domain(row: &Row) -> Result<Domain, EngineError> {
    Ok(Domain {
        name: row.try_get("name")?,
        token: row.try_get("token")?,
        is_primary: row.try_get("is_primary")?,
    })
}
