//! Secrets that the service issues: 256 random bits each, of which only a hash is stored.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use invoicing_contract::Timestamp;
use secrecy::{ExposeSecret, SecretString};
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use crate::rng::Rng;

/// Prefix of personal access tokens.
const PERSONAL: &str = "pat_";
/// Length of every other token: 32 bytes as base64url.
const CHARACTERS: usize = 43;

/// Whether `presented` has the form of a personal access token. One in 16 million other tokens has the prefix by chance, but
/// another length.
#[must_use]
pub fn is_personal(presented: &str) -> bool {
    presented.starts_with(PERSONAL) && presented.len() != CHARACTERS
}

/// The random low bits of a lookup key and of a [`time_ordered_id`]. The bits above are the time, which fits until 2109.
const RANDOM_BITS: u32 = 21;

/// A code, token, cookie or client secret. `Debug` does not show it.
#[derive(Debug, Clone)]
pub struct Secret(SecretString);

impl Secret {
    /// A new secret: 256 random bits as 43 characters of base64url.
    pub fn random(rng: &dyn Rng) -> Self {
        let mut bytes = Zeroizing::new([0; 32]);
        rng.fill(&mut *bytes);
        Self(SecretString::from(URL_SAFE_NO_PAD.encode(*bytes)))
    }

    /// A new secret that begins with the time: 42 bits of milliseconds since 1970 and 214 random bits, as 43 characters of
    /// base64url.
    ///
    /// Tokens that are issued together are then stored together: a hundred of them change a few pages and not a hundred. The
    /// time is known to everybody who holds or introspects the token (`iat`).
    pub fn time_ordered(now: Timestamp, rng: &dyn Rng) -> Self {
        let mut bytes = Zeroizing::new([0; 32]);
        rng.fill(&mut *bytes);
        let (first, _) = bytes.split_at(8);
        let random = u64::from_be_bytes(first.try_into().expect("eight of 32 bytes"));
        let first = (now.as_millis().unsigned_abs() << (RANDOM_BITS + 1))
            | (random & ((1 << (RANDOM_BITS + 1)) - 1));
        bytes[..8].copy_from_slice(&first.to_be_bytes());
        Self(SecretString::from(URL_SAFE_NO_PAD.encode(*bytes)))
    }

    /// A new personal access token: 256 random bits with a prefix that scanners for leaked secrets recognize.
    pub fn personal(rng: &dyn Rng) -> Self {
        Self(SecretString::from(format!(
            "{PERSONAL}{}",
            Self::random(rng).expose()
        )))
    }

    /// The characters, for the one response that contains them.
    #[must_use]
    pub fn expose(&self) -> &str {
        self.0.expose_secret()
    }

    /// The hash, which is stored.
    #[must_use]
    pub fn hash(&self) -> TokenHash {
        TokenHash::of(self.expose())
    }
}

/// SHA-256 of a secret, and the key of its row. A slow hash would add nothing to more than 200 random bits.
#[derive(Clone)]
pub struct TokenHash {
    bytes: [u8; 32],
    lookup_key: i64,
}

impl TokenHash {
    /// The hash of a presented secret.
    #[must_use]
    pub fn of(secret: &str) -> Self {
        let bytes = Sha256::digest(secret.as_bytes()).into();
        Self {
            bytes,
            lookup_key: dated_lookup_key(secret).unwrap_or_else(|| first_64_bits(&bytes)),
        }
    }

    /// The 32 bytes that are stored.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The stored hash of a secret whose row has no lookup key; `None` unless it has 32 bytes.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let bytes = bytes.try_into().ok()?;
        Self::stored(first_64_bits(&bytes), &bytes)
    }

    /// A stored hash with its lookup key; `None` unless it has 32 bytes.
    #[must_use]
    pub fn stored(lookup_key: i64, bytes: &[u8]) -> Option<Self> {
        let bytes = bytes.try_into().ok()?;
        Some(Self { bytes, lookup_key })
    }

    /// The key that its row is looked up by: the time and 21 random bits of a time-ordered secret, never negative. Two hashes
    /// can have the same key. For any other text the first 64 bits of the hash, under which nothing is stored.
    #[must_use]
    pub const fn lookup_key(&self) -> i64 {
        self.lookup_key
    }

    /// Whether both are equal, in constant time.
    #[must_use]
    pub fn matches(&self, other: &Self) -> bool {
        subtle::ConstantTimeEq::ct_eq(&self.bytes[..], &other.bytes[..]).into()
    }
}

impl PartialEq for TokenHash {
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}

impl Eq for TokenHash {}

/// The lookup key of a time-ordered secret. Another text of its length also has one, under which nothing is stored.
fn dated_lookup_key(secret: &str) -> Option<i64> {
    // Nine bytes, of which eight are used.
    const PREFIX: usize = 12;
    let prefix = secret
        .get(..PREFIX)
        .filter(|_| secret.len() == CHARACTERS)?;
    let mut bytes = [0; 9];
    URL_SAFE_NO_PAD.decode_slice(prefix, &mut bytes).ok()?;
    let (first, _) = bytes.split_at(8);
    let first = u64::from_be_bytes(first.try_into().ok()?);
    Some((first >> 1).cast_signed())
}

const fn first_64_bits(hash: &[u8; 32]) -> i64 {
    let [a, b, c, d, e, f, g, h, ..] = *hash;
    i64::from_be_bytes([a, b, c, d, e, f, g, h])
}

/// A number that increases with the time: 42 bits of milliseconds since 1970 and 21 random ones.
pub fn time_ordered_id(now: Timestamp, rng: &dyn Rng) -> i64 {
    let mut bytes = [0; 4];
    rng.fill(&mut bytes);
    let random = u32::from_be_bytes(bytes) & ((1 << RANDOM_BITS) - 1);
    (now.as_millis() << RANDOM_BITS) | i64::from(random)
}

/// The time that a number begins with: a lookup key, or one from [`time_ordered_id`].
#[must_use]
pub const fn time_of(number: i64) -> Timestamp {
    Timestamp::from_millis(number >> RANDOM_BITS)
}

impl fmt::Debug for TokenHash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("TokenHash(…)")
    }
}

/// An id that cannot be guessed but is no secret: 128 random bits as 22 characters of base64url.
pub fn random_id(rng: &dyn Rng) -> String {
    let mut bytes = [0; 16];
    rng.fill(&mut bytes);
    URL_SAFE_NO_PAD.encode(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::SystemRng;

    #[test]
    fn time_ordered_secrets_have_ascending_lookup_keys_and_differ() {
        let now = 1_795_286_378_000;
        let secrets: Vec<_> = (0..1000)
            .map(|after| Secret::time_ordered(Timestamp::from_millis(now + after), &SystemRng))
            .collect();
        let hashes: Vec<_> = secrets.iter().map(Secret::hash).collect();
        for (after, (secret, hash)) in (0..).zip(secrets.iter().zip(&hashes)) {
            assert_eq!(secret.expose().len(), CHARACTERS);
            assert_eq!(hash.lookup_key() >> RANDOM_BITS, now + after);
        }
        assert!(hashes.is_sorted_by_key(TokenHash::lookup_key));
        let random: std::collections::HashSet<_> = secrets
            .iter()
            .map(|secret| &secret.expose()[12..])
            .collect();
        assert_eq!(random.len(), 1000);
    }

    #[test]
    fn a_time_ordered_id_grows_with_the_time_for_a_hundred_years_and_more() {
        for now in [0, 1_795_286_378_000, 4_102_444_800_000] {
            let id = time_ordered_id(Timestamp::from_millis(now), &SystemRng);
            assert_eq!(id >> RANDOM_BITS, now);
        }
    }

    proptest::proptest! {
        #[test]
        fn any_text_has_a_lookup_key(presented: String, of_token_length in "[A-Za-z0-9_-]{43}") {
            let hash = TokenHash::of(&presented);
            proptest::prop_assert!(hash.lookup_key() == first_64_bits(&hash.bytes) || presented.len() == CHARACTERS);
            proptest::prop_assert!(TokenHash::of(&of_token_length).lookup_key() >= 0);
        }
    }
}
