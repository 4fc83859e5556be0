//! Races between several processes: each case gets handles that were opened one by one on the same database.

use std::collections::BTreeSet;
use std::time::Duration;

use futures_util::future::{join, join_all};

use super::fixtures::{
    LATER, NOW, RIYADH, access_token, application, audit_event, before_now, code, count_events,
    family, hash, hash_without_family, id, populate, subject, tokens,
};
use super::right_holders::evaluation;
use super::tokens::{authorize, is_valid, redeem};
use super::users::{invite, redeem as redeem_password};
use crate::Store;
use crate::applications::Application;
use crate::audit::{AuditEvent, AuditEventKind};
use crate::secret::{PasswordHash, TokenHash};
use crate::tokens::{AccessToken, InsertOutcome};
use crate::users::{PasswordCode, Removal};

/// Handles that a case gets.
pub const HANDLES: usize = 4;

/// Callers of a race, each with one of the handles in turn.
fn callers<'a>(stores: &[&'a dyn Store], number: usize) -> Vec<(&'a dyn Store, String)> {
    let stores = stores.iter().cycle().take(number);
    stores
        .enumerate()
        .map(|(caller, store)| (*store, caller.to_string()))
        .collect()
}

/// The only caller of a race whose outcome says that it won.
fn winner<'a>(callers: &'a [(&dyn Store, String)], outcomes: &[InsertOutcome]) -> Option<&'a str> {
    let outcomes = callers.iter().zip(outcomes);
    let mut winners = outcomes.filter(|(_, outcome)| **outcome == InsertOutcome::Inserted);
    let winner = winners.next().map(|((_, caller), _)| &**caller);
    assert!(winners.next().is_none(), "several callers won");
    winner
}

pub async fn code_is_redeemed_by_one_of_many_processes(stores: &[&dyn Store]) {
    let family = authorize(stores[0]).await;
    let code = hash("code");
    let callers = callers(stores, 50);
    let redeemed = callers.iter().map(|(store, caller)| {
        let event = audit_event(AuditEventKind::TokenIssued);
        store.redeem_code(&code, tokens(caller, family), NOW, event)
    });
    let outcomes = join_all(redeemed).await.into_iter();
    let outcomes: Vec<_> = outcomes.map(Result::unwrap).collect();
    let winner = winner(&callers, &outcomes).expect("one caller wins");
    for (store, caller) in &callers {
        let valid = is_valid(*store, &format!("{caller} access")).await;
        assert_eq!(valid, caller == winner);
    }
    for store in stores {
        let found = store.authorization_code(&code).await.unwrap().unwrap();
        assert!(found.used);
        assert_eq!(count_events(*store, AuditEventKind::TokenIssued).await, 1);
    }
}

pub async fn administrators_who_remove_one_another_leave_one(stores: &[&dyn Store]) {
    populate(stores[0]).await;
    let callers = callers(stores, 8);
    for (_, name) in &callers {
        invite(stores[0], name, &["administrator"]).await;
        assert!(redeem_password(stores[0], name, name).await);
    }
    let removed = callers
        .iter()
        .enumerate()
        .map(async |(index, (store, name))| {
            let event = audit_event(AuditEventKind::RoleRevoked);
            let (riyadh, id) = (id(RIYADH), subject(name));
            let removal = if index % 2 == 0 {
                store
                    .revoke_role(&riyadh, &id, "administrator", &evaluation(0), &event)
                    .await
            } else {
                store
                    .disable_user(&riyadh, &id, NOW, &evaluation(0), &event)
                    .await
            };
            removal.unwrap()
        });
    let removals = join_all(removed).await;
    let kept = removals
        .iter()
        .filter(|removal| **removal == Removal::LastAdministrator);
    assert_eq!(kept.count(), 1, "{removals:?}");
    assert_eq!(
        count_events(stores[0], AuditEventKind::RoleRevoked).await,
        7
    );
}

pub async fn password_code_is_redeemed_by_one_of_many_processes(stores: &[&dyn Store]) {
    populate(stores[0]).await;
    invite(stores[0], "amal", &[]).await;
    let callers = callers(stores, 20);
    let redeemed = callers
        .iter()
        .map(|(store, _)| redeem_password(*store, "amal", "amal"));
    let redeemed = join_all(redeemed).await.into_iter();
    assert_eq!(redeemed.filter(|redeemed| *redeemed).count(), 1);
}

pub async fn invitation_is_either_accepted_or_renewed(stores: &[&dyn Store]) {
    populate(stores[0]).await;
    for round in 0..8 {
        let name = format!("person{round}");
        invite(stores[0], &name, &[]).await;
        let renewed = PasswordCode {
            hash: TokenHash::of("renewed"),
            created_at: NOW,
            expires_at: LATER,
        };
        let (person, event) = (subject(&name), audit_event(AuditEventKind::PasswordReset));
        let unusable = PasswordHash::new("unusable");
        // By whoever has read the account with its first epoch.
        let renew = stores[1].issue_password_code(&person, Some(0), &unusable, &renewed, &event);
        let accept = redeem_password(stores[2], &name, &name);
        let (renewed, accepted) = join(renew, accept).await;
        assert_ne!(renewed.unwrap(), accepted, "one of the two");
    }
}

pub async fn application_is_changed_by_one_of_many_processes(stores: &[&dyn Store]) {
    populate(stores[0]).await;
    let based_on = application("app").concurrency_stamp;
    let callers = callers(stores, 20);
    let changed = callers.iter().map(async |(store, caller)| {
        let changed = Application {
            name: caller.clone(),
            concurrency_stamp: format!("stamp {caller}").into(),
            ..application("app")
        };
        let event = audit_event(AuditEventKind::ApplicationChanged);
        store
            .change_application(&changed, &based_on, &event)
            .await
            .unwrap()
    });
    let changed = join_all(changed).await.into_iter();
    assert_eq!(changed.filter(|changed| *changed).count(), 1);
    assert_eq!(
        count_events(stores[0], AuditEventKind::ApplicationChanged).await,
        1
    );
}

/// Every refresh token of a chain is presented by fifty callers.
pub async fn refresh_tokens_of_a_chain_are_rotated_by_one_of_many_processes(stores: &[&dyn Store]) {
    let family = authorize(stores[0]).await;
    redeem(stores[0], family).await;
    let mut last = "first".to_owned();
    for round in 0..4 {
        let presented = hash(&format!("{last} refresh"));
        let mut callers = callers(stores, 50);
        for (_, caller) in &mut callers {
            *caller = format!("{round} {caller}");
        }
        let rotated = callers.iter().map(|(store, caller)| {
            let event = audit_event(AuditEventKind::TokenIssued);
            store.rotate_refresh_token(&presented, tokens(caller, family), NOW, event)
        });
        let outcomes = join_all(rotated).await.into_iter();
        let outcomes: Vec<_> = outcomes.map(Result::unwrap).collect();
        let winner = winner(&callers, &outcomes).expect("one caller wins");
        for (store, caller) in &callers {
            let successor = hash(&format!("{caller} refresh"));
            let successor = store.refresh_token(&successor).await.unwrap();
            let alive = successor.is_some_and(|successor| !successor.used && !successor.revoked);
            assert_eq!(alive, caller == winner);
        }
        let presented = stores[0].refresh_token(&presented).await.unwrap();
        assert!(presented.unwrap().used);
        last = winner.to_owned();
    }
    assert_eq!(
        count_events(stores[0], AuditEventKind::TokenIssued).await,
        5
    );
}

/// Two hundred families are revoked while their refresh tokens are rotated. Whoever is first, nothing of them is alive at the end.
pub async fn rotation_leaves_no_living_token_when_its_family_is_revoked_meanwhile(
    stores: &[&dyn Store],
) {
    populate(stores[0]).await;
    for round in 0..200 {
        let family = family(round);
        let name = |what: &str| format!("{round} {what}");
        let authorization = tokens(&name("first"), family.id);
        let inserted = stores[0]
            .insert_authorization_with_tokens(family.clone(), authorization, Vec::new())
            .await;
        inserted.unwrap();
        let first = hash(&name("first refresh"));
        let at = usize::try_from(round).unwrap();
        let (one, other) = (stores[at % stores.len()], stores[(at + 1) % stores.len()]);
        let event = audit_event(AuditEventKind::TokenIssued);
        let rotate =
            one.rotate_refresh_token(&first, tokens(&name("second"), family.id), NOW, event);
        let event = audit_event(AuditEventKind::TokenRevoked);
        let revoke = other.revoke_family(family.id, NOW, &event);
        let outcome = if round % 2 == 0 {
            let (rotated, revoked) = join(rotate, revoke).await;
            revoked.unwrap();
            rotated.unwrap()
        } else {
            let (revoked, rotated) = join(revoke, rotate).await;
            revoked.unwrap();
            rotated.unwrap()
        };
        for store in stores {
            for token in ["first access", "second access"] {
                assert!(!is_valid(*store, &name(token)).await, "{round} {token}");
            }
            let second = hash(&name("second refresh"));
            let second = store.refresh_token(&second).await.unwrap();
            assert_eq!(second.is_some(), outcome == InsertOutcome::Inserted);
            assert!(second.is_none_or(|second| second.revoked));
        }
        let second = hash(&name("second refresh"));
        let event = audit_event(AuditEventKind::TokenIssued);
        let third =
            one.rotate_refresh_token(&second, tokens(&name("third"), family.id), NOW, event);
        assert_eq!(third.await.unwrap(), InsertOutcome::AlreadyUsed);
    }
}

pub async fn reuse_is_recorded_once_by_many_processes(stores: &[&dyn Store]) {
    let family = authorize(stores[0]).await;
    redeem(stores[0], family).await;
    let event = audit_event(AuditEventKind::RefreshReused);
    let first = hash("first refresh");
    let recorded = callers(stores, 50)
        .into_iter()
        .map(|(store, _)| store.record_refresh_token_reuse(&first, true, NOW, &event));
    for recorded in join_all(recorded).await {
        recorded.unwrap();
    }
    for store in stores {
        let events = count_events(*store, AuditEventKind::RefreshReused).await;
        assert_eq!(events, 1);
        assert!(!is_valid(*store, "first access").await);
    }
}

/// A thousand tokens at once: each is stored once, with its event.
pub async fn burst_of_access_tokens_is_stored_whole(stores: &[&dyn Store]) {
    populate(stores[0]).await;
    let basis = stores[0].basis().await.unwrap();
    let assumed = crate::Basis::assumed(basis.version());
    let callers = callers(stores, 1_000);
    let inserted = callers.iter().map(|(store, caller)| {
        let event = audit_event(AuditEventKind::TokenIssued);
        let token = AccessToken {
            hash: hash_without_family(caller),
            ..access_token(caller, None)
        };
        store.insert_access_token(token, event, assumed)
    });
    for outcome in join_all(inserted).await {
        assert_eq!(outcome.unwrap(), InsertOutcome::Inserted);
    }
    let mut found = BTreeSet::new();
    for (store, caller) in &callers {
        let bearer = store
            .bearer(&hash_without_family(caller), NOW)
            .await
            .unwrap();
        found.insert(bearer.unwrap().token.hash.as_bytes().to_vec());
    }
    assert_eq!(found.len(), 1_000);
    assert_eq!(
        count_events(stores[0], AuditEventKind::TokenIssued).await,
        1_000
    );
}

/// The family is found by its id and by its code, whichever process inserted it.
pub async fn authorization_is_seen_by_every_process(stores: &[&dyn Store]) {
    populate(stores[0]).await;
    for (at, store) in (0..).zip(stores) {
        let name = format!("code {at}");
        let family = family(at);
        store
            .insert_authorization(&family, &code(&name))
            .await
            .unwrap();
        for other in stores {
            let found = other.authorization_code(&hash(&name)).await.unwrap();
            assert_eq!(found.unwrap().family.id, family.id);
        }
    }
}

pub async fn event_recorded_once_by_many_processes_is_one(stores: &[&dyn Store]) {
    let events = ["noura", "salem"].map(|subject| {
        let event = audit_event(AuditEventKind::PatRefused).subject(&subject.into());
        event.address([127, 0, 0, 1].into())
    });
    for (round, since) in (1..=5).map(|round| (round, before_now(round))) {
        let callers = callers(stores, 50);
        let recorded = callers.iter().zip(events.iter().cycle());
        let recorded = recorded.map(|((store, _), event)| {
            let event = AuditEvent {
                at: since.plus(Duration::from_millis(1)),
                ..event.clone()
            };
            async move { store.record_once(&event, since).await }
        });
        for outcome in join_all(recorded).await {
            outcome.unwrap();
        }
        let expected = 2 * usize::try_from(round).unwrap();
        for store in stores {
            let recorded = count_events(*store, AuditEventKind::PatRefused).await;
            assert_eq!(recorded, expected);
        }
    }
}
