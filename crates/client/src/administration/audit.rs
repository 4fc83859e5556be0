//! The events of the audit: of an organization, or of the platform.

use invoicing_contract::messages::audit;
use invoicing_contract::{operation, timestamp};

use super::{Administration, PAGE_SIZE, from_wire::time};
use crate::gateway::CallContext;
use crate::views::{
    AuditDetail, AuditEventView, AuditPage, AuditPerson, AuditQuery, AuditScope, CommandError,
};

impl Administration {
    pub(crate) async fn audit_events(
        &self,
        context: &CallContext,
        query: AuditQuery,
        page: String,
    ) -> Result<AuditPage, CommandError> {
        let filter = Some(audit::AuditFilter {
            start_time: moment(&query.from)?,
            end_time: moment(&query.to)?,
            kinds: query.kinds,
            person_id: query.person,
            client_id: query.application,
            correlation_id: query.correlation_id,
        });
        let answer: audit::ListAuditEventsResponse = match query.scope {
            AuditScope::Organization => {
                let request = audit::ListAuditEventsRequest {
                    filter,
                    page_size: PAGE_SIZE,
                    page_token: page,
                };
                self.call(context, &operation::LIST_AUDIT_EVENTS, &request)
                    .await?
            }
            AuditScope::Platform => {
                let request = audit::ListAuditEventsAcrossTenantsRequest {
                    filter,
                    organization_id: query.organization,
                    page_size: PAGE_SIZE,
                    page_token: page,
                };
                let operation = &operation::LIST_AUDIT_EVENTS_ACROSS_TENANTS;
                self.call(context, operation, &request).await?
            }
        };
        Ok(AuditPage {
            events: answer.events.into_iter().map(event).collect(),
            next_page: answer.next_page_token,
        })
    }
}

/// The time that a text names; `None` for an empty one.
fn moment(text: &str) -> Result<Option<pbjson_types::Timestamp>, CommandError> {
    if text.is_empty() {
        return Ok(None);
    }
    let time: jiff::Timestamp = text.parse().map_err(|error| CommandError::InvalidCall {
        reason: format!("a time is in the form of RFC 3339: {error}"),
    })?;
    Ok(Some(timestamp::to_message(time)))
}

fn event(event: audit::AuditEvent) -> AuditEventView {
    AuditEventView {
        id: event.event_id,
        time: time(event.time).unwrap_or_default(),
        kind: event.kind,
        subject: person(event.subject_id, event.subject_name),
        actor: person(event.actor_id, event.actor_name),
        organization: event.organization_id,
        organization_name: event.organization_name,
        organization_name_ar: event.organization_name_ar,
        application: event.client_id,
        application_name: event.application_name,
        address: event.address,
        correlation_id: event.correlation_id,
        details: event
            .details
            .into_iter()
            .map(|detail| AuditDetail {
                name: detail.name,
                value: detail.value,
            })
            .collect(),
    }
}

fn person(id: String, name: String) -> Option<AuditPerson> {
    (!id.is_empty()).then_some(AuditPerson { id, name })
}
