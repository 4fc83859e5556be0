//! The options of a database, and `migrate`.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use invoicing_service::database::{DatabaseOptions, Migration, migrate as migrate_database};
use invoicing_service::{Clock as _, SystemClock};
use serde::Serialize;

use super::output::Output;
use super::{EXIT_CODES, finish};

/// The options of a database, of every subcommand.
#[derive(clap::Args)]
pub(crate) struct DatabaseArguments {
    /// Where everything is kept: sqlite:PATH or postgres://USER:PASSWORD@HOST:PORT[,HOST:PORT]/NAME. Other users of this machine
    /// can read arguments: name an address with a password in the environment variable
    #[arg(
        long,
        global = true,
        env = "INVOICING_DATABASE",
        hide_env_values = true,
        value_name = "URL",
        default_value = "sqlite:invoicing.db"
    )]
    database: String,
    /// Certificate authorities (PEM) of the PostgreSQL server, beside those of the system
    #[arg(
        long,
        global = true,
        env = "INVOICING_DATABASE_CA",
        value_name = "FILE"
    )]
    database_ca: Option<PathBuf>,
    /// Connections to PostgreSQL at most, by default 16
    #[arg(
        long,
        global = true,
        env = "INVOICING_DATABASE_CONNECTIONS",
        value_name = "N",
        value_parser = clap::value_parser!(u16).range(1..)
    )]
    database_connections: Option<u16>,
    /// How long PostgreSQL works on a statement before it gives up, by default 15
    #[arg(
        long,
        global = true,
        env = "INVOICING_DATABASE_STATEMENT_TIMEOUT",
        value_name = "SECONDS",
        value_parser = clap::value_parser!(u32).range(1..=3600)
    )]
    database_statement_timeout: Option<u32>,
}

impl DatabaseArguments {
    /// The database that they name.
    pub(crate) fn options(&self) -> DatabaseOptions {
        DatabaseOptions {
            url: self.database.clone().into(),
            ca_file: self.database_ca.clone(),
            connections: self.database_connections.map(usize::from),
            statement_timeout: self
                .database_statement_timeout
                .map(|seconds| Duration::from_secs(u64::from(seconds))),
        }
    }
}

#[derive(clap::Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct Migrate {
    #[command(flatten)]
    database: DatabaseArguments,
    /// Print JSON instead of a table
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct View {
    database: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<i32>,
    outcome: &'static str,
}

/// `invoicing-service migrate …`
pub(crate) async fn migrate(migrate: Migrate) -> ExitCode {
    let options = migrate.database.options();
    let migrated = migrate_database(&options, SystemClock.timestamp()).await;
    let output = migrated.map(|migration| {
        let (from, to, outcome) = match migration {
            Migration::AtEachStart => (
                None,
                None,
                "a database on SQLite is migrated at each start; nothing was done",
            ),
            Migration::Migrated { from, to } if from == to => {
                (Some(from), Some(to), "it was up to date")
            }
            Migration::Migrated { from, to } => (Some(from), Some(to), "migrated"),
        };
        Output::one(&View {
            database: options.url.to_string(),
            from,
            to,
            outcome,
        })
    });
    finish(output.map_err(Into::into), migrate.json)
}
