//! The writes of sessions, authorizations, pushed requests and failed attempts in the table.

use std::time::Duration;

use async_trait::async_trait;
use invoicing_storage::Store;
use invoicing_storage::audit::AuditEventKind;
use invoicing_storage::failed_attempts::{AttemptCounter, AttemptKey, Forgetting};
use invoicing_storage::pushed_requests::PushedRequest;
use invoicing_storage::suite::fixtures::{
    LATER, NOW, before_now, code, family, hash, subject, tokens,
};
use invoicing_storage::tokens::{PendingStep, Session};

use super::operations::{
    Operation, RedeemCode, RotateRefreshToken, event, events, name, number, token_is_valid,
};

/// The operations on sessions, authorizations, pushed requests and failed attempts.
pub(crate) fn operations() -> Vec<Box<dyn Operation>> {
    vec![
        Box::new(BeginSession),
        Box::new(AdvanceSession),
        Box::new(EndSession),
        Box::new(InsertAuthorization),
        Box::new(InsertAuthorizationWithTokens),
        Box::new(RecordRefreshTokenReuse),
        Box::new(RevokeAccessToken),
        Box::new(InsertPushedRequest),
        Box::new(UsePushedRequest),
        Box::new(RecordOnce),
        Box::new(ForgetFailedAttempts),
    ]
}

struct BeginSession;

#[async_trait]
impl Operation for BeginSession {
    fn name(&self) -> &'static str {
        "begin_session"
    }

    async fn prepare(&self, _store: &dyn Store, _cell: u64) {}

    async fn run(&self, store: &dyn Store, cell: u64) -> String {
        let session = Session {
            id: name(cell),
            hash: hash(&name(cell)),
            subject: "noura".into(),
            epoch: 0,
            authenticated_at: NOW,
            expires_at: LATER,
            pending: Some(PendingStep::ChangePassword),
        };
        let event = event(AuditEventKind::SignedIn, cell);
        format!("{:?}", store.begin_session(&session, &event).await)
    }

    async fn stored(&self, store: &dyn Store, cell: u64) -> String {
        let found = store.session(&hash(&name(cell)), NOW).await.unwrap();
        let found = found.map(|session| (session.pending, session.epoch));
        format!("{found:?}, events {}", events(store, cell).await)
    }
}

struct AdvanceSession;

#[async_trait]
impl Operation for AdvanceSession {
    fn name(&self) -> &'static str {
        "advance_session"
    }

    async fn prepare(&self, store: &dyn Store, cell: u64) {
        BeginSession.run(store, cell).await;
    }

    async fn run(&self, store: &dyn Store, cell: u64) -> String {
        let advanced = store.advance_session(&name(cell), None, 1, NOW).await;
        format!("{advanced:?}")
    }

    async fn stored(&self, store: &dyn Store, cell: u64) -> String {
        BeginSession.stored(store, cell).await
    }
}

struct EndSession;

#[async_trait]
impl Operation for EndSession {
    fn name(&self) -> &'static str {
        "end_session"
    }

    async fn prepare(&self, store: &dyn Store, cell: u64) {
        BeginSession.run(store, cell).await;
    }

    async fn run(&self, store: &dyn Store, cell: u64) -> String {
        let event = event(AuditEventKind::SignedOut, cell);
        format!("{:?}", store.end_session(&name(cell), NOW, &event).await)
    }

    async fn stored(&self, store: &dyn Store, cell: u64) -> String {
        BeginSession.stored(store, cell).await
    }
}

struct InsertAuthorization;

#[async_trait]
impl Operation for InsertAuthorization {
    fn name(&self) -> &'static str {
        "insert_authorization"
    }

    async fn prepare(&self, _store: &dyn Store, _cell: u64) {}

    async fn run(&self, store: &dyn Store, cell: u64) -> String {
        let (family, code) = (family(number(cell)), code(&name(cell)));
        format!("{:?}", store.insert_authorization(&family, &code).await)
    }

    async fn stored(&self, store: &dyn Store, cell: u64) -> String {
        let found = store.authorization_code(&hash(&name(cell))).await.unwrap();
        format!("used {:?}", found.map(|found| found.used))
    }
}

struct InsertAuthorizationWithTokens;

#[async_trait]
impl Operation for InsertAuthorizationWithTokens {
    fn name(&self) -> &'static str {
        "insert_authorization_with_tokens"
    }

    async fn prepare(&self, _store: &dyn Store, _cell: u64) {}

    async fn run(&self, store: &dyn Store, cell: u64) -> String {
        let family = family(number(cell));
        let tokens = tokens(&name(cell), family.id);
        let events = [AuditEventKind::SignedIn, AuditEventKind::TokenIssued]
            .map(|kind| event(kind, cell))
            .to_vec();
        let inserted = store
            .insert_authorization_with_tokens(family, tokens, events)
            .await;
        format!("{inserted:?}")
    }

    async fn stored(&self, store: &dyn Store, cell: u64) -> String {
        RedeemCode.stored(store, cell).await
    }
}

struct RecordRefreshTokenReuse;

#[async_trait]
impl Operation for RecordRefreshTokenReuse {
    fn name(&self) -> &'static str {
        "record_refresh_token_reuse"
    }

    async fn prepare(&self, store: &dyn Store, cell: u64) {
        RotateRefreshToken.prepare(store, cell).await;
        RotateRefreshToken.run(store, cell).await;
    }

    async fn run(&self, store: &dyn Store, cell: u64) -> String {
        let presented = hash(&format!("{} refresh", name(cell)));
        let event = event(AuditEventKind::RefreshReused, cell);
        let recorded = store.record_refresh_token_reuse(&presented, true, NOW, &event);
        format!("{:?}", recorded.await)
    }

    async fn stored(&self, store: &dyn Store, cell: u64) -> String {
        RotateRefreshToken.stored(store, cell).await
    }
}

struct RevokeAccessToken;

#[async_trait]
impl Operation for RevokeAccessToken {
    fn name(&self) -> &'static str {
        "revoke_access_token"
    }

    async fn prepare(&self, store: &dyn Store, cell: u64) {
        InsertAuthorizationWithTokens.run(store, cell).await;
    }

    async fn run(&self, store: &dyn Store, cell: u64) -> String {
        let token = hash(&format!("{} access", name(cell)));
        let event = event(AuditEventKind::TokenRevoked, cell);
        let revoked = store.revoke_access_token(&token, NOW, &event).await;
        format!("{revoked:?}")
    }

    async fn stored(&self, store: &dyn Store, cell: u64) -> String {
        let valid = token_is_valid(store, &format!("{} access", name(cell))).await;
        format!("valid {valid}, events {}", events(store, cell).await)
    }
}

struct InsertPushedRequest;

#[async_trait]
impl Operation for InsertPushedRequest {
    fn name(&self) -> &'static str {
        "insert_pushed_request"
    }

    async fn prepare(&self, _store: &dyn Store, _cell: u64) {}

    async fn run(&self, store: &dyn Store, cell: u64) -> String {
        let request = PushedRequest {
            hash: hash(&name(cell)),
            client_id: "app".into(),
            parameters: "scope=openid".to_owned(),
            access_token: None,
            expires_at: LATER,
        };
        format!("{:?}", store.insert_pushed_request(&request).await)
    }

    async fn stored(&self, store: &dyn Store, cell: u64) -> String {
        let found = store.pushed_request(&hash(&name(cell))).await.unwrap();
        let found = found.map(|found| (found.request.parameters, found.used));
        format!("{found:?}")
    }
}

struct UsePushedRequest;

#[async_trait]
impl Operation for UsePushedRequest {
    fn name(&self) -> &'static str {
        "use_pushed_request"
    }

    async fn prepare(&self, store: &dyn Store, cell: u64) {
        InsertPushedRequest.run(store, cell).await;
    }

    async fn run(&self, store: &dyn Store, cell: u64) -> String {
        let used = store.use_pushed_request(&hash(&name(cell)), NOW).await;
        format!("{used:?}")
    }

    async fn stored(&self, store: &dyn Store, cell: u64) -> String {
        InsertPushedRequest.stored(store, cell).await
    }
}

struct RecordOnce;

#[async_trait]
impl Operation for RecordOnce {
    fn name(&self) -> &'static str {
        "record_once"
    }

    async fn prepare(&self, _store: &dyn Store, _cell: u64) {}

    async fn run(&self, store: &dyn Store, cell: u64) -> String {
        let event = event(AuditEventKind::SignInThrottled, cell).subject(&subject(&name(cell)));
        let recorded = store.record_once(&event, before_now(1_000)).await;
        format!("{recorded:?}")
    }

    async fn stored(&self, store: &dyn Store, cell: u64) -> String {
        format!("events {}", events(store, cell).await)
    }
}

struct ForgetFailedAttempts;

impl ForgetFailedAttempts {
    /// The counter of a cell.
    fn counter(cell: u64) -> AttemptCounter {
        let mut key = [0; 16];
        key[..8].copy_from_slice(&cell.to_be_bytes());
        AttemptCounter {
            key: AttemptKey(key),
            forgetting: Forgetting::Together(Duration::from_secs(60)),
        }
    }
}

#[async_trait]
impl Operation for ForgetFailedAttempts {
    fn name(&self) -> &'static str {
        "forget_failed_attempts"
    }

    async fn prepare(&self, store: &dyn Store, cell: u64) {
        let counters = [Self::counter(cell)];
        store.count_failed_attempt(&counters, NOW).await.unwrap();
    }

    async fn run(&self, store: &dyn Store, cell: u64) -> String {
        let keys = [Self::counter(cell).key];
        format!("{:?}", store.forget_failed_attempts(&keys, 1).await)
    }

    async fn stored(&self, store: &dyn Store, cell: u64) -> String {
        let counters = [Self::counter(cell)];
        format!("{:?}", store.failed_attempts(&counters, NOW).await)
    }
}
