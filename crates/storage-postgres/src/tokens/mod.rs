//! [`TokenStore`] on PostgreSQL.

mod access_token_queue;
mod maintenance;
mod pushed_requests;
mod rows;
mod sessions;
#[cfg(test)]
mod tests;
mod token_authorizations;
mod token_statements;

pub(crate) use self::access_token_queue::AccessTokenQueue;
pub(crate) use self::token_authorizations::{TokenAuthorizationCache, content_id};

use std::sync::Arc;

use async_trait::async_trait;
use invoicing_contract::Timestamp;
use invoicing_storage::audit::AuditEvent;
use invoicing_storage::secret::{TokenHash, time_of};
use invoicing_storage::tokens::{
    AccessToken, AuthorizationCode, Bearer, Family, FoundCode, FoundRefreshToken, InsertOutcome,
    IssuedTokens, PendingStep, RefreshToken, Session, TokenAuthorization, TokenStore,
};
use invoicing_storage::{Basis, StorageError};

use self::access_token_queue::AccessTokenInsert;
use self::token_statements::{Consumes, TokenInsert};
use crate::Postgres;
use crate::audit::{NewEvents, insert_events_where};
use crate::engine::{EngineError, Parameter};

/// The current version of the cached records.
const SELECT_VERSION: &str = "SELECT number FROM versions WHERE name = 'directory'";

/// Inserts a family with its code. The update changes nothing: it only returns the row of a repetition, and none if the id belongs
/// to another family.
const INSERT_FAMILY: &str = "INSERT INTO families AS f (id, bucket, client_id, subject, session_id, scope, epoch,
        authenticated_at, expires_at, code_number, code_hash, redirect_uri, code_challenge, nonce, code_expires_at)
     VALUES ($1::bigint, ($1::bigint & 1023)::smallint, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
     ON CONFLICT (id, bucket) DO UPDATE SET id = excluded.id WHERE f.code_hash = excluded.code_hash
     RETURNING id";

/// Until the last access token of the family has expired: the family itself ends 91 days after its id at the latest.
const REVOKE_FAMILY: &str = "INSERT INTO revoked (bucket, kind, number, hash, expires_at)
     SELECT bucket, 'family', id, '', (id >> 21) + 92 * 86400000::bigint FROM families
     WHERE id = $1::bigint AND bucket = ($1::bigint & 1023)::smallint
     ON CONFLICT DO NOTHING";

const REVOKE_ACCESS_TOKEN: &str = "INSERT INTO revoked (bucket, kind, number, hash, expires_at)
     SELECT bucket, 'access_token', number, hash, expires_at FROM access_tokens
     WHERE number = $1::bigint AND hash = $2 AND bucket = ($1::bigint & 1023)::smallint
     ON CONFLICT DO NOTHING";

/// Marks the refresh token `$2`, `$3` as reused, unless it is, and revokes its family if `$5`.
const RECORD_REUSE: &str = concat!(
    "WITH reused AS (
        UPDATE refresh_tokens SET reused_at = $4::bigint
        WHERE number = $2::bigint AND hash = $3::bytea AND bucket = ($2::bigint & 1023)::smallint AND reused_at IS NULL
        RETURNING family, bucket
     ), revocation AS (
        INSERT INTO revoked (bucket, kind, number, hash, expires_at)
        SELECT bucket, 'family', family, '', (family >> 21) + 92 * 86400000::bigint FROM reused
        WHERE $5::boolean ON CONFLICT DO NOTHING
     ) ",
    insert_events_where!("EXISTS (SELECT FROM reused)")
);

#[async_trait]
impl TokenStore for Postgres {
    async fn basis(&self) -> Result<Basis, StorageError> {
        let row = self.engine().row(None, SELECT_VERSION, &[]).await?;
        let row =
            row.ok_or_else(|| StorageError::corrupt("the version of the directory is missing"))?;
        let version = row.try_get("number").map_err(EngineError::from)?;
        Ok(self.read_cache().basis(version))
    }

    fn assumed_basis(&self) -> Option<Basis> {
        self.read_cache().assumed_basis()
    }

    async fn begin_session(
        &self,
        session: &Session,
        event: &AuditEvent,
    ) -> Result<(), StorageError> {
        sessions::begin(self, session, event).await
    }

    async fn advance_session(
        &self,
        id: &str,
        pending: Option<PendingStep>,
        epoch: i64,
        now: Timestamp,
    ) -> Result<(), StorageError> {
        sessions::advance(self.engine(), id, pending, epoch, now).await
    }

    async fn session(
        &self,
        cookie: &TokenHash,
        now: Timestamp,
    ) -> Result<Option<Session>, StorageError> {
        let key: [Parameter<'_>; 2] = [&cookie.as_bytes(), &now.as_millis()];
        self.engine()
            .lookup_one(rows::SELECT_SESSION, &key, rows::session)
            .await
    }

    async fn end_session(
        &self,
        id: &str,
        now: Timestamp,
        event: &AuditEvent,
    ) -> Result<(), StorageError> {
        sessions::end(self, id, now, event).await
    }

    async fn insert_authorization(
        &self,
        family: &Family,
        code: &AuthorizationCode,
    ) -> Result<(), StorageError> {
        let inserted = self
            .engine()
            .write_statement(
                &[time_of(family.id)],
                INSERT_FAMILY,
                &[
                    &family.id,
                    &family.client_id.as_str(),
                    &family.subject.as_str(),
                    &family.session_id,
                    &family.scope,
                    &family.epoch,
                    &family.authenticated_at.as_millis(),
                    &family.expires_at.as_millis(),
                    &code.hash.lookup_key(),
                    &code.hash.as_bytes(),
                    &code.redirect_uri,
                    &code.code_challenge,
                    &code.nonce,
                    &code.expires_at.as_millis(),
                ],
            )
            .await?;
        taken_unless(!inserted.is_empty())
    }

    async fn insert_authorization_with_tokens(
        &self,
        family: Family,
        tokens: IssuedTokens,
        events: Vec<AuditEvent>,
    ) -> Result<(), StorageError> {
        let (access, refresh) = (&tokens.access, tokens.refresh.as_ref());
        let insert = self.token_insert(access, refresh, &events).await?;
        taken_unless(insert.insert_with_family(&family, self.engine()).await?)?;
        self.ensure_authorization(&access.authorization).await
    }

    async fn authorization_code(
        &self,
        hash: &TokenHash,
    ) -> Result<Option<FoundCode>, StorageError> {
        let key: [Parameter<'_>; 2] = [&hash.lookup_key(), &hash.as_bytes()];
        self.engine()
            .lookup_one(rows::SELECT_CODE, &key, rows::code)
            .await
    }

    async fn redeem_code(
        &self,
        hash: &TokenHash,
        tokens: IssuedTokens,
        now: Timestamp,
        event: AuditEvent,
    ) -> Result<InsertOutcome, StorageError> {
        self.redeem(&Consumes::Code(hash), &tokens, now, &event)
            .await
    }

    async fn refresh_token(
        &self,
        hash: &TokenHash,
    ) -> Result<Option<FoundRefreshToken>, StorageError> {
        let key: [Parameter<'_>; 2] = [&hash.lookup_key(), &hash.as_bytes()];
        self.engine()
            .lookup_one(rows::SELECT_REFRESH_TOKEN, &key, rows::refresh_token)
            .await
    }

    async fn rotate_refresh_token(
        &self,
        hash: &TokenHash,
        tokens: IssuedTokens,
        now: Timestamp,
        event: AuditEvent,
    ) -> Result<InsertOutcome, StorageError> {
        self.redeem(&Consumes::RefreshToken(hash), &tokens, now, &event)
            .await
    }

    async fn record_refresh_token_reuse(
        &self,
        hash: &TokenHash,
        revoke_family: bool,
        now: Timestamp,
        event: &AuditEvent,
    ) -> Result<(), StorageError> {
        let events = NewEvents::new(std::slice::from_ref(event), self.engine().rng());
        self.engine()
            .write_statement(
                &events.times(),
                RECORD_REUSE,
                &[
                    &events.to_json()?,
                    &hash.lookup_key(),
                    &hash.as_bytes(),
                    &now.as_millis(),
                    &revoke_family,
                ],
            )
            .await?;
        Ok(())
    }

    async fn insert_access_token(
        &self,
        access: AccessToken,
        event: AuditEvent,
        basis: Basis,
    ) -> Result<InsertOutcome, StorageError> {
        let authorizations = self.token_authorizations();
        let authorization = access.authorization.clone();
        let insert = AccessTokenInsert {
            authorization: authorizations.id(&authorization, self.engine()).await?,
            access,
            event,
            version: basis.is_assumed().then(|| basis.version()),
        };
        if !self.access_token_queue().insert(insert).await? {
            return Ok(InsertOutcome::Outdated);
        }
        self.ensure_authorization(&authorization).await?;
        Ok(InsertOutcome::Inserted)
    }

    async fn access_token(
        &self,
        hash: &TokenHash,
        now: Timestamp,
    ) -> Result<Option<AccessToken>, StorageError> {
        let found = self.access_token_and_basis(hash, now).await?;
        Ok(found.map(|(token, _)| token))
    }

    async fn bearer(
        &self,
        hash: &TokenHash,
        now: Timestamp,
    ) -> Result<Option<Bearer>, StorageError> {
        match self.access_token_and_basis(hash, now).await? {
            Some((token, basis)) => Bearer::of(token, basis, self).await,
            None => Ok(None),
        }
    }

    async fn revoke_family(
        &self,
        family: i64,
        _now: Timestamp,
        event: &AuditEvent,
    ) -> Result<(), StorageError> {
        self.execute_audited(REVOKE_FAMILY, &[&family], event)
            .await?;
        Ok(())
    }

    async fn revoke_access_token(
        &self,
        hash: &TokenHash,
        _now: Timestamp,
        event: &AuditEvent,
    ) -> Result<(), StorageError> {
        let key: [Parameter<'_>; 2] = [&hash.lookup_key(), &hash.as_bytes()];
        self.execute_audited(REVOKE_ACCESS_TOKEN, &key, event)
            .await?;
        Ok(())
    }

    async fn maintain(&self, now: Timestamp) -> Result<u64, StorageError> {
        maintenance::delete_expired(self.engine(), now).await
    }
}

impl Postgres {
    async fn token_insert<'a>(
        &self,
        access: &'a AccessToken,
        refresh: Option<&'a RefreshToken>,
        events: &[AuditEvent],
    ) -> Result<TokenInsert<'a>, StorageError> {
        let authorizations = self.token_authorizations();
        TokenInsert::new(access, refresh, events, self.engine(), authorizations).await
    }

    async fn redeem(
        &self,
        consumes: &Consumes<'_>,
        tokens: &IssuedTokens,
        now: Timestamp,
        event: &AuditEvent,
    ) -> Result<InsertOutcome, StorageError> {
        let events = std::slice::from_ref(event);
        let refresh = tokens.refresh.as_ref();
        let insert = self.token_insert(&tokens.access, refresh, events).await?;
        if !insert.redeem(consumes, now, self.engine()).await? {
            return Ok(InsertOutcome::AlreadyUsed);
        }
        let authorization = &tokens.access.authorization;
        self.ensure_authorization(authorization).await?;
        Ok(InsertOutcome::Inserted)
    }

    async fn ensure_authorization(
        &self,
        authorization: &Arc<TokenAuthorization>,
    ) -> Result<(), StorageError> {
        let authorizations = self.token_authorizations();
        authorizations.ensure(authorization, self.engine()).await
    }

    async fn access_token_and_basis(
        &self,
        hash: &TokenHash,
        now: Timestamp,
    ) -> Result<Option<(AccessToken, Basis)>, StorageError> {
        let key: [Parameter<'_>; 3] = [&hash.lookup_key(), &hash.as_bytes(), &now.as_millis()];
        let select = rows::SELECT_VALID_ACCESS_TOKEN;
        let row = self.engine().lookup_one(select, &key, rows::access_token);
        let Some(row) = row.await? else {
            return Ok(None);
        };
        let authorizations = self.token_authorizations();
        let authorization = authorizations.load(row.authorization_id, self.engine());
        let (authorization, basis) = (authorization.await?, row.basis);
        Ok(Some((row.into_token(authorization), basis)))
    }
}

/// [`StorageError::Busy`] unless a family was inserted: another one of the same millisecond has its id, and a repetition of the
/// request gets a new one.
const fn taken_unless(inserted: bool) -> Result<(), StorageError> {
    if inserted {
        Ok(())
    } else {
        Err(StorageError::Busy)
    }
}
