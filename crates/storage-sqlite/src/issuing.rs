//! Gives out tokens. What is to be given out at the same time is written in one transaction, by a connection of its own on
//! one thread: a row costs a few microseconds there, less than it takes to ask another thread for it.
//!
//! Whoever finds the queue empty takes the writer's next turn, and takes along everybody who came before that turn began, and
//! first of all lets those come who are on their way: a transaction costs as much as a dozen of the rows in it.
//! Each is answered on its own: one whose code or token is spent gets nothing, and one that cannot be written does not
//! keep the others from it.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension as _, TransactionBehavior};
use tokio::sync::oneshot;

use super::commits::Writer;
use super::issuing_rows::{Statements, told};
use super::kept::{self, Known};
use super::reaches::Reaches;
use super::{LOGGED, WRITER_CACHE};
use invoicing_storage::StorageError;
use invoicing_storage::audit::Entry;
use invoicing_storage::secret::TokenHash;
use invoicing_storage::tokens::{AccessToken, Family, RefreshToken};

/// So many are not let wait for more.
const TOGETHER: usize = 512;

/// What is given out, and for what.
pub(super) struct Grant {
    /// What it costs: of all who present it one is given something.
    pub(super) spends: Option<Spends>,
    /// A new authorization, if it is not of one that is kept.
    pub(super) family: Option<Family>,
    pub(super) access: AccessToken,
    pub(super) refresh: Option<RefreshToken>,
    /// What is recorded with it.
    pub(super) entries: Vec<Entry>,
    pub(super) now: i64,
    /// The number of changes that it was made up with, if that is not sure.
    supposed: Option<i64>,
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
    reaches: Arc<Reaches>,
    /// How long it waits for another process.
    patience: Duration,
}

struct Waiting {
    grant: Box<Grant>,
    answer: oneshot::Sender<Outcome>,
}

/// What became of it.
type Outcome = Result<Given, StorageError>;

/// Whether it was given. If not, nothing is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Given {
    Yes,
    /// What it costs was spent before.
    Spent,
    /// It was made up with what is no longer so.
    Outdated,
}

impl Grant {
    /// An access token, and what renews it, at the time they were made at.
    ///
    /// Boxed: it goes through many hands.
    pub(super) fn of(access: AccessToken, refresh: Option<RefreshToken>) -> Box<Self> {
        Box::new(Self {
            spends: None,
            family: None,
            now: access.issued_at,
            access,
            refresh,
            entries: Vec::new(),
            supposed: None,
        })
    }

    /// For what can be presented once, at `now`.
    pub(super) fn for_what(mut self: Box<Self>, spends: Spends, now: i64) -> Box<Self> {
        self.spends = Some(spends);
        self.now = now;
        self
    }

    /// With a new authorization.
    pub(super) fn with_family(mut self: Box<Self>, family: Family) -> Box<Self> {
        self.family = Some(family);
        self
    }

    /// Recorded so.
    pub(super) fn recorded(mut self: Box<Self>, entries: Vec<Entry>) -> Box<Self> {
        self.entries = entries;
        self
    }
}

impl Issuing {
    /// In the database at `path`, in turns with `writer`.
    pub(super) fn new(
        path: PathBuf,
        writer: Writer,
        reaches: Arc<Reaches>,
        patience: Duration,
    ) -> Self {
        Self {
            waiting: Arc::default(),
            connection: Arc::default(),
            path,
            writer,
            reaches,
            patience,
        }
    }

    /// Writes what is given out. False, and nothing is written, if what it spends is spent or its family revoked; busy if what
    /// this request supposed is not so.
    pub(super) async fn give(&self, mut grant: Box<Grant>) -> Result<bool, StorageError> {
        if let Known::Supposed(number) = kept::known() {
            grant.supposed = Some(number);
        }
        kept::read_anew();
        let supposed = grant.supposed.is_some();
        match self.outcome(grant).await? {
            Given::Yes => {
                if supposed {
                    // It was so.
                    kept::know(Known::Nothing);
                }
                Ok(true)
            }
            Given::Spent => Ok(false),
            Given::Outdated => {
                kept::know(Known::Changed);
                Err(StorageError::Busy)
            }
        }
    }

    /// Closes the connection. Nobody may be waiting.
    pub(super) fn close(&self) {
        *lock(&self.connection) = None;
    }

    async fn outcome(&self, grant: Box<Grant>) -> Outcome {
        let (answer, given) = oneshot::channel();
        if self.join(Waiting { grant, answer }) {
            let issuing = self.clone();
            // On its own: the others rely on it, even if this caller goes away.
            tokio::spawn(async move { issuing.give_all().await });
        }
        given.await.unwrap_or_else(|_| Err(gone()))
    }

    /// Whether nobody waited before.
    fn join(&self, waiting: Waiting) -> bool {
        let mut queue = lock(&self.waiting);
        queue.push(waiting);
        queue.len() == 1
    }

    /// Returns when nobody else is about to come: all that has arrived at the service by now was read and looked at, and
    /// whoever of them is to be given something is in the queue. Nobody is waited for: alone, one goes on at once.
    async fn gather(&self) {
        let mut before = 0;
        loop {
            let waiting = lock(&self.waiting).len();
            if waiting == before || waiting >= TOGETHER {
                return;
            }
            before = waiting;
            tokio::task::yield_now().await;
        }
    }

    async fn give_all(self) {
        let turn = self.writer.alone().await;
        self.gather().await;
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
            (grants, outcomes)
        });
        // MemberClaims from here and not from that thread: to wake somebody across threads costs more than a row does. What was written
        // is given back here too, where it was made: to free what another thread has allocated costs more.
        match writing.await {
            Ok((_, outcomes)) => tell(answers, outcomes),
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
        match give(connection, &self.reaches, grants) {
            Ok(given) => given.into_iter().map(Ok).collect(),
            // Whose fault it is shows when each is on its own.
            Err(_) if grants.len() > 1 => grants
                .chunks(1)
                .flat_map(|grant| match give(connection, &self.reaches, grant) {
                    Ok(given) => given.into_iter().map(Ok).collect(),
                    Err(error) => vec![Err(error)],
                })
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
    StorageError::unexpected("the writer is gone".to_owned())
}

fn lock<Kept>(kept: &Mutex<Kept>) -> std::sync::MutexGuard<'_, Kept> {
    kept.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Which of `grants` are given: in one transaction, on the disk when this returns.
fn give(
    connection: &mut Connection,
    reaches: &Reaches,
    grants: &[Box<Grant>],
) -> Result<Vec<Given>, StorageError> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    told("BEGIN IMMEDIATE");
    let number = if grants.iter().any(|grant| grant.supposed.is_some()) {
        let mut number = transaction.prepare_cached(kept::NUMBER)?;
        number.query_row((), |row| row.get(0)).optional()?
    } else {
        None
    };
    let mut statements = Statements::prepare(&transaction, reaches)?;
    let given = grants.iter().map(|grant| {
        if grant.supposed.is_some() && grant.supposed != number {
            return Ok(Given::Outdated);
        }
        statements.give(grant)
    });
    let given = given.collect::<Result<_, _>>()?;
    let new = statements.new_reaches();
    transaction.commit()?;
    told("COMMIT");
    for (reach, number) in new {
        reaches.written(reach, number);
    }
    Ok(given)
}
