//! What the benchmark of this crate measures: parts of the core, without a sign-in.

use std::path::Path;
use std::sync::Arc;

use invoicing_contract::messages::simple;
use invoicing_contract::{DocumentKey, OrganizationId, operation};
use jiff::Timestamp;

use crate::account_key::AccountKey;
use crate::change_notifier::ChangeNotifier;
use crate::drafts::{DraftOwner, Drafts};
use crate::environments::{Environment, EnvironmentConfig};
use crate::gateway::{CallContext, Gateway, PendingRetries};
use crate::http::Network;
use crate::provider::{HomeOrganization, Identity};
use crate::read_cache::ReadCache;
use crate::session::Session;
use crate::vault::{MemoryVault, Vault};
use crate::views::{Draft, DraftState, EnvironmentKind, InvoiceContent};
use crate::{Clock, Rng, SystemClock, SystemRng};

/// The organization of all measurements.
pub const ORGANIZATION: &str = "274893001";
/// The access token of all calls.
pub const ACCESS_TOKEN: &str = "0aXk3Jd9fLq2Wm8Zr5Tc7Vb1Nh4Yg6Pp0sEu";

/// A core with a session that calls a gateway.
pub struct Core {
    gateway: Gateway,
    context: CallContext,
    drafts: Drafts,
    cache: ReadCache,
    vault: Arc<MemoryVault>,
    folder: std::path::PathBuf,
    session: Arc<Session>,
}

impl Core {
    /// A core whose gateway is at `address`, a loopback address, and whose files are in `folder`.
    ///
    /// # Panics
    /// The address is not valid, or not within a tokio runtime.
    #[must_use]
    pub fn new(address: &str, folder: &Path) -> Self {
        let clock: Arc<dyn Clock> = Arc::new(SystemClock::new());
        let rng: Arc<dyn Rng> = Arc::new(SystemRng);
        let vault = Arc::new(MemoryVault::default());
        let changes = Arc::new(ChangeNotifier::new());
        let session = Arc::new(Session::new(
            Arc::clone(&clock),
            Arc::clone(&rng),
            Arc::clone(&vault) as Arc<dyn Vault>,
            Arc::clone(&changes),
            Network::default(),
            folder,
        ));
        let active = session.start_without_sign_in(environment(address), identity(), ACCESS_TOKEN);
        let gateway = Gateway::new(
            Arc::clone(&clock),
            Arc::clone(&rng),
            Arc::clone(&session),
            Arc::new(PendingRetries::new(changes)),
        );
        let drafts = Drafts::new(
            Arc::clone(&clock),
            Arc::clone(&rng),
            Arc::clone(&vault) as Arc<dyn Vault>,
            folder.join("drafts"),
        );
        let context = CallContext {
            session: active,
            organization: ORGANIZATION.into(),
            command: "list_invoices",
            write: false,
            retries: true,
        };
        Self {
            gateway,
            context,
            drafts,
            cache: read_cache(&session, &vault, folder),
            vault,
            folder: folder.to_owned(),
            session,
        }
    }

    /// Lists invoices through the gateway, with everything that a call of the core does. Returns the number of rows.
    ///
    /// # Panics
    /// The call failed.
    pub async fn list(&self, request: &simple::ListInvoicesRequest) -> usize {
        let called = self
            .gateway
            .call(&self.context, &operation::LIST_INVOICES, None, request);
        let page: simple::ListInvoicesResponse = called.await.expect("the stub answers");
        page.items.len()
    }

    /// Saves a draft with this many lines, as typing does.
    ///
    /// # Panics
    /// The disk refused.
    pub async fn save_draft(&self, key: &DocumentKey, content: InvoiceContent) {
        let owner = DraftOwner {
            account: AccountKey::new("bench", "u1"),
            organization: OrganizationId::from(ORGANIZATION),
        };
        let draft = Draft {
            key: key.clone(),
            changes: None,
            content,
            state: DraftState::Editing,
        };
        self.drafts.save(&owner, draft).await.expect("saved");
    }

    /// Stores the answers of a list in the read cache.
    pub async fn cache_list(
        &self,
        request: &simple::ListInvoicesRequest,
        page: &simple::ListInvoicesResponse,
    ) {
        let organization = &self.context.organization;
        self.cache
            .store_list(&self.context.session, organization, request, page)
            .await;
    }

    /// Opens the read cache as a start does, and reads one page. Returns the number of rows.
    pub async fn open_cached_list(&self, request: &simple::ListInvoicesRequest) -> usize {
        let cache = read_cache(&self.session, &self.vault, &self.folder);
        let organization = &self.context.organization;
        let page = cache
            .list(&self.context.session, organization, request)
            .await;
        page.map_or(0, |page| page.value.items.len())
    }
}

fn read_cache(session: &Arc<Session>, vault: &Arc<MemoryVault>, folder: &Path) -> ReadCache {
    ReadCache::new(
        Arc::new(SystemClock::new()),
        Arc::new(SystemRng),
        Arc::clone(vault) as Arc<dyn Vault>,
        Arc::clone(session),
        folder.join("read-cache"),
    )
}

fn environment(address: &str) -> Environment {
    Environment::new(EnvironmentConfig {
        name: "bench".to_owned(),
        kind: EnvironmentKind::Staging,
        auth_url: address.to_owned(),
        base_url: address.to_owned(),
        project_audience_id: "1".to_owned(),
        client_id: "desk".into(),
        namespace: "idp".to_owned(),
        proxy: "direct".to_owned(),
        ca_file: String::new(),
    })
    .expect("a valid configuration")
}

fn identity() -> Identity {
    let home = HomeOrganization {
        id: ORGANIZATION.into(),
        name: "Al-Khair".to_owned(),
        domain: "alkhair.example".to_owned(),
    };
    let granted = [(home.id.clone(), home.domain.clone())].into();
    Identity {
        actor: None,
        subject: "u1".into(),
        name: "Noura".to_owned(),
        username: "noura".to_owned(),
        home,
        roles: [("accountant".to_owned(), granted)].into(),
        issued_at: Timestamp::UNIX_EPOCH,
    }
}
