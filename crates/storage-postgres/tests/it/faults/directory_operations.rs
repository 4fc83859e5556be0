//! The writes of the directory in the table, except those of subjects and roles.

use async_trait::async_trait;
use invoicing_storage::Store;
use invoicing_storage::applications::Application;
use invoicing_storage::audit::AuditEventKind;
use invoicing_storage::directory::{Organization, Tenant};
use invoicing_storage::pats::PersonalAccessToken;
use invoicing_storage::plans::Limits;
use invoicing_storage::provisioning::Machine;
use invoicing_storage::secret::TokenHash;
use invoicing_storage::suite::fixtures::{
    LATER, NOW, application, id, machine, organization, revision, subject, tenant,
};
use invoicing_storage::tenants::TenantAction;

use super::key_operations::{ReplaceSigningKey, RotateSigningKeys};
use super::operations::{Operation, event, events, name};
use super::tenant_operations::{
    ClaimDomain, CreateOrganization, DisableTenant, MakeTenant, RemoveDomain, SetPrimaryDomain,
    UpdateTenant, VerifyDomain,
};

/// The operations on organizations, tenants, applications, keys and personal access tokens.
pub(crate) fn operations() -> Vec<Box<dyn Operation>> {
    vec![
        Box::new(AddOrganization),
        Box::new(SetLimits),
        Box::new(CreateTenant),
        Box::new(CompleteProfile),
        Box::new(CreateOrganization),
        Box::new(MakeTenant),
        Box::new(UpdateTenant),
        Box::new(DisableTenant),
        Box::new(ClaimDomain),
        Box::new(VerifyDomain),
        Box::new(SetPrimaryDomain),
        Box::new(RemoveDomain),
        Box::new(PutApplication),
        Box::new(RotateSecret),
        Box::new(RotateSigningKeys),
        Box::new(ReplaceSigningKey),
        Box::new(AddPat),
        Box::new(RevokePat),
    ]
}

/// The organization of a cell.
pub(super) fn own(cell: u64) -> Organization {
    organization(&name(cell))
}

/// The tenant of a cell, with a tax number that tells whether its profile is complete.
pub(super) fn tenant_of(cell: u64, tax_id: &str) -> Tenant {
    Tenant {
        tax_id: tax_id.to_owned(),
        ..tenant(own(cell))
    }
}

/// The machine user of a tenant.
fn machine_of(cell: u64) -> Machine {
    Machine {
        subject: machine(&name(cell)),
        role: "clerk".to_owned(),
        application: Application {
            subject: Some(name(cell).into()),
            ..application(&name(cell))
        },
    }
}

pub(super) async fn add_tenant(store: &dyn Store, cell: u64) {
    store.add_organization(&own(cell)).await.unwrap();
    let tenant = tenant_of(cell, "before");
    store.add_tenant(&tenant).await.unwrap();
}

/// What is stored of a tenant and its machine user.
async fn tenant_and_machine(store: &dyn Store, cell: u64) -> String {
    let basis = store.basis().await.unwrap();
    let tenant = store.tenant(&id(&name(cell)), basis).await.unwrap();
    let tenant =
        tenant.map(|tenant| (tenant.tax_id.clone(), tenant.own_limits.requests_per_minute));
    let grants = store.grants(&subject(&name(cell))).await.unwrap().len();
    let application = store.application(&(&*name(cell)).into(), basis).await;
    let application = application.unwrap().is_some();
    let events = events(store, cell).await;
    format!("{tenant:?}, grants {grants}, application {application}, events {events}")
}

async fn accepts(store: &dyn Store, cell: u64, secret: &str) -> bool {
    let basis = store.basis().await.unwrap();
    let found = store.application(&(&*name(cell)).into(), basis).await;
    let found = found.unwrap().unwrap();
    let secret = TokenHash::of(secret);
    found.secret.as_ref().unwrap().accepts(&secret, NOW)
}

async fn add_pat(store: &dyn Store, cell: u64) -> String {
    let pat = PersonalAccessToken {
        id: name(cell),
        subject: "robot".into(),
        epoch: 0,
        name: "a script".to_owned(),
        created_at: NOW,
        expires_at: LATER,
        revoked_at: None,
    };
    let event = event(AuditEventKind::PatMinted, cell);
    let hash = TokenHash::of(&name(cell));
    format!("{:?}", store.add_pat(&pat, &hash, &event).await)
}

struct AddOrganization;

#[async_trait]
impl Operation for AddOrganization {
    fn name(&self) -> &'static str {
        "add_organization"
    }

    async fn prepare(&self, _store: &dyn Store, _cell: u64) {}

    async fn run(&self, store: &dyn Store, cell: u64) -> String {
        let added = store.add_organization(&own(cell)).await;
        format!("{added:?}")
    }

    async fn stored(&self, store: &dyn Store, cell: u64) -> String {
        let found = store.organization(&id(&name(cell))).await.unwrap();
        format!("{}", found.is_some())
    }
}

struct SetLimits;

#[async_trait]
impl Operation for SetLimits {
    fn name(&self) -> &'static str {
        "set_limits"
    }

    async fn prepare(&self, store: &dyn Store, cell: u64) {
        add_tenant(store, cell).await;
    }

    async fn run(&self, store: &dyn Store, cell: u64) -> String {
        let event = event(AuditEventKind::TenantChanged, cell);
        let limits = Limits {
            requests_per_minute: Some(7),
            ..Limits::default()
        };
        let before = tenant_of(cell, "before").own_limits;
        let set = store
            .set_limits(&id(&name(cell)), &before, &limits, &event)
            .await;
        format!("{set:?}")
    }

    async fn stored(&self, store: &dyn Store, cell: u64) -> String {
        tenant_and_machine(store, cell).await
    }
}

struct CreateTenant;

#[async_trait]
impl Operation for CreateTenant {
    fn name(&self) -> &'static str {
        "create_tenant"
    }

    async fn prepare(&self, _store: &dyn Store, _cell: u64) {}

    async fn run(&self, store: &dyn Store, cell: u64) -> String {
        let events = [
            event(AuditEventKind::TenantCreated, cell),
            event(AuditEventKind::UserCreated, cell),
        ];
        let (tenant, machine) = (tenant_of(cell, "after"), machine_of(cell));
        let done = store
            .create_tenant(&tenant, &machine, &revision(TenantAction::Created), &events)
            .await;
        format!("{done:?}")
    }

    async fn stored(&self, store: &dyn Store, cell: u64) -> String {
        tenant_and_machine(store, cell).await
    }
}

struct CompleteProfile;

#[async_trait]
impl Operation for CompleteProfile {
    fn name(&self) -> &'static str {
        "complete_profile"
    }

    async fn prepare(&self, store: &dyn Store, cell: u64) {
        add_tenant(store, cell).await;
    }

    async fn run(&self, store: &dyn Store, cell: u64) -> String {
        let events = [
            event(AuditEventKind::TenantCreated, cell),
            event(AuditEventKind::UserCreated, cell),
        ];
        let (tenant, machine) = (tenant_of(cell, "after"), machine_of(cell));
        let done = store
            .complete_profile(
                &tenant,
                &machine,
                &revision(TenantAction::ProfileCompleted),
                &events,
            )
            .await;
        format!("{done:?}")
    }

    async fn stored(&self, store: &dyn Store, cell: u64) -> String {
        tenant_and_machine(store, cell).await
    }
}

struct PutApplication;

#[async_trait]
impl Operation for PutApplication {
    fn name(&self) -> &'static str {
        "put_application"
    }

    async fn prepare(&self, _store: &dyn Store, _cell: u64) {}

    async fn run(&self, store: &dyn Store, cell: u64) -> String {
        let event = event(AuditEventKind::ApplicationRegistered, cell);
        let put = store
            .put_application(&application(&name(cell)), &event)
            .await;
        format!("{put:?}")
    }

    async fn stored(&self, store: &dyn Store, cell: u64) -> String {
        let accepted = accepts(store, cell, "a secret").await;
        format!("{accepted}, events {}", events(store, cell).await)
    }
}

struct RotateSecret;

#[async_trait]
impl Operation for RotateSecret {
    fn name(&self) -> &'static str {
        "rotate_client_secret"
    }

    async fn prepare(&self, store: &dyn Store, cell: u64) {
        PutApplication.run(store, cell).await;
    }

    async fn run(&self, store: &dyn Store, cell: u64) -> String {
        let event = event(AuditEventKind::ClientSecretRotated, cell);
        let secret = TokenHash::of("another secret");
        let rotated = store
            .rotate_client_secret(&(&*name(cell)).into(), &secret, NOW, LATER, &event)
            .await;
        format!("{rotated:?}")
    }

    async fn stored(&self, store: &dyn Store, cell: u64) -> String {
        let accepted = (
            accepts(store, cell, "a secret").await,
            accepts(store, cell, "another secret").await,
        );
        format!("{accepted:?}, events {}", events(store, cell).await)
    }
}

struct AddPat;

#[async_trait]
impl Operation for AddPat {
    fn name(&self) -> &'static str {
        "add_pat"
    }

    async fn prepare(&self, _store: &dyn Store, _cell: u64) {}

    async fn run(&self, store: &dyn Store, cell: u64) -> String {
        add_pat(store, cell).await
    }

    async fn stored(&self, store: &dyn Store, cell: u64) -> String {
        let found = store.pat(&TokenHash::of(&name(cell)), NOW).await.unwrap();
        format!("{}, events {}", found.is_some(), events(store, cell).await)
    }
}

struct RevokePat;

#[async_trait]
impl Operation for RevokePat {
    fn name(&self) -> &'static str {
        "revoke_pat"
    }

    async fn prepare(&self, store: &dyn Store, cell: u64) {
        add_pat(store, cell).await;
    }

    async fn run(&self, store: &dyn Store, cell: u64) -> String {
        let event = event(AuditEventKind::PatRevoked, cell);
        format!("{:?}", store.revoke_pat(&name(cell), NOW, &event).await)
    }

    async fn stored(&self, store: &dyn Store, cell: u64) -> String {
        AddPat.stored(store, cell).await
    }
}
