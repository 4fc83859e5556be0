//! The system's keyring, on a thread of its own: its calls block, and may wait for the user.
//!
//! The three stores are chosen here and not by the crate `keyring`, see decision 0061.

use std::collections::HashMap;
use std::sync::{Arc, mpsc};
use std::thread;

use keyring_core::{CredentialStore, Entry, Error};
use secrecy::{ExposeSecret as _, SecretString};
use tokio::sync::oneshot;
use zeroize::Zeroize as _;

use super::{Vault, VaultError};
use crate::BoxFuture;
use crate::environments::SCHEME;

/// The keyring of this system and user.
#[must_use]
pub fn system_vault() -> Arc<dyn Vault> {
    Arc::new(Keyring::start(open_store, modifiers()))
}

type OpenResult = keyring_core::Result<Arc<CredentialStore>>;
/// What a store is told about each entry. A store refuses names that it does not know.
type Modifiers = HashMap<&'static str, &'static str>;
type Job = Box<dyn FnOnce(&mut Store) + Send>;

/// Runs all calls on one thread: Windows does not order calls for one entry from several threads.
struct Keyring {
    jobs: mpsc::Sender<Job>,
}

impl Keyring {
    fn start(
        open: impl FnMut() -> OpenResult + Send + 'static,
        modifiers: Option<Modifiers>,
    ) -> Self {
        let (jobs, queue) = mpsc::channel::<Job>();
        let run = move || {
            let mut store = Store {
                open: Box::new(open),
                modifiers,
                opened: None,
            };
            for job in queue {
                job(&mut store);
            }
        };
        if let Err(error) = thread::Builder::new().name("keyring".to_owned()).spawn(run) {
            // The queue was dropped with the closure, so every call returns Unavailable.
            tracing::error!(%error, "the thread of the keyring did not start");
        }
        Self { jobs }
    }

    fn submit<T: Send + 'static>(
        &self,
        entry: &str,
        call: impl Fn(&Entry) -> keyring_core::Result<T> + Send + 'static,
    ) -> BoxFuture<'static, Result<T, VaultError>> {
        let (sender, outcome) = oneshot::channel();
        let entry = entry.to_owned();
        let submitted = self.jobs.send(Box::new(move |store| {
            // The receiver may be dropped; the call is made nevertheless.
            let _ = sender.send(store.call(&entry, call));
        }));
        Box::pin(async move {
            if submitted.is_err() {
                return Err(VaultError::Unavailable);
            }
            outcome.await.unwrap_or(Err(VaultError::Unavailable))
        })
    }
}

impl Vault for Keyring {
    fn read(&self, entry: &str) -> BoxFuture<'static, Result<Option<SecretString>, VaultError>> {
        self.submit(entry, |entry| match entry.get_secret() {
            Ok(bytes) => Ok(text(bytes)),
            Err(Error::NoEntry) => Ok(None),
            Err(error) => Err(error),
        })
    }

    fn write(
        &self,
        entry: &str,
        secret: SecretString,
    ) -> BoxFuture<'static, Result<(), VaultError>> {
        self.submit(entry, move |entry| {
            entry.set_secret(secret.expose_secret().as_bytes())
        })
    }

    fn delete(&self, entry: &str) -> BoxFuture<'static, Result<(), VaultError>> {
        self.submit(entry, |entry| match entry.delete_credential() {
            Ok(()) | Err(Error::NoEntry) => Ok(()),
            Err(error) => Err(error),
        })
    }
}

/// The open store. Its connection fails when the daemon of the keyring restarts, and is then opened again.
struct Store {
    open: Box<dyn FnMut() -> OpenResult + Send>,
    modifiers: Option<Modifiers>,
    opened: Option<Arc<CredentialStore>>,
}

impl Store {
    fn call<T>(
        &mut self,
        entry: &str,
        call: impl Fn(&Entry) -> keyring_core::Result<T>,
    ) -> Result<T, VaultError> {
        let just_opened = self.opened.is_none();
        match self.attempt(entry, &call) {
            Err(Error::PlatformFailure(_)) if !just_opened => {
                self.opened = None;
                self.attempt(entry, &call).map_err(classify)
            }
            outcome => outcome.map_err(classify),
        }
    }

    fn attempt<T>(
        &mut self,
        entry: &str,
        call: impl Fn(&Entry) -> keyring_core::Result<T>,
    ) -> keyring_core::Result<T> {
        let store = match &self.opened {
            Some(store) => Arc::clone(store),
            None => Arc::clone(self.opened.insert((self.open)()?)),
        };
        call(&store.build(SCHEME, entry, self.modifiers.as_ref())?)
    }
}

/// Classifies an error, and logs the system's own error. `keyring_core::Error` can hold the bytes of a secret, so nothing
/// else of it is logged or returned.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "the enum is non-exhaustive, and every other error means that the keyring cannot be used"
)]
fn classify(error: Error) -> VaultError {
    let (classified, cause) = match error {
        Error::NoStorageAccess(cause) => (VaultError::Locked, Some(cause)),
        Error::PlatformFailure(cause) => (VaultError::Unavailable, Some(cause)),
        _ => (VaultError::Unavailable, None),
    };
    if let Some(cause) = cause {
        let cause: &(dyn std::error::Error + 'static) = cause.as_ref();
        tracing::warn!(error = cause, "{classified}");
    }
    classified
}

/// The secret as text. `None` if another program wrote something else there.
fn text(bytes: Vec<u8>) -> Option<SecretString> {
    match String::from_utf8(bytes) {
        Ok(text) => Some(text.into()),
        Err(error) => {
            error.into_bytes().zeroize();
            None
        }
    }
}

/// By default the Windows store writes to the roaming profile, so that two computers would share one rotating token.
fn modifiers() -> Option<Modifiers> {
    cfg!(target_os = "windows").then(|| HashMap::from([("persistence", "Local")]))
}

#[cfg(target_os = "linux")]
fn open_store() -> OpenResult {
    zbus_secret_service_keyring_store::Store::new().map(|store| store as Arc<CredentialStore>)
}

#[cfg(target_os = "macos")]
fn open_store() -> OpenResult {
    apple_native_keyring_store::keychain::Store::new().map(|store| store as Arc<CredentialStore>)
}

#[cfg(target_os = "windows")]
fn open_store() -> OpenResult {
    windows_native_keyring_store::Store::new().map(|store| store as Arc<CredentialStore>)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use keyring_core::mock;

    use super::*;

    /// A keyring with a mock store, the credential of `entry` in it, and how often the store was opened.
    fn mocked(entry: &str) -> (Keyring, Entry, Arc<AtomicUsize>) {
        let store: Arc<CredentialStore> = mock::Store::new().expect("a mock");
        let credential = store.build(SCHEME, entry, None).expect("an entry");
        let opened = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&opened);
        let open = move || {
            count.fetch_add(1, Ordering::Relaxed);
            Ok(Arc::clone(&store))
        };
        let keyring = Keyring::start(open, None);
        (keyring, credential, opened)
    }

    fn fail(entry: &Entry, error: Error) {
        entry
            .as_any()
            .downcast_ref::<mock::Cred>()
            .expect("a mock")
            .set_error(error);
    }

    #[tokio::test]
    async fn secret_is_written_read_and_deleted() {
        let (keyring, ..) = mocked("a");
        assert!(keyring.read("a").await.expect("it answers").is_none());
        keyring.write("a", "s".into()).await.expect("written");
        assert_eq!(
            keyring
                .read("a")
                .await
                .expect("it answers")
                .expect("it is there")
                .expose_secret(),
            "s"
        );
        keyring.delete("a").await.expect("deleted");
        keyring
            .delete("a")
            .await
            .expect("a missing entry is not an error");
        assert!(keyring.read("a").await.expect("it answers").is_none());
    }

    #[tokio::test]
    async fn locked_and_unavailable_keyrings_return_different_errors() {
        let (keyring, entry, _) = mocked("a");
        fail(&entry, Error::NoStorageAccess("prompt dismissed".into()));
        assert_eq!(
            keyring.read("a").await.expect_err("it is locked"),
            VaultError::Locked
        );
        let none = Keyring::start(|| Err(Error::PlatformFailure("no bus".into())), None);
        assert_eq!(
            none.read("a").await.expect_err("there is none"),
            VaultError::Unavailable
        );
    }

    #[tokio::test]
    async fn store_that_fails_is_reopened_once() {
        let (keyring, entry, opened) = mocked("a");
        keyring.write("a", "s".into()).await.expect("written");
        fail(&entry, Error::PlatformFailure("NoSession".into()));
        assert!(keyring.read("a").await.expect("opened again").is_some());
        assert_eq!(opened.load(Ordering::Relaxed), 2);
    }

    #[tokio::test]
    async fn error_does_not_contain_the_secret() {
        let (keyring, entry, _) = mocked("a");
        fail(&entry, Error::BadEncoding(b"canary".to_vec()));
        let error = keyring.read("a").await.expect_err("it cannot be read");
        assert!(
            !format!("{error:?} {error}").contains("canary")
                && !format!("{error:?}").contains("99, 97"),
            "{error:?}"
        );
    }

    #[tokio::test]
    async fn call_to_a_hanging_keyring_times_out() {
        let (release, hold) = mpsc::channel::<()>();
        let open = move || {
            let _ = hold.recv();
            Err(Error::NoDefaultStore)
        };
        let keyring = Keyring::start(open, None);
        let clock: Arc<crate::clock::FakeClock> =
            Arc::new(crate::clock::FakeClock::new(jiff::Timestamp::UNIX_EPOCH));
        let shared: Arc<dyn crate::clock::Clock> = clock.clone();
        let call =
            super::super::with_timeout(&shared, super::super::KEYRING_TIMEOUT, keyring.read("a"));
        let (outcome, ()) = tokio::join!(call, async {
            clock
                .sleep_matching(|left| left == super::super::KEYRING_TIMEOUT)
                .await;
            clock.advance(super::super::KEYRING_TIMEOUT);
        });
        assert_eq!(outcome.expect_err("it hangs"), VaultError::TimedOut);
        drop(release);
    }
}
