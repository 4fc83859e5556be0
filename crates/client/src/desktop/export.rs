//! Commands about exports.

use super::{CommandResult, Desktop, WindowKey};
use crate::export::ExportTarget;
use crate::views::{DocumentSelection, Export, ExportFormat, ExportOptions, WindowBinding};

#[expect(
    missing_docs,
    reason = "each command is documented in the one list of commands"
)]
#[expect(
    clippy::missing_errors_doc,
    reason = "each command is documented in the one list of commands"
)]
impl Desktop {
    pub async fn export_documents(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        selection: DocumentSelection,
        options: ExportOptions,
        total: u32,
    ) -> CommandResult<Option<Export>> {
        let context = self.call_context(window, &binding, "export_documents", false)?;
        let ending = match options.format {
            ExportFormat::Csv => "csv",
            ExportFormat::Xlsx => "xlsx",
        };
        let name = format!("invoices-{}.{ending}", self.clock.today());
        let Some(path) = self.host.choose_file(window, &name).await else {
            return Ok(None);
        };
        let target = ExportTarget {
            selection,
            options,
            total,
            path,
        };
        Ok(Some(self.exports.start(context, target)))
    }

    pub async fn exports(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
    ) -> CommandResult<Vec<Export>> {
        self.session_of(window, &binding)?;
        Ok(self.exports.list(&binding.organization))
    }

    pub async fn cancel_export(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        id: u32,
    ) -> CommandResult<()> {
        self.session_of(window, &binding)?;
        self.exports.cancel(&binding.organization, id);
        Ok(())
    }

    pub async fn close_export(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        id: u32,
    ) -> CommandResult<()> {
        self.session_of(window, &binding)?;
        self.exports.close(&binding.organization, id);
        Ok(())
    }
}
