//! A service in a process of its own that stops for ever at a step with a name, so that a test can kill it exactly there.
//!
//! The process is this test program once more, started for [`serve_until_killed`](super::serve_until_killed). A step
//! is a statement that has just been run (what is only looked up leaves nothing behind), or the line of the request log:
//! the answer is made and not yet written. Both are told by `tracing` anyway, and nothing in the service knows that it is watched.

use std::fmt;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::Mutex;
use std::time::Duration;

use invoicing_service::{Config, Seed, SystemClock, SystemRng, serve};
use tracing::field::{Field, Visit};
use tracing::{Event, Metadata, Subscriber};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt as _};
use tracing_subscriber::util::SubscriberInitExt as _;

use crate::fixtures::process::Process;

/// The folder that the dying process works in.
const FOLDER: &str = "DYING_IN";
/// How the step begins at which it stops; without one it only writes its steps down.
const STEP: &str = "DYING_AT";
/// How many such steps it lets pass before.
const PASSES: &str = "DYING_AFTER";
/// From the moment this file is there, steps count.
const ARMED: &str = "armed";
/// The steps so far, a line each.
const STEPS: &str = "steps";
/// There once it has stopped.
const STOPPED: &str = "stopped";
/// The last step of every request.
pub(crate) const ANSWERED: &str = "the answer is made";

/// A started service whose steps count from [`KillableService::arm`] on.
pub(crate) struct KillableService {
    pub(crate) process: Process,
    folder: PathBuf,
}

impl KillableService {
    /// Starts it on the database in `folder`. Armed, it lets so many steps pass that begin so, and stops at the next; or it
    /// never stops.
    pub(crate) async fn start(folder: &Path, step: Option<(usize, &str)>) -> Self {
        for file in [ARMED, STEPS, STOPPED] {
            let _ = fs::remove_file(folder.join(file));
        }
        let log = OpenOptions::new()
            .create(true)
            .append(true)
            .open(folder.join("log"))
            .expect("a log file");
        let mut command = Command::new(std::env::current_exe().expect("this program has a file"));
        command
            .args([
                "crash::serve_until_killed",
                "--exact",
                "--ignored",
                "--nocapture",
            ])
            .env(FOLDER, folder)
            .stdin(Stdio::null())
            .stdout(log.try_clone().expect("a log file"))
            .stderr(log);
        if let Some((passes, step)) = step {
            command.env(STEP, step).env(PASSES, passes.to_string());
        }
        Self {
            process: Process::started(command, folder).await,
            folder: folder.to_owned(),
        }
    }

    /// From now on steps count.
    pub(crate) fn arm(&self) {
        fs::write(self.folder.join(ARMED), "").expect("a file is written");
    }

    /// Waits until it stands at its step.
    pub(crate) async fn stopped(&self) {
        while !self.folder.join(STOPPED).exists() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// kill -9, and the steps up to there.
    pub(crate) fn kill(self) -> Vec<String> {
        self.process.kill();
        let steps = fs::read_to_string(self.folder.join(STEPS)).unwrap_or_default();
        steps.lines().map(str::to_owned).collect()
    }
}

/// What the process does.
pub(crate) async fn serve_until_killed() {
    let folder = PathBuf::from(std::env::var_os(FOLDER).expect("started by a test of this file"));
    let passes = std::env::var(PASSES).map(|passes| passes.parse().expect("a number"));
    let watch = Watch {
        folder: folder.clone(),
        stops_at: std::env::var(STEP).ok(),
        passes: Mutex::new(passes.unwrap_or_default()),
    };
    tracing_subscriber::registry().with(watch).init();
    let config = Config {
        seed: Some(Seed::Demo),
        invoices: Some(0),
        ..Config::local(format!("sqlite:{}", folder.join("invoicing.db").display()))
    };
    let running = serve(config, Arc::new(SystemClock), Arc::new(SystemRng))
        .await
        .expect("the service starts");
    let ready = serde_json::to_vec(&running.ready).expect("JSON");
    fs::write(folder.join(".ready"), ready).expect("a file is written");
    fs::rename(folder.join(".ready"), folder.join("ready.json")).expect("it gets its name");
    std::future::pending::<()>().await;
}

/// Counts steps, and stops for ever at one of them.
struct Watch {
    folder: PathBuf,
    stops_at: Option<String>,
    passes: Mutex<usize>,
}

/// What an event says of its step.
#[derive(Default)]
struct Told {
    statement: Option<String>,
    path: Option<String>,
}

impl Watch {
    fn reached(&self, step: &str) {
        let mut passes = self.passes.lock().expect("nobody panics while holding it");
        let mut file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(self.folder.join(STEPS))
            .expect("the file of steps");
        writeln!(file, "{step}").expect("a step is written down");
        let counts = self.stops_at.as_ref();
        if counts.is_none_or(|stops_at| !step.starts_with(stops_at)) {
            return;
        }
        if *passes > 0 {
            *passes -= 1;
            return;
        }
        fs::write(self.folder.join(STOPPED), "").expect("a file is written");
        // With the lock: no other step is made either. The thread of the statement goes no further, so that neither the
        // next statement nor the answer can follow.
        loop {
            std::thread::park();
        }
    }
}

impl<S: Subscriber> Layer<S> for Watch {
    fn enabled(&self, metadata: &Metadata<'_>, _: Context<'_, S>) -> bool {
        let target = metadata.target();
        target == "sqlx::query"
            || target == "invoicing_storage_sqlite::engine::trace"
            || target.ends_with("http::request_log")
    }

    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let mut told = Told::default();
        event.record(&mut told);
        let step = match (told.statement, told.path.as_deref()) {
            // Running servers look after their keys whenever it is time.
            (Some(statement), _) if statement.contains("signing_keys") => return,
            // The first token of a client inserts its authorization, later ones do not.
            (Some(statement), _) if statement.contains("token_authorizations") => return,
            // A further connection is opened whenever one is missing.
            (Some(statement), _) if statement.starts_with("PRAGMA") => return,
            (Some(statement), _) => statement,
            (None, Some("/oauth/v2/token")) => ANSWERED.to_owned(),
            (None, _) => return,
        };
        if self.folder.join(ARMED).exists() {
            self.reached(&step);
        }
    }
}

impl Visit for Told {
    fn record_str(&mut self, field: &Field, value: &str) {
        match field.name() {
            // The whole statement follows, unless it is as short as its summary.
            "summary" => self.statement = Some(one_line(value)),
            "statement" => self.statement = Some(one_line(value)),
            "db.statement" if !value.is_empty() => self.statement = Some(one_line(value)),
            "path" => self.path = Some(value.to_owned()),
            _ => {}
        }
    }

    fn record_debug(&mut self, _: &Field, _: &dyn fmt::Debug) {}
}

fn one_line(statement: &str) -> String {
    statement.split_whitespace().collect::<Vec<_>>().join(" ")
}
