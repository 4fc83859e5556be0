//! Bulk runs: issuing, freezing or saving of many documents in the background, batch by batch. A ledger on the disk lets a run go
//! on after a crash, a lost connection or a restart (decisions 0134 and 0189).

mod check;
mod ledger;
mod plan;
mod progress;
mod run;
mod saving;
mod selection;
mod start;
mod stored;
mod waiting_files;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use invoicing_contract::OrganizationId;
use tokio::sync::watch;

use crate::account_key::AccountKey;
use crate::attachments::Attachments;
use crate::clock::Clock;
use crate::drafts::{DraftOwner, account_file};
use crate::files::{self, FileError};
use crate::gateway::{CallContext, PendingRetries};
use crate::invoices::Invoices;
use crate::rng::Rng;
use crate::vault::Vault;
use crate::views::{BulkAction, BulkResultPage, BulkRun, BulkState, CommandError};

use ledger::Ledger;
pub(crate) use progress::Progress;
pub(crate) use saving::Saving;
use stored::Key;

/// Documents of a batch. A run can be stopped between two of them.
const BATCH: usize = 100;
/// Documents that are asked for one by one, at a time.
const CONCURRENT_DOCUMENTS: usize = 5;

/// The bulk runs of this computer.
pub(crate) struct BulkRuns {
    clock: Arc<dyn Clock>,
    rng: Arc<dyn Rng>,
    vault: Arc<dyn Vault>,
    progress: Arc<Progress>,
    pending_retries: Arc<PendingRetries>,
    invoices: Arc<Invoices>,
    attachments: Arc<Attachments>,
    folder: PathBuf,
    /// Where the lock and the marker of the key are.
    key_folder: PathBuf,
    key: tokio::sync::Mutex<Option<Key>>,
    runs: Mutex<Vec<Arc<Run>>>,
}

/// A run that was started or found since the start of the program.
struct Run {
    owner: DraftOwner,
    ledger: Ledger,
    view: Mutex<BulkRun>,
    /// Whether the user wants it to stop.
    stop: watch::Sender<bool>,
}

impl Run {
    fn new(owner: DraftOwner, ledger: Ledger, view: BulkRun) -> Arc<Self> {
        Arc::new(Self {
            owner,
            ledger,
            view: Mutex::new(view),
            stop: watch::Sender::new(false),
        })
    }

    fn view(&self) -> MutexGuard<'_, BulkRun> {
        self.view.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_under_way(&self) -> bool {
        matches!(
            self.view().state,
            BulkState::Collecting | BulkState::Running
        )
    }
}

/// What sends documents and their files.
pub(crate) struct Delivery {
    pub(crate) pending_retries: Arc<PendingRetries>,
    pub(crate) invoices: Arc<Invoices>,
    pub(crate) attachments: Arc<Attachments>,
}

impl BulkRuns {
    pub(crate) fn new(
        clock: Arc<dyn Clock>,
        rng: Arc<dyn Rng>,
        vault: Arc<dyn Vault>,
        progress: Arc<Progress>,
        delivery: Delivery,
        data: &Path,
    ) -> Arc<Self> {
        let Delivery {
            pending_retries,
            invoices,
            attachments,
        } = delivery;
        Arc::new(Self {
            clock,
            rng,
            vault,
            progress,
            pending_retries,
            invoices,
            attachments,
            folder: data.join("bulk-runs"),
            key_folder: data.join("drafts"),
            key: tokio::sync::Mutex::default(),
            runs: Mutex::default(),
        })
    }

    /// Tries the keyring again at the next use, if it could not be used.
    pub(crate) async fn reopen(&self) {
        let mut key = self.key.lock().await;
        if key.as_ref().is_some_and(|key| !key.durable) {
            *key = None;
        }
    }

    /// The runs of an owner, the newest first.
    pub(crate) async fn list(&self, owner: &DraftOwner) -> Result<Vec<BulkRun>, CommandError> {
        let mut keys = self.key.lock().await;
        self.read_owner(&mut keys, owner).await?;
        drop(keys);
        let mut views = self.known(owner);
        views.sort_by(|left, right| right.id.cmp(&left.id));
        Ok(views)
    }

    /// The runs of an owner that were started or found since the start of the program. No ledger is read.
    pub(crate) fn known(&self, owner: &DraftOwner) -> Vec<BulkRun> {
        let runs = self.lock();
        let of = runs.iter().filter(|run| run.owner == *owner);
        of.map(|run| run.view().clone()).collect()
    }

    /// A page of the documents of a run, or of those that failed.
    pub(crate) async fn results(
        &self,
        owner: &DraftOwner,
        id: &str,
        failed: bool,
        skip: u32,
        page_size: u32,
    ) -> Result<BulkResultPage, CommandError> {
        let run = self.find(owner, id)?;
        let total = match (failed, run.view().clone()) {
            (true, view) => view.failed,
            (false, view) => view.plan.count,
        };
        let ledger = run.ledger.clone();
        let results =
            files::run_blocking(move || stored::page(&ledger, failed, skip, page_size)).await?;
        Ok(BulkResultPage { results, total })
    }

    /// Stops a run after its present batch, or after the files that it is writing.
    pub(crate) async fn stop(&self, owner: &DraftOwner, id: &str) -> Result<(), CommandError> {
        let run = self.find(owner, id)?;
        run.stop.send_replace(true);
        // So that the next start does not say that it was interrupted.
        set_stopped(&run, true).await
    }

    /// Goes on with a run that does not run.
    pub(crate) async fn resume(
        self: &Arc<Self>,
        context: CallContext,
        id: &str,
    ) -> Result<(), CommandError> {
        let run = self.find(&owner_of(&context), id)?;
        let before = {
            let mut view = run.view();
            if view.state != BulkState::Stopped {
                return Ok(());
            }
            let before = view.clone();
            view.state = BulkState::Running;
            view.error = None;
            view.changed = None;
            view.interrupted = false;
            before
        };
        run.stop.send_replace(false);
        if let Err(error) = set_stopped(&run, false).await {
            // Nothing works on it, and why it had stopped is as it was.
            *run.view() = before;
            return Err(error);
        }
        let action = run.view().action;
        let context = CallContext {
            command: command(action),
            write: changes_documents(action),
            ..context
        };
        self.progress.note();
        self.spawn(run, context);
        Ok(())
    }

    /// Deletes the ledger of a run that does not run.
    pub(crate) async fn close(&self, owner: &DraftOwner, id: &str) -> Result<(), CommandError> {
        let run = self.find(owner, id)?;
        if run.is_under_way() {
            return Err(CommandError::InvalidCall {
                reason: "the run is under way".to_owned(),
            });
        }
        let ledger = run.ledger.clone();
        files::run_blocking(move || ledger.remove()).await?;
        self.lock().retain(|other| !Arc::ptr_eq(other, &run));
        self.progress.note();
        Ok(())
    }

    /// Deletes the runs of an account from this computer, also those of organizations whose role it has lost. `organizations` are
    /// those that are known to be its: their folders may be older than the file that tells the account.
    pub(crate) async fn delete_of_account(
        &self,
        account: &AccountKey,
        organizations: BTreeSet<OrganizationId>,
    ) -> Result<(), CommandError> {
        // A run that is being started is known afterwards.
        let _keys = self.key.lock().await;
        let mut ledgers = Vec::new();
        self.lock().retain(|run| {
            let is_of_account = run.owner.account == *account;
            if is_of_account {
                run.stop.send_replace(true);
                ledgers.push(run.ledger.clone());
            }
            !is_of_account
        });
        let mut folders: BTreeSet<_> = organizations
            .into_iter()
            .map(|organization| {
                self.owner_folder(&DraftOwner {
                    account: account.clone(),
                    organization,
                })
            })
            .collect();
        let (root, account) = (self.folder.clone(), account.clone());
        files::run_blocking(move || {
            // A run that is being stopped writes its outcomes.
            for ledger in ledgers {
                ledger.close();
            }
            folders.extend(account_file::folders_of(&root, &account)?);
            for folder in folders.iter().filter(|folder| folder.exists()) {
                std::fs::remove_dir_all(folder).map_err(FileError::from)?;
            }
            Ok::<_, FileError>(())
        })
        .await?;
        Ok(())
    }

    fn find(&self, owner: &DraftOwner, id: &str) -> Result<Arc<Run>, CommandError> {
        let runs = self.lock();
        let found = runs
            .iter()
            .find(|run| run.owner == *owner && run.view().id == id);
        found.cloned().ok_or_else(|| CommandError::InvalidCall {
            reason: "there is no such run".to_owned(),
        })
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Arc<Run>>> {
        self.runs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The command whose name errors and pending retries of a run carry.
const fn command(action: BulkAction) -> &'static str {
    match action {
        BulkAction::Issue => "issue_documents",
        BulkAction::Freeze => "freeze_documents",
        BulkAction::SavePdf | BulkAction::SaveUbl => "save_documents",
    }
}

/// Whether a run writes to the service. Otherwise it reads, and can do no harm.
const fn changes_documents(action: BulkAction) -> bool {
    match action {
        BulkAction::Issue | BulkAction::Freeze => true,
        BulkAction::SavePdf | BulkAction::SaveUbl => false,
    }
}

fn owner_of(context: &CallContext) -> DraftOwner {
    DraftOwner {
        account: context.session.account_key(),
        organization: context.organization.clone(),
    }
}

fn owner_text(owner: &DraftOwner) -> String {
    format!("{}\0{}", owner.account.as_str(), owner.organization)
}

async fn set_stopped(run: &Run, stopped: bool) -> Result<(), CommandError> {
    let ledger = run.ledger.clone();
    files::run_blocking(move || ledger.set_stopped(stopped)).await
}
