//! The subcommands beside `serve`: administration of a database, while it is served or not.

mod applications;
mod audit;
mod database;
mod grants;
mod keys;
mod pats;
mod tenant_arguments;
mod tenants;
mod transfer;
mod users;

use std::io::{BufRead as _, IsTerminal as _, Write as _};
use std::process::ExitCode;
use std::sync::Arc;

use clap::Subcommand;
use invoicing_identity::administration::{Administration, AdministrationError};
use invoicing_service::audit_archive::{ArchiveError, Finding};
use invoicing_service::program::DatabaseArguments;
use invoicing_service::program::output::{self, Output};
use invoicing_service::{
    DatabaseError, DatabaseOptions, KeyFileError, OpenAdministrationError, RotateEncryptionError,
    SystemClock, SystemRng, open_administration,
};
use secrecy::SecretString;

pub(crate) use database::{Migrate, migrate};
pub(crate) use transfer::{Backup, MigrateData, Restore, backup, migrate_data, restore};

/// Options of every subcommand.
#[derive(clap::Args)]
pub(crate) struct CommonOptions {
    #[command(flatten)]
    database: DatabaseArguments,
    /// Print JSON instead of tables
    #[arg(long, global = true)]
    json: bool,
    /// Do not ask before what cannot be undone
    #[arg(long, global = true)]
    yes: bool,
}

/// The exit codes, for scripts.
pub(crate) const EXIT_CODES: &str = "\
Exit codes:
   0  done
   1  you answered no
   2  the command line is wrong
  64  a value cannot be taken, or --yes is missing where nobody can be asked
  65  the database is damaged, newer, not migrated, or of another kind
  66  there is no such database, user, application, …
  73  there is one already
  74  the database cannot be read or written
  75  the database is held by somebody else; try again
  77  a rule is against it";

#[derive(clap::Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct Admin {
    #[command(flatten)]
    common: CommonOptions,
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct KeysCommand {
    #[command(flatten)]
    common: CommonOptions,
    #[command(subcommand)]
    command: keys::Keys,
}

#[derive(Subcommand)]
enum Command {
    /// Organizations, and how much they may do
    #[command(subcommand)]
    Tenants(tenants::Tenants),
    /// People and machine users
    #[command(subcommand)]
    Users(users::Users),
    /// Roles of a user in organizations
    #[command(subcommand)]
    Grants(grants::Grants),
    /// Registered applications and their secrets
    #[command(subcommand)]
    Applications(applications::Applications),
    /// Personal access tokens of machine users; never in production
    #[command(subcommand)]
    Pats(pats::Pats),
    /// Keys that sign id_tokens
    #[command(subcommand)]
    Keys(keys::Keys),
    /// The record of security events, newest first, of the database and of its archives
    Audit(audit::Audit),
}

/// Why a subcommand changed nothing.
#[derive(Debug, thiserror::Error)]
enum CommandError {
    #[error(transparent)]
    Administration(#[from] AdministrationError),
    #[error(transparent)]
    Open(#[from] OpenAdministrationError),
    #[error(transparent)]
    Database(#[from] DatabaseError),
    #[error("this database has no folder of archives beside it: name one with --archive")]
    NoArchive,
    #[error("this cannot be undone: say --yes, since nobody can be asked here")]
    NotConfirmed,
    #[error("nothing was changed")]
    AnsweredNo,
    #[error("no password came in: {0}")]
    NoPassword(String),
    #[error("the database is no file with keys beside it: name a key file")]
    NoKeyFile,
    #[error(transparent)]
    KeyFile(#[from] KeyFileError),
    #[error(transparent)]
    RotateEncryption(#[from] RotateEncryptionError),
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    #[error("the audit is not complete:{}", list(.0))]
    IncompleteAudit(Vec<Finding>),
}

impl CommandError {
    const fn exit_code(&self) -> u8 {
        match self {
            Self::Administration(error) => error.exit_code(),
            Self::Open(error) => error.exit_code(),
            Self::Database(error) => error.exit_code(),
            Self::NoArchive
            | Self::NotConfirmed
            | Self::NoPassword(_)
            | Self::NoKeyFile
            | Self::KeyFile(_) => 64,
            Self::RotateEncryption(error) => error.exit_code(),
            Self::AnsweredNo => 1,
            Self::Archive(error) => error.exit_code(),
            Self::IncompleteAudit(_) => 65,
        }
    }
}

/// A line for each finding.
fn list(findings: &[Finding]) -> String {
    let lines = findings.iter().map(|Finding { file, problem }| {
        let file = file.as_deref().unwrap_or("the database");
        format!("\n  {file}: {problem}")
    });
    lines.collect()
}

impl From<invoicing_storage::StorageError> for CommandError {
    fn from(error: invoicing_storage::StorageError) -> Self {
        Self::Administration(error.into())
    }
}

type CommandResult = Result<Output, CommandError>;

/// `invoicing-service admin …`
pub(crate) async fn admin(admin: Admin) -> ExitCode {
    let Admin { common, command } = admin;
    let database = common.database.options();
    let done = async {
        let administration = open(&database).await?;
        match command {
            Command::Tenants(command) => command.run(&administration).await,
            Command::Users(command) => command.run(&administration, &common).await,
            Command::Grants(command) => command.run(&administration, &common).await,
            Command::Applications(command) => command.run(&administration, &common).await,
            Command::Pats(command) => command.run(&administration, &common).await,
            Command::Keys(command) => command.run(&administration, &database).await,
            Command::Audit(command) => command.run(&administration, &database).await,
        }
    };
    finish(done.await, common.json)
}

/// `invoicing-service keys …`
pub(crate) async fn keys(keys: KeysCommand) -> ExitCode {
    let KeysCommand { common, command } = keys;
    let done = async {
        let database = common.database.options();
        let administration = open(&database).await?;
        command.run(&administration, &database).await
    };
    finish(done.await, common.json)
}

fn finish(done: CommandResult, json: bool) -> ExitCode {
    match done {
        Ok(output) => match output.print(json) {
            Ok(()) => ExitCode::SUCCESS,
            // The reader closed the pipe early, as `head` does.
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
            Err(error) => crate::fail(&format!("the output cannot be written: {error}"), 74),
        },
        Err(failure) => crate::fail(&failure.to_string(), failure.exit_code()),
    }
}

/// Asks for confirmation of what cannot be undone.
fn confirm(common: &CommonOptions, question: &str) -> Result<(), CommandError> {
    if common.yes {
        return Ok(());
    }
    if !std::io::stdin().is_terminal() {
        return Err(CommandError::NotConfirmed);
    }
    let asked =
        write!(std::io::stderr(), "{question} [y/N] ").and_then(|()| std::io::stderr().flush());
    let mut answer = String::new();
    if asked.is_err() || std::io::stdin().lock().read_line(&mut answer).is_err() {
        return Err(CommandError::NotConfirmed);
    }
    if answer.trim().eq_ignore_ascii_case("y") {
        Ok(())
    } else {
        Err(CommandError::AnsweredNo)
    }
}

/// The password from standard input, if `from_stdin`. It is no argument, because every user of the machine can read those.
fn password(from_stdin: bool) -> Result<Option<SecretString>, CommandError> {
    if !from_stdin {
        return Ok(None);
    }
    let mut line = String::new();
    match std::io::stdin().lock().read_line(&mut line) {
        Ok(0) => Err(CommandError::NoPassword(
            "standard input is empty".to_owned(),
        )),
        Ok(_) => {
            let password = SecretString::from(line.trim_end_matches(['\r', '\n']));
            zeroize::Zeroize::zeroize(&mut line);
            Ok(Some(password))
        }
        Err(error) => Err(CommandError::NoPassword(error.to_string())),
    }
}

/// Opens the environment in `database` with the clock and the random source of the operating system.
async fn open(database: &DatabaseOptions) -> Result<Administration, OpenAdministrationError> {
    open_administration(database, Arc::new(SystemClock), Arc::new(SystemRng)).await
}
