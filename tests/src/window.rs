//! The real application in a real window, driven through WebKitWebDriver in a session of its own.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use serde_json::json;
use tempfile::TempDir;
use thirtyfour::prelude::*;
use xtask::session::Session;

use crate::driver::{Driver, binary, until, until_some};
use crate::xpath::{LAST_VISIBLE, STANDS_STILL, named, plain, quoted, says};

/// How long a window may take to show something before a test gives up.
const PATIENCE: Duration = Duration::from_secs(30);

/// The application's own scheme.
pub const SCHEME: &str = "com.invoicedesk.desktop";

/// A fresh machine with the application on it.
pub struct Desk {
    window: Option<WebDriver>,
    driver: Option<Driver>,
    session: Session,
    folder: TempDir,
}

impl Desk {
    /// A fresh machine on which the application has been started for the first time.
    pub async fn start() -> Self {
        Self::start_sized(1280, 800).await
    }

    /// The same with a screen of another size.
    pub async fn start_sized(width: u32, height: u32) -> Self {
        Self::start_with(width, height, "en", "light").await
    }

    /// The same for somebody who has chosen a language (`en`, `ar`) and a theme (`light`, `dark`, `system`).
    pub async fn start_with(width: u32, height: u32, language: &str, theme: &str) -> Self {
        let folder = tempfile::Builder::new()
            .prefix("desk-")
            .tempdir()
            .expect("a temporary folder can be made");
        let session =
            Session::start(&folder.path().join("home"), width, height).expect("a session starts");
        let desk = Self {
            window: None,
            driver: None,
            session,
            folder,
        };
        let recorder = desk.folder.path().join("browser");
        fs::write(
            &recorder,
            format!(
                "#!/bin/sh\nprintf '%s\\n' \"$1\" >> '{}'\n",
                desk.opened_file().display()
            ),
        )
        .expect("the recorder can be written");
        fs::set_permissions(&recorder, fs::Permissions::from_mode(0o755))
            .expect("the recorder can be made to run");
        desk.session
            .open_web_addresses_with(&recorder)
            .expect("the session's default browser can be set");
        let preferences = desk.session.folder().join("config").join(SCHEME);
        fs::create_dir_all(&preferences)
            .and_then(|()| {
                let chosen = json!({"language": language, "theme": theme, "digits": "latin"});
                fs::write(preferences.join("preferences.json"), chosen.to_string())
            })
            .expect("the preferences can be written");
        desk.started().await
    }

    async fn started(mut self) -> Self {
        self.open().await;
        self
    }

    /// Starts the application (again).
    pub async fn open(&mut self) {
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
                .env("RUST_LOG", "debug,hyper=info,h2=info,rustls=info,sqlx=info")
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
                json!({"binary": binary("invoice-desk"), "args": []}),
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

    /// Everything the application has written to its log so far.
    pub fn log(&self) -> String {
        fs::read_to_string(self.log_file()).unwrap_or_default()
    }

    /// The folder with everything that was written on this machine.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The files of this machine that hold `text` as it is.
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

    /// Ends the application without warning, as a power cut would, and waits until it is gone.
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
        until(
            "the application is gone",
            Duration::from_secs(10),
            async || self.processes().is_empty().then_some(()),
        )
        .await;
        self.window = None;
        self.driver = None;
    }

    /// The ids of the application's own processes on this machine.
    fn processes(&self) -> Vec<u32> {
        let home = format!("HOME={}", self.session.folder().display());
        // Linux says behind a program's path if it has been built anew since.
        let ours = |exe: &Path| exe.to_string_lossy().starts_with(&binary("invoice-desk"));
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

    /// Waits for the address that the application opens the browser with.
    pub async fn opened_address(&self) -> String {
        let file = self.opened_file();
        let address = until(
            "the application opens the browser",
            Duration::from_secs(20),
            async || {
                fs::read_to_string(&file)
                    .ok()?
                    .lines()
                    .last()
                    .map(str::to_owned)
            },
        )
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

    /// Waits for an element by its visible words: a button, link, heading, label or any text.
    pub async fn see(&self, words: &str) -> WebElement {
        let path = format!("//*[not(self::script or self::option)][{}]", named(words));
        self.find(&path, words).await
    }

    /// Waits for text that contains these words.
    pub async fn see_part(&self, words: &str) -> WebElement {
        let path = format!(
            "//*[not(self::script or self::option)][text()[contains({}, {})]]",
            plain("."),
            quoted(words)
        );
        self.find(&path, words).await
    }

    /// Waits for a button with these words, beside whatever shortcut and badge it shows, and presses it.
    pub async fn press(&self, words: &str) {
        self.press_within("//*", words).await;
    }

    /// The same for a button of the dialog that is open.
    pub async fn press_in_dialog(&self, words: &str) {
        self.press_within("//*[@role='dialog' or @role='alertdialog']//*", words)
            .await;
    }

    async fn press_within(&self, within: &str, words: &str) {
        let pressable = "self::button or self::a or @role='button' or @role='menuitem' or @role='menuitemradio' or @role='option'";
        let said = says(".", words);
        let named = format!("{} or .//*[{said}] or text()[{said}]", named(words));
        let path = format!("{within}[{pressable}][not(@disabled)][{named}]");
        self.click(&path, words).await;
    }

    /// Clicks an element once it stands still and nothing covers it, as a dialog does that is closing.
    async fn click(&self, path: &str, words: &str) {
        until(&format!("{words:?} can be pressed"), PATIENCE, async || {
            let element = self.find(path, words).await;
            let arguments = vec![element.to_json().ok()?];
            let still = self
                .page()
                .execute_async(STANDS_STILL, arguments)
                .await
                .ok()?;
            if !still.json().as_bool()? {
                return None;
            }
            element.click().await.ok()
        })
        .await;
    }

    /// Types into the field with this label, in place of what stands there.
    pub async fn type_into(&self, label: &str, text: &str) {
        let required = format!("{label} *");
        let label_for = format!(
            "//label[{} or {}]/@for",
            says(".", label),
            says(".", &required)
        );
        let path = format!(
            "//*[self::input or self::textarea][{} or @id={label_for}]",
            says("@aria-label", label)
        );
        self.replace(&self.find(&path, label).await, text).await;
    }

    /// Writes a picture of the window, without what the window manager draws around it.
    pub fn picture(&self, file: &Path) {
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
            "the window cannot be photographed"
        );
    }

    /// Types into the form's field with this path, as `lines[0].quantity`, in place of what stands there.
    pub async fn type_at(&self, field: &str, text: &str) {
        let path = format!(
            "//*[@data-field='{field}' or @name='{field}']/descendant-or-self::*[self::input or self::textarea]"
        );
        self.replace(&self.find(&path, field).await, text).await;
    }

    /// Waits until the list shows invoices.
    pub async fn see_rows(&self) {
        self.find(
            "//*[@role='row'][@aria-rowindex='2'][contains(., '202')]",
            "a row with a date",
        )
        .await;
    }

    /// Opens the row of a list that holds these words.
    pub async fn press_row(&self, words: &str) {
        let path = format!(
            "//*[@role='row' or self::li or self::a or self::button][.//*[{}]]",
            says(".", words)
        );
        self.click(&path, words).await;
    }

    /// Opens the first row of the list.
    pub async fn press_first_row(&self) {
        self.click("//*[@role='row'][@aria-rowindex='2']", "the first row")
            .await;
    }

    /// Presses a key in the window, with Control if `control`.
    pub async fn keys(&self, key: &str, control: bool) {
        let body = self
            .page()
            .find(By::Css("body"))
            .await
            .expect("the page has a body");
        let keys = if control {
            Key::Control + key
        } else {
            key.into()
        };
        body.send_keys(keys).await.expect("the window takes keys");
    }

    async fn replace(&self, field: &WebElement, text: &str) {
        field
            .scroll_into_view()
            .await
            .expect("it can be scrolled to");
        field.focus().await.expect("it can be focused");
        field
            .send_keys(Key::Control + "a")
            .await
            .expect("its text can be selected");
        field.send_keys(text).await.expect("it can be typed into");
    }

    async fn find(&self, path: &str, words: &str) -> WebElement {
        let found = until_some(PATIENCE, async || {
            self.page()
                .execute(LAST_VISIBLE, vec![json!(path)])
                .await
                .ok()?
                .element()
                .ok()
        })
        .await;
        let Some(found) = found else {
            let text = self.page().find(By::Css("body")).await.ok();
            let text = match text {
                Some(body) => body.text().await.unwrap_or_default(),
                None => String::new(),
            };
            panic!("{words:?} is not to be seen. The window shows:\n{text}");
        };
        found
    }

    fn opened_file(&self) -> PathBuf {
        self.folder.path().join("opened")
    }

    fn log_file(&self) -> PathBuf {
        self.folder.path().join("log")
    }
}

impl Drop for Desk {
    /// A test that fails leaves a picture and the log behind, for whoever looks into it.
    fn drop(&mut self) {
        if !std::thread::panicking() {
            return;
        }
        let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/end-to-end");
        let name = std::thread::current()
            .name()
            .unwrap_or("test")
            .replace("::", "-");
        let outcome = fs::create_dir_all(&kept)
            .and_then(|()| self.session.screenshot(&kept.join(format!("{name}.png"))))
            .and_then(|()| fs::copy(self.log_file(), kept.join(format!("{name}.log"))).map(drop));
        if let Err(error) = outcome {
            tracing::warn!(%error, "no picture was kept");
        }
    }
}
