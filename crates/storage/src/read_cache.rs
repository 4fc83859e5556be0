//! Records of the directory that an engine caches in memory: members, applications and tenants.
//!
//! A cached record is used only with the [`Basis`] that it was read with. Every change of a cached record increments the version
//! in the same transaction, so a changed role or a disabled account takes effect with the next basis, also when another
//! process made the change. An engine that can lose commits gives no version twice (decision 0172). Tokens are not cached: there
//! are too many of them. The verifier of the gateway keeps some (decision 0170).

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use quick_cache::sync::Cache;

use crate::Basis;
use crate::applications::Application;
use crate::directory::Tenant;
use crate::subjects::Member;

/// Capacity in records.
const MEMBERS: usize = 32_768;
const APPLICATIONS: usize = 4_096;
const TENANTS: usize = 16_384;

/// The caches, and the version that was read last.
#[derive(Debug)]
pub struct ReadCache {
    /// 0 before the first read.
    latest: AtomicI64,
    /// Members by subject id.
    pub members: VersionedCache<Member>,
    /// Applications by client id.
    pub applications: VersionedCache<Application>,
    /// Tenants by organization id.
    pub tenants: VersionedCache<Tenant>,
}

/// Records of one type by their ids, each with the version that was current before it was read.
#[derive(Debug)]
pub struct VersionedCache<Record>(Cache<String, (i64, Arc<Record>)>);

impl Default for ReadCache {
    fn default() -> Self {
        Self::new()
    }
}

impl ReadCache {
    /// An empty cache.
    #[must_use]
    pub fn new() -> Self {
        Self {
            latest: AtomicI64::new(0),
            members: VersionedCache::new(MEMBERS),
            applications: VersionedCache::new(APPLICATIONS),
            tenants: VersionedCache::new(TENANTS),
        }
    }

    /// The basis of a version that was read from the database just now. It becomes the assumed one.
    pub fn basis(&self, version: i64) -> Basis {
        self.latest.store(version, Ordering::Relaxed);
        Basis::read(version)
    }

    /// The version that was read last, unverified; `None` before the first.
    pub fn assumed_basis(&self) -> Option<Basis> {
        let latest = self.latest.load(Ordering::Relaxed);
        (latest != 0).then(|| Basis::assumed(latest))
    }
}

impl<Record> VersionedCache<Record> {
    fn new(capacity: usize) -> Self {
        Self(Cache::new(capacity))
    }

    /// The record with this id, if it was read with the same version.
    pub fn get(&self, id: &str, basis: Basis) -> Option<Arc<Record>> {
        let (version, record) = self.0.get(id)?;
        (version == basis.version()).then_some(record)
    }

    /// Caches a record that was read after `basis`.
    pub fn insert(&self, id: &str, basis: Basis, record: &Arc<Record>) {
        self.0
            .insert(id.to_owned(), (basis.version(), record.clone()));
    }
}
