//! Mappers of organizations and tenants.

use invoice::content::Identifier;
use rusqlite::Row;

use super::plans::plan;
use crate::engine::optional_timestamp;
use invoicing_storage::directory::{Organization, Tenant, TenantAddress, TenantRegion};
use invoicing_storage::plans::Limits;

pub(super) fn organization(row: &Row<'_>) -> rusqlite::Result<Organization> {
    Ok(Organization {
        id: row.get::<_, String>("id")?.into(),
        name: row.get("name")?,
        name_ar: row.get("name_ar")?,
        domain: row.get("domain")?,
    })
}

/// The region is that of a tenant, which the organization may not be.
pub(super) fn organization_and_region(
    row: &Row<'_>,
) -> rusqlite::Result<(Organization, Option<TenantRegion>)> {
    let country: Option<String> = row.get("country")?;
    let region = country.map(|country| {
        Ok::<_, rusqlite::Error>(TenantRegion {
            country,
            currency: row.get("currency")?,
            time_zone: row.get("time_zone")?,
        })
    });
    Ok((organization(row)?, region.transpose()?))
}

pub(super) fn tenant(row: &Row<'_>) -> rusqlite::Result<Tenant> {
    Ok(Tenant {
        organization: organization(row)?,
        currency: row.get("currency")?,
        country: row.get("country")?,
        time_zone: row.get("time_zone")?,
        tax_id: row.get("tax_id")?,
        registration_number: Identifier {
            scheme: row.get("registration_number_scheme")?,
            value: row.get("registration_number_value")?,
        },
        address: TenantAddress {
            building: row.get("building")?,
            street: row.get("street")?,
            district: row.get("district")?,
            city: row.get("city")?,
            postal_code: row.get("postal_code")?,
        },
        own_limits: Limits {
            monthly_documents: row.get("monthly_documents")?,
            requests_per_minute: row.get("requests_per_minute")?,
            users: row.get("users")?,
        },
        plan: match row.get("plan_id")? {
            None::<String> => None,
            Some(_) => Some(plan(row)?),
        },
        authority_endpoint: row.get("authority_endpoint")?,
        concurrency_stamp: row.get("concurrency_stamp")?,
        disabled_at: optional_timestamp(row, "disabled_at")?,
    })
}
