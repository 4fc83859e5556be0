//! Commands about templates and the drafts that their schedules make.

use std::sync::Arc;

use invoicing_contract::OrganizationId;
use uuid::Uuid;

use super::drafts::{draft_owner, gross_of};
use super::{CommandResult, Desktop, WindowKey};
use crate::gateway::CallContext;
use crate::organizations::ChangedData;
use crate::session::ActiveSession;
use crate::templates::first_dates;
use crate::views::{
    CommandError, Draft, InvoiceContent, InvoiceKind, RecurringDrafts, Schedule, TemplateList,
    WindowBinding,
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
    pub async fn templates(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
    ) -> CommandResult<TemplateList> {
        let context = self.call_context(window, &binding, "templates", false)?;
        if context.session.is_impersonated() {
            return Ok(TemplateList::default());
        }
        let today = self.today_of(&context);
        let gross = |content: &InvoiceContent| gross_of(content, today);
        self.templates.list(&draft_owner(&context), gross).await
    }

    pub async fn save_template(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        name: String,
        content: InvoiceContent,
    ) -> CommandResult<String> {
        self.refuse_while_impersonating(window)?;
        let context = self.call_context(window, &binding, "save_template", true)?;
        let _changed = self.notice_of_change(window, &binding, ChangedData::Templates);
        if content.kind != InvoiceKind::Invoice {
            return Err(CommandError::InvalidCall {
                reason: "a template is of an invoice".to_owned(),
            });
        }
        let owner = draft_owner(&context);
        self.templates.save(&owner, &name, content).await
    }

    pub async fn rename_template(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        template: String,
        name: String,
    ) -> CommandResult<()> {
        self.refuse_while_impersonating(window)?;
        let context = self.call_context(window, &binding, "rename_template", true)?;
        let _changed = self.notice_of_change(window, &binding, ChangedData::Templates);
        check_id(&template)?;
        let owner = draft_owner(&context);
        self.templates.rename(&owner, &template, &name).await
    }

    pub async fn remove_template(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        template: String,
    ) -> CommandResult<()> {
        self.refuse_while_impersonating(window)?;
        let context = self.call_context(window, &binding, "remove_template", true)?;
        let _changed = self.notice_of_change(window, &binding, ChangedData::Templates);
        check_id(&template)?;
        self.templates
            .remove(&draft_owner(&context), &template)
            .await
    }

    pub async fn restore_template(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        template: String,
    ) -> CommandResult<()> {
        self.refuse_while_impersonating(window)?;
        let context = self.call_context(window, &binding, "restore_template", true)?;
        let _changed = self.notice_of_change(window, &binding, ChangedData::Templates);
        check_id(&template)?;
        self.templates
            .restore(&draft_owner(&context), &template)
            .await
    }

    pub async fn new_from_template(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        template: String,
    ) -> CommandResult<Draft> {
        self.refuse_while_impersonating(window)?;
        let context = self.call_context(window, &binding, "new_from_template", true)?;
        let _changed = self.notice_of_change(window, &binding, ChangedData::Drafts);
        check_id(&template)?;
        let today = self.today_of(&context);
        let owner = draft_owner(&context);
        let content = self.templates.use_for(&owner, &template, today).await?;
        self.new_draft(window, binding, Some(content)).await
    }

    pub async fn schedule_template(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        template: String,
        schedule: Option<Schedule>,
    ) -> CommandResult<()> {
        self.refuse_while_impersonating(window)?;
        let context = self.call_context(window, &binding, "schedule_template", true)?;
        let _changed = self.notice_of_change(window, &binding, ChangedData::Templates);
        check_id(&template)?;
        let today = self.today_of(&context);
        self.templates
            .set_schedule(&draft_owner(&context), &template, schedule.as_ref(), today)
            .await
    }

    pub async fn schedule_dates(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        schedule: Schedule,
    ) -> CommandResult<Vec<String>> {
        let context = self.call_context(window, &binding, "schedule_dates", false)?;
        first_dates(&schedule, self.today_of(&context))
    }

    pub async fn recurring_drafts(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
    ) -> CommandResult<RecurringDrafts> {
        let context = self.call_context(window, &binding, "recurring_drafts", false)?;
        if context.session.is_impersonated() {
            return Ok(RecurringDrafts::default());
        }
        let today = self.today_of(&context);
        let mut changed = None;
        // Only of what was written: each window that is told asks again, so that two of them would call each other without end.
        let on_written = || {
            changed.get_or_insert_with(|| {
                [ChangedData::Drafts, ChangedData::Templates]
                    .map(|data| self.notice_of_change(window, &binding, data))
            });
        };
        self.templates
            .make_due(&self.drafts, &draft_owner(&context), today, on_written)
            .await
    }
}

impl Desktop {
    /// Makes what is due by schedules in each organization of the account, also where no window is: local work, once a day for each.
    /// Returns those where it failed, and why. They hold up no other.
    pub(super) async fn make_due_everywhere(
        &self,
        session: &Arc<ActiveSession>,
    ) -> Vec<(OrganizationId, CommandError)> {
        let mut failed = Vec::new();
        for organization in session.identity().organizations() {
            let context = CallContext {
                session: Arc::clone(session),
                organization,
                command: "draft_counts",
                write: false,
                retries: false,
            };
            let today = self.today_of(&context);
            let owner = draft_owner(&context);
            let mut written = false;
            let made = self
                .templates
                .make_due_once_a_day(&self.drafts, &owner, today, || written = true)
                .await;
            if written {
                // All windows: also the one that asks has not made them of itself.
                for data in [ChangedData::Drafts, ChangedData::Templates] {
                    self.note_change(None, &owner.organization, data);
                }
            }
            if let Err(error) = made {
                tracing::warn!(?error, "recurring drafts of an organization were not made");
                failed.push((owner.organization, error));
            }
        }
        failed
    }
}

/// An id becomes a file name.
fn check_id(template: &str) -> CommandResult<()> {
    match Uuid::try_parse(template) {
        Ok(_) => Ok(()),
        Err(error) => Err(CommandError::InvalidCall {
            reason: format!("template is not a UUID: {error}"),
        }),
    }
}
