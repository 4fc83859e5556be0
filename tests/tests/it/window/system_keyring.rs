//! The client core with the real keyring of the system: unlocked, locked, restarted, absent, and with a prompt that is
//! cancelled or answered late.

use std::process::{Child, Stdio};
use std::time::Duration;

use serde_json::Value;
use tempfile::TempDir;
use xtask::session::Session;

use crate::fixtures::{ClientProcess, Service};

/// The password of the session's keyring.
const PASSWORD: &str = "session";

/// A private desktop session with a signed-in client core.
struct Fixture {
    service: Service,
    session: Session,
    folder: TempDir,
    _home: TempDir,
}

impl Fixture {
    async fn signed_in() -> Self {
        let (home, folder) = (tempfile::tempdir(), tempfile::tempdir());
        let (home, folder) = (home.expect("a folder"), folder.expect("a folder"));
        let session = Session::start(home.path(), 800, 600).expect("a desktop session");
        let service = Service::start().await;
        let fixture = Self {
            service,
            session,
            folder,
            _home: home,
        };
        let mut process = fixture.start();
        process.session_after_start().expect("it runs");
        process.sign_in(&fixture.service).await.expect("it runs");
        process.kill();
        fixture
    }

    /// Starts the client core in the session.
    fn start(&self) -> ClientProcess {
        let mut program = ClientProcess::program();
        program.envs(self.session.environment());
        ClientProcess::start(program, &self.service, self.folder.path(), "system", None)
    }

    /// Starts the program that shows the keyring's prompts. It ends by itself after a while without one.
    fn start_prompter(&self) -> Prompter {
        let prompter = self
            .session
            .command("/usr/libexec/gcr-prompter")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("gcr-prompter is installed");
        self.wait_for_owner("org.gnome.keyring.SystemPrompter");
        Prompter(prompter)
    }

    fn wait_for_owner(&self, name: &str) {
        let owned = || self.session.has_owner(name).expect("gdbus runs");
        wait_until("the program owns its name", owned);
    }

    /// The window of the keyring's prompt.
    fn prompt(&self) -> Option<String> {
        let found = self
            .session
            .command("xdotool")
            .args(["search", "--onlyvisible", "--class", "gcr-prompter"])
            .stderr(Stdio::null())
            .output()
            .expect("xdotool runs");
        let windows = String::from_utf8_lossy(&found.stdout).into_owned();
        windows.lines().next().map(str::to_owned)
    }

    fn press(&self, arguments: &[&str]) {
        let status = self.session.command("xdotool").args(arguments).status();
        assert!(status.expect("xdotool runs").success(), "{arguments:?}");
    }

    /// Answers the prompt that is open or will open. Repeated: keys may arrive before the prompt has the focus.
    fn answer_prompt(&self, answer: &[&[&str]]) {
        wait_until("the prompt is shown", || self.prompt().is_some());
        wait_until("the prompt is gone", || {
            for keys in answer {
                self.press(keys);
            }
            std::thread::sleep(Duration::from_millis(500));
            self.prompt().is_none()
        });
    }

    fn type_password(&self) {
        self.answer_prompt(&[&["key", "ctrl+a"], &["type", PASSWORD], &["key", "Return"]]);
    }

    fn cancel_prompt(&self) {
        self.answer_prompt(&[&["key", "Escape"]]);
    }
}

/// Ends with its value.
struct Prompter(Child);

impl Drop for Prompter {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

#[expect(clippy::disallowed_methods, reason = "the keyring runs in real time")]
fn wait_until(what: &str, condition: impl Fn() -> bool) {
    let start = std::time::Instant::now();
    while !condition() {
        assert!(start.elapsed() < Duration::from_secs(60), "{what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn is_online(session: &Value) -> bool {
    session["connectivity"]["state"] == "online"
}

fn vault_error(session: &Value) -> Option<&str> {
    (session["error"]["kind"] == "vault")
        .then(|| session["error"]["problem"].as_str())
        .flatten()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unlocked_restarted_and_absent_keyrings_are_told_apart() {
    let mut fixture = Fixture::signed_in().await;
    let mut process = fixture.start();
    let session = process.session_after_start().expect("it runs");
    assert!(is_online(&session), "unlocked: {session}");

    fixture.session.stop_keyring().expect("it ran");
    fixture.session.start_keyring().expect("it starts again");
    let answer = process.run("unlock");
    assert_eq!(answer["error"], Value::Null, "restarted");
    process.kill();
    let session = fixture.start().session_after_start().expect("it runs");
    assert!(is_online(&session), "restarted: {session}");

    fixture.session.stop_keyring().expect("it ran");
    let mut process = fixture.start();
    let session = process.session_after_start().expect("it runs");
    assert_eq!(vault_error(&session), Some("absent"), "{session}");
    process.sign_in(&fixture.service).await.expect("it runs");
    let session = process
        .session_when(|session| session["state"] == "signedIn")
        .expect("it runs");
    assert_eq!(session["vault"], "absent", "{session}");
    assert_eq!(process.run("list")["error"], Value::Null);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn locked_keyring_with_a_cancelled_prompt_is_no_sign_out_and_is_asked_again_on_request() {
    let fixture = Fixture::signed_in().await;
    fixture.session.lock_keyring().expect("it is locked");
    let prompter = fixture.start_prompter();
    let mut process = fixture.start();
    fixture.cancel_prompt();
    let session = process.session_after_start().expect("it runs");
    assert_eq!(vault_error(&session), Some("locked"), "{session}");
    drop(prompter);
    let _prompter = fixture.start_prompter();
    process.send("unlock");
    fixture.type_password();
    assert_eq!(process.receive()["error"], Value::Null);
    let session = process.session_when(is_online).expect("it runs");
    assert_eq!(session["vault"], Value::Null, "{session}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn prompt_that_is_answered_late_restores_the_session_by_itself() {
    let fixture = Fixture::signed_in().await;
    fixture.session.lock_keyring().expect("it is locked");
    let _prompter = fixture.start_prompter();
    let mut process = fixture.start();
    // After half a minute the window says what it waits for.
    let session = process.session_after_start().expect("it runs");
    assert_eq!(vault_error(&session), Some("waiting"), "{session}");
    fixture.type_password();
    process.session_when(is_online).expect("it runs");
    assert_eq!(process.run("list")["error"], Value::Null);
}
