//! Schema migrations: ordered SQL files, embedded in the program, each applied in one transaction by the role that owns the
//! tables (decision 0104).

mod concurrent_index;
mod derivation;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod upgrade_tests;

use std::sync::Arc;

use invoicing_contract::Timestamp;
use invoicing_storage::SystemRng;
use sha2::{Digest as _, Sha256};
use tokio_postgres::{Client, Transaction};

use super::Engine;
use super::connection;
use super::hosts::Hosts;
use super::open_error::OpenError;
use super::options::Options;
use concurrent_index::ConcurrentIndex;

/// A migration file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Migration {
    /// 1 for the first, then ascending without gaps.
    pub(crate) version: i32,
    /// Name of the file without its number and extension.
    pub(crate) name: &'static str,
    /// Programs that know this version of the schema can work with the database after the migration: its own for a
    /// migration that removes something, the last one of the release before for a migration that only adds.
    pub(crate) compatible_from: i32,
    /// Content of the file.
    pub(crate) sql: &'static str,
    /// Whether the file is one statement `CREATE INDEX`. The index is built beside writers, before the transaction.
    pub(crate) is_index: bool,
}

macro_rules! migration {
    ($version:literal, $name:literal, compatible_from: $from:literal) => {
        migration!("000", $version, $name, compatible_from: $from)
    };
    ($zeros:literal, $version:literal, $name:literal, compatible_from: $from:literal) => {
        migration!($zeros, $version, $name, compatible_from: $from, is_index: false)
    };
    // `zeros`: those before the version in the name of the file.
    ($zeros:literal, $version:literal, $name:literal, compatible_from: $from:literal, is_index: $is_index:literal) => {
        Migration {
            version: $version,
            name: $name,
            compatible_from: $from,
            sql: include_str!(concat!(
                "../../../migrations/",
                $zeros,
                $version,
                "_",
                $name,
                ".sql"
            )),
            is_index: $is_index,
        }
    };
}

/// All migrations, in the order of their versions. A released migration is never changed: a change is a new file.
pub(crate) const MIGRATIONS: &[Migration] = &[
    migration!(1, "infrastructure", compatible_from: 1),
    migration!(2, "directory", compatible_from: 2),
    migration!(3, "audit", compatible_from: 3),
    migration!(4, "tokens", compatible_from: 4),
    migration!(5, "documents", compatible_from: 5),
    migration!(6, "budgets", compatible_from: 6),
    migration!(7, "rules", compatible_from: 6),
    migration!(8, "tenant_history", compatible_from: 7),
    migration!(9, "master_data", compatible_from: 8),
    migration!("00", 10, "plans", compatible_from: 9),
    migration!("00", 11, "domains", compatible_from: 10),
    migration!("00", 12, "payments", compatible_from: 11),
    migration!("00", 13, "users", compatible_from: 12),
    migration!("00", 14, "clearance", compatible_from: 13),
    migration!("00", 15, "attachments", compatible_from: 14),
    migration!("00", 16, "debit_notes", compatible_from: 15),
    migration!("00", 17, "authority_warnings", compatible_from: 16),
    migration!("00", 18, "authority_warnings_index", compatible_from: 17),
    migration!("00", 19, "attempt_removal", compatible_from: 18),
    migration!("00", 20, "audit_kinds_of_organizations", compatible_from: 19, is_index: true),
    migration!("00", 21, "clearance_queue_of_organizations", compatible_from: 20, is_index: true),
    migration!("00", 22, "derived_rows", compatible_from: 20),
    migration!("00", 23, "partition_drops", compatible_from: 20),
    migration!("00", 24, "registration_numbers", compatible_from: 20),
    migration!("00", 25, "audit_isolation", compatible_from: 20),
    migration!("00", 26, "failed_attempts", compatible_from: 20),
];

const CREATE_TABLE: &str = "CREATE TABLE IF NOT EXISTS schema_migrations (
    version         integer NOT NULL PRIMARY KEY,
    name            text    NOT NULL,
    checksum        bytea   NOT NULL,
    compatible_from integer NOT NULL,
    applied_at      bigint  NOT NULL
)";

/// A second caller waits here until the first has applied a migration, however long that takes.
const LOCK: &str = "SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0;
    LOCK TABLE schema_migrations IN SHARE ROW EXCLUSIVE MODE";

/// How long a statement of a migration waits for a lock. Longer, and other processes would queue behind it.
const SET_LOCK_TIMEOUT: &str = "SET LOCAL lock_timeout = '5s'";

/// While an index is built on another connection the transaction is idle. The build waits for transactions with an open query, which
/// the last one is until the next statement: this one.
const WAIT_FOR_INDEX: &str = "SET LOCAL idle_in_transaction_session_timeout = 0";

/// A name of the schema: the same for databases that the same migrations made.
#[must_use]
pub fn schema_name() -> String {
    let mut digest = Sha256::new();
    for migration in MIGRATIONS {
        digest.update(migration.checksum());
    }
    format!(
        "schema_{}",
        base16ct::lower::encode_string(&digest.finalize()[..8])
    )
}

/// What [`migrate`] did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Migrated {
    /// The version before; 0 for an empty database.
    pub from: i32,
    /// The version now.
    pub to: i32,
}

/// Applies the migrations that the database at `options` does not have, each in one transaction. `options` names the role
/// that owns the tables. Of two callers at once the second finds everything applied. `now` is recorded. Then what migrations have
/// derived from rows is derived of those that programs of the version before wrote since, beside writers.
///
/// # Errors
/// Every variant of [`OpenError`]. Migrations before the one that failed stay applied, and what was derived stays.
pub async fn migrate(options: &Options, now: Timestamp) -> Result<Migrated, OpenError> {
    let migrated = apply(options, MIGRATIONS, now).await?;
    let engine = Engine::open(options.clone(), Arc::new(SystemRng)).await?;
    let derived = derivation::derive(&engine, now).await;
    engine.close();
    derived.map_err(|error| OpenError::Derivation { source: error })?;
    Ok(migrated)
}

/// The version of the schema; `None` for a database without tables of ours.
///
/// # Errors
/// When the server does not answer.
pub async fn schema_version(options: &Options) -> Result<Option<i32>, OpenError> {
    let client = connect(options).await?;
    let applied = applied(&client, options).await?;
    Ok(applied.and_then(|applied| applied.last().map(|last| last.version)))
}

pub(crate) async fn apply(
    options: &Options,
    migrations: &[Migration],
    now: Timestamp,
) -> Result<Migrated, OpenError> {
    let failed = |error| OpenError::not_opened(options, error);
    let mut client = connect(options).await?;
    if applied(&client, options).await?.is_none() {
        refuse_foreign_tables(&client, options).await?;
        create_table(&client).await.map_err(failed)?;
    }
    let mut from = None;
    loop {
        let transaction = client.transaction().await.map_err(failed)?;
        for statement in [LOCK, SET_LOCK_TIMEOUT] {
            transaction.batch_execute(statement).await.map_err(failed)?;
        }
        let applied = applied(transaction.client(), options)
            .await?
            .unwrap_or_default();
        compare(&applied, migrations, options)?;
        let last = applied.last().map_or(0, |applied| applied.version);
        let before = *from.get_or_insert(last);
        let next = migrations.iter().find(|migration| migration.version > last);
        let Some(next) = next else {
            return Ok(Migrated {
                from: before,
                to: last,
            });
        };
        let migration_failed = |error| OpenError::Migration {
            version: next.version,
            name: next.name,
            source: error,
        };
        if let Some(index) = next.concurrent_index() {
            transaction
                .batch_execute(WAIT_FOR_INDEX)
                .await
                .map_err(failed)?;
            // On another connection: no transaction may contain it. This one keeps other callers waiting.
            let builder = connect(options).await?;
            index.build(&builder).await.map_err(migration_failed)?;
        }
        next.apply(&transaction, now)
            .await
            .map_err(migration_failed)?;
        transaction.commit().await.map_err(failed)?;
    }
}

/// Whether this program can work with the schema.
pub(super) async fn check(engine: &Engine, options: &Options) -> Result<(), OpenError> {
    let client = engine.pool.get().await;
    let client = client.map_err(|error| OpenError::not_opened(options, error))?;
    let database = options.display_name();
    let Some(applied) = applied(&client, options).await? else {
        return Err(OpenError::NotMigrated { database });
    };
    let known = MIGRATIONS.last().map_or(0, |migration| migration.version);
    if applied
        .iter()
        .any(|applied| applied.compatible_from > known)
    {
        return Err(OpenError::DatabaseNewer { database });
    }
    let ours: Vec<_> = applied
        .into_iter()
        .filter(|applied| applied.version <= known)
        .collect();
    compare(&ours, MIGRATIONS, options)?;
    match ours.last().map_or(0, |last| last.version) {
        0 => Err(OpenError::NotMigrated { database }),
        last if last < known => Err(OpenError::DatabaseOlder { database }),
        _ => Ok(()),
    }
}

/// A row of `schema_migrations`.
struct Applied {
    version: i32,
    checksum: Vec<u8>,
    compatible_from: i32,
}

/// The applied migrations by version; `None` when there is no table of migrations.
async fn applied(client: &Client, options: &Options) -> Result<Option<Vec<Applied>>, OpenError> {
    let failed = |error| OpenError::not_opened(options, error);
    let exists = client.query_one("SELECT to_regclass('schema_migrations') IS NOT NULL", &[]);
    if !exists.await.map_err(failed)?.get::<_, bool>(0) {
        return Ok(None);
    }
    let select =
        "SELECT version, checksum, compatible_from FROM schema_migrations ORDER BY version";
    let rows = client.query(select, &[]).await.map_err(failed)?;
    let rows = rows.iter().map(|row| {
        Ok(Applied {
            version: row.try_get("version")?,
            checksum: row.try_get("checksum")?,
            compatible_from: row.try_get("compatible_from")?,
        })
    });
    rows.collect::<Result<_, _>>().map(Some).map_err(failed)
}

/// Every applied migration is one of `migrations`, unchanged.
fn compare(
    applied: &[Applied],
    migrations: &[Migration],
    options: &Options,
) -> Result<(), OpenError> {
    for applied in applied {
        let database = options.display_name();
        match migrations
            .iter()
            .find(|known| known.version == applied.version)
        {
            None => return Err(OpenError::DatabaseNewer { database }),
            Some(known) if known.checksum() != applied.checksum => {
                return Err(OpenError::DatabaseDiffers { database });
            }
            Some(_) => {}
        }
    }
    Ok(())
}

async fn refuse_foreign_tables(client: &Client, options: &Options) -> Result<(), OpenError> {
    // With a table of migrations the others are ours: another caller may have created them since this one looked. All in one snapshot:
    // what `to_regclass` knows can be older.
    let select = "SELECT min(table_name::text) FROM information_schema.tables
        WHERE table_schema = current_schema() HAVING bool_and(table_name <> 'schema_migrations')";
    let table = client.query_opt(select, &[]).await;
    match table.map_err(|error| OpenError::not_opened(options, error))? {
        Some(row) => Err(OpenError::DatabaseUnknown {
            database: options.display_name(),
            table: row.get(0),
        }),
        None => Ok(()),
    }
}

/// Creates the table of migrations. Two callers at once can collide in the catalogue; the table of the other is as good.
async fn create_table(client: &Client) -> Result<(), tokio_postgres::Error> {
    use tokio_postgres::error::SqlState;
    let collisions = [
        SqlState::UNIQUE_VIOLATION,
        SqlState::DUPLICATE_OBJECT,
        SqlState::DUPLICATE_TABLE,
    ];
    match client.batch_execute(CREATE_TABLE).await {
        Err(error) if error.code().is_some_and(|code| collisions.contains(code)) => Ok(()),
        outcome => outcome,
    }
}

async fn connect(options: &Options) -> Result<Client, OpenError> {
    let tls = connection::connector(options)?;
    let connected = Hosts::new(&options.config()).connect(&tls).await;
    let (client, connection) = connected.map_err(|error| OpenError::not_opened(options, error))?;
    tokio::spawn(async move {
        if let Err(error) = connection.await {
            tracing::debug!(%error, "the connection of a migration ended");
        }
    });
    Ok(client)
}

impl Migration {
    async fn apply(
        &self,
        transaction: &Transaction<'_>,
        now: Timestamp,
    ) -> Result<(), tokio_postgres::Error> {
        match self.concurrent_index() {
            Some(index) => transaction.batch_execute(&index.statement()).await?,
            None => transaction.batch_execute(self.sql).await?,
        }
        let insert =
            "INSERT INTO schema_migrations (version, name, checksum, compatible_from, applied_at)
             VALUES ($1, $2, $3, $4, $5)";
        let (checksum, now) = (self.checksum(), now.as_millis());
        transaction
            .execute(
                insert,
                &[
                    &self.version,
                    &self.name,
                    &checksum,
                    &self.compatible_from,
                    &now,
                ],
            )
            .await?;
        Ok(())
    }

    fn concurrent_index(&self) -> Option<ConcurrentIndex> {
        self.is_index
            .then(|| ConcurrentIndex::from_file(self.sql).expect("a test reads every file"))
    }

    /// SHA-256 of the file. Carriage returns are left out: a checkout on Windows may add them.
    fn checksum(&self) -> Vec<u8> {
        let bytes: Vec<u8> = self.sql.bytes().filter(|byte| *byte != b'\r').collect();
        Sha256::digest(&bytes).to_vec()
    }
}
