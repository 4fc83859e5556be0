//! Cases of the limit of the people of an organization, with several handles of one database.

use std::slice;

use futures_util::future::join_all;
use invoicing_contract::SubjectId;

use super::fixtures::{
    JEDDAH, LATER, NOW, RIYADH, audit_event, count_events, id, person, populate, subject,
};
use crate::Store;
use crate::audit::AuditEventKind;
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
    let granted = store.grant_role(&organization, id_of, "viewer", Some(limit), &event);
    granted.await.unwrap()
}

async fn enable(store: &dyn Store, id_of: &SubjectId, limit: i64) -> Addition {
    let event = audit_event(AuditEventKind::UserEnabled);
    let riyadh = id(RIYADH);
    let enabled = store.enable_user(&riyadh, id_of, Some(limit), &event);
    enabled.await.unwrap()
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

    let event = audit_event(AuditEventKind::UserDisabled);
    let disabled = store.disable_subject(&noura, NOW, &event).await;
    assert!(disabled.unwrap());
    assert_eq!(enable(store, &noura, 2).await, Addition::UserLimit);
    assert_eq!(count(store, RIYADH).await, 2);
    assert_eq!(enable(store, &noura, 3).await, Addition::Done);
    assert_eq!(enable(store, &noura, 3).await, Addition::Present);
    assert_eq!(count(store, RIYADH).await, 3);
}
