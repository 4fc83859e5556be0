//! The real application in a real window, driven through WebKitWebDriver in a private desktop session.

mod actions;
mod process;
mod screenshot;
mod sign_in;
mod system_browser;
mod system_windows;
mod windows;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use serde_json::json;
use tempfile::TempDir;
use thirtyfour::prelude::*;
use xtask::session::Session;

use crate::driver::{Driver, binary};
use crate::service::{Service, copy_seed};

pub use sign_in::NOURA;
pub use system_windows::{PRINT_DIALOG, SAVE_DIALOG};

/// Environment variable: the number of invoices that the local environment is seeded with.
pub const INVOICES: &str = "INVOICE_DESK_LOCAL_INVOICES";

/// What GTK reads when the application starts: the dialog that asks how to print offers a file, and does not wait for print servers and
/// for printers of the network.
const GTK_SETTINGS: &str = "[Settings]\ngtk-print-backends=file\n";

/// The application's URL scheme.
pub const SCHEME: &str = "com.invoicedesk.desktop";

/// Screen size, preferences, seed and program of an [`AppWindow`].
#[derive(Debug, Clone)]
pub struct WindowOptions {
    /// Width of the screen, in pixels.
    pub width: u32,
    /// Height of the screen, in pixels.
    pub height: u32,
    /// `en` or `ar`.
    pub language: &'static str,
    /// `light`, `dark`, `highContrast` or `system`.
    pub theme: &'static str,
    /// Number of invoices that the application seeds at its first start; the default of the service if `None`.
    pub invoices: Option<u32>,
    /// Path of the program; the one built with the tests if `None`.
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

/// The application in a new session with its own home folder, display, message bus and keyring.
pub struct AppWindow {
    page: Option<WebDriver>,
    driver: Option<Driver>,
    session: Session,
    folder: TempDir,
    options: WindowOptions,
}

impl AppWindow {
    /// Starts the application in a new session with the default options.
    pub async fn start() -> Self {
        Self::start_with(WindowOptions::default()).await
    }

    /// Starts the application in a new session. Its local environment has the usual seed, unless a number of invoices is chosen.
    pub async fn start_with(options: WindowOptions) -> Self {
        let mut window = Self::prepare(options);
        if window.options.invoices.is_none() {
            copy_seed(&window.data().join("local")).await;
        }
        window.launch().await;
        window
    }

    /// Creates a new session without starting the application.
    pub fn prepare(options: WindowOptions) -> Self {
        let folder = tempfile::Builder::new()
            .prefix("app-")
            .tempdir()
            .expect("a temporary folder can be made");
        let session = Session::start(&folder.path().join("home"), options.width, options.height)
            .expect("a session starts");
        let window = Self {
            page: None,
            driver: None,
            session,
            folder,
            options,
        };
        window.register_browser_recorder();
        let preferences = json!({
            "language": window.options.language,
            "theme": window.options.theme,
            "digits": "latin",
        });
        let write = |folder: PathBuf, name: &str, content: &str| {
            fs::create_dir_all(&folder)
                .and_then(|()| fs::write(folder.join(name), content))
                .expect("a file of the session can be written");
        };
        let gtk = window.session.folder().join("config/gtk-3.0");
        write(gtk, "settings.ini", GTK_SETTINGS);
        let preferences = preferences.to_string();
        write(window.configuration(), "preferences.json", &preferences);
        window
    }

    /// Configures `service` as the environment "staging", before the application starts.
    pub fn add_staging(&self, service: &Service) {
        let environments = json!([{
            "name": "staging",
            "kind": "staging",
            "authUrl": service.ready.auth_url,
            "baseUrl": service.ready.base_url,
            "projectAudienceId": service.ready.audience_id,
            "clientId": "invoice-desk",
            "namespace": "idp",
        }]);
        fs::write(
            self.configuration().join("environments.json"),
            environments.to_string(),
        )
        .expect("the environment can be written");
    }

    /// Starts the application, again after [`AppWindow::kill`].
    pub async fn launch(&mut self) {
        self.launch_with_arguments(&[]).await;
    }

    /// Starts the application with command-line arguments, as the system does for a deep link.
    pub async fn launch_with_arguments(&mut self, arguments: &[&str]) {
        let log = fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(self.log_file())
            .expect("the log can be opened");
        let driver = Driver::start(|port| {
            self.session
                .command("WebKitWebDriver")
                .arg(format!("--port={port}"))
                // tauri-driver sets these too; without them the web view refuses automation.
                .envs([
                    ("TAURI_AUTOMATION", "true"),
                    ("TAURI_WEBVIEW_AUTOMATION", "true"),
                ])
                .envs(
                    self.options
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
        let page = WebDriver::new(driver.address(), capabilities)
            .await
            .expect("WebKitWebDriver starts the application");
        self.driver = Some(driver);
        self.page = Some(page);
    }

    /// The page in the window.
    pub fn page(&self) -> &WebDriver {
        self.page.as_ref().expect("the application runs")
    }

    /// The session it runs in.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// The session it runs in, for tests that stop its keyring.
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

    fn program(&self) -> String {
        match &self.options.program {
            Some(program) => program.display().to_string(),
            None => binary("invoice-desk"),
        }
    }

    fn log_file(&self) -> PathBuf {
        self.folder.path().join("log")
    }
}
