//! Cases of [`ApplicationStore`](crate::ApplicationStore).

use std::time::Duration;

use futures_util::future::join_all;
use invoicing_contract::ready::ApplicationKind;
use invoicing_contract::{ClientId, OrganizationId};

use super::fixtures::{
    JEDDAH, LATER, NOW, RIYADH, after_now, application, audit_event, count_events, populate,
};
use crate::Store;
use crate::applications::{
    Application, ApplicationFilter, ClientSecret, MAX_RETIRED_SECRETS, SecretRotation,
};
use crate::audit::AuditEventKind;
use crate::secret::TokenHash;

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

pub async fn application_with_a_taken_client_id_is_not_added(store: &dyn Store) {
    populate(store).await;
    let event = audit_event(AuditEventKind::ApplicationRegistered);
    let before = count_events(store, AuditEventKind::ApplicationRegistered).await;
    for (client_id, added) in [("app", false), ("new", true)] {
        let named = Application {
            name: "added".to_owned(),
            ..application(client_id)
        };
        let outcome = store.add_application(&named, &event).await;
        assert_eq!(outcome.unwrap(), added);
        let found = store.registered_application(&client_id.into()).await;
        let found = found.unwrap().unwrap();
        assert_eq!(found.name == "added", added, "{client_id}");
    }
    let after = count_events(store, AuditEventKind::ApplicationRegistered).await;
    assert_eq!(after - before, 1);
}

pub async fn application_is_changed_by_its_stamp_only(store: &dyn Store) {
    populate(store).await;
    let event = audit_event(AuditEventKind::ApplicationChanged);
    let changed = Application {
        organization: Some(RIYADH.into()),
        organization_only: true,
        concurrency_stamp: "2".into(),
        ..application("app")
    };
    for (based_on, expected) in [("0", false), ("1", true), ("1", false)] {
        let outcome = store
            .change_application(&changed, &based_on.into(), &event)
            .await;
        assert_eq!(outcome.unwrap(), expected, "{based_on}");
    }
    let found = store.registered_application(&"app".into()).await.unwrap();
    assert_eq!(found, Some(changed));
    assert_eq!(
        count_events(store, AuditEventKind::ApplicationChanged).await,
        1
    );
}

pub async fn disabled_application_is_not_found_and_stays_registered(store: &dyn Store) {
    populate(store).await;
    let event = audit_event(AuditEventKind::ApplicationDisabled);
    let client_id = ClientId::new("app");
    for (disabled_at, stamp) in [(Some(NOW), "2"), (None, "3")] {
        for changed in [true, false] {
            let stamp = stamp.into();
            let set = store
                .set_application_disabled(&client_id, disabled_at, &stamp, &event)
                .await;
            assert_eq!(set.unwrap(), changed);
        }
        let basis = store.basis().await.unwrap();
        let found = store.application(&client_id, basis).await.unwrap();
        assert_eq!(found.is_none(), disabled_at.is_some());
        let registered = store.registered_application(&client_id).await.unwrap();
        let registered = registered.unwrap();
        assert_eq!(registered.disabled_at, disabled_at);
        assert_eq!(registered.concurrency_stamp, stamp);
    }
}

pub async fn applications_of_an_organization_are_those_that_it_administers(store: &dyn Store) {
    populate(store).await;
    let event = audit_event(AuditEventKind::ApplicationRegistered);
    let riyadh = OrganizationId::new(RIYADH);
    let of = |client_id: &str, organization_only| Application {
        organization: Some(riyadh.clone()),
        organization_only,
        ..application(client_id)
    };
    let machine = Application {
        kind: ApplicationKind::Machine,
        ..of("robot", false)
    };
    let elsewhere = Application {
        organization: Some(JEDDAH.into()),
        ..of("jeddah", true)
    };
    for application in [of("own", true), of("platform", false), machine, elsewhere] {
        assert_eq!(
            application.is_administered_by(&riyadh),
            ["own", "robot"].contains(&application.client_id.as_str())
        );
        store.put_application(&application, &event).await.unwrap();
    }
    let listed = async |filter: &ApplicationFilter, after: Option<&str>| {
        let after = after.map(ClientId::new);
        let page = store
            .applications_of(&riyadh, filter, after.as_ref(), 10)
            .await;
        let page = page.unwrap().into_iter();
        page.map(|found| found.client_id.into_string())
            .collect::<Vec<_>>()
    };
    let all = ApplicationFilter::default();
    assert_eq!(listed(&all, None).await, ["own", "robot"]);
    assert_eq!(listed(&all, Some("own")).await, ["robot"]);
    let kind = ApplicationFilter {
        kind: Some(ApplicationKind::Machine),
        ..all.clone()
    };
    assert_eq!(listed(&kind, None).await, ["robot"]);
    let text = ApplicationFilter {
        text: "OW".to_owned(),
        ..all
    };
    assert_eq!(listed(&text, None).await, ["own"]);
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

/// Rotates the secret of `app` by fifty callers at the same time. Returns the outcomes, in the order of the secrets `0` to `49`.
async fn rotate_by_fifty(store: &dyn Store, overlap: Duration) -> Vec<SecretRotation> {
    let secrets: Vec<_> = (0..50)
        .map(|number| TokenHash::of(&number.to_string()))
        .collect();
    let event = audit_event(AuditEventKind::ClientSecretRotated);
    let app = "app".into();
    let rotated = secrets
        .iter()
        .map(|secret| store.rotate_client_secret(&app, secret, NOW, NOW.plus(overlap), &event));
    let rotated = join_all(rotated).await.into_iter();
    rotated.map(Result::unwrap).collect()
}

/// The secrets of those that [`rotate_by_fifty`] stored which are accepted.
async fn accepted_of_fifty(store: &dyn Store) -> Vec<usize> {
    let basis = store.basis().await.unwrap();
    let found = store.application(&"app".into(), basis).await.unwrap();
    let secret = found.unwrap().secret.clone().unwrap();
    let accepted = |number: &usize| secret.accepts(&TokenHash::of(&number.to_string()), NOW);
    (0..50).filter(accepted).collect()
}

pub async fn secret_rotated_by_fifty_overlaps_with_the_bounded_number(store: &dyn Store) {
    populate(store).await;
    let outcomes = rotate_by_fifty(store, Duration::from_hours(1)).await;
    let rotated: Vec<_> = (0..50)
        .filter(|number| outcomes[*number] == SecretRotation::Rotated)
        .collect();
    assert_eq!(rotated.len(), MAX_RETIRED_SECRETS as usize);
    // Every secret that a caller was told of is accepted.
    assert_eq!(accepted_of_fifty(store).await, rotated);
    let events = count_events(store, AuditEventKind::ClientSecretRotated).await;
    assert_eq!(events, rotated.len());
}

pub async fn secret_rotated_by_fifty_without_overlap_is_that_of_one(store: &dyn Store) {
    populate(store).await;
    let outcomes = rotate_by_fifty(store, Duration::ZERO).await;
    assert_eq!(outcomes, [SecretRotation::Rotated; 50]);
    assert_eq!(accepted_of_fifty(store).await.len(), 1);
    let events = count_events(store, AuditEventKind::ClientSecretRotated).await;
    assert_eq!(events, 50);
}
