//! Who is signed in, and the access token that calls are made with.

mod access;
mod account;
mod chain;
mod identity;
mod live;
mod refresh;
mod restore;

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use secrecy::SecretString;

use crate::changes::Changes;
use crate::clock::Clock;
use crate::environments::Environment;
use crate::provider::{self, Provider};
use crate::vault::{PATIENCE, Vault, VaultError, bounded};
use crate::views::{CommandError, VaultTrouble};

use access::Access;
use account::{AccountFile, AccountRecord};
use chain::{Link, Lock, lock_path};
pub(crate) use identity::{Home, Identity};
pub(crate) use live::{Lent, Live, Reach};
pub(crate) use refresh::Unusable;

/// How long the identity provider gets to hear of a sign-out.
const FAREWELL: Duration = Duration::from_secs(5);
/// How long a refresh in flight may hold up the end of the program.
const LAST_REFRESH: Duration = Duration::from_secs(15);

/// The session of this application: there is one at a time.
pub(crate) struct Session {
    clock: Arc<dyn Clock>,
    vault: Arc<dyn Vault>,
    changes: Arc<Changes>,
    account: AccountFile,
    locks: PathBuf,
    state: Mutex<State>,
}

/// Where it stands.
#[derive(Clone)]
pub(crate) enum State {
    /// The keyring is being read at start.
    Starting,
    /// Nobody is signed in.
    SignedOut {
        /// Why, if that was not asked for.
        trouble: Option<CommandError>,
    },
    /// Somebody is.
    SignedIn(Arc<Live>),
}

impl Session {
    pub(crate) fn new(
        clock: Arc<dyn Clock>,
        vault: Arc<dyn Vault>,
        changes: Arc<Changes>,
        data: &std::path::Path,
    ) -> Self {
        Self {
            clock,
            vault,
            changes,
            account: AccountFile::new(data.join("account.json")),
            locks: data.join("locks"),
            state: Mutex::new(State::Starting),
        }
    }

    pub(crate) fn state(&self) -> State {
        self.state
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Who is signed in.
    pub(crate) fn live(&self) -> Result<Arc<Live>, CommandError> {
        match self.state() {
            State::SignedIn(live) => Ok(live),
            State::Starting | State::SignedOut { .. } => Err(CommandError::NotSignedIn),
        }
    }

    /// Who would be expected to sign in to an environment: whoever was last.
    pub(crate) async fn login_hint(&self, environment: &str) -> Option<String> {
        let record = self.account.read().await?;
        (record.environment == environment).then_some(record.identity.username)
    }

    /// What proves to the identity provider that this program is the one that signed in, until it is ended.
    pub(crate) fn id_token(&self, environment: &str) -> Option<SecretString> {
        let live = self.live().ok()?;
        (live.environment().name() == environment)
            .then(|| live.id_token())
            .flatten()
    }

    /// A sign-in has succeeded. Keeps it, then shows it; whoever was signed in before is not any more.
    pub(crate) async fn begin(
        self: &Arc<Self>,
        environment: Environment,
        provider: Arc<Provider>,
        signed_in: provider::SignedIn,
    ) {
        let provider::SignedIn {
            tokens,
            identity,
            id_token,
        } = signed_in;
        let record = AccountRecord {
            environment: environment.name().to_owned(),
            authority: environment.authority().to_owned(),
            client_id: environment.client_id().to_owned(),
            identity,
            last_answer: self.clock.now(),
            refresh_in_flight: None,
        };
        let entry = record.vault_entry();
        let before = self.live().ok();
        // A refresh in flight ends first, so that it cannot put an older token in the place of the new one.
        let mut replaced = match &before {
            Some(before) => Some(before.chain().lock().await),
            None => None,
        };
        let lock = Lock::take(&self.clock, &lock_path(&self.locks, &entry)).await;
        let (link, trouble) = self.keep_first(&entry, tokens.refresh).await;
        if let Err(error) = self.account.write(&record).await {
            tracing::warn!(%error, "the account was not kept: the next start will not know it");
        }
        drop(lock);
        let generation = link.as_ref().map_or(1, |link| link.generation);
        let access = Access::new(
            tokens.access,
            generation,
            tokens.expires_in,
            self.clock.as_ref(),
        );
        let live = Live::new(environment, provider, record, link, Some(access), trouble);
        live.keep_id_token(id_token);
        let live = Arc::new(live);
        self.set(State::SignedIn(Arc::clone(&live)));
        if trouble == Some(VaultTrouble::Silent) {
            // Perhaps it asks for its password on another screen: work begins meanwhile.
            let session = Arc::clone(self);
            tokio::spawn(async move {
                // Whether it was kept is shown where the session is shown.
                let _ = session.keep_again(&live).await;
            });
        }

        if let Some(before) = &before {
            before.close();
            let token = replaced
                .as_mut()
                .and_then(|link| link.take())
                .map(|link| link.token);
            drop(replaced);
            let other = before.record().vault_entry();
            if other != entry {
                // Dropping the future does not stop the keyring.
                drop(self.vault.delete(&other));
            }
            let before = Arc::clone(before);
            tokio::spawn(async move {
                // Calls under way end first: they carry a token that goes with the session.
                drop(before.access().write().await.take());
                farewell(Arc::clone(before.provider()), token, None).await;
            });
        }
    }

    /// Keeps the first refresh token of a session in the keyring, above whatever another process may have kept there.
    async fn keep_first(
        &self,
        entry: &str,
        token: Option<SecretString>,
    ) -> (Option<Link>, Option<VaultTrouble>) {
        let clock = &self.clock;
        let before = Link::read(self.vault.as_ref(), clock, PATIENCE, entry).await;
        let Some(token) = token else {
            return (None, None);
        };
        let generation = match &before {
            Ok(before) => before.as_ref().map_or(1, |link| link.generation + 1),
            // Unknown: no chain has ever had as many links as there have been milliseconds.
            Err(_) => u64::try_from(clock.now().as_millisecond()).unwrap_or(1),
        };
        let link = Link { generation, token };
        if let Err(VaultError::Silent) = before {
            return (Some(link), Some(VaultTrouble::Silent));
        }
        let kept = bounded(clock, PATIENCE, self.vault.write(entry, link.secret())).await;
        (Some(link), kept.err().map(VaultError::trouble))
    }

    /// Ends the session here and, as far as it can be reached, at the identity provider. Drafts stay.
    pub(crate) async fn sign_out(&self) -> Result<(), CommandError> {
        let live = self.live()?;
        // A refresh in flight ends first, so that it cannot put a token back.
        let mut chain = live.chain().lock().await;
        let token = chain.take().map(|link| link.token);
        drop(live.access().write().await.take());
        let forgotten = self.vault.delete(&live.record().vault_entry());
        let forgotten = bounded(&self.clock, PATIENCE, forgotten).await;
        self.account.remove().await?;
        self.set(State::SignedOut {
            trouble: forgotten.err().map(CommandError::from),
        });
        let farewell = farewell(Arc::clone(live.provider()), token, live.take_id_token());
        tokio::select! {
            () = farewell => {}
            () = self.clock.sleep(FAREWELL) => tracing::info!("the identity provider did not hear of the sign-out"),
        }
        Ok(())
    }

    /// Waits for a refresh in flight, bounded, and lets no other begin.
    pub(crate) async fn stop(&self) {
        if let State::SignedIn(live) = self.state() {
            live.close();
            tokio::select! {
                _ = live.chain().lock() => {}
                () = self.clock.sleep(LAST_REFRESH) => tracing::warn!("a refresh was still in flight at the end"),
            }
        }
    }

    pub(crate) fn set(&self, state: State) {
        self.replace(|_| true, state);
    }

    /// A new attempt begins, so why the last one ended is past. What is wrong with the keyring is not.
    pub(crate) fn forget_trouble(&self) {
        let past = |state: &State| match state {
            State::SignedOut {
                trouble: Some(trouble),
            } => !matches!(trouble, CommandError::Vault { .. }),
            State::SignedOut { trouble: None } | State::Starting | State::SignedIn(_) => false,
        };
        self.replace(past, State::SignedOut { trouble: None });
    }

    /// Sets the state if the one before it `fits`: somebody may have signed in meanwhile.
    fn replace(&self, fits: impl FnOnce(&State) -> bool, state: State) {
        let mut now = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if fits(&now) {
            *now = state;
            drop(now);
            self.changes.bump();
        }
    }
}

/// Revokes first: ending the session leaves refresh tokens alive at some providers.
async fn farewell(
    provider: Arc<Provider>,
    token: Option<SecretString>,
    id_token: Option<SecretString>,
) {
    if let Some(token) = token
        && let Err(error) = provider.revoke(&token).await
    {
        tracing::info!(%error, "the refresh token was not revoked");
    }
    if let Some(id_token) = id_token
        && let Err(error) = provider.end_session(&id_token).await
    {
        tracing::info!(%error, "the session was not ended at the identity provider");
    }
}
