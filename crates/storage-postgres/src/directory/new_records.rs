//! Insertion of one cached record.

use async_trait::async_trait;
use invoicing_contract::{ConcurrencyStamp, Timestamp};
use invoicing_storage::StorageError;
use invoicing_storage::applications::Application;
use invoicing_storage::audit::AuditEvent;
use invoicing_storage::directory::{Organization, Tenant};
use invoicing_storage::provisioning::Provisioning;
use invoicing_storage::subjects::Subject;

use super::applications::{change_application, insert_application, upsert_application};
use super::domains::insert_domain;
use super::subjects::insert_subject;
use super::tenants::insert_tenant;
use crate::Postgres;
use crate::audit::NewEvents;
use crate::engine::{EngineError, Parameter, Transaction, TransactionEnd, TransactionWork};

/// A record that is to be stored.
pub(super) enum NewRecord<'a> {
    Organization(&'a Organization),
    Tenant(&'a Tenant),
    Subject(&'a Subject),
    /// If there is one with its client id, it is updated.
    Application(&'a Application),
    /// One with a client id that must not be taken.
    AddedApplication(&'a Application),
    /// If its stamp is still this one, it is updated.
    ChangedApplication(&'a Application, &'a ConcurrencyStamp),
}

impl NewRecord<'_> {
    /// Inserts it with its events, unless its id or another unique value is taken. Returns whether it did.
    pub(super) async fn insert(
        self,
        store: &Postgres,
        events: &[AuditEvent],
    ) -> Result<bool, StorageError> {
        let work = InsertRecord {
            record: self,
            events: NewEvents::new(events, store.engine().rng()),
        };
        store.engine().write(&work).await
    }
}

struct InsertRecord<'a> {
    record: NewRecord<'a>,
    events: NewEvents<'a>,
}

#[async_trait]
impl TransactionWork for InsertRecord<'_> {
    /// Whether the record was stored.
    type Output = bool;

    fn partition_times(&self) -> Vec<Timestamp> {
        self.events.times()
    }

    async fn run(&self, transaction: &Transaction) -> Result<TransactionEnd<bool>, EngineError> {
        let inserted = match self.record {
            NewRecord::Organization(organization) => {
                insert_organization(transaction, organization).await? == Provisioning::Done
            }
            NewRecord::Tenant(tenant) => insert_tenant(transaction, tenant, None).await?,
            NewRecord::Subject(subject) => insert_subject(transaction, subject).await?,
            NewRecord::Application(application) => {
                upsert_application(transaction, application).await?;
                true
            }
            NewRecord::AddedApplication(application) => {
                insert_application(transaction, application).await?
            }
            NewRecord::ChangedApplication(application, based_on) => {
                change_application(transaction, application, based_on).await?
            }
        };
        self.events.end(transaction, inserted, true).await
    }
}

/// Inserts an organization with its domain, unless its id or its domain is taken. It waits for a transaction that is about to
/// take one of them. Unless it is done, the transaction has to be rolled back.
pub(super) async fn insert_organization(
    transaction: &Transaction,
    organization: &Organization,
) -> Result<Provisioning, EngineError> {
    let id = organization.id.as_str();
    let insert = "INSERT INTO organizations (id, name, name_ar, domain) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING";
    let row: [Parameter<'_>; 4] = [
        &id,
        &organization.name,
        &organization.name_ar,
        &organization.domain,
    ];
    if transaction.execute(insert, &row).await? == 0 {
        // In a statement of its own: the one before does not see an organization that it waited for.
        let same_id = "SELECT 1 FROM organizations WHERE id = $1";
        let same_id = transaction.row(same_id, &[&id]).await?;
        return Ok(match same_id {
            Some(_) => Provisioning::OrganizationTaken,
            None => Provisioning::DomainTaken,
        });
    }
    if !insert_domain(transaction, id, &organization.domain).await? {
        return Ok(Provisioning::DomainTaken);
    }
    Ok(Provisioning::Done)
}
