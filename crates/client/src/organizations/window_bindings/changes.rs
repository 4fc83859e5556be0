//! What was changed outside of a window, counted by kind.

use crate::views::ChangeCounts;

/// What was changed outside of a window since it was opened.
#[derive(Clone, Copy, Default)]
pub(crate) struct Changes {
    /// By what was changed.
    pub(crate) data: ChangeCounts,
    /// How many drafts the outbox has sent.
    pub(crate) deliveries: u32,
}

/// What a write changes of an organization.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ChangedData {
    /// Documents, their payments and attachments.
    Documents,
    /// Drafts on this computer.
    Drafts,
    /// Remembered buyers and items.
    MasterData,
    /// Templates and their schedules.
    Templates,
    /// Saved views and columns of lists.
    ListSettings,
    /// People, machine users, tenants and plans.
    Administration,
    /// The outbox has sent a draft.
    Delivery,
}

impl Changes {
    /// Counts a change.
    pub(super) fn note(&mut self, data: ChangedData) {
        let count = match data {
            ChangedData::Documents => &mut self.data.documents,
            ChangedData::Drafts => &mut self.data.drafts,
            ChangedData::MasterData => &mut self.data.master_data,
            ChangedData::Templates => &mut self.data.templates,
            ChangedData::ListSettings => &mut self.data.list_settings,
            ChangedData::Administration => &mut self.data.administration,
            ChangedData::Delivery => &mut self.deliveries,
        };
        *count = count.wrapping_add(1);
    }
}
