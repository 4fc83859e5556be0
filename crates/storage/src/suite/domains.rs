//! Cases of [`DomainStore`](crate::DomainStore).

use futures_util::future::join_all;

use super::fixtures::{
    JEDDAH, NOW, RIYADH, after_now, audit_event, before_now, count_events, id, organization,
    revision, stored_tenant,
};
use super::provisioning::create;
use crate::Store;
use crate::audit::AuditEventKind;
use crate::directory::Organization;
use crate::domains::{DomainChange, DomainClaim};
use crate::provisioning::Provisioning;
use crate::tenants::{OrganizationQuery, TenantAction};

/// Tenants of [`RIYADH`] and [`JEDDAH`].
async fn tenants(store: &dyn Store) {
    for name in [RIYADH, JEDDAH] {
        create(store, organization(name), &format!("{name} robot")).await;
    }
}

async fn claim(store: &dyn Store, organization: &str, name: &str) -> DomainClaim {
    let event = audit_event(AuditEventKind::DomainClaimed);
    let id = id(organization);
    let claimed = store.claim_domain(&id, name, "token", 3, &event);
    claimed.await.unwrap()
}

async fn verify(store: &dyn Store, organization: &str, name: &str) -> DomainChange {
    let event = audit_event(AuditEventKind::DomainVerified);
    let verified = store.verify_domain(&id(organization), name, &event).await;
    verified.unwrap()
}

async fn remove(store: &dyn Store, organization: &str, name: &str, verified: bool) -> DomainChange {
    let event = audit_event(AuditEventKind::DomainRemoved);
    let organization = id(organization);
    let removed = store.remove_domain(&organization, name, verified, &event);
    removed.await.unwrap()
}

async fn set_primary(
    store: &dyn Store,
    organization: &str,
    before: &str,
    name: &str,
) -> DomainChange {
    let event = audit_event(AuditEventKind::PrimaryDomainChanged);
    let (id, revision) = (id(organization), revision(TenantAction::Updated));
    let set = store.set_primary_domain(&id, before, name, "another stamp", &revision, &event);
    set.await.unwrap()
}

/// Name, whether it is verified, and whether it is primary.
async fn domains(store: &dyn Store, organization: &str) -> Vec<(String, bool, bool)> {
    let found = store.domains(&id(organization), None, 10).await.unwrap();
    let found = found.into_iter();
    found
        .map(|domain| (domain.name.clone(), domain.is_verified(), domain.is_primary))
        .collect()
}

pub async fn domain_is_claimed_verified_made_primary_and_removed(store: &dyn Store) {
    tenants(store).await;
    let first = "riyadh.example";
    assert_eq!(claim(store, RIYADH, "new.example").await, DomainClaim::Done);
    for exists in ["new.example", first] {
        assert_eq!(claim(store, RIYADH, exists).await, DomainClaim::Exists);
    }
    let claimed = store.domain(&id(RIYADH), "new.example").await.unwrap();
    assert_eq!(claimed.unwrap().token.as_deref(), Some("token"));
    let elsewhere = store.domain(&id(JEDDAH), "new.example").await.unwrap();
    assert_eq!(elsewhere, None);
    let unverified = set_primary(store, RIYADH, first, "new.example").await;
    assert_eq!(unverified, DomainChange::NotVerified);
    for _ in 0..2 {
        let verified = verify(store, RIYADH, "new.example").await;
        assert_eq!(verified, DomainChange::Done);
    }
    let stale = set_primary(store, RIYADH, "another.example", "new.example").await;
    assert_eq!(stale, DomainChange::Stale);
    for _ in 0..2 {
        let primary = set_primary(store, RIYADH, first, "new.example").await;
        assert_eq!(primary, DomainChange::Done);
    }
    let tenant = stored_tenant(store, RIYADH).await.unwrap();
    assert_eq!(tenant.organization.domain, "new.example");
    assert_eq!(tenant.concurrency_stamp, "another stamp");
    let history = store.tenant_history(&id(RIYADH), None, 10).await.unwrap();
    assert_eq!(history.len(), 2);
    assert_eq!(
        domains(store, RIYADH).await,
        [
            ("new.example".to_owned(), true, true),
            (first.to_owned(), true, false),
        ]
    );
    let second = store.domains(&id(RIYADH), Some("new.example"), 10).await;
    assert_eq!(second.unwrap().len(), 1);
    assert_eq!(
        remove(store, RIYADH, "new.example", true).await,
        DomainChange::Primary
    );
    for (verified, outcome) in [
        (false, DomainChange::Stale),
        (true, DomainChange::Done),
        (true, DomainChange::NotFound),
    ] {
        assert_eq!(remove(store, RIYADH, first, verified).await, outcome);
    }
    assert_eq!(verify(store, RIYADH, first).await, DomainChange::NotFound);
    for kind in [
        AuditEventKind::DomainClaimed,
        AuditEventKind::DomainVerified,
        AuditEventKind::PrimaryDomainChanged,
        AuditEventKind::DomainRemoved,
    ] {
        assert_eq!(count_events(store, kind).await, 1, "{kind:?}");
    }
}

pub async fn domain_is_of_the_organization_that_verifies_it_first(store: &dyn Store) {
    tenants(store).await;
    for name in [RIYADH, JEDDAH] {
        assert_eq!(claim(store, name, "same.example").await, DomainClaim::Done);
    }
    let verified = join_all([RIYADH, JEDDAH].map(|name| verify(store, name, "same.example"))).await;
    let count = |outcome| verified.iter().filter(|other| **other == outcome).count();
    let counts = (count(DomainChange::Done), count(DomainChange::Taken));
    assert_eq!(counts, (1, 1), "{verified:?}");
    let owner = store.organization_of_domain("same.example").await.unwrap();
    let owner = owner.unwrap();
    let query = OrganizationQuery {
        domain: Some("same.example".to_owned()),
        size: 10,
        ..OrganizationQuery::default()
    };
    let page = store.organization_page(&query).await.unwrap();
    assert_eq!((page.len(), &page[0].0.id), (1, &owner));

    let third = Organization {
        domain: "same.example".to_owned(),
        ..organization("tabuk")
    };
    let taken = create(store, third, "tabuk robot").await;
    assert_eq!(
        taken,
        Provisioning::DomainTaken,
        "by a domain that is not primary"
    );
    // The primary domain of another organization can be claimed, and never verified.
    assert_eq!(
        claim(store, RIYADH, "jeddah.example").await,
        DomainClaim::Done
    );
    let other = verify(store, RIYADH, "jeddah.example").await;
    assert_eq!(other, DomainChange::Taken);
    assert_eq!(
        remove(store, RIYADH, "jeddah.example", false).await,
        DomainChange::Done
    );
    let kept = store.organization_of_domain("jeddah.example").await;
    assert_eq!(kept.unwrap(), Some(id(JEDDAH)));
}

pub async fn organization_has_a_bounded_number_of_domains(store: &dyn Store) {
    tenants(store).await;
    let names: Vec<_> = (0..6).map(|number| format!("{number}.example")).collect();
    let claims = names.iter().map(|name| claim(store, RIYADH, name));
    let outcomes = join_all(claims).await;
    let done = |outcome: &&DomainClaim| **outcome == DomainClaim::Done;
    assert_eq!(outcomes.iter().filter(done).count(), 2, "{outcomes:?}");
    assert_eq!(
        domains(store, RIYADH).await.len(),
        3,
        "with the primary one"
    );
}

pub async fn claim_is_checked_once_in_an_interval(store: &dyn Store) {
    tenants(store).await;
    claim(store, RIYADH, "new.example").await;
    let begin = async |organization: &str, now, since| {
        let id = id(organization);
        let begun = store.begin_verification(&id, "new.example", now, since);
        begun.await.unwrap()
    };
    assert!(begin(RIYADH, NOW, before_now(10)).await);
    assert!(!begin(RIYADH, after_now(9), before_now(1)).await);
    assert!(begin(RIYADH, after_now(10), NOW).await);
    assert!(
        begin(RIYADH, before_now(50), before_now(60)).await,
        "the clock was set back"
    );
    assert!(!begin(JEDDAH, NOW, before_now(10)).await, "no claim");
}
