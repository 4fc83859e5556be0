//! Rows of `token_authorizations`: what access tokens authorize. Most tokens of a client share one row. Rows are immutable, so
//! that they are cached without a version.

use std::sync::Arc;

use quick_cache::sync::Cache;
use rusqlite::{Connection, OptionalExtension as _, Row, params};

use crate::engine::{Engine, identifier};
use invoicing_storage::StorageError;
use invoicing_storage::tokens::TokenAuthorization;

/// Capacity in rows. A client has one for each set of scopes that it requests.
const CAPACITY: usize = 8_192;

/// The cached rows, by id and by value.
pub(crate) struct TokenAuthorizationCache {
    by_id: Cache<i64, Arc<TokenAuthorization>>,
    ids: Cache<Arc<TokenAuthorization>, i64>,
}

impl TokenAuthorizationCache {
    /// An empty cache.
    pub(crate) fn new() -> Self {
        Self {
            by_id: Cache::new(CAPACITY),
            ids: Cache::new(CAPACITY),
        }
    }

    /// The row with this id.
    pub(super) async fn load(
        &self,
        id: i64,
        engine: &Engine,
    ) -> Result<Arc<TokenAuthorization>, StorageError> {
        if let Some(cached) = self.by_id.get(&id) {
            return Ok(cached);
        }
        let select = "SELECT client_id, scope, audiences, carries_home FROM token_authorizations WHERE id = ?1";
        let row = engine.lookup_one(select, [id], token_authorization).await?;
        let row = row.ok_or_else(|| StorageError::corrupt("a token without its authorization"))?;
        let row = Arc::new(row);
        self.by_id.insert(id, row.clone());
        Ok(row)
    }

    /// The id of `authorization`, if it is known to be committed.
    pub(super) fn id(&self, authorization: &TokenAuthorization) -> Option<i64> {
        self.ids.get(authorization)
    }

    /// Caches the id of `authorization`, which is committed.
    pub(super) fn insert_id(&self, authorization: Arc<TokenAuthorization>, id: i64) {
        self.ids.insert(authorization, id);
    }
}

/// The id of `authorization`. Its row is inserted if there is none.
pub(super) fn find_or_insert(
    authorization: &TokenAuthorization,
    connection: &Connection,
) -> rusqlite::Result<i64> {
    let TokenAuthorization {
        client_id,
        scope,
        audiences,
        carries_home,
    } = authorization;
    let key = params![client_id.as_str(), scope, audiences.join(" "), carries_home];
    let mut select = connection.prepare_cached(
        "SELECT id FROM token_authorizations WHERE client_id = ?1 AND scope = ?2 AND audiences = ?3 AND carries_home = ?4",
    )?;
    if let Some(id) = select.query_row(key, |row| row.get(0)).optional()? {
        return Ok(id);
    }
    let mut insert = connection.prepare_cached(
        "INSERT INTO token_authorizations (client_id, scope, audiences, carries_home) VALUES (?1, ?2, ?3, ?4)",
    )?;
    insert.insert(key)
}

fn token_authorization(row: &Row<'_>) -> rusqlite::Result<TokenAuthorization> {
    let audiences = row.get_ref(2)?.as_str()?;
    Ok(TokenAuthorization {
        client_id: identifier(row, 0)?,
        scope: row.get(1)?,
        audiences: audiences.split_whitespace().map(str::to_owned).collect(),
        carries_home: row.get(3)?,
    })
}

#[cfg(test)]
mod tests {
    use crate::Sqlite;

    #[tokio::test]
    async fn token_authorizations_can_be_inserted_but_not_updated_or_deleted() {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite:{}", folder.path().join("invoicing.db").display());
        let store = Sqlite::open(&url).await.unwrap();
        for (statement, allowed) in [
            (
                "INSERT INTO token_authorizations (client_id, scope, audiences, carries_home) VALUES ('c', '', '', TRUE)",
                true,
            ),
            ("UPDATE token_authorizations SET scope = 'openid'", false),
            ("DELETE FROM token_authorizations", false),
        ] {
            let outcome = store
                .engine()
                .write(move |transaction| Ok(transaction.execute(statement, ())?));
            assert_eq!(outcome.await.is_ok(), allowed, "{statement}");
        }
        store.close().await;
    }
}
