//! Access tokens that descend from no code. Those of concurrent requests are rows of one statement, which costs as much as several
//! of its rows.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use invoicing_contract::Timestamp;
use invoicing_storage::StorageError;
use invoicing_storage::audit::AuditEvent;
use invoicing_storage::secret::time_of;
use invoicing_storage::tokens::AccessToken;
use tokio::sync::Semaphore;
use tokio::task::yield_now;

use crate::audit::{NewEvents, insert_events_where};
use crate::engine::{Engine, EngineError, OutcomeSender, RequestQueue};

/// Tokens in a statement at most.
const MAX_BATCH: usize = 64;
/// Statements at the same time: while one is on its way the server works on another.
const STATEMENTS: usize = 2;

/// Inserts the tokens whose version is NULL or the current one, and the events at the same positions. Returns the positions. A
/// repetition finds its own tokens, also after the version has changed; they are read as a value, because for an EXISTS the
/// planner may read all tokens.
const INSERT: &str = concat!(
    "WITH authorized AS (
        SELECT token.* FROM (
            SELECT position::bigint AS position, ($2::bigint[])[position] AS number, ($3::bytea[])[position] AS hash,
                ($4::bigint[])[position] AS family, ($5::bigint[])[position] AS token_authorization,
                ($6::text[])[position] AS subject, ($7::bigint[])[position] AS epoch, ($8::text[])[position] AS actor,
                ($9::bigint[])[position] AS actor_epoch, ($10::bigint[])[position] AS issued_at,
                ($11::bigint[])[position] AS expires_at, ($12::bigint[])[position] AS version
            FROM generate_subscripts($2::bigint[], 1) AS position
        ) AS token
            JOIN versions current ON current.name = 'directory'
        WHERE token.version IS NULL OR token.version = current.number
            OR (SELECT a.number FROM access_tokens a WHERE a.number = token.number AND a.hash = token.hash
                AND a.bucket = (token.number & 1023)::smallint) IS NOT NULL
     ), access AS (
        INSERT INTO access_tokens (number, hash, bucket, family, token_authorization, subject, epoch, actor, actor_epoch,
            issued_at, expires_at)
        SELECT number, hash, (number & 1023)::smallint, family, token_authorization, subject, epoch, actor, actor_epoch,
            issued_at, expires_at
        FROM authorized ON CONFLICT DO NOTHING
     ), event AS (",
    insert_events_where!("event.position IN (SELECT position FROM authorized)"),
    ") SELECT position FROM authorized"
);

/// An access token to insert.
pub(super) struct AccessTokenInsert {
    pub(super) access: AccessToken,
    /// The id of its authorization, which is stored.
    pub(super) authorization: i64,
    /// Recorded in the same transaction.
    pub(super) event: AuditEvent,
    /// The version that must be current, if the request has assumed one.
    pub(super) version: Option<i64>,
}

/// The tokens of a statement.
type Batch = Vec<(AccessTokenInsert, OutcomeSender<bool>)>;

/// Tokens that wait for their statement.
pub(crate) struct AccessTokenQueue {
    queued: Mutex<RequestQueue<AccessTokenInsert, bool>>,
    statements: Arc<Semaphore>,
    engine: Arc<Engine>,
}

impl AccessTokenQueue {
    /// An empty queue.
    pub(crate) fn new(engine: Arc<Engine>) -> Self {
        Self {
            queued: Mutex::default(),
            statements: Arc::new(Semaphore::new(STATEMENTS)),
            engine,
        }
    }

    /// Inserts a token with the next statement. Returns after its commit whether the token is stored: it is not when its version
    /// is not the current one.
    ///
    /// # Errors
    /// [`StorageError::Busy`] also when too many tokens wait, or no statement has taken this one in time.
    pub(super) async fn insert(
        self: &Arc<Self>,
        insert: AccessTokenInsert,
    ) -> Result<bool, StorageError> {
        let (is_first, outcome) = {
            let mut queued = self.lock();
            (queued.is_empty(), queued.push(insert)?)
        };
        if is_first {
            // A task of its own: the other requests depend on it even if this caller is cancelled.
            tokio::spawn(self.clone().flush());
        }
        outcome.wait().await
    }

    fn lock(&self) -> MutexGuard<'_, RequestQueue<AccessTokenInsert, bool>> {
        self.queued.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes all that is queued, in statements of at most [`MAX_BATCH`] tokens.
    async fn flush(self: Arc<Self>) {
        loop {
            let Ok(statement) = self.statements.clone().acquire_owned().await else {
                return;
            };
            // Those whose tokens the statement before has stored ask for the next ones first.
            yield_now().await;
            let (batch, is_last) = {
                let mut queued = self.lock();
                (queued.take(MAX_BATCH), queued.is_empty())
            };
            // All of them may have been withdrawn.
            if !batch.is_empty() {
                let queue = self.clone();
                tokio::spawn(async move {
                    queue.answer(batch).await;
                    drop(statement);
                });
            }
            if is_last {
                return;
            }
        }
    }

    async fn answer(&self, batch: Batch) {
        let (inserts, answers): (Vec<_>, Vec<_>) = batch.into_iter().unzip();
        for (answer, outcome) in answers.into_iter().zip(self.write(&inserts).await) {
            // The receiver is gone when its request was cancelled.
            let _ = answer.send(outcome);
        }
    }

    /// The outcome of each insert. One that fails does not fail the others.
    async fn write(&self, inserts: &[AccessTokenInsert]) -> Vec<Result<bool, StorageError>> {
        match write(inserts, &self.engine).await {
            Ok(outcomes) => outcomes.into_iter().map(Ok).collect(),
            Err(StorageError::Unexpected(_)) if inserts.len() > 1 => {
                let mut outcomes = Vec::with_capacity(inserts.len());
                for insert in inserts {
                    let outcome = write(std::slice::from_ref(insert), &self.engine).await;
                    outcomes.push(outcome.map(|outcomes| outcomes.contains(&true)));
                }
                outcomes
            }
            Err(error) => inserts.iter().map(|_| Err(error.clone())).collect(),
        }
    }
}

/// Inserts tokens with one statement. Returns which are stored.
async fn write(inserts: &[AccessTokenInsert], engine: &Engine) -> Result<Vec<bool>, StorageError> {
    let events = inserts.iter().map(|insert| &insert.event);
    let events = NewEvents::new(events, engine.rng());
    insert_with_events(inserts, &events, engine).await
}

/// Inserts tokens with the events about them. Returns which are stored.
pub(super) async fn insert_with_events(
    inserts: &[AccessTokenInsert],
    events: &NewEvents<'_>,
    engine: &Engine,
) -> Result<Vec<bool>, StorageError> {
    fn column<'a, T>(
        inserts: &'a [AccessTokenInsert],
        value: impl FnMut(&'a AccessTokenInsert) -> T,
    ) -> Vec<T> {
        inserts.iter().map(value).collect()
    }
    let mut times: Vec<Timestamp> = events.times();
    times.extend(
        inserts
            .iter()
            .map(|insert| time_of(insert.access.hash.lookup_key())),
    );
    let rows = engine
        .write_statement(
            &times,
            INSERT,
            &[
                &events.to_json()?,
                &column(inserts, |insert| insert.access.hash.lookup_key()),
                &column(inserts, |insert| insert.access.hash.as_bytes()),
                &column(inserts, |insert| insert.access.family),
                &column(inserts, |insert| insert.authorization),
                &column(inserts, |insert| insert.access.subject.as_str()),
                &column(inserts, |insert| insert.access.epoch),
                &column(inserts, |insert| {
                    let actor = insert.access.actor.as_ref();
                    actor.map(|actor| actor.subject.as_str())
                }),
                &column(inserts, |insert| {
                    let actor = insert.access.actor.as_ref();
                    actor.map(|actor| actor.epoch)
                }),
                &column(inserts, |insert| insert.access.issued_at.as_millis()),
                &column(inserts, |insert| insert.access.expires_at.as_millis()),
                &column(inserts, |insert| insert.version),
            ],
        )
        .await?;
    let positions = rows.iter().map(|row| row.try_get("position"));
    let positions: Result<Vec<i64>, _> = positions.collect();
    let positions = positions.map_err(EngineError::from)?;
    Ok((1..)
        .zip(inserts)
        .map(|(position, _)| positions.contains(&position))
        .collect())
}
