//! A service in a separate process that blocks at a given step, so that a test can kill it exactly there.
//!
//! The process is this test binary, started for [`serve_until_killed`](super::serve_until_killed). A step is a finished
//! statement that writes (on PostgreSQL one that is a transaction by itself), or the line of the request log: the response exists and is not yet written. Both are `tracing`
//! events of the unmodified service.

use std::fmt;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::Mutex;

use invoicing_service::{Config, Seed, SystemClock, SystemRng, serve};
use tracing::field::{Field, Visit};
use tracing::{Event, Metadata, Subscriber};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt as _};
use tracing_subscriber::util::SubscriberInitExt as _;

use crate::fixtures::process::Process;
use crate::fixtures::{ServiceFolder, wait_until};

/// Environment variable: the folder of the process.
const FOLDER_VARIABLE: &str = "KILLABLE_FOLDER";
/// Environment variable: the address of its database.
const DATABASE_VARIABLE: &str = "KILLABLE_DATABASE";
/// Environment variable: prefix of the step at which it blocks; without it, steps are only recorded.
const STEP_VARIABLE: &str = "KILLABLE_STOP_AT";
/// Environment variable: how many such steps it lets pass before.
const SKIP_VARIABLE: &str = "KILLABLE_SKIP";
/// Steps are recorded once this file exists.
const ARMED_FILE: &str = "armed";
/// The recorded steps, one per line.
const STEPS_FILE: &str = "steps";
/// Exists once the process is blocked.
const STOPPED_FILE: &str = "stopped";
/// The last step of each request.
pub(crate) const RESPONSE_READY: &str = "response ready";

/// A running service that records its steps after [`KillableService::arm`].
pub(crate) struct KillableService {
    pub(crate) process: Process,
    folder: PathBuf,
}

impl KillableService {
    /// Starts it on the database in `folder`. With `step` (count, prefix) it lets `count` steps with the prefix pass after
    /// `arm` and blocks at the next; without, it never blocks.
    pub(crate) async fn start(folder: &ServiceFolder, step: Option<(usize, &str)>) -> Self {
        let database = folder.database_url();
        let folder = folder.path();
        for file in [ARMED_FILE, STEPS_FILE, STOPPED_FILE] {
            let _ = fs::remove_file(folder.join(file));
        }
        let log = OpenOptions::new()
            .create(true)
            .append(true)
            .open(folder.join("log"))
            .expect("a log file");
        let mut command =
            Command::new(std::env::current_exe().expect("the path of the test binary"));
        command
            .args([
                "crash::serve_until_killed",
                "--exact",
                "--ignored",
                "--nocapture",
            ])
            .env(FOLDER_VARIABLE, folder)
            .env(DATABASE_VARIABLE, database)
            .stdin(Stdio::null())
            .stdout(log.try_clone().expect("a log file"))
            .stderr(log);
        if let Some((skip, step)) = step {
            command
                .env(STEP_VARIABLE, step)
                .env(SKIP_VARIABLE, skip.to_string());
        }
        Self {
            process: Process::started(command, folder).await,
            folder: folder.to_owned(),
        }
    }

    /// Starts the recording of steps.
    pub(crate) fn arm(&self) {
        fs::write(self.folder.join(ARMED_FILE), "").expect("a file is written");
    }

    /// Waits until it is blocked at its step.
    pub(crate) async fn stopped(&self) {
        let stopped = self.folder.join(STOPPED_FILE);
        wait_until("the process is blocked", async || stopped.exists()).await;
    }

    /// Kills it with SIGKILL; returns the recorded steps.
    pub(crate) fn kill(self) -> Vec<String> {
        self.process.kill();
        let steps = fs::read_to_string(self.folder.join(STEPS_FILE)).unwrap_or_default();
        steps.lines().map(str::to_owned).collect()
    }
}

/// The main function of the process.
pub(crate) async fn serve_until_killed() {
    let folder =
        PathBuf::from(std::env::var_os(FOLDER_VARIABLE).expect("started by KillableService"));
    let skip = std::env::var(SKIP_VARIABLE).map(|skip| skip.parse().expect("a number"));
    let recorder = StepRecorder {
        folder: folder.clone(),
        stop_at: std::env::var(STEP_VARIABLE).ok(),
        skip: Mutex::new(skip.unwrap_or_default()),
    };
    tracing_subscriber::registry().with(recorder).init();
    let config = Config {
        seed: Some(Seed::Demo),
        invoices: Some(0),
        ..Config::local(std::env::var(DATABASE_VARIABLE).expect("started by KillableService"))
    };
    let running = serve(config, Arc::new(SystemClock), Arc::new(SystemRng))
        .await
        .expect("the service starts");
    let ready = serde_json::to_vec(&running.ready).expect("JSON");
    fs::write(folder.join(".ready"), ready).expect("a file is written");
    fs::rename(folder.join(".ready"), folder.join("ready.json"))
        .expect("the ready file is renamed");
    std::future::pending::<()>().await;
}

/// Records steps, and blocks for ever at one of them.
struct StepRecorder {
    folder: PathBuf,
    stop_at: Option<String>,
    skip: Mutex<usize>,
}

/// The fields of an event that identify its step.
#[derive(Default)]
struct EventFields {
    statement: Option<String>,
    path: Option<String>,
    /// A step of archiving.
    step: Option<String>,
}

impl StepRecorder {
    fn record(&self, step: &str) {
        let mut skip = self.skip.lock().expect("the lock is not poisoned");
        let mut file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(self.folder.join(STEPS_FILE))
            .expect("the steps file opens");
        writeln!(file, "{step}").expect("the step is recorded");
        let stop_at = self.stop_at.as_ref();
        if stop_at.is_none_or(|stop_at| !step.starts_with(stop_at)) {
            return;
        }
        if *skip > 0 {
            *skip -= 1;
            return;
        }
        fs::write(self.folder.join(STOPPED_FILE), "").expect("a file is written");
        // The lock stays held, so no other step completes. The thread of the statement is blocked, so neither the next
        // statement nor the response follows.
        loop {
            std::thread::park();
        }
    }
}

impl<S: Subscriber> Layer<S> for StepRecorder {
    fn enabled(&self, metadata: &Metadata<'_>, _: Context<'_, S>) -> bool {
        let target = metadata.target();
        target == "invoicing_storage_sqlite::engine::trace"
            || target == "invoicing_storage_postgres::engine::attempt"
            || target == "invoicing_service::audit_archive"
            || target.ends_with("http::request_log")
    }

    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let mut fields = EventFields::default();
        event.record(&mut fields);
        if let Some(step) = &fields.step {
            return self.record(step);
        }
        let step = match (fields.statement, fields.path.as_deref()) {
            // Key rotation and maintenance run in the background at any time.
            (Some(statement), _)
                if statement.contains("signing_keys") || statement.contains("INTO leases") =>
            {
                return;
            }
            // Only the first token of a client inserts its authorization.
            (Some(statement), _) if statement.contains("token_authorizations") => return,
            // The pool opens connections at any time.
            (Some(statement), _) if statement.starts_with("PRAGMA") => return,
            // Archiving begins with the process, before it can be armed.
            (Some(statement), _)
                if statement.starts_with("INSERT INTO audit_archives")
                    || statement.starts_with("DELETE FROM audit_events") =>
            {
                return self.record(&statement);
            }
            (Some(statement), _) => statement,
            (None, Some("/oauth/v2/token")) => RESPONSE_READY.to_owned(),
            (None, _) => return,
        };
        if self.folder.join(ARMED_FILE).exists() {
            self.record(&step);
        }
    }
}

impl Visit for EventFields {
    fn record_str(&mut self, field: &Field, value: &str) {
        match field.name() {
            // The complete statement follows, unless it is as short as its summary.
            "summary" => self.statement = Some(one_line(value)),
            "statement" => self.statement = Some(one_line(value)),
            "db.statement" if !value.is_empty() => self.statement = Some(one_line(value)),
            "step" => self.step = Some(value.to_owned()),
            "path" => self.path = Some(value.to_owned()),
            _ => {}
        }
    }

    fn record_debug(&mut self, _: &Field, _: &dyn fmt::Debug) {}
}

fn one_line(statement: &str) -> String {
    statement.split_whitespace().collect::<Vec<_>>().join(" ")
}
