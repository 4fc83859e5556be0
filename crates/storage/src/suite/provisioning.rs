//! Cases of [`ProvisioningStore`](crate::ProvisioningStore).

use super::fixtures::{
    NOW, RIYADH, application, audit_event, count_events, id, machine, organization, stored_tenant,
    subject, tenant,
};
use crate::Store;
use crate::applications::Application;
use crate::audit::AuditEventKind;
use crate::directory::{Organization, Tenant};
use crate::provisioning::{Machine, Provisioning};

fn robot(name: &str) -> Machine {
    Machine {
        subject: machine(name),
        role: "clerk",
        application: Application {
            subject: Some(name.into()),
            ..application(&format!("{name} app"))
        },
    }
}

async fn create(store: &dyn Store, organization: Organization, name: &str) -> Provisioning {
    let events = [
        audit_event(AuditEventKind::TenantCreated),
        audit_event(AuditEventKind::UserCreated),
    ];
    let created = store
        .create_tenant(&tenant(organization), &robot(name), NOW, &events)
        .await;
    created.unwrap()
}

pub async fn tenant_is_created_with_its_machine_user_and_events(store: &dyn Store) {
    let created = create(store, organization(RIYADH), "robot").await;
    assert_eq!(created, Provisioning::Done);
    let found = stored_tenant(store, RIYADH).await;
    assert_eq!(found, Some(tenant(organization(RIYADH))));
    let account = store.account("robot").await.unwrap().unwrap();
    assert!(account.subject.is_machine());
    let grants = store.grants(&subject("robot")).await.unwrap();
    assert_eq!((grants.len(), grants[0].role.as_str()), (1, "clerk"));
    assert_eq!(store.applications().await.unwrap().len(), 1);
    assert_eq!(count_events(store, AuditEventKind::TenantCreated).await, 1);
    assert_eq!(count_events(store, AuditEventKind::UserCreated).await, 1);
}

pub async fn taken_organization_or_domain_creates_nothing(store: &dyn Store) {
    create(store, organization(RIYADH), "robot").await;
    let taken = create(store, organization(RIYADH), "second").await;
    assert_eq!(taken, Provisioning::OrganizationTaken);
    let same_domain = Organization {
        id: id("other"),
        ..organization(RIYADH)
    };
    let taken = create(store, same_domain, "third").await;
    assert_eq!(taken, Provisioning::DomainTaken);
    assert_eq!(store.organizations().await.unwrap().len(), 1);
    assert_eq!(store.applications().await.unwrap().len(), 1);
    assert_eq!(count_events(store, AuditEventKind::TenantCreated).await, 1);
}

pub async fn profile_is_completed_once(store: &dyn Store) {
    store.add_organization(&organization(RIYADH)).await.unwrap();
    store
        .add_tenant(&tenant(organization(RIYADH)))
        .await
        .unwrap();
    let completed = Tenant {
        tax_id: "310000000000003".to_owned(),
        ..tenant(organization(RIYADH))
    };
    let events = [audit_event(AuditEventKind::ProfileCompleted)];
    for (name, outcome) in [
        ("robot", Provisioning::Done),
        ("second", Provisioning::Complete),
    ] {
        let done = store
            .complete_profile(&completed, &robot(name), NOW, &events)
            .await;
        assert_eq!(done.unwrap(), outcome);
    }
    assert_eq!(stored_tenant(store, RIYADH).await, Some(completed));
    assert_eq!(store.applications().await.unwrap().len(), 1);
    assert_eq!(
        count_events(store, AuditEventKind::ProfileCompleted).await,
        1
    );
}
