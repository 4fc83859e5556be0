//! The façade: one method for each command of [`for_each_command!`](crate::for_each_command), and the methods that the
//! program around the core calls.

// The list of commands is expanded to async calls, so that every command is async, whether it waits or not.
#![allow(clippy::unused_async)]

mod accounts;
mod administration;
mod attachments;
mod bulk;
mod changed_data;
mod drafts;
mod environments;
mod export;
mod impersonation;
mod invoices;
mod links;
mod list_settings;
mod menu;
mod moving;
mod organizations;
mod outbox;
mod outcome;
mod palette;
mod paper;
mod parties;
mod payments;
mod preferences;
mod remember;
mod reports;
mod sender;
mod session;
mod similar;
mod submissions;
mod submit;
mod support;
mod tables;
mod templates;
mod tenants;
#[cfg(test)]
mod window_tests;
mod windows;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicU32;

use tokio::sync::mpsc;

use crate::administration::Administration;
use crate::attachments::Attachments;
use crate::bulk::{BulkRuns, Delivery, Progress};
use crate::change_notifier::ChangeNotifier;
use crate::drafts::{Drafts, OpenDrafts};
use crate::encrypted_records::EncryptedRecords;
use crate::encryption::{EXPORT, TEMPLATE, WAITING_ATTACHMENT};
use crate::environments::Environments;
use crate::export::Exports;
use crate::gateway::{Gateway, PendingRetries};
use crate::invoices::Invoices;
use crate::items::Items;
use crate::links::{DocumentLink, Links};
use crate::organization_settings::OrganizationSettings;
use crate::organizations::{Aliases, OrganizationNames, Shortlist, WindowBindings};
use crate::palette::PaletteRecents;
use crate::paper::{OpenedFiles, Printer};
use crate::parties::Parties;
use crate::payments::Payments;
use crate::preferences::PreferenceStore;
use crate::read_cache::ReadCache;
use crate::reports::Reports;
use crate::session::Session;
use crate::sign_in::SignIn;
use crate::templates::Templates;
use crate::vault::Vault;
use crate::views::{CommandError, Diagnosis};
use crate::{Clock, Host, LocalEnvironment, Network, Rng};

use impersonation::Impersonations;
use menu::MenuState;
use outbox::OutboxNotice;

/// The result of a command.
type CommandResult<T> = Result<T, CommandError>;

/// The running core.
pub struct Desktop {
    runtime: tokio::runtime::Handle,
    host: Arc<dyn Host>,
    clock: Arc<dyn Clock>,
    rng: Arc<dyn Rng>,
    changes: Arc<ChangeNotifier>,
    environments: Arc<Environments>,
    preferences: PreferenceStore,
    session: Arc<Session>,
    sign_in: Arc<SignIn>,
    administration: Administration,
    parties: Parties,
    items: Items,
    payments: Payments,
    reports: Reports,
    invoices: Arc<Invoices>,
    bulk_progress: Arc<Progress>,
    bulk_runs: Arc<BulkRuns>,
    exports: Arc<Exports>,
    attachments: Arc<Attachments>,
    templates: Templates,
    drafts: Drafts,
    open_drafts: OpenDrafts,
    read_cache: Arc<ReadCache>,
    printer: Printer,
    opened_files: OpenedFiles,
    links: Links,
    menu: MenuState,
    pending_retries: Arc<PendingRetries>,
    aliases: Aliases,
    organization_names: OrganizationNames,
    shortlist: Shortlist,
    organization_settings: OrganizationSettings,
    palette_recents: PaletteRecents,
    bindings: WindowBindings,
    impersonations: Impersonations,
    /// How many drafts the outbox has sent.
    deliveries: AtomicU32,
    support: SupportData,
    outbox: mpsc::UnboundedSender<OutboxNotice>,
}

/// What was shown for support.
#[derive(Default)]
struct SupportData {
    /// The last one.
    diagnosis: std::sync::Mutex<Option<Diagnosis>>,
    /// The last one, as the user has read it.
    packet: std::sync::Mutex<Option<String>>,
}

/// The dependencies of the core.
pub struct Setup {
    /// Browser, scheme and window.
    pub host: Arc<dyn Host>,
    /// The embedded service, if this program has one.
    pub local: Option<Arc<dyn LocalEnvironment>>,
    /// The store of secrets.
    pub vault: Arc<dyn Vault>,
    /// The folders of all other data.
    pub folders: Folders,
    /// How servers are found and trusted; the default outside of tests.
    pub network: Network,
    /// The clock; [`SystemClock`](crate::SystemClock) outside of tests.
    pub clock: Arc<dyn Clock>,
    /// The source of random bytes; [`SystemRng`](crate::SystemRng) outside of tests.
    pub rng: Arc<dyn Rng>,
}

/// Folders of this application and user. They are created by the first write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folders {
    /// Files that a user may edit: environments, preferences, aliases.
    pub config: PathBuf,
    /// Files of the core alone: account, window bindings, drafts, read cache, locks.
    pub data: PathBuf,
}

/// The label of a window. A window that is opened again under its key returns to its organization.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct WindowKey(String);

impl WindowKey {
    /// The label as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<String> for WindowKey {
    fn from(key: String) -> Self {
        Self(key)
    }
}

impl From<&str> for WindowKey {
    fn from(key: &str) -> Self {
        Self(key.to_owned())
    }
}

impl Desktop {
    /// Starts the core on the current tokio runtime. It returns at once; the session is restored in the background.
    ///
    /// # Panics
    /// Outside a tokio runtime.
    #[must_use]
    pub fn start(setup: Setup) -> Arc<Self> {
        let Setup {
            host,
            local,
            vault,
            folders,
            network,
            clock,
            rng,
        } = setup;
        let changes = Arc::new(ChangeNotifier::new());
        let environments = Arc::new(Environments::open(
            folders.config.join("environments.json"),
            local,
        ));
        let session = Arc::new(Session::new(
            Arc::clone(&clock),
            Arc::clone(&rng),
            Arc::clone(&vault),
            Arc::clone(&changes),
            network,
            &folders.data,
        ));
        let sign_in = SignIn::new(
            Arc::clone(&clock),
            Arc::clone(&rng),
            Arc::clone(&host),
            Arc::clone(&environments),
            Arc::clone(&session),
            Arc::clone(&changes),
        );
        let pending_retries = Arc::new(PendingRetries::new(Arc::clone(&changes)));
        let gateway = Gateway::new(
            Arc::clone(&clock),
            Arc::clone(&rng),
            Arc::clone(&session),
            Arc::clone(&pending_retries),
        );
        let (outbox, outbox_notices) = mpsc::unbounded_channel();
        let read_cache = Arc::new(ReadCache::new(
            Arc::clone(&clock),
            Arc::clone(&rng),
            Arc::clone(&vault),
            Arc::clone(&session),
            folders.data.join("read-cache"),
        ));
        let invoices = Arc::new(Invoices::new(
            gateway.clone(),
            Arc::clone(&clock),
            Arc::clone(&read_cache),
        ));
        let bulk_progress = Arc::new(Progress::new(Arc::clone(&changes)));
        let records = |kind, name| {
            EncryptedRecords::new(
                kind,
                Arc::clone(&clock),
                Arc::clone(&rng),
                Arc::clone(&vault),
                &folders.data,
                name,
            )
        };
        let attachments = Arc::new(Attachments::new(
            gateway.clone(),
            Arc::clone(&clock),
            Arc::clone(&rng),
            Arc::clone(&invoices),
            records(WAITING_ATTACHMENT, "waiting-attachments"),
        ));
        let bulk_runs = BulkRuns::new(
            Arc::clone(&clock),
            Arc::clone(&rng),
            Arc::clone(&vault),
            Arc::clone(&bulk_progress),
            Delivery {
                pending_retries: Arc::clone(&pending_retries),
                invoices: Arc::clone(&invoices),
                attachments: Arc::clone(&attachments),
            },
            &folders.data,
        );
        let desktop = Arc::new(Self {
            exports: Exports::new(
                Arc::clone(&clock),
                Arc::clone(&rng),
                Arc::clone(&bulk_progress),
                Arc::clone(&invoices),
                records(EXPORT, "exports"),
            ),
            attachments,
            templates: Templates::new(
                Arc::clone(&clock),
                Arc::clone(&rng),
                records(TEMPLATE, "templates"),
            ),
            runtime: tokio::runtime::Handle::current(),
            host,
            changes,
            environments,
            preferences: PreferenceStore::open(folders.config.join("preferences.json")),
            session,
            sign_in: Arc::new(sign_in),
            parties: Parties::new(gateway.clone(), Arc::clone(&clock), Arc::clone(&read_cache)),
            items: Items::new(gateway.clone(), Arc::clone(&clock), Arc::clone(&read_cache)),
            payments: Payments::new(gateway.clone(), Arc::clone(&clock), Arc::clone(&read_cache)),
            reports: Reports::new(gateway.clone(), Arc::clone(&clock), Arc::clone(&read_cache)),
            administration: Administration::new(
                gateway.clone(),
                Arc::clone(&clock),
                Arc::clone(&rng),
            ),
            invoices,
            bulk_progress,
            bulk_runs,
            read_cache,
            drafts: Drafts::new(
                Arc::clone(&clock),
                Arc::clone(&rng),
                vault,
                folders.data.join("drafts"),
            ),
            open_drafts: OpenDrafts::default(),
            printer: Printer::new(),
            opened_files: OpenedFiles::default(),
            links: Links::default(),
            menu: MenuState::default(),
            pending_retries,
            clock,
            rng,
            aliases: Aliases::open(folders.config.join("organizations.json")),
            organization_names: OrganizationNames::open(&folders.data),
            shortlist: Shortlist::open(folders.data.join("organization-shortlist.json")),
            organization_settings: OrganizationSettings::open(&folders.config),
            palette_recents: PaletteRecents::open(folders.data.join("palette-recents.json")),
            bindings: WindowBindings::open(folders.data.join("window-organizations.json")),
            impersonations: Impersonations::default(),
            deliveries: AtomicU32::new(0),
            support: SupportData::default(),
            outbox,
        });
        desktop.runtime.spawn(outbox::run(
            Arc::downgrade(&desktop),
            desktop.changes.subscribe(),
            outbox_notices,
        ));
        desktop.runtime.spawn(organizations::bind_windows_on_change(
            Arc::downgrade(&desktop),
            desktop.changes.subscribe(),
        ));
        desktop.runtime.spawn(session::follow_keyring(
            Arc::downgrade(&desktop),
            desktop.drafts.vault_problems(),
        ));
        desktop.runtime.spawn({
            let (session, environments) = (
                Arc::clone(&desktop.session),
                Arc::clone(&desktop.environments),
            );
            let clock = Arc::clone(&desktop.clock);
            async move {
                session.restore(&environments).await;
                let session = Arc::downgrade(&session);
                Session::upkeep_loop(session, environments, clock).await;
            }
        });
        desktop
    }

    /// Handles a deep link, which may be the one that started the program, a repeated one or a forged one: the answer of a
    /// sign-in, or a link to a document.
    pub fn follow(self: &Arc<Self>, address: &str) {
        if DocumentLink::is_for_documents(address) {
            self.follow_link(address);
            return;
        }
        let (sign_in, address) = (Arc::clone(&self.sign_in), address.to_owned());
        self.runtime.spawn(async move {
            // The snapshot shows the error of the attempt.
            let _ = sign_in.handle_callback(&address).await;
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::views::*;

    macro_rules! call_each {
        ($( $(#[doc = $doc:literal])* $name:ident ( $($argument:ident : $type:ty),* $(,)? ) -> $out:ty; )*) => {
            $(
                #[expect(dead_code, reason = "that it compiles is the test")]
                async fn $name(desktop: &Desktop, window: &WindowKey, $($argument: $type),*) -> Result<$out, CommandError> {
                    desktop.$name(window, $($argument),*).await
                }
            )*
        };
    }

    crate::for_each_command!(call_each);
}
