//! Sign-outs and ends of former sessions that the identity provider has not confirmed yet, and the environments whose next
//! sign-in asks for the password. The file names them; the tokens themselves are in the keyring and in memory.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use invoicing_contract::ClientId;
use jiff::Timestamp;
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::AccountRecord;
use super::refresh_token::{RefreshLock, StoredRefreshToken, lock_path};
use crate::clock::Clock;
use crate::environments::Environment;
use crate::files::{self, FileContent, FileError};

/// A provider ends every refresh token on its own after at most so many days, as ours does (decision 0004).
const MAX_AGE_HOURS: i64 = 90 * 24;

/// A session that was signed out here, and that the provider may still know. It holds no secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct PendingSignOut {
    /// Names the keyring entry of its tokens.
    pub(super) id: String,
    /// Name of its environment.
    pub(super) environment: String,
    /// As in the account record.
    pub(super) authority: String,
    pub(super) client_id: ClientId,
    /// The keyring entry that the session had. `None` if it ended without a sign-out: its entry is deleted, or of a later session.
    pub(super) entry: Option<String>,
    /// The generation of its refresh token. A token of that entry with a higher one is of a later session.
    generation: u64,
    /// As in the account record; it tells it from a later session of the same user.
    #[serde(default)]
    session: String,
    /// `iat` of its id_token, which does so for records of earlier versions.
    issued_at: Timestamp,
    since: Timestamp,
}

/// What the provider needs to end a session.
#[derive(Clone)]
pub(super) struct SignOutTokens {
    /// The refresh token, or the access token of a session without one.
    pub(super) token: SecretString,
    /// Names the session of the browser. `None`: that session goes on.
    pub(super) id_token: Option<SecretString>,
}

#[derive(Deserialize)]
struct KeyringRecord {
    token: SecretString,
    id_token: Option<SecretString>,
}

/// Provider and client that a sign-in goes to.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct ProviderClient {
    authority: String,
    client_id: ClientId,
}

/// The content of the file.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
struct Content {
    asks_for_password: BTreeSet<ProviderClient>,
    pending: Vec<PendingSignOut>,
}

/// The file and what it cannot hold.
pub(super) struct SignOutQueue {
    clock: Arc<dyn Clock>,
    path: PathBuf,
    lock: PathBuf,
    /// Serializes the changes of this process.
    writing: tokio::sync::Mutex<()>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// By the id of the sign-out.
    tokens: HashMap<String, SignOutTokens>,
    /// What could not be written to the file.
    unwritten: Content,
}

impl PendingSignOut {
    pub(super) fn new(id: String, record: &AccountRecord, generation: u64, now: Timestamp) -> Self {
        Self {
            id,
            environment: record.environment.clone(),
            authority: record.authority.clone(),
            client_id: record.client_id.clone(),
            entry: Some(record.vault_entry()),
            generation,
            session: record.session.clone(),
            issued_at: record.identity.issued_at,
            since: now,
        }
    }

    /// The end of a session that another has replaced, or that was left.
    pub(super) fn of_former(id: String, record: &AccountRecord, now: Timestamp) -> Self {
        Self {
            entry: None,
            ..Self::new(id, record, 0, now)
        }
    }

    /// The keyring entry of its tokens.
    pub(super) fn queue_entry(&self) -> String {
        format!("sign-out {}", self.id)
    }

    /// Whether it ended the session of this record, and not an earlier one of the same user.
    pub(super) fn ended(&self, record: &AccountRecord) -> bool {
        self.entry.as_ref() == Some(&record.vault_entry())
            && self.session == record.session
            && (!self.session.is_empty() || self.issued_at == record.identity.issued_at)
    }

    /// Whether its tokens have expired at the provider.
    pub(super) fn has_expired(&self, now: Timestamp) -> bool {
        now.duration_since(self.since).as_hours() >= MAX_AGE_HOURS
    }

    /// The tokens in the entry that the session had, unless a later session has replaced them.
    pub(super) fn tokens_of_entry(&self, text: Option<SecretString>) -> Option<SignOutTokens> {
        let stored = StoredRefreshToken::parse(text)?;
        (stored.generation <= self.generation).then(|| stored.into())
    }
}

impl From<StoredRefreshToken> for SignOutTokens {
    fn from(stored: StoredRefreshToken) -> Self {
        Self {
            token: stored.token,
            id_token: stored.id_token,
        }
    }
}

impl SignOutTokens {
    /// The text of the keyring entry.
    pub(super) fn to_secret(&self) -> SecretString {
        let id_token = self.id_token.as_ref().map(ExposeSecret::expose_secret);
        json!({"token": self.token.expose_secret(), "id_token": id_token})
            .to_string()
            .into()
    }

    pub(super) fn parse(text: Option<SecretString>) -> Option<Self> {
        let record = serde_json::from_str::<KeyringRecord>(text?.expose_secret()).ok()?;
        Some(Self {
            token: record.token,
            id_token: record.id_token,
        })
    }
}

impl SignOutQueue {
    pub(super) fn new(clock: Arc<dyn Clock>, data: &Path) -> Self {
        Self {
            clock,
            path: data.join("sign-outs.json"),
            lock: lock_path(&data.join("locks"), "sign-outs"),
            writing: tokio::sync::Mutex::default(),
            state: Mutex::default(),
        }
    }

    /// Adds a sign-out of the person, after which the next sign-in asks for the password.
    ///
    /// # Errors
    /// It could not be written. It is kept until the program ends.
    pub(super) async fn add(
        &self,
        pending: PendingSignOut,
        tokens: Option<SignOutTokens>,
    ) -> Result<(), FileError> {
        if let Some(tokens) = tokens {
            self.state().tokens.insert(pending.id.clone(), tokens);
        }
        let client = ProviderClient {
            authority: pending.authority.clone(),
            client_id: pending.client_id.clone(),
        };
        self.change(|content| {
            content.asks_for_password.insert(client.clone());
            content.pending.push(pending.clone());
        })
        .await
    }

    /// Adds the end of a former session, which the next sign-in has nothing to do with.
    ///
    /// # Errors
    /// It could not be written. It is kept until the program ends.
    pub(super) async fn add_former(
        &self,
        pending: PendingSignOut,
        tokens: SignOutTokens,
    ) -> Result<(), FileError> {
        self.state().tokens.insert(pending.id.clone(), tokens);
        self.change(|content| content.pending.push(pending.clone()))
            .await
    }

    /// Removes a sign-out that is done.
    pub(super) async fn remove(&self, id: &str) {
        self.state().tokens.remove(id);
        let removed = self.change(|content| content.pending.retain(|pending| pending.id != id));
        if let Err(error) = removed.await {
            // It is only done once more after a restart.
            tracing::warn!(
                error = &error as &dyn std::error::Error,
                "a sign-out was not removed"
            );
        }
    }

    /// The sign-outs that are known, and the error if the file cannot be read: then there may be others.
    pub(super) async fn pending(&self) -> (Vec<PendingSignOut>, Option<FileError>) {
        let (content, unreadable) = self.read().await;
        (content.pending, unreadable)
    }

    /// All sign-outs.
    ///
    /// # Errors
    /// The file cannot be read.
    pub(super) async fn all_pending(&self) -> Result<Vec<PendingSignOut>, FileError> {
        let (pending, unreadable) = self.pending().await;
        unreadable.map_or(Ok(pending), Err)
    }

    /// The highest generation of a refresh token among the sign-outs of a keyring entry; 0 if there is none.
    pub(super) async fn last_generation(&self, entry: &str) -> u64 {
        let (pending, _) = self.pending().await;
        pending
            .iter()
            .filter(|pending| pending.entry.as_deref() == Some(entry))
            .map(|pending| pending.generation)
            .max()
            .unwrap_or(0)
    }

    /// Whether the next sign-in asks for the password, because the person has signed out, or because that is unknown.
    pub(super) async fn asks_for_password(&self, environment: &Environment) -> bool {
        let client = ProviderClient::of(environment);
        let (content, unreadable) = self.read().await;
        unreadable.is_some() || content.asks_for_password.contains(&client)
    }

    /// Forgets that the next sign-in asks for the password: it has been done.
    pub(super) async fn signed_in(&self, environment: &Environment) {
        if !self.asks_for_password(environment).await {
            return;
        }
        let client = ProviderClient::of(environment);
        let removed = self.change(|content| {
            content.asks_for_password.remove(&client);
        });
        if let Err(error) = removed.await {
            // The next sign-in asks once more than it must.
            tracing::warn!(
                error = &error as &dyn std::error::Error,
                "a sign-in was not recorded"
            );
        }
    }

    /// The tokens in memory.
    pub(super) fn tokens(&self, id: &str) -> Option<SignOutTokens> {
        self.state().tokens.get(id).cloned()
    }

    /// The content of the file, with what could not be written to it. If the file cannot be read, the latter alone and the
    /// error.
    async fn read(&self) -> (Content, Option<FileError>) {
        let path = self.path.clone();
        let read = files::run_blocking(move || files::read_json::<Content>(&path)).await;
        let (stored, unreadable) = match read {
            Ok(FileContent::Parsed(content)) => (content, None),
            Ok(FileContent::Missing | FileContent::Quarantined) => (Content::default(), None),
            Err(error) => {
                tracing::warn!(
                    error = &error as &dyn std::error::Error,
                    "the file of sign-outs cannot be read"
                );
                (Content::default(), Some(error))
            }
        };
        (stored.with(&self.state().unwritten), unreadable)
    }

    /// Changes the file, under a lock that other processes respect. A file that cannot be read is not overwritten.
    async fn change(&self, change: impl Fn(&mut Content)) -> Result<(), FileError> {
        let _writing = self.writing.lock().await;
        let lock = RefreshLock::acquire(&self.clock, &self.lock).await;
        if let Err(error) = &lock {
            tracing::warn!(
                error = error as &dyn std::error::Error,
                "sign-outs are not locked"
            );
        }
        let (mut content, unreadable) = self.read().await;
        change(&mut content);
        let outcome = match unreadable {
            Some(error) => Err(error),
            None => {
                let (path, written) = (self.path.clone(), content.clone());
                files::run_blocking(move || files::write_json(&path, &written)).await
            }
        };
        self.state().unwritten = match &outcome {
            Ok(()) => Content::default(),
            Err(_) => content,
        };
        outcome
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ProviderClient {
    fn of(environment: &Environment) -> Self {
        Self {
            authority: environment.authority().to_owned(),
            client_id: environment.client_id().clone(),
        }
    }
}

impl Content {
    fn with(mut self, other: &Self) -> Self {
        self.asks_for_password
            .extend(other.asks_for_password.iter().cloned());
        for pending in &other.pending {
            if self.pending.iter().all(|known| known.id != pending.id) {
                self.pending.push(pending.clone());
            }
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The record of a session that began in the same second as any other.
    fn record(session: &str) -> AccountRecord {
        let home = json!({"id": "1", "name": "", "domain": ""});
        let (name, issued_at) = ("Noura", Timestamp::UNIX_EPOCH);
        let identity = json!({
            "subject": "u",
            "name": name,
            "username": name,
            "home": home,
            "roles": {},
            "issued_at": issued_at,
        });
        let record = json!({
            "environment": "local",
            "authority": "local",
            "client_id": "desk",
            "identity": identity,
            "last_answer": issued_at,
            "session": session,
        });
        serde_json::from_value(record).expect("a record")
    }

    #[test]
    fn sign_out_has_not_ended_a_session_of_the_user_that_began_in_the_same_second() {
        let now = Timestamp::UNIX_EPOCH;
        let of = |ended: &AccountRecord| PendingSignOut::new("1".to_owned(), ended, 1, now);
        let (first, second) = (record("first"), record("second"));
        assert!(of(&first).ended(&first) && !of(&first).ended(&second));
        let earlier_version = record("");
        assert!(of(&earlier_version).ended(&earlier_version));
        assert!(!of(&earlier_version).ended(&second));
    }
}
