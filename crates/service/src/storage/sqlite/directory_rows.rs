//! How rows become the records of [`crate::storage::directory`].

use invoicing_contract::ready::ApplicationKind;
use sqlx::sqlite::SqliteRow;
use sqlx::{FromRow, Row};
use zeroize::Zeroizing;

use crate::identity::secret::TokenHash;
use crate::storage::directory::{
    Application, Grant, KeyState, Organization, SigningAlgorithm, SigningKeyRecord, Subject,
    Tenant, TenantAddress,
};

fn algorithm(name: &str) -> sqlx::Result<SigningAlgorithm> {
    [SigningAlgorithm::Rs256, SigningAlgorithm::EdDsa]
        .into_iter()
        .find(|algorithm| algorithm.name() == name)
        .ok_or_else(|| sqlx::Error::Decode(format!("{name:?} is no signing algorithm").into()))
}

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

impl FromRow<'_, SqliteRow> for Subject {
    fn from_row(row: &SqliteRow) -> sqlx::Result<Self> {
        Ok(Self {
            id: row.try_get("id")?,
            username: row.try_get("username")?,
            name: row.try_get("name")?,
            email: row.try_get("email")?,
            home_organization: row.try_get("home_organization")?,
            password_hash: row.try_get("password_hash")?,
        })
    }
}

impl FromRow<'_, SqliteRow> for Grant {
    fn from_row(row: &SqliteRow) -> sqlx::Result<Self> {
        Ok(Self {
            organization: row.try_get("organization_id")?,
            domain: row.try_get("domain")?,
            role: row.try_get("role")?,
        })
    }
}

impl FromRow<'_, SqliteRow> for Application {
    fn from_row(row: &SqliteRow) -> sqlx::Result<Self> {
        let words = |column: &str| -> sqlx::Result<Vec<String>> {
            Ok(row
                .try_get::<String, _>(column)?
                .split_whitespace()
                .map(str::to_owned)
                .collect())
        };
        let kind = match row.try_get::<String, _>("kind")?.as_str() {
            "public" => ApplicationKind::Public,
            "confidential" => ApplicationKind::Confidential,
            "machine" => ApplicationKind::Machine,
            "api" => ApplicationKind::Api,
            other => {
                return Err(sqlx::Error::Decode(
                    format!("{other:?} is no kind of application").into(),
                ));
            }
        };
        let secret_hash: Option<Vec<u8>> = row.try_get("secret_hash")?;
        Ok(Self {
            client_id: row.try_get("client_id")?,
            name: row.try_get("name")?,
            kind,
            secret_hash: secret_hash.as_deref().and_then(TokenHash::from_bytes),
            subject: row.try_get("subject")?,
            grant_types: words("grant_types")?,
            redirect_uris: words("redirect_uris")?,
            post_logout_uris: words("post_logout_uris")?,
            id_token_algorithm: algorithm(row.try_get("id_token_algorithm")?)?,
            revoke_family_on_reuse: row.try_get("revoke_family_on_reuse")?,
        })
    }
}

impl FromRow<'_, SqliteRow> for SigningKeyRecord {
    fn from_row(row: &SqliteRow) -> sqlx::Result<Self> {
        let state = match row.try_get::<String, _>("state")?.as_str() {
            "next" => KeyState::Next,
            "current" => KeyState::Current,
            "previous" => KeyState::Previous,
            other => {
                return Err(sqlx::Error::Decode(
                    format!("{other:?} is no state of a key").into(),
                ));
            }
        };
        Ok(Self {
            kid: row.try_get("kid")?,
            algorithm: algorithm(row.try_get("algorithm")?)?,
            pkcs8: Zeroizing::new(row.try_get("pkcs8")?),
            state,
            changed_at: row.try_get("changed_at")?,
        })
    }
}
