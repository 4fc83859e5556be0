//! The options that name a database.

use std::path::PathBuf;
use std::time::Duration;

use crate::database::DatabaseOptions;

/// The options of a database, of every subcommand.
// What is written at the fields is the help of the program, and no Markdown.
#[doc(hidden)]
#[derive(clap::Args)]
pub struct DatabaseArguments {
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
    #[must_use]
    pub fn options(&self) -> DatabaseOptions {
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
