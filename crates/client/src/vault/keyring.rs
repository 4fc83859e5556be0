//! The system's keyring, driven on a thread of its own: its calls block, and may wait for a person.

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
    Arc::new(Keyring::start(open_store))
}

type Opened = keyring_core::Result<Arc<CredentialStore>>;
type Work = Box<dyn FnOnce(&mut Store) + Send>;

/// One thread for all calls: same-entry calls from several threads are not ordered on Windows.
struct Keyring {
    work: mpsc::Sender<Work>,
}

impl Keyring {
    fn start(open: impl FnMut() -> Opened + Send + 'static) -> Self {
        let (work, queue) = mpsc::channel::<Work>();
        let run = move || {
            let mut store = Store {
                open: Box::new(open),
                opened: None,
            };
            for work in queue {
                work(&mut store);
            }
        };
        if let Err(error) = thread::Builder::new().name("keyring".to_owned()).spawn(run) {
            // The queue is gone with the thread, so every call answers that there is no keyring.
            tracing::error!(%error, "the keyring's thread did not start");
        }
        Self { work }
    }

    fn ask<T: Send + 'static>(
        &self,
        entry: &str,
        call: impl Fn(&Entry) -> keyring_core::Result<T> + Send + 'static,
    ) -> BoxFuture<'static, Result<T, VaultError>> {
        let (reply, answer) = oneshot::channel();
        let entry = entry.to_owned();
        let sent = self.work.send(Box::new(move |store| {
            // Nobody may be waiting any more; the work is done all the same.
            let _ = reply.send(store.call(&entry, call));
        }));
        Box::pin(async move {
            if sent.is_err() {
                return Err(VaultError::Absent);
            }
            answer.await.unwrap_or(Err(VaultError::Absent))
        })
    }
}

impl Vault for Keyring {
    fn read(&self, entry: &str) -> BoxFuture<'static, Result<Option<SecretString>, VaultError>> {
        self.ask(entry, |entry| match entry.get_secret() {
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
        self.ask(entry, move |entry| {
            entry.set_secret(secret.expose_secret().as_bytes())
        })
    }

    fn delete(&self, entry: &str) -> BoxFuture<'static, Result<(), VaultError>> {
        self.ask(entry, |entry| match entry.delete_credential() {
            Ok(()) | Err(Error::NoEntry) => Ok(()),
            Err(error) => Err(error),
        })
    }
}

/// The open store. It goes stale when the keyring's daemon restarts, and is then opened again.
struct Store {
    open: Box<dyn FnMut() -> Opened + Send>,
    opened: Option<Arc<CredentialStore>>,
}

impl Store {
    fn call<T>(
        &mut self,
        entry: &str,
        call: impl Fn(&Entry) -> keyring_core::Result<T>,
    ) -> Result<T, VaultError> {
        let fresh = self.opened.is_none();
        match self.attempt(entry, &call) {
            Err(Error::PlatformFailure(_)) if !fresh => {
                self.opened = None;
                self.attempt(entry, &call).map_err(|error| classify(&error))
            }
            done => done.map_err(|error| classify(&error)),
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
        call(&store.build(SCHEME, entry, modifiers().as_ref())?)
    }
}

/// `keyring_core::Error` can hold the secret's bytes, so nothing of it goes further than its kind.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "the enum is non-exhaustive, and everything else is the same to us"
)]
fn classify(error: &Error) -> VaultError {
    match error {
        Error::NoStorageAccess(_) => VaultError::Locked,
        _ => VaultError::Absent,
    }
}

/// What was stored by something else than this application is as good as nothing.
fn text(bytes: Vec<u8>) -> Option<SecretString> {
    match String::from_utf8(bytes) {
        Ok(text) => Some(text.into()),
        Err(error) => {
            error.into_bytes().zeroize();
            None
        }
    }
}

/// Windows keeps credentials in the roaming profile unless told otherwise, and then two computers share one rotating token.
fn modifiers() -> Option<HashMap<&'static str, &'static str>> {
    cfg!(target_os = "windows").then(|| HashMap::from([("persistence", "Local")]))
}

#[cfg(target_os = "linux")]
fn open_store() -> Opened {
    zbus_secret_service_keyring_store::Store::new().map(|store| store as Arc<CredentialStore>)
}

#[cfg(target_os = "macos")]
fn open_store() -> Opened {
    apple_native_keyring_store::keychain::Store::new().map(|store| store as Arc<CredentialStore>)
}

#[cfg(target_os = "windows")]
fn open_store() -> Opened {
    windows_native_keyring_store::Store::new().map(|store| store as Arc<CredentialStore>)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use keyring_core::mock;

    use super::*;

    /// A keyring over a mock store, the mock's credential for `entry`, and how often the store was opened.
    fn mocked(entry: &str) -> (Keyring, Entry, Arc<AtomicUsize>) {
        let store: Arc<CredentialStore> = mock::Store::new().expect("a mock");
        let credential = store.build(SCHEME, entry, None).expect("an entry");
        let opened = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&opened);
        let keyring = Keyring::start(move || {
            count.fetch_add(1, Ordering::Relaxed);
            Ok(Arc::clone(&store))
        });
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
    async fn a_secret_is_kept_read_and_forgotten() {
        let (keyring, ..) = mocked("a");
        assert!(keyring.read("a").await.expect("it answers").is_none());
        keyring.write("a", "s".into()).await.expect("kept");
        assert_eq!(
            keyring
                .read("a")
                .await
                .expect("it answers")
                .expect("it is there")
                .expose_secret(),
            "s"
        );
        keyring.delete("a").await.expect("forgotten");
        keyring
            .delete("a")
            .await
            .expect("nothing to forget is fine");
        assert!(keyring.read("a").await.expect("it answers").is_none());
    }

    #[tokio::test]
    async fn locked_and_absent_are_told_apart() {
        let (keyring, entry, _) = mocked("a");
        fail(&entry, Error::NoStorageAccess("prompt dismissed".into()));
        assert_eq!(
            keyring.read("a").await.expect_err("it is locked"),
            VaultError::Locked
        );
        let none = Keyring::start(|| Err(Error::PlatformFailure("no bus".into())));
        assert_eq!(
            none.read("a").await.expect_err("there is none"),
            VaultError::Absent
        );
    }

    #[tokio::test]
    async fn a_store_that_went_stale_is_opened_again_once() {
        let (keyring, entry, opened) = mocked("a");
        keyring.write("a", "s".into()).await.expect("kept");
        fail(&entry, Error::PlatformFailure("NoSession".into()));
        assert!(keyring.read("a").await.expect("opened again").is_some());
        assert_eq!(opened.load(Ordering::Relaxed), 2);
    }

    #[tokio::test]
    async fn no_error_repeats_what_the_keyring_holds() {
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
    async fn a_keyring_that_hangs_does_not_hang_its_caller() {
        let (release, hold) = mpsc::channel::<()>();
        let keyring = Keyring::start(move || {
            let _ = hold.recv();
            Err(Error::NoDefaultStore)
        });
        let clock: Arc<crate::clock::FakeClock> =
            Arc::new(crate::clock::FakeClock::new(jiff::Timestamp::UNIX_EPOCH));
        let shared: Arc<dyn crate::clock::Clock> = clock.clone();
        let asked = super::super::bounded(&shared, super::super::PATIENCE, keyring.read("a"));
        let (answer, ()) = tokio::join!(asked, async {
            clock
                .sleep_matching(|left| left == super::super::PATIENCE)
                .await;
            clock.advance(super::super::PATIENCE);
        });
        assert_eq!(answer.expect_err("it hangs"), VaultError::Silent);
        drop(release);
    }
}
