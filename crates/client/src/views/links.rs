//! Where links to documents lead.

use invoicing_contract::{DocumentKey, OrganizationId};
use serde::{Deserialize, Serialize};
use specta::Type;

/// Where a link to a document leads, as seen from a window.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(
    tag = "kind",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum LinkTarget {
    /// To a document of the organization of the window.
    Document {
        /// Its key.
        key: DocumentKey,
    },
    /// To a document of another organization of the user, which this window does not open.
    OtherOrganization {
        /// Whose it is.
        organization: OrganizationId,
        /// The address that opens it in a window of that organization.
        address: String,
    },
    /// To a document of an organization in which the user has no role.
    NotGranted {
        /// Whose it is.
        organization: OrganizationId,
    },
    /// Nowhere: the address is no link to a document.
    NoLink,
}
