//! Gives out tokens. What is to be given out at the same time is written in one transaction, by a connection of its own on
//! one thread: a row costs a few microseconds there, less than it takes to ask another thread for it.
//!
//! Whoever finds the queue empty takes the writer's next turn, and takes along everybody who came before that turn began.
//! Each is answered on its own: one whose code or token is spent gets nothing, and one that cannot be written does not
//! keep the others from it.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rusqlite::{CachedStatement, Connection, Transaction, TransactionBehavior, params};
use tokio::sync::oneshot;

use super::commits::Writer;
use super::token_rows::ALIKE;
use super::{LOGGED, WRITER_CACHE, kept};
use crate::identity::secret::TokenHash;
use crate::storage::StorageError;
use crate::storage::audit::Entry;
use crate::storage::tokens::{AccessToken, Family, RefreshToken};

/// What is given out, and for what.
pub(super) struct Grant {
    /// What it costs: of all who present it one is given something.
    spends: Option<Spends>,
    /// A new authorization, if it is not of one that is kept.
    family: Option<Family>,
    access: AccessToken,
    refresh: Option<RefreshToken>,
    /// What is recorded with it.
    entries: Vec<Entry>,
    now: i64,
}

/// What can be presented once.
pub(super) enum Spends {
    Code(TokenHash),
    Refresh(TokenHash),
}

/// Who waits to be given something, and the connection that writes it.
#[derive(Clone)]
pub(super) struct Issuing {
    waiting: Arc<Mutex<Vec<Waiting>>>,
    /// Opened by the first who needs it.
    connection: Arc<Mutex<Option<Connection>>>,
    path: PathBuf,
    writer: Writer,
    /// How long it waits for another process.
    patience: Duration,
}

struct Waiting {
    /// Boxed: it is moved from one list to the next.
    grant: Box<Grant>,
    answer: oneshot::Sender<Outcome>,
}

/// Whether it was given.
type Outcome = Result<bool, StorageError>;

impl Grant {
    /// An access token, and what renews it, at the time they were made at.
    pub(super) fn of(access: &AccessToken, refresh: Option<&RefreshToken>) -> Self {
        Self {
            spends: None,
            family: None,
            access: access.clone(),
            refresh: refresh.cloned(),
            entries: Vec::new(),
            now: access.issued_at,
        }
    }

    /// For what can be presented once, at `now`.
    pub(super) fn for_what(mut self, spends: Spends, now: i64) -> Self {
        self.spends = Some(spends);
        self.now = now;
        self
    }

    /// With a new authorization.
    pub(super) fn with_family(mut self, family: &Family) -> Self {
        self.family = Some(family.clone());
        self
    }

    /// Recorded so.
    pub(super) fn recorded(mut self, entries: &[Entry]) -> Self {
        self.entries = entries.to_vec();
        self
    }
}

impl Issuing {
    /// In the database at `path`, in turns with `writer`.
    pub(super) fn new(path: PathBuf, writer: Writer, patience: Duration) -> Self {
        Self {
            waiting: Arc::default(),
            connection: Arc::default(),
            path,
            writer,
            patience,
        }
    }

    /// Writes what is given out. False, and nothing is written, if what it spends is spent or its family revoked.
    pub(super) async fn give(&self, grant: Grant) -> Outcome {
        kept::read_anew();
        let (answer, given) = oneshot::channel();
        let grant = Box::new(grant);
        if self.join(Waiting { grant, answer }) {
            let issuing = self.clone();
            // On its own: the others rely on it, even if this caller goes away.
            tokio::spawn(async move { issuing.give_all().await });
        }
        given.await.unwrap_or_else(|_| Err(gone()))
    }

    /// Closes the connection. Nobody may be waiting.
    pub(super) fn close(&self) {
        *lock(&self.connection) = None;
    }

    /// Whether nobody waited before.
    fn join(&self, waiting: Waiting) -> bool {
        let mut queue = lock(&self.waiting);
        queue.push(waiting);
        queue.len() == 1
    }

    async fn give_all(self) {
        let turn = self.writer.alone().await;
        let waiting = std::mem::take(&mut *lock(&self.waiting));
        let (grants, answers): (Vec<_>, Vec<_>) = waiting
            .into_iter()
            .map(|waiting| (waiting.grant, waiting.answer))
            .unzip();
        let turn = match turn {
            Ok(turn) => turn,
            Err(error) => {
                let all = grants.iter().map(|_| Err(error.clone()));
                return tell(answers, all.collect());
            }
        };
        let writing = tokio::task::spawn_blocking(move || {
            let outcomes = self.write(&grants);
            drop(turn);
            outcomes
        });
        // Told from here and not from that thread: to wake somebody across threads costs more than a row does.
        match writing.await {
            Ok(outcomes) => tell(answers, outcomes),
            Err(error) => {
                // Everybody who waited is told by the end of their channel.
                tracing::error!(%error, "tokens could not be given out");
            }
        }
    }

    fn write(&self, grants: &[Box<Grant>]) -> Vec<Outcome> {
        let mut connection = lock(&self.connection);
        let connection = match &mut *connection {
            Some(connection) => connection,
            closed => match self.open() {
                Ok(opened) => closed.insert(opened),
                Err(error) => {
                    let error = StorageError::from(error);
                    return grants.iter().map(|_| Err(error.clone())).collect();
                }
            },
        };
        match give(connection, grants) {
            Ok(given) => given.into_iter().map(Ok).collect(),
            // Whose fault it is shows when each is on its own.
            Err(_) if grants.len() > 1 => grants
                .chunks(1)
                .map(|grant| Ok(give(connection, grant)?.contains(&true)))
                .collect(),
            Err(error) => vec![Err(error)],
        }
    }

    fn open(&self) -> rusqlite::Result<Connection> {
        let connection = Connection::open(&self.path)?;
        connection.busy_timeout(self.patience)?;
        connection.set_prepared_statement_cache_capacity(32);
        connection.pragma_update(None, "foreign_keys", true)?;
        connection.pragma_update(None, "synchronous", "FULL")?;
        connection.pragma_update(None, "cache_size", WRITER_CACHE)?;
        connection.pragma_update(None, "wal_autocheckpoint", LOGGED)?;
        Ok(connection)
    }
}

fn tell(answers: Vec<oneshot::Sender<Outcome>>, outcomes: Vec<Outcome>) {
    for (answer, outcome) in answers.into_iter().zip(outcomes) {
        // Whoever is gone does not need to hear it.
        let _ = answer.send(outcome);
    }
}

fn gone() -> StorageError {
    StorageError::Unexpected("the writer is gone".to_owned())
}

fn lock<Kept>(kept: &Mutex<Kept>) -> std::sync::MutexGuard<'_, Kept> {
    kept.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Which of `grants` are given: in one transaction, on the disk when this returns.
fn give(connection: &mut Connection, grants: &[Box<Grant>]) -> Result<Vec<bool>, StorageError> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    told("BEGIN IMMEDIATE");
    let mut statements = Statements::prepare(&transaction)?;
    let given = grants.iter().map(|grant| statements.give(grant));
    let given = given.collect::<Result<_, _>>()?;
    drop(statements);
    transaction.commit()?;
    told("COMMIT");
    Ok(given)
}

/// Tells that a statement was run, as those of other writes are told.
fn told(statement: &'static str) {
    tracing::debug!(summary = statement);
}

/// Inserts what has this hash at its number, or at the next that is free: [`ALIKE`] are looked through for it.
fn at_a_free_number(
    hash: &TokenHash,
    mut insert: impl FnMut(i64) -> rusqlite::Result<usize>,
) -> Result<(), StorageError> {
    for number in (hash.number()..).take(ALIKE) {
        if insert(number)? > 0 {
            return Ok(());
        }
    }
    Err(StorageError::Busy)
}

/// What a grant is written with.
struct Statements<'transaction> {
    spend_code: CachedStatement<'transaction>,
    spend_refresh: CachedStatement<'transaction>,
    family: CachedStatement<'transaction>,
    access: CachedStatement<'transaction>,
    refresh: CachedStatement<'transaction>,
    audit: CachedStatement<'transaction>,
}

const SPEND_CODE: &str =
    "UPDATE authorization_codes SET used_at = ?3 WHERE number = ?1 AND hash = ?2 AND used_at IS NULL
     AND EXISTS (SELECT 1 FROM families f WHERE f.id = family AND f.revoked_at IS NULL)";
const SPEND_REFRESH: &str =
    "UPDATE refresh_tokens SET used_at = ?3 WHERE number = ?1 AND hash = ?2 AND used_at IS NULL
     AND EXISTS (SELECT 1 FROM families f WHERE f.id = family AND f.revoked_at IS NULL)";
/// A new authorization. `tokens` has the same with a code.
pub(super) const FAMILY: &str =
    "INSERT INTO families (id, client_id, subject, session_id, scope, authenticated_at, expires_at)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
const ACCESS: &str =
    "INSERT INTO access_tokens (number, hash, family, client_id, subject, scope, audiences, carries_home, actor, issued_at,
        expires_at)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11) ON CONFLICT (number) DO NOTHING";
const REFRESH: &str = "INSERT INTO refresh_tokens (number, hash, family, expires_at)
     VALUES (?1, ?2, ?3, ?4) ON CONFLICT (number) DO NOTHING";

impl<'transaction> Statements<'transaction> {
    fn prepare(transaction: &'transaction Transaction<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            spend_code: transaction.prepare_cached(SPEND_CODE)?,
            spend_refresh: transaction.prepare_cached(SPEND_REFRESH)?,
            family: transaction.prepare_cached(FAMILY)?,
            access: transaction.prepare_cached(ACCESS)?,
            refresh: transaction.prepare_cached(REFRESH)?,
            audit: transaction.prepare_cached(super::audit::INSERT)?,
        })
    }

    /// Whether it is given: false if what it costs is spent, and nothing is written.
    fn give(&mut self, grant: &Grant) -> Outcome {
        let paid = match &grant.spends {
            Some(Spends::Code(hash)) => {
                let spent = (hash.number(), hash.as_bytes(), grant.now);
                self.spend_code.execute(spent)? > 0
            }
            Some(Spends::Refresh(hash)) => {
                let spent = (hash.number(), hash.as_bytes(), grant.now);
                self.spend_refresh.execute(spent)? > 0
            }
            None => true,
        };
        match &grant.spends {
            Some(Spends::Code(_)) => told("UPDATE authorization_codes SET used_at"),
            Some(Spends::Refresh(_)) => told("UPDATE refresh_tokens SET used_at"),
            None => {}
        }
        if !paid {
            return Ok(false);
        }
        if let Some(family) = &grant.family {
            self.family.execute(params![
                family.id,
                family.client_id,
                family.subject,
                family.session_id.as_deref().unwrap_or_default(),
                family.scope,
                family.authenticated_at,
                family.expires_at
            ])?;
            told("INSERT INTO families (…)");
        }
        let access = &grant.access;
        let audiences = match &*access.audiences {
            [audience] => audience.clone(),
            several => several.join(" "),
        };
        at_a_free_number(&access.hash, |number| {
            self.access.execute(params![
                number,
                access.hash.as_bytes(),
                access.family,
                access.client_id,
                access.subject,
                access.scope,
                audiences,
                access.carries_home,
                access.actor,
                access.issued_at,
                access.expires_at
            ])
        })?;
        told("INSERT INTO access_tokens (…)");
        if let Some(refresh) = &grant.refresh {
            at_a_free_number(&refresh.hash, |number| {
                self.refresh.execute(params![
                    number,
                    refresh.hash.as_bytes(),
                    access.family,
                    refresh.expires_at
                ])
            })?;
            told("INSERT INTO refresh_tokens (…)");
        }
        for entry in &grant.entries {
            let detail = super::audit::detail(entry)?;
            self.audit.execute(params![
                entry.at,
                entry.kind.name(),
                entry.subject,
                entry.actor,
                entry.organization,
                entry.client_id,
                entry.address,
                detail
            ])?;
            told("INSERT INTO audit (…)");
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_the_same_number_stands_at_the_next_that_is_free_and_is_found_there() {
        let database = Connection::open_in_memory().unwrap();
        database
            .execute_batch("CREATE TABLE given (number INTEGER PRIMARY KEY, hash BYTEA NOT NULL)")
            .unwrap();
        // The last place that is looked through is taken by somebody else's number.
        let (number, other) = (1_000, TokenHash::of("other"));
        database
            .execute("INSERT INTO given VALUES (1007, ?1)", [other.as_bytes()])
            .unwrap();
        let hashes: Vec<_> = (0..8)
            .map(|each| TokenHash::kept(number, TokenHash::of(&format!("{each}")).as_bytes()))
            .map(Option::unwrap)
            .collect();
        let insert = |hash: &TokenHash| {
            at_a_free_number(hash, |number| {
                let row = params![number, hash.as_bytes()];
                let insert = "INSERT INTO given VALUES (?1, ?2) ON CONFLICT (number) DO NOTHING";
                database.execute(insert, row)
            })
        };
        let (last, first) = hashes.split_last().unwrap();
        for hash in first {
            insert(hash).unwrap();
        }
        assert!(insert(last).is_err(), "never where nobody looks for it");
        for hash in first {
            let select =
                "SELECT number FROM given WHERE number BETWEEN ?1 AND ?1 + 7 AND hash = ?2";
            let key = params![hash.number(), hash.as_bytes()];
            let found: i64 = database.query_row(select, key, |row| row.get(0)).unwrap();
            assert!((1_000..1_007).contains(&found));
        }
    }
}
