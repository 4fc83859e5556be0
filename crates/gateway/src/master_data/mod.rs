//! Master data: parties and items, which documents are written from (decision 0123).

mod error;
mod items;
mod last_price;
mod parties;
mod probe;
mod read;
mod record;
mod remember;
mod rpc;
mod search_text;
mod unit_price;

pub(crate) use self::error::MasterDataError;
pub use self::record::{item_record, party_record};

use std::sync::Arc;

use invoicing_contract::{FieldMask, FieldViolation, Timestamp, field_mask, output_violations};
use invoicing_http::{PageTokens, RequestContext};
use invoicing_storage::master_data::{
    MasterDataQuery, MasterRecord, MasterWrite, MasterWriteOutcome,
};
use invoicing_storage::{Clock, Rng, Store};
use uuid::Uuid;

use self::record::{MasterMessage, read, stored_record};
use self::search_text::words_of_name;
use crate::audit_event::audit_event;
use crate::documents::caller_event;
use crate::new_identifiers::{new_key, new_stamp, require_stamp};

/// Most similar records in the answer to a creation.
const MAX_SIMILAR: u32 = 5;

/// The parties and items of all organizations.
pub(crate) struct MasterData {
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    rng: Arc<dyn Rng>,
    page_tokens: PageTokens,
}

/// How a record is written.
#[derive(Debug, Clone, Copy, Default)]
struct WriteOptions {
    /// Store it although another record has its identifier.
    allow_shared: bool,
    /// Check everything and write nothing.
    validate_only: bool,
}

/// What an update asks for.
struct Update<Message> {
    /// Of the state that it is based on.
    stamp: String,
    message: Option<Message>,
    /// Which fields are taken from the message; `None`: all.
    mask: Option<FieldMask>,
}

impl MasterData {
    pub(crate) fn new(
        store: Arc<dyn Store>,
        clock: Arc<dyn Clock>,
        rng: Arc<dyn Rng>,
        page_tokens: PageTokens,
    ) -> Self {
        Self {
            store,
            clock,
            rng,
            page_tokens,
        }
    }

    /// Creates a record. Returns it with the active records whose names have the same words.
    async fn create<Message: MasterMessage>(
        &self,
        context: &RequestContext,
        key: &str,
        message: Option<Message>,
        options: WriteOptions,
    ) -> Result<(Message, Vec<Message>), MasterDataError> {
        let now = self.clock.now();
        let mut violations = Vec::new();
        let key = new_key(Message::KEY_FIELD, key, now, &*self.rng).unwrap_or_else(|violation| {
            violations.push(violation);
            Uuid::nil()
        });
        let message = message.unwrap_or_default();
        violations.extend(output_violations(&message, Message::PATH));
        let message = checked(context, message, now, violations)?;
        let similar = self.similar(context, key, &message).await?;
        let message = self.add(context, key, message, options).await?;
        Ok((message, similar))
    }

    /// Adds a checked record.
    async fn add<Message: MasterMessage>(
        &self,
        context: &RequestContext,
        key: Uuid,
        mut message: Message,
        options: WriteOptions,
    ) -> Result<Message, MasterDataError> {
        let event = caller_event(context, self.clock.now());
        let header = message.header();
        *header.key = key.to_string();
        *header.created = Some(event);
        if options.validate_only {
            let known = self
                .store
                .master_record(context.organization(), Message::KIND, key)
                .await?;
            if known.is_some() {
                return Err(MasterDataError::KeyExists(Message::KIND));
            }
        }
        self.write(context, key, message, None, "created", options)
            .await
    }

    /// Changes the fields of a record that the mask names.
    async fn update<Message: MasterMessage>(
        &self,
        context: &RequestContext,
        key: &str,
        update: Update<Message>,
        options: WriteOptions,
    ) -> Result<Message, MasterDataError> {
        let mut violations = Vec::new();
        let stamp = require_stamp(update.stamp).unwrap_or_else(|violation| {
            violations.push(violation);
            String::new().into()
        });
        let message = update.message.unwrap_or_default();
        // With a mask output fields are ignored (decision 0129).
        if update.mask.is_none() {
            violations.extend(output_violations(&message, Message::PATH));
        }
        let (key, mut stored) = self.get::<Message>(context, key).await?;
        let changed = field_mask::apply(&stored, &message, update.mask.as_ref());
        let changed = changed.unwrap_or_else(|wrong| {
            violations.extend(wrong);
            stored.clone()
        });
        let message = checked(context, changed, self.clock.now(), violations)?;
        if *stored.header().stamp != stamp.as_str() {
            return Err(MasterDataError::StampMismatch);
        }
        self.write(
            context,
            key,
            message,
            Some(stamp.as_str()),
            "updated",
            options,
        )
        .await
    }

    /// Archives or restores a record. One that is in that state already stays as it is.
    async fn set_archived<Message: MasterMessage>(
        &self,
        context: &RequestContext,
        key: &str,
        stamp: String,
        archived: bool,
    ) -> Result<Message, MasterDataError> {
        let stamp = require_stamp(stamp)?;
        let (key, mut message) = self.get::<Message>(context, key).await?;
        let header = message.header();
        if *header.stamp != stamp.as_str() {
            return Err(MasterDataError::StampMismatch);
        }
        if *header.archived == archived {
            return Ok(message);
        }
        *header.archived = archived;
        let action = if archived { "archived" } else { "restored" };
        let options = WriteOptions {
            // What it shares it shared before.
            allow_shared: true,
            validate_only: false,
        };
        self.write(context, key, message, Some(stamp.as_str()), action, options)
            .await
    }

    /// Stores a record with a new stamp: over the one with the stamp `expected`, or as a new one. A record that is only validated has
    /// the stamp of what is stored, or none (decision 0129).
    async fn write<Message: MasterMessage>(
        &self,
        context: &RequestContext,
        key: Uuid,
        mut message: Message,
        expected: Option<&str>,
        action: &str,
        options: WriteOptions,
    ) -> Result<Message, MasterDataError> {
        let now = self.clock.now();
        *message.header().stamp = if options.validate_only {
            expected.unwrap_or_default().to_owned()
        } else {
            new_stamp(&*self.rng)
        };
        *message.header().updated = Some(caller_event(context, now));
        message.set_shares_identifier(false);
        let at = Timestamp::from_millis(now.as_millisecond());
        let event = audit_event(context, at, Message::AUDIT_KIND)
            .detail("action", action)
            .detail("key", key.to_string());
        loop {
            let record = stored_record(context.organization(), key, &message, at);
            let outcome = if options.validate_only {
                self.taken(&record).await?
            } else {
                let write = MasterWrite {
                    record: &record,
                    event: &event,
                };
                match expected {
                    None => self.store.add_master_record(write).await?,
                    Some(expected) => {
                        let expected = expected.into();
                        self.store.replace_master_record(write, &expected).await?
                    }
                }
            };
            match outcome {
                MasterWriteOutcome::Stored => return Ok(read(&record)?),
                MasterWriteOutcome::KeyTaken => {
                    return Err(MasterDataError::KeyExists(Message::KIND));
                }
                MasterWriteOutcome::Stale => return Err(MasterDataError::StampMismatch),
                // Without an identifier of its own nothing can be taken.
                MasterWriteOutcome::IdentifierTaken(_) if options.allow_shared => {
                    message.set_shares_identifier(true);
                }
                MasterWriteOutcome::IdentifierTaken(key) => {
                    return Err(MasterDataError::IdentifierTaken {
                        kind: Message::KIND,
                        key,
                    });
                }
            }
        }
    }

    /// What storing a record would find, without writing.
    async fn taken(&self, record: &MasterRecord) -> Result<MasterWriteOutcome, MasterDataError> {
        let Some(identifier) = &record.identifier else {
            return Ok(MasterWriteOutcome::Stored);
        };
        let other = self
            .store
            .master_record_identified(&record.organization, record.kind, identifier)
            .await?;
        let other = other.filter(|other| other.key != record.key);
        Ok(other.map_or(MasterWriteOutcome::Stored, |other| {
            MasterWriteOutcome::IdentifierTaken(other.key)
        }))
    }

    /// Active records whose names have the words of the name of `message`, except the one with the key.
    async fn similar<Message: MasterMessage>(
        &self,
        context: &RequestContext,
        key: Uuid,
        message: &Message,
    ) -> Result<Vec<Message>, MasterDataError> {
        let words = words_of_name(&message.name());
        if words.is_empty() {
            return Ok(Vec::new());
        }
        let query = MasterDataQuery {
            organization: context.organization().clone(),
            kind: Message::KIND,
            words,
            archived: Some(false),
            after: None,
            size: MAX_SIMILAR,
        };
        let records = self.store.master_records(&query).await?;
        let others = records.iter().filter(|record| record.key != key);
        Ok(others.map(read).collect::<Result<_, _>>()?)
    }
}

/// The message without violations, completed with what the service fills in. `violations` are those that were found before.
fn checked<Message: MasterMessage>(
    context: &RequestContext,
    mut message: Message,
    now: jiff::Timestamp,
    mut violations: Vec<FieldViolation>,
) -> Result<Message, MasterDataError> {
    message.complete(&context.tenant);
    violations.extend(message.check(&context.tenant, now)?);
    if violations.is_empty() {
        Ok(message)
    } else {
        Err(MasterDataError::InvalidRequest(violations))
    }
}
