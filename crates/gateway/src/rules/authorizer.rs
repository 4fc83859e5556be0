//! [`Authorizer`] by the rules that are published in the database.

use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use arc_swap::ArcSwap;
use async_trait::async_trait;
use invoicing_contract::ConcurrencyStamp;
use invoicing_storage::access::Authorizer;
use invoicing_storage::users::RuleEvaluation;
use invoicing_storage::{Basis, StorageError, Store};
use tokio::sync::Mutex;

use super::policies;
use super::scopes::SCOPES;
use super::table::{RuleTable, built_in_text};

/// A version of the rules that decides requests.
struct CurrentRules {
    number: i64,
    /// `None` of the built-in version. It tells two versions with one number apart: a failover can lose a publication, and the next
    /// one gets its number (decision 0172).
    stamp: Option<ConcurrencyStamp>,
    table: RuleTable<'static>,
}

impl CurrentRules {
    /// Compiles a text. An error if this release cannot read it.
    fn compile(
        number: i64,
        stamp: Option<ConcurrencyStamp>,
        text: &str,
    ) -> Result<Self, StorageError> {
        let policies = policies::read(text).map_err(|violations| {
            let first = violations.first().map(|violation| &*violation.description);
            StorageError::corrupt(format!(
                "version {number} of the rules: {}",
                first.unwrap_or_default()
            ))
        })?;
        Ok(Self {
            number,
            stamp,
            table: RuleTable::new(&policies, &SCOPES),
        })
    }

    /// The built-in version.
    fn built_in() -> Result<Self, StorageError> {
        Self::compile(0, None, &built_in_text())
    }
}

/// Decides by the current version of the rules. A request that has seen a version of the directory is decided by rules that are
/// at least as new ([`Authorizer::refresh`], decision 0107).
pub struct RuleAuthorizer {
    store: Arc<dyn Store>,
    current: ArcSwap<CurrentRules>,
    /// The version of the directory at which `current` was the current one.
    checked: AtomicI64,
    /// Lookups of the current version that have begun.
    begun: AtomicU64,
    /// Which of them was the last that succeeded.
    reload: Mutex<u64>,
}

impl RuleAuthorizer {
    /// Loads the current rules.
    ///
    /// # Errors
    /// Storage failed, or the rules cannot be read.
    pub async fn load(store: Arc<dyn Store>) -> Result<Self, StorageError> {
        let authorizer = Self {
            store,
            current: ArcSwap::from_pointee(CurrentRules::built_in()?),
            checked: AtomicI64::new(i64::MIN),
            begun: AtomicU64::new(0),
            reload: Mutex::new(0),
        };
        let basis = authorizer.store.basis().await?;
        authorizer.refresh(basis).await?;
        Ok(authorizer)
    }

    fn is_checked(&self, basis: Basis) -> bool {
        self.checked.load(Ordering::Acquire) == basis.version()
    }

    /// Makes `current` the version that is the current one now.
    async fn look_up(&self) -> Result<(), StorageError> {
        // Before the rules, which are at least as new then.
        let directory = self.store.basis().await?;
        let latest = self.store.rule_versions(None, 1).await?;
        let latest = latest.into_iter().next();
        let stamp = latest.as_ref().map(|latest| &latest.concurrency_stamp);
        if stamp != self.current.load().stamp.as_ref() {
            let compiled = self.compile(latest.map(|latest| latest.number)).await?;
            tracing::info!(version = compiled.number, "authorization rules loaded");
            self.current.store(Arc::new(compiled));
        }
        self.checked.store(directory.version(), Ordering::Release);
        Ok(())
    }

    /// The version with this number; without one the built-in version.
    async fn compile(&self, number: Option<i64>) -> Result<CurrentRules, StorageError> {
        let Some(number) = number else {
            return CurrentRules::built_in();
        };
        let rules = self.store.rules(number).await?.ok_or_else(|| {
            StorageError::corrupt(format!("version {number} of the rules was deleted"))
        })?;
        let compiled = tokio::task::spawn_blocking(move || {
            let stamp = rules.version.concurrency_stamp;
            CurrentRules::compile(number, Some(stamp), &rules.text)
        });
        let compiled = compiled.await.map_err(StorageError::unexpected)?;
        compiled.inspect_err(|error| {
            tracing::error!(error = error as &dyn Error, "the rules cannot be read");
        })
    }
}

#[async_trait]
impl Authorizer for RuleAuthorizer {
    /// Which of two versions of the directory is the newer one does not follow from their numbers: a failover that loses commits goes
    /// back (decision 0172). So any other version than that of the last lookup has the rules looked up.
    ///
    /// Requests of two versions at once, as after every change of the directory, do not make the rules flap. Lookups follow one
    /// another, and each takes what is the current version while it runs, whichever request began it: a request of an older version
    /// finds the newer rules too. What it records is the version of the directory that it reads itself, and not that of its request,
    /// so that a late request does not send the others back. If a lookup was answered by a server that is the primary no more, the
    /// next request that has seen another version looks them up again.
    async fn refresh(&self, basis: Basis) -> Result<(), StorageError> {
        if self.is_checked(basis) {
            return Ok(());
        }
        let begun = self.begun.load(Ordering::Acquire);
        // Requests that arrive meanwhile wait for this one instead of reading the rules themselves.
        let mut succeeded = self.reload.lock().await;
        // A lookup that began after this request had read its basis has found rules that are at least as new, whichever version of
        // the directory it found.
        if self.is_checked(basis) || *succeeded > begun {
            return Ok(());
        }
        let lookup = self.begun.fetch_add(1, Ordering::AcqRel) + 1;
        self.look_up().await?;
        *succeeded = lookup;
        Ok(())
    }

    fn allows(&self, roles: &[&str], scope: &str) -> bool {
        self.current.load().table.allows(roles, scope)
    }

    fn names_role(&self, role: &str) -> bool {
        self.current.load().table.names_role(role)
    }

    fn rule_evaluation(&self) -> RuleEvaluation {
        let current = self.current.load_full();
        let administering = current.clone();
        RuleEvaluation {
            version: current.number,
            administers: Arc::new(move |roles| administering.table.administers(roles)),
            manages_rules: Arc::new(move |roles| current.table.manages_rules(roles)),
        }
    }

    fn role_names(&self) -> Vec<String> {
        let current = self.current.load();
        current.table.roles().map(str::to_owned).collect()
    }
}
