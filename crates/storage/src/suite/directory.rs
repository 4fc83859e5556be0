//! Cases of [`DirectoryStore`](crate::DirectoryStore).

use futures_util::future::join_all;

use super::fixtures::{
    JEDDAH, RIYADH, audit_event, count_events, id, organization, populate, stored_tenant, subject,
    tenant,
};
use crate::Store;
use crate::audit::AuditEventKind;
use crate::directory::{Organization, Tenant, TenantRegion};
use crate::plans::Limits;

pub async fn setting_keeps_the_value_that_was_written_first(store: &dyn Store) {
    assert_eq!(store.setting("kind").await.unwrap(), None);
    assert_eq!(store.setting_or("kind", "local").await.unwrap(), "local");
    assert_eq!(store.setting_or("kind", "staging").await.unwrap(), "local");
    assert_eq!(
        store.setting("kind").await.unwrap().as_deref(),
        Some("local")
    );
}

pub async fn setting_written_by_many_at_the_same_time_has_one_value(store: &dyn Store) {
    let values: Vec<_> = (0..20).map(|value| value.to_string()).collect();
    let written = values.iter().map(|value| store.setting_or("key", value));
    let returned: Vec<_> = join_all(written)
        .await
        .into_iter()
        .map(Result::unwrap)
        .collect();
    let stored = store.setting("key").await.unwrap().unwrap();
    assert!(
        returned.iter().all(|value| *value == stored),
        "{returned:?}"
    );
}

pub async fn setting_is_replaced_with_its_event_by_one_who_knows_its_value(store: &dyn Store) {
    let event = audit_event(AuditEventKind::EncryptionRotated);
    let replace = |stored: &'static str, value: &'static str| {
        let event = event.clone();
        async move {
            let replaced = store.replace_setting("key", stored, value, &event).await;
            replaced.unwrap()
        }
    };
    assert!(!replace("old", "new").await, "there is none");
    store.setting_or("key", "old").await.unwrap();
    store.setting_or("another", "old").await.unwrap();
    assert!(!replace("older", "new").await);
    let replaced = join_all((0..10).map(|_| replace("old", "new"))).await;
    assert_eq!(replaced.iter().filter(|replaced| **replaced).count(), 1);
    let stored = [store.setting("key").await, store.setting("another").await];
    let stored = stored.map(|value| value.unwrap().unwrap());
    assert_eq!(stored, ["new", "old"]);
    let events = count_events(store, AuditEventKind::EncryptionRotated).await;
    assert_eq!(events, 1);
}

pub async fn organizations_read_back_ordered_by_id(store: &dyn Store) {
    for name in [RIYADH, JEDDAH] {
        store.add_organization(&organization(name)).await.unwrap();
    }
    let all = store.organizations().await.unwrap();
    assert_eq!(all, [organization(JEDDAH), organization(RIYADH)]);
    let found = store.organization(&id(RIYADH)).await.unwrap();
    assert_eq!(found, Some(organization(RIYADH)));
    assert_eq!(store.organization(&id("tabuk")).await.unwrap(), None);
}

pub async fn organizations_are_found_by_their_ids(store: &dyn Store) {
    for name in [RIYADH, JEDDAH, "dammam"] {
        store.add_organization(&organization(name)).await.unwrap();
    }
    let abha = tenant(organization("abha"));
    store.add_organization(&abha.organization).await.unwrap();
    store.add_tenant(&abha).await.unwrap();
    let ids = [RIYADH, JEDDAH, "tabuk", "abha"].map(id).into();
    let found = store.organizations_with_ids(&ids).await.unwrap();
    let region = TenantRegion {
        country: abha.country,
        currency: abha.currency,
        time_zone: abha.time_zone,
    };
    assert_eq!(
        found,
        [
            (abha.organization, Some(region)),
            (organization(JEDDAH), None),
            (organization(RIYADH), None)
        ]
    );
    let none = store.organizations_with_ids(&[].into()).await.unwrap();
    assert_eq!(none, []);
}

pub async fn organization_with_a_taken_id_or_domain_is_not_added(store: &dyn Store) {
    store.add_organization(&organization(RIYADH)).await.unwrap();
    let mut same_id = organization(JEDDAH);
    same_id.id = id(RIYADH);
    let mut same_domain = organization(JEDDAH);
    same_domain.domain = organization(RIYADH).domain;
    for taken in [same_id, same_domain] {
        store.add_organization(&taken).await.unwrap();
    }
    assert_eq!(store.organizations().await.unwrap(), [organization(RIYADH)]);
}

pub async fn organization_with_one_id_or_domain_is_added_by_one_of_many(store: &dyn Store) {
    let same_id = (0..10).map(|number| Organization {
        domain: format!("{number}.example"),
        ..organization(RIYADH)
    });
    let same_domain = (0..10).map(|number| Organization {
        id: id(&number.to_string()),
        ..organization(JEDDAH)
    });
    let organizations: Vec<_> = same_id.chain(same_domain).collect();
    let added = organizations
        .iter()
        .map(|organization| store.add_organization(organization));
    for added in join_all(added).await {
        added.unwrap();
    }
    let stored = store.organizations().await.unwrap();
    let with = |matches: &dyn Fn(&Organization) -> bool| {
        stored.iter().filter(|stored| matches(stored)).count()
    };
    assert_eq!(with(&|stored| stored.id == id(RIYADH)), 1);
    assert_eq!(with(&|stored| stored.domain == "jeddah.example"), 1);
    assert_eq!(stored.len(), 2);
}

pub async fn organization_is_found_by_its_domain(store: &dyn Store) {
    for name in [RIYADH, JEDDAH] {
        store.add_organization(&organization(name)).await.unwrap();
    }
    let of_domain = async |domain: &str| store.organization_of_domain(domain).await.unwrap();
    let domain = organization(RIYADH).domain;
    assert_eq!(of_domain(&domain).await, Some(id(RIYADH)));
    for other in ["", "tabuk.example", &format!("x.{domain}"), RIYADH] {
        assert_eq!(of_domain(other).await, None, "{other}");
    }
}

pub async fn organization_without_a_tenant_has_none(store: &dyn Store) {
    store.add_organization(&organization(RIYADH)).await.unwrap();
    assert_eq!(stored_tenant(store, RIYADH).await, None);
}

pub async fn tenant_reads_back_and_is_not_replaced(store: &dyn Store) {
    store.add_organization(&organization(RIYADH)).await.unwrap();
    let first = tenant(organization(RIYADH));
    store.add_tenant(&first).await.unwrap();
    let second = Tenant {
        currency: "USD".to_owned(),
        ..first.clone()
    };
    store.add_tenant(&second).await.unwrap();
    assert_eq!(stored_tenant(store, RIYADH).await, Some(first));
}

pub async fn limits_of_a_tenant_change_with_their_event(store: &dyn Store) {
    store.add_organization(&organization(RIYADH)).await.unwrap();
    store
        .add_tenant(&tenant(organization(RIYADH)))
        .await
        .unwrap();
    let event = audit_event(AuditEventKind::TenantChanged);
    let before = stored_tenant(store, RIYADH).await.unwrap();
    assert_eq!(before.own_limits, tenant(organization(RIYADH)).own_limits);
    let limits = Limits {
        requests_per_minute: Some(60),
        users: Some(3),
        ..Limits::default()
    };
    let set = |name, before| {
        let (id, limits, event) = (id(name), limits, event.clone());
        async move {
            store
                .set_limits(&id, &before, &limits, &event)
                .await
                .unwrap()
        }
    };
    // Of a tenant that does not exist, and in place of limits that it has not.
    for (name, before) in [(JEDDAH, before.own_limits), (RIYADH, limits)] {
        assert!(!set(name, before).await, "{name}");
    }
    assert_eq!(count_events(store, AuditEventKind::TenantChanged).await, 0);
    let changed = [
        set(RIYADH, before.own_limits),
        set(RIYADH, before.own_limits),
    ];
    let mut changed = join_all(changed).await;
    changed.sort_unstable();
    assert_eq!(changed, [false, true], "one of two replaces them");
    assert_eq!(count_events(store, AuditEventKind::TenantChanged).await, 1);
    let found = stored_tenant(store, RIYADH).await.unwrap();
    assert_eq!((found.own_limits, found.plan), (limits, None));
}

pub async fn operator_is_named_once_with_its_event(store: &dyn Store) {
    for name in [RIYADH, JEDDAH] {
        store.add_organization(&organization(name)).await.unwrap();
    }
    assert_eq!(store.operator().await.unwrap(), None);
    let event = audit_event(AuditEventKind::OperatorNamed);
    // The same again, and another.
    for name in [RIYADH, RIYADH, JEDDAH] {
        let operator = store.name_operator(&id(name), &event).await.unwrap();
        assert_eq!(operator, id(RIYADH), "{name}");
    }
    assert_eq!(store.operator().await.unwrap(), Some(id(RIYADH)));
    assert_eq!(count_events(store, AuditEventKind::OperatorNamed).await, 1);
}

pub async fn operator_named_by_many_at_the_same_time_is_one(store: &dyn Store) {
    for name in [RIYADH, JEDDAH] {
        store.add_organization(&organization(name)).await.unwrap();
    }
    let event = audit_event(AuditEventKind::OperatorNamed);
    let (riyadh, jeddah) = (id(RIYADH), id(JEDDAH));
    let candidates = (0..20).map(|number| if number % 2 == 0 { &riyadh } else { &jeddah });
    let named = candidates.map(|organization| store.name_operator(organization, &event));
    let returned: Vec<_> = join_all(named)
        .await
        .into_iter()
        .map(Result::unwrap)
        .collect();
    let stored = store.operator().await.unwrap().unwrap();
    assert!(
        returned.iter().all(|operator| *operator == stored),
        "{returned:?}"
    );
    assert_eq!(count_events(store, AuditEventKind::OperatorNamed).await, 1);
}

/// A caller can send any text. PostgreSQL has none with U+0000.
pub async fn text_that_no_engine_stores_is_not_found(store: &dyn Store) {
    populate(store).await;
    let basis = store.basis().await.unwrap();
    for text in ["\0", "noura\0", "app\0", "\u{10ffff}"] {
        assert!(store.setting(text).await.unwrap().is_none());
        assert!(store.organization(&id(text)).await.unwrap().is_none());
        let of_domain = store.organization_of_domain(text).await;
        assert!(of_domain.unwrap().is_none());
        assert!(store.tenant(&id(text), basis).await.unwrap().is_none());
        assert!(store.member(&subject(text), basis).await.unwrap().is_none());
        assert!(store.subject_by_username(text).await.unwrap().is_none());
        assert!(store.account(text).await.unwrap().is_none());
        assert!(store.grants(&subject(text)).await.unwrap().is_empty());
        let application = store.application(&text.into(), basis).await;
        assert!(application.unwrap().is_none());
        let pats = store.pats(&subject(text), None, 1).await;
        assert!(pats.unwrap().is_empty());
        assert!(store.pat_by_id(text).await.unwrap().is_none());
    }
}
