//! The events of the audit, for administrators of an organization and for operators (decision 0147).

mod error;
mod names;
mod rpc;

use std::sync::Arc;

use invoicing_contract::messages::audit::{
    AuditFilter, ListAuditEventsAcrossTenantsRequest, ListAuditEventsRequest,
    ListAuditEventsResponse,
};
use invoicing_contract::{FieldViolation, OrganizationId, Timestamp};
use invoicing_http::{PageRequest, PageTokens, RequestContext, truncate_page};
use invoicing_storage::audit::{AuditEvent, AuditEventKind, Query};
use invoicing_storage::{Clock, Store};
use prost::Message as _;

use self::error::AuditError;
use self::names::Names;

/// The audit of an environment.
pub(crate) struct AuditEvents {
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    page_tokens: PageTokens,
}

/// Whose events a request may see.
enum Visible<'a> {
    /// Those of the target organization.
    OwnOrganization(&'a OrganizationId),
    /// All, or those of one organization.
    EveryOrganization(Option<OrganizationId>),
}

impl Visible<'_> {
    /// The organization that the query is restricted to.
    fn organization(&self) -> Option<&OrganizationId> {
        match self {
            Self::OwnOrganization(organization) => Some(organization),
            Self::EveryOrganization(organization) => organization.as_ref(),
        }
    }

    /// What tokens of pages and the event name this by.
    const fn name(&self) -> &'static str {
        match self {
            Self::OwnOrganization(_) => "organization",
            Self::EveryOrganization(_) => "platform",
        }
    }
}

impl AuditEvents {
    /// The events in `store`.
    pub(crate) const fn new(
        store: Arc<dyn Store>,
        clock: Arc<dyn Clock>,
        page_tokens: PageTokens,
    ) -> Self {
        Self {
            store,
            clock,
            page_tokens,
        }
    }

    /// The events of the target organization.
    async fn of_organization(
        &self,
        context: &RequestContext,
        request: ListAuditEventsRequest,
    ) -> Result<ListAuditEventsResponse, AuditError> {
        let visible = Visible::OwnOrganization(context.organization());
        let page = (request.page_size, &*request.page_token);
        let filter = request.filter.unwrap_or_default();
        self.list(context, &visible, &filter, page).await
    }

    /// The events of all organizations, or of one.
    async fn across_tenants(
        &self,
        context: &RequestContext,
        request: ListAuditEventsAcrossTenantsRequest,
    ) -> Result<ListAuditEventsResponse, AuditError> {
        let organization = Some(request.organization_id).filter(|id| !id.is_empty());
        let visible = Visible::EveryOrganization(organization.map(OrganizationId::new));
        let page = (request.page_size, &*request.page_token);
        let filter = request.filter.unwrap_or_default();
        self.list(context, &visible, &filter, page).await
    }

    async fn list(
        &self,
        context: &RequestContext,
        visible: &Visible<'_>,
        filter: &AuditFilter,
        (page_size, page_token): (i32, &str),
    ) -> Result<ListAuditEventsResponse, AuditError> {
        let list = list_name(visible, filter);
        let page: Result<PageRequest<(Timestamp, i64)>, _> =
            self.page_tokens.read_request(page_size, page_token, &list);
        let (query, page) = match (read_filter(filter), page) {
            (Ok(query), Ok(page)) => (query, page),
            (query, page) => {
                let violations = query.err().into_iter().chain(page.err());
                return Err(AuditError::Invalid(violations.flatten().collect()));
            }
        };
        let query = Query {
            organization: visible.organization().cloned(),
            after: page.after,
            // One more says whether there is a next page.
            size: page.size + 1,
            ..query
        };
        let mut events = self.store.audit(&query).await?;
        // After the query, so that a page does not begin with itself, and before the answer.
        let read = self.event(context, visible);
        self.store.record(&read).await?;
        let last = truncate_page(&mut events, page.size);
        let next = last.map(|last| self.page_tokens.sign(&(last.event.at, last.id), &list));
        let mut names = Names::of(&events, &*self.store, context, visible).await?;
        let mut messages = Vec::with_capacity(events.len());
        for event in events {
            messages.push(names.message(event).await?);
        }
        Ok(ListAuditEventsResponse {
            events: messages,
            next_page_token: next.unwrap_or_default(),
        })
    }

    /// The event of a request to read events: one for each page that is fetched.
    fn event(&self, context: &RequestContext, visible: &Visible<'_>) -> AuditEvent {
        let event = AuditEvent::new(self.clock.timestamp(), AuditEventKind::AuditRead)
            .subject(&context.principal.subject)
            .client(&context.principal.client)
            .correlation_id(&context.correlation_id)
            .detail("events", visible.name());
        match visible.organization() {
            Some(organization) => event.organization(organization),
            None => event,
        }
    }
}

/// What a page token belongs to.
fn list_name(visible: &Visible<'_>, filter: &AuditFilter) -> Vec<u8> {
    let organization = visible.organization().map_or("", OrganizationId::as_str);
    let mut list = format!("audit {} {organization} ", visible.name()).into_bytes();
    list.extend(filter.encode_to_vec());
    list
}

/// The conditions of a filter.
fn read_filter(filter: &AuditFilter) -> Result<Query, Vec<FieldViolation>> {
    let mut violations = Vec::new();
    let mut kinds = Vec::new();
    for (index, name) in filter.kinds.iter().enumerate() {
        match AuditEventKind::named(name) {
            Some(kind) => kinds.push(kind),
            None => violations.push(FieldViolation::new(
                format!("filter.kinds[{index}]"),
                "is no kind of event",
            )),
        }
    }
    let from = filter.start_time.as_ref().map(Timestamp::from);
    let to = filter.end_time.as_ref().map(Timestamp::from);
    if let (Some(from), Some(to)) = (from, to)
        && from > to
    {
        violations.push(FieldViolation::new(
            "filter.endTime",
            "must not be before the start time",
        ));
    }
    if !violations.is_empty() {
        return Err(violations);
    }
    let given = |text: &String| (!text.is_empty()).then(|| text.clone());
    Ok(Query {
        from,
        to,
        kinds,
        person: given(&filter.person_id).map(Into::into),
        client_id: given(&filter.client_id).map(Into::into),
        correlation_id: given(&filter.correlation_id),
        ..Query::default()
    })
}
