//! The audit: an append-only record of security events. The database refuses to update an event, and to delete one that no
//! archive has ([`crate::audit_archives`]).

mod difference;
mod kind;

pub use self::difference::AuditedValues;
pub use self::kind::AuditEventKind;

use std::collections::BTreeMap;

use async_trait::async_trait;
use invoicing_contract::{ClientId, OrganizationId, SubjectId, Timestamp};

use super::StorageError;

/// An audit event. It contains ids and values of a fixed form: no secret, no token, no text that somebody wrote (decision 0153).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditEvent {
    /// The time.
    pub at: Timestamp,
    /// The kind.
    pub kind: AuditEventKind,
    /// The subject that the event concerns.
    pub subject: Option<SubjectId>,
    /// Who caused it, if not the subject: the id of an administrator, or [`COMMAND_LINE`].
    pub actor: Option<String>,
    /// The home organization of the subject, or the organization of a role grant.
    pub organization: Option<OrganizationId>,
    /// The client that the request came from, or the application that was changed.
    pub client_id: Option<ClientId>,
    /// The IP address of the caller.
    pub address: Option<String>,
    /// Further values by name.
    pub detail: BTreeMap<String, String>,
}

/// The name of the detail that holds the correlation id of the request. Issued tokens have none: they are nearly all events, and
/// the log has their requests.
pub const CORRELATION_ID: &str = "correlation_id";

/// The actor of a change that was made with the command line.
pub const COMMAND_LINE: &str = "command line";

impl AuditEvent {
    /// An event of this kind without further values.
    #[must_use]
    pub const fn new(at: Timestamp, kind: AuditEventKind) -> Self {
        Self {
            at,
            kind,
            subject: None,
            actor: None,
            organization: None,
            client_id: None,
            address: None,
            detail: BTreeMap::new(),
        }
    }

    /// Sets the subject.
    #[must_use]
    pub fn subject(mut self, subject: &SubjectId) -> Self {
        self.subject = Some(subject.clone());
        self
    }

    /// Sets the actor, who is not the subject.
    #[must_use]
    pub fn actor(mut self, actor: impl AsRef<str>) -> Self {
        self.actor = Some(actor.as_ref().to_owned());
        self
    }

    /// Sets the organization.
    #[must_use]
    pub fn organization(mut self, organization: &OrganizationId) -> Self {
        self.organization = Some(organization.clone());
        self
    }

    /// Sets the client.
    #[must_use]
    pub fn client(mut self, client_id: &ClientId) -> Self {
        self.client_id = Some(client_id.clone());
        self
    }

    /// Sets the IP address of the caller.
    #[must_use]
    pub fn address(mut self, address: std::net::IpAddr) -> Self {
        self.address = Some(address.to_string());
        self
    }

    /// Sets the correlation id of the request, by which the log has it.
    #[must_use]
    pub fn correlation_id(self, id: &str) -> Self {
        self.detail(CORRELATION_ID, id)
    }

    /// Adds a further value.
    #[must_use]
    pub fn detail(mut self, name: &str, value: impl Into<String>) -> Self {
        self.detail.insert(name.to_owned(), value.into());
        self
    }
}

/// A stored event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedEvent {
    /// Distinguishes events of the same time. In a page of [`AuditStore::audit`] it is no position in the chain of the archive:
    /// an engine with several writers has random ids there, while SQLite's ascend in the order of recording (decision 0105).
    pub id: i64,
    /// The event.
    pub event: AuditEvent,
}

/// A query for events, newest first. A field that is `None` or empty does not filter.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Query {
    /// Events at this time or later.
    pub from: Option<Timestamp>,
    /// Events before this time.
    pub to: Option<Timestamp>,
    /// Events of these kinds.
    pub kinds: Vec<AuditEventKind>,
    /// Events that concern this subject.
    pub subject: Option<SubjectId>,
    /// Events that this administrator caused, or [`COMMAND_LINE`].
    pub actor: Option<String>,
    /// Events that concern this subject, or that it caused.
    pub person: Option<SubjectId>,
    /// Events of this organization.
    pub organization: Option<OrganizationId>,
    /// Events of requests of this client, and of changes of this application.
    pub client_id: Option<ClientId>,
    /// Events of the request with this correlation id ([`CORRELATION_ID`]).
    pub correlation_id: Option<String>,
    /// Time and id of the last event of the page before: events that follow it.
    pub after: Option<(Timestamp, i64)>,
    /// Events of a page.
    pub size: u32,
}

impl Query {
    /// Whether an event is among the results, without regard to the size of the page.
    #[must_use]
    pub fn matches(&self, RecordedEvent { id, event }: &RecordedEvent) -> bool {
        fn is<T: PartialEq>(expected: Option<&T>, value: Option<&T>) -> bool {
            expected.is_none() || expected == value
        }
        is(self.subject.as_ref(), event.subject.as_ref())
            && is(self.organization.as_ref(), event.organization.as_ref())
            && is(self.actor.as_ref(), event.actor.as_ref())
            && is(self.client_id.as_ref(), event.client_id.as_ref())
            && is(
                self.correlation_id.as_ref(),
                event.detail.get(CORRELATION_ID),
            )
            && self.person.as_ref().is_none_or(|person| {
                event.subject.as_ref() == Some(person)
                    || event.actor.as_deref() == Some(person.as_str())
            })
            && (self.kinds.is_empty() || self.kinds.contains(&event.kind))
            && self.from.is_none_or(|from| event.at >= from)
            && self.to.is_none_or(|to| event.at < to)
            && self.after.is_none_or(|after| (event.at, *id) < after)
    }
}

/// The audit. An event of a change is not recorded here, but by the method of the change, in the same transaction.
#[async_trait]
pub trait AuditStore: Send + Sync {
    /// Records an event that belongs to no other write.
    async fn record(&self, event: &AuditEvent) -> Result<(), StorageError>;
    /// Records an event, unless one of its kind, subject and address was recorded after `since` and not later than the event
    /// itself: for events that a caller can cause in any number. An event that is later was recorded before the clock was set
    /// back (decision 0088). Of callers at the same time, in whichever process, one records.
    async fn record_once(&self, event: &AuditEvent, since: Timestamp) -> Result<(), StorageError>;
    /// A page of events, by time and id.
    async fn audit(&self, query: &Query) -> Result<Vec<RecordedEvent>, StorageError>;
}
