//! Commands about bulk runs.

use super::drafts::draft_owner;
use super::{CommandResult, Desktop, WindowKey};
use crate::gateway::CallContext;
use crate::views::{
    BulkAction, BulkCheck, BulkPlan, BulkResultPage, BulkRun, CommandError, DocumentSelection,
    WindowBinding,
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
            .start(context, BulkAction::Issue, selection, confirmed);
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
            .start(context, BulkAction::Freeze, selection, confirmed);
        start.await
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
