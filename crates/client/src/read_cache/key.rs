//! The key of an account's read cache, kept in the keyring. A lost key costs nothing but the cache.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use secrecy::{ExposeSecret as _, SecretString};
use zeroize::Zeroizing;

use crate::clock::Clock;
use crate::rng::{Rng, random_bytes};
use crate::vault::{KEYRING_TIMEOUT, Vault, VaultError, with_timeout};

/// Reads the key from the keyring, or generates and saves it the first time.
pub(super) async fn load_or_generate(
    clock: &Arc<dyn Clock>,
    rng: &dyn Rng,
    vault: &dyn Vault,
    entry: &str,
) -> Result<Zeroizing<[u8; 32]>, VaultError> {
    if let Some(key) = read(clock, vault, entry).await? {
        return Ok(key);
    }
    let key = Zeroizing::new(random_bytes::<32>(rng));
    let text: SecretString = URL_SAFE_NO_PAD.encode(key.as_slice()).into();
    with_timeout(clock, KEYRING_TIMEOUT, vault.write(entry, text)).await?;
    // Another process may have written its own at the same time: the one that is stored counts.
    read(clock, vault, entry)
        .await?
        .ok_or(VaultError::Unavailable)
}

async fn read(
    clock: &Arc<dyn Clock>,
    vault: &dyn Vault,
    entry: &str,
) -> Result<Option<Zeroizing<[u8; 32]>>, VaultError> {
    let text = with_timeout(clock, KEYRING_TIMEOUT, vault.read(entry)).await?;
    let bytes = text
        .and_then(|text| URL_SAFE_NO_PAD.decode(text.expose_secret()).ok())
        .map(Zeroizing::new);
    Ok(bytes
        .and_then(|bytes| <[u8; 32]>::try_from(bytes.as_slice()).ok())
        .map(Zeroizing::new))
}
