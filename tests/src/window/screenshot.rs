//! Screenshots of the window, on request and after a failed test.

use std::fs;
use std::path::Path;
use std::time::Duration;

use super::AppWindow;
use crate::driver::wait_until;
use crate::xpath::ANIMATIONS_FINISHED;

impl AppWindow {
    /// Writes a screenshot of the window without its title bar, after animations have finished.
    pub async fn screenshot(&self, file: &Path) {
        wait_until(
            "animations have finished",
            Duration::from_secs(10),
            async || {
                let finished = self
                    .page()
                    .execute(ANIMATIONS_FINISHED, Vec::new())
                    .await
                    .ok()?;
                finished.json().as_bool()?.then_some(())
            },
        )
        .await;
        let status = self
            .session
            .command("import")
            .args(["-window", &self.application_window()])
            .arg(file)
            .status();
        assert!(
            status.is_ok_and(|status| status.success()),
            "the screenshot cannot be written"
        );
    }
}

impl Drop for AppWindow {
    /// Stores a screenshot and the log of a failed test in `target/end-to-end`.
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
            tracing::warn!(%error, "the screenshot and the log were not stored");
        }
    }
}
