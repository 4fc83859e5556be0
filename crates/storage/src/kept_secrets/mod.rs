//! The secrets that the service makes for itself and keeps in its database, and how they are encrypted there (decision 0160).

mod renewal;
#[cfg(test)]
mod tests;

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use zeroize::Zeroizing;

use super::encryption::{DecryptError, EncryptionKeys, is_record};
use super::{DirectoryStore, Rng, StorageError};

pub use renewal::RenewedSecrets;

/// Begins the value of a setting that is encrypted. No value in clear has a colon.
const ENCRYPTED_TEXT: &str = "encrypted:";

/// A setting whose value is a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SecretSetting {
    /// Signs page tokens (decision 0017).
    PageTokenKey,
    /// Signs the CSRF tokens of the sign-in pages.
    CsrfKey,
    /// Signs the cookies of browsers that an account knows (decision 0093).
    DeviceKey,
}

impl SecretSetting {
    /// Every one.
    pub const ALL: [Self; 3] = [Self::PageTokenKey, Self::CsrfKey, Self::DeviceKey];

    /// The name of the setting.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::PageTokenKey => "page-token-key",
            Self::CsrfKey => "page_key",
            Self::DeviceKey => "device_key",
        }
    }
}

/// Which secret a stored value is. Its encryption is bound to it: the record of one is not decrypted as that of another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeptSecret {
    /// The private part of a signing key.
    SigningKey {
        /// Its key id.
        kid: String,
    },
    /// The value of a setting.
    Setting(SecretSetting),
}

impl KeptSecret {
    /// The private part of the signing key with this id.
    #[must_use]
    pub fn signing_key(kid: &str) -> Self {
        Self::SigningKey {
            kid: kid.to_owned(),
        }
    }

    /// What its record belongs to: table and key.
    fn owner(&self) -> Vec<u8> {
        let owner = match self {
            Self::SigningKey { kid } => format!("signing_keys {kid}"),
            Self::Setting(setting) => format!("settings {}", setting.name()),
        };
        owner.into_bytes()
    }
}

impl fmt::Display for KeptSecret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SigningKey { kid } => write!(formatter, "the signing key {kid}"),
            Self::Setting(setting) => write!(formatter, "the setting {}", setting.name()),
        }
    }
}

/// Why a stored secret cannot be read. Nothing was made in its place.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnreadableSecret {
    /// It is encrypted, and this process has no keys.
    #[error(
        "{secret} is stored encrypted, and there are no encryption keys: name the file with the key that encrypted it (--encryption-key-file)"
    )]
    NoKeys {
        /// Which.
        secret: KeptSecret,
    },
    /// It is encrypted with a key that this process does not have, or it was changed.
    #[error(
        "{secret} is stored encrypted, and the encryption keys do not decrypt it: {source}. Put the key that encrypted it back into the key file, or name that file (--encryption-key-file)"
    )]
    Undecryptable {
        /// Which.
        secret: KeptSecret,
        /// Why.
        source: DecryptError,
    },
}

/// Why a secret is neither read nor stored.
#[derive(Debug, thiserror::Error)]
pub enum KeptSecretError {
    /// Storage failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// It is stored, and cannot be read.
    #[error(transparent)]
    Unreadable(#[from] UnreadableSecret),
}

/// Whether the secrets that the service makes for itself are encrypted. `Debug` shows the identifiers of keys only.
#[derive(Debug, Clone, Default)]
pub enum EncryptionAtRest {
    /// There are no keys: secrets are stored in clear.
    #[default]
    None,
    /// Keys that a local environment has made beside its database. They read what they have encrypted. What is in clear stays so:
    /// the keys protect from nobody who reads the folder, and without their file the database would not start.
    SelfMade(EncryptionKeys),
    /// Keys that the operator has configured: secrets are stored encrypted with the first of them.
    Configured(EncryptionKeys),
}

impl EncryptionAtRest {
    /// The keys, if there are any.
    #[must_use]
    pub const fn keys(&self) -> Option<&EncryptionKeys> {
        match self {
            Self::None => None,
            Self::SelfMade(keys) | Self::Configured(keys) => Some(keys),
        }
    }

    /// A new secret as it is to be stored.
    pub fn store(&self, rng: &dyn Rng, secret: &KeptSecret, clear: &[u8]) -> Zeroizing<Vec<u8>> {
        let encrypted = self.encrypt(rng, secret, clear);
        Zeroizing::new(encrypted.unwrap_or_else(|| clear.to_vec()))
    }

    /// The secret in what is stored, encrypted or in clear.
    ///
    /// # Errors
    /// See [`UnreadableSecret`].
    pub fn read(
        &self,
        secret: &KeptSecret,
        stored: &[u8],
    ) -> Result<Zeroizing<Vec<u8>>, UnreadableSecret> {
        if !is_record(stored) {
            return Ok(Zeroizing::new(stored.to_vec()));
        }
        self.keys_of(secret)?
            .decrypt(&secret.owner(), stored)
            .map_err(|source| undecryptable(secret, source))
    }

    /// What is to be stored in place of a secret in clear; `None` if it stays so.
    fn encrypt(&self, rng: &dyn Rng, secret: &KeptSecret, clear: &[u8]) -> Option<Vec<u8>> {
        match self {
            Self::None | Self::SelfMade(_) => None,
            Self::Configured(keys) => Some(keys.encrypt(rng, &secret.owner(), clear)),
        }
    }

    /// What is to be stored in place of a record: encrypted with the first key. `None` if it is already.
    fn rewrap(
        &self,
        rng: &dyn Rng,
        secret: &KeptSecret,
        record: &[u8],
    ) -> Result<Option<Vec<u8>>, UnreadableSecret> {
        self.keys_of(secret)?
            .rewrap(rng, &secret.owner(), record)
            .map_err(|source| undecryptable(secret, source))
    }

    /// The value of a setting, which becomes `new` if there is none.
    ///
    /// # Errors
    /// See [`KeptSecretError`].
    pub async fn setting_or(
        &self,
        store: &(impl DirectoryStore + ?Sized),
        rng: &dyn Rng,
        setting: SecretSetting,
        new: &str,
    ) -> Result<Zeroizing<String>, KeptSecretError> {
        let secret = KeptSecret::Setting(setting);
        let encrypted = self.encrypt(rng, &secret, new.as_bytes());
        let encrypted = encrypted.map(|record| encrypted_text(&record));
        let new = encrypted.as_deref().unwrap_or(new);
        let stored = Zeroizing::new(store.setting_or(setting.name(), new).await?);
        let Some(record) = record_in(&secret, &stored)? else {
            return Ok(stored);
        };
        let value = self.read(&secret, &record)?;
        let text = std::str::from_utf8(&value);
        let text = text.map_err(|_not_text| undecryptable(&secret, DecryptError::NotAuthentic))?;
        Ok(Zeroizing::new(text.to_owned()))
    }

    fn keys_of(&self, secret: &KeptSecret) -> Result<&EncryptionKeys, UnreadableSecret> {
        self.keys().ok_or_else(|| UnreadableSecret::NoKeys {
            secret: secret.clone(),
        })
    }
}

fn undecryptable(secret: &KeptSecret, source: DecryptError) -> UnreadableSecret {
    UnreadableSecret::Undecryptable {
        secret: secret.clone(),
        source,
    }
}

/// The value of a setting with this record.
fn encrypted_text(record: &[u8]) -> String {
    format!("{ENCRYPTED_TEXT}{}", STANDARD.encode(record))
}

/// The record in the value of a setting; `None` if the value is in clear.
fn record_in(secret: &KeptSecret, value: &str) -> Result<Option<Vec<u8>>, UnreadableSecret> {
    let Some(encoded) = value.strip_prefix(ENCRYPTED_TEXT) else {
        return Ok(None);
    };
    let record = STANDARD.decode(encoded).ok();
    let record = record.filter(|record| is_record(record));
    let record = record.ok_or_else(|| undecryptable(secret, DecryptError::NotAuthentic))?;
    Ok(Some(record))
}
