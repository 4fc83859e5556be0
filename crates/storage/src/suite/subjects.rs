//! Cases of [`SubjectStore`](crate::SubjectStore) and [`ApplicationStore`](crate::ApplicationStore).

use std::time::Duration;

use super::fixtures::{
    JEDDAH, LATER, NOW, RIYADH, after_now, application, audit_event, count_events, id, machine,
    person, populate, subject,
};
use crate::Store;
use crate::applications::{Application, ClientSecret, MAX_RETIRED_SECRETS, SecretRotation};
use crate::audit::AuditEventKind;
use crate::secret::TokenHash;
use crate::subjects::Subject;

pub async fn subject_reads_back_by_id_and_by_username(store: &dyn Store) {
    populate(store).await;
    let noura = person("noura");
    let found = store.subject_by_username(&noura.username).await.unwrap();
    assert_eq!(found.as_ref(), Some(&noura));
    for name in [noura.id.as_str(), &noura.username] {
        let account = store.account(name).await.unwrap().unwrap();
        assert_eq!(
            (account.subject, account.disabled_at),
            (noura.clone(), None)
        );
    }
    let member = store
        .member(&subject("noura"), store.basis().await.unwrap())
        .await;
    let member = member.unwrap().unwrap();
    assert_eq!(member.subject, noura);
    assert_eq!(member.home.as_ref().unwrap().id, id(RIYADH));
    assert!(store.account("nobody").await.unwrap().is_none());
}

pub async fn subject_with_a_taken_id_or_username_is_not_added(store: &dyn Store) {
    populate(store).await;
    let same_id = Subject {
        username: "other".to_owned(),
        ..person("noura")
    };
    let same_username = Subject {
        id: "other".into(),
        ..person("noura")
    };
    let before = count_events(store, AuditEventKind::UserCreated).await;
    for taken in [same_id, same_username] {
        let added = store
            .add_subject(&taken, &audit_event(AuditEventKind::UserCreated))
            .await;
        assert!(!added.unwrap());
    }
    assert_eq!(
        count_events(store, AuditEventKind::UserCreated).await,
        before
    );
}

pub async fn disabled_subject_is_no_member_and_stays_an_account(store: &dyn Store) {
    populate(store).await;
    for disabled in [true, false] {
        let outcome = store
            .disable_subject(
                &subject("noura"),
                NOW,
                &audit_event(AuditEventKind::UserDisabled),
            )
            .await;
        assert_eq!(outcome.unwrap(), disabled);
    }
    assert_eq!(count_events(store, AuditEventKind::UserDisabled).await, 1);
    let basis = store.basis().await.unwrap();
    assert!(
        store
            .member(&subject("noura"), basis)
            .await
            .unwrap()
            .is_none()
    );
    let username = person("noura").username;
    assert!(
        store
            .subject_by_username(&username)
            .await
            .unwrap()
            .is_none()
    );
    let account = store.account("noura").await.unwrap().unwrap();
    assert_eq!(account.disabled_at, Some(NOW));
    for enabled in [true, false] {
        let outcome = store
            .enable_subject(&subject("noura"), &audit_event(AuditEventKind::UserEnabled))
            .await;
        assert_eq!(outcome.unwrap(), enabled);
    }
    let basis = store.basis().await.unwrap();
    let member = store
        .member(&subject("noura"), basis)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(member.subject.epoch, 2, "earlier tokens stay invalid");
}

pub async fn password_of_a_machine_user_is_not_set(store: &dyn Store) {
    populate(store).await;
    for (name, epoch) in [("robot", None), ("noura", Some(1)), ("nobody", None)] {
        let outcome = store
            .set_password(
                &subject(name),
                "new",
                true,
                &audit_event(AuditEventKind::PasswordReset),
            )
            .await;
        assert_eq!(outcome.unwrap(), epoch, "{name}");
    }
    let noura = store.account("noura").await.unwrap().unwrap().subject;
    assert_eq!(noura.password_hash.as_deref(), Some("new"));
    assert!(noura.must_change_password);
    assert_eq!(noura.epoch, 1);
    assert_eq!(count_events(store, AuditEventKind::PasswordReset).await, 1);
}

pub async fn grants_are_added_and_removed_once_each(store: &dyn Store) {
    populate(store).await;
    for added in [true, false] {
        let outcome = store
            .add_grant(
                &subject("noura"),
                &id(JEDDAH),
                "clerk",
                &audit_event(AuditEventKind::RoleGranted),
            )
            .await;
        assert_eq!(outcome.unwrap(), added);
    }
    let grants = store.grants(&subject("noura")).await.unwrap();
    assert_eq!(grants.len(), 1);
    assert_eq!(grants[0].organization, id(JEDDAH));
    assert_eq!(grants[0].domain, "jeddah.example");
    for removed in [true, false] {
        let outcome = store
            .remove_grant(
                &subject("noura"),
                &id(JEDDAH),
                "clerk",
                &audit_event(AuditEventKind::RoleRevoked),
            )
            .await;
        assert_eq!(outcome.unwrap(), removed);
    }
    assert_eq!(store.grants(&subject("noura")).await.unwrap(), []);
    assert_eq!(count_events(store, AuditEventKind::RoleGranted).await, 1);
    assert_eq!(count_events(store, AuditEventKind::RoleRevoked).await, 1);
}

pub async fn member_has_the_roles_of_the_current_version(store: &dyn Store) {
    populate(store).await;
    let before = store.basis().await.unwrap();
    let member = store
        .member(&subject("noura"), before)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(member.grants.len(), 0);
    for role in ["viewer", "clerk"] {
        let added = store
            .add_grant(
                &subject("noura"),
                &id(RIYADH),
                role,
                &audit_event(AuditEventKind::RoleGranted),
            )
            .await;
        assert!(added.unwrap());
    }
    let after = store.basis().await.unwrap();
    assert!(!after.same_version(before));
    let member = store
        .member(&subject("noura"), after)
        .await
        .unwrap()
        .unwrap();
    let roles: Vec<_> = member.grants.iter().map(|grant| &*grant.role).collect();
    assert_eq!(roles, ["clerk", "viewer"]);
}

pub async fn accounts_are_paged_by_id_within_an_organization(store: &dyn Store) {
    populate(store).await;
    let stranger = Subject {
        home_organization: JEDDAH.into(),
        ..machine("amal")
    };
    let added = store
        .add_subject(&stranger, &audit_event(AuditEventKind::UserCreated))
        .await;
    assert!(added.unwrap());
    let ids = async |home: Option<&str>, after: Option<&str>, size| {
        let (home, after) = (home.map(id), after.map(subject));
        let accounts = store
            .accounts(home.as_ref(), after.as_ref(), size)
            .await
            .unwrap();
        let ids = accounts.into_iter().map(|account| account.subject.id);
        ids.map(String::from).collect::<Vec<_>>()
    };
    assert_eq!(ids(None, None, 10).await, ["amal", "noura", "robot"]);
    assert_eq!(ids(None, None, 2).await, ["amal", "noura"]);
    assert_eq!(ids(None, Some("noura"), 2).await, ["robot"]);
    assert_eq!(ids(Some(JEDDAH), None, 10).await, ["amal"]);
}

pub async fn application_is_updated_without_its_secret(store: &dyn Store) {
    populate(store).await;
    let changed = Application {
        name: "another name".to_owned(),
        secret: Some(ClientSecret::new(TokenHash::of("another secret"))),
        ..application("app")
    };
    let event = audit_event(AuditEventKind::ApplicationChanged);
    store.put_application(&changed, &event).await.unwrap();
    let basis = store.basis().await.unwrap();
    let found = store
        .application(&"app".into(), basis)
        .await
        .unwrap()
        .unwrap();
    let expected = Application {
        name: changed.name,
        ..application("app")
    };
    let secret = found.secret.clone().unwrap();
    assert!(secret.accepts(&TokenHash::of("a secret"), NOW));
    assert_eq!(
        Application {
            secret: None,
            ..(*found).clone()
        },
        Application {
            secret: None,
            ..expected
        }
    );
    assert!(
        store
            .application(&"none".into(), basis)
            .await
            .unwrap()
            .is_none()
    );
    assert_eq!(store.applications().await.unwrap().len(), 1);
}

pub async fn rotated_secret_overlaps_with_the_one_before(store: &dyn Store) {
    populate(store).await;
    let public = Application {
        secret: None,
        ..application("public")
    };
    let event = audit_event(AuditEventKind::ApplicationRegistered);
    store.put_application(&public, &event).await.unwrap();
    let new = TokenHash::of("a new secret");
    for (client_id, rotation) in [
        ("app", SecretRotation::Rotated),
        ("public", SecretRotation::NoSecret),
        ("none", SecretRotation::NoSecret),
    ] {
        let event = audit_event(AuditEventKind::ClientSecretRotated);
        let outcome = store
            .rotate_client_secret(&client_id.into(), &new, NOW, LATER, &event)
            .await;
        assert_eq!(outcome.unwrap(), rotation, "{client_id}");
    }
    assert_eq!(
        count_events(store, AuditEventKind::ClientSecretRotated).await,
        1
    );
    let basis = store.basis().await.unwrap();
    let found = store
        .application(&"app".into(), basis)
        .await
        .unwrap()
        .unwrap();
    let secret = found.secret.clone().unwrap();
    assert!(secret.accepts(&new, LATER));
    assert!(secret.accepts(
        &TokenHash::of("a secret"),
        LATER.minus(Duration::from_millis(1))
    ));
    assert!(!secret.accepts(&TokenHash::of("a secret"), LATER));
    let ends: Vec<_> = secret.retired.iter().map(|retired| retired.until).collect();
    assert_eq!(ends, [LATER]);
}

pub async fn retired_secrets_keep_their_own_ends_and_are_bounded(store: &dyn Store) {
    populate(store).await;
    let rotate = async |secret: &str, now, until| {
        let event = audit_event(AuditEventKind::ClientSecretRotated);
        let hash = TokenHash::of(secret);
        let rotated = store
            .rotate_client_secret(&"app".into(), &hash, now, until, &event)
            .await;
        rotated.unwrap()
    };
    let accepted = async |secret: &str, now| {
        let basis = store.basis().await.unwrap();
        let found = store.application(&"app".into(), basis).await.unwrap();
        let found = found.unwrap().secret.clone().unwrap();
        found.accepts(&TokenHash::of(secret), now)
    };
    // The first secret ends last: a later rotation with a shorter overlap does not change it.
    let last = after_now(1_000);
    assert_eq!(rotate("1", NOW, last).await, SecretRotation::Rotated);
    let names: Vec<_> = (1..=MAX_RETIRED_SECRETS)
        .map(|each| each.to_string())
        .collect();
    for (at, name) in (1..).zip(&names[1..]) {
        let outcome = rotate(name, NOW, after_now(at)).await;
        assert_eq!(outcome, SecretRotation::Rotated);
    }
    assert!(accepted("a secret", after_now(999)).await && !accepted("a secret", last).await);
    assert!(accepted("1", NOW).await && !accepted("1", after_now(1)).await);
    assert!(accepted("2", after_now(1)).await && !accepted("2", after_now(2)).await);

    let full = rotate("one too many", NOW, last).await;
    assert_eq!(full, SecretRotation::TooManyRetired);
    assert!(!accepted("one too many", NOW).await);
    // Those that have ended do not count.
    assert_eq!(
        rotate("next", after_now(1), last).await,
        SecretRotation::Rotated
    );
    assert!(accepted("a secret", after_now(1)).await && accepted("next", last).await);
    // A secret that leaked: nothing before the new one is accepted.
    assert_eq!(
        rotate("new", after_now(1), after_now(1)).await,
        SecretRotation::Rotated
    );
    for secret in ["a secret", "1", "2", "3", "next"] {
        assert!(!accepted(secret, NOW).await, "{secret}");
    }
    assert!(accepted("new", last).await);
}
