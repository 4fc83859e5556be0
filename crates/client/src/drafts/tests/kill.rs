//! A process that is killed (SIGKILL) at every file operation and at every step of a request, while it creates, saves and
//! sends a draft. Another process then reads what is there.

use std::io::{self, BufRead as _, BufReader, Write as _};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use secrecy::{ExposeSecret as _, SecretString};

use super::*;
use crate::BoxFuture;
use crate::files::{FileFault, FileFaults};

const FOLDER: &str = "DRAFTS_KILL_FOLDER";
const STOP_AT: &str = "DRAFTS_KILL_STOP_AT";

/// A keyring in files, so that two processes share it.
struct FileVault(PathBuf);

impl FileVault {
    fn answer<T: Send + 'static>(value: T) -> BoxFuture<'static, Result<T, VaultError>> {
        Box::pin(std::future::ready(Ok(value)))
    }
}

impl Vault for FileVault {
    fn read(&self, entry: &str) -> BoxFuture<'static, Result<Option<SecretString>, VaultError>> {
        let secret = std::fs::read_to_string(self.0.join(entry)).ok();
        Self::answer(secret.map(SecretString::from))
    }

    fn write(
        &self,
        entry: &str,
        secret: SecretString,
    ) -> BoxFuture<'static, Result<(), VaultError>> {
        std::fs::create_dir_all(&self.0).expect("a folder");
        std::fs::write(self.0.join(entry), secret.expose_secret()).expect("written");
        Self::answer(())
    }

    fn delete(&self, entry: &str) -> BoxFuture<'static, Result<(), VaultError>> {
        std::fs::remove_file(self.0.join(entry)).ok();
        Self::answer(())
    }
}

fn open(folder: &Path) -> Drafts {
    Drafts::new(
        Arc::new(FakeClock::new(Timestamp::UNIX_EPOCH)),
        Arc::new(SystemRng),
        Arc::new(FileVault(folder.join("vault"))),
        folder.join("drafts"),
    )
}

/// Prints a line that the other process waits for.
fn tell(line: &str) {
    let mut output = io::stdout();
    writeln!(output, "{line}").expect("the parent reads");
    output.flush().expect("the parent reads");
}

#[tokio::test]
#[ignore = "not a test: the process that the others kill"]
async fn process_to_kill() {
    let folder = PathBuf::from(std::env::var_os(FOLDER).expect("set by the parent"));
    let faults = FileFaults::new(&folder);
    if let Ok(number) = std::env::var(STOP_AT) {
        faults.set(number.parse().expect("a number"), FileFault::Stop);
    }
    let drafts = open(&folder);
    for note in ["first", "second"] {
        drafts.save(owner(), draft(KEY, note)).await.expect("saved");
        tell(&format!("saved {note}"));
    }
    let sending = drafts.begin_sending(owner(), document(), None).await;
    let sending = sending.expect("read").expect("it is there");
    tell(&format!("request {}", sending.draft.content.note));
    io::stdin()
        .lines()
        .next()
        .expect("a response")
        .expect("a response");
    drafts
        .finish_sending(sending, AfterSending::Sent)
        .await
        .expect("removed");
    tell("sent");
    tell("stopped");
    std::thread::park();
}

/// Where a process is killed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    /// Before the file operation with this number.
    File(usize),
    /// Before the service acts.
    BeforeRequest,
    /// After the service acted, before its response.
    BeforeResponse,
}

struct Process {
    child: Child,
    input: ChildStdin,
    output: io::Lines<BufReader<ChildStdout>>,
}

impl Process {
    fn start(folder: &Path, step: Step) -> Self {
        let mut command = Command::new(std::env::current_exe().expect("this program"));
        command
            .args(["drafts::tests::kill::process_to_kill", "--exact"])
            .args(["--ignored", "--nocapture"])
            .env(FOLDER, folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        if let Step::File(number) = step {
            command.env(STOP_AT, number.to_string());
        }
        let mut child = command.spawn().expect("it starts");
        let input = child.stdin.take().expect("it is piped");
        let output = child.stdout.take().expect("it is piped");
        Self {
            child,
            input,
            output: BufReader::new(output).lines(),
        }
    }

    /// Runs until the step and kills the process. Returns the content of the last acknowledged save, what the service has, and
    /// whether the process learned that it was sent.
    fn kill_at(mut self, step: Step) -> (Option<String>, Option<String>, bool) {
        let (mut saved, mut service, mut sent) = (None, None, false);
        for line in self.output.by_ref() {
            let line = line.expect("text");
            if let Some((_, note)) = line.split_once("saved ") {
                saved = Some(note.to_owned());
            } else if let Some((_, note)) = line.split_once("request ") {
                if step == Step::BeforeRequest {
                    break;
                }
                service = Some(note.to_owned());
                if step == Step::BeforeResponse {
                    break;
                }
                writeln!(self.input, "created").expect("it reads");
            } else if line.ends_with("sent") {
                sent = true;
            } else if line.ends_with("stopped") {
                break;
            }
        }
        self.child.kill().expect("it runs");
        self.child.wait().expect("it ends");
        (saved, service, sent)
    }
}

#[tokio::test]
async fn draft_survives_a_kill_at_every_step_of_create_save_and_send() {
    let files = (0..).map(Step::File);
    let mut kills = 0;
    for step in [Step::BeforeRequest, Step::BeforeResponse]
        .into_iter()
        .chain(files)
    {
        let folder = fast_folder();
        let (saved, service, sent) = Process::start(folder.path(), step).kill_at(step);
        let drafts = open(folder.path());
        let left = listed(&drafts).await;
        let context = format!("{step:?}: saved {saved:?}, service {service:?}, left {left:?}");
        assert_eq!(
            drafts.unreadable(owner()).await.expect("a list"),
            [],
            "{context}"
        );
        match (left.as_slice(), &service) {
            // The service has exactly what was saved last.
            ([], Some(content)) => assert_eq!(saved.as_ref(), Some(content), "{context}"),
            ([], None) => assert_eq!(saved, None, "{context}: it is lost"),
            ([(note, state)], service) => {
                assert!(!sent, "{context}: it would be sent again");
                // A save that was not acknowledged may be there.
                let is_newest = saved.as_ref() == Some(note)
                    || saved.is_none() && note == "first"
                    || saved.as_deref() == Some("first") && note == "second";
                assert!(is_newest, "{context}");
                if service.is_some() || step == Step::BeforeRequest {
                    assert_eq!(*state, DraftState::UnknownOutcome, "{context}");
                }
            }
            _ => panic!("{context}"),
        }
        // Nothing that the killed process held is in the way.
        drafts
            .save(owner(), draft(KEY, "third"))
            .await
            .expect("saved");
        let left = listed(&open(folder.path())).await;
        assert_eq!(left.len(), 1, "{context}");
        assert_eq!(left[0].0, "third", "{context}");
        if sent {
            break;
        }
        kills += 1;
    }
    assert!(kills > 30, "{kills}");
}
