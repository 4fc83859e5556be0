//! The statements that insert tokens.

use std::sync::Arc;

use invoicing_contract::Timestamp;
use rusqlite::{CachedStatement, Connection, params};

use super::rows::PROBE_LIMIT;
use super::token_authorizations::{self, TokenAuthorizationCache};
use super::token_insert::{Consumes, TokenInsert};
use crate::audit;
use crate::engine::EngineError;
use invoicing_storage::StorageError;
use invoicing_storage::secret::TokenHash;
use invoicing_storage::tokens::{
    AccessToken, Family, InsertOutcome, RefreshToken, TokenAuthorization,
};

/// Runs `insert` with the lookup key of `hash`, or with the next that is free. `insert` returns 0 for a key that is taken.
///
/// # Errors
/// [`StorageError::Busy`] when [`PROBE_LIMIT`] keys are taken: a lookup would not find a later one.
pub(super) fn insert_at_free_key(
    hash: &TokenHash,
    mut insert: impl FnMut(i64) -> rusqlite::Result<usize>,
) -> Result<(), EngineError> {
    for lookup_key in (hash.lookup_key()..).take(PROBE_LIMIT) {
        if insert(lookup_key)? > 0 {
            return Ok(());
        }
    }
    Err(StorageError::Busy.into())
}

/// Inserts an authorization.
pub(super) fn insert_family(
    statement: &mut CachedStatement<'_>,
    family: &Family,
) -> rusqlite::Result<()> {
    statement.execute(params![
        family.id,
        family.client_id.as_str(),
        family.subject.as_str(),
        family.session_id.as_deref().unwrap_or_default(),
        family.scope,
        family.epoch,
        family.authenticated_at.as_millis(),
        family.expires_at.as_millis()
    ])?;
    Ok(())
}

const CONSUME_CODE: &str =
    "UPDATE authorization_codes SET used_at = ?3 WHERE lookup_key BETWEEN ?1 AND ?1 + 7 AND hash = ?2 AND used_at IS NULL
     AND EXISTS (SELECT 1 FROM families f WHERE f.id = family AND f.revoked_at IS NULL)";
const CONSUME_REFRESH_TOKEN: &str =
    "UPDATE refresh_tokens SET used_at = ?3 WHERE lookup_key BETWEEN ?1 AND ?1 + 7 AND hash = ?2 AND used_at IS NULL
     AND EXISTS (SELECT 1 FROM families f WHERE f.id = family AND f.revoked_at IS NULL)";
pub(super) const INSERT_FAMILY: &str =
    "INSERT INTO families (id, client_id, subject, session_id, scope, epoch, authenticated_at, expires_at)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
const INSERT_ACCESS_TOKEN: &str =
    "INSERT INTO access_tokens (lookup_key, hash, family, token_authorization, subject, epoch, actor, actor_epoch, issued_at, expires_at)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) ON CONFLICT (lookup_key) DO NOTHING";
const INSERT_REFRESH_TOKEN: &str =
    "INSERT INTO refresh_tokens (lookup_key, hash, family, expires_at)
     VALUES (?1, ?2, ?3, ?4) ON CONFLICT (lookup_key) DO NOTHING";

/// The prepared statements of a batch.
pub(super) struct TokenStatements<'transaction> {
    consume_code: CachedStatement<'transaction>,
    consume_refresh_token: CachedStatement<'transaction>,
    insert_family: CachedStatement<'transaction>,
    insert_access_token: CachedStatement<'transaction>,
    insert_refresh_token: CachedStatement<'transaction>,
    insert_event: CachedStatement<'transaction>,
    transaction: &'transaction Connection,
    authorizations: &'transaction TokenAuthorizationCache,
    /// Those that were not cached, with their ids.
    inserted_authorizations: Vec<(Arc<TokenAuthorization>, i64)>,
}

impl<'transaction> TokenStatements<'transaction> {
    pub(super) fn prepare(
        transaction: &'transaction Connection,
        authorizations: &'transaction TokenAuthorizationCache,
    ) -> rusqlite::Result<Self> {
        Ok(Self {
            consume_code: transaction.prepare_cached(CONSUME_CODE)?,
            consume_refresh_token: transaction.prepare_cached(CONSUME_REFRESH_TOKEN)?,
            insert_family: transaction.prepare_cached(INSERT_FAMILY)?,
            insert_access_token: transaction.prepare_cached(INSERT_ACCESS_TOKEN)?,
            insert_refresh_token: transaction.prepare_cached(INSERT_REFRESH_TOKEN)?,
            insert_event: transaction.prepare_cached(audit::INSERT)?,
            transaction,
            authorizations,
            inserted_authorizations: Vec::new(),
        })
    }

    /// Inserts the tokens, unless what they consume was used before.
    pub(super) fn insert(&mut self, insert: &TokenInsert) -> Result<InsertOutcome, EngineError> {
        if let Some(consumes) = &insert.consumes
            && !self.consume(consumes, insert.now)?
        {
            return Ok(InsertOutcome::AlreadyUsed);
        }
        if let Some(family) = &insert.family {
            insert_family(&mut self.insert_family, family)?;
        }
        self.insert_access_token(&insert.access)?;
        if let Some(refresh) = &insert.refresh {
            self.insert_refresh_token(refresh, insert.access.family)?;
        }
        for event in &insert.events {
            audit::insert(&mut self.insert_event, event)?;
        }
        Ok(InsertOutcome::Inserted)
    }

    /// The token authorizations that were not cached, with the ids that are theirs after the commit.
    pub(super) fn inserted_authorizations(self) -> Vec<(Arc<TokenAuthorization>, i64)> {
        self.inserted_authorizations
    }

    fn consume(&mut self, consumes: &Consumes, now: Timestamp) -> rusqlite::Result<bool> {
        let (statement, hash) = match consumes {
            Consumes::Code(hash) => (&mut self.consume_code, hash),
            Consumes::RefreshToken(hash) => (&mut self.consume_refresh_token, hash),
        };
        let key = (hash.lookup_key(), hash.as_bytes(), now.as_millis());
        Ok(statement.execute(key)? > 0)
    }

    fn insert_access_token(&mut self, access: &AccessToken) -> Result<(), EngineError> {
        let authorization = self.authorization_id(&access.authorization)?;
        insert_at_free_key(&access.hash, |lookup_key| {
            self.insert_access_token.execute(params![
                lookup_key,
                access.hash.as_bytes(),
                access.family,
                authorization,
                access.subject.as_str(),
                access.epoch,
                access.actor.as_ref().map(|actor| actor.subject.as_str()),
                access.actor.as_ref().map(|actor| actor.epoch),
                access.issued_at.as_millis(),
                access.expires_at.as_millis()
            ])
        })
    }

    fn insert_refresh_token(
        &mut self,
        refresh: &RefreshToken,
        family: Option<i64>,
    ) -> Result<(), EngineError> {
        insert_at_free_key(&refresh.hash, |lookup_key| {
            let row = (
                lookup_key,
                refresh.hash.as_bytes(),
                family,
                refresh.expires_at.as_millis(),
            );
            self.insert_refresh_token.execute(row)
        })
    }

    fn authorization_id(
        &mut self,
        authorization: &Arc<TokenAuthorization>,
    ) -> rusqlite::Result<i64> {
        if let Some(id) = self.authorizations.id(authorization) {
            return Ok(id);
        }
        let id = token_authorizations::find_or_insert(authorization, self.transaction)?;
        self.inserted_authorizations
            .push((authorization.clone(), id));
        Ok(id)
    }
}

#[cfg(test)]
mod tests {
    use rusqlite::Connection;

    use super::*;

    #[test]
    fn hashes_with_one_lookup_key_take_the_next_free_keys_up_to_the_probe_limit() {
        let database = Connection::open_in_memory().unwrap();
        database
            .execute_batch(
                "CREATE TABLE tokens (lookup_key INTEGER PRIMARY KEY, hash BYTEA NOT NULL)",
            )
            .unwrap();
        // The last key that is probed is taken by another hash.
        let (key, other) = (1_000, TokenHash::of("other"));
        database
            .execute("INSERT INTO tokens VALUES (1007, ?1)", [other.as_bytes()])
            .unwrap();
        let hashes: Vec<_> = (0..8)
            .map(|each| TokenHash::stored(key, TokenHash::of(&format!("{each}")).as_bytes()))
            .map(Option::unwrap)
            .collect();
        let insert = |hash: &TokenHash| {
            insert_at_free_key(hash, |lookup_key| {
                let row = params![lookup_key, hash.as_bytes()];
                let insert =
                    "INSERT INTO tokens VALUES (?1, ?2) ON CONFLICT (lookup_key) DO NOTHING";
                database.execute(insert, row)
            })
        };
        let (last, first) = hashes.split_last().unwrap();
        for hash in first {
            insert(hash).unwrap();
        }
        assert!(insert(last).is_err(), "no lookup would find it");
        for hash in first {
            let select = "SELECT lookup_key FROM tokens WHERE lookup_key BETWEEN ?1 AND ?1 + 7 AND hash = ?2";
            let parameters = params![hash.lookup_key(), hash.as_bytes()];
            let found: i64 = database
                .query_row(select, parameters, |row| row.get(0))
                .unwrap();
            assert!((1_000..1_007).contains(&found));
        }
    }
}
