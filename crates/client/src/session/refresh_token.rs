//! The rotating refresh token: its record in the keyring, and the file lock that keeps two processes from using one twice.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use secrecy::{ExposeSecret as _, SecretString};
use serde::Deserialize;
use serde_json::json;
use sha2::{Digest as _, Sha256};
use thiserror::Error;

use crate::clock::Clock;
use crate::files;
use crate::vault::{KEYRING_TIMEOUT, Vault, VaultError, with_timeout};

/// How long another process may hold the lock: longer than a refresh takes at most.
const LOCK_TIMEOUT: Duration = Duration::from_secs(60);
const LOCK_POLL_INTERVAL: Duration = Duration::from_millis(50);

/// A refresh token and its generation: each refresh increments it.
#[derive(Clone)]
pub(super) struct StoredRefreshToken {
    pub(super) generation: u64,
    pub(super) token: SecretString,
}

/// The keyring entry. JSON, because KWallet stores text only.
#[derive(Deserialize)]
struct KeyringRecord {
    generation: u64,
    refresh_token: SecretString,
}

impl StoredRefreshToken {
    /// Reads the token from the keyring. An entry that cannot be parsed counts as none.
    pub(super) async fn read(
        vault: &dyn Vault,
        clock: &Arc<dyn Clock>,
        timeout: Duration,
        entry: &str,
    ) -> Result<Option<Self>, VaultError> {
        let text = with_timeout(clock, timeout, vault.read(entry)).await?;
        let record =
            text.and_then(|text| serde_json::from_str::<KeyringRecord>(text.expose_secret()).ok());
        Ok(record.map(|record| Self {
            generation: record.generation,
            token: record.refresh_token,
        }))
    }

    /// The text of the keyring entry.
    pub(super) fn to_secret(&self) -> SecretString {
        json!({"generation": self.generation, "refresh_token": self.token.expose_secret()})
            .to_string()
            .into()
    }

    /// Writes the same token again, to learn whether its successor could be written.
    pub(super) async fn probe_write(
        &self,
        vault: &dyn Vault,
        clock: &Arc<dyn Clock>,
        entry: &str,
    ) -> Result<(), VaultError> {
        with_timeout(clock, KEYRING_TIMEOUT, vault.write(entry, self.to_secret())).await
    }
}

/// The path of an account's lock file.
pub(super) fn lock_path(folder: &Path, entry: &str) -> PathBuf {
    let name: String = Sha256::digest(entry.as_bytes())
        .iter()
        .take(16)
        .map(|byte| format!("{byte:02x}"))
        .collect();
    folder.join(format!("{name}.lock"))
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
    use crate::vault::MemoryVault;

    fn clock() -> Arc<dyn Clock> {
        Arc::new(FakeClock::new(jiff::Timestamp::UNIX_EPOCH))
    }

    #[tokio::test]
    async fn stored_token_reads_back_from_the_keyring() {
        let vault = MemoryVault::default();
        let stored = StoredRefreshToken {
            generation: 7,
            token: "t".into(),
        };
        stored
            .probe_write(&vault, &clock(), "a")
            .await
            .expect("written");
        let read = StoredRefreshToken::read(&vault, &clock(), KEYRING_TIMEOUT, "a")
            .await
            .expect("it answers")
            .expect("it is there");
        assert_eq!((read.generation, read.token.expose_secret()), (7, "t"));
    }

    #[tokio::test]
    async fn unparsable_entry_counts_as_none() {
        let vault = MemoryVault::default();
        vault.write("a", "{".into()).await.expect("written");
        assert!(
            StoredRefreshToken::read(&vault, &clock(), KEYRING_TIMEOUT, "a")
                .await
                .expect("it answers")
                .is_none()
        );
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
