//! The stored session, restored at a start: from the account file and the keyring, and without the network if there is none.

use std::sync::{Arc, Weak};
use std::time::Duration;

use super::{AccountRecord, ActiveSession, Session, SessionState, StoredRefreshToken};
use crate::clock::Clock;
use crate::environments::Environments;
use crate::provider::Provider;
use crate::vault::{UNLOCK_TIMEOUT, VaultError, with_timeout};
use crate::views::CommandError;

/// A restored session is shown as offline if the provider has not answered within this time.
const FIRST_LEASE_TIMEOUT: Duration = Duration::from_secs(4);
/// How long a start waits for the keyring before it shows the error.
const RESTORE_TIMEOUT: Duration = Duration::from_secs(30);
/// The delays between the probes of an offline session; the last one repeats.
const PROBE_DELAYS: [Duration; 4] = [
    Duration::from_secs(2),
    Duration::from_secs(5),
    Duration::from_secs(10),
    Duration::from_secs(30),
];

impl Session {
    /// Restores the stored session.
    pub(crate) async fn restore(self: &Arc<Self>, environments: &Environments) {
        let Some(record) = self.account.read().await else {
            self.set_if(is_starting, SessionState::SignedOut { error: None });
            return;
        };
        match self.load(environments, record, RESTORE_TIMEOUT).await {
            Ok(active) => {
                let active = Arc::new(active);
                tokio::select! {
                    // The connectivity of the session shows whether it succeeded.
                    _ = self.lease_access_token(&active, None) => {}
                    () = self.clock.sleep(FIRST_LEASE_TIMEOUT) => {}
                }
                self.set_if(is_starting, SessionState::SignedIn(active));
            }
            Err(error) => {
                // The environment was edited since, which is no error.
                let error = Some(error).filter(|error| *error != CommandError::NotSignedIn);
                self.set_if(is_starting, SessionState::SignedOut { error });
            }
        }
    }

    /// Accesses the keyring again: stores the token of a session that is only in memory, or restores the stored session.
    pub(crate) async fn unlock(
        self: &Arc<Self>,
        environments: &Environments,
    ) -> Result<(), CommandError> {
        match self.state() {
            SessionState::SignedIn(active) => self.store_again(&active).await,
            SessionState::SignedOut { .. } => {
                let record = self.account.read().await.ok_or(CommandError::NotSignedIn)?;
                let active = Arc::new(self.load(environments, record, UNLOCK_TIMEOUT).await?);
                self.set(SessionState::SignedIn(Arc::clone(&active)));
                // The connectivity of the session shows whether it succeeded.
                let _ = self.lease_access_token(&active, None).await;
                Ok(())
            }
            SessionState::Starting => Err(CommandError::NotSignedIn),
        }
    }

    /// Probes the provider while the session is offline, and brings it back online. Ends when the session is dropped.
    pub(crate) async fn reconnect_loop(session: Weak<Self>, clock: Arc<dyn Clock>) {
        let mut attempt = 0;
        loop {
            clock.sleep(PROBE_DELAYS[attempt]).await;
            let Some(session) = session.upgrade() else {
                return;
            };
            let SessionState::SignedIn(active) = session.state() else {
                continue;
            };
            if !active.is_offline() {
                attempt = 0;
                continue;
            }
            attempt = (attempt + 1).min(PROBE_DELAYS.len() - 1);
            // A session without an access token needs one before it is online.
            if active.provider().is_reachable().await
                && session.lease_access_token(&active, None).await.is_ok()
            {
                session.note_online(&active);
            }
        }
    }

    async fn load(
        &self,
        environments: &Environments,
        record: AccountRecord,
        timeout: Duration,
    ) -> Result<ActiveSession, CommandError> {
        let environment = environments.get(&record.environment).await?;
        if !record.belongs_to(&environment) {
            // The environment was edited: the keyring entry belongs to another provider or client.
            return Err(CommandError::NotSignedIn);
        }
        let entry = record.vault_entry();
        let token =
            StoredRefreshToken::read(self.vault.as_ref(), &self.clock, timeout, &entry).await?;
        // The account is known and its entry is missing: some locked keyrings answer so. That is not a sign-out.
        let token = token.ok_or(VaultError::Unavailable)?;
        let provider = Arc::new(Provider::new(
            environment.clone(),
            Arc::clone(&self.clock),
            &self.network,
        ));
        Ok(ActiveSession::new(
            environment,
            provider,
            record,
            Some(token),
            None,
            None,
        ))
    }

    /// Stores the refresh token of a session that is only in memory, within the time that the user has to unlock the
    /// keyring.
    ///
    /// The token is not locked meanwhile, so that sign-out and refresh do not wait for the user. A write by a refresh
    /// comes after this one in the queue of the keyring.
    pub(super) async fn store_again(&self, active: &ActiveSession) -> Result<(), CommandError> {
        let token = active.refresh_token().lock().await.clone();
        let token = token.ok_or(CommandError::NotSignedIn)?;
        let entry = active.record().vault_entry();
        let write = self.vault.write(&entry, token.to_secret());
        let written = with_timeout(&self.clock, UNLOCK_TIMEOUT, write).await;
        let current = active.refresh_token().lock().await;
        if current.as_ref().map(|current| current.generation) != Some(token.generation) {
            // A refresh has replaced the token and recorded itself whether it was stored.
            return written.map_err(CommandError::from);
        }
        active.set_vault_problem(written.err().map(VaultError::problem));
        self.changes.notify();
        written?;
        self.write_refresh_in_flight(active, None).await;
        Ok(())
    }
}

fn is_starting(state: &SessionState) -> bool {
    matches!(state, SessionState::Starting)
}
