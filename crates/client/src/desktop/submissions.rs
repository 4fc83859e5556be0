//! Commands about tax authorities and what is sent to them.

use invoicing_contract::{DocumentKey, OrganizationId};

use super::{CommandResult, Desktop, WindowKey};
use crate::organizations::ChangedData;
use crate::views::{
    AuthoritySettings, AuthorityTest, AuthorityView, CredentialsChange, SubmissionView,
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
    pub async fn get_authority(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        tenant: OrganizationId,
    ) -> CommandResult<Option<AuthorityView>> {
        let context = self.call_context(window, &binding, "get_authority", false)?;
        self.administration
            .authority(&context, tenant.into_string())
            .await
    }

    pub async fn save_authority(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        tenant: OrganizationId,
        stamp: Option<String>,
        settings: AuthoritySettings,
        credentials: CredentialsChange,
    ) -> CommandResult<AuthorityView> {
        let context = self.call_context(window, &binding, "save_authority", true)?;
        let _changed = self.notice_of_change(window, &binding, ChangedData::Administration);
        self.administration
            .save_authority(&context, tenant.into_string(), stamp, settings, credentials)
            .await
    }

    pub async fn test_authority(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        tenant: OrganizationId,
    ) -> CommandResult<AuthorityTest> {
        let context = self.call_context(window, &binding, "test_authority", false)?;
        self.administration
            .test_authority(&context, tenant.into_string())
            .await
    }

    pub async fn get_submission(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        key: DocumentKey,
    ) -> CommandResult<Option<SubmissionView>> {
        let context = self.call_context(window, &binding, "get_submission", false)?;
        self.administration.submission(&context, &key).await
    }

    pub async fn retry_submission(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        key: DocumentKey,
    ) -> CommandResult<()> {
        let context = self.call_context(window, &binding, "retry_submission", true)?;
        let _changed = self.notice_of_change(window, &binding, ChangedData::Documents);
        self.administration.retry_submission(&context, &key).await
    }
}
