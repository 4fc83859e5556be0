//! [`Authorizer`] by the rules that are published in the database.

use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use arc_swap::ArcSwap;
use async_trait::async_trait;
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
    table: RuleTable<'static>,
}

impl CurrentRules {
    /// Compiles a text. Returns `None` if this release cannot read it.
    fn compile(number: i64, text: &str) -> Result<Self, StorageError> {
        let policies = policies::read(text).map_err(|violations| {
            let first = violations.first().map(|violation| &*violation.description);
            StorageError::corrupt(format!(
                "version {number} of the rules: {}",
                first.unwrap_or_default()
            ))
        })?;
        Ok(Self {
            number,
            table: RuleTable::new(&policies, &SCOPES),
        })
    }
}

/// Decides by the current version of the rules. A request that has seen a version of the directory is decided by rules that are
/// at least as new ([`Authorizer::refresh`], decision 0107).
pub struct RuleAuthorizer {
    store: Arc<dyn Store>,
    current: ArcSwap<CurrentRules>,
    /// The version of the directory at which `current` was the current one.
    checked: AtomicI64,
    reload: Mutex<()>,
}

impl RuleAuthorizer {
    /// Loads the current rules.
    ///
    /// # Errors
    /// Storage failed, or the rules cannot be read.
    pub async fn load(store: Arc<dyn Store>) -> Result<Self, StorageError> {
        let authorizer = Self {
            store,
            current: ArcSwap::from_pointee(CurrentRules::compile(0, &built_in_text())?),
            checked: AtomicI64::new(i64::MIN),
            reload: Mutex::new(()),
        };
        let basis = authorizer.store.basis().await?;
        authorizer.refresh(basis).await?;
        Ok(authorizer)
    }
}

#[async_trait]
impl Authorizer for RuleAuthorizer {
    async fn refresh(&self, basis: Basis) -> Result<(), StorageError> {
        if self.checked.load(Ordering::Acquire) >= basis.version() {
            return Ok(());
        }
        // Requests that arrive meanwhile wait for this one instead of reading the rules themselves.
        let _turn = self.reload.lock().await;
        if self.checked.load(Ordering::Acquire) >= basis.version() {
            return Ok(());
        }
        let number = self.store.rules_number().await?;
        if number != self.current.load().number {
            let rules = self.store.rules(number).await?.ok_or_else(|| {
                StorageError::corrupt(format!("version {number} of the rules was deleted"))
            })?;
            let compiled =
                tokio::task::spawn_blocking(move || CurrentRules::compile(number, &rules.text));
            let compiled = compiled.await.map_err(StorageError::unexpected)?;
            let compiled = compiled.inspect_err(|error| {
                tracing::error!(error = error as &dyn Error, "the rules cannot be read");
            })?;
            self.current.store(Arc::new(compiled));
            tracing::info!(version = number, "authorization rules loaded");
        }
        self.checked.store(basis.version(), Ordering::Release);
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
