//! [`TokenStore`] on SQLite.

mod maintenance;
mod pushed_requests;
mod rows;
mod sessions;
#[cfg(test)]
mod tests;
mod token_authorizations;
mod token_insert;
mod token_statements;
mod token_writer;

pub(crate) use self::token_authorizations::TokenAuthorizationCache;
pub(crate) use self::token_writer::TokenWriter;

use async_trait::async_trait;
use invoicing_contract::Timestamp;
use rusqlite::params;

/// The current version of the cached records.
const SELECT_VERSION: &str = "SELECT number FROM generation";

use self::token_insert::{Consumes, TokenInsert};
use self::token_statements::{INSERT_FAMILY, insert_at_free_key, insert_family};
use crate::{Sqlite, audit};
use invoicing_storage::audit::AuditEvent;
use invoicing_storage::secret::TokenHash;
use invoicing_storage::tokens::{
    AccessToken, AuthorizationCode, Bearer, Family, FoundCode, FoundRefreshToken, InsertOutcome,
    IssuedTokens, PendingStep, Session, TokenStore,
};
use invoicing_storage::{Basis, StorageError};

#[async_trait]
impl TokenStore for Sqlite {
    async fn basis(&self) -> Result<Basis, StorageError> {
        let version = self
            .engine()
            .lookup_one(SELECT_VERSION, (), |row| row.get(0));
        let version = version
            .await?
            .ok_or_else(|| StorageError::corrupt("the table generation is empty"))?;
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
        let key = (cookie.as_bytes(), now.as_millis());
        self.engine()
            .lookup_one(rows::SELECT_SESSION, key, rows::session)
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
        let (family, code) = (family.clone(), code.clone());
        self.engine()
            .write(move |transaction| {
                let mut statement = transaction.prepare_cached(INSERT_FAMILY)?;
                insert_family(&mut statement, &family)?;
                let mut statement = transaction.prepare_cached(
                    "INSERT INTO authorization_codes (lookup_key, hash, family, redirect_uri, code_challenge, nonce, expires_at)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (lookup_key) DO NOTHING",
                )?;
                insert_at_free_key(&code.hash, |lookup_key| {
                    statement.execute(params![
                        lookup_key,
                        code.hash.as_bytes(),
                        family.id,
                        code.redirect_uri,
                        code.code_challenge,
                        code.nonce,
                        code.expires_at.as_millis()
                    ])
                })
            })
            .await
    }

    async fn insert_authorization_with_tokens(
        &self,
        family: Family,
        tokens: IssuedTokens,
        events: Vec<AuditEvent>,
    ) -> Result<(), StorageError> {
        let mut insert = TokenInsert::new(tokens.access, tokens.refresh);
        insert.family = Some(family);
        insert.events = events;
        self.token_writer().insert(insert).await?;
        Ok(())
    }

    async fn authorization_code(
        &self,
        hash: &TokenHash,
    ) -> Result<Option<FoundCode>, StorageError> {
        let key = (hash.lookup_key(), hash.as_bytes());
        self.engine()
            .lookup_one(rows::SELECT_CODE, key, rows::code)
            .await
    }

    async fn redeem_code(
        &self,
        hash: &TokenHash,
        tokens: IssuedTokens,
        now: Timestamp,
        event: AuditEvent,
    ) -> Result<InsertOutcome, StorageError> {
        self.redeem(Consumes::Code(hash.clone()), tokens, now, event)
            .await
    }

    async fn refresh_token(
        &self,
        hash: &TokenHash,
    ) -> Result<Option<FoundRefreshToken>, StorageError> {
        let key = (hash.lookup_key(), hash.as_bytes());
        self.engine()
            .lookup_one(rows::SELECT_REFRESH_TOKEN, key, rows::refresh_token)
            .await
    }

    async fn rotate_refresh_token(
        &self,
        hash: &TokenHash,
        tokens: IssuedTokens,
        now: Timestamp,
        event: AuditEvent,
    ) -> Result<InsertOutcome, StorageError> {
        self.redeem(Consumes::RefreshToken(hash.clone()), tokens, now, event)
            .await
    }

    async fn record_refresh_token_reuse(
        &self,
        hash: &TokenHash,
        revoke_family: bool,
        now: Timestamp,
        event: &AuditEvent,
    ) -> Result<(), StorageError> {
        let (hash, event) = (hash.clone(), event.clone());
        self.engine()
            .write(move |transaction| {
                let key = (hash.lookup_key(), hash.as_bytes(), now.as_millis());
                let recorded = transaction
                    .prepare_cached(
                        "UPDATE refresh_tokens SET reused_at = ?3 WHERE lookup_key BETWEEN ?1 AND ?1 + 7 AND hash = ?2 AND reused_at IS NULL",
                    )?
                    .execute(key)?;
                if recorded == 0 {
                    return Ok(());
                }
                if revoke_family {
                    transaction
                        .prepare_cached(
                            "UPDATE families SET revoked_at = ?3
                             WHERE id = (SELECT family FROM refresh_tokens WHERE lookup_key BETWEEN ?1 AND ?1 + 7 AND hash = ?2)
                                AND revoked_at IS NULL",
                        )?
                        .execute(key)?;
                }
                audit::record_event(transaction, &event)
            })
            .await
    }

    async fn insert_access_token(
        &self,
        access: AccessToken,
        event: AuditEvent,
        basis: Basis,
    ) -> Result<InsertOutcome, StorageError> {
        let mut insert = TokenInsert::new(access, None);
        insert.events = vec![event];
        insert.assumed = Some(basis).filter(|basis| basis.is_assumed());
        self.token_writer().insert(insert).await
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
        now: Timestamp,
        event: &AuditEvent,
    ) -> Result<(), StorageError> {
        let update = "UPDATE families SET revoked_at = ?2 WHERE id = ?1 AND revoked_at IS NULL";
        self.execute_audited(update, (family, now.as_millis()), event)
            .await?;
        Ok(())
    }

    async fn revoke_access_token(
        &self,
        hash: &TokenHash,
        now: Timestamp,
        event: &AuditEvent,
    ) -> Result<(), StorageError> {
        let update = "UPDATE access_tokens SET revoked_at = ?3 WHERE lookup_key BETWEEN ?1 AND ?1 + 7 AND hash = ?2 AND revoked_at IS NULL";
        let key = (hash.lookup_key(), hash.as_bytes().to_vec(), now.as_millis());
        self.execute_audited(update, key, event).await?;
        Ok(())
    }

    async fn maintain(&self, now: Timestamp) -> Result<u64, StorageError> {
        maintenance::delete_expired(self.engine(), now).await
    }
}

impl Sqlite {
    async fn access_token_and_basis(
        &self,
        hash: &TokenHash,
        now: Timestamp,
    ) -> Result<Option<(AccessToken, Basis)>, StorageError> {
        let key = (hash.lookup_key(), hash.as_bytes(), now.as_millis());
        let select = rows::SELECT_VALID_ACCESS_TOKEN;
        let row = self.engine().lookup_one(select, key, rows::access_token);
        let Some(row) = row.await? else {
            return Ok(None);
        };
        let authorizations = self.token_authorizations();
        let authorization = authorizations.load(row.authorization_id, self.engine());
        let (authorization, basis) = (authorization.await?, row.basis);
        Ok(Some((row.into_token(authorization), basis)))
    }

    async fn redeem(
        &self,
        consumes: Consumes,
        tokens: IssuedTokens,
        now: Timestamp,
        event: AuditEvent,
    ) -> Result<InsertOutcome, StorageError> {
        let mut insert = TokenInsert::new(tokens.access, tokens.refresh);
        insert.consumes = Some(consumes);
        insert.now = now;
        insert.events = vec![event];
        self.token_writer().insert(insert).await
    }
}
