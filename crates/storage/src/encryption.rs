//! Encryption of stored secrets: each with a random data key, which is encrypted with a key that is not in the database
//! (decision 0127).

use std::fmt;

use aws_lc_rs::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};
use zeroize::Zeroizing;

use super::Rng;

/// Begins every record: the format and its version.
const MAGIC: &[u8; 4] = b"IDS1";
/// Length of a key in bytes.
const KEY_BYTES: usize = 32;
/// Length of the identifier of a key in bytes.
const ID_BYTES: usize = 8;
/// Length of an encrypted data key: the key and a tag of 16 bytes.
const WRAPPED_BYTES: usize = KEY_BYTES + 16;
/// What the identifier of a key is derived with.
const ID_LABEL: &[u8] = b"invoicing key id";

/// The keys that data keys are encrypted with. `Debug` shows their identifiers only.
#[derive(Clone)]
pub struct EncryptionKeys {
    /// The first one encrypts.
    keys: Vec<WrappingKey>,
}

#[derive(Clone)]
struct WrappingKey {
    id: [u8; ID_BYTES],
    bytes: Zeroizing<[u8; KEY_BYTES]>,
}

/// Why a text has no keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidKeys {
    /// There is no line with a key.
    #[error("there is no key")]
    None,
    /// A line is not 32 bytes in Base64.
    #[error("line {line} is not 32 bytes in Base64")]
    Line {
        /// From 1 on.
        line: usize,
    },
}

/// Why a record is not decrypted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DecryptError {
    /// It is encrypted with a key that is not among these.
    #[error("the record is encrypted with another key")]
    OtherKey,
    /// It is truncated, changed, or belongs to another owner.
    #[error("the record is not authentic")]
    NotAuthentic,
}

/// Whether bytes begin as a record of [`EncryptionKeys::encrypt`] does. No key in PKCS #8 does (decision 0160).
pub(crate) fn is_record(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

impl EncryptionKeys {
    /// The keys of a key file: one in each line, 32 bytes in Base64. The first encrypts, all of them decrypt. Empty lines and
    /// those that begin with `#` have none.
    ///
    /// # Errors
    /// See [`InvalidKeys`].
    pub fn parse(text: &str) -> Result<Self, InvalidKeys> {
        let mut keys = Vec::new();
        for (line, text) in (1..).zip(text.lines()) {
            let text = text.trim();
            if text.is_empty() || text.starts_with('#') {
                continue;
            }
            let decoded = STANDARD.decode(text).map(Zeroizing::new);
            let decoded = decoded.map_err(|_not_base64| InvalidKeys::Line { line })?;
            let bytes = <[u8; KEY_BYTES]>::try_from(decoded.as_slice())
                .map_err(|_other_length| InvalidKeys::Line { line })?;
            keys.push(WrappingKey::new(Zeroizing::new(bytes)));
        }
        if keys.is_empty() {
            return Err(InvalidKeys::None);
        }
        Ok(Self { keys })
    }

    /// The content of a key file with one new key.
    pub fn new_file(rng: &dyn Rng) -> Zeroizing<String> {
        let key = random_key(rng);
        Zeroizing::new(format!("{}\n", STANDARD.encode(key.as_slice())))
    }

    /// Encrypts a secret for its owner: [`decrypt`](Self::decrypt) needs the same `owner`.
    pub fn encrypt(&self, rng: &dyn Rng, owner: &[u8], secret: &[u8]) -> Vec<u8> {
        let data_key = random_key(rng);
        // The key encrypts this one record.
        let (nonce, ciphertext) = seal(&data_key, rng, owner, secret);
        let mut record = self.wrap(rng, owner, &data_key);
        record.extend_from_slice(&nonce);
        record.extend_from_slice(&ciphertext);
        record
    }

    /// The secret in a record.
    ///
    /// # Errors
    /// See [`DecryptError`].
    pub fn decrypt(&self, owner: &[u8], record: &[u8]) -> Result<Zeroizing<Vec<u8>>, DecryptError> {
        let (data_key, rest) = self.unwrap(owner, record)?;
        let (nonce, ciphertext) = rest
            .split_first_chunk::<NONCE_LEN>()
            .ok_or(DecryptError::NotAuthentic)?;
        open(&data_key, *nonce, owner, ciphertext)
    }

    /// The record with its data key encrypted by the first key; `None` if it is already.
    ///
    /// # Errors
    /// See [`DecryptError`].
    pub fn rewrap(
        &self,
        rng: &dyn Rng,
        owner: &[u8],
        record: &[u8],
    ) -> Result<Option<Vec<u8>>, DecryptError> {
        let (data_key, rest) = self.unwrap(owner, record)?;
        let current = self.current();
        if record.get(MAGIC.len()..MAGIC.len() + ID_BYTES) == Some(&current.id) {
            return Ok(None);
        }
        let mut rewrapped = self.wrap(rng, owner, &data_key);
        rewrapped.extend_from_slice(rest);
        Ok(Some(rewrapped))
    }

    fn current(&self) -> &WrappingKey {
        self.keys
            .first()
            .expect("`parse` returns at least one key, and is the only constructor")
    }

    /// Magic, identifier of the first key, nonce and encrypted data key.
    fn wrap(&self, rng: &dyn Rng, owner: &[u8], data_key: &Zeroizing<[u8; KEY_BYTES]>) -> Vec<u8> {
        let key = self.current();
        let (nonce, wrapped) = seal(
            &key.bytes,
            rng,
            &wrapping_context(owner),
            data_key.as_slice(),
        );
        [MAGIC.as_slice(), &key.id, &nonce, &wrapped].concat()
    }

    /// The data key of a record, and what follows it.
    fn unwrap<'a>(
        &self,
        owner: &[u8],
        record: &'a [u8],
    ) -> Result<(Zeroizing<[u8; KEY_BYTES]>, &'a [u8]), DecryptError> {
        let parts = record.strip_prefix(MAGIC).and_then(|rest| {
            let (id, rest) = rest.split_first_chunk::<ID_BYTES>()?;
            let (nonce, rest) = rest.split_first_chunk::<NONCE_LEN>()?;
            let (wrapped, rest) = rest.split_at_checked(WRAPPED_BYTES)?;
            Some((id, nonce, wrapped, rest))
        });
        let (id, nonce, wrapped, rest) = parts.ok_or(DecryptError::NotAuthentic)?;
        let key = self.keys.iter().find(|key| key.id == *id);
        let key = key.ok_or(DecryptError::OtherKey)?;
        let data_key = open(&key.bytes, *nonce, &wrapping_context(owner), wrapped)?;
        let data_key = <[u8; KEY_BYTES]>::try_from(data_key.as_slice())
            .map_err(|_other_length| DecryptError::NotAuthentic)?;
        Ok((Zeroizing::new(data_key), rest))
    }
}

impl WrappingKey {
    fn new(bytes: Zeroizing<[u8; KEY_BYTES]>) -> Self {
        let digest = Sha256::new()
            .chain_update(ID_LABEL)
            .chain_update(bytes.as_slice())
            .finalize();
        let mut id = [0; ID_BYTES];
        for (byte, of_digest) in id.iter_mut().zip(digest) {
            *byte = of_digest;
        }
        Self { id, bytes }
    }
}

impl fmt::Debug for EncryptionKeys {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ids = self.keys.iter().map(|key| key.id);
        formatter.debug_list().entries(ids).finish()
    }
}

fn random_key(rng: &dyn Rng) -> Zeroizing<[u8; KEY_BYTES]> {
    let mut key = Zeroizing::new([0; KEY_BYTES]);
    rng.fill(&mut *key);
    key
}

/// A data key is not mistaken for a secret of the same owner.
fn wrapping_context(owner: &[u8]) -> Vec<u8> {
    [b"data key of ".as_slice(), owner].concat()
}

fn cipher(key: &Zeroizing<[u8; KEY_BYTES]>) -> LessSafeKey {
    let key = UnboundKey::new(&AES_256_GCM, key.as_slice()).expect("a key of AES-256 has 32 bytes");
    LessSafeKey::new(key)
}

fn seal(
    key: &Zeroizing<[u8; KEY_BYTES]>,
    rng: &dyn Rng,
    context: &[u8],
    plaintext: &[u8],
) -> ([u8; NONCE_LEN], Vec<u8>) {
    let mut nonce = [0; NONCE_LEN];
    rng.fill(&mut nonce);
    let mut bytes = plaintext.to_vec();
    cipher(key)
        .seal_in_place_append_tag(
            Nonce::assume_unique_for_key(nonce),
            Aad::from(context),
            &mut bytes,
        )
        .expect("a secret is shorter than the 64 GiB that AES-GCM encrypts");
    (nonce, bytes)
}

fn open(
    key: &Zeroizing<[u8; KEY_BYTES]>,
    nonce: [u8; NONCE_LEN],
    context: &[u8],
    ciphertext: &[u8],
) -> Result<Zeroizing<Vec<u8>>, DecryptError> {
    let mut bytes = Zeroizing::new(ciphertext.to_vec());
    let nonce = Nonce::assume_unique_for_key(nonce);
    let length = cipher(key)
        .open_in_place(nonce, Aad::from(context), &mut bytes)
        .map_err(|_unspecified| DecryptError::NotAuthentic)?
        .len();
    bytes.truncate(length);
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SystemRng;

    fn keys(lines: &[&str]) -> EncryptionKeys {
        EncryptionKeys::parse(&lines.join("\n")).unwrap()
    }

    #[test]
    fn secret_is_decrypted_for_its_owner_with_its_key_only() {
        let file = EncryptionKeys::new_file(&SystemRng);
        let mine = keys(&[&file]);
        let record = mine.encrypt(&SystemRng, b"riyadh", b"hush");
        assert_eq!(
            mine.decrypt(b"riyadh", &record).unwrap().as_slice(),
            b"hush"
        );
        assert_eq!(
            mine.decrypt(b"jeddah", &record),
            Err(DecryptError::NotAuthentic)
        );
        let other = keys(&[&EncryptionKeys::new_file(&SystemRng)]);
        assert_eq!(
            other.decrypt(b"riyadh", &record),
            Err(DecryptError::OtherKey)
        );
        assert!(!record.windows(4).any(|part| part == b"hush"));
        assert_ne!(record, mine.encrypt(&SystemRng, b"riyadh", b"hush"));
        for at in 0..record.len() {
            let mut changed = record.clone();
            changed[at] ^= 1;
            assert!(
                mine.decrypt(b"riyadh", &changed).is_err(),
                "changed at {at}"
            );
            assert!(
                mine.decrypt(b"riyadh", &record[..at]).is_err(),
                "ends at {at}"
            );
        }
        let debug = format!("{mine:?}");
        assert!(!debug.contains(file.trim()), "{debug}");
    }

    #[test]
    fn rewrapped_record_needs_the_new_key_only() {
        let (old, new) = (
            EncryptionKeys::new_file(&SystemRng),
            EncryptionKeys::new_file(&SystemRng),
        );
        let record = keys(&[&old]).encrypt(&SystemRng, b"riyadh", b"hush");
        let both = keys(&["# the key of 2026", &new, "", &old]);
        let rewrapped = both
            .rewrap(&SystemRng, b"riyadh", &record)
            .unwrap()
            .unwrap();
        assert_eq!(
            keys(&[&new])
                .decrypt(b"riyadh", &rewrapped)
                .unwrap()
                .as_slice(),
            b"hush"
        );
        assert_eq!(
            keys(&[&old]).decrypt(b"riyadh", &rewrapped),
            Err(DecryptError::OtherKey)
        );
        assert_eq!(both.rewrap(&SystemRng, b"riyadh", &rewrapped), Ok(None));
    }

    #[test]
    fn text_without_valid_keys_is_refused_with_its_line() {
        let refused = |text: &str| EncryptionKeys::parse(text).unwrap_err();
        assert_eq!(refused("# none\n\n"), InvalidKeys::None);
        assert_eq!(refused("\nsecret"), InvalidKeys::Line { line: 2 });
        assert_eq!(refused("c2hvcnQ="), InvalidKeys::Line { line: 1 });
    }
}
