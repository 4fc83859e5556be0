//! Records of the directory cached in memory: members, applications and tenants.
//!
//! A cached record is used only with the [`Basis`] that it was read with. Every change of a table whose rows are cached increments
//! the version in the same transaction (triggers of the schema), so a changed role or a disabled account takes effect with
//! the next basis, also when another process made the change. Tokens are not cached: there are too many of them.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use quick_cache::sync::Cache;

use super::engine::Engine;
use invoicing_storage::applications::Application;
use invoicing_storage::directory::Tenant;
use invoicing_storage::subjects::Member;
use invoicing_storage::{Basis, StorageError};

/// The current version of the cached tables.
pub(crate) const SELECT_VERSION: &str = "SELECT number FROM generation";

/// Capacity in records.
const MEMBERS: usize = 32_768;
const APPLICATIONS: usize = 4_096;
const TENANTS: usize = 16_384;

/// The caches, and the version that was read last.
pub(crate) struct ReadCache {
    /// 0 before the first read.
    latest: AtomicI64,
    pub(crate) members: VersionedCache<Member>,
    pub(crate) applications: VersionedCache<Application>,
    pub(crate) tenants: VersionedCache<Tenant>,
}

/// Records of one type by their ids, each with the version that was current before it was read.
pub(crate) struct VersionedCache<Record>(Cache<String, (i64, Arc<Record>)>);

impl ReadCache {
    /// An empty cache.
    pub(crate) fn new() -> Self {
        Self {
            latest: AtomicI64::new(0),
            members: VersionedCache::new(MEMBERS),
            applications: VersionedCache::new(APPLICATIONS),
            tenants: VersionedCache::new(TENANTS),
        }
    }

    /// Reads the current version.
    pub(crate) async fn read_basis(&self, engine: &Engine) -> Result<Basis, StorageError> {
        let version = engine.lookup_one(SELECT_VERSION, (), |row| row.get(0));
        let version = version
            .await?
            .ok_or_else(|| StorageError::corrupt("the table generation is empty"))?;
        self.latest.store(version, Ordering::Relaxed);
        Ok(Basis::read(version))
    }

    /// The version that was read last, unverified.
    pub(crate) fn assumed_basis(&self) -> Option<Basis> {
        let latest = self.latest.load(Ordering::Relaxed);
        (latest != 0).then(|| Basis::assumed(latest))
    }
}

impl<Record> VersionedCache<Record> {
    fn new(capacity: usize) -> Self {
        Self(Cache::new(capacity))
    }

    /// The record with this id, if it was read with the same version.
    pub(crate) fn get(&self, id: &str, basis: Basis) -> Option<Arc<Record>> {
        let (version, record) = self.0.get(id)?;
        (version == basis.version()).then_some(record)
    }

    /// Caches a record that was read after `basis`.
    pub(crate) fn insert(&self, id: &str, basis: Basis, record: &Arc<Record>) {
        self.0
            .insert(id.to_owned(), (basis.version(), record.clone()));
    }
}
