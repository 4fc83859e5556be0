//! Measures the real window beside an empty Tauri window and beside Chromium with the same UI: cold start to painted content, memory,
//! and the processor that an idle window takes.
//!
//! `bench-desk FOLDER` runs the programs of FOLDER (`invoice-desk`, `examples/empty-window`, `ui-host`) in turns and prints a
//! report. `cargo xtask bench desk` runs it.

#![expect(clippy::disallowed_methods, reason = "a benchmark measures real time")]
#![expect(clippy::print_stdout, reason = "the report goes to stdout")]

#[cfg(target_os = "linux")]
fn main() {
    linux::main();
}

#[cfg(not(target_os = "linux"))]
fn main() {
    println!("bench-desk reads the frame buffer of an X server, which only Linux has here");
}

#[cfg(target_os = "linux")]
mod linux {
    use std::fs;
    use std::io::{BufRead as _, BufReader};
    use std::path::{Path, PathBuf};
    use std::process::{Child, Command, Stdio};
    use std::thread::sleep;
    use std::time::{Duration, Instant};

    use end_to_end::screen::Screen;
    use xtask::session::Session;

    /// Starts of each program, in turns, so that a slower moment of the machine meets all of them.
    const ROUNDS: usize = 7;
    /// The limit for a start, far above any that is expected.
    const START_LIMIT: Duration = Duration::from_secs(60);
    const POLL: Duration = Duration::from_millis(2);
    /// Time from painted content to the measurement of memory.
    const SETTLED: Duration = Duration::from_secs(3);
    /// How long the processor of an idle window is measured.
    const IDLE: Duration = Duration::from_secs(20);
    /// Clock ticks a second of `/proc/PID/stat`.
    const TICKS: u64 = 100;

    pub(crate) fn main() {
        let programs = PathBuf::from(std::env::args().nth(1).expect("Usage: bench-desk FOLDER"));
        let folder = tempfile::tempdir().expect("a temporary folder");
        let screen_of_host = session(folder.path(), "host");
        let host = UiHost::start(&screen_of_host, &programs, folder.path());

        let names = ["empty", "desk", "chromium"];
        let start = |name: &str, round: usize| {
            let session = session(folder.path(), &format!("{name}-{round}"));
            let program = |name: &str| session.command(&programs.join(name).display().to_string());
            let command = match name {
                "empty" => program("examples/empty-window"),
                "desk" => program("invoice-desk"),
                _ => chromium(&session, &host.address),
            };
            Running::start(session, command)
        };
        let mut starts = [const { Vec::new() }; 3];
        for round in 0..ROUNDS {
            for (name, times) in names.iter().zip(&mut starts) {
                let running = start(name, round);
                times.push(running.painted.as_millis());
                running.stop();
            }
        }
        let mut figures = Vec::new();
        for (name, mut times) in names.into_iter().zip(starts) {
            times.sort_unstable();
            let median = times.get(ROUNDS / 2).copied().unwrap_or_default();
            figures.push((format!("start/{name}-ms"), median));
        }
        for name in ["empty", "desk"] {
            let running = start(name, ROUNDS);
            sleep(SETTLED);
            figures.push((format!("memory/{name}-kib"), running.memory_kib().into()));
            let before = running.ticks();
            sleep(IDLE);
            let ticks = running.ticks() - before;
            let permille = ticks * 1_000 / (TICKS * IDLE.as_secs());
            figures.push((format!("idle/{name}-permille-of-a-core"), permille.into()));
            running.stop();
        }
        let lines: Vec<_> = figures
            .iter()
            .map(|(name, value)| format!("  \"{name}\": {value}"))
            .collect();
        println!("{{\n{}\n}}", lines.join(",\n"));
    }

    /// A session with a home and a screen of its own: nothing is cached, and nothing is painted yet.
    fn session(folder: &Path, name: &str) -> Session {
        Session::start(&folder.join(name), 1360, 860).expect("a session starts")
    }

    /// A started program and how long it took to paint its content.
    struct Running {
        /// Ends with it.
        _session: Session,
        child: Child,
        painted: Duration,
    }

    impl Running {
        fn start(session: Session, mut command: Command) -> Self {
            // The desktop closes its memory to other processes, which would hide its figures too.
            command.env("INVOICE_DESK_DEBUGGER", "1");
            command.stdin(Stdio::null());
            command.stdout(Stdio::null()).stderr(Stdio::null());
            let screen = Screen::open(&session);
            let start = Instant::now();
            let child = command.spawn().expect("the program starts");
            while !screen.has_text() {
                assert!(start.elapsed() < START_LIMIT, "nothing was painted");
                sleep(POLL);
            }
            Self {
                painted: start.elapsed(),
                _session: session,
                child,
            }
        }

        /// The process and those that it has started.
        fn processes(&self) -> Vec<u32> {
            let mut found = vec![self.child.id()];
            let mut next = 0;
            while let Some(process) = found.get(next) {
                let tasks = fs::read_dir(format!("/proc/{process}/task"));
                let children = tasks.into_iter().flatten().flatten().map(|task| {
                    fs::read_to_string(task.path().join("children")).unwrap_or_default()
                });
                let children: Vec<u32> = children
                    .flat_map(|line| {
                        line.split_whitespace()
                            .filter_map(|id| id.parse().ok())
                            .collect::<Vec<_>>()
                    })
                    .collect();
                found.extend(children);
                next += 1;
            }
            found
        }

        /// Proportional set size of all processes, in KiB: shared pages count once.
        fn memory_kib(&self) -> u64 {
            let of = |process: u32| {
                let text = fs::read_to_string(format!("/proc/{process}/smaps_rollup")).ok()?;
                let line = text.lines().find(|line| line.starts_with("Pss:"))?;
                line.split_whitespace().nth(1)?.parse::<u64>().ok()
            };
            self.processes().into_iter().filter_map(of).sum()
        }

        /// Processor time of all processes, in ticks.
        fn ticks(&self) -> u64 {
            let of = |process: u32| {
                let text = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
                // The name of the program may contain spaces; after its bracket come state, then the fields from the fourth on.
                let fields: Vec<_> = text.rsplit_once(')')?.1.split_whitespace().collect();
                let tick = |index: usize| fields.get(index)?.parse::<u64>().ok();
                Some(tick(11)? + tick(12)?)
            };
            self.processes().into_iter().filter_map(of).sum()
        }

        /// Ends the program.
        fn stop(mut self) {
            for process in self.processes().into_iter().rev() {
                let _ = Command::new("kill")
                    .arg(process.to_string())
                    .stderr(Stdio::null())
                    .status();
            }
            self.child.wait().expect("the program can be waited for");
        }
    }

    /// Chromium as a window of its own, without a profile from before.
    fn chromium(session: &Session, address: &str) -> Command {
        let profile = session.folder().join("chromium");
        let mut command = session.command("chromium");
        command.args(["--no-sandbox", "--no-first-run", "--disable-gpu"]);
        command.args(["--window-size=1280,800", "--window-position=40,30"]);
        command.arg(format!("--user-data-dir={}", profile.display()));
        command.arg(format!("--app={address}"));
        command
    }

    /// The server of the UI for Chromium.
    struct UiHost {
        child: Child,
        address: String,
    }

    impl UiHost {
        fn start(session: &Session, programs: &Path, folder: &Path) -> Self {
            let mut child = session
                .command(&programs.join("ui-host").display().to_string())
                .arg("--data")
                .arg(folder.join("ui-host"))
                .stdout(Stdio::piped())
                .stderr(Stdio::null())
                .spawn()
                .expect("ui-host starts");
            let mut address = String::new();
            let output = child.stdout.take().expect("its output is piped");
            BufReader::new(output)
                .read_line(&mut address)
                .expect("ui-host prints its address");
            Self {
                child,
                address: address.trim().to_owned(),
            }
        }
    }

    impl Drop for UiHost {
        fn drop(&mut self) {
            // It may have ended by itself.
            if self.child.kill().is_ok() {
                drop(self.child.wait());
            }
        }
    }
}
