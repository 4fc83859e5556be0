//! The session of the last time, taken up again at a start: from the account file at once, from the keyring when it
//! answers, and without the network if there is none.

use std::sync::{Arc, Weak};
use std::time::Duration;

use super::chain::Link;
use super::live::Reach;
use super::{AccountRecord, Live, Session, State};
use crate::clock::Clock;
use crate::environments::Environments;
use crate::provider::Provider;
use crate::vault::{UNLOCKING, VaultError};
use crate::views::CommandError;

/// A start shows the session as offline if the network has not answered by then.
const FIRST_ANSWER: Duration = Duration::from_secs(4);
/// How long a start waits for the keyring before it shows that there is trouble with it.
const STARTING: Duration = Duration::from_secs(30);
/// How often somebody who is offline is looked after.
const PROBES: [Duration; 4] = [
    Duration::from_secs(2),
    Duration::from_secs(5),
    Duration::from_secs(10),
    Duration::from_secs(30),
];

impl Session {
    /// Takes up the kept session.
    pub(crate) async fn restore(self: &Arc<Self>, environments: &Environments) {
        let Some(record) = self.account.read().await else {
            self.replace(is_starting, State::SignedOut { trouble: None });
            return;
        };
        match self.read(environments, record, STARTING).await {
            Ok(live) => {
                let live = Arc::new(live);
                tokio::select! {
                    _ = self.lend(&live, None) => {}
                    () = self.clock.sleep(FIRST_ANSWER) => {}
                }
                self.replace(is_starting, State::SignedIn(live));
            }
            Err(error) => {
                // The environment was edited since: that is no trouble, only nobody signed in.
                let trouble = Some(error).filter(|error| *error != CommandError::NotSignedIn);
                self.replace(is_starting, State::SignedOut { trouble });
            }
        }
    }

    /// Tries the keyring again, and keeps in it what a session without it holds in memory.
    pub(crate) async fn unlock(
        self: &Arc<Self>,
        environments: &Environments,
    ) -> Result<(), CommandError> {
        match self.state() {
            State::SignedIn(live) => self.keep_again(&live).await,
            State::SignedOut { .. } => {
                let record = self.account.read().await.ok_or(CommandError::NotSignedIn)?;
                let live = Arc::new(self.read(environments, record, UNLOCKING).await?);
                self.set(State::SignedIn(Arc::clone(&live)));
                let _ = self.lend(&live, None).await;
                Ok(())
            }
            State::Starting => Err(CommandError::NotSignedIn),
        }
    }

    /// Watches over somebody who is offline until the service answers again, as long as there is a session to watch over.
    pub(crate) async fn look_after(session: Weak<Self>, clock: Arc<dyn Clock>) {
        let mut tries = 0;
        loop {
            clock.sleep(PROBES[tries]).await;
            let Some(session) = session.upgrade() else {
                return;
            };
            let State::SignedIn(live) = session.state() else {
                continue;
            };
            if live.reach() != Reach::Offline {
                tries = 0;
                continue;
            }
            tries = (tries + 1).min(PROBES.len() - 1);
            // Reachable is not yet usable: a session without an access token needs one first.
            if live.provider().reachable().await && session.lend(&live, None).await.is_ok() {
                session.note_reach(&live, Reach::Online);
            }
        }
    }

    async fn read(
        &self,
        environments: &Environments,
        record: AccountRecord,
        patience: Duration,
    ) -> Result<Live, CommandError> {
        let environment = environments.get(&record.environment).await?;
        if !record.belongs_to(&environment) {
            // The environment was edited: its keyring entry is another's.
            return Err(CommandError::NotSignedIn);
        }
        let entry = record.vault_entry();
        let link = Link::read(self.vault.as_ref(), &self.clock, patience, &entry).await?;
        // Known and not there: a keyring that cannot search while it is locked says so too. Not a sign-out.
        let link = link.ok_or(VaultError::Absent)?;
        let provider = Arc::new(Provider::new(environment.clone(), Arc::clone(&self.clock)));
        Ok(Live::new(
            environment,
            provider,
            record,
            Some(link),
            None,
            None,
        ))
    }

    /// Keeps what a session without a keyring holds in memory, within the time that a person needs to unlock it.
    ///
    /// The chain is free meanwhile: nobody waits for a person in order to sign out or to refresh. What a refresh keeps
    /// meanwhile comes after this in the keyring's queue.
    pub(super) async fn keep_again(&self, live: &Live) -> Result<(), CommandError> {
        let link = live.chain().lock().await.clone();
        let link = link.ok_or(CommandError::NotSignedIn)?;
        let entry = live.record().vault_entry();
        let kept = crate::vault::bounded(
            &self.clock,
            UNLOCKING,
            self.vault.write(&entry, link.secret()),
        )
        .await;
        let chain = live.chain().lock().await;
        if chain.as_ref().map(|now| now.generation) != Some(link.generation) {
            // A refresh has been kept since, or not: it has said so itself.
            return kept.map_err(CommandError::from);
        }
        live.note_vault(kept.err().map(VaultError::trouble));
        self.changes.bump();
        kept?;
        self.mark(live, None).await;
        Ok(())
    }
}

fn is_starting(state: &State) -> bool {
    matches!(state, State::Starting)
}
