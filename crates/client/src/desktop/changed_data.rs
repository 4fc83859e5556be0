//! Tells the other windows of an organization that its data was changed (decision 0143).

use invoicing_contract::OrganizationId;

use super::{Desktop, WindowKey};
use crate::organizations::ChangedData;
use crate::views::WindowBinding;

/// Tells the other windows when it is dropped: a command holds it while it runs. Also a write that fails may have been done.
pub(super) struct NoticeOfChange<'a> {
    desktop: &'a Desktop,
    window: &'a WindowKey,
    organization: OrganizationId,
    data: ChangedData,
}

impl Drop for NoticeOfChange<'_> {
    fn drop(&mut self) {
        self.desktop
            .note_change(Some(self.window), &self.organization, self.data);
    }
}

impl Desktop {
    /// What a command holds that changes data of the window's organization. The window itself reads again what it has changed.
    #[must_use]
    pub(super) fn notice_of_change<'a>(
        &'a self,
        window: &'a WindowKey,
        binding: &WindowBinding,
        data: ChangedData,
    ) -> NoticeOfChange<'a> {
        NoticeOfChange {
            desktop: self,
            window,
            organization: binding.organization.clone(),
            data,
        }
    }

    /// Tells the windows of an organization, but the one that made the change.
    pub(super) fn note_change(
        &self,
        by: Option<&WindowKey>,
        organization: &OrganizationId,
        data: ChangedData,
    ) {
        if self.bindings.note_change(by, organization, data) {
            self.changes.notify();
        }
    }
}
