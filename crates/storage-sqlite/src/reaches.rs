//! How far tokens reach (table `token_authorizations`): written once for all that reach alike, and never changed, so that it may be kept in
//! memory by whoever has read it.

use std::sync::Arc;

use quick_cache::sync::Cache;
use rusqlite::{Connection, OptionalExtension as _, Row, params};

use super::engine::Engine;
use invoicing_storage::StorageError;
use invoicing_storage::tokens::Reach;

/// So many are kept. An application has one for each choice of scopes that it makes.
const KEPT: usize = 8_192;

/// Those that are known, by their numbers and the other way round.
pub(super) struct Reaches {
    known: Cache<i64, Arc<Reach>>,
    numbers: Cache<Arc<Reach>, i64>,
}

impl Reaches {
    /// Nothing yet.
    pub(super) fn new() -> Self {
        Self {
            known: Cache::new(KEPT),
            numbers: Cache::new(KEPT),
        }
    }

    /// The one with this number.
    pub(super) async fn known(
        &self,
        number: i64,
        engine: &Engine,
    ) -> Result<Arc<Reach>, StorageError> {
        if let Some(known) = self.known.get(&number) {
            return Ok(known);
        }
        let select = "SELECT client_id, scope, audiences, carries_home FROM token_authorizations WHERE id = ?1";
        let read = engine.lookup_one(select, [number], reach).await?;
        let read = read.ok_or_else(|| {
            StorageError::corrupt("a token does not say how far it reaches".to_owned())
        })?;
        let read = Arc::new(read);
        self.known.insert(number, read.clone());
        Ok(read)
    }

    /// The number of `reach`, if it is known to be on the disk.
    pub(super) fn number(&self, reach: &Reach) -> Option<i64> {
        self.numbers.get(reach)
    }

    /// The number of `reach`, which is on the disk by now.
    pub(super) fn written(&self, reach: Arc<Reach>, number: i64) {
        self.numbers.insert(reach, number);
    }
}

/// The number of `reach`, which the transaction of `connection` writes if it has none.
pub(super) fn write(reach: &Reach, connection: &Connection) -> rusqlite::Result<i64> {
    let Reach {
        client_id,
        scope,
        audiences,
        carries_home,
    } = reach;
    let key = params![client_id, scope, audiences.join(" "), carries_home];
    let mut select = connection.prepare_cached(
        "SELECT id FROM token_authorizations WHERE client_id = ?1 AND scope = ?2 AND audiences = ?3 AND carries_home = ?4",
    )?;
    if let Some(number) = select.query_row(key, |row| row.get(0)).optional()? {
        return Ok(number);
    }
    let mut insert = connection.prepare_cached(
        "INSERT INTO token_authorizations (client_id, scope, audiences, carries_home) VALUES (?1, ?2, ?3, ?4)",
    )?;
    insert.insert(key)
}

fn reach(row: &Row<'_>) -> rusqlite::Result<Reach> {
    let audiences = row.get_ref(2)?.as_str()?;
    Ok(Reach {
        client_id: row.get(0)?,
        scope: row.get(1)?,
        audiences: audiences.split_whitespace().map(str::to_owned).collect(),
        carries_home: row.get(3)?,
    })
}

#[cfg(test)]
mod tests {
    use super::super::Sqlite;

    #[tokio::test]
    async fn what_is_kept_for_ever_does_not_change_in_the_database() {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite:{}", folder.path().join("invoicing.db").display());
        let store = Sqlite::open(&url).await.unwrap();
        let mut write = store.write().await.unwrap();
        for (statement, allowed) in [
            (
                "INSERT INTO token_authorizations (client_id, scope, audiences, carries_home) VALUES ('c', '', '', TRUE)",
                true,
            ),
            ("UPDATE token_authorizations SET scope = 'openid'", false),
            ("DELETE FROM token_authorizations", false),
        ] {
            let outcome = sqlx::query(statement).execute(&mut *write).await;
            assert_eq!(outcome.is_ok(), allowed, "{statement}");
        }
        drop(write);
        store.close().await;
    }
}
