//! [`ApplicationStore`] on PostgreSQL.

use std::slice;
use std::sync::Arc;

use async_trait::async_trait;
use invoicing_contract::ready::ApplicationKind;
use invoicing_contract::{ClientId, OrganizationId, SubjectId, Timestamp};
use invoicing_storage::applications::{
    Application, ApplicationStore, ClientSecret, GrantType, MAX_RETIRED_SECRETS, RetiredSecret,
    ScopeKind, SecretRotation, kind_name,
};
use invoicing_storage::audit::AuditEvent;
use invoicing_storage::keys::SigningAlgorithm;
use invoicing_storage::secret::TokenHash;
use invoicing_storage::{Basis, StorageError};
use tokio_postgres::Row;

use super::increment_version;
use super::new_records::NewRecord;
use crate::Postgres;
use crate::audit::NewEvents;
use crate::engine::{
    EngineError, Transaction, TransactionEnd, TransactionWork, identifier, invalid_value,
    optional_identifier,
};

/// Selects the columns that [`application`] reads.
macro_rules! select_applications {
    () => {
        "SELECT client_id, name, kind, secret_hash, subject, organization, grant_types, scopes, includes_audience,
            redirect_uris, post_logout_uris, id_token_algorithm, revoke_family_on_reuse,
            ARRAY(SELECT r.hash FROM retired_client_secrets r WHERE r.client_id = a.client_id ORDER BY r.until, r.hash)
                AS retired_hashes,
            ARRAY(SELECT r.until FROM retired_client_secrets r WHERE r.client_id = a.client_id ORDER BY r.until, r.hash)
                AS retired_ends
         FROM applications a"
    };
}

#[async_trait]
impl ApplicationStore for Postgres {
    async fn put_application(
        &self,
        application: &Application,
        event: &AuditEvent,
    ) -> Result<(), StorageError> {
        let record = NewRecord::Application(application);
        record.insert(self, slice::from_ref(event)).await?;
        Ok(())
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
        let select = concat!(select_applications!(), " WHERE client_id = $1");
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

    async fn applications(&self) -> Result<Vec<Application>, StorageError> {
        let select = concat!(select_applications!(), " ORDER BY client_id");
        self.engine().lookup_all(select, &[], application).await
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

/// Replaces a secret.
struct RotateSecret<'a> {
    client_id: &'a ClientId,
    secret: &'a TokenHash,
    now: Timestamp,
    overlap_until: Timestamp,
    events: NewEvents<'a>,
}

#[async_trait]
impl TransactionWork for RotateSecret<'_> {
    type Output = SecretRotation;

    fn partition_times(&self) -> Vec<Timestamp> {
        self.events.times()
    }

    async fn run(
        &self,
        transaction: &Transaction,
    ) -> Result<TransactionEnd<SecretRotation>, EngineError> {
        let client_id = self.client_id.as_str();
        // Rotations of one application happen one after the other: each sees the secrets that those before it have retired.
        let lock = "SELECT secret_hash FROM applications WHERE client_id = $1 AND secret_hash IS NOT NULL FOR UPDATE";
        let Some(row) = transaction.row(lock, &[&client_id]).await? else {
            return Ok(TransactionEnd::Rollback(SecretRotation::NoSecret));
        };
        if self.events.are_recorded(transaction).await? {
            return Ok(TransactionEnd::Rollback(SecretRotation::Rotated));
        }
        let present: Vec<u8> = row.try_get("secret_hash")?;
        if self.now < self.overlap_until {
            if self.retired(transaction).await? >= i64::from(MAX_RETIRED_SECRETS) {
                return Ok(TransactionEnd::Rollback(SecretRotation::TooManyRetired));
            }
            self.delete_retired(transaction, self.now).await?;
            let insert =
                "INSERT INTO retired_client_secrets (client_id, hash, until) VALUES ($1, $2, $3)";
            let until = self.overlap_until.as_millis();
            transaction
                .execute(insert, &[&client_id, &present, &until])
                .await?;
        } else {
            let all = Timestamp::from_millis(i64::MAX);
            self.delete_retired(transaction, all).await?;
        }
        let update = "UPDATE applications SET secret_hash = $2 WHERE client_id = $1";
        transaction
            .execute(update, &[&client_id, &self.secret.as_bytes()])
            .await?;
        self.events.record(transaction).await?;
        increment_version(transaction).await?;
        Ok(TransactionEnd::Commit(SecretRotation::Rotated))
    }
}

impl RotateSecret<'_> {
    /// How many retired secrets are still accepted.
    async fn retired(&self, transaction: &Transaction) -> Result<i64, EngineError> {
        let count = "SELECT count(*) AS retired FROM retired_client_secrets WHERE client_id = $1 AND until > $2";
        let key = self.client_id.as_str();
        let row = transaction
            .row(count, &[&key, &self.now.as_millis()])
            .await?;
        Ok(row.map_or(Ok(0), |row| row.try_get("retired"))?)
    }

    /// Deletes those that ended by `until`.
    async fn delete_retired(
        &self,
        transaction: &Transaction,
        until: Timestamp,
    ) -> Result<(), EngineError> {
        let delete = "DELETE FROM retired_client_secrets WHERE client_id = $1 AND until <= $2";
        let key = self.client_id.as_str();
        transaction
            .execute(delete, &[&key, &until.as_millis()])
            .await?;
        Ok(())
    }
}

/// Inserts an application, or updates all but its secrets.
pub(super) async fn upsert_application(
    transaction: &Transaction,
    application: &Application,
) -> Result<(), EngineError> {
    let upsert =
        "INSERT INTO applications (client_id, name, kind, secret_hash, subject, organization, grant_types, scopes,
            includes_audience, redirect_uris, post_logout_uris, id_token_algorithm, revoke_family_on_reuse)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
         ON CONFLICT (client_id) DO UPDATE SET name = excluded.name, kind = excluded.kind, subject = excluded.subject,
            organization = excluded.organization, grant_types = excluded.grant_types, scopes = excluded.scopes,
            includes_audience = excluded.includes_audience, redirect_uris = excluded.redirect_uris,
            post_logout_uris = excluded.post_logout_uris, id_token_algorithm = excluded.id_token_algorithm,
            revoke_family_on_reuse = excluded.revoke_family_on_reuse";
    let secret = application.secret.as_ref();
    let organization = application.organization.as_ref();
    transaction
        .execute(
            upsert,
            &[
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
            ],
        )
        .await?;
    Ok(())
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
