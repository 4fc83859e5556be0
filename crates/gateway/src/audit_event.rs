//! Events of the audit about what callers do in an organization, and on the platform.

use invoicing_contract::Timestamp;
use invoicing_http::RequestContext;
use invoicing_storage::audit::{AuditEvent, AuditEventKind};

/// An event of the caller in the organization of the request. An administrator who impersonates the caller is its actor.
pub(crate) fn audit_event(
    context: &RequestContext,
    at: Timestamp,
    kind: AuditEventKind,
) -> AuditEvent {
    let event = AuditEvent::new(at, kind)
        .subject(&context.principal.subject)
        .organization(context.organization())
        .correlation_id(&context.correlation_id);
    match &context.principal.actor {
        Some(actor) => event.actor(&actor.subject),
        None => event,
    }
}

/// An event of an operation on the platform, of which the caller is the actor.
pub(crate) fn platform_event(
    context: &RequestContext,
    at: Timestamp,
    kind: AuditEventKind,
) -> AuditEvent {
    AuditEvent::new(at, kind)
        .actor(&context.principal.subject)
        .correlation_id(&context.correlation_id)
}
