//! A keyring in memory for tests, which can be made to fail and be inspected.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use secrecy::{ExposeSecret as _, SecretString};
use tokio::sync::watch;

use super::{Vault, VaultError};
use crate::BoxFuture;

/// A keyring whose secrets last until it is dropped.
pub struct MemoryVault {
    state: Arc<Mutex<State>>,
    /// The error of every call.
    error: watch::Sender<Option<VaultError>>,
    /// The error of one call.
    fault: watch::Sender<Option<CallFault>>,
}

/// A fault of one call, which is counted from the moment at which the fault was set.
#[derive(Clone, Copy)]
struct CallFault {
    /// Only calls for entries whose name contains it count.
    entry: &'static str,
    /// How many calls come before it. `None`: it has been made.
    calls_before: Option<u32>,
    error: VaultError,
}

#[derive(Default)]
struct State {
    secrets: HashMap<String, String>,
}

impl Default for MemoryVault {
    fn default() -> Self {
        Self {
            state: Arc::default(),
            error: watch::Sender::new(None),
            fault: watch::Sender::new(None),
        }
    }
}

impl MemoryVault {
    /// Makes later calls fail with `error`, or succeed. With [`VaultError::TimedOut`] they wait until another is set.
    pub fn set_error(&self, error: Option<VaultError>) {
        self.error.send_replace(error);
    }

    /// Makes one call for an entry whose name contains `entry` fail with `error`, after `calls_before` others. With [`VaultError::TimedOut`] it waits until
    /// [`clear_fault`](Self::clear_fault).
    pub fn fail_call(&self, entry: &'static str, calls_before: u32, error: VaultError) {
        let calls_before = Some(calls_before);
        self.fault.send_replace(Some(CallFault {
            entry,
            calls_before,
            error,
        }));
    }

    /// Waits until the call that [`fail_call`](Self::fail_call) names is made.
    pub async fn wait_for_fault(&self) {
        let mut fault = self.fault.subscribe();
        let is_made =
            |fault: &Option<CallFault>| fault.is_some_and(|fault| fault.calls_before.is_none());
        // The fault's sender lives as long as the vault.
        drop(fault.wait_for(is_made).await);
    }

    /// Removes the fault, and lets a call go on that waits because of it. Returns whether the call was made.
    pub fn clear_fault(&self) -> bool {
        let fault = self.fault.send_replace(None);
        fault.is_some_and(|fault| fault.calls_before.is_none())
    }

    /// Counts a call. Returns the error that it fails with.
    fn take_fault(&self, name: &str) -> Option<VaultError> {
        let mut met = None;
        self.fault.send_if_modified(|fault| {
            if let Some(CallFault {
                entry,
                calls_before: Some(before),
                error,
            }) = *fault
                && name.contains(entry)
            {
                let calls_before = before.checked_sub(1);
                met = calls_before.is_none().then_some(error);
                *fault = Some(CallFault {
                    entry,
                    calls_before,
                    error,
                });
            }
            met.is_some()
        });
        met
    }

    /// The names of all entries.
    #[must_use]
    pub fn entries(&self) -> Vec<String> {
        lock(&self.state).secrets.keys().cloned().collect()
    }

    /// All secrets, for tests that search for them elsewhere.
    #[must_use]
    pub fn secrets(&self) -> Vec<String> {
        lock(&self.state).secrets.values().cloned().collect()
    }

    fn with<T: Send + 'static>(
        &self,
        name: &str,
        work: impl FnOnce(&mut HashMap<String, String>) -> T + Send + 'static,
    ) -> BoxFuture<'static, Result<T, VaultError>> {
        let state = Arc::clone(&self.state);
        let mut error = self.error.subscribe();
        let own_fault = self.take_fault(name);
        let mut fault = self.fault.subscribe();
        // A task of its own, so that dropping the future does not cancel the call.
        let done = tokio::spawn(async move {
            match own_fault {
                // The fault's sender lives as long as the vault.
                Some(VaultError::TimedOut) => drop(fault.wait_for(Option::is_none).await),
                Some(error) => return Err(error),
                None => {}
            }
            let answers = |error: &Option<VaultError>| *error != Some(VaultError::TimedOut);
            let current = error.wait_for(answers).await.map(|error| *error);
            match current.unwrap_or(Some(VaultError::Unavailable)) {
                Some(error) => Err(error),
                None => Ok(work(&mut lock(&state).secrets)),
            }
        });
        Box::pin(async move { done.await.unwrap_or(Err(VaultError::Unavailable)) })
    }
}

impl Vault for MemoryVault {
    fn read(&self, entry: &str) -> BoxFuture<'static, Result<Option<SecretString>, VaultError>> {
        let entry = entry.to_owned();
        self.with(&entry.clone(), move |secrets| {
            secrets.get(&entry).map(|secret| secret.clone().into())
        })
    }

    fn write(
        &self,
        entry: &str,
        secret: SecretString,
    ) -> BoxFuture<'static, Result<(), VaultError>> {
        let entry = entry.to_owned();
        self.with(&entry.clone(), move |secrets| {
            secrets.insert(entry, secret.expose_secret().to_owned());
        })
    }

    fn delete(&self, entry: &str) -> BoxFuture<'static, Result<(), VaultError>> {
        let entry = entry.to_owned();
        self.with(&entry.clone(), move |secrets| {
            secrets.remove(&entry);
        })
    }
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}
