//! Files that the tests of a program make once and copy, such as the database of a service with its seed (decision 0138).

#![allow(
    clippy::missing_panics_doc,
    clippy::expect_used,
    reason = "for tests: a panic is a failure, and its message says what is missing"
)]

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// How long a template is copied: what it contains may depend on the day.
const LIFETIME: Duration = Duration::from_secs(60 * 60);

/// Identifies the program that runs: another one, or the same built again, may make other templates.
#[must_use]
pub fn program_id() -> String {
    let program = std::env::current_exe().expect("the program knows its file");
    let about = fs::metadata(&program).expect("the file of the program exists");
    let name = program.file_name().unwrap_or_default().to_string_lossy();
    let modified = about.modified().expect("files have times");
    let name: String = name
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|character| character.to_ascii_lowercase())
        .collect();
    format!("{name}_{:x}", milliseconds(modified))
}

/// Whether a copy of a template is in use in this process.
static IN_USE: AtomicBool = AtomicBool::new(false);

/// The only copy of a template that is in use in a process: services that run at the same time, which a test may compare with each
/// other, have nothing in common. The tests of `cargo nextest` have a process each.
#[derive(Debug)]
#[must_use = "dropped, it lets another copy be made"]
pub struct OnlyCopy(());

impl OnlyCopy {
    /// Until it is dropped, nobody else gets one.
    pub fn take() -> Option<Self> {
        if IN_USE.swap(true, Ordering::Relaxed) {
            None
        } else {
            Some(Self(()))
        }
    }

    /// Lets no other copy be made for as long as the process lives.
    pub fn keep(self) {
        std::mem::forget(self);
    }
}

impl Drop for OnlyCopy {
    fn drop(&mut self) {
        IN_USE.store(false, Ordering::Relaxed);
    }
}

/// Writes a copy of the template `name` to `to`. The first caller of the program, and one an hour later, has `make` write the
/// template to the path that it gets. The others wait for it.
pub async fn copy(name: &str, to: &Path, make: impl AsyncFnOnce(&Path)) {
    let folder = std::env::temp_dir().join("invoicing-test-templates");
    fs::create_dir_all(&folder).expect("the folder is created");
    #[expect(
        clippy::disallowed_methods,
        reason = "processes that know nothing of each other agree on the hour"
    )]
    let now = SystemTime::now();
    let hour = milliseconds(now) / LIFETIME.as_millis();
    let name = format!("{name}_{}", program_id());
    let template = folder.join(format!("{name}_{hour}"));
    let lock = File::create(folder.join(format!("{name}.lock"))).expect("the lock file opens");
    lock.lock().expect("the lock is taken");
    if !template.exists() {
        remove_old(&folder, now);
        // Of a caller that ended in between.
        let unfinished = folder.join(format!("{name}.unfinished"));
        let _ = fs::remove_file(&unfinished);
        make(&unfinished).await;
        fs::rename(&unfinished, &template).expect("the template is complete");
    }
    fs::copy(&template, to).expect("the template is copied");
}

fn milliseconds(time: SystemTime) -> u128 {
    let since = time.duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_millis())
}

/// Removes what nobody copies any more. Another process may do the same.
fn remove_old(folder: &Path, now: SystemTime) {
    let is_old = |path: &PathBuf| {
        let modified = fs::metadata(path).and_then(|about| about.modified());
        let age = modified
            .ok()
            .and_then(|modified| now.duration_since(modified).ok());
        age.is_some_and(|age| age > LIFETIME * 2)
    };
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for path in entries.map(|entry| entry.path()).filter(is_old) {
        let _ = fs::remove_file(path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn template_is_made_once_and_copied() {
        let folder = tempfile::tempdir().expect("a folder");
        let name = format!("test_{}", std::process::id());
        let mut made = 0;
        for copied in ["one", "two"] {
            let to = folder.path().join(copied);
            let make = async |path: &Path| {
                made += 1;
                fs::write(path, "content").expect("the template is written");
            };
            copy(&name, &to, make).await;
            let content = fs::read_to_string(to).expect("the copy exists");
            assert_eq!(content, "content");
        }
        assert_eq!(made, 1);
    }

    #[test]
    fn copy_is_the_only_one_until_it_is_dropped() {
        let first = OnlyCopy::take();
        assert!(first.is_some());
        assert!(OnlyCopy::take().is_none());
        drop(first);
        let next = OnlyCopy::take().expect("the first is gone");
        next.keep();
        assert!(OnlyCopy::take().is_none());
    }
}
