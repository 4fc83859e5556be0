//! Events that are about to be recorded with the change that they are about.

use invoicing_contract::{ClientId, OrganizationId, SubjectId, Timestamp};
use invoicing_storage::audit::AuditEvent;
use invoicing_storage::{Rng, StorageError};

use super::{EventId, is_recorded, record_event};
use crate::directory::increment_version;
use crate::engine::{EngineError, Transaction, TransactionEnd};

/// The events of one change, with the ids that they get. Made before the first attempt at the transaction, so that a repetition
/// recognises them.
pub(crate) struct NewEvents<'a>(Vec<(&'a AuditEvent, EventId)>);

impl<'a> NewEvents<'a> {
    /// Gives each event an id.
    pub(crate) fn new(events: impl IntoIterator<Item = &'a AuditEvent>, rng: &dyn Rng) -> Self {
        let events = events.into_iter();
        Self(events.map(|event| (event, EventId::random(rng))).collect())
    }

    /// Records all of them.
    pub(crate) async fn record(&self, transaction: &Transaction) -> Result<(), EngineError> {
        for (event, id) in &self.0 {
            record_event(transaction, event, *id).await?;
        }
        Ok(())
    }

    /// Whether an attempt before, whose commit was in doubt, has recorded them. It has made the change then too. Call it when
    /// this transaction holds the locks of the change: until then the attempt before can still be going on.
    pub(crate) async fn are_recorded(
        &self,
        transaction: &Transaction,
    ) -> Result<bool, EngineError> {
        match self.0.first() {
            Some((event, id)) if transaction.repeats_commit() => {
                is_recorded(transaction, event, *id).await
            }
            Some(_) | None => Ok(false),
        }
    }

    /// The end of the transaction of a change that these events are about, after its statements. If they `changed` nothing,
    /// nothing is kept. Otherwise the events are recorded, and if the change is of a record that processes cache, its version is
    /// incremented. Returns whether something was changed, by this attempt or by one before.
    pub(crate) async fn end(
        &self,
        transaction: &Transaction,
        changed: bool,
        cached: bool,
    ) -> Result<TransactionEnd<bool>, EngineError> {
        if self.are_recorded(transaction).await? {
            return Ok(TransactionEnd::Rollback(true));
        }
        if !changed {
            return Ok(TransactionEnd::Rollback(false));
        }
        self.record(transaction).await?;
        if cached {
            increment_version(transaction).await?;
        }
        Ok(TransactionEnd::Commit(true))
    }

    /// The events as a JSON array, for a statement that records them itself ([`insert_events_where!`](super::insert_events_where)).
    pub(crate) fn to_json(&self) -> Result<String, StorageError> {
        let events = self.0.iter().map(|(event, id)| {
            Ok(serde_json::json!({
                "at": event.at.as_millis(),
                "id": id.number(),
                "kind": event.kind.name(),
                "subject": event.subject.as_ref().map(SubjectId::as_str),
                "actor": event.actor,
                "organization_id": event.organization.as_ref().map(OrganizationId::as_str),
                "client_id": event.client_id.as_ref().map(ClientId::as_str),
                "address": event.address,
                "detail": serde_json::to_string(&event.detail)?,
            }))
        });
        let events: Result<Vec<_>, serde_json::Error> = events.collect();
        let events = events.and_then(|events| serde_json::to_string(&events));
        events.map_err(StorageError::unexpected)
    }

    /// The times of the events, for [`TransactionWork::partition_times`](crate::engine::TransactionWork::partition_times).
    pub(crate) fn times(&self) -> Vec<Timestamp> {
        self.0.iter().map(|(event, _)| event.at).collect()
    }
}
