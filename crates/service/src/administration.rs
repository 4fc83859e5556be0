//! Administration of a database from the command line, whether it is being served or not.

use std::sync::Arc;

use invoicing_contract::EnvironmentKind;
use invoicing_identity::administration::Administration;
use invoicing_storage::StorageError;
use invoicing_storage::audit;
use invoicing_storage::{Clock, Rng};

use crate::database::{self, DatabaseError, DatabaseOptions, OpenDatabase};

/// Why a database cannot be administered.
#[derive(Debug, thiserror::Error)]
pub enum OpenAdministrationError {
    /// There is no database, or no environment in it.
    #[error("there is no {what} {database}")]
    NotFound {
        /// What was looked for.
        what: &'static str,
        /// The database that was named.
        database: String,
    },
    /// The database cannot be opened.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// Storage failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl OpenAdministrationError {
    /// The exit code of the program, by the groups of sysexits.h.
    #[must_use]
    pub const fn exit_code(&self) -> u8 {
        match self {
            Self::NotFound { .. } => 66,
            Self::Database(error) => error.exit_code(),
            Self::Storage(error) => error.exit_code(),
        }
    }
}

/// Opens the environment in a database that exists, for an administrator at the command line. A service may be running: neither
/// is the schema changed nor a file checked whole (decision 0173).
///
/// # Errors
/// When there is no database, it cannot be opened, or its schema is not that of this version.
pub async fn open_administration(
    database: &DatabaseOptions,
    clock: Arc<dyn Clock>,
    rng: Arc<dyn Rng>,
) -> Result<Administration, OpenAdministrationError> {
    let not_found = |what| OpenAdministrationError::NotFound {
        what,
        database: database.url.to_string(),
    };
    if !database::exists(database).await? {
        return Err(not_found("database"));
    }
    let open = OpenDatabase::open_existing(database, rng.clone()).await?;
    open.check_in_place().await?;
    let store = open.store();
    let name = store.setting("kind").await?;
    let kind = name
        .as_deref()
        .and_then(EnvironmentKind::from_name)
        .ok_or_else(|| not_found("environment in the database"))?;
    Ok(Administration::new(
        store,
        kind,
        clock,
        rng,
        audit::COMMAND_LINE.to_owned(),
    ))
}
