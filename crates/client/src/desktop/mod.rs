//! The façade: one method for each command of [`for_each_command!`](crate::for_each_command), and what the program around
//! the core calls.

// Every command is async, whether it has to wait or not: the callers await them all alike.
#![allow(clippy::unused_async)]

mod drafts;
mod environments;
mod invoices;
mod organizations;
mod outbox;
mod preferences;
mod sending;
mod session;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicU32;

use crate::change_notifier::ChangeNotifier;
use crate::drafts::Drafts;
use crate::environments::Environments;
use crate::gateway::Gateway;
use crate::invoices::Invoices;
use crate::organizations::{Aliases, Places};
use crate::preferences::PreferenceStore;
use crate::retry::Waits;
use crate::session::Session;
use crate::sign_in::SignIn;
use crate::vault::Vault;
use crate::{Clock, Host, LocalEnvironment, Rng};

/// The running core.
pub struct Desktop {
    runtime: tokio::runtime::Handle,
    clock: Arc<dyn Clock>,
    rng: Arc<dyn Rng>,
    changes: Arc<ChangeNotifier>,
    environments: Arc<Environments>,
    preferences: PreferenceStore,
    session: Arc<Session>,
    sign_in: Arc<SignIn>,
    invoices: Invoices,
    drafts: Drafts,
    waits: Arc<Waits>,
    aliases: Aliases,
    places: Places,
    /// Drafts that have left by themselves.
    deliveries: AtomicU32,
}

/// What the core needs from the program around it.
pub struct Setup {
    /// Browser, scheme and window.
    pub host: Arc<dyn Host>,
    /// The embedded service, if this program has one.
    pub local: Option<Arc<dyn LocalEnvironment>>,
    /// Where secrets are kept.
    pub vault: Arc<dyn Vault>,
    /// Where everything else is kept.
    pub folders: Folders,
    /// The clock; [`SystemClock`](crate::SystemClock) outside of tests.
    pub clock: Arc<dyn Clock>,
    /// The source of random bytes; [`SystemRng`](crate::SystemRng) outside of tests.
    pub rng: Arc<dyn Rng>,
}

/// Folders of this application and user alone. They are made when something is first kept in them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folders {
    /// What a person may edit: environments, preferences, aliases.
    pub config: PathBuf,
    /// What the core keeps for itself: accounts, places, drafts, locks.
    pub data: PathBuf,
}

/// Tells windows apart; a window that is opened again under its key finds its organization again.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct WindowKey(String);

impl WindowKey {
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<String> for WindowKey {
    fn from(key: String) -> Self {
        Self(key)
    }
}

impl From<&str> for WindowKey {
    fn from(key: &str) -> Self {
        Self(key.to_owned())
    }
}

impl Desktop {
    /// Starts the core on the current tokio runtime and returns at once; reading the keyring goes on behind it.
    ///
    /// # Panics
    /// Outside a tokio runtime.
    #[must_use]
    pub fn start(setup: Setup) -> Arc<Self> {
        let Setup {
            host,
            local,
            vault,
            folders,
            clock,
            rng,
        } = setup;
        let changes = Arc::new(ChangeNotifier::new());
        let environments = Arc::new(Environments::open(
            folders.config.join("environments.json"),
            local,
        ));
        let session = Arc::new(Session::new(
            Arc::clone(&clock),
            Arc::clone(&vault),
            Arc::clone(&changes),
            &folders.data,
        ));
        let sign_in = SignIn::new(
            Arc::clone(&clock),
            Arc::clone(&rng),
            host,
            Arc::clone(&environments),
            Arc::clone(&session),
            Arc::clone(&changes),
        );
        let waits = Arc::new(Waits::new(Arc::clone(&changes)));
        let gateway = Gateway::new(
            Arc::clone(&clock),
            Arc::clone(&rng),
            Arc::clone(&session),
            Arc::clone(&waits),
        );
        let desktop = Arc::new(Self {
            runtime: tokio::runtime::Handle::current(),
            changes,
            environments,
            preferences: PreferenceStore::open(folders.config.join("preferences.json")),
            session,
            sign_in: Arc::new(sign_in),
            invoices: Invoices::new(gateway, Arc::clone(&clock)),
            drafts: Drafts::new(
                Arc::clone(&clock),
                Arc::clone(&rng),
                vault,
                folders.data.join("drafts"),
            ),
            waits,
            clock,
            rng,
            aliases: Aliases::open(folders.config.join("organizations.json")),
            places: Places::open(folders.data.join("places.json")),
            deliveries: AtomicU32::new(0),
        });
        desktop.runtime.spawn(outbox::look_after(
            Arc::downgrade(&desktop),
            desktop.changes.subscribe(),
        ));
        desktop.runtime.spawn({
            let (session, environments) = (
                Arc::clone(&desktop.session),
                Arc::clone(&desktop.environments),
            );
            let (changes, clock) = (Arc::clone(&desktop.changes), Arc::clone(&desktop.clock));
            async move {
                session.restore(&environments).await;
                if environments.start_embedded().await {
                    changes.notify();
                }
                drop(environments);
                let session = Arc::downgrade(&session);
                Session::reconnect_loop(session, clock).await;
            }
        });
        desktop
    }

    /// A deep link arrived: warm or cold, and possibly an old one again or one that somebody made up.
    pub fn callback(&self, address: &str) {
        let (sign_in, address) = (Arc::clone(&self.sign_in), address.to_owned());
        self.runtime.spawn(async move {
            // What is wrong with it is shown where the attempt is shown.
            let _ = sign_in.handle_callback(&address).await;
        });
    }

    /// The window is gone.
    pub fn close_window(&self, window: &WindowKey) {
        self.places.close(window);
    }

    /// Waits until a refresh in flight is kept, for at most 15 seconds, and starts no other.
    pub async fn stop(&self) {
        self.session.stop().await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::views::*;

    macro_rules! call_each {
        ($( $(#[doc = $doc:literal])* $name:ident ( $($argument:ident : $type:ty),* $(,)? ) -> $out:ty; )*) => {
            $(
                #[expect(dead_code, reason = "that it compiles is the test")]
                async fn $name(desktop: &Desktop, window: &WindowKey, $($argument: $type),*) -> Result<$out, CommandError> {
                    desktop.$name(window, $($argument),*).await
                }
            )*
        };
    }

    crate::for_each_command!(call_each);
}
