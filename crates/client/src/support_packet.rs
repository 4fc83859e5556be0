//! The support packet: a text that a user reads and then gives to support. It says what the program is and does, and has the
//! end of the log. It holds no token, no name of a person or customer, and no amount.

mod redaction;
mod system;

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use jiff::Timestamp;

use crate::session::{ActiveSession, SessionState};
use crate::views::{Connectivity, Diagnosis, PendingRetry, VaultProblem};

use redaction::redact;
use system::system;

/// How many lines of the log are kept.
const LINES: usize = 400;
/// Longer lines are cut.
const MAX_LINE: usize = 600;

/// The last lines of the log, redacted when they are written.
#[derive(Debug, Clone, Default)]
pub struct LogTimeline(Arc<Mutex<VecDeque<String>>>);

/// Writes an event of the log to a [`LogTimeline`]: all that was written until it is dropped.
#[derive(Debug)]
pub struct LogTimelineWriter {
    timeline: LogTimeline,
    event: Vec<u8>,
}

impl LogTimeline {
    /// A writer for a log subscriber.
    #[must_use]
    pub fn writer(&self) -> LogTimelineWriter {
        LogTimelineWriter {
            timeline: self.clone(),
            event: Vec::new(),
        }
    }

    fn text(&self) -> String {
        let lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        lines.iter().map(|line| format!("{line}\n")).collect()
    }

    fn push(&self, event: &str) {
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for line in event.lines().filter(|line| !line.trim().is_empty()) {
            let line: String = redact(line).chars().take(MAX_LINE).collect();
            lines.push_back(line);
        }
        while lines.len() > LINES {
            lines.pop_front();
        }
    }
}

impl io::Write for LogTimelineWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.event.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for LogTimelineWriter {
    fn drop(&mut self) {
        self.timeline.push(&String::from_utf8_lossy(&self.event));
    }
}

/// What the packet is made of.
pub(crate) struct PacketContent<'a> {
    pub(crate) now: Timestamp,
    pub(crate) session: &'a SessionState,
    /// Why drafts are not stored, if they are not.
    pub(crate) drafts_vault: Option<VaultProblem>,
    pub(crate) environments: usize,
    pub(crate) pending_retries: &'a [PendingRetry],
    pub(crate) deliveries: u32,
    pub(crate) diagnosis: Option<&'a Diagnosis>,
    pub(crate) log: Option<&'a LogTimeline>,
}

/// The packet as a text with sections.
pub(crate) fn write(content: &PacketContent<'_>) -> String {
    let mut text = String::new();
    let mut line = |name: &str, value: &str| {
        // Writing to a string does not fail.
        let _ = writeln!(text, "{name:<14} {value}");
    };
    line("made", &content.now.to_string());
    line("version", env!("CARGO_PKG_VERSION"));
    line("system", &system());
    line("environments", &content.environments.to_string());
    match content.session {
        SessionState::Starting => line("session", "starting"),
        SessionState::SignedOut { error: None } => line("session", "signed out"),
        SessionState::SignedOut { error: Some(error) } => {
            line("session", &format!("signed out: {}", kind_of(error)));
        }
        SessionState::SignedIn(active) => session_lines(&mut line, active),
    }
    line("drafts", &vault(content.drafts_vault));
    line("sent drafts", &content.deliveries.to_string());
    for retry in content.pending_retries {
        let support = retry.error.clone().into_support();
        line(
            "waiting",
            &format!(
                "{} in {}, {} after {} attempts, next {}, correlation id {}",
                retry.command,
                retry.organization,
                kind_of(&retry.error),
                retry.failed_attempts,
                retry.until,
                support.correlation_id
            ),
        );
    }
    if let Some(diagnosis) = content.diagnosis {
        text.push_str("\n--- connection ---\n");
        text.push_str(&diagnosis_lines(diagnosis));
    }
    if let Some(log) = content.log {
        text.push_str("\n--- log ---\n");
        text.push_str(&log.text());
    }
    text
}

fn session_lines(line: &mut impl FnMut(&str, &str), active: &ActiveSession) {
    let environment = active.environment();
    line("session", "signed in");
    line(
        "environment",
        &format!("{} ({:?})", environment.name(), environment.view().kind),
    );
    line("sign-in at", environment.issuer());
    line("service at", environment.gateway());
    let identity = active.identity();
    line("subject", identity.subject.as_str());
    line("roles as of", &identity.issued_at.to_string());
    let organizations: Vec<_> = identity.organizations().into_iter().collect();
    for organization in &organizations {
        line("organization", organization.as_str());
    }
    let connectivity = match active.connectivity() {
        Connectivity::Online => "online".to_owned(),
        Connectivity::Offline { since } => format!("offline since {since}"),
        Connectivity::Ended => "ended".to_owned(),
    };
    line("connection", &connectivity);
    line("keyring", &vault(active.vault_problem()));
}

fn diagnosis_lines(diagnosis: &Diagnosis) -> String {
    let mut text = format!("{} at {}\n", diagnosis.environment, diagnosis.time);
    for step in &diagnosis.steps {
        let passed = if step.passed { "ok  " } else { "FAIL" };
        let _ = writeln!(
            text,
            "{passed} {:?} {} {} ms {:?}",
            step.server, step.host, step.milliseconds, step.finding
        );
    }
    text
}

/// The tag of an error, which is its kind on the wire.
fn kind_of(error: &crate::views::CommandError) -> String {
    let value = serde_json::to_value(error).unwrap_or_default();
    value["kind"].as_str().unwrap_or("unknown").to_owned()
}

fn vault(problem: Option<VaultProblem>) -> String {
    problem.map_or_else(
        || "stored".to_owned(),
        |problem| format!("not stored: {problem:?}"),
    )
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    #[test]
    fn timeline_keeps_the_last_lines_and_cuts_long_ones() {
        let timeline = LogTimeline::default();
        for number in 0..LINES + 10 {
            writeln!(timeline.writer(), "event {number}").expect("it is memory");
        }
        writeln!(timeline.writer(), "{}", "x ".repeat(MAX_LINE)).expect("it is memory");
        let text = timeline.text();
        assert_eq!(text.lines().count(), LINES);
        assert!(
            !text.contains("event 10\n") && text.contains("event 409\n"),
            "{text}"
        );
        assert!(text.lines().all(|line| line.len() <= MAX_LINE));
    }

    #[test]
    fn packet_says_version_state_and_log() {
        let log = LogTimeline::default();
        writeln!(log.writer(), "2026-11-22T10:00:00Z WARN a call failed").expect("it is memory");
        let packet = write(&PacketContent {
            now: "2026-11-22T11:00:00Z".parse().expect("a time"),
            session: &SessionState::SignedOut {
                error: Some(crate::views::CommandError::SessionInterrupted),
            },
            drafts_vault: Some(VaultProblem::Locked),
            environments: 2,
            pending_retries: &[],
            deliveries: 3,
            diagnosis: None,
            log: Some(&log),
        });
        for expected in [
            env!("CARGO_PKG_VERSION"),
            "signed out: sessionInterrupted",
            "not stored: Locked",
            "2026-11-22T10:00:00Z WARN a call failed",
        ] {
            assert!(
                packet.contains(expected),
                "{expected} is missing:\n{packet}"
            );
        }
    }
}
