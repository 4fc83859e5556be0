//! How a draft is encrypted: XChaCha20-Poly1305 under one key of this computer, bound to whose draft it is.

use chacha20poly1305::aead::{Aead as _, Payload};
use chacha20poly1305::{KeyInit as _, XChaCha20Poly1305, XNonce};
use sha2::{Digest as _, Sha256};
use zeroize::Zeroizing;

use crate::rng::{Rng, random_bytes};

/// The beginning of every file: format and version.
const MAGIC: &[u8; 4] = b"IDD1";
const KEY_ID: usize = 8;
const NONCE: usize = 24;

/// The key in use.
pub(super) struct DraftCipher {
    cipher: XChaCha20Poly1305,
    id: [u8; KEY_ID],
}

/// Why a file gives no draft.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unreadable {
    /// Written under another key, which may come back.
    OtherKey,
    /// Cut short, changed, or another draft's.
    Broken,
}

impl DraftCipher {
    pub(super) fn new(key: &Zeroizing<[u8; 32]>) -> Self {
        let mut id = [0; KEY_ID];
        id.copy_from_slice(
            &Sha256::new()
                .chain_update(b"draft key id")
                .chain_update(key.as_slice())
                .finalize()[..KEY_ID],
        );
        Self {
            cipher: XChaCha20Poly1305::new(key.as_slice().into()),
            id,
        }
    }

    /// Encrypts `text`, which then only decrypts with the same `bound`. `None` only if it is larger than any cipher takes.
    pub(super) fn seal(&self, rng: &dyn Rng, bound: &[u8], text: &[u8]) -> Option<Vec<u8>> {
        let nonce = random_bytes::<NONCE>(rng);
        let sealed = self
            .cipher
            .encrypt(
                XNonce::from_slice(&nonce),
                Payload {
                    msg: text,
                    aad: bound,
                },
            )
            .ok()?;
        Some([MAGIC.as_slice(), &self.id, &nonce, &sealed].concat())
    }

    pub(super) fn open(&self, bound: &[u8], file: &[u8]) -> Result<Zeroizing<Vec<u8>>, Unreadable> {
        let rest = file.strip_prefix(MAGIC).ok_or(Unreadable::Broken)?;
        let (id, rest) = rest.split_at_checked(KEY_ID).ok_or(Unreadable::Broken)?;
        let (nonce, sealed) = rest.split_at_checked(NONCE).ok_or(Unreadable::Broken)?;
        if id != self.id {
            return Err(Unreadable::OtherKey);
        }
        let opened = self.cipher.decrypt(
            XNonce::from_slice(nonce),
            Payload {
                msg: sealed,
                aad: bound,
            },
        );
        opened.map(Zeroizing::new).map_err(|_| Unreadable::Broken)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::rng::SystemRng;

    fn cipher(byte: u8) -> DraftCipher {
        DraftCipher::new(&Zeroizing::new([byte; 32]))
    }

    #[test]
    fn a_draft_opens_only_where_it_belongs_and_under_its_key() {
        let file = cipher(1).seal(&SystemRng, b"mine", b"text").expect("small");
        assert_eq!(
            cipher(1)
                .open(b"mine", &file)
                .expect("it is mine")
                .as_slice(),
            b"text"
        );
        assert_eq!(cipher(1).open(b"other", &file), Err(Unreadable::Broken));
        assert_eq!(cipher(2).open(b"mine", &file), Err(Unreadable::OtherKey));
        assert!(
            !file.windows(4).any(|window| window == b"text"),
            "the text can be read"
        );
    }

    proptest! {
        #[test]
        fn a_file_that_was_changed_anywhere_does_not_open(at in 0usize..200, flip in 1u8..) {
            let mut file = cipher(1).seal(&SystemRng, b"mine", b"some text").expect("small");
            let at = at % file.len();
            file[at] ^= flip;
            prop_assert!(cipher(1).open(b"mine", &file).is_err());
            prop_assert!(cipher(1).open(b"mine", &file[..at]).is_err());
        }
    }
}
