//! The commands and the example environment of the READMEs work as written.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use end_to_end::driver::{binary, wait_until};
use invoicing_client::views::EnvironmentConfig;
use tempfile::TempDir;

fn readme() -> String {
    fs::read_to_string(root().join("README.md")).expect("the README is there")
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The arguments of each line of a text that runs a package with `cargo run`.
fn commands(text: &str, package: &str) -> Vec<Vec<String>> {
    let begin = format!("cargo run --package {package} ");
    let shown = text.lines().filter(|line| line.starts_with(&begin));
    shown
        .filter_map(|line| line.split_once(" -- "))
        .map(|(_, arguments)| arguments.split_whitespace().map(str::to_owned).collect())
        .collect()
}

/// The content of the fenced code blocks of one language.
fn blocks<'a>(text: &'a str, kind: &str) -> Vec<&'a str> {
    let fence = format!("```{kind}\n");
    text.split(fence.as_str())
        .skip(1)
        .filter_map(|rest| rest.split("```").next())
        .collect()
}

/// A process that is killed when dropped.
struct ChildProcess(Child);

impl Drop for ChildProcess {
    fn drop(&mut self) {
        // An error is ignored: the process may have ended already.
        drop(self.0.kill().and_then(|()| self.0.wait()));
    }
}

fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

#[test]
fn invoice_commands_of_the_readme_succeed() {
    let folder = folder();
    let sample = root().join("crates/invoice/fuzz/corpus/ubl/saudi.xml");
    fs::copy(sample, folder.path().join("invoice.xml")).expect("an invoice");
    let commands = commands(&readme(), "invoice");
    assert!(!commands.is_empty(), "the README has no command");
    for arguments in commands {
        let ran = Command::new(binary("invoice"))
            .args(&arguments)
            .current_dir(folder.path())
            .output()
            .expect("it runs");
        assert!(ran.status.success(), "{arguments:?}: {ran:?}");
    }
    let printed = fs::read_dir(folder.path().join("printed")).expect("the folder that it names");
    assert_ne!(printed.count(), 0, "nothing was printed");
}

#[tokio::test]
async fn service_commands_of_the_readmes_write_a_complete_ready_file() {
    let service_readme = fs::read_to_string(root().join("crates/service/README.md"));
    for text in [
        readme(),
        service_readme.expect("the service's README is there"),
    ] {
        let commands = commands(&text, "invoicing-service");
        assert!(!commands.is_empty(), "the README has no command");
        for arguments in commands {
            let folder = folder();
            let service = Command::new(binary("invoicing-service"))
                .args(&arguments)
                .current_dir(folder.path())
                // Free ports, because tests run in parallel.
                .env("INVOICING_IDENTITY", "127.0.0.1:0")
                .env("INVOICING_GATEWAY", "127.0.0.1:0")
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .expect("it runs");
            let _service = ChildProcess(service);
            let file = folder.path().join("ready.json");
            let ready = wait_until(
                "ready.json is written",
                Duration::from_secs(60),
                async || fs::read_to_string(&file).ok(),
            );
            let ready: serde_json::Value =
                serde_json::from_str(&ready.await).expect("it is complete JSON");
            for field in ["auth_url", "base_url", "applications", "users"] {
                assert!(!ready[field].is_null(), "{field} is missing");
            }
        }
    }
}

#[test]
fn example_environment_of_the_readme_has_exactly_the_fields_of_environment_config() {
    let readme = readme();
    let json_blocks = blocks(&readme, "json");
    assert_eq!(json_blocks.len(), 1, "the README has one JSON block");
    let shown: serde_json::Value = serde_json::from_str(json_blocks[0]).expect("it is JSON");
    let read: EnvironmentConfig =
        serde_json::from_value(shown.clone()).expect("it is an environment");
    assert_eq!(serde_json::to_value(read).expect("JSON"), shown);
}
