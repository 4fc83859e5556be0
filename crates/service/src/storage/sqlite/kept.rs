//! What was read and is kept in memory: tokens, who they stand for, applications.
//!
//! Nothing kept is used without asking the database first whether anything changed (migration 0010): the number it answers
//! was read after the request arrived, so a revocation, a changed role or a disabled account is effective at once, also
//! when another process made it. Requests that arrive together share one such question, and each request asks once.

use std::cell::Cell;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

use quick_cache::sync::Cache;
use sqlx::sqlite::SqlitePool;
use tokio::sync::{mpsc, oneshot};

use super::tokens::{READ_TOGETHER, read_bearers};
use crate::identity::secret::TokenHash;
use crate::storage::StorageError;
use crate::storage::applications::Application;
use crate::storage::directory::Organization;
use crate::storage::subjects::{Grant, Subject};
use crate::storage::tokens::Bearer;

/// Entries of each kind. A token with its subject takes about a kilobyte.
const TOKENS: usize = 8_192;
const SUBJECTS: usize = 32_768;
const APPLICATIONS: usize = 4_096;
const ORGANIZATIONS: usize = 4_096;
/// Requests that may wait for the number at once.
const ASKING: usize = 4_096;

/// What a request asks for.
enum Ask {
    /// The number.
    Generation(oneshot::Sender<Result<i64, StorageError>>),
    /// What a token stands for, and the number before it was read. Those that are asked for together are read together.
    Bearer(TokenHash, i64, oneshot::Sender<Result<Told, StorageError>>),
}

type Told = (i64, Option<Arc<Bearer>>);

/// What is kept, each entry with the number that was current before it was read.
pub(super) struct Kept {
    asks: mpsc::Sender<Ask>,
    bearers: Arc<Entries<TokenHash, Bearer>>,
    pub(super) subjects: Entries<String, Subject>,
    pub(super) grants: Entries<String, Vec<Grant>>,
    pub(super) applications: Entries<String, Application>,
    pub(super) organizations: Entries<String, Organization>,
}

/// Entries of one kind.
pub(super) struct Entries<Key, Value>(Cache<Key, (i64, Arc<Value>)>);

tokio::task_local! {
    /// The number that this request has read.
    static READ: Cell<Option<i64>>;
}

/// Runs a request: whatever it reads, the database is asked for the number once.
pub(crate) async fn once_for<Request: Future>(request: Request) -> Request::Output {
    READ.scope(Cell::new(None), request).await
}

/// What this request has read is no longer good enough for it: it is about to write.
pub(super) fn read_anew() {
    let _ = READ.try_with(|read| read.set(None));
}

impl Kept {
    /// Nothing yet. The number is read through `pool`, until nobody asks any more or the pool is closed.
    pub(super) fn new(pool: SqlitePool) -> Arc<Self> {
        let (asks, asked) = mpsc::channel(ASKING);
        let bearers = Arc::new(Entries::new(TOKENS));
        tokio::spawn(answer(pool, asked, bearers.clone()));
        Arc::new(Self {
            asks,
            bearers,
            subjects: Entries::new(SUBJECTS),
            grants: Entries::new(SUBJECTS),
            applications: Entries::new(APPLICATIONS),
            organizations: Entries::new(ORGANIZATIONS),
        })
    }

    /// The number, read after the current request arrived.
    pub(super) async fn generation(&self) -> Result<i64, StorageError> {
        if let Ok(Some(read)) = READ.try_with(Cell::get) {
            return Ok(read);
        }
        let number = self.ask(Ask::Generation).await?;
        let _ = READ.try_with(|read| read.set(Some(number)));
        Ok(number)
    }

    /// What the token with this hash stands for, if it is valid at `now`.
    pub(super) async fn bearer(
        &self,
        hash: &TokenHash,
        now: i64,
    ) -> Result<Option<Bearer>, StorageError> {
        let valid =
            |bearer: Arc<Bearer>| (bearer.token.expires_at > now).then(|| Bearer::clone(&bearer));
        if let Ok(Some(read)) = READ.try_with(Cell::get)
            && let Some(kept) = self.bearers.get(hash, read)
        {
            return Ok(valid(kept));
        }
        let (number, found) = self
            .ask(|answer| Ask::Bearer(hash.clone(), now, answer))
            .await?;
        let _ = READ.try_with(|read| read.set(Some(number)));
        Ok(found.and_then(valid))
    }

    async fn ask<Told>(
        &self,
        ask: impl FnOnce(oneshot::Sender<Result<Told, StorageError>>) -> Ask,
    ) -> Result<Told, StorageError> {
        let (answer, told) = oneshot::channel();
        let gone = || StorageError::Unexpected("the database was closed".to_owned());
        self.asks.send(ask(answer)).await.map_err(|_| gone())?;
        told.await.map_err(|_| gone())?
    }
}

impl<Key: Hash + Eq, Value> Entries<Key, Value> {
    fn new(capacity: usize) -> Self {
        Self(Cache::new(capacity))
    }

    /// What is kept under `key`, if nothing has changed since.
    pub(super) fn get<Asked>(&self, key: &Asked, generation: i64) -> Option<Arc<Value>>
    where
        Asked: Hash + quick_cache::Equivalent<Key> + ?Sized,
    {
        let (read_at, value) = self.0.get(key)?;
        (read_at == generation).then_some(value)
    }

    /// Keeps what was read after `generation` was current.
    pub(super) fn keep(&self, key: Key, generation: i64, value: Arc<Value>) {
        self.0.insert(key, (generation, value));
    }
}

async fn answer(
    pool: SqlitePool,
    mut asked: mpsc::Receiver<Ask>,
    bearers: Arc<Entries<TokenHash, Bearer>>,
) {
    let mut waiting = Vec::new();
    while asked.recv_many(&mut waiting, ASKING).await > 0 {
        let number: Result<i64, sqlx::Error> = sqlx::query_scalar("SELECT number FROM generation")
            .fetch_one(&pool)
            .await;
        let number = number.map_err(StorageError::from);
        let mut missing = Vec::new();
        for ask in waiting.drain(..) {
            match (ask, &number) {
                (Ask::Generation(answer), number) => drop(answer.send(number.clone())),
                (Ask::Bearer(_, _, answer), Err(error)) => drop(answer.send(Err(error.clone()))),
                (Ask::Bearer(hash, now, answer), Ok(number)) => match bearers.get(&hash, *number) {
                    Some(kept) => drop(answer.send(Ok((*number, Some(kept))))),
                    None => missing.push((hash, now, answer)),
                },
            }
        }
        let Ok(number) = number else { continue };
        while !missing.is_empty() {
            let some = missing.split_off(missing.len().saturating_sub(READ_TOGETHER));
            let now = some.iter().map(|(_, now, _)| *now).min().unwrap_or(0);
            let hashes: Vec<_> = some.iter().map(|(hash, _, _)| hash).collect();
            let read = read_bearers(&pool, &hashes, now).await;
            let read: Result<HashMap<_, _>, _> = read.map(|read| {
                let each = read.into_iter().map(Arc::new);
                each.map(|bearer| (bearer.token.hash.clone(), bearer))
                    .collect()
            });
            for (hash, _, answer) in some {
                let told = match &read {
                    Ok(read) => Ok((number, read.get(&hash).cloned())),
                    Err(error) => Err(error.clone()),
                };
                if let Ok((_, Some(bearer))) = &told {
                    bearers.keep(hash, number, bearer.clone());
                }
                let _ = answer.send(told);
            }
        }
    }
}
