//! The accounts of this computer: who is remembered, without secrets, and the switch between them (decision 0068).
//!
//! One account is active. The refresh tokens of the others stay in the keyring, under names of their own.

use std::path::PathBuf;
use std::sync::Arc;

use sha2::{Digest as _, Sha256};

use super::account::account_not_read;
use super::restore::Opened;
use super::{AccountRecord, ActiveSession, Session, SessionState};
use crate::environments::Environments;
use crate::files::{self, FileContent, FileError};
use crate::vault::{UNLOCK_TIMEOUT, with_timeout};
use crate::views::CommandError;

/// The file of the remembered accounts.
pub(super) struct AccountIndex {
    path: PathBuf,
    writing: tokio::sync::Mutex<()>,
}

impl AccountIndex {
    pub(super) fn new(path: PathBuf) -> Self {
        Self {
            path,
            writing: tokio::sync::Mutex::default(),
        }
    }

    /// The accounts, the one that was used last first. A file that cannot be parsed counts as empty and is kept under
    /// another name.
    ///
    /// # Errors
    /// The disk does not give the file: which accounts there are is unknown.
    pub(super) async fn read(&self) -> Result<Vec<AccountRecord>, FileError> {
        let path = self.path.clone();
        let mut accounts: Vec<AccountRecord> =
            match files::run_blocking(move || files::read_json(&path)).await? {
                FileContent::Parsed(accounts) => accounts,
                FileContent::Missing => Vec::new(),
                FileContent::Quarantined => {
                    tracing::warn!("the index of accounts cannot be parsed");
                    Vec::new()
                }
            };
        accounts.sort_by_key(|account| std::cmp::Reverse(account.last_answer));
        Ok(accounts)
    }

    /// Adds an account, or replaces what is known of it.
    pub(super) async fn put(&self, record: &AccountRecord) -> Result<(), FileError> {
        self.change(|accounts| {
            accounts.retain(|other| other.vault_entry() != record.vault_entry());
            accounts.push(record.clone());
        })
        .await
    }

    pub(super) async fn remove(&self, id: &str) -> Result<(), FileError> {
        self.change(|accounts| accounts.retain(|account| account.id() != id))
            .await
    }

    async fn change(&self, change: impl FnOnce(&mut Vec<AccountRecord>)) -> Result<(), FileError> {
        let _writing = self.writing.lock().await;
        let mut accounts = self.read().await?;
        let before = accounts.clone();
        change(&mut accounts);
        if accounts == before {
            return Ok(());
        }
        let path = self.path.clone();
        files::run_blocking(move || files::write_json(&path, &accounts)).await
    }
}

impl AccountRecord {
    /// Names the account in commands. A digest, so that the UI cannot make one up.
    pub(crate) fn id(&self) -> String {
        Sha256::digest(format!("{} {}", self.environment, self.vault_entry()))
            .iter()
            .take(8)
            .map(|byte| format!("{byte:02x}"))
            .collect()
    }
}

impl Session {
    /// The remembered accounts, the one that was used last first, and the active one even if it is not remembered.
    ///
    /// # Errors
    /// [`CommandError::AccountNotRead`]
    pub(crate) async fn accounts(&self) -> Result<Vec<AccountRecord>, CommandError> {
        let accounts = self.index.read().await;
        let mut accounts = accounts.map_err(|error| account_not_read(&error))?;
        if let SessionState::SignedIn(active) = self.state() {
            let record = active.record();
            accounts.retain(|account| account.id() != record.id());
            accounts.insert(0, record);
        }
        Ok(accounts)
    }

    /// The account with this id.
    ///
    /// # Errors
    /// [`CommandError::NotSignedIn`]: there is none. [`CommandError::AccountNotRead`]
    pub(crate) async fn account(&self, id: &str) -> Result<AccountRecord, CommandError> {
        let accounts = self.accounts().await?;
        let found = accounts.into_iter().find(|account| account.id() == id);
        found.ok_or(CommandError::NotSignedIn)
    }

    /// Makes another account the active one. The present session is left as it is: its token stays in the keyring.
    ///
    /// # Errors
    /// The account's token cannot be read. The present session goes on.
    pub(crate) async fn switch_account(
        self: &Arc<Self>,
        environments: &Environments,
        id: &str,
    ) -> Result<(), CommandError> {
        let record = self.account(id).await?;
        let previous = self.active().ok();
        if previous
            .as_ref()
            .is_some_and(|active| active.record().id() == id && !active.has_ended())
        {
            return Ok(());
        }
        let opened = match self.open(environments, record.clone()).await? {
            Opened::Session(active) => active,
            Opened::Waiting(opening) => {
                let opening = Box::pin(async move { Ok(opening.await) });
                with_timeout(&self.clock, UNLOCK_TIMEOUT, opening).await??
            }
        };
        if let Some(previous) = previous {
            self.leave(&previous).await;
        }
        // The former session is left: there is no way back, and the account works without its file.
        if let Err(error) = self.account.write(&record).await {
            tracing::warn!(
                error = &error as &dyn std::error::Error,
                "the next start will show the former account"
            );
        }
        self.set(SessionState::SignedIn(Arc::clone(&opened)));
        let session = Arc::clone(self);
        tokio::spawn(async move {
            // The connectivity of the session shows whether it succeeded.
            let _ = session.lease_access_token(&opened, None).await;
        });
        Ok(())
    }

    /// Stops using a session. It can be switched back to if it is remembered; otherwise it ends.
    pub(super) async fn leave(self: &Arc<Self>, previous: &Arc<ActiveSession>) {
        previous.close();
        // Waits for a refresh in flight, whose marker belongs to the record.
        let mut token = previous.refresh_token().lock().await;
        let record = previous.record();
        let generation = token.as_ref().map(|token| token.generation);
        if record.remembered && generation.is_some() && generation <= previous.stored_generation() {
            self.put_into_index(&record).await;
            return;
        }
        // It is only in memory, so that nobody could return to it.
        let token = token.take();
        self.discard(Arc::clone(previous), token, "");
        if let Err(error) = self.index.remove(&record.id()).await {
            tracing::warn!(
                error = &error as &dyn std::error::Error,
                "an account stays in the index of accounts"
            );
        }
    }

    /// Removes what an earlier, remembered session of the account has stored. The next start will show no session.
    pub(super) async fn forget_stored(&self, record: &AccountRecord) {
        // Dropping the future does not cancel the deletion.
        drop(self.vault.delete(&record.vault_entry()));
        let removed = self.index.remove(&record.id()).await;
        let removed = removed.and(self.account.remove().await);
        if let Err(error) = removed {
            tracing::warn!(
                error = &error as &dyn std::error::Error,
                "the next start will show the former account"
            );
        }
    }

    pub(super) async fn put_into_index(&self, record: &AccountRecord) {
        if let Err(error) = self.index.put(record).await {
            tracing::warn!(
                error = &error as &dyn std::error::Error,
                "the account is not in the index of accounts"
            );
        }
    }

    /// Ends the session of an account that is not the active one, and forgets the account.
    pub(crate) async fn forget_account(
        self: &Arc<Self>,
        environments: &Environments,
        id: &str,
    ) -> Result<(), CommandError> {
        let record = self.account(id).await?;
        let entry = record.vault_entry();
        match self.open(environments, record).await {
            Ok(Opened::Session(opened)) => self.end_opened(opened).await,
            // The keyring waits for its password before it gives the token.
            Ok(Opened::Waiting(opening)) => {
                let session = Arc::clone(self);
                tokio::spawn(async move {
                    match opening.await {
                        Ok(opened) => session.end_opened(opened).await,
                        Err(_) => drop(session.vault.delete(&entry)),
                    }
                });
            }
            // Without its token there is nothing to revoke. Dropping the future does not cancel the deletion.
            Err(_) => drop(self.vault.delete(&entry)),
        }
        Ok(self.index.remove(id).await?)
    }

    /// Ends a session that nobody uses.
    async fn end_opened(self: &Arc<Self>, opened: Arc<ActiveSession>) {
        let token = opened.refresh_token().lock().await.take();
        self.discard(opened, token, "");
    }
}
