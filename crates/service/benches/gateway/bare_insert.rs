//! The peer of a creation: a handler that inserts the bytes of a request as one row, in a durable transaction of its own.

use std::path::Path;
use std::sync::{Arc, Mutex};

use axum::body::Bytes;
use http::StatusCode;
use rusqlite::Connection;

use crate::load::{Problem, servers};

/// Serves a table with the journal and the synchronisation of the service (decision 0037).
pub(crate) fn serve(file: &Path) -> Result<(), Problem> {
    let database = Connection::open(file)?;
    database.pragma_update(None, "journal_mode", "wal")?;
    database.pragma_update(None, "synchronous", "full")?;
    database.execute_batch("CREATE TABLE bodies (id INTEGER PRIMARY KEY, body BLOB NOT NULL)")?;
    let database = Arc::new(Mutex::new(database));
    let router = axum::Router::new().fallback(move |body: Bytes| {
        let database = database.clone();
        async move {
            let inserted = tokio::task::spawn_blocking(move || insert(&database, &body)).await;
            match inserted {
                Ok(Ok(())) => StatusCode::OK,
                Ok(Err(_)) | Err(_) => StatusCode::INTERNAL_SERVER_ERROR,
            }
        }
    });
    servers::serve(router)
}

fn insert(database: &Mutex<Connection>, body: &[u8]) -> rusqlite::Result<()> {
    let database = database
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    let mut statement = database.prepare_cached("INSERT INTO bodies (body) VALUES (?1)")?;
    statement.execute([body]).map(drop)
}
