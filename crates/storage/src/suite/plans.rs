//! Cases of [`PlanStore`](crate::PlanStore).

use futures_util::future::join_all;
use invoicing_contract::PlanId;
use invoicing_contract::messages::documents::Kind;

use super::fixtures::{
    JEDDAH, NOW, RIYADH, audit_event, count_events, id, machine, organization, person, populate,
    stored_tenant, subject, tenant,
};
use crate::Store;
use crate::audit::AuditEventKind;
use crate::directory::Tenant;
use crate::plans::{Entitlement, Entitlements, Limits, Plan, PlanAssignment, PlanDeletion};
use crate::subjects::Subject;

/// A plan with every limit, and with a part of the entitlements.
#[must_use]
pub fn plan(name: &str) -> Plan {
    Plan {
        id: name.into(),
        stamp: format!("stamp of {name}").into(),
        name: name.to_uppercase(),
        name_ar: format!("{name} ar"),
        search_text: format!("{name} {name} ar"),
        limits: Limits {
            monthly_documents: Some(10),
            requests_per_minute: Some(0),
            users: Some(2),
        },
        entitlements: Entitlements {
            document_kinds: Some([Kind::Invoice].into()),
            languages: Some(["ar".to_owned()].into()),
            authorities: Some(std::collections::BTreeSet::new()),
            api_access: false,
        },
    }
}

pub(super) async fn add(store: &dyn Store, plan: &Plan) {
    let event = audit_event(AuditEventKind::PlanCreated);
    assert!(store.add_plan(plan, &event).await.unwrap());
}

async fn add_tenant(store: &dyn Store) {
    store.add_organization(&organization(RIYADH)).await.unwrap();
    let tenant = Tenant {
        own_limits: Limits::default(),
        ..tenant(organization(RIYADH))
    };
    store.add_tenant(&tenant).await.unwrap();
}

async fn assign(store: &dyn Store, organization: &str, plan: Option<&str>) -> PlanAssignment {
    let before = stored_tenant(store, organization).await;
    let before = before.and_then(|tenant| tenant.plan).map(|plan| plan.id);
    assign_in_place_of(store, organization, before.as_ref(), plan).await
}

async fn assign_in_place_of(
    store: &dyn Store,
    organization: &str,
    before: Option<&PlanId>,
    plan: Option<&str>,
) -> PlanAssignment {
    let event = audit_event(AuditEventKind::PlanAssigned);
    let plan = plan.map(PlanId::from);
    store
        .assign_plan(&id(organization), before, plan.as_ref(), &event)
        .await
        .unwrap()
}

pub async fn plan_reads_back_and_its_id_is_taken_once(store: &dyn Store) {
    let unrestricted = Plan {
        limits: Limits::default(),
        entitlements: Entitlements::ALL,
        ..plan("unrestricted")
    };
    for plan in [plan("basic"), unrestricted] {
        assert_eq!(store.plan(&plan.id).await.unwrap(), None);
        let event = audit_event(AuditEventKind::PlanCreated);
        let added = join_all((0..5).map(|_| store.add_plan(&plan, &event))).await;
        let added = added.into_iter().filter(|added| *added.as_ref().unwrap());
        assert_eq!(added.count(), 1);
        assert_eq!(store.plan(&plan.id).await.unwrap(), Some(plan));
    }
    assert_eq!(count_events(store, AuditEventKind::PlanCreated).await, 2);
}

pub async fn plan_is_replaced_by_the_one_with_its_stamp(store: &dyn Store) {
    let first = plan("basic");
    add(store, &first).await;
    let event = audit_event(AuditEventKind::PlanChanged);
    let successors: Vec<_> = (0..5)
        .map(|number| Plan {
            stamp: format!("stamp {number}").into(),
            name: format!("NAME {number}"),
            limits: Limits::default(),
            entitlements: Entitlements::ALL,
            ..first.clone()
        })
        .collect();
    let replaced = successors
        .iter()
        .map(|plan| store.replace_plan(plan, &first.stamp, &event));
    let replaced = join_all(replaced).await;
    let winners: Vec<_> = successors
        .iter()
        .zip(replaced)
        .filter(|(_, replaced)| *replaced.as_ref().unwrap())
        .map(|(plan, _)| plan.clone())
        .collect();
    assert_eq!(winners.len(), 1);
    assert_eq!(
        store.plan(&first.id).await.unwrap().as_ref(),
        winners.first()
    );
    let missing = plan("none");
    let missing = store.replace_plan(&missing, &first.stamp, &event).await;
    assert!(!missing.unwrap());
    assert_eq!(count_events(store, AuditEventKind::PlanChanged).await, 1);
}

pub async fn plans_are_paged_by_id_and_found_by_a_part_of_their_names(store: &dyn Store) {
    for name in ["c", "a", "b"] {
        add(store, &plan(name)).await;
    }
    let ids = async |text: &str, after: Option<&str>, size| {
        let after = after.map(PlanId::from);
        let page = store.plans(text, after.as_ref(), size).await.unwrap();
        let ids: Vec<_> = page.into_iter().map(|plan| plan.id.into_string()).collect();
        ids.join(" ")
    };
    assert_eq!(ids("", None, 2).await, "a b");
    assert_eq!(ids("", Some("b"), 2).await, "c");
    assert_eq!(ids("b ar", None, 2).await, "b");
    assert_eq!(ids("%", None, 2).await, "");
}

pub async fn tenant_has_the_limits_of_its_plan_where_it_has_none_of_its_own(store: &dyn Store) {
    add_tenant(store).await;
    let basic = plan("basic");
    add(store, &basic).await;
    let without = stored_tenant(store, RIYADH).await.unwrap();
    assert_eq!(
        (without.limits(), without.entitlements()),
        (Limits::default(), &Entitlements::ALL)
    );
    assert_eq!(
        assign(store, "nowhere", Some("basic")).await,
        PlanAssignment::NoTenant
    );
    assert_eq!(
        assign(store, RIYADH, Some("none")).await,
        PlanAssignment::NoPlan
    );
    assert_eq!(count_events(store, AuditEventKind::PlanAssigned).await, 0);
    for _ in 0..2 {
        assert_eq!(
            assign(store, RIYADH, Some("basic")).await,
            PlanAssignment::Assigned
        );
        assert_eq!(count_events(store, AuditEventKind::PlanAssigned).await, 1);
    }
    let with = stored_tenant(store, RIYADH).await.unwrap();
    assert_eq!(with.plan.as_ref(), Some(&basic));
    assert_eq!(with.limits(), basic.limits);
    assert!(with.has(Entitlement::Language("ar")) && !with.has(Entitlement::Language("en")));
    assert!(!with.has(Entitlement::Authority("zatca")) && !with.has(Entitlement::ApiAccess));
    assert!(!with.has(Entitlement::DocumentKind(Kind::DebitNote)));

    let event = audit_event(AuditEventKind::TenantChanged);
    let own = Limits {
        users: Some(0),
        ..Limits::default()
    };
    let (riyadh, before) = (id(RIYADH), Limits::default());
    let set = store.set_limits(&riyadh, &before, &own, &event).await;
    assert!(set.unwrap());
    let limited = stored_tenant(store, RIYADH).await.unwrap();
    assert_eq!(limited.limits(), own.or(basic.limits));

    assert_eq!(assign(store, RIYADH, None).await, PlanAssignment::Assigned);
    let without = stored_tenant(store, RIYADH).await.unwrap();
    assert_eq!((without.plan, without.own_limits), (None, own));
}

pub async fn plan_is_assigned_only_in_place_of_the_one_that_the_event_names(store: &dyn Store) {
    add_tenant(store).await;
    for name in ["basic", "large"] {
        add(store, &plan(name)).await;
    }
    let basic = PlanId::from("basic");
    assert_eq!(
        assign_in_place_of(store, RIYADH, Some(&basic), Some("large")).await,
        PlanAssignment::Stale
    );
    // Of several that replace no plan, one does.
    let names = ["basic", "large", "basic", "large"];
    let assigned = names.map(|name| assign_in_place_of(store, RIYADH, None, Some(name)));
    let assigned = join_all(assigned).await;
    let found = stored_tenant(store, RIYADH).await.unwrap().plan.unwrap();
    for (name, assigned) in names.into_iter().zip(assigned) {
        let expected = if found.id.as_str() == name {
            PlanAssignment::Assigned
        } else {
            PlanAssignment::Stale
        };
        assert_eq!(assigned, expected, "{name}");
    }
    assert_eq!(count_events(store, AuditEventKind::PlanAssigned).await, 1);
}

pub async fn plan_that_a_tenant_has_is_not_deleted(store: &dyn Store) {
    add_tenant(store).await;
    let basic = plan("basic");
    add(store, &basic).await;
    let event = audit_event(AuditEventKind::PlanDeleted);
    let delete = |stamp: &str| {
        let (stamp, id, event) = (stamp.into(), basic.id.clone(), event.clone());
        async move { store.delete_plan(&id, &stamp, &event).await.unwrap() }
    };
    assign(store, RIYADH, Some("basic")).await;
    assert_eq!(delete("another").await, PlanDeletion::Stale);
    assert_eq!(delete("stamp of basic").await, PlanDeletion::InUse);
    assign(store, RIYADH, None).await;
    assert_eq!(delete("stamp of basic").await, PlanDeletion::Deleted);
    assert_eq!(delete("stamp of basic").await, PlanDeletion::Stale);
    assert_eq!(store.plan(&basic.id).await.unwrap(), None);
    assert_eq!(count_events(store, AuditEventKind::PlanDeleted).await, 1);
}

pub async fn plan_is_either_assigned_or_deleted(store: &dyn Store) {
    add_tenant(store).await;
    for number in 0..10 {
        let plan = plan(&format!("plan {number}"));
        add(store, &plan).await;
        let event = audit_event(AuditEventKind::PlanDeleted);
        let (organization, events) = (id(RIYADH), event.clone());
        let (assigned, deleted) = futures_util::future::join(
            store.assign_plan(&organization, None, Some(&plan.id), &events),
            store.delete_plan(&plan.id, &plan.stamp, &event),
        )
        .await;
        let (assigned, deleted) = (assigned.unwrap(), deleted.unwrap());
        let found = stored_tenant(store, RIYADH).await.unwrap().plan;
        match deleted {
            PlanDeletion::Deleted => {
                assert_eq!((assigned, found), (PlanAssignment::NoPlan, None));
            }
            PlanDeletion::InUse => {
                assert_eq!((assigned, found), (PlanAssignment::Assigned, Some(plan)));
            }
            PlanDeletion::Stale => panic!("nobody else deletes it"),
        }
        assign(store, RIYADH, None).await;
    }
}

pub async fn users_are_people_with_a_role_or_at_home(store: &dyn Store) {
    populate(store).await;
    let before = store.count_users(&id(JEDDAH)).await.unwrap();
    assert_eq!(before, 0);
    let event = audit_event(AuditEventKind::UserCreated);
    let at_home = Subject {
        home_organization: JEDDAH.into(),
        ..person("amal")
    };
    for person in [at_home, machine("importer")] {
        assert!(store.add_subject(&person, &event).await.unwrap());
    }
    assert_eq!(store.count_users(&id(JEDDAH)).await.unwrap(), 1);
    // A second role of one person, a role of somebody from elsewhere, and of a machine user.
    for (name, role) in [
        ("amal", "clerk"),
        ("noura", "clerk"),
        ("noura", "viewer"),
        ("importer", "clerk"),
    ] {
        let granted = store
            .add_grant(&subject(name), &id(JEDDAH), role, &event)
            .await;
        assert!(granted.unwrap());
    }
    assert_eq!(store.count_users(&id(JEDDAH)).await.unwrap(), 2);
    let disabled = store.disable_subject(&subject("amal"), NOW, &event).await;
    assert!(disabled.unwrap());
    assert_eq!(store.count_users(&id(JEDDAH)).await.unwrap(), 1);
}
