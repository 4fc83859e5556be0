//! A real browser, Chromium driven through ChromeDriver, for the sign-in pages.

use std::process::Stdio;
use std::time::Duration;

use serde_json::{Value, json};
use thirtyfour::prelude::*;
use xtask::session::Session;

use crate::driver::{Driver, wait_until};
use crate::http_client;

/// A Chromium process in a desktop session.
pub struct Browser {
    driver: Driver,
    page: WebDriver,
}

impl Browser {
    /// Starts Chromium without a window.
    pub async fn start(session: &Session) -> Self {
        let driver = Driver::start(|port| {
            session
                .command("chromedriver")
                .arg(format!("--port={port}"))
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
        })
        .await;
        let mut capabilities = DesiredCapabilities::chrome();
        for argument in [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
        ] {
            capabilities
                .add_arg(argument)
                .expect("an argument is a string");
        }
        capabilities
            .set("goog:loggingPrefs", json!({"performance": "ALL"}))
            .expect("a capability is JSON");
        let page = WebDriver::new(driver.address(), capabilities)
            .await
            .expect("ChromeDriver starts Chromium");
        Self { driver, page }
    }

    /// The WebDriver of the page.
    pub fn page(&self) -> &WebDriver {
        &self.page
    }

    /// Opens an authorization URL, fills in the sign-in form and submits it.
    pub async fn submit(&self, address: &str, username: &str, password: &str) {
        self.page
            .goto(address)
            .await
            .expect("the sign-in page opens");
        self.submit_here(username, password).await;
    }

    /// Fills in the sign-in form of the open page and submits it.
    pub async fn submit_here(&self, username: &str, password: &str) {
        let name = self
            .page
            .query(By::Css("input[name=username]"))
            .first()
            .await
            .expect("the page asks for a name");
        name.clear().await.expect("the name can be typed");
        name.send_keys(username)
            .await
            .expect("the name can be typed");
        let secret = self
            .page
            .find(By::Css("input[name=password]"))
            .await
            .expect("the page asks for a password");
        secret
            .send_keys(password)
            .await
            .expect("the password can be typed");
        secret
            .send_keys(String::from(Key::Enter.value()))
            .await
            .expect("the form can be sent");
    }

    /// Waits for an element of the page by CSS selector.
    pub async fn wait_for(&self, css: &str) -> WebElement {
        self.page
            .query(By::Css(css))
            .first()
            .await
            .unwrap_or_else(|_| panic!("the page shows no {css}"))
    }

    /// Waits for the redirect to the application's URL scheme and returns its address.
    ///
    /// Chromium under a driver does not start the system's handler, so its network log is read instead.
    pub async fn callback(&self, scheme: &str) -> String {
        let prefix = format!("{scheme}:");
        wait_until(
            "the browser is redirected to the application",
            Duration::from_secs(20),
            async || {
                let log = self.performance_log().await.ok()?;
                log.iter().rev().find_map(|entry| location(entry, &prefix))
            },
        )
        .await
    }

    async fn performance_log(&self) -> Result<Vec<Value>, reqwest::Error> {
        let address = format!(
            "{}/session/{}/se/log",
            self.driver.address(),
            self.page.session_id()
        );
        let client = http_client::builder().build()?;
        let answer: Value = client
            .post(address)
            .json(&json!({"type": "performance"}))
            .send()
            .await?
            .json()
            .await?;
        let entries = answer["value"].as_array().cloned().unwrap_or_default();
        Ok(entries
            .iter()
            .filter_map(|entry| serde_json::from_str(entry["message"].as_str()?).ok())
            .collect())
    }

    /// Quits Chromium.
    pub async fn close(self) {
        self.page.quit().await.expect("Chromium closes");
    }
}

/// The address with `prefix` in an entry of the network log: a redirect target or a requested URL.
fn location(entry: &Value, prefix: &str) -> Option<String> {
    let parameters = &entry["message"]["params"];
    let headers = [
        &parameters["headers"],
        &parameters["response"]["headers"],
        &parameters["redirectResponse"]["headers"],
    ];
    let locations = headers.into_iter().filter_map(|headers| {
        headers
            .as_object()?
            .iter()
            .find(|(name, _)| name.eq_ignore_ascii_case("location"))
            .and_then(|(_, value)| value.as_str())
    });
    let requested = parameters["request"]["url"].as_str();
    locations
        .chain(requested)
        .find(|address| address.starts_with(prefix))
        .map(str::to_owned)
}
