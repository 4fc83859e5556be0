//! Servers: one that all tests share, and servers of their own for tests that kill them.

use std::fs::{self, File, OpenOptions};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::time::Duration;

use rustix::fs::FlockOperation;
use rustix::process::Pid;
use tempfile::TempDir;

use crate::programs;

/// Settings of a server whose data nobody needs after a crash.
const WITHOUT_DURABILITY: &[&str] = &[
    "fsync=off",
    "synchronous_commit=off",
    "full_page_writes=off",
    "autovacuum_naptime=10min",
    "max_wal_size=2GB",
];
/// Settings of every server.
const SETTINGS: &[&str] = &[
    "listen_addresses=127.0.0.1",
    // The path of a socket in the folder could be longer than the system allows.
    "unix_socket_directories=''",
    "max_connections=500",
    "shared_buffers=128MB",
    "max_locks_per_transaction=512",
];

/// A running server.
#[derive(Debug)]
pub struct Server {
    folder: Folder,
    port: u16,
}

/// Where a server keeps its data and its log.
#[derive(Debug)]
enum Folder {
    /// Of the server that all share, which goes on after this value.
    Shared(PathBuf),
    /// Of a server of its own: it ends with this value, and its folder goes with it.
    Owned(TempDir),
}

impl Folder {
    fn path(&self) -> &Path {
        match self {
            Self::Shared(path) => path,
            Self::Owned(folder) => folder.path(),
        }
    }
}

impl Server {
    /// The server that all tests of this machine and user share. The first caller starts it.
    pub fn shared() -> &'static Self {
        static SHARED: OnceLock<Server> = OnceLock::new();
        SHARED.get_or_init(|| {
            let folder = shared_folder();
            fs::create_dir_all(&folder).expect("the folder is created");
            let lock = lock(&folder);
            let port_file = folder.join("port");
            let server = match running_port(&folder, &port_file) {
                Some(port) => Self {
                    folder: Folder::Shared(folder),
                    port,
                },
                None => {
                    create_folder(&folder);
                    let _ = fs::remove_dir_all(folder.join("data"));
                    initialize(&folder.join("data"));
                    let server = Self {
                        folder: Folder::Shared(folder),
                        port: free_port(),
                    };
                    server.start_with(WITHOUT_DURABILITY);
                    fs::write(port_file, server.port.to_string()).expect("the port is written");
                    server
                }
            };
            drop(lock);
            server
        })
    }

    /// Stops the shared server, if it runs.
    pub fn stop_shared() {
        let folder = shared_folder();
        if folder.exists() {
            let _lock = lock(&folder);
            stop(&folder.join("data"), "immediate");
            let _ = fs::remove_dir_all(folder.join("data"));
        }
    }

    /// Stops the shared server, if it runs and nobody else is connected to it.
    pub async fn stop_shared_unless_used() {
        let folder = shared_folder();
        let Some(port) = running_port(&folder, &folder.join("port")) else {
            return;
        };
        let server = Self {
            folder: Folder::Shared(folder),
            port,
        };
        let others = "SELECT count(*) FROM pg_stat_activity
            WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()";
        let others = server.administrator().await.query_one(others, &[]).await;
        let others: i64 = others.expect("the server answers").get(0);
        if others == 0 {
            Self::stop_shared();
        }
    }

    /// A new server with further `settings` as `name=value`. It ends with the value, and its folder is removed.
    pub fn start(settings: &[&str]) -> Self {
        let server = Self::in_new_folder();
        initialize(&server.data());
        server.start_with(settings);
        server
    }

    /// A standby that streams from `primary`, with further `settings`. It ends with the value, and its folder is removed.
    pub fn standby_of(primary: &Self, settings: &[&str]) -> Self {
        let server = Self::in_new_folder();
        let mut copy = programs::command("pg_basebackup");
        copy.args(["--host", "127.0.0.1", "--port", &primary.port.to_string()])
            .args(["--username", "superuser", "--write-recovery-conf"])
            .args(["--wal-method", "stream", "--checkpoint", "fast", "--pgdata"])
            .arg(server.data());
        programs::run(&mut copy);
        server.start_with(settings);
        server
    }

    /// One with a folder and a port of its own that has no data yet.
    pub(crate) fn in_new_folder() -> Self {
        let folder = TempDir::with_prefix("invoicing-postgres-").expect("the folder is created");
        create_folder(folder.path());
        Self {
            folder: Folder::Owned(folder),
            port: free_port(),
        }
    }

    /// Has every commit wait until a standby has it on its disk.
    pub async fn require_standby(&self) {
        let administrator = self.administrator().await;
        for statement in [
            "ALTER SYSTEM SET synchronous_standby_names = '*'",
            "SELECT pg_reload_conf()",
        ] {
            let executed = administrator.batch_execute(statement).await;
            executed.expect("the setting is changed");
        }
        let synchronous = "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'";
        loop {
            let found = administrator.query_opt(synchronous, &[]).await;
            if found.expect("the server answers").is_some() {
                return;
            }
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    }

    /// Makes a standby the primary.
    pub fn promote(&self) {
        let mut command = programs::command("pg_ctl");
        command
            .args(["promote", "--wait", "--silent", "--pgdata"])
            .arg(self.data());
        programs::run(&mut command);
    }

    /// The port on 127.0.0.1.
    #[must_use]
    pub const fn port(&self) -> u16 {
        self.port
    }

    /// Its folder, which belongs to the user whom it runs as.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The folder of the data.
    #[must_use]
    pub fn data(&self) -> PathBuf {
        self.folder().join("data")
    }

    /// Starts it after it was stopped or killed.
    pub fn start_again(&mut self) {
        self.start_with(&[]);
    }

    /// Kills its main process with SIGKILL, and waits until the others have noticed and ended.
    pub fn kill(&self) {
        let processes = self.processes();
        programs::run(Command::new("kill").args(["-KILL", &processes[0]]));
        for process in &processes {
            while is_running(process) {
                std::thread::sleep(Duration::from_millis(5));
            }
        }
        // Where nobody reads its exit status, it would seem to run still, and the server would not start again.
        let _ = fs::remove_file(self.data().join("postmaster.pid"));
    }

    /// The ids of its processes, that of the main one first.
    pub(crate) fn processes(&self) -> Vec<String> {
        let content = fs::read_to_string(self.data().join("postmaster.pid")).expect("it runs");
        let main = content.lines().next().expect("the first line is its id");
        let children = fs::read_to_string(format!("/proc/{main}/task/{main}/children"));
        let children = children.unwrap_or_default();
        let all = std::iter::once(main).chain(children.split_whitespace());
        all.map(str::to_owned).collect()
    }

    /// The address of `database`, as its owner.
    #[must_use]
    pub fn owner_url(&self, database: &str) -> String {
        self.url("owner", database)
    }

    /// The address of `database`, as the application.
    #[must_use]
    pub fn application_url(&self, database: &str) -> String {
        self.url("application", database)
    }

    /// Without TLS, which the server does not have: a store that may need it reads the certificates of the system when it is opened.
    fn url(&self, role: &str, database: &str) -> String {
        let port = self.port;
        format!("postgres://{role}@127.0.0.1:{port}/{database}?sslmode=disable")
    }

    fn start_with(&self, settings: &[&str]) {
        let mut options = format!("-p {}", self.port);
        for setting in SETTINGS.iter().chain(settings) {
            options.push_str(" -c ");
            options.push_str(setting);
        }
        let mut command = programs::command("pg_ctl");
        command
            .args(["start", "--wait", "--timeout", "60", "--silent"])
            .arg("--pgdata")
            .arg(self.data())
            .arg("--log")
            .arg(self.folder().join("log"))
            .args(["--options", &options])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let status = command.status().expect("pg_ctl starts");
        assert!(
            status.success(),
            "PostgreSQL does not start: {}",
            fs::read_to_string(self.folder().join("log")).unwrap_or_default()
        );
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if matches!(self.folder, Folder::Owned(_)) {
            stop(&self.data(), "immediate");
        }
    }
}

/// A file system in memory, where the system has one.
const MEMORY: &str = "/dev/shm";
/// What the databases of tests that run at the same time need at most, with their log of writes.
const SHARED_BYTES: u64 = 4 << 30;

/// One for each user and version, outside the workspace: root's folders are closed to the user that the server runs as. In memory
/// if there is room: each test creates and removes a database of 300 files, and ext4 looks for a free inode past all that were
/// removed a moment ago (measured: 40 % of the time of the tests of the store).
fn shared_folder() -> PathBuf {
    let user = rustix::process::geteuid().as_raw();
    let programs = programs::folder();
    let version = programs.to_string_lossy().replace(['/', '\\', '.'], "_");
    let name = format!("invoicing-test-postgres-{user}{version}");
    let in_memory = Path::new(MEMORY).join(&name);
    let free = rustix::fs::statvfs(MEMORY).map_or(0, |of| of.f_bavail * of.f_frsize);
    // A server that runs there stays the one of all, also if it has filled the memory since.
    if in_memory.join("data").exists() || free >= SHARED_BYTES {
        in_memory
    } else {
        std::env::temp_dir().join(name)
    }
}

/// Creates a folder that belongs to the user whom the server runs as.
fn create_folder(folder: &Path) {
    fs::create_dir_all(folder).expect("the folder is created");
    if programs::is_root() {
        programs::run(Command::new("chown").arg(programs::SYSTEM_USER).arg(folder));
    }
}

fn lock(folder: &Path) -> File {
    let path = folder.join("lock");
    let file = OpenOptions::new().create(true).append(true).open(path);
    let file = file.expect("the lock file opens");
    rustix::fs::flock(&file, FlockOperation::LockExclusive).expect("the lock is taken");
    file
}

/// The port of the running server. It is found as `pg_ctl status` finds it, which each test would have to start.
fn running_port(folder: &Path, port_file: &Path) -> Option<u16> {
    let content = fs::read_to_string(folder.join("data/postmaster.pid")).ok()?;
    let process: i32 = content.lines().next()?.trim().parse().ok()?;
    // That of an initdb that was killed is negative, and 0 is none.
    let process = Pid::from_raw(process.max(0))?;
    rustix::process::test_kill_process(process).ok()?;
    let port = fs::read_to_string(port_file).ok()?;
    port.trim().parse().ok()
}

fn initialize(data: &Path) {
    let mut command = programs::command("initdb");
    command
        .args(["--username", "superuser", "--auth", "trust", "--no-sync"])
        .args(["--encoding", "UTF8", "--locale", "C", "--pgdata"])
        .arg(data);
    programs::run(&mut command);
}

fn stop(data: &Path, mode: &str) {
    let mut command = programs::command("pg_ctl");
    command
        .args(["stop", "--mode", mode, "--silent", "--pgdata"])
        .arg(data);
    // It may have ended before.
    let _ = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
}

/// Whether a process has neither ended nor been killed.
fn is_running(process: &str) -> bool {
    let state = fs::read_to_string(format!("/proc/{process}/stat"));
    // The state follows the name, which is in parentheses.
    state.is_ok_and(|state| !state.contains(") Z ") && !state.contains(") X "))
}

/// A port that is free now.
fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    listener.local_addr().expect("it has an address").port()
}
