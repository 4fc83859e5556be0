//! Cases of [`TokenStore`](crate::TokenStore).

use std::collections::BTreeSet;

use futures_util::future::join_all;

use super::fixtures::{
    LATER, NOW, access_token, after_now, audit_event, code, count_events, family, hash, id, person,
    populate, subject, tokens,
};
use crate::audit::AuditEventKind;
use crate::secret::PasswordHash;
use crate::subjects::Subject;
use crate::tokens::{AccessToken, InsertOutcome, TokenActor};
use crate::{Basis, Store};

/// Stores a family with its code `code`.
pub(super) async fn authorize(store: &dyn Store) -> i64 {
    populate(store).await;
    let family = family(1);
    store
        .insert_authorization(&family, &code("code"))
        .await
        .unwrap();
    family.id
}

/// Redeems `code` for the tokens `first`.
pub(super) async fn redeem(store: &dyn Store, family: i64) {
    let event = audit_event(AuditEventKind::TokenIssued);
    let redeemed = store
        .redeem_code(&hash("code"), tokens("first", family), NOW, event)
        .await;
    assert_eq!(redeemed.unwrap(), InsertOutcome::Inserted);
}

pub(super) async fn is_valid(store: &dyn Store, token: &str) -> bool {
    let found = store.access_token(&hash(token), NOW).await;
    found.unwrap().is_some()
}

pub async fn code_is_redeemed_by_one_of_many(store: &dyn Store) {
    let family = authorize(store).await;
    let hash = hash("code");
    let found = store.authorization_code(&hash).await.unwrap().unwrap();
    assert_eq!((found.family.id, found.used), (family, false));
    assert_eq!(found.code.nonce.as_deref(), Some("nonce"));
    let callers: Vec<_> = (0..20).map(|caller| caller.to_string()).collect();
    let redeemed = callers.iter().map(|caller| {
        store.redeem_code(
            &hash,
            tokens(caller, family),
            NOW,
            audit_event(AuditEventKind::TokenIssued),
        )
    });
    let outcomes = join_all(redeemed).await;
    let mut winners = 0;
    for (caller, outcome) in callers.iter().zip(outcomes) {
        let won = outcome.unwrap() == InsertOutcome::Inserted;
        assert_eq!(is_valid(store, &format!("{caller} access")).await, won);
        winners += u32::from(won);
    }
    assert_eq!(winners, 1);
    assert_eq!(count_events(store, AuditEventKind::TokenIssued).await, 1);
    let found = store.authorization_code(&hash).await.unwrap().unwrap();
    assert!(found.used);
}

pub async fn code_of_a_revoked_family_is_not_redeemed(store: &dyn Store) {
    let family = authorize(store).await;
    let revoked = store
        .revoke_family(family, NOW, &audit_event(AuditEventKind::TokenRevoked))
        .await;
    revoked.unwrap();
    let hash = hash("code");
    let event = audit_event(AuditEventKind::TokenIssued);
    let redeemed = store
        .redeem_code(&hash, tokens("first", family), NOW, event)
        .await;
    assert_eq!(redeemed.unwrap(), InsertOutcome::AlreadyUsed);
    assert!(!is_valid(store, "first access").await);
    assert!(store.authorization_code(&hash).await.unwrap().unwrap().used);
}

pub async fn refresh_token_is_rotated_by_one_of_fifty(store: &dyn Store) {
    let family = authorize(store).await;
    redeem(store, family).await;
    let first = hash("first refresh");
    let callers: Vec<_> = (0..50).map(|caller| caller.to_string()).collect();
    let rotated = callers.iter().map(|caller| {
        store.rotate_refresh_token(
            &first,
            tokens(caller, family),
            NOW,
            audit_event(AuditEventKind::TokenIssued),
        )
    });
    let outcomes = join_all(rotated).await;
    let mut winners = 0;
    for (caller, outcome) in callers.iter().zip(outcomes) {
        let won = outcome.unwrap() == InsertOutcome::Inserted;
        let successor = hash(&format!("{caller} refresh"));
        let successor = store.refresh_token(&successor).await.unwrap();
        assert_eq!(successor.is_some_and(|successor| !successor.used), won);
        winners += u32::from(won);
    }
    assert_eq!(winners, 1);
    assert!(store.refresh_token(&first).await.unwrap().unwrap().used);
    assert_eq!(count_events(store, AuditEventKind::TokenIssued).await, 2);
}

pub async fn refresh_token_of_a_revoked_family_is_not_rotated(store: &dyn Store) {
    let family = authorize(store).await;
    redeem(store, family).await;
    let revoked = store
        .revoke_family(family, NOW, &audit_event(AuditEventKind::TokenRevoked))
        .await;
    revoked.unwrap();
    let hash = hash("first refresh");
    let event = audit_event(AuditEventKind::TokenIssued);
    let rotated = store
        .rotate_refresh_token(&hash, tokens("next", family), NOW, event)
        .await;
    assert_eq!(rotated.unwrap(), InsertOutcome::AlreadyUsed);
    let found = store.refresh_token(&hash).await.unwrap().unwrap();
    assert_eq!((found.used, found.revoked), (false, true));
}

pub async fn reuse_is_recorded_once_and_revokes_the_family_if_asked(store: &dyn Store) {
    let family = authorize(store).await;
    redeem(store, family).await;
    let (code_hash, refresh_hash) = (hash("code"), hash("first refresh"));
    let second = store
        .rotate_refresh_token(
            &refresh_hash,
            tokens("second", family),
            NOW,
            audit_event(AuditEventKind::TokenIssued),
        )
        .await;
    assert_eq!(second.unwrap(), InsertOutcome::Inserted);
    for _ in 0..2 {
        let event = audit_event(AuditEventKind::RefreshReused);
        let recorded = store
            .record_refresh_token_reuse(&refresh_hash, false, NOW, &event)
            .await;
        recorded.unwrap();
    }
    assert_eq!(count_events(store, AuditEventKind::RefreshReused).await, 1);
    assert!(is_valid(store, "second access").await, "it was not asked");
    let event = audit_event(AuditEventKind::RefreshReused);
    let second = hash("second refresh");
    let recorded = store
        .record_refresh_token_reuse(&second, true, NOW, &event)
        .await;
    recorded.unwrap();
    assert!(!is_valid(store, "second access").await);
    assert!(
        store
            .authorization_code(&code_hash)
            .await
            .unwrap()
            .unwrap()
            .used
    );
}

pub async fn revoked_family_takes_all_its_tokens_along(store: &dyn Store) {
    let family = authorize(store).await;
    redeem(store, family).await;
    assert!(is_valid(store, "first access").await);
    for _ in 0..2 {
        let revoked = store
            .revoke_family(family, NOW, &audit_event(AuditEventKind::TokenRevoked))
            .await;
        revoked.unwrap();
    }
    assert!(!is_valid(store, "first access").await);
    let refresh = store.refresh_token(&hash("first refresh")).await;
    assert!(refresh.unwrap().unwrap().revoked);
    assert_eq!(count_events(store, AuditEventKind::TokenRevoked).await, 1);
}

pub async fn access_token_is_valid_until_it_expires_or_is_revoked(store: &dyn Store) {
    populate(store).await;
    let issued = access_token("one", None);
    let basis = store.basis().await.unwrap();
    let inserted = store
        .insert_access_token(
            issued.clone(),
            audit_event(AuditEventKind::TokenIssued),
            basis,
        )
        .await;
    assert_eq!(inserted.unwrap(), InsertOutcome::Inserted);
    let hash = hash("one");
    let found = store.access_token(&hash, NOW).await.unwrap().unwrap();
    assert_eq!(found.authorization, issued.authorization);
    assert_eq!((found.issued_at, found.expires_at), (NOW, LATER));
    let bearer = store.bearer(&hash, NOW).await.unwrap().unwrap();
    assert_eq!(bearer.member.subject, person("noura"));
    assert!(store.access_token(&hash, LATER).await.unwrap().is_none());
    for _ in 0..2 {
        let revoked = store
            .revoke_access_token(&hash, NOW, &audit_event(AuditEventKind::TokenRevoked))
            .await;
        revoked.unwrap();
    }
    assert!(!is_valid(store, "one").await);
    assert!(store.bearer(&hash, NOW).await.unwrap().is_none());
    assert_eq!(count_events(store, AuditEventKind::TokenRevoked).await, 1);
}

pub(super) async fn issue(store: &dyn Store, token: AccessToken) {
    let basis = store.basis().await.unwrap();
    let inserted = store
        .insert_access_token(token, audit_event(AuditEventKind::TokenIssued), basis)
        .await;
    assert_eq!(inserted.unwrap(), InsertOutcome::Inserted);
}

pub async fn bearer_of_a_disabled_subject_is_not_found(store: &dyn Store) {
    populate(store).await;
    issue(store, access_token("one", None)).await;
    let hash = hash("one");
    assert!(store.bearer(&hash, NOW).await.unwrap().is_some());
    let disabled = store
        .disable_subject(
            &subject("noura"),
            NOW,
            &audit_event(AuditEventKind::UserDisabled),
        )
        .await;
    assert!(disabled.unwrap());
    assert!(store.bearer(&hash, NOW).await.unwrap().is_none());
    let enabled = store
        .enable_subject(&subject("noura"), &audit_event(AuditEventKind::UserEnabled))
        .await;
    assert!(enabled.unwrap());
    assert!(
        store.bearer(&hash, NOW).await.unwrap().is_none(),
        "issued before"
    );
}

pub async fn bearer_issued_before_a_password_change_is_not_found(store: &dyn Store) {
    populate(store).await;
    issue(store, access_token("one", None)).await;
    let event = audit_event(AuditEventKind::PasswordChanged);
    let changed = store
        .set_password(
            &subject("noura"),
            None,
            &PasswordHash::new("new"),
            false,
            &event,
        )
        .await;
    assert_eq!(changed.unwrap(), Some(1));
    let hash = hash("one");
    assert!(store.bearer(&hash, after_now(1)).await.unwrap().is_none());
}

pub async fn bearer_needs_its_actor(store: &dyn Store) {
    populate(store).await;
    let admin = Subject {
        id: "admin".into(),
        ..person("admin")
    };
    assert!(
        store
            .add_subject(&admin, &audit_event(AuditEventKind::UserCreated))
            .await
            .unwrap()
    );
    let impersonated = AccessToken {
        actor: Some(TokenActor {
            subject: "admin".into(),
            epoch: 0,
        }),
        ..access_token("one", None)
    };
    issue(store, impersonated.clone()).await;
    let hash = hash("one");
    let bearer = store.bearer(&hash, NOW).await.unwrap().unwrap();
    assert_eq!(bearer.token.actor, impersonated.actor);
    let disabled = store
        .disable_subject(
            &subject("admin"),
            NOW,
            &audit_event(AuditEventKind::UserDisabled),
        )
        .await;
    assert!(disabled.unwrap());
    assert!(store.bearer(&hash, NOW).await.unwrap().is_none());
}

pub async fn access_token_on_an_assumed_basis_is_outdated_after_a_change(store: &dyn Store) {
    populate(store).await;
    let current = store.basis().await.unwrap();
    let assumed = Basis::assumed(current.version());
    let inserted = store
        .insert_access_token(
            access_token("one", None),
            audit_event(AuditEventKind::TokenIssued),
            assumed,
        )
        .await;
    assert_eq!(inserted.unwrap(), InsertOutcome::Inserted);
    let granted = store
        .add_grant(
            &subject("noura"),
            &id("riyadh"),
            "clerk",
            &audit_event(AuditEventKind::RoleGranted),
        )
        .await;
    assert!(granted.unwrap());
    let inserted = store
        .insert_access_token(
            access_token("two", None),
            audit_event(AuditEventKind::TokenIssued),
            assumed,
        )
        .await;
    assert_eq!(inserted.unwrap(), InsertOutcome::Outdated);
    assert!(!is_valid(store, "two").await);
    assert_eq!(count_events(store, AuditEventKind::TokenIssued).await, 1);
}

pub async fn tokens_of_one_millisecond_and_bucket_are_each_found(store: &dyn Store) {
    populate(store).await;
    // Their keys have 2,048 values, so some of them have the same.
    const TOKENS: usize = 100;
    let names: Vec<_> = (0..TOKENS).map(|number| number.to_string()).collect();
    for kind in ["access", "refresh"] {
        let key = |name| hash(&format!("{name} {kind}")).lookup_key();
        let keys: BTreeSet<_> = names.iter().map(key).collect();
        assert!(keys.len() < TOKENS, "{kind}");
    }
    for (number, name) in (1..).zip(&names) {
        let family = family(number);
        let issued = tokens(name, family.id);
        let stored = store
            .insert_authorization_with_tokens(family, issued, Vec::new())
            .await;
        stored.unwrap();
    }
    for (number, name) in (1..).zip(&names) {
        let access = hash(&format!("{name} access"));
        let found = store.access_token(&access, NOW).await.unwrap().unwrap();
        assert_eq!(
            (found.hash, found.family),
            (access.clone(), Some(family(number).id))
        );
        let refresh = hash(&format!("{name} refresh"));
        let event = audit_event(AuditEventKind::TokenIssued);
        let next = tokens(&format!("{name} next"), family(number).id);
        let rotated = store.rotate_refresh_token(&refresh, next, NOW, event).await;
        assert_eq!(rotated.unwrap(), InsertOutcome::Inserted, "{name}");
        assert!(store.refresh_token(&refresh).await.unwrap().unwrap().used);
        let event = audit_event(AuditEventKind::TokenRevoked);
        let revoked = store.revoke_access_token(&access, NOW, &event).await;
        revoked.unwrap();
        assert!(
            store.access_token(&access, NOW).await.unwrap().is_none(),
            "{name}"
        );
    }
}

pub async fn direct_authorization_stores_its_tokens(store: &dyn Store) {
    populate(store).await;
    let family = family(2);
    let events = vec![
        audit_event(AuditEventKind::SignedIn),
        audit_event(AuditEventKind::TokenIssued),
    ];
    let stored = store
        .insert_authorization_with_tokens(family.clone(), tokens("direct", family.id), events)
        .await;
    stored.unwrap();
    assert!(is_valid(store, "direct access").await);
    let refresh = store.refresh_token(&hash("direct refresh")).await;
    let refresh = refresh.unwrap().unwrap();
    assert_eq!((refresh.family.id, refresh.used), (family.id, false));
    assert_eq!(refresh.family.session_id, None);
    assert_eq!(count_events(store, AuditEventKind::SignedIn).await, 1);
    assert_eq!(count_events(store, AuditEventKind::TokenIssued).await, 1);
}
