//! The key that encrypts drafts, ledgers of bulk runs and other records of an account, kept in the keyring.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use secrecy::{ExposeSecret as _, SecretString};
use zeroize::Zeroizing;

use crate::clock::Clock;
use crate::files::{self, FileLock};
use crate::rng::{Rng, random_bytes};
use crate::vault::{Vault, VaultError, with_timeout};

const ENTRY: &str = "drafts";
/// Where an entry that is no key of this version is moved, so that a new key does not overwrite it.
const UNREADABLE_ENTRY: &str = "drafts unreadable";
const PROBE: &str = "probe";

/// An entry of the keyring.
enum Entry {
    Missing,
    Key(Zeroizing<[u8; 32]>),
    /// Not a key of this version.
    Unreadable(SecretString),
}

/// Reads the key from the keyring, or generates and saves it the first time. `timeout` bounds each access.
///
/// A key is generated under a file lock and read back, so that two processes that do it at once use one key.
pub(crate) async fn load_or_generate(
    clock: &Arc<dyn Clock>,
    rng: &dyn Rng,
    vault: &dyn Vault,
    folder: &Path,
    timeout: Duration,
) -> Result<Zeroizing<[u8; 32]>, VaultError> {
    if let Entry::Key(key) = read(clock, vault, timeout).await? {
        return Ok(key);
    }
    let lock = folder.join("key-lock");
    let _lock = files::run_blocking(move || FileLock::acquire(&lock))
        .await
        .map_err(|error| unavailable("the key of drafts cannot be locked", &error))?;
    // The marker says that a key was saved. Some keyrings report a missing entry while they are locked: a write unlocks
    // them or fails, and the existing key must not be replaced.
    let marker = folder.join("key");
    if marker.exists() {
        with_timeout(clock, timeout, vault.write(PROBE, "probe".into())).await?;
        with_timeout(clock, timeout, vault.delete(PROBE)).await?;
    }
    // Another process may have saved one before this one had the lock.
    match read(clock, vault, timeout).await? {
        Entry::Key(key) => return Ok(key),
        Entry::Unreadable(text) => {
            tracing::warn!("the key of drafts in the keyring is unreadable; it is kept");
            with_timeout(clock, timeout, vault.write(UNREADABLE_ENTRY, text)).await?;
        }
        Entry::Missing => {}
    }
    let key = Zeroizing::new(random_bytes::<32>(rng));
    let text: SecretString = URL_SAFE_NO_PAD.encode(key.as_slice()).into();
    with_timeout(clock, timeout, vault.write(ENTRY, text)).await?;
    files::run_blocking(move || files::write(&marker, b""))
        .await
        .map_err(|error| unavailable("the marker of the draft key was not written", &error))?;
    // What the keyring has is the key, whoever wrote it.
    match read(clock, vault, timeout).await? {
        Entry::Key(key) => Ok(key),
        Entry::Missing | Entry::Unreadable(_) => {
            tracing::warn!("the keyring did not keep the key of drafts");
            Err(VaultError::Unavailable)
        }
    }
}

/// Resolves when a keyring that did not answer in time has answered, however long that takes. It makes one call, which comes after
/// those that are not answered.
pub(super) async fn wait_for_answer(vault: &dyn Vault) -> Result<(), VaultError> {
    vault.read(ENTRY).await.map(drop)
}

async fn read(
    clock: &Arc<dyn Clock>,
    vault: &dyn Vault,
    timeout: Duration,
) -> Result<Entry, VaultError> {
    let Some(text) = with_timeout(clock, timeout, vault.read(ENTRY)).await? else {
        return Ok(Entry::Missing);
    };
    let decoded = URL_SAFE_NO_PAD.decode(text.expose_secret());
    let key = decoded
        .ok()
        .map(Zeroizing::new)
        .and_then(|bytes| <[u8; 32]>::try_from(bytes.as_slice()).ok());
    Ok(key.map_or(Entry::Unreadable(text), |key| {
        Entry::Key(Zeroizing::new(key))
    }))
}

/// Without lock and marker the key cannot be relied on.
fn unavailable(what: &str, error: &(dyn std::error::Error + 'static)) -> VaultError {
    tracing::warn!(error, "{what}");
    VaultError::Unavailable
}
