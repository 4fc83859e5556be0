//! Commands about people, machine users, authorization rules and the plan of an organization.

use super::{CommandResult, Desktop, WindowKey};
use crate::organizations::ChangedData;
use crate::views::{
    AuditPage, AuditQuery, CreatedMachineUser, MachineUserView, MintedToken, NewUser,
    PasswordCodeView, Permissions, PersonalTokenPage, PlanView, RuleEdits, RuleMatrix,
    RuleVersionPage, RulesCheck, RulesView, UserChange, UserPage, WindowBinding,
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
    pub async fn permissions(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
    ) -> CommandResult<Permissions> {
        let context = self.call_context(window, &binding, "permissions", false)?;
        self.administration.permissions(&context).await
    }

    pub async fn list_users(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        text: String,
        page: String,
    ) -> CommandResult<UserPage> {
        let context = self.call_context(window, &binding, "list_users", false)?;
        self.administration.users(&context, text, page).await
    }

    pub async fn invite_user(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        user: NewUser,
    ) -> CommandResult<PasswordCodeView> {
        let context = self.call_context(window, &binding, "invite_user", true)?;
        let _changed = self.notice_of_change(window, &binding, ChangedData::Administration);
        self.administration.invite(&context, user).await
    }

    pub async fn change_user(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        user: String,
        change: UserChange,
    ) -> CommandResult<()> {
        let context = self.call_context(window, &binding, "change_user", true)?;
        let _changed = self.notice_of_change(window, &binding, ChangedData::Administration);
        self.administration
            .change_user(&context, user, change)
            .await
    }

    pub async fn reset_password(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        user: String,
    ) -> CommandResult<PasswordCodeView> {
        let context = self.call_context(window, &binding, "reset_password", true)?;
        self.administration.reset_password(&context, user).await
    }

    pub async fn list_machine_users(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
    ) -> CommandResult<Vec<MachineUserView>> {
        let context = self.call_context(window, &binding, "list_machine_users", false)?;
        self.administration.machine_users(&context).await
    }

    pub async fn create_machine_user(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        name: String,
        role: String,
    ) -> CommandResult<CreatedMachineUser> {
        let context = self.call_context(window, &binding, "create_machine_user", true)?;
        let _changed = self.notice_of_change(window, &binding, ChangedData::Administration);
        self.administration
            .create_machine_user(&context, name, role)
            .await
    }

    pub async fn list_personal_tokens(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        user: String,
        page: String,
    ) -> CommandResult<PersonalTokenPage> {
        let context = self.call_context(window, &binding, "list_personal_tokens", false)?;
        self.administration
            .personal_tokens(&context, user, page)
            .await
    }

    pub async fn mint_personal_token(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        user: String,
        name: String,
        days: i32,
    ) -> CommandResult<MintedToken> {
        let context = self.call_context(window, &binding, "mint_personal_token", true)?;
        let _changed = self.notice_of_change(window, &binding, ChangedData::Administration);
        self.administration
            .mint_token(&context, user, name, days)
            .await
    }

    pub async fn revoke_personal_token(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        user: String,
        token: String,
    ) -> CommandResult<()> {
        let context = self.call_context(window, &binding, "revoke_personal_token", true)?;
        let _changed = self.notice_of_change(window, &binding, ChangedData::Administration);
        self.administration
            .revoke_token(&context, user, token)
            .await
    }

    pub async fn get_rules(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        version: Option<i32>,
    ) -> CommandResult<RulesView> {
        let context = self.call_context(window, &binding, "get_rules", false)?;
        self.administration.rules(&context, version).await
    }

    pub async fn list_rule_versions(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        page: String,
    ) -> CommandResult<RuleVersionPage> {
        let context = self.call_context(window, &binding, "list_rule_versions", false)?;
        self.administration.rule_versions(&context, page).await
    }

    pub async fn check_rules(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        matrix: RuleMatrix,
    ) -> CommandResult<RulesCheck> {
        let context = self.call_context(window, &binding, "check_rules", false)?;
        self.administration.check_rules(&context, matrix).await
    }

    pub async fn publish_rules(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        matrix: RuleMatrix,
        stamp: String,
        comment: String,
    ) -> CommandResult<RulesView> {
        let context = self.call_context(window, &binding, "publish_rules", true)?;
        let _changed = self.notice_of_change(window, &binding, ChangedData::Administration);
        self.administration
            .publish_rules(&context, matrix, stamp, comment)
            .await
    }

    pub async fn rule_edits(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
    ) -> CommandResult<RuleEdits> {
        let session = self.session_of(window, &binding)?;
        if self.impersonation_in(window).is_some() {
            return Ok(RuleEdits::default());
        }
        let kept = &self.organization_settings.rule_edits;
        Ok(kept.of(&session.account_key(), &binding.organization))
    }

    pub async fn save_rule_edits(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        edits: RuleEdits,
    ) -> CommandResult<()> {
        let session = self.session_of(window, &binding)?;
        // Nothing that outlives it is written (decision 0145).
        if self.impersonation_in(window).is_some() {
            return Ok(());
        }
        let kept = &self.organization_settings.rule_edits;
        Ok(kept
            .save(&session.account_key(), binding.organization, edits)
            .await?)
    }

    pub async fn roll_back_rules(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        version: i32,
        stamp: String,
        comment: String,
    ) -> CommandResult<RulesView> {
        let context = self.call_context(window, &binding, "roll_back_rules", true)?;
        let _changed = self.notice_of_change(window, &binding, ChangedData::Administration);
        self.administration
            .roll_back_rules(&context, version, stamp, comment)
            .await
    }

    pub async fn get_own_plan(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
    ) -> CommandResult<PlanView> {
        let context = self.call_context(window, &binding, "get_own_plan", false)?;
        self.administration.own_plan(&context).await
    }

    pub async fn list_audit_events(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        query: AuditQuery,
        page: String,
    ) -> CommandResult<AuditPage> {
        let context = self.call_context(window, &binding, "list_audit_events", false)?;
        self.administration
            .audit_events(&context, query, page)
            .await
    }
}
