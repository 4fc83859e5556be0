//! `migrate`: brings the schema of a database up to date.

use std::process::ExitCode;

use invoicing_service::database::{Migration, migrate as migrate_database};
use invoicing_service::program::DatabaseArguments;
use invoicing_service::{Clock as _, SystemClock};
use serde::Serialize;

use super::output::Output;
use super::{EXIT_CODES, finish};

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
