//! What was read and is kept in memory: tokens, who they stand for, applications.
//!
//! Nothing kept is used without asking the database first whether anything changed (migration 0010): the number it answers
//! was read after the request arrived, so a revocation, a changed role or a disabled account is effective at once, also
//! when another process made it. Requests that arrive together share one such question, and each request asks once.

use std::cell::Cell;
use std::hash::Hash;
use std::sync::Arc;

use quick_cache::sync::Cache;
use sqlx::sqlite::SqlitePool;
use tokio::sync::{mpsc, oneshot};

use super::reading::{self, ASKING, Answer, Ask, Asked};
use crate::identity::secret::TokenHash;
use crate::storage::StorageError;
use crate::storage::applications::Application;
use crate::storage::directory::Organization;
use crate::storage::subjects::{Grant, Subject};
use crate::storage::tokens::{Bearer, FoundCode, FoundRefresh};

/// Entries of each kind. A token with its subject takes about a kilobyte.
const TOKENS: usize = 8_192;
const SUBJECTS: usize = 32_768;
const APPLICATIONS: usize = 4_096;
const ORGANIZATIONS: usize = 4_096;

/// What is kept, each entry with the number that was current before it was read.
pub(super) struct Kept {
    asks: mpsc::Sender<Ask>,
    bearers: Arc<Bearers>,
    pub(super) subjects: Entries<String, Subject>,
    pub(super) grants: Entries<String, Vec<Grant>>,
    pub(super) applications: Entries<String, Application>,
    pub(super) organizations: Entries<String, Organization>,
}

/// What tokens stand for.
pub(super) type Bearers = Entries<TokenHash, Bearer>;

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
        tokio::spawn(reading::answer(pool, asked, bearers.clone()));
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
            .ask(|answer| {
                Ask::Bearer(Asked {
                    hash: hash.clone(),
                    now,
                    answer,
                })
            })
            .await?;
        let _ = READ.try_with(|read| read.set(Some(number)));
        Ok(found.and_then(valid))
    }

    /// The code with this hash.
    pub(super) async fn code(&self, hash: &TokenHash) -> Result<Option<FoundCode>, StorageError> {
        self.ask(|answer| Ask::Code(hash.clone(), answer)).await
    }

    /// The refresh token with this hash.
    pub(super) async fn refresh_token(
        &self,
        hash: &TokenHash,
    ) -> Result<Option<FoundRefresh>, StorageError> {
        self.ask(|answer| Ask::Refresh(hash.clone(), answer)).await
    }

    async fn ask<Told>(&self, ask: impl FnOnce(Answer<Told>) -> Ask) -> Result<Told, StorageError> {
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
