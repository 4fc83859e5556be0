//! The rotating refresh token: its record in the keyring, and the file lock that keeps two processes from using one twice.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;
use serde_json::json;
use thiserror::Error;
use zeroize::Zeroize as _;

use crate::clock::Clock;
use crate::files;

/// How long another process may hold the lock: longer than a refresh takes at most.
const LOCK_TIMEOUT: Duration = Duration::from_secs(60);
const LOCK_POLL_INTERVAL: Duration = Duration::from_millis(50);

/// In bytes. Windows stores at most 2,560 for an entry (`CRED_MAX_CREDENTIAL_BLOB_SIZE`).
const MAX_ENTRY: usize = 2500;

/// A refresh token and its generation: each refresh increments it.
#[derive(Clone)]
pub(super) struct StoredRefreshToken {
    pub(super) generation: u64,
    pub(super) token: SecretString,
    /// The id_token of the sign-in, by which sign-out names the session of the browser.
    pub(super) id_token: Option<SecretString>,
}

/// The keyring entry. JSON, because KWallet stores text only.
#[derive(Deserialize)]
struct KeyringRecord {
    generation: u64,
    refresh_token: SecretString,
    #[serde(default)]
    id_token: Option<SecretString>,
}

impl StoredRefreshToken {
    /// Parses the text of the keyring entry. What cannot be parsed counts as no token.
    pub(super) fn parse(text: Option<SecretString>) -> Option<Self> {
        let record = serde_json::from_str::<KeyringRecord>(text?.expose_secret()).ok()?;
        Some(Self {
            generation: record.generation,
            token: record.refresh_token,
            id_token: record.id_token,
        })
    }

    /// The text of the keyring entry. An id_token for which there is no room is left out: without it, sign-out after a
    /// restart does not end the session of the browser.
    pub(super) fn to_secret(&self) -> SecretString {
        let text = |id_token: Option<&SecretString>| {
            let id_token = id_token.map(ExposeSecret::expose_secret);
            let token = self.token.expose_secret();
            json!({"generation": self.generation, "refresh_token": token, "id_token": id_token})
                .to_string()
        };
        let mut whole = text(self.id_token.as_ref());
        if whole.len() > MAX_ENTRY {
            whole.zeroize();
            whole = text(None);
        }
        whole.into()
    }
}

/// The path of an account's lock file.
pub(super) fn lock_path(folder: &Path, entry: &str) -> PathBuf {
    folder.join(format!("{}.lock", files::opaque_name(entry)))
}

/// Why the lock was not acquired.
#[derive(Debug, Error)]
pub(crate) enum LockError {
    /// The lock file cannot be opened or locked.
    #[error("the lock file cannot be used")]
    Io(#[from] io::Error),
    /// Another process held the lock for a minute.
    #[error("another process holds the lock")]
    Timeout,
}

/// An exclusive lock among the processes of this computer, held while a refresh token is exchanged and its successor
/// stored. The system releases it if the process dies.
pub(super) struct RefreshLock {
    _file: File,
}

impl RefreshLock {
    /// Waits for other processes, for at most a minute.
    pub(super) async fn acquire(clock: &Arc<dyn Clock>, path: &Path) -> Result<Self, LockError> {
        let path = path.to_owned();
        let file = files::run_blocking(move || {
            files::create_private_dir(path.parent().unwrap_or_else(|| Path::new(".")))?;
            OpenOptions::new()
                .create(true)
                .truncate(false)
                .write(true)
                .open(path)
        });
        let file = file.await?;
        let start = clock.monotonic();
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Self { _file: file }),
                Err(TryLockError::WouldBlock)
                    if clock.monotonic().saturating_sub(start) < LOCK_TIMEOUT =>
                {
                    clock.sleep(LOCK_POLL_INTERVAL).await;
                }
                Err(TryLockError::WouldBlock) => return Err(LockError::Timeout),
                Err(TryLockError::Error(error)) => return Err(error.into()),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::FakeClock;

    #[test]
    fn token_reads_back_from_the_text_of_its_entry_and_anything_else_is_none() {
        let stored = StoredRefreshToken {
            generation: 7,
            token: "t".into(),
            id_token: Some("i".into()),
        };
        let read = StoredRefreshToken::parse(Some(stored.to_secret())).expect("it is there");
        assert_eq!((read.generation, read.token.expose_secret()), (7, "t"));
        assert!(read.id_token.is_some());
        let large = StoredRefreshToken {
            id_token: Some("i".repeat(MAX_ENTRY).into()),
            ..stored
        };
        let read = StoredRefreshToken::parse(Some(large.to_secret())).expect("it is there");
        assert!(read.id_token.is_none(), "Windows refuses the entry");
        assert!(StoredRefreshToken::parse(Some("{".into())).is_none());
        assert!(StoredRefreshToken::parse(None).is_none());
    }

    #[tokio::test]
    async fn lock_is_exclusive_and_released_when_dropped() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = lock_path(folder.path(), "a b c");
        let fake_clock = Arc::new(FakeClock::new(jiff::Timestamp::UNIX_EPOCH));
        let clock: Arc<dyn Clock> = fake_clock.clone();
        let first = RefreshLock::acquire(&clock, &path)
            .await
            .expect("it is free");
        let second = tokio::spawn({
            let (clock, path) = (Arc::clone(&clock), path.clone());
            async move { RefreshLock::acquire(&clock, &path).await.is_ok() }
        });
        fake_clock.sleep_matching(|_| true).await;
        assert!(!second.is_finished(), "two held it at once");
        drop(first);
        fake_clock.advance(LOCK_POLL_INTERVAL);
        assert!(second.await.expect("it ends"), "it was not free again");
    }
}
