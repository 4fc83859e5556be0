//! What the audit has of attempts to sign in: with a password, or with a code to set one.

use std::net::IpAddr;

use invoicing_contract::ClientId;
use invoicing_storage::StorageError;
use invoicing_storage::audit::{AuditEvent, AuditEventKind};
use invoicing_storage::subjects::Subject;

use super::throttle::{ThrottledAttempt, ThrottledSubject};
use crate::provider::Provider;

/// The events of one attempt. No username is recorded, since people enter passwords in the wrong field.
pub(super) struct AttemptEvents<'a> {
    pub(super) provider: &'a Provider,
    /// The application.
    pub(super) client_id: &'a ClientId,
    /// The address of the client.
    pub(super) address: IpAddr,
}

impl AttemptEvents<'_> {
    /// An event of the attempt, with the account that it is about; `None` if there is none.
    pub(super) fn event(&self, kind: AuditEventKind, subject: Option<&Subject>) -> AuditEvent {
        let event = AuditEvent::new(self.provider.now(), kind)
            .client(self.client_id)
            .address(self.address);
        match subject {
            Some(subject) => event
                .subject(&subject.id)
                .organization(&subject.home_organization),
            None => event,
        }
    }

    /// Records the beginning of a throttling period. Whether there is an event does not depend on the existence of the account,
    /// because the write would take time that a caller can measure.
    pub(super) async fn record_throttled(
        &self,
        throttled: &ThrottledAttempt,
        subject: Option<&Subject>,
    ) -> Result<(), StorageError> {
        let subject = match throttled.report {
            None => return Ok(()),
            Some(ThrottledSubject::Account) => subject,
            Some(ThrottledSubject::Address) => None,
        };
        let event = self.event(AuditEventKind::SignInThrottled, subject);
        self.provider.store.record(&event).await
    }
}
