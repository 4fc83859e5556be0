//! The database of the service: its address names the engine, and everything else is the same for all engines.

mod error;
mod options;
mod transfer;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt as _;
use invoicing_contract::{EnvironmentKind, Timestamp};
use invoicing_http::metrics::StatisticsSource;
use invoicing_storage::{Rng, Store};
use invoicing_storage_sqlite::Sqlite;
use tokio::time::{MissedTickBehavior, interval, sleep};

pub use error::DatabaseError;
use options::EngineOptions;
pub use options::{DatabaseOptions, DatabaseUrl};
pub use transfer::{MoveError, move_database};

/// How often the log says that a database server does not answer at the start of the service.
const LOG_INTERVAL: Duration = Duration::from_secs(30);
/// The pause between two attempts.
const PAUSE: Duration = Duration::from_millis(500);

/// An open database.
#[derive(Clone)]
pub struct OpenDatabase {
    engine: Engine,
    name: String,
}

#[derive(Clone)]
enum Engine {
    Sqlite(Sqlite),
    #[cfg(feature = "postgres")]
    Postgres(invoicing_storage_postgres::Postgres),
}

#[cfg(feature = "postgres")]
impl Engine {
    /// It changes no schema, whoever opens it.
    async fn open_postgres(
        options: invoicing_storage_postgres::Options,
        rng: Arc<dyn Rng>,
    ) -> Result<Self, DatabaseError> {
        let postgres = invoicing_storage_postgres::Postgres::open(options, rng);
        Ok(Self::Postgres(postgres.await?))
    }
}

/// What [`migrate`] did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Migration {
    /// The engine brings a schema up to date when a service opens the database.
    AtEachStart,
    /// The schema was of version `from` (0 for an empty database) and is of version `to`.
    Migrated {
        /// The version before.
        from: i32,
        /// The version now.
        to: i32,
    },
}

impl fmt::Debug for OpenDatabase {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_tuple("OpenDatabase")
            .field(&self.name)
            .finish()
    }
}

impl OpenDatabase {
    /// Opens the database at `options` for a service, or to fill it. On SQLite one is created if there is none, its integrity is
    /// checked, and its schema is brought up to date; on PostgreSQL [`migrate`] must have done that.
    ///
    /// # Errors
    /// See [`DatabaseError`].
    #[cfg_attr(
        not(feature = "postgres"),
        expect(unused_variables, reason = "for the other engine")
    )]
    pub async fn open(options: &DatabaseOptions, rng: Arc<dyn Rng>) -> Result<Self, DatabaseError> {
        let engine = match options.engine()? {
            EngineOptions::Sqlite(url) => Engine::Sqlite(Sqlite::open(url).await?),
            #[cfg(feature = "postgres")]
            EngineOptions::Postgres(options) => Engine::open_postgres(*options, rng).await?,
        };
        Ok(Self {
            engine,
            name: options.url.to_string(),
        })
    }

    /// Opens a database that exists, beside a service that may be running: its schema must be that of this version, and on SQLite
    /// the file is not checked whole (decision 0173).
    ///
    /// # Errors
    /// See [`DatabaseError`].
    #[cfg_attr(
        not(feature = "postgres"),
        expect(unused_variables, reason = "for the other engine")
    )]
    pub async fn open_existing(
        options: &DatabaseOptions,
        rng: Arc<dyn Rng>,
    ) -> Result<Self, DatabaseError> {
        let engine = match options.engine()? {
            EngineOptions::Sqlite(url) => Engine::Sqlite(Sqlite::open_existing(url).await?),
            #[cfg(feature = "postgres")]
            EngineOptions::Postgres(options) => Engine::open_postgres(*options, rng).await?,
        };
        Ok(Self {
            engine,
            name: options.url.to_string(),
        })
    }

    /// [`OpenDatabase::open`] for a service: while its database server does not answer it is asked again, without an end. One that
    /// refuses, as a wrong password or a missing schema, is an error at once.
    pub(crate) async fn open_when_available(
        options: &DatabaseOptions,
        rng: Arc<dyn Rng>,
    ) -> Result<Self, DatabaseError> {
        let mut log = interval(LOG_INTERVAL);
        log.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let error = match Self::open(options, rng.clone()).await {
                Err(error) if error.is_temporary() => error,
                outcome => return outcome,
            };
            if log.tick().now_or_never().is_some() {
                tracing::warn!(%error, "the database does not answer; it is asked again until it does");
            }
            sleep(PAUSE).await;
        }
    }

    /// Looks whether the role that a service of this kind connects with is limited by the policies and privileges of the schema. A local
    /// one is only warned (decision 0181).
    ///
    /// # Errors
    /// If it is not, and that of the store.
    #[cfg_attr(
        not(feature = "postgres"),
        expect(
            unused_variables,
            clippy::unused_async,
            reason = "for the other engine"
        )
    )]
    pub(crate) async fn check_role(&self, kind: EnvironmentKind) -> Result<(), DatabaseError> {
        match &self.engine {
            Engine::Sqlite(_) => Ok(()),
            #[cfg(feature = "postgres")]
            Engine::Postgres(postgres) => {
                let Some(role) = postgres.unlimited_role().await? else {
                    return Ok(());
                };
                let error = DatabaseError::UnlimitedRole {
                    database: self.name.clone(),
                    role,
                };
                if kind != EnvironmentKind::Local {
                    return Err(error);
                }
                tracing::warn!(%error, "a service of another kind would not start");
                Ok(())
            }
        }
    }

    /// Its stores.
    #[must_use]
    pub fn store(&self) -> Arc<dyn Store> {
        match &self.engine {
            Engine::Sqlite(sqlite) => Arc::new(sqlite.clone()),
            #[cfg(feature = "postgres")]
            Engine::Postgres(postgres) => Arc::new(postgres.clone()),
        }
    }

    /// Where it is, without user and password.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it reports for metrics. `None` for an engine without a pool of connections.
    #[must_use]
    pub fn statistics(&self) -> Option<StatisticsSource> {
        match &self.engine {
            Engine::Sqlite(_) => None,
            #[cfg(feature = "postgres")]
            Engine::Postgres(postgres) => {
                let postgres = postgres.clone();
                Some(Arc::new(move || postgres.statistics()))
            }
        }
    }

    /// Completes pending writes and closes the file or the connections. Later calls of its stores fail.
    pub async fn close(&self) {
        match &self.engine {
            Engine::Sqlite(sqlite) => sqlite.close().await,
            #[cfg(feature = "postgres")]
            Engine::Postgres(postgres) => postgres.close(),
        }
    }
}

/// Whether there is a database at `options`.
///
/// # Errors
/// When the address names none, or the server does not answer.
pub async fn exists(options: &DatabaseOptions) -> Result<bool, DatabaseError> {
    match options.engine()? {
        EngineOptions::Sqlite(url) => Ok(Sqlite::exists(url)?),
        #[cfg(feature = "postgres")]
        EngineOptions::Postgres(options) => Ok(invoicing_storage_postgres::exists(&options).await?),
    }
}

/// Brings the schema of the database up to date. `options` names the role that owns the tables, which the service does not need.
///
/// # Errors
/// See [`DatabaseError`]. Migrations before the one that failed stay applied.
#[cfg_attr(
    not(feature = "postgres"),
    expect(
        unused_variables,
        clippy::unused_async,
        reason = "for the other engine"
    )
)]
pub async fn migrate(
    options: &DatabaseOptions,
    now: Timestamp,
) -> Result<Migration, DatabaseError> {
    match options.engine()? {
        EngineOptions::Sqlite(_) => Ok(Migration::AtEachStart),
        #[cfg(feature = "postgres")]
        EngineOptions::Postgres(options) => {
            let migrated = invoicing_storage_postgres::migrate(&options, now).await?;
            Ok(Migration::Migrated {
                from: migrated.from,
                to: migrated.to,
            })
        }
    }
}
