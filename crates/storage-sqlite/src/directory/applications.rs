//! [`ApplicationStore`] on SQLite.

use std::sync::Arc;

use async_trait::async_trait;
use invoicing_contract::ready::ApplicationKind;
use invoicing_contract::{ClientId, OrganizationId, SubjectId, Timestamp};
use rusqlite::{Connection, Row, params};

use crate::engine::{invalid_value, optional_timestamp};
use crate::{Sqlite, audit};
use invoicing_storage::applications::{
    Application, ApplicationStore, ClientSecret, GrantType, PreviousSecret, ScopeKind, kind_name,
};
use invoicing_storage::audit::AuditEvent;
use invoicing_storage::keys::SigningAlgorithm;
use invoicing_storage::secret::TokenHash;
use invoicing_storage::{Basis, StorageError};

/// Selects the columns that [`application`] reads.
macro_rules! select_applications {
    () => {
        "SELECT client_id, name, kind, secret_hash, previous_secret_hash, previous_secret_until, subject, organization,
            grant_types, scopes, includes_audience, redirect_uris, post_logout_uris, id_token_algorithm,
            revoke_family_on_reuse
         FROM applications"
    };
}

#[async_trait]
impl ApplicationStore for Sqlite {
    async fn put_application(
        &self,
        application: &Application,
        event: &AuditEvent,
    ) -> Result<(), StorageError> {
        let (application, event) = (application.clone(), event.clone());
        self.engine()
            .write(move |transaction| {
                upsert_application(transaction, &application)?;
                audit::record_event(transaction, &event)
            })
            .await
    }

    async fn application(
        &self,
        client_id: &ClientId,
        basis: Basis,
    ) -> Result<Option<Arc<Application>>, StorageError> {
        let cache = &self.read_cache().applications;
        if let Some(cached) = cache.get(client_id.as_str(), basis) {
            return Ok(Some(cached));
        }
        let select = concat!(select_applications!(), " WHERE client_id = ?1");
        let found = self
            .engine()
            .lookup_one(select, [client_id.as_str()], application);
        let found = found.await?.map(Arc::new);
        if let Some(application) = &found {
            cache.insert(client_id.as_str(), basis, application);
        }
        Ok(found)
    }

    async fn applications(&self) -> Result<Vec<Application>, StorageError> {
        let select = concat!(select_applications!(), " ORDER BY client_id");
        self.engine().lookup_all(select, (), application).await
    }

    async fn rotate_client_secret(
        &self,
        client_id: &ClientId,
        secret: &TokenHash,
        overlap_until: Timestamp,
        event: &AuditEvent,
    ) -> Result<bool, StorageError> {
        let update =
            "UPDATE applications SET previous_secret_hash = secret_hash, previous_secret_until = ?3, secret_hash = ?2
             WHERE client_id = ?1 AND secret_hash IS NOT NULL";
        let row = (
            client_id.as_str().to_owned(),
            secret.as_bytes().to_vec(),
            overlap_until.as_millis(),
        );
        self.execute_audited(update, row, event).await
    }
}

/// Inserts an application, or updates all but its secrets.
pub(crate) fn upsert_application(
    connection: &Connection,
    application: &Application,
) -> rusqlite::Result<()> {
    let upsert =
        "INSERT INTO applications (client_id, name, kind, secret_hash, subject, organization, grant_types, scopes,
            includes_audience, redirect_uris, post_logout_uris, id_token_algorithm, revoke_family_on_reuse)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
         ON CONFLICT (client_id) DO UPDATE SET name = excluded.name, kind = excluded.kind, subject = excluded.subject,
            organization = excluded.organization, grant_types = excluded.grant_types, scopes = excluded.scopes,
            includes_audience = excluded.includes_audience, redirect_uris = excluded.redirect_uris,
            post_logout_uris = excluded.post_logout_uris, id_token_algorithm = excluded.id_token_algorithm,
            revoke_family_on_reuse = excluded.revoke_family_on_reuse";
    let secret = application.secret.as_ref();
    connection.prepare_cached(upsert)?.execute(params![
        application.client_id.as_str(),
        application.name,
        kind_name(application.kind),
        secret.map(|secret| secret.hash.as_bytes()),
        application.subject.as_ref().map(SubjectId::as_str),
        application
            .organization
            .as_ref()
            .map(OrganizationId::as_str),
        joined(&application.grant_types, GrantType::name),
        joined(&application.scopes, ScopeKind::name),
        application.includes_audience,
        application.redirect_uris.join(" "),
        application.post_logout_uris.join(" "),
        application.id_token_algorithm.name(),
        application.revoke_family_on_reuse
    ])?;
    Ok(())
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
        client_id: ClientId::new(row.get::<_, String>("client_id")?),
        name: row.get("name")?,
        kind,
        secret: secret(row)?,
        subject: row
            .get::<_, Option<String>>("subject")?
            .map(SubjectId::from),
        organization: row
            .get::<_, Option<String>>("organization")?
            .map(OrganizationId::from),
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
    let until = optional_timestamp(row, "previous_secret_until")?;
    let previous = hash("previous_secret_hash")?
        .zip(until)
        .map(|(hash, until)| PreviousSecret { hash, until });
    Ok(hash("secret_hash")?.map(|hash| ClientSecret { hash, previous }))
}
