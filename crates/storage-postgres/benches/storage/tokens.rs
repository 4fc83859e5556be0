//! Tokens: rotation, client_credentials, and the read that every request of the gateway begins with.

use std::sync::Arc;
use std::time::Duration;

use invoicing_storage::TokenStore as _;
use invoicing_storage::applications::GrantType;
use invoicing_storage::audit::{AuditEvent, AuditEventKind};
use invoicing_storage::suite::fixtures::{
    NOW, access_token, audit_event, code, family, hash, id, subject, tokens,
};
use invoicing_storage::tokens::InsertOutcome;
use invoicing_storage_postgres::Postgres;

use crate::CALLERS;
use crate::load::{Rate, repeat, repeat_by};

/// How many tokens a caller presents in turn.
const TOKENS_OF_A_CALLER: u64 = 50;

/// The name of a token in the chain of a caller.
fn link(caller: usize, repetition: u64) -> String {
    format!("chain {caller} {repetition}")
}

fn family_number(caller: usize) -> i64 {
    i64::try_from(caller).expect("fits") + 1
}

/// The event of issued tokens with all that the token endpoint says of them, in values of the usual lengths.
fn token_issued(grant: GrantType) -> AuditEvent {
    audit_event(AuditEventKind::TokenIssued)
        .subject(&subject("274893000000000001"))
        .organization(&id("274893001"))
        .client(&"01935e2a-7c00-7000-8000-00000000000a".into())
        .address([203, 0, 113, 7].into())
        .detail("grant", grant.name())
}

/// Each caller rotates the refresh token of its own family.
pub(crate) async fn rotate(store: &Arc<Postgres>, duration: Duration) -> Rate {
    for caller in 0..CALLERS {
        let (family, name) = (family(family_number(caller)), link(caller, 0));
        store
            .insert_authorization(&family, &code(&name))
            .await
            .unwrap();
        let event = token_issued(GrantType::AuthorizationCode);
        let issued = tokens(&name, family.id);
        let redeemed = store.redeem_code(&hash(&name), issued, NOW, event).await;
        assert_eq!(redeemed.unwrap(), InsertOutcome::Inserted);
    }
    let store = store.clone();
    repeat(duration, move |caller, repetition| {
        let store = store.clone();
        async move {
            let presented = hash(&format!("{} refresh", link(caller, repetition)));
            let family = family(family_number(caller)).id;
            let next = tokens(&link(caller, repetition + 1), family);
            let event = token_issued(GrantType::RefreshToken);
            let rotated = store
                .rotate_refresh_token(&presented, next, NOW, event)
                .await;
            assert_eq!(rotated.unwrap(), InsertOutcome::Inserted);
        }
    })
    .await
}

/// The tokens of machine users, on an assumed basis, for `callers` at the same time.
pub(crate) async fn insert(store: &Arc<Postgres>, callers: usize, duration: Duration) -> Rate {
    store.basis().await.unwrap();
    let store = store.clone();
    repeat_by(callers, duration, move |caller, repetition| {
        let store = store.clone();
        async move {
            let token = access_token(&format!("machine {callers} {caller} {repetition}"), None);
            let event = token_issued(GrantType::ClientCredentials);
            let basis = store.assumed_basis().unwrap();
            let inserted = store.insert_access_token(token, event, basis).await;
            assert_eq!(inserted.unwrap(), InsertOutcome::Inserted);
        }
    })
    .await
}

/// Inserts the tokens that `admit` presents.
pub(crate) async fn prepare_admission(store: &Arc<Postgres>) {
    let basis = store.basis().await.unwrap();
    for caller in 0..CALLERS {
        for number in 0..TOKENS_OF_A_CALLER {
            let token = access_token(&presented(caller, number), None);
            let event = token_issued(GrantType::ClientCredentials);
            let inserted = store.insert_access_token(token, event, basis).await;
            assert_eq!(inserted.unwrap(), InsertOutcome::Inserted);
        }
    }
}

/// Valid tokens, as the request guard reads them.
pub(crate) async fn admit(store: &Arc<Postgres>, duration: Duration) -> Rate {
    let store = store.clone();
    repeat(duration, move |caller, repetition| {
        let store = store.clone();
        async move {
            let token = hash(&presented(caller, repetition % TOKENS_OF_A_CALLER));
            let bearer = store.bearer(&token, NOW).await.unwrap();
            assert!(bearer.is_some(), "the token was inserted before");
        }
    })
    .await
}

/// The name of a token that a caller presents.
fn presented(caller: usize, number: u64) -> String {
    format!("presented {caller} {number}")
}
