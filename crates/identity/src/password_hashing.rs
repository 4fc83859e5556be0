//! Password hashing with argon2id on a bounded number of threads, with equal cost for accounts that do not exist.

use std::time::Duration;

use argon2::password_hash::phc::{self, Output, ParamsString, Salt};
use argon2::{Algorithm, Argon2, Params, PasswordHasher as _, PasswordVerifier as _, Version};
use secrecy::{ExposeSecret as _, SecretString};
use tokio::task::JoinError;

use crate::hash_queue::{HashQueue, HashShare, QueueError, QueueLimits};

use invoicing_storage::Rng;
use invoicing_storage::secret::PasswordHash;

/// Minimum number of characters of a new password (NIST SP 800-63B, 3.1.1.2).
pub(crate) const MIN_PASSWORD_CHARACTERS: usize = 12;
/// Maximum size of a password in bytes.
pub(crate) const MAX_PASSWORD_BYTES: usize = 1024;

/// Maximum number of concurrent hashes. Each uses a processor and 19 MiB.
const MAX_CONCURRENT: usize = 2;
/// Maximum number of callers that wait for a hash.
const MAX_WAITING: usize = 64;
/// How long a caller waits for a hash: longer than a full queue takes, shorter than a person or a proxy waits for a page.
const DEADLINE: Duration = Duration::from_secs(10);
/// When a caller without a turn may try again.
pub(crate) const RETRY_SECONDS: i64 = 5;

/// Hashes and verifies passwords with bounded concurrency.
#[derive(Clone)]
pub(crate) struct PasswordHasher {
    queue: HashQueue,
    /// Verified in place of a missing hash, so that the response time does not show whether an account exists.
    dummy_hash: PasswordHash,
}

/// Why a password was not hashed or verified.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PasswordHashError {
    /// There was no turn. The caller tries again after [`RETRY_SECONDS`].
    #[error(transparent)]
    NoTurn(#[from] QueueError),
    /// The hashing thread panicked or was cancelled.
    #[error("the password hashing task failed")]
    Task(#[from] JoinError),
}

impl PasswordHasher {
    /// Creates a hasher. Its dummy hash is made with `rng`.
    pub(crate) fn new(rng: &dyn Rng) -> Self {
        Self {
            queue: HashQueue::new(QueueLimits {
                running: MAX_CONCURRENT,
                waiting: MAX_WAITING,
                deadline: DEADLINE,
            }),
            dummy_hash: unusable_hash(rng),
        }
    }

    /// Whether `password` matches `hash`. Without a hash the result is false, after the same time. `share` decides when it is
    /// the caller's turn.
    pub(crate) async fn verify(
        &self,
        share: HashShare,
        password: SecretString,
        hash: Option<&PasswordHash>,
    ) -> Result<bool, PasswordHashError> {
        let permit = self.queue.acquire(share).await?;
        let has_hash = hash.is_some();
        let hash = hash.unwrap_or(&self.dummy_hash).clone();
        let verified = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            let parsed = phc::PasswordHash::new(hash.as_str()).ok()?;
            argon2id()
                .verify_password(password.expose_secret().as_bytes(), &parsed)
                .ok()
        });
        Ok(verified.await?.is_some() && has_hash)
    }

    /// The hash of a new password.
    pub(crate) async fn hash(
        &self,
        share: HashShare,
        password: SecretString,
        rng: &dyn Rng,
    ) -> Result<PasswordHash, PasswordHashError> {
        let mut salt = [0; 16];
        rng.fill(&mut salt);
        let permit = self.queue.acquire(share).await?;
        let hashed = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            hash_with_salt(password.expose_secret(), salt)
        });
        Ok(hashed.await?)
    }
}

/// The argon2id hash of `password` in PHC form, with a random salt.
pub fn hash(password: &str, rng: &dyn Rng) -> PasswordHash {
    let mut salt = [0; 16];
    rng.fill(&mut salt);
    hash_with_salt(password, salt)
}

fn hash_with_salt(password: &str, salt: [u8; 16]) -> PasswordHash {
    let hash = argon2id().hash_password_with_salt(password.as_bytes(), &salt);
    let hash = hash.expect("the parameters are argon2's own and 16 bytes are a salt");
    PasswordHash::new(hash.to_string())
}

/// A random hash with the same cost parameters as a real one. It matches no known password, and it needs no hashing: for accounts
/// that do not exist, and for people without a password.
pub(crate) fn unusable_hash(rng: &dyn Rng) -> PasswordHash {
    let (mut salt, mut output) = ([0; 16], [0; Params::DEFAULT_OUTPUT_LEN]);
    rng.fill(&mut salt);
    rng.fill(&mut output);
    let argon2 = argon2id();
    let hash = phc::PasswordHash {
        algorithm: Algorithm::Argon2id.ident(),
        version: Some(Version::V0x13.into()),
        params: ParamsString::try_from(argon2.params()).expect("the parameters are argon2's own"),
        salt: Some(Salt::new(&salt).expect("16 bytes are a salt")),
        hash: Some(Output::new(&output).expect("the length is the output length of argon2")),
    };
    PasswordHash::new(hash.to_string())
}

/// Whether the length of a new `password` is within the limits.
pub(crate) fn has_valid_length(password: &str) -> bool {
    password.len() <= MAX_PASSWORD_BYTES && password.chars().count() >= MIN_PASSWORD_CHARACTERS
}

/// 19 MiB, two passes, one lane: the first choice of the OWASP password storage cheat sheet.
fn argon2id() -> Argon2<'static> {
    Argon2::new(Algorithm::Argon2id, Version::V0x13, Params::default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::AddressPrefix;
    use invoicing_storage::SystemRng;

    #[test]
    fn dummy_hash_has_the_cost_parameters_of_a_real_hash() {
        let [dummy, real] = [unusable_hash(&SystemRng), hash("saffron", &SystemRng)];
        let cost = |hash: &PasswordHash| {
            let hash = phc::PasswordHash::new(hash.as_str()).unwrap();
            let lengths = (hash.salt.unwrap().len(), hash.hash.unwrap().len());
            (hash.algorithm, hash.version, hash.params, lengths)
        };
        assert_eq!(cost(&dummy), cost(&real));
    }

    fn share() -> HashShare {
        HashShare {
            is_known_device: false,
            tenant: None,
            address: AddressPrefix::widest([127, 0, 0, 1].into()),
        }
    }

    #[tokio::test]
    async fn verify_accepts_only_the_password_of_an_existing_account() {
        let hasher = PasswordHasher::new(&SystemRng);
        let stored = hash("saffron", &SystemRng);
        assert!(
            hasher
                .verify(share(), "saffron".into(), Some(&stored))
                .await
                .unwrap(),
            "right password"
        );
        assert!(
            !hasher
                .verify(share(), "Saffron".into(), Some(&stored))
                .await
                .unwrap(),
            "wrong password"
        );
        assert!(
            !hasher
                .verify(share(), "saffron".into(), None)
                .await
                .unwrap(),
            "no such account"
        );
        assert!(
            !hasher
                .verify(
                    share(),
                    "saffron".into(),
                    Some(&PasswordHash::new("not a hash"))
                )
                .await
                .unwrap(),
            "a damaged hash"
        );
    }
}
