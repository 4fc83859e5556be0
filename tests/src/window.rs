//! The real application in a real window, driven through WebKitWebDriver in a session of its own.

mod actions;
mod sign_in;

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use serde_json::json;
use tempfile::TempDir;
use thirtyfour::prelude::*;
use xtask::session::Session;

use crate::driver::{Driver, binary, wait_until};
use crate::xpath::ANIMATIONS_FINISHED;

pub use sign_in::{NOURA, PASSWORD};

/// How many invoices the local environment begins with.
const INVOICES: &str = "INVOICE_DESK_LOCAL_INVOICES";

/// The application's own scheme.
pub const SCHEME: &str = "com.invoicedesk.desktop";

/// The screen, preferences and program of a window test.
#[derive(Debug, Clone)]
pub struct WindowOptions {
    /// Width of the screen, in pixels.
    pub width: u32,
    /// Height of the screen, in pixels.
    pub height: u32,
    /// `en` or `ar`.
    pub language: &'static str,
    /// `light`, `dark` or `system`.
    pub theme: &'static str,
    /// How many invoices the local environment begins with; a few hundred if not said.
    pub invoices: Option<u32>,
    /// The program; the one that was built with the tests if not said.
    pub program: Option<PathBuf>,
}

impl Default for WindowOptions {
    fn default() -> Self {
        Self {
            width: 1280,
            height: 800,
            language: "en",
            theme: "light",
            invoices: None,
            program: None,
        }
    }
}

/// The application in a fresh session: home, display, bus and keyring of its own.
pub struct Desk {
    window: Option<WebDriver>,
    driver: Option<Driver>,
    session: Session,
    folder: TempDir,
    machine: WindowOptions,
}

impl Desk {
    /// The application, started for the first time.
    pub async fn start() -> Self {
        Self::start_on(WindowOptions::default()).await
    }

    /// The same with other options.
    pub async fn start_on(machine: WindowOptions) -> Self {
        let mut desk = Self::prepare(machine);
        desk.open().await;
        desk
    }

    /// A fresh session in which the application has not been started yet.
    pub fn prepare(machine: WindowOptions) -> Self {
        let folder = tempfile::Builder::new()
            .prefix("desk-")
            .tempdir()
            .expect("a temporary folder can be made");
        let session = Session::start(&folder.path().join("home"), machine.width, machine.height)
            .expect("a session starts");
        let desk = Self {
            window: None,
            driver: None,
            session,
            folder,
            machine,
        };
        desk.register_browser_recorder();
        let preferences = desk.configuration();
        let chosen = json!({
            "language": desk.machine.language,
            "theme": desk.machine.theme,
            "digits": "latin",
        });
        fs::create_dir_all(&preferences)
            .and_then(|()| fs::write(preferences.join("preferences.json"), chosen.to_string()))
            .expect("the preferences can be written");
        desk
    }

    /// Registers a default browser that only records the address.
    fn register_browser_recorder(&self) {
        let recorder = self.folder.path().join("browser");
        fs::write(
            &recorder,
            format!(
                "#!/bin/sh\nprintf '%s\\n' \"$1\" >> '{}'\n",
                self.opened_file().display()
            ),
        )
        .expect("the recorder can be written");
        fs::set_permissions(&recorder, fs::Permissions::from_mode(0o755))
            .expect("the recorder can be made to run");
        self.session
            .open_web_addresses_with(&recorder)
            .expect("the session's default browser can be set");
    }

    /// Starts the application (again).
    pub async fn open(&mut self) {
        self.open_with(&[]).await;
    }

    /// Starts the application with arguments, as the system does for a link.
    pub async fn open_with(&mut self, arguments: &[&str]) {
        let log = fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(self.log_file())
            .expect("the log can be opened");
        let driver = Driver::start(|port| {
            self.session
                .command("WebKitWebDriver")
                .arg(format!("--port={port}"))
                // What tauri-driver sets, so that the web view may be driven.
                .envs([
                    ("TAURI_AUTOMATION", "true"),
                    ("TAURI_WEBVIEW_AUTOMATION", "true"),
                ])
                .envs(
                    self.machine
                        .invoices
                        .map(|count| (INVOICES, count.to_string())),
                )
                .env("RUST_LOG", "debug,hyper=info,h2=info,rustls=info")
                .stdin(Stdio::null())
                .stdout(log.try_clone()?)
                .stderr(log.try_clone()?)
                .spawn()
        })
        .await;
        let mut capabilities = Capabilities::new();
        capabilities
            .set(
                "webkitgtk:browserOptions",
                json!({"binary": self.program(), "args": arguments}),
            )
            .expect("a capability is JSON");
        let window = WebDriver::new(driver.address(), capabilities)
            .await
            .expect("WebKitWebDriver starts the application");
        self.driver = Some(driver);
        self.window = Some(window);
    }

    /// The page in the window.
    pub fn page(&self) -> &WebDriver {
        self.window.as_ref().expect("the application runs")
    }

    /// The session it runs in.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// The session it runs in, to take something away from it.
    pub fn session_mut(&mut self) -> &mut Session {
        &mut self.session
    }

    /// The configuration folder: environments, preferences, aliases.
    pub fn configuration(&self) -> PathBuf {
        self.session.folder().join("config").join(SCHEME)
    }

    /// The data folder.
    pub fn data(&self) -> PathBuf {
        self.session.folder().join("data").join(SCHEME)
    }

    /// The log of the application so far.
    pub fn log(&self) -> String {
        fs::read_to_string(self.log_file()).unwrap_or_default()
    }

    /// The folder that holds all files of the session.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The files of the session that contain `text`.
    pub fn files_with(&self, text: &str) -> Vec<PathBuf> {
        let mut found = Vec::new();
        let mut folders = vec![self.folder.path().to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
                let path = entry.path();
                match entry.file_type() {
                    Ok(kind) if kind.is_dir() => folders.push(path),
                    Ok(kind) if kind.is_file() => {
                        let bytes = fs::read(&path).unwrap_or_default();
                        if bytes
                            .windows(text.len())
                            .any(|window| window == text.as_bytes())
                        {
                            found.push(path);
                        }
                    }
                    _ => {}
                }
            }
        }
        found
    }

    /// Waits until the system has started the application.
    pub async fn wait_until_running(&self) {
        wait_until(
            "the application runs",
            Duration::from_secs(20),
            async || (!self.processes().is_empty()).then_some(()),
        )
        .await;
    }

    /// Kills the application with SIGKILL and waits until it is gone.
    pub async fn kill(&mut self) {
        let running = self.processes();
        assert!(!running.is_empty(), "the application does not run");
        for process in running {
            // `kill -9`; it may be gone already.
            drop(
                self.session
                    .command("kill")
                    .args(["-KILL", &process.to_string()])
                    .status(),
            );
        }
        wait_until(
            "the application is gone",
            Duration::from_secs(10),
            async || self.processes().is_empty().then_some(()),
        )
        .await;
        self.window = None;
        self.driver = None;
    }

    /// The process ids of the application in this session.
    fn processes(&self) -> Vec<u32> {
        let home = format!("HOME={}", self.session.folder().display());
        // Linux says behind a program's path if it has been built anew since.
        let program = self.program();
        let ours = |exe: &Path| exe.to_string_lossy().starts_with(&program);
        let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
        processes
            .filter(|process| fs::read_link(process.path().join("exe")).is_ok_and(|exe| ours(&exe)))
            .filter(|process| {
                let environment = fs::read(process.path().join("environ")).unwrap_or_default();
                environment
                    .split(|byte| *byte == 0)
                    .any(|variable| variable == home.as_bytes())
            })
            .filter_map(|process| process.file_name().to_str()?.parse().ok())
            .collect()
    }

    /// The memory that the application's own process keeps to itself, without the web view's, in KiB.
    pub fn memory_kib(&self) -> u64 {
        let resident = |process: u32| {
            let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
            let line = status.lines().find(|line| line.starts_with("RssAnon:"))?;
            line.split_whitespace().nth(1)?.parse::<u64>().ok()
        };
        self.processes().into_iter().filter_map(resident).sum()
    }

    /// Waits for the address that the application opens the browser with.
    pub async fn opened_address(&self) -> String {
        self.opened_address_within(Duration::from_secs(20)).await
    }

    /// The same where there is much to prepare first.
    pub async fn opened_address_within(&self, limit: Duration) -> String {
        let file = self.opened_file();
        let address = wait_until("the application opens the browser", limit, async || {
            fs::read_to_string(&file)
                .ok()?
                .lines()
                .last()
                .map(str::to_owned)
        })
        .await;
        fs::remove_file(&file).expect("the record is ours");
        address
    }

    /// Opens an address of the application's scheme as the system would.
    pub fn deep_link(&self, address: &str) {
        assert!(
            address.starts_with(SCHEME),
            "not an address of the application: {}",
            address.split('?').next().unwrap_or_default()
        );
        let status = self
            .session
            .command("xdg-open")
            .arg(address)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        assert!(
            status.is_ok_and(|status| status.success()),
            "the system finds no application for the address"
        );
    }

    /// Writes a screenshot of the window without its frame.
    pub async fn screenshot(&self, file: &Path) {
        wait_until(
            "animations have finished",
            Duration::from_secs(10),
            async || {
                let rests = self
                    .page()
                    .execute(ANIMATIONS_FINISHED, Vec::new())
                    .await
                    .ok()?;
                rests.json().as_bool()?.then_some(())
            },
        )
        .await;
        let found = self
            .session
            .command("xdotool")
            .args(["search", "--onlyvisible", "--name", "^Invoice Desk$"])
            .output();
        let found = found.expect("xdotool finds windows");
        let id = String::from_utf8_lossy(&found.stdout)
            .lines()
            .last()
            .map(str::to_owned)
            .expect("the window is open");
        let status = self
            .session
            .command("import")
            .args(["-window", &id])
            .arg(file)
            .status();
        assert!(
            status.is_ok_and(|status| status.success()),
            "the screenshot cannot be written"
        );
    }

    fn program(&self) -> String {
        match &self.machine.program {
            Some(program) => program.display().to_string(),
            None => binary("invoice-desk"),
        }
    }

    fn opened_file(&self) -> PathBuf {
        self.folder.path().join("opened")
    }

    fn log_file(&self) -> PathBuf {
        self.folder.path().join("log")
    }
}

impl Drop for Desk {
    /// A failed test leaves a screenshot and the log behind.
    fn drop(&mut self) {
        if !std::thread::panicking() {
            return;
        }
        let artifacts = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/end-to-end");
        let name = std::thread::current()
            .name()
            .unwrap_or("test")
            .replace("::", "-");
        let outcome = fs::create_dir_all(&artifacts)
            .and_then(|()| {
                self.session
                    .screenshot(&artifacts.join(format!("{name}.png")))
            })
            .and_then(|()| {
                fs::copy(self.log_file(), artifacts.join(format!("{name}.log"))).map(drop)
            });
        if let Err(error) = outcome {
            tracing::warn!(%error, "no screenshot was kept");
        }
    }
}
