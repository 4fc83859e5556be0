//! [`Store`](invoicing_storage::Store) on SQLite: one connection writes, several read, and every commit reaches the disk.

mod audit;
mod commits;
mod directory;
mod directory_rows;
mod documents;
mod engine;
mod keys;
mod migrations;
mod pats;
mod provisioning;
mod read_cache;
#[cfg(test)]
mod read_cache_tests;
mod tokens;

pub use engine::OpenError;

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use rusqlite::{Connection, Params};
use sqlx::Sqlite as Database;
use sqlx::query::Query;
use sqlx::sqlite::{
    SqliteArguments, SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions,
    SqliteSynchronous,
};

use self::commits::{Write, Writer};
use self::engine::Engine;
use self::migrations::MigrationError;
use self::read_cache::ReadCache;
use self::tokens::{TokenAuthorizationCache, TokenWriter};
use invoicing_storage::StorageError;
use invoicing_storage::audit::Entry;
use invoicing_storage::{Clock as _, SystemClock};

/// How long a write waits for another process before it is [`StorageError::Busy`].
const BUSY: Duration = Duration::from_secs(5);
const READERS: u32 = 6;
/// Pages that a connection keeps, in KiB as SQLite writes it. Many documents at once touch every index everywhere.
const WRITER_CACHE: &str = "-24576";
const READER_CACHE: &str = "-4096";
/// Pages in the log (32 MB) before they are brought into the file. Those that many writes share are then brought there once.
const LOGGED: &str = "8000";

/// A statement that is not run yet.
type Statement<'q> = Query<'q, Database, SqliteArguments>;

/// An open database.
#[derive(Clone)]
pub struct Sqlite {
    path: PathBuf,
    writer: Writer,
    writing: SqlitePool,
    readers: SqlitePool,
    engine: Arc<Engine>,
    read_cache: Arc<ReadCache>,
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
    /// Opens the database, makes it if there is none, checks it, and brings its tables up to date.
    ///
    /// # Errors
    /// Every variant of [`OpenError`] about a database. A damaged file is left as it is.
    pub async fn open(url: &str) -> Result<Self, OpenError> {
        let path = path_of(url).ok_or_else(|| OpenError::UnsupportedDatabase {
            url: url.to_owned(),
        })?;
        let engine = Engine::open(path.clone()).await?;
        let options = SqliteConnectOptions::new()
            .filename(&path)
            .foreign_keys(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            .busy_timeout(BUSY)
            .statement_cache_capacity(256);
        let opening = |error: sqlx::Error| open_error(&path, error);

        let writing = SqlitePoolOptions::new()
            .max_connections(1)
            .min_connections(1)
            .acquire_timeout(BUSY * 2)
            .test_before_acquire(false)
            .connect_with(
                options
                    .clone()
                    .pragma("cache_size", WRITER_CACHE)
                    .pragma("wal_autocheckpoint", LOGGED),
            )
            .await
            .map_err(opening)?;
        migrate(&path)?;
        let readers = SqlitePoolOptions::new()
            .max_connections(READERS)
            .acquire_timeout(BUSY * 2)
            // A file does not go away as a server does.
            .test_before_acquire(false)
            .connect_with(
                options
                    .pragma("query_only", "on")
                    .pragma("cache_size", READER_CACHE),
            )
            .await
            .map_err(opening)?;
        let writer = Writer::new(writing.clone(), BUSY * 2);
        let engine = Arc::new(engine);
        let token_authorizations = Arc::new(TokenAuthorizationCache::new());
        Ok(Self {
            token_writer: TokenWriter::new(engine.clone(), token_authorizations.clone()),
            token_authorizations,
            writer,
            writing,
            engine,
            path,
            read_cache: Arc::new(ReadCache::new()),
            readers,
        })
    }

    /// Whether there is a database at `url`.
    ///
    /// # Errors
    /// When `url` names no database of a kind we know.
    pub fn exists(url: &str) -> Result<bool, OpenError> {
        let path = path_of(url).ok_or_else(|| OpenError::UnsupportedDatabase {
            url: url.to_owned(),
        })?;
        Ok(path.exists())
    }

    /// The database file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Waits for writes under way and closes the file. What follows fails.
    pub async fn close(&self) {
        self.engine.close().await;
        self.readers.close().await;
        self.writer.close().await;
        self.writing.close().await;
    }

    /// For reads: any number at once, each sees the last commit before it began.
    pub(crate) fn readers(&self) -> &SqlitePool {
        &self.readers
    }

    /// Runs one statement, and records `entry` with it if it changed anything. Says whether it did.
    pub(crate) async fn change(
        &self,
        statement: Statement<'_>,
        entry: &Entry,
    ) -> Result<bool, StorageError> {
        let mut write = self.write().await?;
        let changed = statement.execute(&mut *write).await?.rows_affected() > 0;
        if changed {
            audit::record(&mut write, entry).await?;
        }
        write.commit().await?;
        Ok(changed)
    }

    /// Connections, writer thread and lookups.
    pub(crate) fn engine(&self) -> &Engine {
        &self.engine
    }

    /// Cached members and applications.
    fn read_cache(&self) -> &ReadCache {
        &self.read_cache
    }

    /// Cached token authorizations.
    fn token_authorizations(&self) -> &TokenAuthorizationCache {
        &self.token_authorizations
    }

    /// The queue of tokens to insert.
    const fn token_writer(&self) -> &TokenWriter {
        &self.token_writer
    }

    /// Runs one statement, and records `entry` in the same transaction if it changed a row. Returns whether it did.
    pub(crate) async fn change_recorded(
        &self,
        statement: &'static str,
        parameters: impl Params + Send + 'static,
        entry: &Entry,
    ) -> Result<bool, StorageError> {
        let entry = entry.clone();
        self.engine
            .write(move |transaction| {
                let changed = transaction.prepare_cached(statement)?.execute(parameters)? > 0;
                if changed {
                    audit::record_event(transaction, &entry)?;
                }
                Ok(changed)
            })
            .await
    }

    /// For writes: one after the other, those that come together with one wait for the disk. Nothing is kept before
    /// `commit`, which returns when it is on the disk.
    pub(crate) async fn write(&self) -> Result<Write, StorageError> {
        self.writer.begin().await
    }
}

/// The file named by `sqlite:PATH`. What follows is taken as it is: a folder may have any characters in its name.
fn path_of(url: &str) -> Option<PathBuf> {
    let path = url.strip_prefix("sqlite:")?;
    let path = path.strip_prefix("//").unwrap_or(path);
    (!path.is_empty() && path != ":memory:").then(|| PathBuf::from(path))
}

/// Brings the schema up to date.
fn migrate(path: &Path) -> Result<(), OpenError> {
    let migrated = Connection::open(path)
        .and_then(|connection| {
            connection.busy_timeout(BUSY)?;
            connection.pragma_update(None, "foreign_keys", true)?;
            connection.pragma_update(None, "synchronous", "FULL")?;
            Ok(connection)
        })
        .map_err(MigrationError::Database)
        .and_then(|mut connection| {
            migrations::migrate(
                &mut connection,
                migrations::MIGRATIONS,
                SystemClock.now_ms(),
            )
        });
    migrated.map_err(|error| migration_error(path, error))
}

fn open_error(path: &Path, error: sqlx::Error) -> OpenError {
    storage_error(path, error.into())
}

fn storage_error(path: &Path, error: StorageError) -> OpenError {
    OpenError::of_storage(path, error)
}

fn migration_error(path: &Path, error: MigrationError) -> OpenError {
    let path = path.to_owned();
    match error {
        MigrationError::Newer { .. } => OpenError::DatabaseNewer { path },
        MigrationError::Changed { .. } => OpenError::DatabaseDiffers { path },
        MigrationError::ForeignTables { table } => OpenError::DatabaseUnknown { path, table },
        MigrationError::Failed { source, .. } | MigrationError::Database(source) => {
            OpenError::of(&path, source.into())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_taken_as_it_is() {
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
