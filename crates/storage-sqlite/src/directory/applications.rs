//! [`ApplicationStore`] on SQLite.

use std::sync::Arc;

use async_trait::async_trait;
use invoicing_contract::ready::ApplicationKind;
use invoicing_contract::{ClientId, ConcurrencyStamp, OrganizationId, SubjectId, Timestamp};
use rusqlite::{Connection, OptionalExtension as _, Row, params};

use crate::engine::invalid_value;
use crate::{Sqlite, audit};
use invoicing_storage::applications::{
    Application, ApplicationFilter, ApplicationStore, ClientSecret, GrantType, MAX_RETIRED_SECRETS,
    RetiredSecret, ScopeKind, SecretRotation, kind_name,
};
use invoicing_storage::audit::AuditEvent;
use invoicing_storage::keys::SigningAlgorithm;
use invoicing_storage::secret::TokenHash;
use invoicing_storage::{Basis, StorageError};

/// Selects the columns that [`application`] reads.
macro_rules! select_applications {
    () => {
        "SELECT client_id, name, kind, secret_hash, subject, organization, grant_types, scopes, includes_audience,
            redirect_uris, post_logout_uris, id_token_algorithm, revoke_family_on_reuse, organization_only, disabled_at,
            concurrency_stamp,
            (SELECT group_concat(hex(hash) || ':' || until, ' ' ORDER BY until)
                FROM retired_client_secrets r WHERE r.client_id = a.client_id) AS retired_secrets
         FROM applications a"
    };
}

macro_rules! insert_applications {
    () => {
        "INSERT INTO applications (client_id, name, kind, secret_hash, subject, organization, grant_types, scopes,
            includes_audience, redirect_uris, post_logout_uris, id_token_algorithm, revoke_family_on_reuse, organization_only,
            disabled_at, concurrency_stamp)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)"
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

    async fn add_application(
        &self,
        application: &Application,
        event: &AuditEvent,
    ) -> Result<bool, StorageError> {
        let (application, event) = (application.clone(), event.clone());
        self.engine()
            .write(move |transaction| {
                let added = insert_application(transaction, &application)?;
                if added {
                    audit::record_event(transaction, &event)?;
                }
                Ok(added)
            })
            .await
    }

    async fn change_application(
        &self,
        application: &Application,
        based_on: &ConcurrencyStamp,
        event: &AuditEvent,
    ) -> Result<bool, StorageError> {
        let (application, event) = (application.clone(), event.clone());
        let based_on = based_on.as_str().to_owned();
        self.engine()
            .write(move |transaction| {
                let select = "SELECT EXISTS (SELECT 1 FROM applications WHERE client_id = ?1 AND concurrency_stamp = ?2)";
                let is_current: bool = transaction
                    .prepare_cached(select)?
                    .query_row((application.client_id.as_str(), based_on), |row| row.get(0))?;
                if is_current {
                    upsert_application(transaction, &application)?;
                    audit::record_event(transaction, &event)?;
                }
                Ok(is_current)
            })
            .await
    }

    async fn set_application_disabled(
        &self,
        client_id: &ClientId,
        disabled_at: Option<Timestamp>,
        stamp: &ConcurrencyStamp,
        event: &AuditEvent,
    ) -> Result<bool, StorageError> {
        let update = "UPDATE applications SET disabled_at = ?2, concurrency_stamp = ?3
             WHERE client_id = ?1 AND (disabled_at IS NULL) <> (?2 IS NULL)";
        let row = (
            client_id.as_str().to_owned(),
            disabled_at.map(Timestamp::as_millis),
            stamp.as_str().to_owned(),
        );
        self.execute_audited(update, row, event).await
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
        let select = concat!(
            select_applications!(),
            " WHERE client_id = ?1 AND disabled_at IS NULL"
        );
        let found = self
            .engine()
            .lookup_one(select, [client_id.as_str()], application);
        let found = found.await?.map(Arc::new);
        if let Some(application) = &found {
            cache.insert(client_id.as_str(), basis, application);
        }
        Ok(found)
    }

    async fn registered_application(
        &self,
        client_id: &ClientId,
    ) -> Result<Option<Application>, StorageError> {
        let select = concat!(select_applications!(), " WHERE client_id = ?1");
        self.engine()
            .lookup_one(select, [client_id.as_str()], application)
            .await
    }

    async fn applications(&self) -> Result<Vec<Application>, StorageError> {
        let select = concat!(select_applications!(), " ORDER BY client_id");
        self.engine().lookup_all(select, (), application).await
    }

    async fn applications_of(
        &self,
        organization: &OrganizationId,
        filter: &ApplicationFilter,
        after: Option<&ClientId>,
        size: u32,
    ) -> Result<Vec<Application>, StorageError> {
        let select = concat!(
            select_applications!(),
            " WHERE organization = ?1 AND (organization_only OR kind = 'machine') AND client_id > ?2
             AND (?3 = '' OR instr(lower(client_id), ?3) > 0 OR instr(lower(name), ?3) > 0) AND (?4 IS NULL OR kind = ?4)
             ORDER BY client_id LIMIT ?5"
        );
        let key = (
            organization.as_str(),
            after.map_or("", ClientId::as_str),
            filter.text.to_ascii_lowercase(),
            filter.kind.map(kind_name),
            size,
        );
        self.engine().lookup_all(select, key, application).await
    }

    async fn rotate_client_secret(
        &self,
        client_id: &ClientId,
        secret: &TokenHash,
        now: Timestamp,
        overlap_until: Timestamp,
        event: &AuditEvent,
    ) -> Result<SecretRotation, StorageError> {
        let (client_id, secret, event) = (client_id.clone(), secret.clone(), event.clone());
        self.engine()
            .write(move |transaction| {
                let outcome = rotate_secret(transaction, &client_id, &secret, now, overlap_until)?;
                if outcome == SecretRotation::Rotated {
                    audit::record_event(transaction, &event)?;
                }
                Ok(outcome)
            })
            .await
    }
}

fn rotate_secret(
    connection: &Connection,
    client_id: &ClientId,
    secret: &TokenHash,
    now: Timestamp,
    overlap_until: Timestamp,
) -> rusqlite::Result<SecretRotation> {
    let client_id = client_id.as_str();
    let select =
        "SELECT secret_hash FROM applications WHERE client_id = ?1 AND secret_hash IS NOT NULL";
    let present: Option<Vec<u8>> = connection
        .prepare_cached(select)?
        .query_row([client_id], |row| row.get(0))
        .optional()?;
    let Some(present) = present else {
        return Ok(SecretRotation::NoSecret);
    };
    let overlaps = now < overlap_until;
    if overlaps {
        let count =
            "SELECT count(*) FROM retired_client_secrets WHERE client_id = ?1 AND until > ?2";
        let retired: u32 = connection
            .prepare_cached(count)?
            .query_row((client_id, now.as_millis()), |row| row.get(0))?;
        if retired >= MAX_RETIRED_SECRETS {
            return Ok(SecretRotation::TooManyRetired);
        }
    }
    let ended = if overlaps {
        now
    } else {
        Timestamp::from_millis(i64::MAX)
    };
    connection
        .prepare_cached("DELETE FROM retired_client_secrets WHERE client_id = ?1 AND until <= ?2")?
        .execute((client_id, ended.as_millis()))?;
    if overlaps {
        connection
            .prepare_cached(
                "INSERT INTO retired_client_secrets (client_id, hash, until) VALUES (?1, ?2, ?3)",
            )?
            .execute((client_id, present, overlap_until.as_millis()))?;
    }
    connection
        .prepare_cached("UPDATE applications SET secret_hash = ?2 WHERE client_id = ?1")?
        .execute((client_id, secret.as_bytes()))?;
    Ok(SecretRotation::Rotated)
}

/// Inserts an application, unless its client id is taken. Returns whether it did.
pub(crate) fn insert_application(
    connection: &Connection,
    application: &Application,
) -> rusqlite::Result<bool> {
    let insert = concat!(
        insert_applications!(),
        " ON CONFLICT (client_id) DO NOTHING"
    );
    execute_insert(connection, insert, application)
}

/// Inserts an application, or updates all but its secrets and whether it is disabled.
pub(crate) fn upsert_application(
    connection: &Connection,
    application: &Application,
) -> rusqlite::Result<()> {
    let upsert = concat!(
        insert_applications!(),
        " ON CONFLICT (client_id) DO UPDATE SET name = excluded.name, kind = excluded.kind, subject = excluded.subject,
            organization = excluded.organization, grant_types = excluded.grant_types, scopes = excluded.scopes,
            includes_audience = excluded.includes_audience, redirect_uris = excluded.redirect_uris,
            post_logout_uris = excluded.post_logout_uris, id_token_algorithm = excluded.id_token_algorithm,
            revoke_family_on_reuse = excluded.revoke_family_on_reuse, organization_only = excluded.organization_only,
            concurrency_stamp = excluded.concurrency_stamp"
    );
    execute_insert(connection, upsert, application)?;
    Ok(())
}

fn execute_insert(
    connection: &Connection,
    statement: &str,
    application: &Application,
) -> rusqlite::Result<bool> {
    let secret = application.secret.as_ref();
    let inserted = connection.prepare_cached(statement)?.execute(params![
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
        application.revoke_family_on_reuse,
        application.organization_only,
        application.disabled_at.map(Timestamp::as_millis),
        application.concurrency_stamp.as_str()
    ])?;
    Ok(inserted > 0)
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
        organization_only: row.get("organization_only")?,
        disabled_at: row
            .get::<_, Option<i64>>("disabled_at")?
            .map(Timestamp::from_millis),
        concurrency_stamp: row.get::<_, String>("concurrency_stamp")?.into(),
    })
}

fn secret(row: &Row<'_>) -> rusqlite::Result<Option<ClientSecret>> {
    let bytes = row.get_ref("secret_hash")?.as_blob_or_null()?;
    let Some(hash) = bytes.and_then(TokenHash::from_bytes) else {
        return Ok(None);
    };
    let retired = row.get_ref("retired_secrets")?.as_str_or_null()?;
    let retired = retired.unwrap_or_default().split_whitespace();
    let retired = retired.map(|text| {
        retired_secret(text).ok_or_else(|| invalid_value("a retired secret", "hash and time"))
    });
    Ok(Some(ClientSecret {
        hash,
        retired: retired.collect::<rusqlite::Result<_>>()?,
    }))
}

/// A hash in hexadecimal and a time in milliseconds, separated by a colon.
fn retired_secret(text: &str) -> Option<RetiredSecret> {
    let (hash, until) = text.split_once(':')?;
    let digits = hash.as_bytes().chunks(2);
    let bytes: Option<Vec<_>> = digits
        .map(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok())
        .collect();
    Some(RetiredSecret {
        hash: TokenHash::from_bytes(&bytes?)?,
        until: Timestamp::from_millis(until.parse().ok()?),
    })
}
