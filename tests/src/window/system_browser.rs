//! The system around the application: a default browser that records addresses, and deep links.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use super::{AppWindow, SCHEME};
use crate::driver::wait_until;

impl AppWindow {
    /// Waits until the application opens the browser and returns the address.
    pub async fn opened_address(&self) -> String {
        self.opened_address_within(Duration::from_secs(20)).await
    }

    /// The same with another limit, for a start that seeds many invoices.
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
        fs::remove_file(&file).expect("the record can be removed");
        address
    }

    /// Opens an address of the application's URL scheme through the system.
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

    /// Registers a default browser of the session that only records the address.
    pub(super) fn register_browser_recorder(&self) {
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
            .expect("the recorder can be made executable");
        self.session
            .open_web_addresses_with(&recorder)
            .expect("the session's default browser can be set");
    }

    fn opened_file(&self) -> PathBuf {
        self.folder.path().join("opened")
    }
}
