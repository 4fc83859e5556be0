//! What parties and items have in common, and how they are stored.

use invoicing_contract::messages::documents::{Event, LocalizedText};
use invoicing_contract::messages::items::Item;
use invoicing_contract::messages::parties::Party;
use invoicing_contract::{FieldViolation, OrganizationId, OutputFields, Timestamp};
use invoicing_storage::StorageError;
use invoicing_storage::access::Tenant;
use invoicing_storage::audit::AuditEventKind;
use invoicing_storage::master_data::{MasterDataKind, MasterRecord};
use uuid::Uuid;

use super::search_text::{folded_identifier, search_text};

/// A message that is stored as a record.
pub(super) trait MasterMessage:
    prost::Message + prost::Name + Default + Clone + OutputFields + Send + Sync
{
    /// What it describes.
    const KIND: MasterDataKind;
    /// The event of its writes.
    const AUDIT_KIND: AuditEventKind;
    /// The field of its key in requests.
    const KEY_FIELD: &'static str;
    /// The path of the message in requests, with a point after it.
    const PATH: &'static str;

    /// The fields that the service writes.
    fn header(&mut self) -> Header<'_>;
    /// The name in both languages.
    fn name(&self) -> LocalizedText;
    /// What no other record should have; empty if there is none.
    fn identifier(&self) -> &str;
    /// Whether another record has the identifier.
    fn shares_identifier(&self) -> bool;
    /// Records that another record has the identifier.
    fn set_shares_identifier(&mut self, shares: bool);
    /// The texts that a search finds it by, the name first.
    fn search_texts(&self) -> Vec<&str>;
    /// Fills in what is absent.
    fn complete(&mut self, tenant: &Tenant);
    /// Everything that is wrong, with the paths in a request.
    fn check(
        &self,
        tenant: &Tenant,
        now: jiff::Timestamp,
    ) -> Result<Vec<FieldViolation>, StorageError>;
}

/// The fields of a message that the service writes.
pub(super) struct Header<'a> {
    pub(super) key: &'a mut String,
    pub(super) stamp: &'a mut String,
    pub(super) archived: &'a mut bool,
    pub(super) created: &'a mut Option<Event>,
    pub(super) updated: &'a mut Option<Event>,
    pub(super) last_used: &'a mut Option<pbjson_types::Timestamp>,
}

/// The record of a party with all its fields, last used at `at`. Nothing is checked.
#[must_use]
pub fn party_record(
    organization: &OrganizationId,
    key: Uuid,
    party: &Party,
    at: Timestamp,
) -> MasterRecord {
    stored_record(organization, key, party, at)
}

/// The record of an item with all its fields, last used at `at`. Nothing is checked.
#[must_use]
pub fn item_record(
    organization: &OrganizationId,
    key: Uuid,
    item: &Item,
    at: Timestamp,
) -> MasterRecord {
    stored_record(organization, key, item, at)
}

/// The record of a message, last used at `at`.
pub(super) fn stored_record<Message: MasterMessage>(
    organization: &OrganizationId,
    key: Uuid,
    message: &Message,
    at: Timestamp,
) -> MasterRecord {
    let mut message = message.clone();
    let shares = message.shares_identifier();
    let header = message.header();
    // A column has it, because a use does not write the message.
    *header.last_used = None;
    let (archived, stamp) = (*header.archived, header.stamp.as_str().into());
    MasterRecord {
        organization: organization.clone(),
        kind: Message::KIND,
        key,
        concurrency_stamp: stamp,
        archived,
        identifier: folded_identifier(message.identifier()).filter(|_| !shares),
        search_text: search_text(message.search_texts().into_iter()),
        last_used_at: at,
        body: message.encode_to_vec(),
    }
}

/// The message of a record.
pub(super) fn read<Message: MasterMessage>(record: &MasterRecord) -> Result<Message, StorageError> {
    let mut message: Message = decode(&record.body)?;
    *message.header().last_used = Some(record.last_used_at.into());
    Ok(message)
}

/// A stored message.
pub(super) fn decode<Message: MasterMessage>(body: &[u8]) -> Result<Message, StorageError> {
    Message::decode(body).map_err(StorageError::corrupt)
}
