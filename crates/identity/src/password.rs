//! Passwords: argon2id, on a bounded number of threads, with the same effort for accounts that do not exist.

use std::sync::Arc;

use argon2::password_hash::phc::{Output, ParamsString, PasswordHash, Salt};
use argon2::{Algorithm, Argon2, Params, PasswordHasher as _, PasswordVerifier as _, Version};
use secrecy::{ExposeSecret as _, SecretString};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use invoicing_storage::world::Randomness;

/// Characters of a new password, at least (NIST SP 800-63B, 3.1.1.2: what counts is length).
pub(crate) const SHORTEST: usize = 12;
/// Characters of a password, at most.
pub(crate) const LONGEST: usize = 1024;

/// Hashes at once: each takes a processor and 19 MiB.
const AT_ONCE: usize = 2;
/// Callers that may wait for a hash. Whoever comes later is told that the service is busy.
const WAITING: usize = 64;

/// Checks passwords, a few at a time.
#[derive(Clone)]
pub(crate) struct Passwords {
    running: Arc<Semaphore>,
    places: Arc<Semaphore>,
    nobody: Arc<str>,
}

/// More callers wait than will be served in good time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("too many sign-ins at once")]
pub(crate) struct Overloaded;

impl Passwords {
    /// Ready to check.
    pub(crate) fn new(randomness: &dyn Randomness) -> Self {
        Self {
            running: Arc::new(Semaphore::new(AT_ONCE)),
            places: Arc::new(Semaphore::new(AT_ONCE + WAITING)),
            nobody: of_no_password(randomness).into(),
        }
    }

    /// Whether `password` belongs to `hash`. Without a hash the answer is no, after the same time.
    pub(crate) async fn verify(
        &self,
        password: SecretString,
        hash: Option<&str>,
    ) -> Result<bool, Overloaded> {
        let held = self.turn().await?;
        let known = hash.is_some();
        let hash: Arc<str> = hash.map_or_else(|| self.nobody.clone(), Arc::from);
        let checked = tokio::task::spawn_blocking(move || {
            let _held = held;
            let parsed = PasswordHash::new(&hash).ok()?;
            argon2id()
                .verify_password(password.expose_secret().as_bytes(), &parsed)
                .ok()
        });
        Ok(checked.await.is_ok_and(|matches| matches.is_some()) && known)
    }

    /// The hash of a new password, in its turn like every other.
    pub(crate) async fn hash(
        &self,
        password: SecretString,
        randomness: &dyn Randomness,
    ) -> Result<String, Overloaded> {
        let mut salt = [0; 16];
        randomness.fill(&mut salt);
        let held = self.turn().await?;
        let hashed = tokio::task::spawn_blocking(move || {
            let _held = held;
            salted(password.expose_secret(), salt)
        });
        hashed.await.map_err(|_| Overloaded)
    }

    async fn turn(&self) -> Result<(OwnedSemaphorePermit, OwnedSemaphorePermit), Overloaded> {
        let place = self
            .places
            .clone()
            .try_acquire_owned()
            .map_err(|_| Overloaded)?;
        let turn = self
            .running
            .clone()
            .acquire_owned()
            .await
            .map_err(|_| Overloaded)?;
        Ok((place, turn))
    }
}

/// The argon2id hash of `password` in PHC form, with a random salt.
pub fn hash(password: &str, randomness: &dyn Randomness) -> String {
    let mut salt = [0; 16];
    randomness.fill(&mut salt);
    salted(password, salt)
}

fn salted(password: &str, salt: [u8; 16]) -> String {
    let hash = argon2id().hash_password_with_salt(password.as_bytes(), &salt);
    hash.expect("the parameters are argon2's own and 16 bytes are a salt")
        .to_string()
}

/// What looks like the hash of a password and costs as much to check. Not one is known that it would be the hash of, and no
/// start of the service has to wait for one to be made.
fn of_no_password(randomness: &dyn Randomness) -> String {
    let (mut salt, mut output) = ([0; 16], [0; Params::DEFAULT_OUTPUT_LEN]);
    randomness.fill(&mut salt);
    randomness.fill(&mut output);
    let argon2 = argon2id();
    PasswordHash {
        algorithm: Algorithm::Argon2id.ident(),
        version: Some(Version::V0x13.into()),
        params: ParamsString::try_from(argon2.params()).expect("the parameters are argon2's own"),
        salt: Some(Salt::new(&salt).expect("16 bytes are a salt")),
        hash: Some(Output::new(&output).expect("as many bytes as argon2 gives")),
    }
    .to_string()
}

/// Whether `password` may become one.
pub(crate) fn is_long_enough(password: &str) -> bool {
    password.len() <= LONGEST && password.chars().count() >= SHORTEST
}

/// 19 MiB, two passes, one lane: the first choice of the OWASP password storage cheat sheet.
fn argon2id() -> Argon2<'static> {
    Argon2::new(Algorithm::Argon2id, Version::V0x13, Params::default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use invoicing_storage::world::SystemRandomness;

    #[test]
    fn to_check_the_hash_of_nobody_costs_as_much_as_to_check_any_other() {
        let [nobody, somebody] = [
            of_no_password(&SystemRandomness),
            hash("saffron", &SystemRandomness),
        ];
        let cost = |hash: &str| {
            let hash = PasswordHash::new(hash).unwrap();
            let lengths = (hash.salt.unwrap().len(), hash.hash.unwrap().len());
            (hash.algorithm, hash.version, hash.params, lengths)
        };
        assert_eq!(cost(&nobody), cost(&somebody));
    }

    #[tokio::test]
    async fn only_the_right_password_of_an_account_that_exists_is_right() {
        let passwords = Passwords::new(&SystemRandomness);
        let stored = hash("saffron", &SystemRandomness);
        assert_eq!(
            passwords.verify("saffron".into(), Some(&stored)).await,
            Ok(true),
            "right password"
        );
        assert_eq!(
            passwords.verify("Saffron".into(), Some(&stored)).await,
            Ok(false),
            "wrong password"
        );
        assert_eq!(
            passwords.verify("saffron".into(), None).await,
            Ok(false),
            "no such account"
        );
        assert_eq!(
            passwords.verify("saffron".into(), Some("not a hash")).await,
            Ok(false),
            "a damaged hash"
        );
    }
}
