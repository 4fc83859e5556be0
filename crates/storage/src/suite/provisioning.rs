//! Cases of [`ProvisioningStore`](crate::ProvisioningStore).

use futures_util::future::join_all;

use super::fixtures::{
    RIYADH, application, audit_event, count_events, id, machine, organization, revision,
    stored_tenant, subject, tenant,
};
use crate::Store;
use crate::applications::Application;
use crate::audit::AuditEventKind;
use crate::directory::{Organization, Tenant};
use crate::provisioning::{Machine, Provisioning};
use crate::tenants::TenantAction;

pub(super) fn robot(name: &str) -> Machine {
    Machine {
        subject: machine(name),
        role: "clerk".to_owned(),
        application: Application {
            subject: Some(name.into()),
            ..application(&format!("{name} app"))
        },
    }
}

pub(super) async fn create(
    store: &dyn Store,
    organization: Organization,
    name: &str,
) -> Provisioning {
    let events = [
        audit_event(AuditEventKind::TenantCreated),
        audit_event(AuditEventKind::UserCreated),
    ];
    let created = store
        .create_tenant(
            &tenant(organization),
            &robot(name),
            &revision(TenantAction::Created),
            &events,
        )
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
    let completion = revision(TenantAction::ProfileCompleted);
    let events = [audit_event(AuditEventKind::ProfileCompleted)];
    for (name, outcome) in [
        ("robot", Provisioning::Done),
        ("second", Provisioning::Complete),
    ] {
        let done = store
            .complete_profile(&completed, &robot(name), &completion, &events)
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

pub async fn tenant_is_created_by_one_of_many(store: &dyn Store) {
    // All with one id, then all with one domain.
    for (same_id, taken) in [
        (true, Provisioning::OrganizationTaken),
        (false, Provisioning::DomainTaken),
    ] {
        let created = (0..10).map(|number| {
            let name = format!("{same_id} {number}");
            let organization = if same_id {
                Organization {
                    domain: format!("{number}.example"),
                    ..organization(RIYADH)
                }
            } else {
                Organization {
                    id: id(&name),
                    domain: "same.example".to_owned(),
                    ..organization(RIYADH)
                }
            };
            async move { create(store, organization, &name).await }
        });
        let outcomes = join_all(created).await;
        let count = |outcome| outcomes.iter().filter(|other| **other == outcome).count();
        let counts = (count(Provisioning::Done), count(taken));
        assert_eq!(counts, (1, 9), "{outcomes:?}");
    }
    assert_eq!(store.organizations().await.unwrap().len(), 2);
    assert_eq!(store.applications().await.unwrap().len(), 2);
    assert_eq!(count_events(store, AuditEventKind::TenantCreated).await, 2);
}

pub async fn profile_is_completed_by_one_of_many(store: &dyn Store) {
    store.add_organization(&organization(RIYADH)).await.unwrap();
    let tenant = tenant(organization(RIYADH));
    store.add_tenant(&tenant).await.unwrap();
    let completion = revision(TenantAction::ProfileCompleted);
    let events = [audit_event(AuditEventKind::ProfileCompleted)];
    let machines: Vec<_> = (0..10).map(|number| robot(&number.to_string())).collect();
    let completed = machines
        .iter()
        .map(|machine| store.complete_profile(&tenant, machine, &completion, &events));
    let outcomes: Vec<_> = join_all(completed)
        .await
        .into_iter()
        .map(Result::unwrap)
        .collect();
    let count = |outcome| outcomes.iter().filter(|other| **other == outcome).count();
    let counts = (count(Provisioning::Done), count(Provisioning::Complete));
    assert_eq!(counts, (1, 9), "{outcomes:?}");
    assert_eq!(store.applications().await.unwrap().len(), 1);
    assert_eq!(
        count_events(store, AuditEventKind::ProfileCompleted).await,
        1
    );
}
