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

/// Characters of a code that a person types.
const TYPED_CHARACTERS: usize = 28;
/// Crockford's base 32: no letter looks like a digit or another letter.
const BASE_32: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// The hash of a code that a person has typed: in any case, with or without hyphens and spaces, with O for 0 and I or L for 1.
#[must_use]
pub fn typed_code(entered: &str) -> TokenHash {
    let characters = entered
        .chars()
        .filter(|character| !character.is_whitespace() && *character != '-');
    // More than a code has makes it wrong, whatever follows.
    let code: Zeroizing<String> = Zeroizing::new(
        characters
            .take(TYPED_CHARACTERS + 1)
            .map(|character| match character.to_ascii_uppercase() {
                'O' => '0',
                'I' | 'L' => '1',
                other => other,
            })
            .collect(),
    );
    TokenHash::of(&code)
}

/// The random low bits of a lookup key and of a [`time_ordered_id`]. The bits above are the time, which fits until 2109.
const RANDOM_BITS: u32 = 21;

/// The low bits of a lookup key and of a [`time_ordered_id`] that are the [`Bucket`].
const BUCKET_BITS: u32 = 10;

/// One of 1,024 parts of tokens and families: the low bits of their numbers (decision 0034). All tokens of a family are in the
/// bucket of the family, so that a database that is distributed by it has them in one place, and a presented token tells which.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Bucket(i16);

impl Bucket {
    /// How many there are.
    pub const COUNT: usize = 1 << BUCKET_BITS;

    /// The bucket of a lookup key or of the id of a family.
    #[must_use]
    pub const fn of(number: i64) -> Self {
        const LOW_BYTE: i16 = 0xff;
        let [.., high, low] = number.to_be_bytes();
        let number = i16::from_be_bytes([high, low]);
        // Ten bits of the last two bytes.
        Self(number & (((1 << (BUCKET_BITS - 8)) - 1) << 8 | LOW_BYTE))
    }

    /// Its number, from 0 to 1,023.
    #[must_use]
    pub const fn number(self) -> i16 {
        self.0
    }
}

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
        Self::with_prefix(rng, |random| dated_prefix(now, random))
    }

    /// Like [`Secret::time_ordered`], with a lookup key in `bucket`: 204 of its bits are random. Codes and tokens of a family
    /// have the bucket of its id.
    pub fn time_ordered_in(now: Timestamp, bucket: Bucket, rng: &dyn Rng) -> Self {
        // The lookup key begins one bit above the lowest.
        const MASK: u64 = ((1 << BUCKET_BITS) - 1) << 1;
        let bits = u64::from(bucket.0.unsigned_abs()) << 1;
        Self::with_prefix(rng, |random| (dated_prefix(now, random) & !MASK) | bits)
    }

    /// A secret of random bytes, of which `prefix` replaces the first eight.
    fn with_prefix(rng: &dyn Rng, prefix: impl FnOnce(u64) -> u64) -> Self {
        let mut bytes = Zeroizing::new([0; 32]);
        rng.fill(&mut *bytes);
        let (first, _) = bytes.split_at(8);
        let first = prefix(u64::from_be_bytes(
            first.try_into().expect("eight of 32 bytes"),
        ));
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

    /// A new code that a person types or pastes: 140 random bits as 28 letters and digits of Crockford's base 32, in groups of
    /// four. The hash is that of [`typed_code`].
    pub fn typed(rng: &dyn Rng) -> Self {
        let mut bytes = Zeroizing::new([0; TYPED_CHARACTERS]);
        rng.fill(&mut *bytes);
        let mut code = String::with_capacity(TYPED_CHARACTERS + TYPED_CHARACTERS / 4);
        for (index, byte) in bytes.iter().enumerate() {
            if index > 0 && index % 4 == 0 {
                code.push('-');
            }
            // 32 divides 256, so every character is equally likely.
            code.push(char::from(BASE_32[usize::from(byte % 32)]));
        }
        Self(SecretString::from(code))
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

/// The first 64 bits of a time-ordered secret: the time, and the low bits of `random`.
const fn dated_prefix(now: Timestamp, random: u64) -> u64 {
    (now.as_millis().unsigned_abs() << (RANDOM_BITS + 1))
        | (random & ((1 << (RANDOM_BITS + 1)) - 1))
}

/// A number that increases with the time: 42 bits of milliseconds since 1970 and 21 random ones, of which ten are its bucket.
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

/// The hash of a password: argon2id in PHC string format. It is a secret, since passwords can be guessed with it.
#[derive(Clone, PartialEq, Eq)]
pub struct PasswordHash(String);

impl PasswordHash {
    /// A hash in PHC string format.
    pub fn new(phc: impl Into<String>) -> Self {
        Self(phc.into())
    }

    /// The PHC string that is stored.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for PasswordHash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("PasswordHash(…)")
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
    fn debug_output_has_no_hash_of_a_password() {
        let hash = PasswordHash::new("$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA");
        assert_eq!(format!("{:?}", Some(hash)), "Some(PasswordHash(…))");
    }

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
    fn secrets_in_the_bucket_of_a_family_keep_their_time_and_differ() {
        let now = Timestamp::from_millis(1_795_286_378_000);
        for family in (0..2_000).chain([i64::MAX, now.as_millis() << RANDOM_BITS]) {
            let bucket = Bucket::of(family);
            assert_eq!(i64::from(bucket.number()), family & 1_023);
            let keys: std::collections::HashSet<_> = (0..10)
                .map(|_| Secret::time_ordered_in(now, bucket, &SystemRng))
                .map(|secret| secret.hash().lookup_key())
                .collect();
            // Eleven bits of the key are random, so a few of ten may be equal.
            assert!(keys.len() > 4, "{keys:?}");
            for key in keys {
                assert_eq!(key >> RANDOM_BITS, now.as_millis());
                assert_eq!(Bucket::of(key), bucket);
            }
        }
    }

    #[test]
    fn other_secrets_and_ids_are_spread_over_all_buckets() {
        let now = Timestamp::from_millis(1_795_286_378_000);
        type Number = fn(Timestamp) -> i64;
        let secret: Number = |now| Secret::time_ordered(now, &SystemRng).hash().lookup_key();
        let id: Number = |now| time_ordered_id(now, &SystemRng);
        for number in [secret, id] {
            let mut counts = vec![0; Bucket::COUNT];
            for _ in 0..50 * Bucket::COUNT {
                let bucket = Bucket::of(number(now)).number();
                counts[usize::try_from(bucket).unwrap()] += 1;
            }
            // 50 each on average; a fair source misses these limits once in 10^12 runs.
            assert!(counts.iter().all(|count| (5..120).contains(count)));
        }
    }

    #[test]
    fn a_time_ordered_id_grows_with_the_time_for_a_hundred_years_and_more() {
        for now in [0, 1_795_286_378_000, 4_102_444_800_000] {
            let id = time_ordered_id(Timestamp::from_millis(now), &SystemRng);
            assert_eq!(id >> RANDOM_BITS, now);
        }
    }

    #[test]
    fn typed_code_is_accepted_as_people_type_it() {
        let code = Secret::typed(&SystemRng);
        assert_eq!(code.expose().len(), 34);
        assert_ne!(code.expose(), Secret::typed(&SystemRng).expose());
        let hash = typed_code(code.expose());
        let loose = code.expose().to_lowercase().replace('-', " ");
        let confused = code.expose().replace('0', "o").replace('1', "l");
        for entered in [&loose, &confused, &format!(" {} ", code.expose())] {
            assert_eq!(typed_code(entered), hash, "{entered}");
        }
        let mut longer = code.expose().to_owned();
        longer.push('A');
        for wrong in ["", &code.expose()[1..], &longer] {
            assert_ne!(typed_code(wrong), hash, "{wrong}");
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
