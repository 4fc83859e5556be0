//! The settings of a tenant's tax authority.

use std::collections::BTreeSet;
use std::fmt;

use invoicing_contract::messages::documents::Kind;
use invoicing_contract::{ConcurrencyStamp, OrganizationId, Timestamp};

use crate::audit::AuditedValues;

/// Whether issuing waits for the authority.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AuthorityMode {
    /// The authority clears a document before it is handed over: issuing waits for the answer.
    Clearance,
    /// The authority is told afterwards: issuing does not wait.
    Reporting,
}

impl AuthorityMode {
    /// The stored name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Clearance => "clearance",
            Self::Reporting => "reporting",
        }
    }

    /// The mode with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        [Self::Clearance, Self::Reporting]
            .into_iter()
            .find(|mode| mode.name() == name)
    }
}

/// What the encrypted credentials of a tenant's authority belong to ([`EncryptionKeys::encrypt`](crate::encryption::EncryptionKeys::encrypt)).
#[must_use]
pub fn credentials_owner(organization: &OrganizationId) -> Vec<u8> {
    format!("credentials of the authority of {organization}").into_bytes()
}

/// The tax authority of a tenant.
#[derive(Clone, PartialEq, Eq)]
pub struct AuthoritySettings {
    /// The tenant.
    pub organization: OrganizationId,
    /// The name of the adapter that speaks to the authority.
    pub adapter: String,
    /// Where documents are sent.
    pub endpoint: String,
    /// Encrypted; `None`: the authority needs none.
    pub credentials: Option<Vec<u8>>,
    /// Whether issuing waits for the answer.
    pub mode: AuthorityMode,
    /// The kinds of documents that are sent. Others are issued without the authority.
    pub kinds: BTreeSet<Kind>,
    /// Whether documents that are issued from now on are sent.
    pub enabled: bool,
    /// Its version.
    pub concurrency_stamp: ConcurrencyStamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

impl AuthoritySettings {
    /// Whether a document of this kind is sent when it is issued.
    #[must_use]
    pub fn applies_to(&self, kind: Kind) -> bool {
        self.enabled && self.kinds.contains(&kind)
    }

    /// What events say of them. The query of the endpoint can hold a key, so it is only a field.
    #[must_use]
    pub fn audited_values(&self) -> AuditedValues {
        let (endpoint, query) = self
            .endpoint
            .split_once('?')
            .unwrap_or((&self.endpoint, ""));
        let credentials = self.credentials.as_deref();
        AuditedValues::default()
            .value("adapter", &*self.adapter)
            .value("endpoint", endpoint)
            .value("mode", self.mode.name())
            .value("kinds", self.kind_names())
            .flag("enabled", self.enabled)
            .flag("credentials", credentials.is_some())
            .concealed("endpoint.query", query)
            .concealed("credentials", credentials.unwrap_or_default())
    }

    /// The stored names of the kinds, separated by spaces.
    #[must_use]
    pub fn kind_names(&self) -> String {
        let names = self.kinds.iter().map(Kind::as_str_name);
        names.collect::<Vec<_>>().join(" ")
    }

    /// The kinds of stored names; `None` if one of them is unknown.
    #[must_use]
    pub fn kinds_named(names: &str) -> Option<BTreeSet<Kind>> {
        names
            .split_whitespace()
            .map(Kind::from_str_name)
            .collect::<Option<_>>()
    }
}

impl fmt::Debug for AuthoritySettings {
    /// Without the credentials, although they are encrypted.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("AuthoritySettings")
            .field("organization", &self.organization)
            .field("adapter", &self.adapter)
            .field("endpoint", &self.endpoint)
            .field("mode", &self.mode)
            .field("kinds", &self.kinds)
            .field("enabled", &self.enabled)
            .field("concurrency_stamp", &self.concurrency_stamp)
            .finish_non_exhaustive()
    }
}
