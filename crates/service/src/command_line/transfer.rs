//! `migrate-data`, `backup` and `restore`.

use std::io::{IsTerminal as _, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use invoicing_service::SystemRng;
use invoicing_service::database::{DatabaseOptions, MoveError, move_database};
use invoicing_storage::transfer::Progress;
use invoicing_storage_sqlite::BackupError;
use serde::Serialize;

use super::EXIT_CODES;
use super::output::Output;

/// How many records of a table are copied between two lines of a log. The last one has a line too.
const LOGGED_RECORDS: u64 = 100_000;

#[derive(clap::Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct MigrateData {
    /// The database to move. Every service of it must be stopped. Other users of this machine can read arguments: name an
    /// address with a password in the environment variable
    #[arg(env = "INVOICING_MOVE_FROM", hide_env_values = true)]
    from: String,
    /// The empty database to move to, on PostgreSQL after `migrate`, as the role that owns the tables
    #[arg(env = "INVOICING_MOVE_TO", hide_env_values = true)]
    to: String,
    /// Certificate authorities (PEM) of the PostgreSQL server, beside those of the system
    #[arg(long, env = "INVOICING_DATABASE_CA", value_name = "FILE")]
    database_ca: Option<PathBuf>,
    /// Print JSON instead of a table
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct Backup {
    /// The file to write, which must not exist
    file: PathBuf,
    #[command(flatten)]
    database: SqliteArgument,
}

#[derive(clap::Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct Restore {
    /// A file that `backup` has written
    file: PathBuf,
    #[command(flatten)]
    database: SqliteArgument,
}

#[derive(clap::Args)]
struct SqliteArgument {
    /// The database: sqlite:PATH
    #[arg(
        long,
        env = "INVOICING_DATABASE",
        hide_env_values = true,
        value_name = "URL",
        default_value = "sqlite:invoicing.db"
    )]
    database: String,
}

#[derive(Serialize)]
struct TableView {
    table: &'static str,
    records: u64,
    digest: String,
}

/// `invoicing-service migrate-data …`
pub(crate) async fn migrate_data(arguments: MigrateData) -> ExitCode {
    let options = |url: String| DatabaseOptions {
        ca_file: arguments.database_ca.clone(),
        ..DatabaseOptions::from(url)
    };
    let (from, to) = (options(arguments.from), options(arguments.to));
    let mut tables = Vec::new();
    let mut line = ProgressLine::default();
    let moved = move_database(&from, &to, Arc::new(SystemRng), |progress| {
        line.show(progress);
        if let Progress::Compared { table, digest } = progress {
            tables.push(TableView {
                table,
                records: digest.records(),
                digest: digest.to_string(),
            });
        }
    });
    match moved.await {
        Ok(()) => {
            let output = Output::list(&tables, &["table", "records", "digest"]);
            super::finish(Ok(output), arguments.json)
        }
        Err(error) => fail(&error),
    }
}

fn fail(error: &MoveError) -> ExitCode {
    crate::fail(&error.to_string(), error.exit_code())
}

/// What a move is doing, on standard error: a line that changes on a terminal, lines of a log elsewhere.
#[derive(Default)]
struct ProgressLine {
    logged: u64,
}

impl ProgressLine {
    fn show(&mut self, progress: Progress) {
        let mut error = std::io::stderr().lock();
        // Whoever closed it does not want to read it.
        let _ = match progress {
            Progress::Copied {
                table,
                records,
                total,
            } if error.is_terminal() => {
                write!(error, "\r\x1b[K{table}: {records} of {total} copied")
                    .and_then(|()| error.flush())
            }
            Progress::Copied {
                table,
                records,
                total,
            } => {
                let hundred_thousands = records / LOGGED_RECORDS;
                let is_due = hundred_thousands > self.logged || records == total;
                self.logged = hundred_thousands;
                if is_due {
                    writeln!(error, "{table}: {records} of {total} copied")
                } else {
                    Ok(())
                }
            }
            Progress::Compared { table, digest } => {
                let start = if error.is_terminal() { "\r\x1b[K" } else { "" };
                writeln!(
                    error,
                    "{start}{table}: {} are the same in both",
                    digest.records()
                )
            }
        };
    }
}

/// `invoicing-service backup …`
pub(crate) fn backup(arguments: &Backup) -> ExitCode {
    let Backup { file, database } = arguments;
    let folder = "copy the folder of the audit's archives too";
    match sqlite_url(database) {
        Ok(url) => done(invoicing_storage_sqlite::backup(url, file), folder),
        Err(code) => code,
    }
}

/// `invoicing-service restore …`
pub(crate) fn restore(arguments: &Restore) -> ExitCode {
    let Restore { file, database } = arguments;
    let folder = "restore the folder of the audit's archives too";
    match sqlite_url(database) {
        Ok(url) => done(invoicing_storage_sqlite::restore(file, url), folder),
        Err(code) => code,
    }
}

/// Backup and restore are for a database in a file.
fn sqlite_url(argument: &SqliteArgument) -> Result<&str, ExitCode> {
    if argument.database.starts_with("sqlite:") {
        return Ok(&argument.database);
    }
    Err(crate::fail(
        "this is for databases sqlite:PATH. PostgreSQL has its own: a base backup and the archive of its log (docs/operations.md)",
        64,
    ))
}

fn done(outcome: Result<(), BackupError>, hint: &str) -> ExitCode {
    match outcome {
        Ok(()) => {
            // Whoever closed it does not want to read it.
            let _ = writeln!(std::io::stderr(), "done; {hint}");
            ExitCode::SUCCESS
        }
        Err(error) => crate::fail(&error.to_string(), error.exit_code()),
    }
}
