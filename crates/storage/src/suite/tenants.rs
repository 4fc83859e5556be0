//! Cases of [`TenantStore`](crate::TenantStore).

use futures_util::future::join_all;
use invoice::content::Identifier;

use super::fixtures::{
    JEDDAH, LATER, NOW, RIYADH, audit_event, count_events, id, organization, revision,
    stored_tenant, tenant,
};
use super::provisioning::create;
use crate::Store;
use crate::audit::AuditEventKind;
use crate::directory::{Organization, Tenant, TenantAddress};
use crate::plans::Limits;
use crate::provisioning::Provisioning;
use crate::tenants::{
    OrganizationQuery, OrganizationState, TenantAction, TenantChange, TenantRevision,
};

/// A tenant without a profile.
pub(super) fn without_profile(name: &str) -> Tenant {
    Tenant {
        currency: String::new(),
        country: String::new(),
        time_zone: String::new(),
        tax_id: String::new(),
        registration_number: Identifier::default(),
        address: TenantAddress {
            building: String::new(),
            street: String::new(),
            district: String::new(),
            city: String::new(),
            postal_code: String::new(),
        },
        own_limits: Limits::default(),
        ..tenant(organization(name))
    }
}

/// The tenant of [`RIYADH`] with another name, registration number, address and stamp.
pub(super) fn moved(stamp: &str) -> Tenant {
    let before = tenant(organization(RIYADH));
    Tenant {
        organization: Organization {
            name: "Riyadh Trading".to_owned(),
            ..before.organization
        },
        registration_number: Identifier {
            scheme: "700".to_owned(),
            value: "7001234560".to_owned(),
        },
        address: TenantAddress {
            street: "another street".to_owned(),
            ..before.address
        },
        concurrency_stamp: stamp.to_owned(),
        ..before
    }
}

pub(super) async fn update(store: &dyn Store, tenant: &Tenant, based_on: &str) -> TenantChange {
    let revision = TenantRevision {
        changes: r#"[{"field": "name"}]"#.to_owned(),
        ..revision(TenantAction::Updated)
    };
    let event = audit_event(AuditEventKind::TenantChanged);
    let updated = store.update_tenant(tenant, based_on, &revision, &event);
    updated.await.unwrap()
}

async fn set_disabled(store: &dyn Store, organization: &str, disabled: bool) -> bool {
    let (action, kind, at) = if disabled {
        let kind = AuditEventKind::TenantDisabled;
        (TenantAction::Disabled, kind, Some(LATER))
    } else {
        (TenantAction::Enabled, AuditEventKind::TenantEnabled, None)
    };
    let (id, revision, event) = (id(organization), revision(action), audit_event(kind));
    let set = store.set_tenant_disabled(&id, at, "another stamp", &revision, &event);
    set.await.unwrap()
}

async fn history(store: &dyn Store, organization: &str) -> Vec<(i64, TenantAction)> {
    let revisions = store.tenant_history(&id(organization), None, 100).await;
    let revisions = revisions.unwrap().into_iter();
    revisions
        .map(|revision| (revision.revision, revision.action))
        .collect()
}

/// The ids on all pages of two organizations.
async fn pages(store: &dyn Store, query: OrganizationQuery) -> Vec<String> {
    let mut query = OrganizationQuery { size: 2, ..query };
    let mut ids = Vec::new();
    loop {
        let page = store.organization_page(&query).await.unwrap();
        let Some((last, _)) = page.last() else {
            return ids;
        };
        query.after = Some(last.id.clone());
        ids.extend(
            page.into_iter()
                .map(|(organization, _)| organization.id.into_string()),
        );
    }
}

pub async fn tenant_is_updated_with_its_revision_and_event(store: &dyn Store) {
    create(store, organization(RIYADH), "robot").await;
    let updated = moved("second");
    let outcome = update(store, &updated, Tenant::INITIAL_STAMP).await;
    assert_eq!(outcome, TenantChange::Done);
    assert_eq!(stored_tenant(store, RIYADH).await, Some(updated));
    let history = store.tenant_history(&id(RIYADH), None, 10).await.unwrap();
    let newest = TenantRevision {
        revision: 2,
        at: NOW,
        actor: "noura".to_owned(),
        action: TenantAction::Updated,
        changes: r#"[{"field": "name"}]"#.to_owned(),
    };
    assert_eq!(history.first(), Some(&newest));
    assert_eq!(
        history.last().map(|first| first.action),
        Some(TenantAction::Created)
    );
    let before = store.tenant_history(&id(RIYADH), Some(2), 10).await;
    assert_eq!(before.unwrap().len(), 1);
    let other = store.tenant_history(&id(JEDDAH), None, 10).await;
    assert!(other.unwrap().is_empty());
    assert_eq!(count_events(store, AuditEventKind::TenantChanged).await, 1);
}

pub async fn update_with_a_stale_stamp_changes_no_tenant(store: &dyn Store) {
    create(store, organization(RIYADH), "robot").await;
    let stale = update(store, &moved("second"), "other").await;
    assert_eq!(stale, TenantChange::Stale);
    let nowhere = Tenant {
        organization: organization(JEDDAH),
        ..moved("second")
    };
    let none = update(store, &nowhere, Tenant::INITIAL_STAMP).await;
    assert_eq!(none, TenantChange::NotFound);
    let stored = stored_tenant(store, RIYADH).await;
    assert_eq!(stored, Some(tenant(organization(RIYADH))));
    assert_eq!(history(store, RIYADH).await.len(), 1);
    assert_eq!(count_events(store, AuditEventKind::TenantChanged).await, 0);
}

pub async fn tenant_is_updated_by_one_of_many(store: &dyn Store) {
    create(store, organization(RIYADH), "robot").await;
    let tenants: Vec<_> = (0..10).map(|number| moved(&number.to_string())).collect();
    let updates = tenants
        .iter()
        .map(|tenant| update(store, tenant, Tenant::INITIAL_STAMP));
    let outcomes = join_all(updates).await;
    let done = |outcome: &&TenantChange| **outcome == TenantChange::Done;
    assert_eq!(outcomes.iter().filter(done).count(), 1, "{outcomes:?}");
    assert_eq!(history(store, RIYADH).await.len(), 2);
    assert_eq!(count_events(store, AuditEventKind::TenantChanged).await, 1);
}

pub async fn tenant_is_disabled_and_enabled_once_each(store: &dyn Store) {
    create(store, organization(RIYADH), "robot").await;
    assert!(!set_disabled(store, RIYADH, false).await, "it is enabled");
    assert!(set_disabled(store, RIYADH, true).await);
    assert!(!set_disabled(store, RIYADH, true).await, "again");
    let disabled = stored_tenant(store, RIYADH).await.unwrap();
    assert_eq!(disabled.disabled_at, Some(LATER));
    assert_eq!(disabled.concurrency_stamp, "another stamp");
    assert!(set_disabled(store, RIYADH, false).await);
    let enabled = stored_tenant(store, RIYADH).await.unwrap();
    assert_eq!(enabled.disabled_at, None);
    assert!(!set_disabled(store, JEDDAH, true).await, "no tenant");
    assert_eq!(
        history(store, RIYADH).await,
        [
            (3, TenantAction::Enabled),
            (2, TenantAction::Disabled),
            (1, TenantAction::Created)
        ]
    );
    assert_eq!(count_events(store, AuditEventKind::TenantDisabled).await, 1);
    assert_eq!(count_events(store, AuditEventKind::TenantEnabled).await, 1);
    let named = audit_event(AuditEventKind::OperatorNamed);
    store.name_operator(&id(RIYADH), &named).await.unwrap();
    assert!(!set_disabled(store, RIYADH, true).await, "the operator's");
}

pub async fn organization_becomes_a_tenant_once(store: &dyn Store) {
    let event = audit_event(AuditEventKind::OrganizationCreated);
    for (organization, outcome) in [
        (organization(RIYADH), Provisioning::Done),
        (organization(RIYADH), Provisioning::OrganizationTaken),
        (
            Organization {
                id: id(JEDDAH),
                ..organization(RIYADH)
            },
            Provisioning::DomainTaken,
        ),
    ] {
        let created = store.create_organization(&organization, &event).await;
        assert_eq!(created.unwrap(), outcome);
    }
    assert_eq!(
        count_events(store, AuditEventKind::OrganizationCreated).await,
        1
    );
    let event = audit_event(AuditEventKind::TenantCreated);
    for (name, outcome) in [
        (RIYADH, TenantChange::Done),
        (RIYADH, TenantChange::Stale),
        (JEDDAH, TenantChange::NotFound),
    ] {
        let (tenant, revision) = (without_profile(name), revision(TenantAction::Created));
        let made = store.make_tenant(&tenant, &revision, &event);
        assert_eq!(made.await.unwrap(), outcome, "{name}");
    }
    let stored = stored_tenant(store, RIYADH).await.unwrap();
    assert!(!stored.has_profile());
    assert_eq!(stored, without_profile(RIYADH));
    assert_eq!(history(store, RIYADH).await, [(1, TenantAction::Created)]);
    assert_eq!(count_events(store, AuditEventKind::TenantCreated).await, 1);
}

pub async fn pages_of_organizations_join_to_those_of_the_query(store: &dyn Store) {
    // The machine users of all of them are at home there.
    create(store, organization(RIYADH), "robot").await;
    let event = audit_event(AuditEventKind::OrganizationCreated);
    for name in ["a", "b"] {
        let organization = organization(name);
        store
            .create_organization(&organization, &event)
            .await
            .unwrap();
    }
    let made = revision(TenantAction::Created);
    store
        .make_tenant(&without_profile("b"), &made, &event)
        .await
        .unwrap();
    for name in ["c", "d", "E"] {
        create(store, organization(name), &format!("{name} robot")).await;
    }
    assert!(set_disabled(store, "d", true).await);

    let state = |state| OrganizationQuery {
        state: Some(state),
        ..OrganizationQuery::default()
    };
    let text = |text: &str| OrganizationQuery {
        text: text.to_owned(),
        ..OrganizationQuery::default()
    };
    let domain = |domain: &str| OrganizationQuery {
        domain: Some(domain.to_owned()),
        ..OrganizationQuery::default()
    };
    let tenants = OrganizationQuery {
        tenants_only: true,
        ..OrganizationQuery::default()
    };
    for (query, expected) in [
        (
            OrganizationQuery::default(),
            vec!["E", "a", "b", "c", "d", RIYADH],
        ),
        (tenants, vec!["E", "b", "c", "d", RIYADH]),
        (state(OrganizationState::NoTenant), vec!["a"]),
        (state(OrganizationState::ProfileIncomplete), vec!["b"]),
        (state(OrganizationState::Active), vec!["E", "c", RIYADH]),
        (state(OrganizationState::Disabled), vec!["d"]),
        (text("e"), vec!["E"]),
        (text("C AR"), vec!["c"]),
        (text("310122393500003"), vec!["E", "c", "d", RIYADH]),
        (text("%"), vec![]),
        (domain("c.example"), vec!["c"]),
        (domain("example"), vec![]),
    ] {
        assert_eq!(pages(store, query.clone()).await, expected, "{query:?}");
    }
}
