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
#[must_use]
pub fn is_personal(presented: &str) -> bool {
    presented.starts_with(PERSONAL) && presented.len() != CHARACTERS
}

/// How many bits of a dated secret and of a [`dated_number`] are random and not the time: until the year 2109 both fit.
const CHANCE: u32 = 21;

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

    /// A new one that begins with the time: 42 bits of milliseconds since 1970 and 214 random ones, as 43 characters.
    ///
    /// What is given out together then stands together in storage: a hundred tokens are a few pages of it to write and not
    /// a hundred. The time is no secret to who is given a token or asks about one (`iat`).
    pub fn dated(now_ms: i64, randomness: &dyn Randomness) -> Self {
        let mut bytes = Zeroizing::new([0; 32]);
        randomness.fill(&mut *bytes);
        let (first, _) = bytes.split_at(8);
        let chance = u64::from_be_bytes(first.try_into().expect("eight of 32 bytes"));
        let first = (now_ms.unsigned_abs() << (CHANCE + 1)) | (chance & ((1 << (CHANCE + 1)) - 1));
        bytes[..8].copy_from_slice(&first.to_be_bytes());
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

/// SHA-256 of a secret, and the number that it is found by. A slow hash would add nothing to 200 random bits and more.
#[derive(Clone)]
pub struct TokenHash {
    bytes: [u8; 32],
    number: i64,
}

impl TokenHash {
    /// The hash of what a caller presents.
    #[must_use]
    pub fn of(secret: &str) -> Self {
        let bytes = Sha256::digest(secret.as_bytes()).into();
        Self {
            bytes,
            number: dated(secret).unwrap_or_else(|| beginning(&bytes)),
        }
    }

    /// The stored form.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Back from the stored form of what is not found by a number; `None` unless it has 32 bytes.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let bytes = bytes.try_into().ok()?;
        Self::kept(beginning(&bytes), &bytes)
    }

    /// Back from the stored form, with the number that it is stored under.
    #[must_use]
    pub fn kept(number: i64, bytes: &[u8]) -> Option<Self> {
        let bytes = bytes.try_into().ok()?;
        Some(Self { bytes, number })
    }

    /// What it is found by: of a dated secret its time and 21 random bits, never negative. Two can have the same.
    #[must_use]
    pub const fn number(&self) -> i64 {
        self.number
    }

    /// What a secret that is not dated is found by: the first 64 bits of the hash. All were, in earlier versions.
    #[must_use]
    pub const fn number_undated(&self) -> i64 {
        beginning(&self.bytes)
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

/// The number of a dated secret. Of another of the same length it is one like any other, and nothing is found by it.
fn dated(secret: &str) -> Option<i64> {
    // Eight bytes are not quite eleven characters.
    const BEGINNING: usize = 12;
    let beginning = secret
        .get(..BEGINNING)
        .filter(|_| secret.len() == CHARACTERS)?;
    let mut bytes = [0; 9];
    URL_SAFE_NO_PAD.decode_slice(beginning, &mut bytes).ok()?;
    let (first, _) = bytes.split_at(8);
    let first = u64::from_be_bytes(first.try_into().ok()?);
    Some((first >> 1).cast_signed())
}

const fn beginning(hash: &[u8; 32]) -> i64 {
    let [a, b, c, d, e, f, g, h, ..] = *hash;
    i64::from_be_bytes([a, b, c, d, e, f, g, h])
}

/// A number that grows with the time: 42 bits of milliseconds since 1970 and 21 random ones.
pub fn dated_number(now_ms: i64, randomness: &dyn Randomness) -> i64 {
    let mut bytes = [0; 4];
    randomness.fill(&mut bytes);
    let chance = u32::from_be_bytes(bytes) & ((1 << CHANCE) - 1);
    (now_ms << CHANCE) | i64::from(chance)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::World;

    #[test]
    fn a_dated_secret_is_found_by_its_time_and_no_two_are_alike() {
        let World { randomness, .. } = World::system();
        let now = 1_795_286_378_000;
        let secrets: Vec<_> = (0..1000)
            .map(|after| Secret::dated(now + after, &*randomness))
            .collect();
        let hashes: Vec<_> = secrets.iter().map(Secret::hash).collect();
        for (after, (secret, hash)) in (0..).zip(secrets.iter().zip(&hashes)) {
            assert_eq!(secret.expose().len(), CHARACTERS);
            assert_eq!(hash.number() >> CHANCE, now + after);
        }
        assert!(hashes.is_sorted_by_key(TokenHash::number));
        let random: std::collections::HashSet<_> = secrets
            .iter()
            .map(|secret| &secret.expose()[12..])
            .collect();
        assert_eq!(random.len(), 1000);
    }

    #[test]
    fn a_dated_number_grows_with_the_time_for_a_hundred_years_and_more() {
        let World { randomness, .. } = World::system();
        for now in [0, 1_795_286_378_000, 4_102_444_800_000] {
            let number = dated_number(now, &*randomness);
            assert_eq!(number >> CHANCE, now);
        }
    }

    proptest::proptest! {
        #[test]
        fn whatever_is_presented_has_a_number(presented: String, of_that_length in "[A-Za-z0-9_-]{43}") {
            let hash = TokenHash::of(&presented);
            proptest::prop_assert!(hash.number() == hash.number_undated() || presented.len() == CHARACTERS);
            proptest::prop_assert!(TokenHash::of(&of_that_length).number() >= 0);
        }
    }
}
