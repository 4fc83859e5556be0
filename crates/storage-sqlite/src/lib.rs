//! [`Store`](invoicing_storage::Store) on SQLite: one connection writes, several read, and every commit reaches the disk.

mod audit;
mod backup;
mod budgets;
mod clearance;
mod directory;
mod documents;
mod engine;
mod failed_attempts;
mod master_data;
mod payments;
#[cfg(test)]
mod read_cache_tests;
mod reports;
mod rules;
mod tokens;
mod transfer;
mod values;

pub use backup::{BackupError, backup, restore};
pub use engine::OpenError;

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rusqlite::Params;

use self::budgets::Budgets;
use self::engine::Engine;
use self::tokens::{TokenAuthorizationCache, TokenWriter};
use invoicing_storage::StorageError;
use invoicing_storage::audit::AuditEvent;
use invoicing_storage::read_cache::ReadCache;

/// An open database.
#[derive(Clone)]
pub struct Sqlite {
    path: PathBuf,
    engine: Arc<Engine>,
    read_cache: Arc<ReadCache>,
    budgets: Arc<Budgets>,
    token_authorizations: Arc<TokenAuthorizationCache>,
    token_writer: TokenWriter,
}

impl fmt::Debug for Sqlite {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Sqlite")
            .field("path", &self.path)
            .finish_non_exhaustive()
    }
}

impl Sqlite {
    /// Opens the database to serve it or to fill it: creates it if there is none, checks its integrity, and brings its schema up
    /// to date. No service of an earlier version may be running.
    ///
    /// # Errors
    /// Every variant of [`OpenError`] about a database but [`OpenError::DatabaseOlder`]. A damaged file is left as it is.
    pub async fn open(url: &str) -> Result<Self, OpenError> {
        let path = database_path(url)?;
        let engine = Engine::open(path.clone()).await?;
        Ok(Self::of_engine(path, engine))
    }

    /// Opens a database that exists, beside a service that may be running: neither creates it, nor checks it whole, nor brings its
    /// schema up to date (decision 0173).
    ///
    /// # Errors
    /// Every variant of [`OpenError`] about a database. What is stored is not changed then.
    pub async fn open_existing(url: &str) -> Result<Self, OpenError> {
        let path = database_path(url)?;
        let engine = Engine::open_existing(path.clone()).await?;
        Ok(Self::of_engine(path, engine))
    }

    fn of_engine(path: PathBuf, engine: Engine) -> Self {
        let engine = Arc::new(engine);
        let token_authorizations = Arc::new(TokenAuthorizationCache::new());
        Self {
            token_writer: TokenWriter::new(engine.clone(), token_authorizations.clone()),
            token_authorizations,
            engine,
            path,
            read_cache: Arc::new(ReadCache::new()),
            budgets: Arc::new(Budgets::new()),
        }
    }

    /// Whether there is a database at `url`.
    ///
    /// # Errors
    /// When `url` names no database of a kind we know.
    pub fn exists(url: &str) -> Result<bool, OpenError> {
        Ok(database_path(url)?.exists())
    }

    /// The database file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Completes pending writes and closes the file. Later calls fail.
    pub async fn close(&self) {
        self.engine.close().await;
    }

    /// Connections, writer thread and lookups.
    pub(crate) fn engine(&self) -> &Engine {
        &self.engine
    }

    /// Cached members and applications.
    fn read_cache(&self) -> &ReadCache {
        &self.read_cache
    }

    /// Budgets of requests.
    fn budgets(&self) -> &Budgets {
        &self.budgets
    }

    /// Cached token authorizations.
    fn token_authorizations(&self) -> &TokenAuthorizationCache {
        &self.token_authorizations
    }

    /// The queue of tokens to insert.
    const fn token_writer(&self) -> &TokenWriter {
        &self.token_writer
    }

    /// Executes one statement, and records `event` in the same transaction if it changed a row. Returns whether it did.
    pub(crate) async fn execute_audited(
        &self,
        statement: &'static str,
        parameters: impl Params + Send + 'static,
        event: &AuditEvent,
    ) -> Result<bool, StorageError> {
        let event = event.clone();
        self.engine
            .write(move |transaction| {
                let changed = transaction.prepare_cached(statement)?.execute(parameters)? > 0;
                if changed {
                    audit::record_event(transaction, &event)?;
                }
                Ok(changed)
            })
            .await
    }

    /// The same, for a statement that replaces a secret: what it replaces is overwritten with zeros, and not left in a free
    /// part of the page (decision 0160).
    pub(crate) async fn overwrite_audited(
        &self,
        statement: &'static str,
        parameters: impl Params + Send + 'static,
        event: &AuditEvent,
    ) -> Result<bool, StorageError> {
        let event = event.clone();
        self.engine
            .write(move |transaction| {
                secure_delete(transaction, true)?;
                let executed = transaction
                    .prepare_cached(statement)
                    .and_then(|mut statement| statement.execute(parameters));
                secure_delete(transaction, false)?;
                let changed = executed? > 0;
                if changed {
                    audit::record_event(transaction, &event)?;
                }
                Ok(changed)
            })
            .await
    }
}

/// Whether SQLite overwrites what a connection deletes. Every other statement does without it.
fn secure_delete(connection: &rusqlite::Connection, overwrites: bool) -> rusqlite::Result<()> {
    connection.pragma_update_and_check(None, "secure_delete", overwrites, |_| Ok(()))
}

/// The file that `url` must name.
fn database_path(url: &str) -> Result<PathBuf, OpenError> {
    path_of(url).ok_or_else(|| OpenError::UnsupportedDatabase {
        url: url.to_owned(),
    })
}

/// The file named by `sqlite:PATH`. The path is not decoded: a folder name may contain any character.
fn path_of(url: &str) -> Option<PathBuf> {
    let path = url.strip_prefix("sqlite:")?;
    let path = path.strip_prefix("//").unwrap_or(path);
    (!path.is_empty() && path != ":memory:").then(|| PathBuf::from(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn path_in_a_database_url_is_not_decoded() {
        for (url, path) in [
            ("sqlite:invoicing.db", "invoicing.db"),
            ("sqlite:///var/lib/invoicing.db", "/var/lib/invoicing.db"),
            ("sqlite:/home/a b/100%/x?y#z.db", "/home/a b/100%/x?y#z.db"),
            (
                r"sqlite:C:\Users\نورة\invoicing.db",
                r"C:\Users\نورة\invoicing.db",
            ),
        ] {
            assert_eq!(path_of(url).as_deref(), Some(Path::new(path)), "{url}");
        }
        for url in [
            "",
            "invoicing.db",
            "sqlite:",
            "sqlite::memory:",
            "postgres://localhost/invoicing",
        ] {
            assert_eq!(path_of(url), None, "{url}");
        }
    }
}
