//! Rows of `token_authorizations`: what access tokens authorize. Most tokens of a client share one row. Rows are immutable, so
//! that they are cached without a version of the directory.

use std::sync::Arc;

use invoicing_storage::StorageError;
use invoicing_storage::tokens::TokenAuthorization;
use quick_cache::sync::Cache;
use sha2::{Digest as _, Sha256};
use tokio_postgres::Row;

use crate::engine::{Engine, EngineError, identifier};

/// Capacity in rows. A client has one for each set of scopes that it requests.
const CAPACITY: usize = 8_192;

const SELECT: &str =
    "SELECT client_id, scope, audiences, carries_home FROM token_authorizations WHERE id = $1";
const INSERT: &str =
    "INSERT INTO token_authorizations (id, client_id, scope, audiences, carries_home) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT DO NOTHING";

/// Rows by id, each with how many connections had been opened before it was read. The content of a row follows from its id and stays
/// right. That it is committed is known only until there is another connection: a failover can have lost it (decision 0172).
pub(crate) struct TokenAuthorizationCache(Cache<i64, (u64, Arc<TokenAuthorization>)>);

impl TokenAuthorizationCache {
    /// An empty cache.
    pub(crate) fn new() -> Self {
        Self(Cache::new(CAPACITY))
    }

    /// The row with this id, which a token has.
    pub(super) async fn load(
        &self,
        id: i64,
        engine: &Engine,
    ) -> Result<Arc<TokenAuthorization>, StorageError> {
        match self.0.get(&id) {
            Some((_, cached)) => Ok(cached),
            None => self.read(id, engine.opened_connections(), engine).await,
        }
    }

    /// The id of `authorization`, whose row is committed when this returns. A statement that is executed after it can be repeated on
    /// a connection to another server: see [`TokenAuthorizationCache::ensure`].
    pub(super) async fn id(
        &self,
        authorization: &Arc<TokenAuthorization>,
        engine: &Engine,
    ) -> Result<i64, StorageError> {
        let opened = engine.opened_connections();
        let id = content_id(authorization);
        let stored = match self.0.get(&id) {
            Some((when, cached)) if when == opened => cached,
            Some(_) | None => {
                insert(id, authorization, engine).await?;
                self.read(id, opened, engine).await?
            }
        };
        if stored == *authorization {
            Ok(id)
        } else {
            Err(StorageError::corrupt(
                "two token authorizations have the same id",
            ))
        }
    }

    /// Makes sure, after a token was stored with the id of `authorization`, that the server which has the token has the row as well.
    /// A failover between the two finds the row lost and the token stored. Nobody has the token before this returns.
    pub(super) async fn ensure(
        &self,
        authorization: &Arc<TokenAuthorization>,
        engine: &Engine,
    ) -> Result<(), StorageError> {
        self.id(authorization, engine).await?;
        Ok(())
    }

    async fn read(
        &self,
        id: i64,
        opened: u64,
        engine: &Engine,
    ) -> Result<Arc<TokenAuthorization>, StorageError> {
        let row = engine.row(None, SELECT, &[&id]).await?;
        let row = row.ok_or_else(|| StorageError::corrupt("a token without its authorization"))?;
        let authorization = Arc::new(token_authorization(&row)?);
        self.0.insert(id, (opened, authorization.clone()));
        Ok(authorization)
    }
}

/// 63 bits of the SHA-256 of the columns, so that all processes give a row the same id without asking each other.
pub(crate) fn content_id(authorization: &TokenAuthorization) -> i64 {
    let TokenAuthorization {
        client_id,
        scope,
        audiences,
        carries_home,
    } = authorization;
    let mut digest = Sha256::new();
    for column in [client_id.as_str(), scope, &audiences.join(" ")] {
        // With its length, so that no two lists of columns are the same bytes.
        digest.update(column.len().to_be_bytes());
        digest.update(column);
    }
    digest.update([u8::from(*carries_home)]);
    let [a, b, c, d, e, f, g, h, ..] = <[u8; 32]>::from(digest.finalize());
    i64::from_be_bytes([a, b, c, d, e, f, g, h]) & i64::MAX
}

async fn insert(
    id: i64,
    authorization: &TokenAuthorization,
    engine: &Engine,
) -> Result<(), StorageError> {
    let TokenAuthorization {
        client_id,
        scope,
        audiences,
        carries_home,
    } = authorization;
    let audiences = audiences.join(" ");
    engine
        .write_statement(
            &[],
            INSERT,
            &[&id, &client_id.as_str(), scope, &audiences, carries_home],
        )
        .await?;
    Ok(())
}

fn token_authorization(row: &Row) -> Result<TokenAuthorization, EngineError> {
    let audiences: &str = row.try_get("audiences")?;
    Ok(TokenAuthorization {
        client_id: identifier(row, "client_id")?,
        scope: row.try_get("scope")?,
        audiences: audiences.split_whitespace().map(str::to_owned).collect(),
        carries_home: row.try_get("carries_home")?,
    })
}
