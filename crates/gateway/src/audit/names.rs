//! The names of the people, organizations and applications of a page: those of people in one query, the others each once.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use invoicing_contract::messages::audit::{AuditDetail, AuditEvent as EventMessage};
use invoicing_contract::{ClientId, OrganizationId, SubjectId};
use invoicing_http::RequestContext;
use invoicing_storage::access::Tenant;
use invoicing_storage::audit::{CORRELATION_ID, RecordedEvent};
use invoicing_storage::{Basis, StorageError, Store};

use super::Visible;

/// Names that were read for this page.
pub(super) struct Names<'a> {
    store: &'a dyn Store,
    basis: Basis,
    people: HashMap<SubjectId, String>,
    organizations: HashMap<OrganizationId, Option<Arc<Tenant>>>,
    applications: HashMap<ClientId, String>,
}

impl<'a> Names<'a> {
    /// Those of a page of events.
    pub(super) async fn of(
        events: &[RecordedEvent],
        store: &'a dyn Store,
        context: &RequestContext,
        visible: &Visible<'_>,
    ) -> Result<Self, StorageError> {
        let own = match visible {
            Visible::OwnOrganization(organization) => Some(*organization),
            Visible::EveryOrganization(_) => None,
        };
        let target = context.organization().clone();
        Ok(Self {
            store,
            basis: store.basis().await?,
            people: people(events, store, own).await?,
            organizations: HashMap::from([(target, Some(context.tenant.clone()))]),
            applications: HashMap::new(),
        })
    }

    /// The message of an event.
    pub(super) async fn message(
        &mut self,
        recorded: RecordedEvent,
    ) -> Result<EventMessage, StorageError> {
        let RecordedEvent { id, mut event } = recorded;
        let correlation_id = event.detail.remove(CORRELATION_ID).unwrap_or_default();
        let subject_id = event.subject.map(SubjectId::into_string);
        let subject_id = subject_id.unwrap_or_default();
        let actor_id = event.actor.unwrap_or_default();
        let tenant = match &event.organization {
            Some(organization) => self.tenant(organization).await?,
            None => None,
        };
        let (organization_name, organization_name_ar) = tenant
            .map(|tenant| {
                let organization = &tenant.organization;
                (organization.name.clone(), organization.name_ar.clone())
            })
            .unwrap_or_default();
        let application_name = match &event.client_id {
            Some(client_id) => self.application(client_id).await?,
            None => String::new(),
        };
        Ok(EventMessage {
            event_id: id.to_string(),
            time: Some(event.at.into()),
            kind: event.kind.name().to_owned(),
            subject_name: self.person(&subject_id),
            subject_id,
            actor_name: self.person(&actor_id),
            actor_id,
            organization_id: event
                .organization
                .map(OrganizationId::into_string)
                .unwrap_or_default(),
            organization_name,
            organization_name_ar,
            client_id: event
                .client_id
                .map(ClientId::into_string)
                .unwrap_or_default(),
            application_name,
            address: event.address.unwrap_or_default(),
            correlation_id,
            details: event
                .detail
                .into_iter()
                .map(|(name, value)| AuditDetail { name, value })
                .collect(),
        })
    }

    fn person(&self, id: &str) -> String {
        self.people.get(id).cloned().unwrap_or_default()
    }

    async fn tenant(
        &mut self,
        organization: &OrganizationId,
    ) -> Result<Option<&Tenant>, StorageError> {
        if !self.organizations.contains_key(organization) {
            let tenant = self.store.tenant(organization, self.basis).await?;
            self.organizations.insert(organization.clone(), tenant);
        }
        let tenant = self.organizations.get(organization);
        Ok(tenant.and_then(Option::as_deref))
    }

    async fn application(&mut self, client_id: &ClientId) -> Result<String, StorageError> {
        if let Some(name) = self.applications.get(client_id) {
            return Ok(name.clone());
        }
        let application = self.store.application(client_id, self.basis).await?;
        let name = application
            .map(|application| application.name.clone())
            .unwrap_or_default();
        self.applications.insert(client_id.clone(), name.clone());
        Ok(name)
    }
}

/// The names of the people and machine users in events, disabled or not: of all, or of those that belong to `own`.
async fn people(
    events: &[RecordedEvent],
    store: &dyn Store,
    own: Option<&OrganizationId>,
) -> Result<HashMap<SubjectId, String>, StorageError> {
    let mut ids = BTreeSet::new();
    for RecordedEvent { event, .. } in events {
        ids.extend(event.subject.clone());
        ids.extend(event.actor.as_deref().map(SubjectId::new));
    }
    let accounts = store.accounts_with_ids(&ids).await?.into_iter();
    let people = accounts.map(|account| account.subject);
    Ok(people
        .filter(|person| own.is_none_or(|own| person.home_organization == *own))
        .map(|person| (person.id, person.name))
        .collect())
}
