//! Keeps other processes of the same user from reading the memory of this one, and keeps that memory out of core dumps and
//! error reports: it holds tokens and the keys of drafts (decision 0066).

/// Environment variable that leaves the process open to debuggers, if it is set and not empty.
const DEBUGGER: &str = "INVOICE_DESK_DEBUGGER";

/// Applies what the operating system offers. A failure is logged: the application works without it.
///
/// Linux: not dumpable, so that neither ptrace nor `/proc/PID/mem` opens it, and a core size of zero. macOS:
/// `PT_DENY_ATTACH` and a core size of zero. Windows: an access list of the process without reading its memory, and no
/// error report of the system.
pub(crate) fn apply() {
    if std::env::var_os(DEBUGGER).is_some_and(|value| !value.is_empty()) {
        tracing::warn!("the process can be debugged, and its memory read, as {DEBUGGER} asks");
        return;
    }
    if let Err(error) = harden() {
        tracing::warn!(%error, "the memory of the process could not be closed to others");
    }
    #[cfg(windows)]
    if let Err(error) = exclude_from_error_reports() {
        tracing::warn!(%error, "error reports of the system could not be switched off");
    }
}

fn harden() -> secmem_proc::Result {
    let mut config = secmem_proc::Config::DEFAULT;
    // Detecting a tracer that is already attached would end the program for people who debug it, and stop nobody else.
    config.set_anti_tracing(false);
    config.harden_process()
}

/// Does what `WerAddExcludedApplication` does for this user, without calling unsafe functions.
#[cfg(windows)]
fn exclude_from_error_reports() -> Result<(), Box<dyn std::error::Error>> {
    const KEY: &str = r"Software\Microsoft\Windows\Windows Error Reporting\ExcludedApplications";
    let program = std::env::current_exe()?;
    let name = program.file_name().unwrap_or_default().to_string_lossy();
    windows_registry::CURRENT_USER
        .create(KEY)?
        .set_u32(name.as_ref(), 1)?;
    Ok(())
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::io::{BufRead as _, BufReader, Write as _};
    use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
    use std::process::{Child, Command, ExitStatus, Stdio};

    use rustix::process::{Pid, Resource, Rlimit, Signal};

    use super::*;

    /// Environment variable of the child: whether it is hardened.
    const HARDENED: &str = "INVOICE_DESK_TEST_HARDENED";
    /// `nobody`. A test that runs as root drops to it, because root may read every process.
    const NOBODY: u32 = 65_534;

    /// Not a test: the process that the tests look at. It says that it is ready and waits.
    #[test]
    #[ignore = "the tests below start it as a process of its own"]
    fn child() {
        let Some(hardened) = std::env::var_os(HARDENED) else {
            return;
        };
        let limit = Rlimit {
            current: rustix::process::getrlimit(Resource::Core).maximum,
            maximum: rustix::process::getrlimit(Resource::Core).maximum,
        };
        rustix::process::setrlimit(Resource::Core, limit).expect("the limit may be raised");
        if hardened == "yes" {
            harden().expect("Linux can");
        }
        let mut out = std::io::stdout().lock();
        writeln!(out, "ready").expect("the parent reads");
        out.flush().expect("the parent reads");
        let mut line = String::new();
        std::io::stdin().read_line(&mut line).expect("a pipe");
        // SIGABRT, as a panic in a destructor would raise.
        std::process::abort();
    }

    fn as_user(command: &mut Command) -> &mut Command {
        if rustix::process::geteuid().is_root() {
            command.uid(NOBODY).gid(NOBODY)
        } else {
            command
        }
    }

    fn start(hardened: &str, folder: &std::path::Path) -> Child {
        let mut command = Command::new(std::env::current_exe().expect("a path"));
        command
            .args([
                "--exact",
                "process_hardening::tests::child",
                "--ignored",
                "--nocapture",
            ])
            .env(HARDENED, hardened)
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut child = as_user(&mut command).spawn().expect("it starts");
        let out = child.stdout.as_mut().expect("piped");
        let ready = BufReader::new(out)
            .lines()
            .map_while(Result::ok)
            .any(|line| line.ends_with("ready"));
        assert!(ready, "the child did not get ready");
        child
    }

    /// Whether another process of the same user can open a file of the process.
    fn is_readable(child: &Child, file: &str) -> bool {
        let path = format!("/proc/{}/{file}", child.id());
        as_user(
            Command::new("head")
                .args(["-c", "0", &path])
                .stderr(Stdio::null()),
        )
        .status()
        .expect("it runs")
        .success()
    }

    /// Sends the signal until the process has ended: the handler of Rust for SIGSEGV and SIGBUS returns from the first one.
    fn end_by(mut child: Child, signal: Signal) -> ExitStatus {
        let pid = Pid::from_child(&child);
        loop {
            if let Some(status) = child.try_wait().expect("it is our child") {
                return status;
            }
            rustix::process::kill_process(pid, signal).expect("it is not waited for yet");
            std::thread::yield_now();
        }
    }

    fn cores(folder: &std::path::Path) -> usize {
        std::fs::read_dir(folder).expect("a folder").count()
    }

    fn folder() -> std::path::PathBuf {
        let number = std::process::id();
        let folder = std::env::temp_dir().join(format!("invoice-desk-cores-{number}"));
        std::fs::create_dir_all(&folder).expect("created");
        if rustix::process::geteuid().is_root() {
            std::os::unix::fs::chown(&folder, Some(NOBODY), Some(NOBODY)).expect("root may");
        }
        folder
    }

    #[test]
    fn memory_of_the_hardened_process_cannot_be_opened_by_the_same_user() {
        let folder = folder();
        let open = start("no", &folder);
        assert!(is_readable(&open, "maps"), "the check itself can fail");
        let hardened = start("yes", &folder);
        for file in ["maps", "mem", "environ"] {
            assert!(!is_readable(&hardened, file), "{file} can be read");
        }
        end_by(open, Signal::KILL);
        end_by(hardened, Signal::KILL);
        std::fs::remove_dir_all(&folder).expect("removed");
    }

    #[test]
    fn hardened_process_leaves_no_core_file_when_it_crashes() {
        let folder = folder();
        let open = end_by(start("no", &folder), Signal::SEGV);
        // Depends on the limits of the user and on the system's core pattern.
        println!("an open process dumped a core: {}", open.core_dumped());
        for file in std::fs::read_dir(&folder).expect("a folder") {
            std::fs::remove_file(file.expect("an entry").path()).expect("a core file");
        }
        for signal in [Signal::SEGV, Signal::ABORT, Signal::BUS, Signal::ILL] {
            let ended = end_by(start("yes", &folder), signal);
            assert_eq!(ended.signal(), Some(signal.as_raw()));
            assert!(!ended.core_dumped(), "{signal:?} dumped a core");
        }
        let mut aborting = start("yes", &folder);
        aborting
            .stdin
            .take()
            .expect("piped")
            .write_all(b"\n")
            .expect("it reads");
        assert!(!aborting.wait().expect("it ends").core_dumped());
        assert_eq!(cores(&folder), 0, "a core file was written");
        std::fs::remove_dir_all(&folder).expect("removed");
    }
}
