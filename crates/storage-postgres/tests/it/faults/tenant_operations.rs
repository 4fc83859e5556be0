//! The changes of tenants in the table.

use async_trait::async_trait;
use invoicing_storage::Store;
use invoicing_storage::audit::AuditEventKind;
use invoicing_storage::directory::Tenant;
use invoicing_storage::suite::fixtures::{LATER, id, revision};
use invoicing_storage::tenants::TenantAction;

use super::directory_operations::{add_tenant, own, tenant_of};
use super::operations::{Operation, event, events, name};

/// What is stored of an organization and its tenant.
async fn stored(store: &dyn Store, cell: u64) -> String {
    let basis = store.basis().await.unwrap();
    let id = id(&name(cell));
    let organization = store.organization(&id).await.unwrap().is_some();
    let tenant = store.tenant(&id, basis).await.unwrap();
    let tenant = tenant.map(|tenant| (tenant.tax_id.clone(), tenant.disabled_at));
    let history = store.tenant_history(&id, None, 10).await.unwrap().len();
    let events = events(store, cell).await;
    format!("{organization}, {tenant:?}, revisions {history}, events {events}")
}

pub(super) struct CreateOrganization;

#[async_trait]
impl Operation for CreateOrganization {
    fn name(&self) -> &'static str {
        "create_organization"
    }

    async fn prepare(&self, _store: &dyn Store, _cell: u64) {}

    async fn run(&self, store: &dyn Store, cell: u64) -> String {
        let event = event(AuditEventKind::OrganizationCreated, cell);
        format!("{:?}", store.create_organization(&own(cell), &event).await)
    }

    async fn stored(&self, store: &dyn Store, cell: u64) -> String {
        stored(store, cell).await
    }
}

pub(super) struct MakeTenant;

#[async_trait]
impl Operation for MakeTenant {
    fn name(&self) -> &'static str {
        "make_tenant"
    }

    async fn prepare(&self, store: &dyn Store, cell: u64) {
        store.add_organization(&own(cell)).await.unwrap();
    }

    async fn run(&self, store: &dyn Store, cell: u64) -> String {
        let event = event(AuditEventKind::TenantCreated, cell);
        let (tenant, revision) = (tenant_of(cell, "made"), revision(TenantAction::Created));
        let made = store.make_tenant(&tenant, &revision, &event);
        format!("{:?}", made.await)
    }

    async fn stored(&self, store: &dyn Store, cell: u64) -> String {
        stored(store, cell).await
    }
}

pub(super) struct UpdateTenant;

#[async_trait]
impl Operation for UpdateTenant {
    fn name(&self) -> &'static str {
        "update_tenant"
    }

    async fn prepare(&self, store: &dyn Store, cell: u64) {
        add_tenant(store, cell).await;
    }

    async fn run(&self, store: &dyn Store, cell: u64) -> String {
        let event = event(AuditEventKind::TenantChanged, cell);
        let changed = Tenant {
            concurrency_stamp: "second".to_owned(),
            ..tenant_of(cell, "after")
        };
        let revision = revision(TenantAction::Updated);
        let updated = store.update_tenant(&changed, Tenant::INITIAL_STAMP, &revision, &event);
        format!("{:?}", updated.await)
    }

    async fn stored(&self, store: &dyn Store, cell: u64) -> String {
        stored(store, cell).await
    }
}

pub(super) struct DisableTenant;

#[async_trait]
impl Operation for DisableTenant {
    fn name(&self) -> &'static str {
        "set_tenant_disabled"
    }

    async fn prepare(&self, store: &dyn Store, cell: u64) {
        add_tenant(store, cell).await;
    }

    async fn run(&self, store: &dyn Store, cell: u64) -> String {
        let event = event(AuditEventKind::TenantDisabled, cell);
        let (id, revision) = (id(&name(cell)), revision(TenantAction::Disabled));
        let disabled = store.set_tenant_disabled(&id, Some(LATER), "second", &revision, &event);
        format!("{:?}", disabled.await)
    }

    async fn stored(&self, store: &dyn Store, cell: u64) -> String {
        stored(store, cell).await
    }
}

/// What is stored of the domains of an organization.
async fn stored_domains(store: &dyn Store, cell: u64) -> String {
    let found = store.domains(&id(&name(cell)), None, 10).await.unwrap();
    let found: Vec<_> = found
        .iter()
        .map(|domain| (domain.is_verified(), domain.is_primary))
        .collect();
    format!("{found:?}, {}", stored(store, cell).await)
}

/// A domain of a cell, which sorts before its primary one.
fn domain(cell: u64) -> String {
    format!("a-{}", own(cell).domain)
}

pub(super) struct ClaimDomain;

#[async_trait]
impl Operation for ClaimDomain {
    fn name(&self) -> &'static str {
        "claim_domain"
    }

    async fn prepare(&self, store: &dyn Store, cell: u64) {
        add_tenant(store, cell).await;
    }

    async fn run(&self, store: &dyn Store, cell: u64) -> String {
        let event = event(AuditEventKind::DomainClaimed, cell);
        let (id, domain) = (id(&name(cell)), domain(cell));
        let claimed = store.claim_domain(&id, &domain, "token", 9, &event);
        format!("{:?}", claimed.await)
    }

    async fn stored(&self, store: &dyn Store, cell: u64) -> String {
        stored_domains(store, cell).await
    }
}

pub(super) struct VerifyDomain;

#[async_trait]
impl Operation for VerifyDomain {
    fn name(&self) -> &'static str {
        "begin_verification and verify_domain"
    }

    async fn prepare(&self, store: &dyn Store, cell: u64) {
        ClaimDomain.prepare(store, cell).await;
        ClaimDomain.run(store, cell).await;
    }

    async fn run(&self, store: &dyn Store, cell: u64) -> String {
        let event = event(AuditEventKind::DomainVerified, cell);
        let (id, domain) = (id(&name(cell)), domain(cell));
        let begun = store.begin_verification(&id, &domain, LATER, LATER).await;
        let verified = store.verify_domain(&id, &domain, &event).await;
        format!("{begun:?} {verified:?}")
    }

    async fn stored(&self, store: &dyn Store, cell: u64) -> String {
        stored_domains(store, cell).await
    }
}

pub(super) struct SetPrimaryDomain;

#[async_trait]
impl Operation for SetPrimaryDomain {
    fn name(&self) -> &'static str {
        "set_primary_domain"
    }

    async fn prepare(&self, store: &dyn Store, cell: u64) {
        VerifyDomain.prepare(store, cell).await;
        VerifyDomain.run(store, cell).await;
    }

    async fn run(&self, store: &dyn Store, cell: u64) -> String {
        let event = event(AuditEventKind::PrimaryDomainChanged, cell);
        let (id, domain) = (id(&name(cell)), domain(cell));
        let revision = revision(TenantAction::Updated);
        let before = own(cell).domain;
        let set = store.set_primary_domain(&id, &before, &domain, "second", &revision, &event);
        format!("{:?}", set.await)
    }

    async fn stored(&self, store: &dyn Store, cell: u64) -> String {
        stored_domains(store, cell).await
    }
}

pub(super) struct RemoveDomain;

#[async_trait]
impl Operation for RemoveDomain {
    fn name(&self) -> &'static str {
        "remove_domain"
    }

    async fn prepare(&self, store: &dyn Store, cell: u64) {
        VerifyDomain.prepare(store, cell).await;
    }

    async fn run(&self, store: &dyn Store, cell: u64) -> String {
        let event = event(AuditEventKind::DomainRemoved, cell);
        let (id, domain) = (id(&name(cell)), domain(cell));
        let removed = store.remove_domain(&id, &domain, false, &event);
        format!("{:?}", removed.await)
    }

    async fn stored(&self, store: &dyn Store, cell: u64) -> String {
        stored_domains(store, cell).await
    }
}
