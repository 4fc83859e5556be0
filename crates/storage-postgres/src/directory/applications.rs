//! [`ApplicationStore`] on PostgreSQL.

use std::slice;
use std::sync::Arc;

use async_trait::async_trait;
use invoicing_contract::ready::ApplicationKind;
use invoicing_contract::{ClientId, ConcurrencyStamp, OrganizationId, SubjectId, Timestamp};
use invoicing_storage::applications::{
    Application, ApplicationFilter, ApplicationStore, ClientSecret, GrantType, RetiredSecret,
    ScopeKind, SecretRotation, kind_name,
};
use invoicing_storage::audit::AuditEvent;
use invoicing_storage::keys::SigningAlgorithm;
use invoicing_storage::secret::TokenHash;
use invoicing_storage::{Basis, StorageError};
use tokio_postgres::Row;

use super::new_records::{NewRecord, insert_record};
use super::rotate_secret::RotateSecret;
use crate::Postgres;
use crate::audit::NewEvents;
use crate::engine::{
    EngineError, Parameter, Transaction, identifier, invalid_value, optional_identifier,
    optional_timestamp,
};

/// Selects the columns that [`application`] reads.
macro_rules! select_applications {
    () => {
        "SELECT client_id, name, kind, secret_hash, subject, organization, grant_types, scopes, includes_audience,
            redirect_uris, post_logout_uris, id_token_algorithm, revoke_family_on_reuse, organization_only, disabled_at,
            concurrency_stamp,
            ARRAY(SELECT r.hash FROM retired_client_secrets r WHERE r.client_id = a.client_id ORDER BY r.until, r.hash)
                AS retired_hashes,
            ARRAY(SELECT r.until FROM retired_client_secrets r WHERE r.client_id = a.client_id ORDER BY r.until, r.hash)
                AS retired_ends
         FROM applications a"
    };
}

macro_rules! insert_applications {
    () => {
        "INSERT INTO applications (client_id, name, kind, secret_hash, subject, organization, grant_types, scopes,
            includes_audience, redirect_uris, post_logout_uris, id_token_algorithm, revoke_family_on_reuse, organization_only,
            disabled_at, concurrency_stamp)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)"
    };
}

#[async_trait]
impl ApplicationStore for Postgres {
    async fn put_application(
        &self,
        application: &Application,
        event: &AuditEvent,
    ) -> Result<(), StorageError> {
        let record = PutApplication(application);
        insert_record(self, &record, slice::from_ref(event)).await?;
        Ok(())
    }

    async fn add_application(
        &self,
        application: &Application,
        event: &AuditEvent,
    ) -> Result<bool, StorageError> {
        let record = AddedApplication(application);
        insert_record(self, &record, slice::from_ref(event)).await
    }

    async fn change_application(
        &self,
        application: &Application,
        based_on: &ConcurrencyStamp,
        event: &AuditEvent,
    ) -> Result<bool, StorageError> {
        let record = ChangedApplication {
            application,
            based_on,
        };
        insert_record(self, &record, slice::from_ref(event)).await
    }

    async fn set_application_disabled(
        &self,
        client_id: &ClientId,
        disabled_at: Option<Timestamp>,
        stamp: &ConcurrencyStamp,
        event: &AuditEvent,
    ) -> Result<bool, StorageError> {
        let update = "UPDATE applications SET disabled_at = $2, concurrency_stamp = $3
             WHERE client_id = $1 AND (disabled_at IS NULL) <> ($2::bigint IS NULL)";
        let disabled_at = disabled_at.map(Timestamp::as_millis);
        let row: [Parameter<'_>; 3] = [&client_id.as_str(), &disabled_at, &stamp.as_str()];
        self.change_record(update, &row, event).await
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
            " WHERE client_id = $1 AND disabled_at IS NULL"
        );
        let found = self
            .engine()
            .lookup_one(select, &[&client_id.as_str()], application)
            .await?
            .map(Arc::new);
        if let Some(application) = &found {
            cache.insert(client_id.as_str(), basis, application);
        }
        Ok(found)
    }

    async fn registered_application(
        &self,
        client_id: &ClientId,
    ) -> Result<Option<Application>, StorageError> {
        let select = concat!(select_applications!(), " WHERE client_id = $1");
        self.engine()
            .lookup_one(select, &[&client_id.as_str()], application)
            .await
    }

    async fn applications(&self) -> Result<Vec<Application>, StorageError> {
        let select = concat!(select_applications!(), " ORDER BY client_id");
        self.engine().lookup_all(select, &[], application).await
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
            " WHERE organization = $1 AND (organization_only OR kind = 'machine') AND client_id > $2
             AND ($3 = '' OR strpos(lower(client_id), $3) > 0 OR strpos(lower(name), $3) > 0)
             AND ($4::text IS NULL OR kind = $4)
             ORDER BY client_id LIMIT $5"
        );
        let (text, size) = (filter.text.to_ascii_lowercase(), i64::from(size));
        let key: [Parameter<'_>; 5] = [
            &organization.as_str(),
            &after.map_or("", ClientId::as_str),
            &text,
            &filter.kind.map(kind_name),
            &size,
        ];
        self.engine().lookup_all(select, &key, application).await
    }

    async fn rotate_client_secret(
        &self,
        client_id: &ClientId,
        secret: &TokenHash,
        now: Timestamp,
        overlap_until: Timestamp,
        event: &AuditEvent,
    ) -> Result<SecretRotation, StorageError> {
        let work = RotateSecret {
            client_id,
            secret,
            now,
            overlap_until,
            events: NewEvents::new(slice::from_ref(event), self.engine().rng()),
        };
        self.engine().write(&work).await
    }
}

/// If there is one with its client id, it is updated.
struct PutApplication<'a>(&'a Application);

#[async_trait]
impl NewRecord for PutApplication<'_> {
    async fn insert(&self, transaction: &Transaction) -> Result<bool, EngineError> {
        upsert_application(transaction, self.0).await?;
        Ok(true)
    }
}

/// Its client id must not be taken.
struct AddedApplication<'a>(&'a Application);

#[async_trait]
impl NewRecord for AddedApplication<'_> {
    async fn insert(&self, transaction: &Transaction) -> Result<bool, EngineError> {
        insert_application(transaction, self.0).await
    }
}

/// The stored one is updated, if its stamp is still `based_on`.
struct ChangedApplication<'a> {
    application: &'a Application,
    based_on: &'a ConcurrencyStamp,
}

#[async_trait]
impl NewRecord for ChangedApplication<'_> {
    async fn insert(&self, transaction: &Transaction) -> Result<bool, EngineError> {
        change_application(transaction, self.application, self.based_on).await
    }
}

/// Inserts an application, unless its client id is taken. Returns whether it did.
pub(super) async fn insert_application(
    transaction: &Transaction,
    application: &Application,
) -> Result<bool, EngineError> {
    let insert = concat!(
        insert_applications!(),
        " ON CONFLICT (client_id) DO NOTHING"
    );
    execute_insert(transaction, insert, application).await
}

/// Updates all of an application but its secrets, if its stamp is still `based_on`. Returns whether it did.
async fn change_application(
    transaction: &Transaction,
    application: &Application,
    based_on: &ConcurrencyStamp,
) -> Result<bool, EngineError> {
    let lock = "SELECT 1 FROM applications WHERE client_id = $1 AND concurrency_stamp = $2 FOR NO KEY UPDATE";
    let key: [Parameter<'_>; 2] = [&application.client_id.as_str(), &based_on.as_str()];
    if transaction.row(lock, &key).await?.is_none() {
        return Ok(false);
    }
    upsert_application(transaction, application).await?;
    Ok(true)
}

/// Inserts an application, or updates all but its secrets and whether it is disabled.
pub(super) async fn upsert_application(
    transaction: &Transaction,
    application: &Application,
) -> Result<(), EngineError> {
    let upsert = concat!(
        insert_applications!(),
        " ON CONFLICT (client_id) DO UPDATE SET name = excluded.name, kind = excluded.kind, subject = excluded.subject,
            organization = excluded.organization, grant_types = excluded.grant_types, scopes = excluded.scopes,
            includes_audience = excluded.includes_audience, redirect_uris = excluded.redirect_uris,
            post_logout_uris = excluded.post_logout_uris, id_token_algorithm = excluded.id_token_algorithm,
            revoke_family_on_reuse = excluded.revoke_family_on_reuse, organization_only = excluded.organization_only,
            concurrency_stamp = excluded.concurrency_stamp"
    );
    execute_insert(transaction, upsert, application).await?;
    Ok(())
}

async fn execute_insert(
    transaction: &Transaction,
    statement: &'static str,
    application: &Application,
) -> Result<bool, EngineError> {
    let secret = application.secret.as_ref();
    let organization = application.organization.as_ref();
    let row: [Parameter<'_>; 16] = [
        &application.client_id.as_str(),
        &application.name,
        &kind_name(application.kind),
        &secret.map(|secret| secret.hash.as_bytes()),
        &application.subject.as_ref().map(SubjectId::as_str),
        &organization.map(OrganizationId::as_str),
        &joined(&application.grant_types, GrantType::name),
        &joined(&application.scopes, ScopeKind::name),
        &application.includes_audience,
        &application.redirect_uris.join(" "),
        &application.post_logout_uris.join(" "),
        &application.id_token_algorithm.name(),
        &application.revoke_family_on_reuse,
        &application.organization_only,
        &application.disabled_at.map(Timestamp::as_millis),
        &application.concurrency_stamp.as_str(),
    ];
    Ok(transaction.execute(statement, &row).await? > 0)
}

fn joined<Named: Copy>(named: &[Named], name: fn(Named) -> &'static str) -> String {
    let names: Vec<_> = named.iter().copied().map(name).collect();
    names.join(" ")
}

fn application(row: &Row) -> Result<Application, EngineError> {
    let words = |column: &str| -> Result<Vec<String>, EngineError> {
        let words: &str = row.try_get(column)?;
        Ok(words.split_whitespace().map(str::to_owned).collect())
    };
    let kind: &str = row.try_get("kind")?;
    let kind = [
        ApplicationKind::Public,
        ApplicationKind::Confidential,
        ApplicationKind::Machine,
        ApplicationKind::Api,
    ]
    .into_iter()
    .find(|known| kind_name(*known) == kind)
    .ok_or_else(|| invalid_value(kind, "kind of application"))?;
    let algorithm: &str = row.try_get("id_token_algorithm")?;
    Ok(Application {
        client_id: identifier(row, "client_id")?,
        name: row.try_get("name")?,
        kind,
        secret: secret(row)?,
        subject: optional_identifier(row, "subject")?,
        organization: optional_identifier(row, "organization")?,
        grant_types: words("grant_types")?
            .iter()
            .map(|name| GrantType::named(name).ok_or_else(|| invalid_value(name, "grant")))
            .collect::<Result<_, _>>()?,
        scopes: words("scopes")?
            .iter()
            .map(|name| ScopeKind::named(name).ok_or_else(|| invalid_value(name, "scope")))
            .collect::<Result<_, _>>()?,
        includes_audience: row.try_get("includes_audience")?,
        redirect_uris: words("redirect_uris")?,
        post_logout_uris: words("post_logout_uris")?,
        id_token_algorithm: SigningAlgorithm::named(algorithm)
            .ok_or_else(|| invalid_value(algorithm, "signing algorithm"))?,
        revoke_family_on_reuse: row.try_get("revoke_family_on_reuse")?,
        organization_only: row.try_get("organization_only")?,
        disabled_at: optional_timestamp(row, "disabled_at")?,
        concurrency_stamp: identifier(row, "concurrency_stamp")?,
    })
}

fn secret(row: &Row) -> Result<Option<ClientSecret>, EngineError> {
    let Some(hash) = row.try_get::<_, Option<&[u8]>>("secret_hash")? else {
        return Ok(None);
    };
    let hashes: Vec<&[u8]> = row.try_get("retired_hashes")?;
    let ends: Vec<i64> = row.try_get("retired_ends")?;
    let retired = hashes.into_iter().zip(ends).map(|(hash, until)| {
        Ok(RetiredSecret {
            hash: token_hash(hash)?,
            until: Timestamp::from_millis(until),
        })
    });
    Ok(Some(ClientSecret {
        hash: token_hash(hash)?,
        retired: retired.collect::<Result<_, EngineError>>()?,
    }))
}

fn token_hash(bytes: &[u8]) -> Result<TokenHash, EngineError> {
    TokenHash::from_bytes(bytes)
        .ok_or_else(|| invalid_value("of another length", "hash of a secret"))
}
