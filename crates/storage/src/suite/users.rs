//! Cases of [`UserStore`](crate::UserStore).

use std::slice;

use super::fixtures::{
    JEDDAH, LATER, NOW, RIYADH, audit_event, count_events, id, person, populate, subject,
};
use super::provisioning::robot;
use super::right_holders::evaluation;
use crate::Store;
use crate::audit::AuditEventKind;
use crate::provisioning::Machine;
use crate::secret::{PasswordHash, TokenHash};
use crate::subjects::Subject;
use crate::users::{
    CodePurpose, NewUserOutcome, PasswordCode, Removal, User, UserFilter, UserState,
};

/// The filter of all people.
fn people() -> UserFilter {
    UserFilter {
        machines: false,
        text: String::new(),
        role: None,
        state: None,
    }
}

fn code(text: &str) -> PasswordCode {
    PasswordCode {
        hash: TokenHash::of(text),
        created_at: NOW,
        expires_at: LATER,
    }
}

/// Adds a person of [`RIYADH`] with a code of that name and these roles.
pub(super) async fn invite(store: &dyn Store, name: &str, roles: &[&str]) {
    let invited = Subject {
        id: subject(name),
        ..person(name)
    };
    let roles: Vec<_> = roles.iter().map(|role| (*role).to_owned()).collect();
    let event = audit_event(AuditEventKind::UserInvited);
    let outcome = store
        .invite_user(&invited, &roles, &code(name), None, slice::from_ref(&event))
        .await;
    assert_eq!(outcome.unwrap(), NewUserOutcome::Added);
}

/// Redeems the code of [`invite`]. Returns whether it was accepted.
pub(super) async fn redeem(store: &dyn Store, name: &str, code: &str) -> bool {
    let event = audit_event(AuditEventKind::PasswordChanged);
    let (id, hash) = (subject(name), TokenHash::of(code));
    let redeemed = store
        .redeem_password_code(&id, &hash, &PasswordHash::new("chosen"), NOW, &event)
        .await;
    redeemed.unwrap()
}

async fn user(store: &dyn Store, organization: &str, name: &str) -> Option<User> {
    let found = store.user(&id(organization), &subject(name)).await;
    found.unwrap()
}

async fn listed(store: &dyn Store, organization: &str, filter: &UserFilter) -> Vec<String> {
    let users = store.users(&id(organization), filter, None, 100).await;
    let users = users.unwrap().into_iter();
    users
        .map(|user| user.account.subject.id.into_string())
        .collect()
}

pub async fn invited_person_sets_a_password_once(store: &dyn Store) {
    populate(store).await;
    invite(store, "amal", &["clerk", "viewer"]).await;
    let invited = user(store, RIYADH, "amal").await.unwrap();
    assert_eq!(invited.roles, ["clerk", "viewer"]);
    assert_eq!(invited.code, Some((CodePurpose::Invitation, LATER)));
    assert_eq!(invited.state(), UserState::Invited);
    let found = store.password_code(&person("amal").username).await;
    let found = found.unwrap().unwrap();
    assert_eq!(
        (found.subject.id, found.code),
        (subject("amal"), code("amal"))
    );

    assert!(!redeem(store, "amal", "another").await);
    assert!(!redeem(store, "noura", "amal").await);
    assert!(redeem(store, "amal", "amal").await);
    assert!(!redeem(store, "amal", "amal").await, "it is used");
    let active = user(store, RIYADH, "amal").await.unwrap();
    assert_eq!((active.state(), &active.code), (UserState::Active, &None));
    let stored = active.account.subject;
    assert_eq!(stored.password_hash, Some(PasswordHash::new("chosen")));
    assert_eq!((stored.epoch, stored.must_change_password), (1, false));
    assert_eq!(count_events(store, AuditEventKind::UserInvited).await, 1);
    assert_eq!(
        count_events(store, AuditEventKind::PasswordChanged).await,
        1
    );
}

pub async fn code_ends_with_its_time_and_with_every_change_of_the_account(store: &dyn Store) {
    populate(store).await;
    let event = audit_event(AuditEventKind::PasswordReset);
    let noura = subject("noura");
    let issue = async |text: &str| {
        let code = code(text);
        let issued = store
            .issue_password_code(&noura, None, &PasswordHash::new("unusable"), &code, &event)
            .await;
        assert!(issued.unwrap());
    };
    issue("first").await;
    let reset = user(store, RIYADH, "noura").await.unwrap();
    assert_eq!(reset.state(), UserState::PasswordReset);
    assert_eq!(
        reset.account.subject.epoch, 1,
        "everything issued before has ended"
    );
    issue("second").await;
    assert!(!redeem(store, "noura", "first").await, "it is replaced");
    let second = TokenHash::of("second");
    let late = store
        .redeem_password_code(&noura, &second, &PasswordHash::new("chosen"), LATER, &event)
        .await;
    assert!(!late.unwrap(), "it has expired");
    store.end_sessions(&noura, &event).await.unwrap();
    assert!(
        !redeem(store, "noura", "second").await,
        "the epoch has changed"
    );
    let username = person("noura").username;
    assert!(store.password_code(&username).await.unwrap().is_none());

    issue("third").await;
    store.disable_subject(&noura, NOW, &event).await.unwrap();
    assert!(!redeem(store, "noura", "third").await, "disabled");
    assert!(store.password_code(&username).await.unwrap().is_none());
    store.enable_subject(&noura, &event).await.unwrap();
    issue("fourth").await;
    store
        .set_password(&noura, None, &PasswordHash::new("set"), true, &event)
        .await
        .unwrap();
    assert!(
        !redeem(store, "noura", "fourth").await,
        "there is a password"
    );
    let active = user(store, RIYADH, "noura").await.unwrap();
    assert_eq!(active.state(), UserState::Active);

    let robot = subject("robot");
    let machine = store
        .issue_password_code(
            &robot,
            None,
            &PasswordHash::new("unusable"),
            &code("robot"),
            &event,
        )
        .await;
    assert!(!machine.unwrap(), "a machine user has no password");
}

pub async fn user_with_a_taken_id_or_username_is_not_invited(store: &dyn Store) {
    populate(store).await;
    let event = audit_event(AuditEventKind::UserInvited);
    let other = Subject {
        id: "other".into(),
        ..person("noura")
    };
    for (taken, expected) in [
        (person("noura"), NewUserOutcome::IdTaken),
        (other, NewUserOutcome::UsernameTaken),
    ] {
        let roles = ["clerk".to_owned()];
        let invited = store
            .invite_user(&taken, &roles, &code("code"), None, slice::from_ref(&event))
            .await;
        assert_eq!(invited.unwrap(), expected);
    }
    assert_eq!(count_events(store, AuditEventKind::UserInvited).await, 0);
    let noura = user(store, RIYADH, "noura").await.unwrap();
    assert_eq!((noura.roles.len(), noura.code), (0, None));
    for expected in [NewUserOutcome::Added, NewUserOutcome::IdTaken] {
        let added = store
            .add_machine(&robot("second"), slice::from_ref(&event))
            .await;
        assert_eq!(added.unwrap(), expected);
    }
    let of_another = Machine {
        application: robot("second").application,
        ..robot("third")
    };
    let added = store.add_machine(&of_another, slice::from_ref(&event));
    assert_eq!(added.await.unwrap(), NewUserOutcome::IdTaken);
    let third = user(store, RIYADH, "third").await;
    assert!(third.is_none(), "it could not sign in");
}

pub async fn users_of_an_organization_are_listed_by_username(store: &dyn Store) {
    populate(store).await;
    invite(store, "amal", &["clerk"]).await;
    invite(store, "badr", &["viewer"]).await;
    let event = audit_event(AuditEventKind::RoleGranted);
    for name in ["noura", "robot"] {
        let granted = store
            .add_grant(&subject(name), &id(JEDDAH), "accountant", &event)
            .await;
        assert!(granted.unwrap());
    }
    assert!(redeem(store, "badr", "badr").await);
    assert_eq!(
        listed(store, RIYADH, &people()).await,
        ["amal", "badr", "noura"]
    );
    assert_eq!(listed(store, JEDDAH, &people()).await, ["noura"], "a guest");
    let guest = user(store, JEDDAH, "noura").await.unwrap();
    assert_eq!(guest.roles, ["accountant"]);
    assert!(user(store, JEDDAH, "amal").await.is_none());
    assert!(
        user(store, JEDDAH, "robot").await.is_none(),
        "machine users are no guests"
    );

    let machines = UserFilter {
        machines: true,
        ..people()
    };
    assert_eq!(listed(store, RIYADH, &machines).await, ["robot"]);
    assert_eq!(listed(store, JEDDAH, &machines).await, [""; 0]);
    let text = |text: &str| UserFilter {
        text: text.to_owned(),
        ..people()
    };
    assert_eq!(listed(store, RIYADH, &text("AMAL")).await, ["amal"]);
    assert_eq!(listed(store, RIYADH, &text("%")).await, [""; 0]);
    let role = |role: &str| UserFilter {
        role: Some(role.to_owned()),
        ..people()
    };
    assert_eq!(listed(store, RIYADH, &role("clerk")).await, ["amal"]);
    assert_eq!(
        listed(store, RIYADH, &role("accountant")).await,
        [""; 0],
        "a role elsewhere"
    );
    let state = |state| UserFilter {
        state: Some(state),
        ..people()
    };
    assert_eq!(
        listed(store, RIYADH, &state(UserState::Invited)).await,
        ["amal"]
    );
    assert_eq!(
        listed(store, RIYADH, &state(UserState::Active)).await,
        ["badr", "noura"]
    );
    assert_eq!(
        listed(store, RIYADH, &state(UserState::Disabled)).await,
        [""; 0]
    );

    let first = store.users(&id(RIYADH), &people(), None, 2).await.unwrap();
    let last = first.last().unwrap().account.subject.username.clone();
    let rest = store.users(&id(RIYADH), &people(), Some(&last), 2).await;
    assert_eq!(rest.unwrap().len(), 1);
}

pub async fn last_administrator_keeps_the_role_and_is_not_disabled(store: &dyn Store) {
    populate(store).await;
    let event = audit_event(AuditEventKind::RoleRevoked);
    let riyadh = id(RIYADH);
    let revoke = async |name: &str, role: &str| {
        let revoked = store
            .revoke_role(&riyadh, &subject(name), role, &evaluation(0), &event)
            .await;
        revoked.unwrap()
    };
    let disable = async |name: &str| {
        let disabled = store
            .disable_user(&riyadh, &subject(name), NOW, &evaluation(0), &event)
            .await;
        disabled.unwrap()
    };
    for name in ["noura", "robot"] {
        let granted = store
            .add_grant(&subject(name), &riyadh, "administrator", &event)
            .await;
        assert!(granted.unwrap());
    }
    invite(store, "amal", &["administrator", "clerk"]).await;
    // Neither a machine user nor somebody without a password can take over.
    assert_eq!(
        revoke("noura", "administrator").await,
        Removal::LastAdministrator
    );
    assert_eq!(disable("noura").await, Removal::LastAdministrator);
    // Of the two grants.
    assert_eq!(count_events(store, AuditEventKind::RoleRevoked).await, 2);

    assert!(redeem(store, "amal", "amal").await);
    assert_eq!(revoke("noura", "administrator").await, Removal::Done);
    assert_eq!(revoke("noura", "administrator").await, Removal::Absent);
    assert_eq!(disable("amal").await, Removal::LastAdministrator);
    assert_eq!(revoke("amal", "clerk").await, Removal::Done);
    assert_eq!(revoke("robot", "administrator").await, Removal::Done);
    assert_eq!(disable("noura").await, Removal::Done);
    assert_eq!(disable("noura").await, Removal::Absent);
    let elsewhere = store
        .disable_user(&id(JEDDAH), &subject("amal"), NOW, &evaluation(0), &event)
        .await;
    assert_eq!(
        elsewhere.unwrap(),
        Removal::Absent,
        "of another organization"
    );
    let disabled = user(store, RIYADH, "noura").await.unwrap();
    assert_eq!(disabled.account.subject.epoch, 1);
}

pub async fn roles_of_sign_in_are_those_of_people_who_can_sign_in(store: &dyn Store) {
    populate(store).await;
    let event = audit_event(AuditEventKind::RoleGranted);
    for (name, organization, role) in [
        ("noura", RIYADH, "viewer"),
        ("noura", RIYADH, "clerk"),
        ("noura", JEDDAH, "accountant"),
        ("robot", RIYADH, "clerk"),
    ] {
        let (name, organization) = (subject(name), id(organization));
        let granted = store.add_grant(&name, &organization, role, &event).await;
        assert!(granted.unwrap());
    }
    invite(store, "amal", &["administrator"]).await;
    let roles = async |organization: &str| {
        let mut roles = store.roles_of_sign_in(&id(organization)).await.unwrap();
        roles.sort();
        roles
    };
    // Neither a machine user nor somebody without a password signs in.
    assert_eq!(roles(RIYADH).await, [["clerk", "viewer"]]);
    assert_eq!(roles(JEDDAH).await, [["accountant"]]);
    assert!(redeem(store, "amal", "amal").await);
    let both = [vec!["administrator"], vec!["clerk", "viewer"]];
    assert_eq!(roles(RIYADH).await, both);
    let noura = subject("noura");
    store.disable_subject(&noura, NOW, &event).await.unwrap();
    assert_eq!(roles(RIYADH).await, [["administrator"]]);
    assert!(roles(JEDDAH).await.is_empty());
}
