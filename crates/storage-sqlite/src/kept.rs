//! What was read and is kept in memory: whom tokens stand for, with organization and roles, and applications.
//!
//! Nothing kept is used without asking the database first whether anything changed (table `generation`): the number it answers
//! was read after the request arrived, so a changed role or a disabled account is effective at once, also when another
//! process made it. Each request asks once; one that is going to write may suppose the number, which is looked at in the
//! transaction that writes. Tokens are not kept: there are too many of them.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use quick_cache::sync::Cache;

use super::engine::Engine;
use invoicing_storage::StorageError;
use invoicing_storage::applications::Application;
use invoicing_storage::subjects::Member;

/// The number of changes so far (table `generation`).
pub(super) const NUMBER: &str = "SELECT number FROM generation";

/// Entries of each kind.
const MEMBERS: usize = 32_768;
const APPLICATIONS: usize = 4_096;

/// What is kept, each entry with the number that was current before it was read.
pub(super) struct Kept {
    /// The number when last somebody asked; 0 before.
    latest: AtomicI64,
    pub(super) members: Entries<Member>,
    pub(super) applications: Entries<Application>,
}

/// Entries of one kind, by their ids.
pub(super) struct Entries<Value>(Cache<String, (i64, Arc<Value>)>);

/// What a request knows of the number of changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Known {
    Nothing,
    /// It was this after the request arrived.
    Read(i64),
    /// It was this when somebody else asked. Whether it still is will be looked at.
    Supposed(i64),
    /// It was not what was supposed.
    Changed,
}

tokio::task_local! {
    /// Of this request.
    static KNOWN: Cell<Known>;
}

/// This request has read the number together with something else.
pub(super) fn has_read(generation: i64) {
    know(Known::Read(generation));
}

/// What this request has read is no longer good enough for it: it is about to write. What it supposes is looked at then, or
/// at its end.
pub(super) fn read_anew() {
    if let Known::Read(_) = known() {
        know(Known::Nothing);
    }
}

pub(super) fn know(known: Known) {
    let _ = KNOWN.try_with(|now| now.set(known));
}

pub(super) fn known() -> Known {
    KNOWN.try_with(Cell::get).unwrap_or(Known::Nothing)
}

impl Kept {
    /// Nothing yet.
    pub(super) fn new() -> Arc<Self> {
        Arc::new(Self {
            latest: AtomicI64::new(0),
            members: Entries::new(MEMBERS),
            applications: Entries::new(APPLICATIONS),
        })
    }

    /// The number of changes so far (table `generation`), read after the current request arrived, or supposed if it does so.
    pub(super) async fn generation(&self, engine: &Engine) -> Result<i64, StorageError> {
        if let Known::Read(number) | Known::Supposed(number) = known() {
            return Ok(number);
        }
        let number = self.ask(engine).await?;
        has_read(number);
        Ok(number)
    }

    /// From now on this request supposes the number to be what it was when last somebody asked.
    pub(super) fn suppose(&self) {
        let latest = self.latest.load(Ordering::Relaxed);
        know(if latest == 0 {
            Known::Nothing
        } else {
            Known::Supposed(latest)
        });
    }

    /// Whether it was. If not, what follows asks.
    pub(super) async fn supposed_right(&self, engine: &Engine) -> Result<bool, StorageError> {
        match known() {
            Known::Nothing | Known::Read(_) => return Ok(true),
            Known::Supposed(supposed) if self.ask(engine).await? == supposed => return Ok(true),
            Known::Supposed(_) | Known::Changed => {}
        }
        know(Known::Nothing);
        Ok(false)
    }

    async fn ask(&self, engine: &Engine) -> Result<i64, StorageError> {
        let number = engine.lookup_one(NUMBER, (), |row| row.get(0));
        let number = number
            .await?
            .ok_or_else(|| StorageError::corrupt("the number of changes is missing".to_owned()))?;
        self.latest.store(number, Ordering::Relaxed);
        Ok(number)
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
