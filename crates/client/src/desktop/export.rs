//! Commands about exports.

use super::drafts::draft_owner;
use super::{CommandResult, Desktop, WindowKey};
use crate::export::{ExportOwner, ExportTarget};
use crate::gateway::CallContext;
use crate::views::{
    CommandError, DocumentSelection, Export, ExportFormat, ExportOptions, WindowBinding,
};

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
        if matches!(&selection, DocumentSelection::Rows { rows } if rows.is_empty()) {
            // The service takes a request without keys for one of all documents.
            return Err(CommandError::InvalidCall {
                reason: "no row is selected".to_owned(),
            });
        }
        let ending = match options.format {
            ExportFormat::Csv => "csv",
            ExportFormat::Xlsx => "xlsx",
        };
        let name = format!("invoices-{}.{ending}", self.today_of(&context));
        let Some(path) = self.host.choose_file(window, &name).await else {
            return Ok(None);
        };
        let target = ExportTarget {
            selection,
            options,
            total,
            path,
        };
        let owner = self.export_owner(window, &context);
        Ok(Some(self.exports.start(context, &owner, target)))
    }

    pub async fn exports(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
    ) -> CommandResult<Vec<Export>> {
        let context = self.call_context(window, &binding, "exports", false)?;
        let owner = self.export_owner(window, &context);
        if owner.has_records {
            // Without the keyring only those of this start are known.
            if let Err(error) = self.exports.read_interrupted(&owner.owner).await {
                tracing::info!(?error, "records of exports cannot be read");
            }
        }
        Ok(self.exports.list(&owner.owner))
    }

    pub async fn restart_export(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        id: u32,
    ) -> CommandResult<Option<Export>> {
        let context = self.call_context(window, &binding, "restart_export", false)?;
        let owner = self.export_owner(window, &context);
        Ok(self.exports.restart(context, &owner, id).await)
    }

    pub async fn cancel_export(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        id: u32,
    ) -> CommandResult<()> {
        let context = self.call_context(window, &binding, "cancel_export", false)?;
        self.exports.cancel(&draft_owner(&context), id);
        Ok(())
    }

    pub async fn close_export(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        id: u32,
    ) -> CommandResult<()> {
        let context = self.call_context(window, &binding, "close_export", false)?;
        self.exports.close(&draft_owner(&context), id).await;
        Ok(())
    }

    /// Whose the exports of a window are. While somebody acts as another person nothing is written that outlives it.
    fn export_owner(&self, window: &WindowKey, context: &CallContext) -> ExportOwner {
        ExportOwner {
            owner: draft_owner(context),
            has_records: self.impersonation_in(window).is_none(),
        }
    }
}
