//! Organizations, with their domains.

use async_trait::async_trait;
use invoicing_storage::directory::Organization;
use invoicing_storage::provisioning::Provisioning;

use super::domains::insert_domain;
use super::new_records::NewRecord;
use crate::engine::{EngineError, Parameter, Transaction};

#[async_trait]
impl NewRecord for Organization {
    async fn insert(&self, transaction: &Transaction) -> Result<bool, EngineError> {
        Ok(insert_organization(transaction, self).await? == Provisioning::Done)
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
