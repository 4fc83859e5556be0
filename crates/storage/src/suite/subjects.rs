//! Cases of [`SubjectStore`](crate::SubjectStore).

use futures_util::future::join_all;

use super::fixtures::{
    JEDDAH, NOW, RIYADH, audit_event, count_events, id, machine, person, populate, subject,
};
use crate::Store;
use crate::audit::AuditEventKind;
use crate::secret::PasswordHash;
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

pub async fn username_is_taken_by_one_of_many(store: &dyn Store) {
    populate(store).await;
    let before = count_events(store, AuditEventKind::UserCreated).await;
    let subjects: Vec<_> = (0..20)
        .map(|number| Subject {
            id: subject(&number.to_string()),
            ..person("amal")
        })
        .collect();
    let event = audit_event(AuditEventKind::UserCreated);
    let added = subjects
        .iter()
        .map(|subject| store.add_subject(subject, &event));
    let added = join_all(added).await;
    let added = added.into_iter().filter(|added| *added.as_ref().unwrap());
    assert_eq!(added.count(), 1);
    assert_eq!(store.accounts(None, None, 100).await.unwrap().len(), 3);
    let after = count_events(store, AuditEventKind::UserCreated).await;
    assert_eq!(after - before, 1);
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
    let ids = ["noura", "robot", "nobody", &*person("robot").username].map(subject);
    let found = store.accounts_with_ids(&ids.into()).await.unwrap();
    let found = found
        .into_iter()
        .map(|found| (found.subject, found.disabled_at));
    let noura = account.subject;
    assert_eq!(
        found.collect::<Vec<_>>(),
        [(noura, Some(NOW)), (machine("robot"), None)]
    );
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
                None,
                &PasswordHash::new("new"),
                true,
                &audit_event(AuditEventKind::PasswordReset),
            )
            .await;
        assert_eq!(outcome.unwrap(), epoch, "{name}");
    }
    let noura = store.account("noura").await.unwrap().unwrap().subject;
    assert_eq!(noura.password_hash, Some(PasswordHash::new("new")));
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

pub async fn grant_is_added_and_removed_by_one_of_many(store: &dyn Store) {
    populate(store).await;
    let (noura, jeddah) = (subject("noura"), id(JEDDAH));
    let event = audit_event(AuditEventKind::RoleGranted);
    let added = (0..20).map(|_| store.add_grant(&noura, &jeddah, "clerk", &event));
    let added = join_all(added).await;
    let added = added.into_iter().filter(|added| *added.as_ref().unwrap());
    assert_eq!(added.count(), 1);
    assert_eq!(count_events(store, AuditEventKind::RoleGranted).await, 1);

    let event = audit_event(AuditEventKind::RoleRevoked);
    let removed = (0..20).map(|_| store.remove_grant(&noura, &jeddah, "clerk", &event));
    let removed = join_all(removed).await;
    let removed = removed.into_iter().filter(|won| *won.as_ref().unwrap());
    assert_eq!(removed.count(), 1);
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
