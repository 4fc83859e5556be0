//! Exports of lists: streamed from the service to a temporary file beside the chosen one, which it replaces at the end.

mod csv_rows;
mod record;
mod writing;

use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

use crate::bulk::Progress;
use crate::clock::Clock;
use crate::drafts::DraftOwner;
use crate::encrypted_records::{EncryptedRecords, RecordError};
use crate::files::{self, FileLock, Replacement};
use crate::gateway::CallContext;
use crate::invoices::Invoices;
use crate::rng::{Rng, time_ordered_id};
use crate::views::{CommandError, DocumentSelection, Export, ExportOptions, ExportState};

/// The exports since the start of the application, and those that its last end has interrupted.
pub(crate) struct Exports {
    clock: Arc<dyn Clock>,
    rng: Arc<dyn Rng>,
    progress: Arc<Progress>,
    invoices: Arc<Invoices>,
    records: EncryptedRecords,
    last_id: AtomicU32,
    all: Mutex<Vec<Arc<KnownExport>>>,
}

/// An export in any state.
struct KnownExport {
    owner: DraftOwner,
    target: ExportTarget,
    /// The name of its record, and what its temporary file is known by.
    name: String,
    /// Whether there is a record, or will be.
    has_record: bool,
    /// That of the record, while this process has the export under way.
    lock: Mutex<Option<FileLock>>,
    view: Mutex<Export>,
    cancel: watch::Sender<bool>,
}

impl KnownExport {
    fn view(&self) -> MutexGuard<'_, Export> {
        self.view.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn lock(&self) -> MutexGuard<'_, Option<FileLock>> {
        self.lock.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whose an export is.
pub(crate) struct ExportOwner {
    pub(crate) owner: DraftOwner,
    /// Whether records tell of it: it is offered again if the application ends before it does.
    pub(crate) has_records: bool,
}

/// What is exported, and where to.
#[derive(Clone)]
pub(crate) struct ExportTarget {
    pub(crate) selection: DocumentSelection,
    pub(crate) options: ExportOptions,
    /// How many documents the user has selected.
    pub(crate) total: u32,
    pub(crate) path: PathBuf,
}

impl Exports {
    pub(crate) fn new(
        clock: Arc<dyn Clock>,
        rng: Arc<dyn Rng>,
        progress: Arc<Progress>,
        invoices: Arc<Invoices>,
        records: EncryptedRecords,
    ) -> Arc<Self> {
        Arc::new(Self {
            clock,
            rng,
            progress,
            invoices,
            records,
            last_id: AtomicU32::new(0),
            all: Mutex::default(),
        })
    }

    /// The records of exports that are under way.
    pub(crate) fn records(&self) -> &EncryptedRecords {
        &self.records
    }

    /// Starts an export in the background.
    pub(crate) fn start(
        self: &Arc<Self>,
        context: CallContext,
        owner: &ExportOwner,
        target: ExportTarget,
    ) -> Export {
        let name = time_ordered_id(&*self.clock, &*self.rng).to_string();
        let export = self.known(owner, target, name, ExportState::Running);
        self.lock().push(Arc::clone(&export));
        let view = export.view().clone();
        let exports = Arc::clone(self);
        tokio::spawn(async move {
            let mut cancelled = export.cancel.subscribe();
            // A dropped export removes its temporary file.
            let ended = tokio::select! {
                written = exports.write_durably(&export, &context) => Some(written),
                _ = cancelled.wait_for(|cancelled| *cancelled) => None,
            };
            exports.remove_record(&export).await;
            {
                let mut view = export.view();
                view.state = match ended {
                    Some(Ok(())) => ExportState::Finished,
                    Some(Err(_)) => ExportState::Failed,
                    None => ExportState::Cancelled,
                };
                if let Some(Err(error)) = ended {
                    view.error = Some(Box::new(error));
                }
            }
            exports.progress.note();
        });
        self.progress.note();
        view
    }

    /// Starts an export again that was interrupted, cancelled or failed, to the same file. `None` for another one.
    pub(crate) async fn restart(
        self: &Arc<Self>,
        context: CallContext,
        owner: &ExportOwner,
        id: u32,
    ) -> Option<Export> {
        let ended = self.find(&owner.owner, id)?;
        let can_be_started = match ended.view().state {
            ExportState::Interrupted | ExportState::Cancelled | ExportState::Failed => true,
            ExportState::Running | ExportState::Finished => false,
        };
        if !can_be_started {
            return None;
        }
        // The record first: without it the export is not read again.
        self.remove_record(&ended).await;
        // Of two callers at once one takes it.
        self.take(&ended)
            .then(|| self.start(context, owner, ended.target.clone()))
    }

    /// Reads which exports of an owner the last end of the application has interrupted. An owner without records needs no key.
    pub(crate) async fn read_interrupted(&self, owner: &DraftOwner) -> Result<(), CommandError> {
        let mut names = self.records.names(owner).await?;
        self.remove_known(&mut names);
        if names.is_empty() {
            return Ok(());
        }
        let read = self.records.transact(owner, move |records| {
            let read = |name: String| {
                let read = record::read_interrupted(records, &name)?;
                Ok(read.map(|target| (name, target)))
            };
            // The newest first: each goes before those that are known.
            let read = names.into_iter().rev().map(read);
            read.collect::<Result<Vec<_>, RecordError>>()
        });
        let owner = ExportOwner {
            owner: owner.clone(),
            has_records: true,
        };
        for (name, target) in read.await?.into_iter().flatten() {
            // What a killed program has left in the folder of the user.
            let (path, id) = (target.path.clone(), name.clone());
            let remove = move || Replacement::remove_abandoned(&path, &id);
            if let Err(error) = files::run_blocking(remove).await {
                tracing::warn!(%error, "the temporary file of an interrupted export was not removed");
            }
            let export = self.known(&owner, target, name, ExportState::Interrupted);
            let mut all = self.lock();
            // Another window may have read it meanwhile.
            let is_known = all.iter().any(|known| known.name == export.name);
            if !is_known {
                all.insert(0, export);
            }
        }
        Ok(())
    }

    /// The exports of an owner, the newest first.
    pub(crate) fn list(&self, owner: &DraftOwner) -> Vec<Export> {
        let all = self.lock();
        let of = all.iter().filter(|it| it.owner == *owner);
        of.rev().map(|export| export.view().clone()).collect()
    }

    /// Cancels an export; without effect if it has ended.
    pub(crate) fn cancel(&self, owner: &DraftOwner, id: u32) {
        if let Some(export) = self.find(owner, id) {
            export.cancel.send_replace(true);
        }
    }

    /// Forgets an export that has ended.
    pub(crate) async fn close(&self, owner: &DraftOwner, id: u32) {
        let Some(export) = self.find(owner, id) else {
            return;
        };
        if export.view().state != ExportState::Running {
            self.forget(&export).await;
        }
    }

    fn known(
        &self,
        owner: &ExportOwner,
        target: ExportTarget,
        name: String,
        state: ExportState,
    ) -> Arc<KnownExport> {
        let file = target.path.file_name().unwrap_or_default();
        let view = Export {
            id: self.last_id.fetch_add(1, Ordering::AcqRel) + 1,
            file: file.to_string_lossy().into_owned(),
            format: target.options.format,
            state,
            total: target.total,
            rows: None,
            kibibytes: 0,
            error: None,
        };
        Arc::new(KnownExport {
            owner: owner.owner.clone(),
            target,
            name,
            has_record: owner.has_records,
            lock: Mutex::default(),
            view: Mutex::new(view),
            cancel: watch::Sender::new(false),
        })
    }

    /// Takes the names of records away whose exports are known.
    fn remove_known(&self, names: &mut Vec<String>) {
        let known = self.lock();
        names.retain(|name| known.iter().all(|export| export.name != *name));
    }

    async fn forget(&self, export: &Arc<KnownExport>) {
        // The record first: without it the export is not read again.
        self.remove_record(export).await;
        self.take(export);
        self.progress.note();
    }

    /// Removes an export from those that are known. Whether it was one of them.
    fn take(&self, export: &Arc<KnownExport>) -> bool {
        let mut all = self.lock();
        let before = all.len();
        all.retain(|other| !Arc::ptr_eq(other, export));
        all.len() < before
    }

    async fn remove_record(&self, export: &Arc<KnownExport>) {
        if !export.has_record {
            return;
        }
        let ended = Arc::clone(export);
        let removed = self.records.transact(&export.owner, move |records| {
            let lock = ended.lock().take();
            record::end(records, &ended.name, lock)
        });
        if let Err(error) = removed.await {
            tracing::warn!(?error, "the record of an export that has ended stays");
        }
    }

    /// Writes the record, then the file. Without a keyring it is not offered again.
    async fn write_durably(
        &self,
        export: &Arc<KnownExport>,
        context: &CallContext,
    ) -> Result<(), CommandError> {
        if export.has_record {
            let begun = Arc::clone(export);
            let written = self.records.transact(&export.owner, move |records| {
                // Kept here, since the caller may be dropped meanwhile.
                *begun.lock() = Some(record::begin(records, &begun.name, &begun.target)?);
                Ok::<_, RecordError>(())
            });
            if let Err(error) = written.await {
                tracing::info!(?error, "an export has no record");
            }
        }
        self.write(export, context, export.target.clone()).await
    }

    fn find(&self, owner: &DraftOwner, id: u32) -> Option<Arc<KnownExport>> {
        let all = self.lock();
        let mut of = all.iter().filter(|it| it.owner == *owner);
        of.find(|it| it.view().id == id).cloned()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Arc<KnownExport>>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
