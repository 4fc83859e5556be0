//! Schema migrations: ordered SQL files, embedded in the program. All pending ones are applied in one transaction.
//!
//! The table `schema_migrations` records what was applied. A database that this program does not know is left unchanged.

#[cfg(test)]
mod tests;
#[cfg(test)]
mod upgrade_tests;

use invoicing_contract::Timestamp;
use rusqlite::{Connection, Transaction, TransactionBehavior, params};
use sha2::{Digest as _, Sha256};

/// A migration file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Migration {
    /// 1 for the first, then ascending without gaps.
    pub(crate) version: i64,
    /// Name of the file without its number and extension.
    pub(crate) name: &'static str,
    /// Content of the file.
    pub(crate) sql: &'static str,
}

/// All migrations, in the order of their versions. A released migration is never changed: a change is a new file.
pub(crate) const MIGRATIONS: &[Migration] = &[
    Migration {
        version: 1,
        name: "initial",
        sql: include_str!("../../../migrations/0001_initial.sql"),
    },
    Migration {
        version: 2,
        name: "rules",
        sql: include_str!("../../../migrations/0002_rules.sql"),
    },
    Migration {
        version: 3,
        name: "tenant_history",
        sql: include_str!("../../../migrations/0003_tenant_history.sql"),
    },
    Migration {
        version: 4,
        name: "master_data",
        sql: include_str!("../../../migrations/0004_master_data.sql"),
    },
    Migration {
        version: 5,
        name: "plans",
        sql: include_str!("../../../migrations/0005_plans.sql"),
    },
    Migration {
        version: 6,
        name: "domains",
        sql: include_str!("../../../migrations/0006_domains.sql"),
    },
    Migration {
        version: 7,
        name: "payments",
        sql: include_str!("../../../migrations/0007_payments.sql"),
    },
    Migration {
        version: 8,
        name: "users",
        sql: include_str!("../../../migrations/0008_users.sql"),
    },
    Migration {
        version: 9,
        name: "clearance",
        sql: include_str!("../../../migrations/0009_clearance.sql"),
    },
    Migration {
        version: 10,
        name: "attachments",
        sql: include_str!("../../../migrations/0010_attachments.sql"),
    },
    Migration {
        version: 11,
        name: "debit_notes",
        sql: include_str!("../../../migrations/0011_debit_notes.sql"),
    },
    Migration {
        version: 12,
        name: "class_sums",
        sql: include_str!("../../../migrations/0012_class_sums.sql"),
    },
    Migration {
        version: 13,
        name: "authority_warnings",
        sql: include_str!("../../../migrations/0013_authority_warnings.sql"),
    },
    Migration {
        version: 14,
        name: "authority_warnings_index",
        sql: include_str!("../../../migrations/0014_authority_warnings_index.sql"),
    },
    Migration {
        version: 15,
        name: "expiry_indexes",
        sql: include_str!("../../../migrations/0015_expiry_indexes.sql"),
    },
    Migration {
        version: 16,
        name: "clearance_queue_of_organizations",
        sql: include_str!("../../../migrations/0016_clearance_queue_of_organizations.sql"),
    },
    Migration {
        version: 17,
        name: "registration_numbers",
        sql: include_str!("../../../migrations/0017_registration_numbers.sql"),
    },
    Migration {
        version: 18,
        name: "failed_attempts",
        sql: include_str!("../../../migrations/0018_failed_attempts.sql"),
    },
];

/// Why the schema is not brought up to date, or not used. Nothing was changed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum MigrationError {
    /// A later version of the program has applied a migration that this one does not have.
    #[error("migration {version} is not known")]
    Newer { version: i64 },
    /// The database lacks a migration that this program has, and is not brought up to date here.
    #[error("migration {version} is not applied")]
    Pending { version: i64 },
    /// A migration was changed after it had been applied.
    #[error("migration {version} ({name}) differs from the one that was applied")]
    Changed { version: i64, name: String },
    /// The tables were not made by these migrations: a development version made them before the first release, or another
    /// program did.
    #[error("the table {table} is not one of ours")]
    ForeignTables { table: String },
    /// A statement of a migration failed.
    #[error("migration {version} ({name}) failed: {source}")]
    Failed {
        version: i64,
        name: &'static str,
        source: rusqlite::Error,
    },
    /// The database failed otherwise.
    #[error(transparent)]
    Database(#[from] rusqlite::Error),
}

const CREATE_TABLE: &str = "CREATE TABLE schema_migrations (
    version    INTEGER NOT NULL PRIMARY KEY,
    name       TEXT NOT NULL,
    checksum   BLOB NOT NULL,
    applied_at INTEGER NOT NULL
) STRICT";

/// Applies those of `migrations` that the database does not have yet, in one transaction. `now` is recorded.
///
/// # Errors
/// Every variant of [`MigrationError`]. The database is unchanged then.
pub(crate) fn migrate(
    connection: &mut Connection,
    migrations: &[Migration],
    now: Timestamp,
) -> Result<(), MigrationError> {
    // Of two processes that start at once, the second one waits here and finds everything applied.
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let applied = applied(&transaction)?;
    if applied.is_none() {
        transaction.execute_batch(CREATE_TABLE)?;
    }
    let last = last_applied(&applied.unwrap_or_default(), migrations)?;
    for migration in migrations {
        if migration.version > last {
            migration.apply(&transaction, now)?;
        }
    }
    transaction.commit()?;
    Ok(())
}

/// Checks that the database has all of `migrations` and no others. Writes nothing, and waits for no writer.
///
/// # Errors
/// Every variant of [`MigrationError`] but [`MigrationError::Failed`].
pub(crate) fn check_applied(
    connection: &Connection,
    migrations: &[Migration],
) -> Result<(), MigrationError> {
    // Both statements see the same commit: a service may be bringing the schema up to date now.
    let snapshot = connection.unchecked_transaction()?;
    let applied = applied(&snapshot)?.unwrap_or_default();
    let last = last_applied(&applied, migrations)?;
    match migrations.iter().find(|pending| pending.version > last) {
        Some(pending) => Err(MigrationError::Pending {
            version: pending.version,
        }),
        None => Ok(()),
    }
}

/// The version of the last of `applied`, 0 if there is none, after all of them were found among `migrations`.
fn last_applied(applied: &[Applied], migrations: &[Migration]) -> Result<i64, MigrationError> {
    for Applied {
        version,
        name,
        checksum,
    } in applied
    {
        let known = migrations.iter().find(|known| known.version == *version);
        match known {
            None => return Err(MigrationError::Newer { version: *version }),
            Some(known) if known.checksum() != *checksum => {
                return Err(MigrationError::Changed {
                    version: *version,
                    name: name.clone(),
                });
            }
            Some(_) => {}
        }
    }
    Ok(applied.last().map_or(0, |applied| applied.version))
}

/// A row of `schema_migrations`.
struct Applied {
    version: i64,
    name: String,
    checksum: Vec<u8>,
}

/// The applied migrations by version. `None` for an empty database, which has no table of them.
fn applied(transaction: &Transaction<'_>) -> Result<Option<Vec<Applied>>, MigrationError> {
    let mut tables =
        transaction.prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY name")?;
    let tables: Vec<String> = tables
        .query_map([], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    if !tables.iter().any(|table| table == "schema_migrations") {
        return match tables.into_iter().next() {
            Some(table) => Err(MigrationError::ForeignTables { table }),
            None => Ok(None),
        };
    }
    let mut rows = transaction
        .prepare("SELECT version, name, checksum FROM schema_migrations ORDER BY version")?;
    let rows = rows.query_map([], |row| {
        Ok(Applied {
            version: row.get("version")?,
            name: row.get("name")?,
            checksum: row.get("checksum")?,
        })
    })?;
    Ok(Some(rows.collect::<Result<_, _>>()?))
}

impl Migration {
    fn apply(&self, transaction: &Transaction<'_>, now: Timestamp) -> Result<(), MigrationError> {
        let failed = |source| MigrationError::Failed {
            version: self.version,
            name: self.name,
            source,
        };
        transaction.execute_batch(self.sql).map_err(failed)?;
        transaction.execute(
            "INSERT INTO schema_migrations (version, name, checksum, applied_at) VALUES (?1, ?2, ?3, ?4)",
            params![self.version, self.name, self.checksum(), now.as_millis()],
        )?;
        Ok(())
    }

    /// SHA-256 of the file. Carriage returns are left out: a checkout on Windows may add them.
    fn checksum(&self) -> Vec<u8> {
        let bytes: Vec<u8> = self.sql.bytes().filter(|byte| *byte != b'\r').collect();
        Sha256::digest(&bytes).to_vec()
    }
}
