//! Mappers of organizations and tenants.

use invoice::content::Identifier;
use tokio_postgres::Row;

use super::plans::plan;
use crate::engine::{EngineError, identifier, optional_timestamp};
use invoicing_storage::directory::{Organization, Tenant, TenantAddress, TenantRegion};
use invoicing_storage::plans::Limits;

pub(super) fn organization(row: &Row) -> Result<Organization, EngineError> {
    Ok(Organization {
        id: identifier(row, "id")?,
        name: row.try_get("name")?,
        name_ar: row.try_get("name_ar")?,
        domain: row.try_get("domain")?,
    })
}

/// The region is that of a tenant, which the organization may not be.
pub(super) fn organization_and_region(
    row: &Row,
) -> Result<(Organization, Option<TenantRegion>), EngineError> {
    let country: Option<String> = row.try_get("country")?;
    let region = country.map(|country| {
        Ok::<_, EngineError>(TenantRegion {
            country,
            currency: row.try_get("currency")?,
            time_zone: row.try_get("time_zone")?,
        })
    });
    Ok((organization(row)?, region.transpose()?))
}

pub(super) fn tenant(row: &Row) -> Result<Tenant, EngineError> {
    Ok(Tenant {
        organization: organization(row)?,
        currency: row.try_get("currency")?,
        country: row.try_get("country")?,
        time_zone: row.try_get("time_zone")?,
        tax_id: row.try_get("tax_id")?,
        registration_number: Identifier {
            scheme: row.try_get("registration_number_scheme")?,
            value: row.try_get("registration_number_value")?,
        },
        address: TenantAddress {
            building: row.try_get("building")?,
            street: row.try_get("street")?,
            district: row.try_get("district")?,
            city: row.try_get("city")?,
            postal_code: row.try_get("postal_code")?,
        },
        own_limits: Limits {
            monthly_documents: row.try_get("monthly_documents")?,
            requests_per_minute: row.try_get("requests_per_minute")?,
            users: row.try_get("users")?,
        },
        plan: match row.try_get("plan_id")? {
            None::<&str> => None,
            Some(_) => Some(plan(row)?),
        },
        authority_endpoint: row.try_get("authority_endpoint")?,
        concurrency_stamp: row.try_get("concurrency_stamp")?,
        disabled_at: optional_timestamp(row, "disabled_at")?,
    })
}
