//! What was read and is kept in memory: whom tokens stand for, with organization and roles, and applications.
//!
//! Nothing kept is used without asking the database first whether anything changed (migration 0010): the number it answers
//! was read after the request arrived, so a changed role or a disabled account is effective at once, also when another
//! process made it. Each request asks once. Tokens are not kept: there are too many of them.

use std::cell::Cell;
use std::sync::Arc;

use quick_cache::sync::Cache;

use super::lookups::Lookups;
use crate::storage::StorageError;
use crate::storage::applications::Application;
use crate::storage::subjects::Member;

/// Entries of each kind.
const MEMBERS: usize = 32_768;
const APPLICATIONS: usize = 4_096;

/// What is kept, each entry with the number that was current before it was read.
pub(super) struct Kept {
    pub(super) members: Entries<Member>,
    pub(super) applications: Entries<Application>,
}

/// Entries of one kind, by their ids.
pub(super) struct Entries<Value>(Cache<String, (i64, Arc<Value>)>);

tokio::task_local! {
    /// The number that this request has read.
    static READ: Cell<Option<i64>>;
}

/// Runs a request: whatever it reads, the database is asked for the number once.
pub(crate) async fn once_for<Request: Future>(request: Request) -> Request::Output {
    READ.scope(Cell::new(None), request).await
}

/// This request has read the number together with something else.
pub(super) fn has_read(generation: i64) {
    let _ = READ.try_with(|read| read.set(Some(generation)));
}

/// What this request has read is no longer good enough for it: it is about to write.
pub(super) fn read_anew() {
    let _ = READ.try_with(|read| read.set(None));
}

/// The number of changes so far (migration 0010), read after the current request arrived.
pub(super) async fn generation(lookups: &Lookups) -> Result<i64, StorageError> {
    if let Ok(Some(read)) = READ.try_with(Cell::get) {
        return Ok(read);
    }
    let number = lookups.one("SELECT number FROM generation", (), |row| row.get(0));
    let number = number
        .await?
        .ok_or_else(|| StorageError::Corrupt("the number of changes is missing".to_owned()))?;
    has_read(number);
    Ok(number)
}

impl Kept {
    /// Nothing yet.
    pub(super) fn new() -> Arc<Self> {
        Arc::new(Self {
            members: Entries::new(MEMBERS),
            applications: Entries::new(APPLICATIONS),
        })
    }
}

impl<Value> Entries<Value> {
    fn new(capacity: usize) -> Self {
        Self(Cache::new(capacity))
    }

    /// What is kept under `id`, if nothing has changed since.
    pub(super) fn get(&self, id: &str, generation: i64) -> Option<Arc<Value>> {
        let (read_at, value) = self.0.get(id)?;
        (read_at == generation).then_some(value)
    }

    /// Keeps what was read after `generation` was current.
    pub(super) fn keep(&self, id: &str, generation: i64, value: &Arc<Value>) {
        self.0.insert(id.to_owned(), (generation, value.clone()));
    }
}
