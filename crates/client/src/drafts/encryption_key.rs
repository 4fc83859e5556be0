//! The key that encrypts drafts, kept in the keyring.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use secrecy::{ExposeSecret as _, SecretString};
use zeroize::Zeroizing;

use crate::clock::Clock;
use crate::encryption::{DRAFT, RecordCipher as DraftCipher};
use crate::files;
use crate::rng::{Rng, random_bytes};
use crate::vault::{Vault, VaultError, with_timeout};

const ENTRY: &str = "drafts";
const PROBE: &str = "probe";

/// Reads the key from the keyring, or generates and saves it the first time. `timeout` bounds each access.
pub(super) async fn load_or_generate(
    clock: &Arc<dyn Clock>,
    rng: &dyn Rng,
    vault: &dyn Vault,
    folder: &Path,
    timeout: Duration,
) -> Result<DraftCipher, VaultError> {
    if let Some(key) = read(clock, vault, timeout).await? {
        return Ok(DraftCipher::new(DRAFT, &key));
    }
    // The marker says that a key was saved. Some keyrings report a missing entry while they are locked: a write unlocks
    // them or fails, and the existing key must not be replaced.
    let marker = folder.join("key");
    if marker.exists() {
        with_timeout(clock, timeout, vault.write(PROBE, "probe".into())).await?;
        with_timeout(clock, timeout, vault.delete(PROBE)).await?;
        if let Some(key) = read(clock, vault, timeout).await? {
            return Ok(DraftCipher::new(DRAFT, &key));
        }
    }
    let key = Zeroizing::new(random_bytes::<32>(rng));
    let text: SecretString = URL_SAFE_NO_PAD.encode(key.as_slice()).into();
    with_timeout(clock, timeout, vault.write(ENTRY, text)).await?;
    files::run_blocking(move || files::write(&marker, b"")).await?;
    Ok(DraftCipher::new(DRAFT, &key))
}

async fn read(
    clock: &Arc<dyn Clock>,
    vault: &dyn Vault,
    timeout: Duration,
) -> Result<Option<Zeroizing<[u8; 32]>>, VaultError> {
    let text = with_timeout(clock, timeout, vault.read(ENTRY)).await?;
    let bytes = text
        .and_then(|text| URL_SAFE_NO_PAD.decode(text.expose_secret()).ok())
        .map(Zeroizing::new);
    Ok(bytes
        .and_then(|bytes| <[u8; 32]>::try_from(bytes.as_slice()).ok())
        .map(Zeroizing::new))
}
