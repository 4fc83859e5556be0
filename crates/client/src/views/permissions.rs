//! What the person may do in the organization of the window.

use serde::Serialize;
use specta::Type;

/// What the window offers. The service decides each call (decision 0161).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Permissions {
    /// New documents can be created.
    pub create_documents: bool,
    /// Documents can be changed.
    pub update_documents: bool,
    /// Drafts can be deleted.
    pub delete_documents: bool,
    /// Documents can be issued.
    pub issue_documents: bool,
    /// Issued documents can be frozen.
    pub freeze_documents: bool,
    /// Payments can be recorded.
    pub record_payments: bool,
    /// Recorded payments can be voided.
    pub void_payments: bool,
    /// What is remembered of buyers can be changed, and a buyer taken out of the suggestions.
    pub update_parties: bool,
    /// So can items.
    pub update_items: bool,
    /// Documents can be listed.
    pub list_documents: bool,
    /// Something of the administration, of the organization or of the platform.
    pub administration: bool,
    /// The users of the organization can be listed.
    pub users: bool,
    /// So can its machine users.
    pub machine_users: bool,
    /// So can the events of its audit.
    pub audit: bool,
    /// What its documents state about the seller can be changed.
    pub own_tenant: bool,
    /// On the platform: tenants can be listed.
    pub tenants: bool,
    /// On the platform: plans can be listed.
    pub plans: bool,
    /// On the platform: the authorization rules can be read.
    pub rules: bool,
    /// On the platform: the events of all tenants can be listed.
    pub platform_audit: bool,
}
