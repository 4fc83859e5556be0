//! Commands about bulk runs.

use super::drafts::draft_owner;
use super::{CommandResult, Desktop, WindowKey};
use crate::bulk::Saving;
use crate::drafts::DraftOwner;
use crate::gateway::CallContext;
use crate::views::{
    BulkAction, BulkCheck, BulkPlan, BulkResultPage, BulkRun, CommandError, DocumentFormat,
    DocumentSelection, OrganizationWork, PrintLanguage, WindowBinding,
};

/// The largest page of results.
const MAX_PAGE: u32 = 500;

#[expect(
    missing_docs,
    reason = "each command is documented in the one list of commands"
)]
#[expect(
    clippy::missing_errors_doc,
    reason = "each command is documented in the one list of commands"
)]
impl Desktop {
    pub async fn plan_bulk_run(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        action: BulkAction,
        selection: DocumentSelection,
    ) -> CommandResult<BulkPlan> {
        let context = self.call_context(window, &binding, "plan_bulk_run", false)?;
        self.bulk_runs.plan(&context, action, &selection).await
    }

    pub async fn check_bulk_issue(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        selection: DocumentSelection,
        skip: u32,
    ) -> CommandResult<BulkCheck> {
        // The run can begin without it: a check that cannot be done now is not waited for.
        let context = CallContext {
            retries: false,
            ..self.call_context(window, &binding, "check_bulk_issue", false)?
        };
        self.bulk_runs.check_issue(&context, &selection, skip).await
    }

    pub async fn issue_documents(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        selection: DocumentSelection,
        confirmed: BulkPlan,
    ) -> CommandResult<BulkRun> {
        self.refuse_while_impersonating(window)?;
        let context = self.call_context(window, &binding, "issue_documents", true)?;
        let start = self
            .bulk_runs
            .start(context, BulkAction::Issue, None, selection, confirmed);
        start.await
    }

    pub async fn freeze_documents(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        selection: DocumentSelection,
        confirmed: BulkPlan,
    ) -> CommandResult<BulkRun> {
        self.refuse_while_impersonating(window)?;
        let context = self.call_context(window, &binding, "freeze_documents", true)?;
        let start = self
            .bulk_runs
            .start(context, BulkAction::Freeze, None, selection, confirmed);
        start.await
    }

    pub async fn save_documents(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        format: DocumentFormat,
        language: PrintLanguage,
        selection: DocumentSelection,
        confirmed: BulkPlan,
    ) -> CommandResult<Option<BulkRun>> {
        self.refuse_while_impersonating(window)?;
        let context = self.call_context(window, &binding, "save_documents", false)?;
        let (action, what) = match format {
            DocumentFormat::Pdf => (BulkAction::SavePdf, "PDF"),
            DocumentFormat::Ubl => (BulkAction::SaveUbl, "UBL"),
        };
        let Some(folder) = self.host.choose_folder(window, what).await else {
            return Ok(None);
        };
        let saving = Some(Saving { folder, language });
        let start = self
            .bulk_runs
            .start(context, action, saving, selection, confirmed);
        start.await.map(Some)
    }

    pub async fn bulk_runs(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
    ) -> CommandResult<Vec<BulkRun>> {
        let context = self.call_context(window, &binding, "bulk_runs", false)?;
        if context.session.is_impersonated() {
            return Ok(Vec::new());
        }
        self.bulk_runs.list(&draft_owner(&context)).await
    }

    pub async fn account_work(&self, window: &WindowKey) -> CommandResult<Vec<OrganizationWork>> {
        let session = self.session_in(window)?;
        let organizations = session.identity().organizations().into_iter();
        let work = organizations.map(|organization| {
            let owner = DraftOwner {
                account: session.account_key(),
                organization,
            };
            let runs = if session.is_impersonated() {
                Vec::new()
            } else {
                self.bulk_runs.known(&owner)
            };
            OrganizationWork {
                runs,
                exports: self.exports.list(&owner),
                organization: owner.organization,
            }
        });
        Ok(work
            .filter(|work| !work.runs.is_empty() || !work.exports.is_empty())
            .collect())
    }

    pub async fn bulk_results(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        run: String,
        failed: bool,
        skip: u32,
        page_size: u32,
    ) -> CommandResult<BulkResultPage> {
        self.refuse_while_impersonating(window)?;
        let context = self.call_context(window, &binding, "bulk_results", false)?;
        if !(1..=MAX_PAGE).contains(&page_size) {
            return Err(CommandError::InvalidCall {
                reason: format!("pageSize is 1 to {MAX_PAGE}"),
            });
        }
        let owner = draft_owner(&context);
        self.bulk_runs
            .results(&owner, &run, failed, skip, page_size)
            .await
    }

    pub async fn stop_bulk_run(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        run: String,
    ) -> CommandResult<()> {
        self.refuse_while_impersonating(window)?;
        let context = self.call_context(window, &binding, "stop_bulk_run", true)?;
        self.bulk_runs.stop(&draft_owner(&context), &run).await
    }

    pub async fn continue_bulk_run(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        run: String,
    ) -> CommandResult<()> {
        self.refuse_while_impersonating(window)?;
        let context = self.call_context(window, &binding, "continue_bulk_run", true)?;
        self.bulk_runs.resume(context, &run).await
    }

    pub async fn close_bulk_run(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        run: String,
    ) -> CommandResult<()> {
        self.refuse_while_impersonating(window)?;
        let context = self.call_context(window, &binding, "close_bulk_run", true)?;
        self.bulk_runs.close(&draft_owner(&context), &run).await
    }
}
