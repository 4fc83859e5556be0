//! Exports of lists: streamed from the service to a temporary file beside the chosen one, which it replaces at the end.

mod csv_rows;

use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use invoicing_contract::{OrganizationId, operation};
use tokio::sync::{mpsc, watch};

use crate::bulk::Progress;
use crate::clock::Clock;
use crate::files::{self, FileError, Replacement};
use crate::gateway::{CallContext, GatewayStream};
use crate::invoices::{Invoices, export_request};
use crate::views::{
    CommandError, DocumentSelection, Export, ExportFormat, ExportOptions, ExportState,
};

use csv_rows::CsvRows;

/// Chunks that wait for the disk.
const WAITING_CHUNKS: usize = 16;
/// How often the progress is shown.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(250);

/// The exports since the start of the application.
pub(crate) struct Exports {
    clock: Arc<dyn Clock>,
    progress: Arc<Progress>,
    invoices: Arc<Invoices>,
    last_id: AtomicU32,
    all: Mutex<Vec<Arc<RunningExport>>>,
}

struct RunningExport {
    organization: OrganizationId,
    view: Mutex<Export>,
    cancel: watch::Sender<bool>,
}

impl RunningExport {
    fn view(&self) -> MutexGuard<'_, Export> {
        self.view.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What is exported, and where to.
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
        progress: Arc<Progress>,
        invoices: Arc<Invoices>,
    ) -> Arc<Self> {
        Arc::new(Self {
            clock,
            progress,
            invoices,
            last_id: AtomicU32::new(0),
            all: Mutex::default(),
        })
    }

    /// Starts an export in the background.
    pub(crate) fn start(self: &Arc<Self>, context: CallContext, target: ExportTarget) -> Export {
        let file = target.path.file_name().unwrap_or_default();
        let view = Export {
            id: self.last_id.fetch_add(1, Ordering::AcqRel) + 1,
            file: file.to_string_lossy().into_owned(),
            format: target.options.format,
            state: ExportState::Running,
            total: target.total,
            rows: 0,
            kibibytes: 0,
            error: None,
        };
        let export = Arc::new(RunningExport {
            organization: context.organization.clone(),
            view: Mutex::new(view.clone()),
            cancel: watch::Sender::new(false),
        });
        self.lock().push(Arc::clone(&export));
        let exports = Arc::clone(self);
        tokio::spawn(async move {
            let mut cancelled = export.cancel.subscribe();
            // A dropped export removes its temporary file.
            let ended = tokio::select! {
                written = exports.write(&export, &context, target) => Some(written),
                _ = cancelled.wait_for(|cancelled| *cancelled) => None,
            };
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

    /// The exports of an organization, the newest first.
    pub(crate) fn list(&self, organization: &OrganizationId) -> Vec<Export> {
        let all = self.lock();
        let of = all.iter().filter(|it| it.organization == *organization);
        of.rev().map(|export| export.view().clone()).collect()
    }

    /// Cancels an export; without effect if it has ended.
    pub(crate) fn cancel(&self, organization: &OrganizationId, id: u32) {
        if let Some(export) = self.find(organization, id) {
            export.cancel.send_replace(true);
        }
    }

    /// Forgets an export that has ended.
    pub(crate) fn close(&self, organization: &OrganizationId, id: u32) {
        let Some(export) = self.find(organization, id) else {
            return;
        };
        if export.view().state != ExportState::Running {
            self.lock().retain(|other| !Arc::ptr_eq(other, &export));
            self.progress.note();
        }
    }

    async fn write(
        &self,
        export: &RunningExport,
        context: &CallContext,
        target: ExportTarget,
    ) -> Result<(), CommandError> {
        let ExportTarget {
            selection,
            options,
            path,
            ..
        } = target;
        let format = options.format;
        let request = export_request(selection, options);
        let mut stream = self.invoices.export(context, &request).await?;
        let (sender, mut chunks) = mpsc::channel::<bytes::Bytes>(WAITING_CHUNKS);
        let writing = tokio::task::spawn_blocking(move || {
            let mut file = Replacement::create(path)?;
            while let Some(chunk) = chunks.blocking_recv() {
                file.write(&chunk)?;
            }
            Ok::<_, FileError>(file)
        });
        let received = self
            .receive(export, context, &mut stream, format, sender)
            .await;
        let written = writing
            .await
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic.into_panic()));
        // The disk comes first: without it the stream ends early.
        let file = written?;
        received?;
        files::run_blocking(move || file.commit()).await?;
        Ok(())
    }

    async fn receive(
        &self,
        export: &RunningExport,
        context: &CallContext,
        stream: &mut GatewayStream,
        format: ExportFormat,
        sender: mpsc::Sender<bytes::Bytes>,
    ) -> Result<(), CommandError> {
        let mut rows = CsvRows::default();
        let mut bytes: u64 = 0;
        let mut shown = self.clock.monotonic();
        loop {
            let chunk = stream.chunk(self.clock.as_ref()).await.map_err(|error| {
                let now = self.clock.now();
                error.to_command_error(context, &operation::EXPORT_DOCUMENTS, now)
            })?;
            let Some(chunk) = chunk else {
                break;
            };
            bytes += u64::try_from(chunk.len()).unwrap_or(0);
            if format == ExportFormat::Csv {
                rows.read(&chunk);
            }
            let is_written = sender.send(chunk).await.is_ok();
            {
                let mut view = export.view();
                view.rows = rows.count();
                view.kibibytes = u32::try_from(bytes.div_ceil(1024)).unwrap_or(u32::MAX);
            }
            if !is_written {
                // The error of the disk follows.
                return Ok(());
            }
            let now = self.clock.monotonic();
            if now.saturating_sub(shown) >= PROGRESS_INTERVAL {
                shown = now;
                self.progress.note();
            }
        }
        if format == ExportFormat::Xlsx {
            let mut view = export.view();
            view.rows = view.total;
        }
        Ok(())
    }

    fn find(&self, organization: &OrganizationId, id: u32) -> Option<Arc<RunningExport>> {
        let all = self.lock();
        let found = all
            .iter()
            .find(|it| it.organization == *organization && it.view().id == id);
        found.cloned()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Arc<RunningExport>>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
