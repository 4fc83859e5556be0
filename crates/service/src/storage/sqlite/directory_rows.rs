//! How rows become the records of [`crate::storage::directory`].

use sqlx::sqlite::SqliteRow;
use sqlx::{FromRow, Row};

use crate::storage::directory::{Organization, Tenant, TenantAddress};

impl FromRow<'_, SqliteRow> for Organization {
    fn from_row(row: &SqliteRow) -> sqlx::Result<Self> {
        Ok(Self {
            id: row.try_get("id")?,
            name: row.try_get("name")?,
            name_ar: row.try_get("name_ar")?,
            domain: row.try_get("domain")?,
        })
    }
}

impl FromRow<'_, SqliteRow> for Tenant {
    fn from_row(row: &SqliteRow) -> sqlx::Result<Self> {
        Ok(Self {
            organization: Organization::from_row(row)?,
            currency: row.try_get("currency")?,
            country: row.try_get("country")?,
            time_zone: row.try_get("time_zone")?,
            tax_id: row.try_get("tax_id")?,
            address: TenantAddress {
                building: row.try_get("building")?,
                street: row.try_get("street")?,
                district: row.try_get("district")?,
                city: row.try_get("city")?,
                postal_code: row.try_get("postal_code")?,
            },
            monthly_documents: row.try_get("monthly_documents")?,
            requests_per_minute: row.try_get("requests_per_minute")?,
            authority_endpoint: row.try_get("authority_endpoint")?,
        })
    }
}
