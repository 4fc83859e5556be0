//! Cases of epochs: what is invalid after a change of the password, disabling and enabling (decision 0106).

use std::collections::BTreeSet;

use futures_util::future::join_all;

use super::fixtures::{
    LATER, NOW, access_token, audit_event, code, count_events, family, hash, hash_at, machine,
    person, populate, subject, tokens,
};
use super::tokens::issue;
use crate::Store;
use crate::audit::AuditEventKind;
use crate::pats::PersonalAccessToken;
use crate::secret::{PasswordHash, TokenHash};
use crate::subjects::Subject;
use crate::tokens::{AccessToken, AuthorizationCode, Family, Session, TokenActor};

/// Sets a password. Returns the new epoch.
async fn change_password(store: &dyn Store, of: &str) -> i64 {
    let event = audit_event(AuditEventKind::PasswordChanged);
    let changed = store
        .set_password(&subject(of), None, &PasswordHash::new("new"), false, &event)
        .await;
    changed.unwrap().unwrap()
}

async fn disable(store: &dyn Store, id: &str) -> bool {
    let event = audit_event(AuditEventKind::UserDisabled);
    let disabled = store.disable_subject(&subject(id), NOW, &event).await;
    disabled.unwrap()
}

async fn enable(store: &dyn Store, id: &str) -> bool {
    let event = audit_event(AuditEventKind::UserEnabled);
    store.enable_subject(&subject(id), &event).await.unwrap()
}

/// The epoch that a token issued now gets; `None` for a disabled subject.
async fn epoch(store: &dyn Store, id: &str) -> Option<i64> {
    let basis = store.basis().await.unwrap();
    let member = store.member(&subject(id), basis).await.unwrap();
    member.map(|member| member.subject.epoch)
}

/// An access token of a replica whose clock is an hour ahead.
fn token_of_a_fast_clock(name: &str) -> AccessToken {
    AccessToken {
        hash: hash_at(name, LATER),
        issued_at: LATER,
        expires_at: LATER.plus(LATER.since(NOW)),
        ..access_token(name, None)
    }
}

pub async fn token_issued_by_a_clock_that_is_ahead_is_invalid_after_a_password_change(
    store: &dyn Store,
) {
    populate(store).await;
    let old = token_of_a_fast_clock("old");
    issue(store, old.clone()).await;
    assert!(store.bearer(&old.hash, NOW).await.unwrap().is_some());
    let epoch = change_password(store, "noura").await;
    // Also when the clock of the change has passed the time of issue.
    for now in [NOW, LATER] {
        assert!(store.bearer(&old.hash, now).await.unwrap().is_none());
    }
    // The clock of the next sign-in may be behind both.
    let new = AccessToken {
        epoch,
        ..access_token("new", None)
    };
    issue(store, new.clone()).await;
    let bearer = store.bearer(&new.hash, NOW).await.unwrap();
    assert_eq!(bearer.unwrap().token.epoch, epoch);
}

pub async fn session_begun_by_a_clock_that_is_ahead_has_an_earlier_epoch_after_a_password_change(
    store: &dyn Store,
) {
    populate(store).await;
    let session = Session {
        id: "one".to_owned(),
        hash: hash_at("one", LATER),
        subject: "noura".into(),
        epoch: epoch(store, "noura").await.unwrap(),
        authenticated_at: LATER,
        expires_at: LATER.plus(LATER.since(NOW)),
        pending: None,
    };
    let event = audit_event(AuditEventKind::SignedIn);
    store.begin_session(&session, &event).await.unwrap();
    let stored_epoch = async || {
        let found = store.session(&session.hash, NOW).await.unwrap();
        found.unwrap().epoch
    };
    assert_eq!(Some(stored_epoch().await), epoch(store, "noura").await);
    let changed = change_password(store, "noura").await;
    assert!(stored_epoch().await < changed);
    // The session in which the password was changed goes on.
    let advanced = store.advance_session("one", None, changed, NOW).await;
    advanced.unwrap();
    assert_eq!(stored_epoch().await, changed);
}

pub async fn family_of_a_clock_that_is_ahead_has_an_earlier_epoch_after_a_password_change(
    store: &dyn Store,
) {
    populate(store).await;
    let (number, subject_epoch) = (1, epoch(store, "noura").await.unwrap());
    let family = Family {
        epoch: subject_epoch,
        authenticated_at: LATER,
        ..family(number)
    };
    let code = AuthorizationCode {
        hash: hash_at("code", LATER),
        ..code("code")
    };
    store.insert_authorization(&family, &code).await.unwrap();
    let event = audit_event(AuditEventKind::TokenIssued);
    let redeemed = store
        .redeem_code(&code.hash, tokens("first", family.id), NOW, event)
        .await;
    redeemed.unwrap();
    let changed = change_password(store, "noura").await;
    assert_eq!(epoch(store, "noura").await, Some(changed));
    let found = store.authorization_code(&code.hash).await.unwrap();
    assert_eq!(found.unwrap().family.epoch, subject_epoch);
    let found = store.refresh_token(&hash("first refresh")).await.unwrap();
    assert_eq!(found.unwrap().family.epoch, subject_epoch);
    assert_ne!(changed, subject_epoch);
    let access = hash("first access");
    assert!(store.bearer(&access, NOW).await.unwrap().is_none());
}

pub async fn impersonated_token_is_invalid_after_a_password_change_of_its_actor(store: &dyn Store) {
    populate(store).await;
    let admin = Subject {
        epoch: 4,
        ..person("admin")
    };
    let event = audit_event(AuditEventKind::UserCreated);
    assert!(store.add_subject(&admin, &event).await.unwrap());
    let impersonated = AccessToken {
        actor: Some(TokenActor {
            subject: "admin".into(),
            epoch: 4,
        }),
        ..token_of_a_fast_clock("impersonated")
    };
    issue(store, impersonated.clone()).await;
    let hash = &impersonated.hash;
    let bearer = store.bearer(hash, NOW).await.unwrap().unwrap();
    assert_eq!(
        (bearer.token.epoch, bearer.token.actor),
        (0, impersonated.actor)
    );
    assert_eq!(change_password(store, "admin").await, 5);
    assert!(store.bearer(hash, LATER).await.unwrap().is_none());
}

pub async fn personal_access_token_of_a_clock_that_is_ahead_is_invalid_after_disabling(
    store: &dyn Store,
) {
    populate(store).await;
    let hash = TokenHash::of("a personal access token");
    let pat = PersonalAccessToken {
        id: "one".to_owned(),
        subject: machine("robot").id,
        epoch: 0,
        name: "a script".to_owned(),
        created_at: LATER,
        expires_at: LATER.plus(LATER.since(NOW)),
        revoked_at: None,
    };
    let event = audit_event(AuditEventKind::PatMinted);
    assert!(store.add_pat(&pat, &hash, &event).await.unwrap());
    assert!(store.pat(&hash, NOW).await.unwrap().is_some());
    assert!(disable(store, "robot").await && enable(store, "robot").await);
    assert!(store.pat(&hash, NOW).await.unwrap().is_none());
}

pub async fn epoch_is_incremented_by_each_change_that_is_made(store: &dyn Store) {
    populate(store).await;
    assert_eq!(epoch(store, "noura").await, Some(0));
    assert!(!enable(store, "noura").await, "it is enabled");
    assert_eq!(epoch(store, "noura").await, Some(0));
    assert!(disable(store, "noura").await && !disable(store, "noura").await);
    assert_eq!(epoch(store, "noura").await, None);
    let account = store.account("noura").await.unwrap().unwrap();
    assert_eq!(account.subject.epoch, 1);
    assert!(enable(store, "noura").await && !enable(store, "noura").await);
    assert_eq!(epoch(store, "noura").await, Some(2));
    assert_eq!(change_password(store, "noura").await, 3);
    assert_eq!(epoch(store, "noura").await, Some(3));
    assert_eq!(epoch(store, "robot").await, Some(0), "another subject");
}

pub async fn password_change_that_was_proved_before_a_reset_does_not_undo_it(store: &dyn Store) {
    populate(store).await;
    let noura = subject("noura");
    let proved = epoch(store, "noura").await.unwrap();
    let reset_event = audit_event(AuditEventKind::PasswordReset);
    let reset = PasswordHash::new("reset");
    let begun = store
        .set_password(&noura, None, &reset, true, &reset_event)
        .await;
    assert_eq!(begun.unwrap(), Some(proved + 1));

    let event = audit_event(AuditEventKind::PasswordChanged);
    let chosen = PasswordHash::new("chosen");
    let late = store
        .set_password(&noura, Some(proved), &chosen, false, &event)
        .await;
    assert_eq!(late.unwrap(), None);
    let stored = store.account("noura").await.unwrap().unwrap().subject;
    assert_eq!(stored.password_hash, Some(reset));
    assert!(stored.must_change_password);
    assert_eq!(stored.epoch, proved + 1);
    assert_eq!(
        count_events(store, AuditEventKind::PasswordChanged).await,
        0
    );

    let proved_again = store
        .set_password(&noura, Some(proved + 1), &chosen, false, &event)
        .await;
    assert_eq!(proved_again.unwrap(), Some(proved + 2));
    let stored = store.account("noura").await.unwrap().unwrap().subject;
    assert_eq!(stored.password_hash, Some(chosen));
    assert!(!stored.must_change_password);
}

pub async fn one_of_many_password_changes_with_the_same_proof_is_made(store: &dyn Store) {
    populate(store).await;
    let hash = |number| PasswordHash::new(format!("hash {number}"));
    let hashes: Vec<_> = (0..10).map(hash).collect();
    let changes = hashes.iter().map(async |hash| {
        let event = audit_event(AuditEventKind::PasswordChanged);
        let changed = store
            .set_password(&subject("noura"), Some(0), hash, false, &event)
            .await;
        changed.unwrap().map(|epoch| (epoch, hash))
    });
    let made: Vec<_> = join_all(changes).await.into_iter().flatten().collect();
    let noura = store.account("noura").await.unwrap().unwrap().subject;
    let stored = noura.password_hash.as_ref().unwrap();
    assert_eq!(made, [(1, stored)]);
    assert_eq!(noura.epoch, 1);
}

pub async fn passwords_reset_at_the_same_time_have_an_epoch_each(store: &dyn Store) {
    populate(store).await;
    let hash = |number| PasswordHash::new(format!("hash {number}"));
    let hashes: Vec<_> = (0..10).map(hash).collect();
    let changes = hashes.iter().map(async |hash| {
        let event = audit_event(AuditEventKind::PasswordReset);
        let changed = store
            .set_password(&subject("noura"), None, hash, true, &event)
            .await;
        (changed.unwrap().unwrap(), hash)
    });
    let changes = join_all(changes).await;
    let epochs: BTreeSet<_> = changes.iter().map(|(epoch, _)| *epoch).collect();
    assert_eq!(epochs, (1..=10).collect());
    // The password of the last epoch is the one that is stored.
    let noura = store.account("noura").await.unwrap().unwrap().subject;
    assert_eq!(noura.epoch, 10);
    let last = changes.iter().find(|(epoch, _)| *epoch == 10);
    assert_eq!(noura.password_hash.as_ref(), last.map(|(_, hash)| *hash));
}
