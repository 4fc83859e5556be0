//! Cases of those who administer an organization or manage the rules, with several handles of one database (decision 0116).

use std::sync::Arc;

use futures_util::future::{join, join_all};

use super::fixtures::{
    JEDDAH, NOW, RIYADH, audit_event, count_events, id, person, populate, subject,
};
use super::rules::{publish, rules};
use crate::Store;
use crate::audit::AuditEventKind;
use crate::rules::RulesPublication;
use crate::subjects::Subject;
use crate::users::{Addition, Removal, RuleEvaluation};

/// Handles that a case gets.
pub const HANDLES: usize = 4;

/// Who has the role `administrator` administers, and who has the role `operator` manages the rules, unless the role `guest` forbids
/// it.
pub(super) fn evaluation(version: i64) -> RuleEvaluation {
    evaluation_of(version, "administrator")
}

/// The same with another role of administrators.
fn evaluation_of(version: i64, administrator: &'static str) -> RuleEvaluation {
    let gives = |expected: &'static str| {
        move |roles: &[String]| {
            let has = |wanted: &str| roles.iter().any(|role| role == wanted);
            has(expected) && !has("guest")
        }
    };
    RuleEvaluation {
        version,
        administers: Arc::new(gives(administrator)),
        manages_rules: Arc::new(gives("operator")),
    }
}

/// Adds people of [`RIYADH`] who manage the rules in the operator organization [`JEDDAH`].
async fn add_operators(store: &dyn Store, names: &[&str]) {
    populate(store).await;
    let event = audit_event(AuditEventKind::RoleGranted);
    store.name_operator(&id(JEDDAH), &event).await.unwrap();
    for name in names {
        let operator = Subject {
            id: subject(name),
            ..person(name)
        };
        store.add_subject(&operator, &event).await.unwrap();
        let granted = store
            .add_grant(&subject(name), &id(JEDDAH), "operator", &event)
            .await;
        assert!(granted.unwrap());
    }
}

async fn revoke(store: &dyn Store, name: &str, version: i64) -> Removal {
    let event = audit_event(AuditEventKind::RoleRevoked);
    let (jeddah, id) = (id(JEDDAH), subject(name));
    let evaluation = evaluation(version);
    let revoked = store.revoke_role(&jeddah, &id, "operator", &evaluation, &event);
    revoked.await.unwrap()
}

async fn disable(store: &dyn Store, name: &str) -> Removal {
    let event = audit_event(AuditEventKind::UserDisabled);
    let (riyadh, id) = (id(RIYADH), subject(name));
    let evaluation = evaluation(0);
    let disabled = store.disable_user(&riyadh, &id, NOW, &evaluation, &event);
    disabled.await.unwrap()
}

async fn grant(store: &dyn Store, organization: &str, name: &str, role: &str) -> Addition {
    let event = audit_event(AuditEventKind::RoleGranted);
    let (organization, id) = (id(organization), subject(name));
    let evaluation = evaluation(0);
    let granted = store.grant_role(&organization, &id, role, None, &evaluation, &event);
    granted.await.unwrap()
}

pub async fn last_who_manages_the_rules_keeps_what_is_needed_for_it(stores: &[&dyn Store]) {
    let store = stores[0];
    add_operators(store, &["amal", "badr"]).await;
    assert_eq!(revoke(store, "amal", 0).await, Removal::Done);
    assert_eq!(revoke(store, "badr", 0).await, Removal::LastRuleManager);
    assert_eq!(disable(store, "badr").await, Removal::LastRuleManager);
    let forbidden = grant(store, JEDDAH, "badr", "guest").await;
    assert_eq!(forbidden, Addition::LastRuleManager);
    assert_eq!(count_events(store, AuditEventKind::RoleRevoked).await, 1);
    assert_eq!(count_events(store, AuditEventKind::UserDisabled).await, 0);
    let kept = store.grants(&subject("badr")).await.unwrap();
    assert_eq!(kept.len(), 1, "{kept:?}");
    // Neither a machine user nor a role elsewhere manages rules.
    assert_eq!(
        grant(store, RIYADH, "amal", "operator").await,
        Addition::Done
    );
    assert_eq!(
        grant(store, JEDDAH, "robot", "operator").await,
        Addition::Done
    );
    assert_eq!(disable(store, "badr").await, Removal::LastRuleManager);
    assert_eq!(revoke(store, "robot", 0).await, Removal::Done);
    assert_eq!(grant(store, RIYADH, "badr", "guest").await, Addition::Done);

    assert_eq!(
        grant(store, JEDDAH, "noura", "operator").await,
        Addition::Done
    );
    assert_eq!(disable(store, "badr").await, Removal::Done);
    assert_eq!(revoke(store, "noura", 0).await, Removal::LastRuleManager);
}

pub async fn last_administrator_is_who_the_rules_make_one(stores: &[&dyn Store]) {
    let store = stores[0];
    populate(store).await;
    let event = audit_event(AuditEventKind::RoleRevoked);
    let (riyadh, noura) = (id(RIYADH), subject("noura"));
    for role in ["administrator", "owner"] {
        assert_eq!(grant(store, RIYADH, "noura", role).await, Addition::Done);
    }
    let owners = evaluation_of(0, "owner");
    let revoke = async |role: &str| {
        let revoked = store.revoke_role(&riyadh, &noura, role, &owners, &event);
        revoked.await.unwrap()
    };
    assert_eq!(revoke("owner").await, Removal::LastAdministrator);
    let disabled = store.disable_user(&riyadh, &noura, NOW, &owners, &event);
    assert_eq!(disabled.await.unwrap(), Removal::LastAdministrator);
    let forbidding = store.grant_role(&riyadh, &noura, "guest", None, &owners, &event);
    assert_eq!(forbidding.await.unwrap(), Addition::LastAdministrator);
    assert_eq!(revoke("administrator").await, Removal::Done, "a name");

    let badr = Subject {
        id: subject("badr"),
        ..person("badr")
    };
    store.add_subject(&badr, &event).await.unwrap();
    assert_eq!(grant(store, RIYADH, "badr", "owner").await, Addition::Done);
    let outdated = evaluation_of(1, "owner");
    let revoked = store.revoke_role(&riyadh, &noura, "owner", &outdated, &event);
    assert_eq!(revoked.await.unwrap(), Removal::Outdated, "other rules");
    assert_eq!(revoke("owner").await, Removal::Done);
}

pub async fn rule_managers_who_remove_one_another_leave_one(stores: &[&dyn Store]) {
    let names = ["a", "b", "c", "d", "e", "f", "g", "h"];
    add_operators(stores[0], &names).await;
    let callers = stores.iter().cycle().zip(names).enumerate();
    let removed = callers.map(async |(index, (store, name))| match index % 3 {
        0 => revoke(*store, name, 0).await == Removal::Done,
        1 => disable(*store, name).await == Removal::Done,
        _ => grant(*store, JEDDAH, name, "guest").await == Addition::Done,
    });
    let removed = join_all(removed).await;
    let kept = removed.iter().filter(|removed| !**removed);
    assert_eq!(kept.count(), 1, "{removed:?}");
}

pub async fn role_is_not_revoked_by_rules_of_before(stores: &[&dyn Store]) {
    let store = stores[0];
    add_operators(store, &["amal", "badr"]).await;
    let basis = store.basis().await.unwrap();
    let first = rules(1, "first");
    let (published, revoked) = join(
        publish(stores[1], &first, basis),
        revoke(stores[2], "amal", 0),
    )
    .await;
    let expected = [
        (RulesPublication::Published, Removal::Outdated),
        (RulesPublication::Outdated, Removal::Done),
    ];
    assert!(
        expected.contains(&(published, revoked)),
        "{published:?} {revoked:?}"
    );
    if published == RulesPublication::Outdated {
        let basis = store.basis().await.unwrap();
        let published = publish(store, &first, basis).await;
        assert_eq!(published, RulesPublication::Published);
        let event = audit_event(AuditEventKind::RoleGranted);
        let again = store
            .add_grant(&subject("amal"), &id(JEDDAH), "operator", &event)
            .await;
        assert!(again.unwrap());
    }
    assert_eq!(revoke(store, "amal", 0).await, Removal::Outdated);
    assert_eq!(revoke(store, "amal", 1).await, Removal::Done);
}
