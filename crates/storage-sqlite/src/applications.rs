//! [`ApplicationStore`] on SQLite.

use std::sync::Arc;

use async_trait::async_trait;
use invoicing_contract::ready::ApplicationKind;
use rusqlite::Row;

use super::engine::invalid_value;
use super::{Sqlite, Statement};
use invoicing_storage::StorageError;
use invoicing_storage::applications::{
    Application, ApplicationStore, ClientSecret, GrantType, PreviousSecret, ScopeKind, kind_name,
};
use invoicing_storage::audit::Entry;
use invoicing_storage::keys::SigningAlgorithm;
use invoicing_storage::secret::TokenHash;

#[async_trait]
impl ApplicationStore for Sqlite {
    async fn put_application(
        &self,
        application: &Application,
        entry: &Entry,
    ) -> Result<(), StorageError> {
        self.change(putting(application), entry).await?;
        Ok(())
    }

    async fn application(&self, client_id: &str) -> Result<Option<Arc<Application>>, StorageError> {
        let generation = self.generation().await?;
        if let Some(kept) = self.kept().applications.get(client_id, generation) {
            return Ok(Some(kept));
        }
        let select = "SELECT * FROM applications WHERE client_id = ?1";
        let found = self
            .engine()
            .lookup_one(select, [client_id], application)
            .await?;
        let found = found.map(Arc::new);
        if let Some(application) = &found {
            self.kept()
                .applications
                .keep(client_id, generation, application);
        }
        Ok(found)
    }

    async fn applications(&self) -> Result<Vec<Application>, StorageError> {
        let select = "SELECT * FROM applications ORDER BY client_id";
        self.engine().lookup_all(select, (), application).await
    }

    async fn rotate_client_secret(
        &self,
        client_id: &str,
        secret: &TokenHash,
        overlap_until: i64,
        entry: &Entry,
    ) -> Result<bool, StorageError> {
        let update = sqlx::query(
            "UPDATE applications SET previous_secret_hash = secret_hash, previous_secret_until = $3, secret_hash = $2
             WHERE client_id = $1 AND secret_hash IS NOT NULL",
        )
        .bind(client_id)
        .bind(secret.as_bytes())
        .bind(overlap_until);
        self.change(update, entry).await
    }
}

/// Registers an application, or brings it up to date, all but its secrets.
pub(super) fn putting(application: &Application) -> Statement<'_> {
    sqlx::query(
            "INSERT INTO applications (client_id, name, kind, secret_hash, subject, organization, grant_types, scopes,
                includes_audience, redirect_uris, post_logout_uris, id_token_algorithm, revoke_family_on_reuse)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
             ON CONFLICT (client_id) DO UPDATE SET name = excluded.name, kind = excluded.kind, subject = excluded.subject,
                organization = excluded.organization, grant_types = excluded.grant_types, scopes = excluded.scopes,
                includes_audience = excluded.includes_audience, redirect_uris = excluded.redirect_uris,
                post_logout_uris = excluded.post_logout_uris, id_token_algorithm = excluded.id_token_algorithm,
                revoke_family_on_reuse = excluded.revoke_family_on_reuse",
        )
        .bind(&application.client_id)
        .bind(&application.name)
        .bind(kind_name(application.kind))
        .bind(application.secret.as_ref().map(|secret| secret.hash.as_bytes().to_vec()))
        .bind(&application.subject)
        .bind(&application.organization)
        .bind(joined(&application.grant_types, GrantType::name))
        .bind(joined(&application.scopes, ScopeKind::name))
        .bind(application.includes_audience)
        .bind(application.redirect_uris.join(" "))
        .bind(application.post_logout_uris.join(" "))
        .bind(application.id_token_algorithm.name())
        .bind(application.revoke_family_on_reuse)
}

fn joined<Named: Copy>(named: &[Named], name: fn(Named) -> &'static str) -> String {
    let names: Vec<_> = named.iter().copied().map(name).collect();
    names.join(" ")
}

fn application(row: &Row<'_>) -> rusqlite::Result<Application> {
    let words = |column: &str| -> rusqlite::Result<Vec<String>> {
        let words = row.get_ref(column)?.as_str()?.split_whitespace();
        Ok(words.map(str::to_owned).collect())
    };
    let kind: String = row.get("kind")?;
    let kind = [
        ApplicationKind::Public,
        ApplicationKind::Confidential,
        ApplicationKind::Machine,
        ApplicationKind::Api,
    ]
    .into_iter()
    .find(|known| kind_name(*known) == kind)
    .ok_or_else(|| invalid_value(&kind, "kind of application"))?;
    let algorithm: String = row.get("id_token_algorithm")?;
    Ok(Application {
        client_id: row.get("client_id")?,
        name: row.get("name")?,
        kind,
        secret: secret(row)?,
        subject: row.get("subject")?,
        organization: row.get("organization")?,
        grant_types: words("grant_types")?
            .iter()
            .map(|name| GrantType::named(name).ok_or_else(|| invalid_value(name, "grant")))
            .collect::<rusqlite::Result<_>>()?,
        scopes: words("scopes")?
            .iter()
            .map(|name| ScopeKind::named(name).ok_or_else(|| invalid_value(name, "scope")))
            .collect::<rusqlite::Result<_>>()?,
        includes_audience: row.get("includes_audience")?,
        redirect_uris: words("redirect_uris")?,
        post_logout_uris: words("post_logout_uris")?,
        id_token_algorithm: SigningAlgorithm::named(&algorithm)
            .ok_or_else(|| invalid_value(&algorithm, "signing algorithm"))?,
        revoke_family_on_reuse: row.get("revoke_family_on_reuse")?,
    })
}

fn secret(row: &Row<'_>) -> rusqlite::Result<Option<ClientSecret>> {
    let hash = |column: &str| -> rusqlite::Result<Option<TokenHash>> {
        let bytes = row.get_ref(column)?.as_blob_or_null()?;
        Ok(bytes.and_then(TokenHash::from_bytes))
    };
    let until: Option<i64> = row.get("previous_secret_until")?;
    let previous = hash("previous_secret_hash")?
        .zip(until)
        .map(|(hash, until)| PreviousSecret { hash, until });
    Ok(hash("secret_hash")?.map(|hash| ClientSecret { hash, previous }))
}
