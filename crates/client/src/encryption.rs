//! Encryption of records at rest, of drafts, of the read cache, of bulk runs, of exports, of attachments and of templates: XChaCha20-Poly1305. What a record belongs to is
//! authenticated with it, so that it cannot be moved to another owner (decision 0053).

use chacha20poly1305::aead::{Aead as _, Payload};
use chacha20poly1305::{KeyInit as _, XChaCha20Poly1305, XNonce};
use sha2::{Digest as _, Sha256};
use thiserror::Error;
use zeroize::Zeroizing;

use crate::rng::{Rng, random_bytes};

/// What records are encrypted for. A record of one kind is never decrypted as one of another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RecordKind {
    /// The start of every record: kind, encryption format and its version.
    magic: &'static [u8; 4],
    /// What the identifier of a key is derived with.
    key_label: &'static [u8],
}

/// Drafts, one file each.
pub(crate) const DRAFT: RecordKind = RecordKind {
    magic: b"IDD1",
    key_label: b"draft key id",
};

/// Entries of the read cache.
pub(crate) const CACHE: RecordKind = RecordKind {
    magic: b"IDC1",
    key_label: b"read cache key id",
};

/// Ledgers of bulk runs.
pub(crate) const BULK_RUN: RecordKind = RecordKind {
    magic: b"IDB1",
    key_label: b"bulk run key id",
};

/// Exports that are under way.
pub(crate) const EXPORT: RecordKind = RecordKind {
    magic: b"IDE1",
    key_label: b"export key id",
};

/// Files that wait to be attached.
pub(crate) const WAITING_ATTACHMENT: RecordKind = RecordKind {
    magic: b"IDA1",
    key_label: b"attachment key id",
};

/// Templates of invoices.
pub(crate) const TEMPLATE: RecordKind = RecordKind {
    magic: b"IDT1",
    key_label: b"template key id",
};

/// Length of the key's identifier in bytes.
const KEY_ID: usize = 8;
/// Length of the nonce in bytes.
const NONCE: usize = 24;

/// A key, ready to encrypt and decrypt records of one kind.
pub(crate) struct RecordCipher {
    kind: RecordKind,
    cipher: XChaCha20Poly1305,
    id: [u8; KEY_ID],
}

/// Why a record was not decrypted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub(crate) enum DecryptError {
    /// Encrypted with another key, which may return with the keyring.
    #[error("the record is encrypted with another key")]
    OtherKey,
    /// Truncated, modified, of another kind or of another owner.
    #[error("the record is not authentic")]
    NotAuthentic,
}

/// The plaintext is larger than the cipher accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the record is too large to be encrypted")]
pub(crate) struct TooLarge;

impl RecordCipher {
    pub(crate) fn new(kind: RecordKind, key: &Zeroizing<[u8; 32]>) -> Self {
        let mut id = [0; KEY_ID];
        id.copy_from_slice(
            &Sha256::new()
                .chain_update(kind.key_label)
                .chain_update(key.as_slice())
                .finalize()[..KEY_ID],
        );
        Self {
            kind,
            cipher: XChaCha20Poly1305::new(key.as_slice().into()),
            id,
        }
    }

    /// Encrypts `plaintext`. Decryption needs the same `associated_data` (RFC 8439, section 2.8).
    pub(crate) fn encrypt(
        &self,
        rng: &dyn Rng,
        associated_data: &[u8],
        plaintext: &[u8],
    ) -> Result<Vec<u8>, TooLarge> {
        let nonce = random_bytes::<NONCE>(rng);
        let ciphertext = self
            .cipher
            .encrypt(
                XNonce::from_slice(&nonce),
                Payload {
                    msg: plaintext,
                    aad: associated_data,
                },
            )
            // The cipher's error has no content, so that it cannot help an attacker.
            .map_err(|chacha20poly1305::Error| TooLarge)?;
        Ok([self.kind.magic.as_slice(), &self.id, &nonce, &ciphertext].concat())
    }

    pub(crate) fn decrypt(
        &self,
        associated_data: &[u8],
        record: &[u8],
    ) -> Result<Zeroizing<Vec<u8>>, DecryptError> {
        let parts = record.strip_prefix(self.kind.magic).and_then(|rest| {
            let (id, rest) = rest.split_at_checked(KEY_ID)?;
            let (nonce, ciphertext) = rest.split_at_checked(NONCE)?;
            Some((id, nonce, ciphertext))
        });
        let (id, nonce, ciphertext) = parts.ok_or(DecryptError::NotAuthentic)?;
        if id != self.id {
            return Err(DecryptError::OtherKey);
        }
        let plaintext = self.cipher.decrypt(
            XNonce::from_slice(nonce),
            Payload {
                msg: ciphertext,
                aad: associated_data,
            },
        );
        plaintext
            .map(Zeroizing::new)
            .map_err(|chacha20poly1305::Error| DecryptError::NotAuthentic)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::rng::SystemRng;

    fn cipher(byte: u8) -> RecordCipher {
        RecordCipher::new(DRAFT, &Zeroizing::new([byte; 32]))
    }

    #[test]
    fn file_is_decrypted_only_for_its_owner_and_with_its_key() {
        let file = cipher(1)
            .encrypt(&SystemRng, b"mine", b"text")
            .expect("small");
        assert_eq!(
            cipher(1)
                .decrypt(b"mine", &file)
                .expect("it is mine")
                .as_slice(),
            b"text"
        );
        assert_eq!(
            cipher(1).decrypt(b"other", &file),
            Err(DecryptError::NotAuthentic)
        );
        assert_eq!(
            cipher(2).decrypt(b"mine", &file),
            Err(DecryptError::OtherKey)
        );
        assert!(
            !file.windows(4).any(|window| window == b"text"),
            "the text can be read"
        );
    }

    proptest! {
        #[test]
        fn modified_or_truncated_file_is_not_decrypted(at in 0usize..200, flip in 1u8..) {
            let mut file = cipher(1).encrypt(&SystemRng, b"mine", b"some text").expect("small");
            let at = at % file.len();
            file[at] ^= flip;
            prop_assert!(cipher(1).decrypt(b"mine", &file).is_err());
            prop_assert!(cipher(1).decrypt(b"mine", &file[..at]).is_err());
        }
    }
}
