//! The file of an export, as it is received from the service.

use std::time::Duration;

use invoicing_contract::operation;
use tokio::sync::mpsc;

use super::csv_rows::CsvRows;
use super::{ExportTarget, Exports, KnownExport};
use crate::files::{self, FileError, Replacement};
use crate::gateway::{CallContext, GatewayStream};
use crate::invoices::export_request;
use crate::views::{CommandError, ExportFormat};

/// Chunks that wait for the disk.
const WAITING_CHUNKS: usize = 16;
/// How often the progress is shown.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(250);

impl Exports {
    /// Streams the list into the temporary file, which then replaces the chosen one.
    pub(super) async fn write(
        &self,
        export: &KnownExport,
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
        let request = export_request(selection, options)
            .map_err(|violations| context.refusal(violations, self.clock.now()))?;
        // Before the request: a file that cannot be written costs the service nothing.
        let name = export.name.clone();
        let mut file = files::run_blocking(move || Replacement::create(path, &name)).await?;
        let mut stream = self.invoices.export(context, &request).await?;
        let (sender, mut chunks) = mpsc::channel::<bytes::Bytes>(WAITING_CHUNKS);
        let writing = files::run_blocking(move || {
            while let Some(chunk) = chunks.blocking_recv() {
                file.write(&chunk)?;
            }
            Ok::<_, FileError>(file)
        });
        let received = self
            .receive(export, context, &mut stream, format, sender)
            .await;
        // The disk comes first: without it the stream ends early.
        let file = writing.await?;
        received?;
        files::run_blocking(move || file.commit()).await?;
        Ok(())
    }

    async fn receive(
        &self,
        export: &KnownExport,
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
                view.rows = match format {
                    ExportFormat::Csv => Some(rows.count()),
                    ExportFormat::Xlsx => stream.rows(),
                };
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
        Ok(())
    }
}
