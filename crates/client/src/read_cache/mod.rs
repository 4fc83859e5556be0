//! The read cache: the last lists and documents of the signed-in account, encrypted, so that they can be read without a
//! connection (decision 0065).
//!
//! Nothing here fails a command: without a keyring, or with a damaged file, there is no cache.

mod key;
mod store;
#[cfg(test)]
mod tests;
mod value;

use std::path::PathBuf;
use std::sync::{Arc, PoisonError};

use invoicing_contract::messages::simple;
use invoicing_contract::{DocumentKey, OrganizationId};
use jiff::Timestamp;
use prost::Message as _;
use tokio::sync::Mutex;

use crate::clock::Clock;
use crate::environments::Environment;
use crate::files;
use crate::provider::Identity;
use crate::rng::Rng;
use crate::session::{ActiveSession, Session};
use crate::vault::{KEYRING_TIMEOUT, Vault, with_timeout};

use store::{EntryKey, Store, StoreError};
pub(crate) use value::CachedDocument;

/// The size of the values of one account.
const MAX_BYTES: u64 = 64 << 20;
/// How many accounts have a cache on this computer. The file that was not used for longest is deleted first.
const MAX_ACCOUNTS: usize = 8;
const LIST: &str = "list";
const DOCUMENT: &str = "document";
/// The kind of the rows that were seen lately, whatever list they were in.
pub(crate) const ROWS: &str = "rows";
/// The kinds of documents: lists show what is in them.
pub(crate) const DOCUMENTS: &[&str] = &[LIST, DOCUMENT, ROWS];

/// A value and the time at which the service answered with it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Cached<T> {
    pub(crate) value: T,
    pub(crate) as_of: Timestamp,
}

/// The read caches of this computer. One is open: that of the active session.
pub(crate) struct ReadCache {
    clock: Arc<dyn Clock>,
    rng: Arc<dyn Rng>,
    vault: Arc<dyn Vault>,
    session: Arc<Session>,
    folder: PathBuf,
    max_bytes: u64,
    open: Mutex<Option<OpenCache>>,
}

struct OpenCache {
    account: String,
    /// The role grants that the file was reduced to.
    roles_as_of: Timestamp,
    /// `None` if the keyring has no key or the file cannot be used.
    store: Option<Arc<std::sync::Mutex<Store>>>,
}

/// What a read cache belongs to: environment, issuer, client and subject, and the gateway, unless that is the embedded
/// one, whose port may change. Also the name of the key's entry in the keyring.
pub(crate) fn account_of(session: &ActiveSession) -> String {
    account_in(session.environment(), &session.identity())
}

/// As [`account_of`], without a session.
pub(crate) fn account_in(environment: &Environment, identity: &Identity) -> String {
    let gateway = match environment.authority() {
        "embedded" => "",
        _ => environment.gateway(),
    };
    format!(
        "read cache {} {} {} {} {gateway}",
        environment.name(),
        environment.authority(),
        environment.client_id(),
        identity.subject,
    )
}

impl ReadCache {
    pub(crate) fn new(
        clock: Arc<dyn Clock>,
        rng: Arc<dyn Rng>,
        vault: Arc<dyn Vault>,
        session: Arc<Session>,
        folder: PathBuf,
    ) -> Self {
        Self {
            clock,
            rng,
            vault,
            session,
            folder,
            max_bytes: MAX_BYTES,
            open: Mutex::default(),
        }
    }

    /// The page that the service answered a request with last.
    pub(crate) async fn list(
        &self,
        session: &Arc<ActiveSession>,
        organization: &OrganizationId,
        request: &simple::ListInvoicesRequest,
    ) -> Option<Cached<simple::ListInvoicesResponse>> {
        let name = request.encode_to_vec();
        let bytes = self.get(session, organization, LIST, name).await?;
        value::read_message(&bytes)
    }

    /// Stores the page that the service has just answered a request with.
    pub(crate) async fn store_list(
        &self,
        session: &Arc<ActiveSession>,
        organization: &OrganizationId,
        request: &simple::ListInvoicesRequest,
        page: &simple::ListInvoicesResponse,
    ) {
        let name = request.encode_to_vec();
        let bytes = value::write_message(self.clock.now(), page);
        self.put(session, organization, LIST, name, bytes).await;
    }

    /// The document as the service answered with it last.
    pub(crate) async fn document(
        &self,
        session: &Arc<ActiveSession>,
        organization: &OrganizationId,
        key: &DocumentKey,
    ) -> Option<Cached<CachedDocument>> {
        let name = key.as_str().as_bytes().to_vec();
        let bytes = self.get(session, organization, DOCUMENT, name).await?;
        value::read_document(&bytes)
    }

    /// Stores a document that the service has just answered with.
    pub(crate) async fn store_document(
        &self,
        session: &Arc<ActiveSession>,
        organization: &OrganizationId,
        key: &DocumentKey,
        document: &CachedDocument,
    ) {
        let name = key.as_str().as_bytes().to_vec();
        let bytes = value::write_document(self.clock.now(), document);
        self.put(session, organization, DOCUMENT, name, bytes).await;
    }

    /// A message that was stored under a name, of a kind that no other messages have.
    pub(crate) async fn message<M: prost::Message + Default>(
        &self,
        session: &Arc<ActiveSession>,
        organization: &OrganizationId,
        kind: &'static str,
        name: &str,
    ) -> Option<Cached<M>> {
        let name = name.as_bytes().to_vec();
        let bytes = self.get(session, organization, kind, name).await?;
        value::read_message(&bytes)
    }

    /// Stores a message that the service has just answered with.
    pub(crate) async fn store_message<M: prost::Message>(
        &self,
        session: &Arc<ActiveSession>,
        organization: &OrganizationId,
        kind: &'static str,
        name: &str,
        message: &M,
    ) {
        let name = name.as_bytes().to_vec();
        let bytes = value::write_message(self.clock.now(), message);
        self.put(session, organization, kind, name, bytes).await;
    }

    /// Forgets a document that the service does not have any more.
    pub(crate) async fn remove_document(
        &self,
        session: &Arc<ActiveSession>,
        organization: &OrganizationId,
        key: &DocumentKey,
    ) {
        let (organization, key) = (organization.clone(), key.clone());
        self.with(session, move |store| {
            store.remove(EntryKey {
                organization: &organization,
                kind: DOCUMENT,
                name: key.as_str().as_bytes(),
            })
        })
        .await;
    }

    /// Forgets some kinds of data of an organization, in which the user has lost the role that reads them.
    pub(crate) async fn remove_kinds(
        &self,
        session: &Arc<ActiveSession>,
        organization: &OrganizationId,
        kinds: &'static [&'static str],
    ) {
        let organization = organization.clone();
        self.with(session, move |store| {
            let mut kinds = kinds.iter();
            kinds.try_for_each(|kind| store.remove_kind(&organization, kind))
        })
        .await;
    }

    /// Deletes the cache of an account and its key, so that what remains on the disk cannot be decrypted.
    pub(crate) async fn purge(&self, account: &str) {
        let mut open = self.open.lock().await;
        if open.as_ref().is_some_and(|open| open.account == account) {
            *open = None;
        }
        let deletion = self.vault.delete(account);
        if let Err(error) = with_timeout(&self.clock, KEYRING_TIMEOUT, deletion).await {
            tracing::warn!(%error, "the key of a read cache was not deleted");
        }
        let path = self.path(account);
        if let Err(error) = files::run_blocking(move || store::remove(&path)).await {
            tracing::warn!(%error, "the file of a read cache was not deleted");
        }
    }

    /// Tries the keyring again at the next use.
    pub(crate) async fn reopen(&self) {
        *self.open.lock().await = None;
    }

    async fn get(
        &self,
        session: &Arc<ActiveSession>,
        organization: &OrganizationId,
        kind: &'static str,
        name: Vec<u8>,
    ) -> Option<zeroize::Zeroizing<Vec<u8>>> {
        let (organization, now) = (organization.clone(), self.clock.now().as_millisecond());
        self.with(session, move |store| {
            let key = EntryKey {
                organization: &organization,
                kind,
                name: &name,
            };
            store.get(key, now)
        })
        .await
        .flatten()
    }

    async fn put(
        &self,
        session: &Arc<ActiveSession>,
        organization: &OrganizationId,
        kind: &'static str,
        name: Vec<u8>,
        bytes: zeroize::Zeroizing<Vec<u8>>,
    ) {
        let (organization, now) = (organization.clone(), self.clock.now().as_millisecond());
        let rng = Arc::clone(&self.rng);
        self.with(session, move |store| {
            let key = EntryKey {
                organization: &organization,
                kind,
                name: &name,
            };
            store.put(rng.as_ref(), key, &bytes, now)
        })
        .await;
    }

    /// Runs `work` with the file of the session's account. `None` if there is no cache, the work failed, or the session is
    /// not the active one any more: an answer that arrives after a sign-out is not stored.
    async fn with<T: Send + 'static>(
        &self,
        session: &Arc<ActiveSession>,
        work: impl FnOnce(&mut Store) -> Result<T, StoreError> + Send + 'static,
    ) -> Option<T> {
        let account = account_of(session);
        // Held until the work is done, so that `purge` deletes what the work has written.
        let mut open = self.open.lock().await;
        let active = self.session.active().ok()?;
        if account_of(&active) != account || !active.is_remembered() {
            return None;
        }
        let roles_as_of = active.identity().issued_at;
        if open
            .as_ref()
            .is_none_or(|open| open.account != account || open.roles_as_of != roles_as_of)
        {
            *open = Some(OpenCache {
                store: self.open_store(&active, &account).await,
                account,
                roles_as_of,
            });
        }
        let store = Arc::clone(open.as_ref()?.store.as_ref()?);
        let outcome = files::run_blocking(move || {
            work(&mut store.lock().unwrap_or_else(PoisonError::into_inner))
        });
        match outcome.await {
            Ok(done) => Some(done),
            Err(error) => {
                tracing::warn!(
                    error = &error as &dyn std::error::Error,
                    "the read cache was not used"
                );
                // The next use opens the file again, and replaces it if it is damaged.
                *open = None;
                None
            }
        }
    }

    async fn open_store(
        &self,
        session: &ActiveSession,
        account: &str,
    ) -> Option<Arc<std::sync::Mutex<Store>>> {
        let key =
            key::load_or_generate(&self.clock, self.rng.as_ref(), self.vault.as_ref(), account);
        let key = match key.await {
            Ok(key) => key,
            Err(error) => {
                tracing::info!(%error, "there is no read cache: its key is not in the keyring");
                return None;
            }
        };
        let (path, account, max_bytes) = (self.path(account), account.to_owned(), self.max_bytes);
        let granted = session.identity().organizations();
        let opened = files::run_blocking(move || {
            let mut store = Store::open(&path, &account, &key, max_bytes)?;
            store.retain_organizations(granted.iter())?;
            remove_unused(&path);
            Ok::<_, StoreError>(store)
        });
        match opened.await {
            Ok(store) => Some(Arc::new(std::sync::Mutex::new(store))),
            Err(error) => {
                tracing::warn!(
                    error = &error as &dyn std::error::Error,
                    "there is no read cache: its file cannot be used"
                );
                None
            }
        }
    }

    fn path(&self, account: &str) -> PathBuf {
        let name = files::opaque_name(account);
        self.folder.join(format!("{name}.db"))
    }
}

/// Deletes the files of the accounts that were not used for longest, if there are too many.
fn remove_unused(current: &std::path::Path) {
    let Some(entries) = current
        .parent()
        .and_then(|folder| std::fs::read_dir(folder).ok())
    else {
        return;
    };
    let mut others: Vec<_> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path != current && path.extension().is_some_and(|kind| kind == "db"))
        .filter_map(|path| Some((path.metadata().ok()?.modified().ok()?, path)))
        .collect();
    others.sort_by_key(|(modified, _)| std::cmp::Reverse(*modified));
    for (_, path) in others.iter().skip(MAX_ACCOUNTS - 1) {
        if let Err(error) = store::remove(path) {
            tracing::warn!(%error, "an unused read cache was not deleted");
        }
    }
}
