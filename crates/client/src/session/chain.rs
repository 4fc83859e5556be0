//! The rotating refresh token: its place in the keyring, and the lock that keeps two processes from spending one twice.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use secrecy::{ExposeSecret as _, SecretString};
use serde::Deserialize;
use serde_json::json;
use sha2::{Digest as _, Sha256};

use crate::clock::Clock;
use crate::files;
use crate::vault::{PATIENCE, Vault, VaultError, bounded};

/// How long another process may hold the lock: longer than an exchange takes at most.
const LOCK_PATIENCE: Duration = Duration::from_secs(60);
const LOCK_POLL: Duration = Duration::from_millis(50);

/// A refresh token and its place in the chain of those that followed each other.
#[derive(Clone)]
pub(super) struct Link {
    pub(super) generation: u64,
    pub(super) token: SecretString,
}

/// As it is kept in the keyring. KWallet keeps text only, so it is JSON.
#[derive(Deserialize)]
struct Kept {
    generation: u64,
    refresh_token: SecretString,
}

impl Link {
    /// The link that the keyring holds. What is there and cannot be read is as good as nothing.
    pub(super) async fn read(
        vault: &dyn Vault,
        clock: &Arc<dyn Clock>,
        patience: Duration,
        entry: &str,
    ) -> Result<Option<Self>, VaultError> {
        let kept = bounded(clock, patience, vault.read(entry)).await?;
        let kept = kept.and_then(|kept| serde_json::from_str::<Kept>(kept.expose_secret()).ok());
        Ok(kept.map(|kept| Self {
            generation: kept.generation,
            token: kept.refresh_token,
        }))
    }

    /// The text for the keyring.
    pub(super) fn secret(&self) -> SecretString {
        json!({"generation": self.generation, "refresh_token": self.token.expose_secret()})
            .to_string()
            .into()
    }

    /// Keeps the same link again, to see whether the next one could be kept.
    pub(super) async fn probe(
        &self,
        vault: &dyn Vault,
        clock: &Arc<dyn Clock>,
        entry: &str,
    ) -> Result<(), VaultError> {
        bounded(clock, PATIENCE, vault.write(entry, self.secret())).await
    }
}

/// Where the lock of an account is.
pub(super) fn lock_path(folder: &Path, entry: &str) -> PathBuf {
    let name: String = Sha256::digest(entry.as_bytes())
        .iter()
        .take(16)
        .map(|byte| format!("{byte:02x}"))
        .collect();
    folder.join(format!("{name}.lock"))
}

/// Held while a refresh token is spent and its successor kept; the system frees it if the process dies.
pub(super) struct Lock {
    _file: File,
}

impl Lock {
    /// Waits for other processes, for at most a minute. `None`: not to be had.
    pub(super) async fn take(clock: &Arc<dyn Clock>, path: &Path) -> Option<Self> {
        let path = path.to_owned();
        let file = files::off_thread(move || {
            files::create_private(path.parent()?).ok()?;
            OpenOptions::new()
                .create(true)
                .truncate(false)
                .write(true)
                .open(path)
                .ok()
        });
        let file = file.await?;
        let start = clock.monotonic();
        loop {
            match file.try_lock() {
                Ok(()) => return Some(Self { _file: file }),
                Err(TryLockError::WouldBlock)
                    if clock.monotonic().saturating_sub(start) < LOCK_PATIENCE =>
                {
                    clock.sleep(LOCK_POLL).await;
                }
                Err(TryLockError::WouldBlock | TryLockError::Error(_)) => return None,
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
    async fn a_link_reads_back_from_the_keyring() {
        let vault = MemoryVault::default();
        let link = Link {
            generation: 7,
            token: "t".into(),
        };
        link.probe(&vault, &clock(), "a").await.expect("kept");
        let read = Link::read(&vault, &clock(), PATIENCE, "a")
            .await
            .expect("it answers")
            .expect("it is there");
        assert_eq!((read.generation, read.token.expose_secret()), (7, "t"));
    }

    #[tokio::test]
    async fn what_something_else_wrote_there_is_as_good_as_nothing() {
        let vault = MemoryVault::default();
        vault.write("a", "{".into()).await.expect("kept");
        assert!(
            Link::read(&vault, &clock(), PATIENCE, "a")
                .await
                .expect("it answers")
                .is_none()
        );
    }

    #[tokio::test]
    async fn the_lock_is_one_process_at_a_time_and_free_when_dropped() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = lock_path(folder.path(), "a b c");
        let stepped = Arc::new(FakeClock::new(jiff::Timestamp::UNIX_EPOCH));
        let clock: Arc<dyn Clock> = stepped.clone();
        let first = Lock::take(&clock, &path).await.expect("it is free");
        let second = tokio::spawn({
            let (clock, path) = (Arc::clone(&clock), path.clone());
            async move { Lock::take(&clock, &path).await.is_some() }
        });
        stepped.sleep_matching(|_| true).await;
        assert!(!second.is_finished(), "two held it at once");
        drop(first);
        stepped.advance(LOCK_POLL);
        assert!(second.await.expect("it ends"), "it was not free again");
    }
}
