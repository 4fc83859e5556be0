//! Secrets that the service gives out: 256 random bits each, of which only a hash is kept.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use secrecy::{ExposeSecret, SecretString};
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use crate::world::Randomness;

/// What a personal access token begins with.
const PERSONAL: &str = "pat_";
/// How long every other token is: 32 bytes as base64url.
const CHARACTERS: usize = 43;

/// Whether `presented` is meant as a personal access token. One in 16 million other tokens begins like one by chance.
pub(super) fn is_personal(presented: &str) -> bool {
    presented.starts_with(PERSONAL) && presented.len() != CHARACTERS
}

/// A code, token, cookie or client secret. `Debug` does not show it.
#[derive(Debug, Clone)]
pub struct Secret(SecretString);

impl Secret {
    /// A new one: 256 random bits as 43 characters of base64url.
    pub fn random(randomness: &dyn Randomness) -> Self {
        let mut bytes = Zeroizing::new([0; 32]);
        randomness.fill(&mut *bytes);
        Self(SecretString::from(URL_SAFE_NO_PAD.encode(*bytes)))
    }

    /// A new personal access token: as random, and told by its beginning, so that those who look for leaked secrets find it.
    pub fn personal(randomness: &dyn Randomness) -> Self {
        Self(SecretString::from(format!(
            "{PERSONAL}{}",
            Self::random(randomness).expose()
        )))
    }

    /// The characters, for the one answer that gives them out.
    #[must_use]
    pub fn expose(&self) -> &str {
        self.0.expose_secret()
    }

    /// What is kept of it.
    #[must_use]
    pub fn hash(&self) -> TokenHash {
        TokenHash::of(self.expose())
    }
}

/// SHA-256 of a secret. A slow hash would add nothing to 256 random bits.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct TokenHash([u8; 32]);

impl TokenHash {
    /// The hash of what a caller presents.
    #[must_use]
    pub fn of(secret: &str) -> Self {
        Self(Sha256::digest(secret.as_bytes()).into())
    }

    /// The stored form.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// Back from the stored form; `None` unless it has 32 bytes.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        Some(Self(bytes.try_into().ok()?))
    }

    /// Its first 64 bits, which hashes differ in: what it can be found by.
    #[must_use]
    pub fn number(&self) -> i64 {
        let [a, b, c, d, e, f, g, h, ..] = self.0;
        i64::from_be_bytes([a, b, c, d, e, f, g, h])
    }

    /// Whether both are equal, in constant time.
    #[must_use]
    pub fn matches(&self, other: &Self) -> bool {
        subtle::ConstantTimeEq::ct_eq(&self.0[..], &other.0[..]).into()
    }
}

impl fmt::Debug for TokenHash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("TokenHash(…)")
    }
}

/// An id that nobody can guess and that is no secret: 128 random bits as 22 characters of base64url.
pub fn random_id(randomness: &dyn Randomness) -> String {
    let mut bytes = [0; 16];
    randomness.fill(&mut bytes);
    URL_SAFE_NO_PAD.encode(bytes)
}
