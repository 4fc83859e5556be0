//! Bulk runs: issuing or freezing of many documents in the background, batch by batch. A ledger on the disk lets a run go on
//! after a crash, a lost connection or a restart (decision 0134).

mod check;
mod ledger;
mod plan;
mod progress;
mod run;
mod selection;
mod stored;
mod waiting_files;

use std::collections::{BTreeSet, HashSet};
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
use crate::rng::{Rng, time_ordered_id};
use crate::vault::Vault;
use crate::views::{
    BulkAction, BulkPlan, BulkResultPage, BulkRun, BulkState, CommandError, DocumentSelection,
};

use ledger::{Header, Ledger};
pub(crate) use progress::Progress;
use stored::Key;

/// Documents of a batch. A run can be stopped between two of them.
const BATCH: usize = 100;

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

    /// Starts a run over what the user has confirmed.
    pub(crate) async fn start(
        self: &Arc<Self>,
        context: CallContext,
        action: BulkAction,
        selection: DocumentSelection,
        confirmed: BulkPlan,
    ) -> Result<BulkRun, CommandError> {
        let owner = owner_of(&context);
        // Until the run is known: whoever reads the runs of the owner meanwhile would take its files for what a crash has left.
        let mut keys = self.key.lock().await;
        let key = self.read_owner(&mut keys, &owner).await?;
        let id = time_ordered_id(&*self.clock, &*self.rng).to_string();
        let ledger = self.ledger(&owner, &key, &id);
        let mut header = Header::new(action, confirmed.clone(), self.clock.now().to_string());
        let mut batches = Vec::new();
        match selection {
            DocumentSelection::Rows { rows } => {
                let mut seen = HashSet::new();
                let rows: Vec<_> = rows
                    .into_iter()
                    .filter(|row| plan::is_eligible(action, row) && seen.insert(row.key.clone()))
                    .collect();
                if !plan::agree(&plan::plan_of(&rows), &confirmed) {
                    return Err(CommandError::InvalidCall {
                        reason: "the selection is not what was confirmed".to_owned(),
                    });
                }
                batches = rows.chunks(BATCH).map(<[_]>::to_vec).collect();
                header.batches = u32::try_from(batches.len()).unwrap_or(u32::MAX);
            }
            all @ DocumentSelection::All { .. } => header.to_collect = Some(all),
        }
        let state = match header.to_collect {
            Some(_) => BulkState::Collecting,
            None => BulkState::Running,
        };
        let (folder, account) = (self.owner_folder(&owner), owner.account.clone());
        let run = Run::new(
            owner,
            ledger.clone(),
            BulkRun {
                state,
                interrupted: false,
                ..stored::view(id, &header, (0, 0), key.durable)
            },
        );
        files::run_blocking(move || {
            account_file::write(&folder, &account);
            if !key.durable {
                // Before anything of the run: what a crash leaves of it is removed at the next start.
                ledger.set_without_keyring()?;
            }
            for (batch, rows) in (0..).zip(batches) {
                ledger.write_rows(batch, &rows)?;
            }
            // Last: without it there is no run.
            ledger.write_header(&header)
        })
        .await?;
        self.lock().push(Arc::clone(&run));
        drop(keys);
        let view = run.view().clone();
        self.spawn(run, context);
        Ok(view)
    }

    /// The runs of an owner, the newest first.
    pub(crate) async fn list(&self, owner: &DraftOwner) -> Result<Vec<BulkRun>, CommandError> {
        let mut keys = self.key.lock().await;
        self.read_owner(&mut keys, owner).await?;
        drop(keys);
        let mut views: Vec<_> = self
            .lock()
            .iter()
            .filter(|run| run.owner == *owner)
            .map(|run| run.view().clone())
            .collect();
        views.sort_by(|left, right| right.id.cmp(&left.id));
        Ok(views)
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

    /// Stops a run after its present batch.
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
        let context = CallContext {
            command: command(run.view().action),
            write: true,
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
