//! Cases of [`RuleStore`](crate::RuleStore).

use futures_util::future::join_all;

use super::fixtures::{
    JEDDAH, NOW, RIYADH, audit_event, count_events, id, person, populate, subject,
};
use super::users::invite;
use crate::audit::AuditEventKind;
use crate::rules::{RoleHolder, RoleSet, RuleVersion, Rules, RulesPublication};
use crate::{Basis, Store};

pub(super) fn rules(number: i64, text: &str) -> Rules {
    Rules {
        version: RuleVersion {
            number,
            concurrency_stamp: format!("stamp of {text}").into(),
            published_by: "sara".to_owned(),
            published_at: NOW,
            comment: "why".to_owned(),
            restores: (number > 1).then_some(0),
        },
        text: text.to_owned(),
    }
}

pub(super) async fn publish(store: &dyn Store, rules: &Rules, basis: Basis) -> RulesPublication {
    let event = audit_event(AuditEventKind::RulesPublished);
    store.publish_rules(rules, basis, &event).await.unwrap()
}

async fn grant(store: &dyn Store, name: &str, organization: &str, role: &str) {
    let event = audit_event(AuditEventKind::RoleGranted);
    let granted = store
        .add_grant(&subject(name), &id(organization), role, &event)
        .await;
    assert!(granted.unwrap());
}

pub async fn published_versions_read_back_and_the_last_is_current(store: &dyn Store) {
    assert_eq!(store.rules_number().await.unwrap(), 0);
    assert_eq!(store.rules(0).await.unwrap(), None);
    let versions = [rules(1, "first"), rules(2, "second"), rules(3, "third")];
    for rules in &versions {
        let before = store.basis().await.unwrap();
        let published = publish(store, rules, before).await;
        assert_eq!(published, RulesPublication::Published);
        assert_eq!(store.rules_number().await.unwrap(), rules.version.number);
        let after = store.basis().await.unwrap();
        assert!(after.version() > before.version(), "caches are read again");
    }
    for rules in &versions {
        let found = store.rules(rules.version.number).await.unwrap();
        assert_eq!(found.as_ref(), Some(rules));
    }
    let [first, second, third] = versions.map(|rules| rules.version);
    let page = store.rule_versions(None, 2).await.unwrap();
    assert_eq!(page, [third, second.clone()]);
    let page = store.rule_versions(Some(second.number), 2).await.unwrap();
    assert_eq!(page, [first]);
    assert_eq!(count_events(store, AuditEventKind::RulesPublished).await, 3);
}

pub async fn publication_on_a_former_version_or_basis_changes_nothing(store: &dyn Store) {
    populate(store).await;
    let basis = store.basis().await.unwrap();
    grant(store, "robot", JEDDAH, "clerk").await;
    let outdated = publish(store, &rules(1, "outdated"), basis).await;
    assert_eq!(outdated, RulesPublication::Outdated);
    assert_eq!(store.rules_number().await.unwrap(), 0);

    let basis = store.basis().await.unwrap();
    let published = publish(store, &rules(1, "first"), basis).await;
    assert_eq!(published, RulesPublication::Published);
    let basis = store.basis().await.unwrap();
    let stale = publish(store, &rules(1, "other"), basis).await;
    assert_eq!(stale, RulesPublication::Stale);
    assert_eq!(store.rules(1).await.unwrap(), Some(rules(1, "first")));
    let unchanged = store.basis().await.unwrap();
    assert!(unchanged.same_version(basis));
    assert_eq!(count_events(store, AuditEventKind::RulesPublished).await, 1);
}

pub async fn role_sets_count_subjects_that_are_not_disabled_and_people_who_sign_in(
    store: &dyn Store,
) {
    populate(store).await;
    let before = store.role_sets().await.unwrap();
    let event = audit_event(AuditEventKind::UserCreated);
    for name in ["amal", "basma", "dana"] {
        store.add_subject(&person(name), &event).await.unwrap();
        for role in ["zeta", "alpha \"quoted\" ألف"] {
            grant(store, name, RIYADH, role).await;
        }
    }
    grant(store, "dana", JEDDAH, "zeta").await;
    // A machine user, and a person who has not set a password.
    invite(store, "hind", &["zeta", "alpha \"quoted\" ألف"]).await;
    for role in ["zeta", "alpha \"quoted\" ألف"] {
        grant(store, "robot", RIYADH, role).await;
    }
    let disabled = store.disable_subject(&subject("basma"), NOW, &event).await;
    assert!(disabled.unwrap());

    let both = ["alpha \"quoted\" ألف".to_owned(), "zeta".to_owned()];
    let riyadh = RoleSet {
        organization: id(RIYADH),
        roles: both.to_vec(),
        subjects: 4,
        sign_in: 2,
    };
    let jeddah = RoleSet {
        organization: id(JEDDAH),
        roles: vec!["zeta".to_owned()],
        subjects: 1,
        sign_in: 1,
    };
    let mut added = store.role_sets().await.unwrap();
    added.retain(|set| !before.contains(set));
    assert_eq!(added, [jeddah.clone(), riyadh.clone()]);

    let holder = |set: &RoleSet, name: &str| RoleHolder {
        subject: subject(name),
        organization: set.organization.clone(),
        roles: set.roles.clone(),
    };
    let sets = [riyadh.clone(), jeddah.clone()];
    let holders = store.role_holders(&sets, 10).await;
    let expected = [
        holder(&jeddah, "dana"),
        holder(&riyadh, "amal"),
        holder(&riyadh, "dana"),
        holder(&riyadh, "hind"),
        holder(&riyadh, "robot"),
    ];
    assert_eq!(holders.unwrap(), expected);
    let bounded = store.role_holders(&sets, 2).await.unwrap();
    assert_eq!(bounded, expected[..2]);
    assert!(store.role_holders(&[], 10).await.unwrap().is_empty());
}

pub async fn version_is_published_by_one_of_many(store: &dyn Store) {
    let basis = store.basis().await.unwrap();
    let texts: Vec<_> = (0..10).map(|number| number.to_string()).collect();
    let publications = texts.iter().map(|text| async move {
        let rules = rules(1, text);
        let outcome = publish(store, &rules, basis).await;
        (outcome == RulesPublication::Published).then_some(rules)
    });
    let published: Vec<_> = join_all(publications).await.into_iter().flatten().collect();
    let [published] = &published[..] else {
        panic!("{published:?}");
    };
    assert_eq!(store.rules(1).await.unwrap().as_ref(), Some(published));
    assert_eq!(count_events(store, AuditEventKind::RulesPublished).await, 1);
}
