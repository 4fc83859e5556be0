//! Cases of the limit of the people of an organization, with several handles of one database.

use std::slice;

use futures_util::future::{join, join_all};
use invoicing_contract::SubjectId;

use super::fixtures::{
    JEDDAH, LATER, NOW, RIYADH, audit_event, count_events, id, organization, person, populate,
    stored_tenant, subject, tenant,
};
use super::plans::{self, plan};
use super::right_holders::evaluation;
use crate::Store;
use crate::audit::AuditEventKind;
use crate::directory::Tenant;
use crate::plans::{Limits, Plan};
use crate::secret::TokenHash;
use crate::subjects::Subject;
use crate::users::{Addition, NewUserOutcome, PasswordCode};

/// Handles that a case gets.
pub const HANDLES: usize = 2;

async fn invite(store: &dyn Store, name: &str, limit: i64) -> NewUserOutcome {
    let invited = Subject {
        id: subject(name),
        ..person(name)
    };
    let code = PasswordCode {
        hash: TokenHash::of(name),
        created_at: NOW,
        expires_at: LATER,
    };
    let event = audit_event(AuditEventKind::UserInvited);
    let roles = ["clerk".to_owned()];
    let events = slice::from_ref(&event);
    let invited = store.invite_user(&invited, &roles, &code, Some(limit), events);
    invited.await.unwrap()
}

async fn grant(store: &dyn Store, organization: &str, id_of: &SubjectId, limit: i64) -> Addition {
    let event = audit_event(AuditEventKind::RoleGranted);
    let organization = id(organization);
    let evaluation = evaluation(0);
    let granted = store.grant_role(
        &organization,
        id_of,
        "viewer",
        Some(limit),
        &evaluation,
        &event,
    );
    granted.await.unwrap()
}

async fn enable(store: &dyn Store, id_of: &SubjectId) -> Addition {
    let event = audit_event(AuditEventKind::UserEnabled);
    let enabled = store.enable_user(&id(RIYADH), id_of, &event).await;
    enabled.unwrap()
}

async fn disable(store: &dyn Store, id_of: &SubjectId) {
    let event = audit_event(AuditEventKind::UserDisabled);
    let disabled = store.disable_subject(id_of, NOW, &event).await;
    assert!(disabled.unwrap());
}

/// Gives a tenant a limit of its own.
async fn limit(store: &dyn Store, organization: &str, users: Option<i64>) {
    let limits = Limits {
        users,
        ..Limits::default()
    };
    let event = audit_event(AuditEventKind::TenantChanged);
    let before = stored_tenant(store, organization).await.unwrap().own_limits;
    let id = id(organization);
    let set = store.set_limits(&id, &before, &limits, &event).await;
    assert!(set.unwrap());
}

async fn add_tenants(store: &dyn Store) {
    for name in [RIYADH, JEDDAH] {
        let tenant = Tenant {
            own_limits: Limits::default(),
            ..tenant(organization(name))
        };
        store.add_tenant(&tenant).await.unwrap();
    }
}

/// A person with a role in both organizations, which are tenants.
async fn guest_of_jeddah(store: &dyn Store) -> SubjectId {
    populate(store).await;
    add_tenants(store).await;
    let noura = subject("noura");
    assert_eq!(grant(store, JEDDAH, &noura, 1).await, Addition::Done);
    noura
}

async fn count(store: &dyn Store, organization: &str) -> i64 {
    store.count_users(&id(organization)).await.unwrap()
}

pub async fn people_together_do_not_exceed_the_limit(stores: &[&dyn Store]) {
    let store = stores[0];
    populate(store).await;
    assert_eq!(count(store, RIYADH).await, 1, "noura, without the robot");
    let names = ["amal", "badr", "dana", "fahd", "huda", "jamal"];
    let invitations = stores.iter().cycle().zip(names);
    let invitations = invitations.map(async |(store, name)| invite(*store, name, 3).await);
    let outcomes = join_all(invitations).await;
    let added = outcomes
        .iter()
        .filter(|outcome| **outcome == NewUserOutcome::Added);
    assert_eq!(added.count(), 2, "{outcomes:?}");
    assert!(outcomes.contains(&NewUserOutcome::UserLimit));
    assert_eq!(count(store, RIYADH).await, 3);
    assert_eq!(count_events(store, AuditEventKind::UserInvited).await, 2);

    let noura = subject("noura");
    assert_eq!(
        grant(store, RIYADH, &noura, 1).await,
        Addition::Done,
        "is counted already"
    );
    assert_eq!(grant(store, RIYADH, &noura, 1).await, Addition::Present);
    assert_eq!(grant(store, JEDDAH, &noura, 0).await, Addition::UserLimit);
    assert_eq!(count(store, JEDDAH).await, 0);
    assert_eq!(grant(store, JEDDAH, &noura, 1).await, Addition::Done);

    disable(store, &noura).await;
    let granted = grant(store, JEDDAH, &subject("robot"), 0).await;
    assert_eq!(granted, Addition::Done, "a machine user is not counted");
    assert_eq!(count(store, JEDDAH).await, 0);
}

pub async fn person_is_enabled_within_the_limit_of_each_organization(stores: &[&dyn Store]) {
    let store = stores[0];
    let noura = guest_of_jeddah(store).await;
    disable(store, &noura).await;
    limit(store, RIYADH, Some(0)).await;
    assert_eq!(enable(store, &noura).await, Addition::UserLimit);
    limit(store, RIYADH, None).await;
    limit(store, JEDDAH, Some(0)).await;
    assert_eq!(enable(store, &noura).await, Addition::UserLimitElsewhere);
    assert_eq!(count_events(store, AuditEventKind::UserEnabled).await, 0);
    assert_eq!(enable(store, &subject("robot")).await, Addition::Present);

    limit(store, JEDDAH, Some(1)).await;
    assert_eq!(enable(store, &noura).await, Addition::Done);
    assert_eq!(enable(store, &noura).await, Addition::Present);
    assert_eq!(count(store, JEDDAH).await, 1);
    disable(store, &noura).await;
    let one = Plan {
        limits: Limits {
            users: Some(0),
            ..Limits::default()
        },
        ..plan("one")
    };
    plans::add(store, &one).await;
    let event = audit_event(AuditEventKind::PlanAssigned);
    let jeddah = id(JEDDAH);
    let assigned = store.assign_plan(&jeddah, None, Some(&one.id), &event);
    assigned.await.unwrap();
    assert_eq!(enable(store, &noura).await, Addition::Done, "its own limit");
    disable(store, &noura).await;
    limit(store, JEDDAH, None).await;
    assert_eq!(
        enable(store, &noura).await,
        Addition::UserLimitElsewhere,
        "that of its plan"
    );
}

pub async fn person_who_is_enabled_and_gets_a_role_meanwhile_is_within_its_limit(
    stores: &[&dyn Store],
) {
    let store = stores[0];
    populate(store).await;
    add_tenants(store).await;
    limit(store, JEDDAH, Some(0)).await;
    let noura = subject("noura");
    disable(store, &noura).await;
    let (enabled, granted) = join(
        enable(stores[0], &noura),
        grant(stores[1], JEDDAH, &noura, 0),
    )
    .await;
    let expected = [
        (Addition::Done, Addition::UserLimit),
        (Addition::UserLimitElsewhere, Addition::Done),
    ];
    assert!(
        expected.contains(&(enabled, granted)),
        "{enabled:?} {granted:?}"
    );
    assert_eq!(count(store, JEDDAH).await, 0);
}
