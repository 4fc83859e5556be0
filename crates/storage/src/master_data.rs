//! Master data of organizations: the parties that they trade with and the items that they sell.

use async_trait::async_trait;
use invoicing_contract::{ConcurrencyStamp, OrganizationId, Timestamp};
use uuid::Uuid;

use super::StorageError;
use super::audit::AuditEvent;

/// Most bytes of [`MasterRecord::search_text`]: it is part of an index.
pub const MAX_SEARCH_TEXT: usize = 1_000;

/// What a record describes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MasterDataKind {
    /// A buyer or seller.
    Party,
    /// Goods or a service.
    Item,
}

impl MasterDataKind {
    /// The stored number.
    #[must_use]
    pub const fn number(self) -> i32 {
        match self {
            Self::Party => 1,
            Self::Item => 2,
        }
    }
}

/// A party or an item. The columns derive from the message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MasterRecord {
    /// The organization that it belongs to.
    pub organization: OrganizationId,
    /// What it describes.
    pub kind: MasterDataKind,
    /// Unique within organization and kind.
    pub key: Uuid,
    /// Its version.
    pub concurrency_stamp: ConcurrencyStamp,
    /// Whether it is no longer offered for new documents.
    pub archived: bool,
    /// The tax id of a party or the seller's code of an item, folded. No other record of the kind has it. `None`: it has none,
    /// or shares that of another record.
    pub identifier: Option<String>,
    /// Its folded words, each with a space before it; at most [`MAX_SEARCH_TEXT`] bytes.
    pub search_text: String,
    /// When it was last written or used in a document. The order of lists.
    pub last_used_at: Timestamp,
    /// The message `invoicing.parties.v2.Party` or `invoicing.items.v2.Item`.
    pub body: Vec<u8>,
}

/// A state of a record, after the write that made it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MasterRevision {
    /// The writes to a record are counted from 1, without gaps.
    pub number: i32,
    /// What the write did: the detail `action` of its audit event.
    pub action: String,
    /// The message.
    pub body: Vec<u8>,
}

/// The outcome of a write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MasterWriteOutcome {
    /// The write is stored.
    Stored,
    /// The organization has a record of the kind with this key. Nothing was written.
    KeyTaken,
    /// Another record has the identifier: the one with this key. Nothing was written.
    IdentifierTaken(Uuid),
    /// The record does not exist or has another stamp. Nothing was written.
    Stale,
}

/// A page of a list: most recently used first, then by descending key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MasterDataQuery {
    /// Only records of this organization.
    pub organization: OrganizationId,
    /// Only records of this kind.
    pub kind: MasterDataKind,
    /// Beginnings of words, folded, each of which a record contains. Letters and digits only.
    pub words: Vec<String>,
    /// Only archived records, or only others. `None`: both.
    pub archived: Option<bool>,
    /// The page begins after the record with this time of its last use and this key.
    pub after: Option<(Timestamp, Uuid)>,
    /// Records of the page.
    pub size: u32,
}

/// What a write does to a record, for its history and the audit.
#[derive(Debug, Clone, Copy)]
pub struct MasterWrite<'a> {
    /// The record as it will be stored.
    pub record: &'a MasterRecord,
    /// The audit event of the write. Its detail `action` names it in the history.
    pub event: &'a AuditEvent,
}

impl MasterWrite<'_> {
    /// The name of the write in the history.
    #[must_use]
    pub fn action(&self) -> &str {
        self.event.detail.get("action").map_or("", String::as_str)
    }
}

/// Parties and items of organizations. Each method is one transaction. A write appends to the history of its record.
#[async_trait]
pub trait MasterDataStore: Send + Sync {
    /// A record of an organization.
    async fn master_record(
        &self,
        organization: &OrganizationId,
        kind: MasterDataKind,
        key: Uuid,
    ) -> Result<Option<MasterRecord>, StorageError>;

    /// The record that has an identifier.
    async fn master_record_identified(
        &self,
        organization: &OrganizationId,
        kind: MasterDataKind,
        identifier: &str,
    ) -> Result<Option<MasterRecord>, StorageError>;

    /// Adds a record. Of several with one key or one identifier, one is stored. Never [`MasterWriteOutcome::Stale`].
    async fn add_master_record(
        &self,
        write: MasterWrite<'_>,
    ) -> Result<MasterWriteOutcome, StorageError>;

    /// Replaces the record with the same key, if it has the stamp `expected`. Of several with one stamp one is stored. Never
    /// [`MasterWriteOutcome::KeyTaken`].
    async fn replace_master_record(
        &self,
        write: MasterWrite<'_>,
        expected: &ConcurrencyStamp,
    ) -> Result<MasterWriteOutcome, StorageError>;

    /// Records that a record was used at a time, unless it was used later. Its stamp and history stay.
    async fn use_master_record(
        &self,
        organization: &OrganizationId,
        kind: MasterDataKind,
        key: Uuid,
        at: Timestamp,
    ) -> Result<(), StorageError>;

    /// The latest `limit` revisions of a record, or those before the one with the number `before`, newest first. Empty if there is
    /// none.
    async fn master_record_history(
        &self,
        organization: &OrganizationId,
        kind: MasterDataKind,
        key: Uuid,
        before: Option<i32>,
        limit: u32,
    ) -> Result<Vec<MasterRevision>, StorageError>;

    /// A page of records.
    async fn master_records(
        &self,
        query: &MasterDataQuery,
    ) -> Result<Vec<MasterRecord>, StorageError>;
}
