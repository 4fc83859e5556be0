//! Tenants: organizations that invoice.

use super::{Administration, AdministrationError};
use crate::storage::audit;
use crate::storage::directory::{Organization, Tenant};

impl Administration {
    /// An organization by id.
    ///
    /// # Errors
    /// See [`AdministrationError`].
    pub async fn organization(&self, id: &str) -> Result<Organization, AdministrationError> {
        self.store
            .organization(id)
            .await?
            .ok_or_else(|| AdministrationError::NotFound {
                what: "organization",
                name: id.to_owned(),
            })
    }

    /// Every organization, and what is known of it if it is a tenant.
    ///
    /// # Errors
    /// See [`AdministrationError`].
    pub async fn tenants(
        &self,
    ) -> Result<Vec<(Organization, Option<Tenant>)>, AdministrationError> {
        let mut all = Vec::new();
        for organization in self.store.organizations().await? {
            let tenant = self.store.tenant(&organization.id).await?;
            all.push((organization, tenant));
        }
        Ok(all)
    }

    /// Sets how much a tenant may do: documents in a month and requests in a minute; `None` for the service's default.
    ///
    /// # Errors
    /// See [`AdministrationError`].
    pub async fn set_limits(
        &self,
        organization: &str,
        monthly_documents: Option<i64>,
        requests_per_minute: Option<i64>,
    ) -> Result<Tenant, AdministrationError> {
        let told = |limit: Option<i64>| limit.map_or_else(|| "none".to_owned(), |n| n.to_string());
        let entry = self
            .entry(audit::Kind::TenantChanged)
            .of(organization)
            .with("monthly_documents", told(monthly_documents))
            .with("requests_per_minute", told(requests_per_minute));
        let missing = || AdministrationError::NotFound {
            what: "tenant",
            name: organization.to_owned(),
        };
        if !self
            .store
            .set_limits(organization, monthly_documents, requests_per_minute, &entry)
            .await?
        {
            return Err(missing());
        }
        self.store.tenant(organization).await?.ok_or_else(missing)
    }
}
