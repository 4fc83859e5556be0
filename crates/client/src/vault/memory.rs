//! A keyring in memory for tests, which can be locked, taken away, and looked into.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use secrecy::{ExposeSecret as _, SecretString};
use tokio::sync::watch;

use super::{Vault, VaultError};
use crate::BoxFuture;

/// A keyring that lasts as long as it is held.
pub struct MemoryVault {
    state: Arc<Mutex<State>>,
    /// Told when the trouble changes.
    trouble: watch::Sender<Option<VaultError>>,
}

#[derive(Default)]
struct State {
    secrets: HashMap<String, String>,
}

impl Default for MemoryVault {
    fn default() -> Self {
        Self {
            state: Arc::default(),
            trouble: watch::Sender::new(None),
        }
    }
}

impl MemoryVault {
    /// From now on every call fails like this, does not answer as long as it is [`VaultError::Silent`], or works again.
    pub fn set_trouble(&self, trouble: Option<VaultError>) {
        self.trouble.send_replace(trouble);
    }

    /// The names of all entries.
    #[must_use]
    pub fn entries(&self) -> Vec<String> {
        lock(&self.state).secrets.keys().cloned().collect()
    }

    /// All secrets, for tests that prove that they are nowhere else.
    #[must_use]
    pub fn secrets(&self) -> Vec<String> {
        lock(&self.state).secrets.values().cloned().collect()
    }

    fn with<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut HashMap<String, String>) -> T + Send + 'static,
    ) -> BoxFuture<'static, Result<T, VaultError>> {
        let state = Arc::clone(&self.state);
        let mut trouble = self.trouble.subscribe();
        // A task of its own: what was asked is done though nobody waits for it any more.
        let done = tokio::spawn(async move {
            let answers = |trouble: &Option<VaultError>| *trouble != Some(VaultError::Silent);
            let now = trouble.wait_for(answers).await.map(|trouble| *trouble);
            match now.unwrap_or(Some(VaultError::Absent)) {
                Some(trouble) => Err(trouble),
                None => Ok(work(&mut lock(&state).secrets)),
            }
        });
        Box::pin(async move { done.await.unwrap_or(Err(VaultError::Absent)) })
    }
}

impl Vault for MemoryVault {
    fn read(&self, entry: &str) -> BoxFuture<'static, Result<Option<SecretString>, VaultError>> {
        let entry = entry.to_owned();
        self.with(move |secrets| secrets.get(&entry).map(|secret| secret.clone().into()))
    }

    fn write(
        &self,
        entry: &str,
        secret: SecretString,
    ) -> BoxFuture<'static, Result<(), VaultError>> {
        let entry = entry.to_owned();
        self.with(move |secrets| {
            secrets.insert(entry, secret.expose_secret().to_owned());
        })
    }

    fn delete(&self, entry: &str) -> BoxFuture<'static, Result<(), VaultError>> {
        let entry = entry.to_owned();
        self.with(move |secrets| {
            secrets.remove(&entry);
        })
    }
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}
