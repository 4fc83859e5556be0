//! A keyring in memory for tests, which can be locked, taken away, and looked into.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use secrecy::{ExposeSecret as _, SecretString};

use super::{Vault, VaultError};
use crate::BoxFuture;

/// A keyring that lasts as long as it is held.
#[derive(Default)]
pub struct MemoryVault {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    secrets: HashMap<String, String>,
    trouble: Option<VaultError>,
}

impl MemoryVault {
    /// From now on every call fails like this, or works again.
    pub fn set_trouble(&self, trouble: Option<VaultError>) {
        self.lock().trouble = trouble;
    }

    /// The names of all entries.
    #[must_use]
    pub fn entries(&self) -> Vec<String> {
        self.lock().secrets.keys().cloned().collect()
    }

    /// All secrets, for tests that prove that they are nowhere else.
    #[must_use]
    pub fn secrets(&self) -> Vec<String> {
        self.lock().secrets.values().cloned().collect()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn with<T>(
        &self,
        work: impl FnOnce(&mut HashMap<String, String>) -> T,
    ) -> Result<T, VaultError> {
        let mut state = self.lock();
        match state.trouble {
            Some(trouble) => Err(trouble),
            None => Ok(work(&mut state.secrets)),
        }
    }
}

impl Vault for MemoryVault {
    fn read(&self, entry: &str) -> BoxFuture<'static, Result<Option<SecretString>, VaultError>> {
        let answer = self.with(|secrets| secrets.get(entry).map(|secret| secret.clone().into()));
        Box::pin(std::future::ready(answer))
    }

    fn write(
        &self,
        entry: &str,
        secret: SecretString,
    ) -> BoxFuture<'static, Result<(), VaultError>> {
        let answer = self.with(|secrets| {
            secrets.insert(entry.to_owned(), secret.expose_secret().to_owned());
        });
        Box::pin(std::future::ready(answer))
    }

    fn delete(&self, entry: &str) -> BoxFuture<'static, Result<(), VaultError>> {
        let answer = self.with(|secrets| {
            secrets.remove(entry);
        });
        Box::pin(std::future::ready(answer))
    }
}
