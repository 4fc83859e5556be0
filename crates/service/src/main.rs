//! The command line of the service.

mod command_line;

use std::ffi::OsStr;
use std::io::IsTerminal as _;
use std::process::ExitCode;
use std::sync::Arc;

use clap::{Parser, Subcommand};
use invoicing_http::BindError;
use invoicing_http::server::raise_descriptor_limit;
use invoicing_service::program::{ServeArguments, log_filter, ready_file};
use invoicing_service::{RunningService, StartError, SystemClock, SystemRng};
#[cfg(unix)]
use tokio::signal::unix::{Signal, SignalKind, signal};

/// The system allocator takes its slow path for blocks above one kilobyte, and each response needs several.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Identity provider, API gateway and invoicing back end in one program.
#[derive(Parser)]
#[command(name = "invoicing-service", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Serves until it is told to stop (SIGTERM or Ctrl-C). A second signal ends it at once
    Serve(Box<ServeArguments>),
    /// Brings the schema of a database up to date, as the role that owns its tables
    Migrate(command_line::Migrate),
    /// Moves all data to another, empty database: from SQLite to PostgreSQL or back. Run again, it continues
    MigrateData(command_line::MigrateData),
    /// Writes a database on SQLite into a file, while it is served or not
    Backup(command_line::Backup),
    /// Makes a database on SQLite from a backup
    Restore(command_line::Restore),
    /// Administers tenants, users, grants, applications, keys and the audit
    Admin(Box<command_line::Admin>),
    /// Shows and rotates the keys that sign id_tokens
    Keys(command_line::KeysCommand),
}

fn main() -> ExitCode {
    // First, because rustls panics when it has to choose between several providers.
    if rustls::crypto::aws_lc_rs::default_provider()
        .install_default()
        .is_err()
    {
        return fail("the cryptography provider was installed twice", 70);
    }
    let Arguments { command } = Arguments::parse();
    // Administration prints its answer; only warnings are logged.
    let level = match &command {
        Command::Serve(_) => "info",
        Command::Migrate(_)
        | Command::MigrateData(_)
        | Command::Backup(_)
        | Command::Restore(_)
        | Command::Admin(_)
        | Command::Keys(_) => "warn",
    };
    let setting = std::env::var_os("INVOICING_LOG");
    let setting = setting.as_deref().map(OsStr::to_string_lossy);
    let filter = match log_filter(setting.as_deref(), level) {
        Ok(filter) => filter,
        Err(problem) => return fail(&problem, 64),
    };
    tracing_subscriber::fmt()
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal())
        .with_env_filter(filter)
        .init();
    match tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
    {
        Ok(runtime) => {
            let code = runtime.block_on(async {
                match command {
                    Command::Serve(arguments) => serve(*arguments).await,
                    Command::Migrate(migrate) => command_line::migrate(migrate).await,
                    Command::MigrateData(arguments) => command_line::migrate_data(arguments).await,
                    Command::Backup(arguments) => command_line::backup(&arguments),
                    Command::Restore(arguments) => command_line::restore(&arguments),
                    Command::Admin(admin) => command_line::admin(*admin).await,
                    Command::Keys(keys) => command_line::keys(keys).await,
                }
            });
            // Dropping the runtime would wait for a thread that hangs in a call to the disk.
            runtime.shutdown_background();
            code
        }
        Err(error) => fail(&format!("the system gives no threads: {error}"), 71),
    }
}

async fn serve(arguments: ServeArguments) -> ExitCode {
    let descriptors = raise_descriptor_limit();
    tracing::debug!(descriptors, "open files");
    let (config, file) = arguments.into_config();
    if let Some(file) = &file
        && let Err(error) = ready_file::remove_stale(file)
    {
        let file = file.display();
        return fail(
            &format!("the ready file {file} cannot be removed: {error}"),
            73,
        );
    }
    let mut signals = StopSignals::listen();
    let running = tokio::select! {
        running = invoicing_service::serve(config, Arc::new(SystemClock), Arc::new(SystemRng)) => running,
        // It may be waiting for its database.
        _ = signals.next() => return ExitCode::SUCCESS,
    };
    let running = match running {
        Ok(running) => running,
        Err(error) => return fail(&format!("{error}{}", remedy(&error)), error.exit_code()),
    };
    if let Some(file) = &file
        && let Err(error) = ready_file::write(file, &running.ready)
    {
        let message = format!(
            "the ready file {} cannot be written: {error}",
            file.display()
        );
        shut_down(running, &mut signals).await;
        return fail(&message, 73);
    }
    let moved = tokio::select! {
        _ = signals.next() => None,
        error = running.moved() => Some((error.to_string(), error.exit_code())),
    };
    tracing::info!("stopping");
    shut_down(running, &mut signals).await;
    moved.map_or(ExitCode::SUCCESS, |(message, code)| fail(&message, code))
}

/// Stops the service. A further signal ends the process at once, without the requests in flight.
async fn shut_down(running: RunningService, signals: &mut StopSignals) {
    tokio::select! {
        () = running.shutdown() => {}
        code = signals.next() => {
            tracing::warn!("a further signal ends the process: requests in flight are cut off");
            // Dropping the service could wait for the collector of spans. What was acknowledged is stored.
            std::process::exit(code)
        }
    }
}

/// The signals that tell the process to stop: SIGTERM and Ctrl-C.
struct StopSignals {
    #[cfg(unix)]
    terminate: Option<Signal>,
    #[cfg(unix)]
    interrupt: Option<Signal>,
}

impl StopSignals {
    /// From now on none of them ends the process by itself. One that cannot be listened to does.
    fn listen() -> Self {
        Self {
            #[cfg(unix)]
            terminate: signal(SignalKind::terminate()).ok(),
            #[cfg(unix)]
            interrupt: signal(SignalKind::interrupt()).ok(),
        }
    }

    /// Waits for the next of them. Returns the exit code of a process that it ends: 128 plus its number.
    #[cfg(unix)]
    async fn next(&mut self) -> i32 {
        tokio::select! {
            () = received(self.terminate.as_mut()) => 143,
            () = received(self.interrupt.as_mut()) => 130,
        }
    }

    /// Waits for the next of them. Returns the exit code of a process that it ends.
    #[cfg(not(unix))]
    async fn next(&mut self) -> i32 {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
        130
    }
}

#[cfg(unix)]
async fn received(signal: Option<&mut Signal>) {
    match signal {
        Some(signal) => {
            signal.recv().await;
        }
        None => std::future::pending().await,
    }
}

/// What to do about an error, where its message does not say it.
fn remedy(error: &StartError) -> String {
    let remedy = if let StartError::Bind(BindError::PortInUse { .. }) = error {
        "Stop that program, or choose another port (0 picks a free one)."
    } else if let StartError::DatabaseOfOtherKind { .. } = error {
        "Start it with that kind, or name another database."
    } else if let StartError::Database(error) = error {
        error.remedy()
    } else {
        ""
    };
    if remedy.is_empty() {
        String::new()
    } else {
        format!("\n{remedy}")
    }
}

#[expect(
    clippy::print_stderr,
    reason = "the one place where the program prints an error"
)]
fn fail(message: &str, code: u8) -> ExitCode {
    eprintln!("invoicing-service: {message}");
    ExitCode::from(code)
}
