//! Tests of maintenance: signing key rotation, removal of expired rows, disabled accounts.

use std::collections::BTreeSet;

use crate::fixtures::user_agent::{AuthorizationRequest, Callback, UserAgent};
use crate::fixtures::{NOURA, Service};
use invoicing_storage::Clock as _;
use invoicing_storage::audit::{self, AuditEvent};
use reqwest::StatusCode;
use serde_json::Value;

const DAY: i64 = 24 * 60 * 60;

#[tokio::test]
async fn signing_key_rotates_after_90_days_and_the_previous_key_stays_published() {
    let service = Service::start().await;
    let before = published(&service).await;
    let signed_before = signing_key(&service).await;

    service.clock.advance(91 * DAY);
    let service = service.restart().await;
    let after = published(&service).await;
    let signed_after = signing_key(&service).await;
    assert_ne!(signed_before, signed_after, "a different key signs");
    assert!(
        before.contains(&signed_after),
        "the key was published before its first signature"
    );
    assert!(after.is_superset(&before), "earlier id_tokens still verify");
    assert!(after.len() > before.len(), "a new next key is published");

    let service = service.restart().await;
    assert_eq!(
        published(&service).await,
        after,
        "a restart does not rotate keys"
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn disabled_account_is_rejected_at_every_endpoint_immediately() {
    let service = Service::start().await;
    let authorization = AuthorizationRequest::new(&service, &service.desktop_scope());
    let mut browser = UserAgent::new(&service);
    let callback = browser.sign_in(&service, &authorization, NOURA).await;
    let tokens = service.redeem(&authorization, &callback).await;
    let again = authorization.clone().with("prompt", "login");
    let unredeemed = browser.sign_in(&service, &again, NOURA).await;

    let store = service.store().await;
    let event = AuditEvent::new(
        service.clock.timestamp(),
        audit::AuditEventKind::UserDisabled,
    );
    let noura = store
        .subject_by_username(NOURA)
        .await
        .unwrap()
        .expect("Noura is there");
    store
        .disable_subject(&noura.id, service.clock.timestamp(), &event)
        .await
        .unwrap();

    assert_eq!(
        service.userinfo(tokens.text("access_token")).await.status,
        StatusCode::UNAUTHORIZED,
        "access token"
    );
    service
        .refresh(tokens.text("refresh_token"))
        .await
        .is_oauth_error(400, "invalid_grant");
    service
        .redeem(&authorization, &unredeemed)
        .await
        .is_oauth_error(400, "invalid_grant");
    let silent = Callback::from_redirect(
        &browser
            .get(&authorization.clone().with("prompt", "none").path())
            .await,
    );
    assert_eq!(
        silent.error(),
        Some("login_required"),
        "the browser's session"
    );
    let page = browser.get(&authorization.path()).await;
    let form = crate::fixtures::user_agent::Form::find(&page, "sign-in");
    let password = &service.user(NOURA).password;
    let refused = browser
        .submit(&form, &[("username", NOURA), ("password", password)])
        .await;
    assert_eq!(
        refused.status,
        StatusCode::UNPROCESSABLE_ENTITY,
        "the password"
    );

    service.clock.advance(1);
    store.enable_subject(&noura.id, &event).await.unwrap();
    assert_eq!(
        service.userinfo(tokens.text("access_token")).await.status,
        StatusCode::UNAUTHORIZED,
        "revoked tokens stay revoked when the account is enabled"
    );
    service
        .refresh(tokens.text("refresh_token"))
        .await
        .is_oauth_error(400, "invalid_grant");
    let silent = Callback::from_redirect(
        &browser
            .get(&authorization.clone().with("prompt", "none").path())
            .await,
    );
    assert_eq!(silent.error(), Some("login_required"));
    let again = service.sign_in(NOURA).await;
    assert_eq!(
        service.userinfo(again.text("access_token")).await.status,
        StatusCode::OK,
        "a new sign-in succeeds"
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn cleanup_removes_only_expired_rows() {
    let service = Service::start().await;
    let old = service.sign_in(NOURA).await;
    service.clock.advance(89 * DAY);
    let recent = service.sign_in(NOURA).await;
    let authorization = AuthorizationRequest::new(&service, "openid");
    UserAgent::new(&service)
        .sign_in(&service, &authorization, NOURA)
        .await;
    service.clock.advance(2 * DAY);
    let recent = service.refresh(recent.text("refresh_token")).await;

    let store = service.store().await;
    assert!(
        store.maintain(service.clock.timestamp()).await.unwrap() > 0,
        "the expired family and the unused code are removed"
    );
    assert_eq!(
        store.maintain(service.clock.timestamp()).await.unwrap(),
        0,
        "all expired rows in one run"
    );
    service
        .refresh(old.text("refresh_token"))
        .await
        .is_oauth_error(400, "invalid_grant");
    assert_eq!(
        service.userinfo(recent.text("access_token")).await.status,
        StatusCode::OK
    );
    assert_eq!(
        service.refresh(recent.text("refresh_token")).await.status,
        StatusCode::OK
    );
    service.running.shutdown().await;
}

async fn published(service: &Service) -> BTreeSet<String> {
    let keys = service
        .http
        .get(service.auth("/oauth/v2/keys"))
        .send()
        .await
        .expect("the service responds")
        .text()
        .await
        .expect("the service responds");
    let keys: Value = serde_json::from_str(&keys).expect("the service responds");
    let ids = keys["keys"].as_array().expect("a key set").iter();
    ids.map(|key| key["kid"].as_str().expect("every key has an id").to_owned())
        .collect()
}

async fn signing_key(service: &Service) -> String {
    use base64::Engine as _;
    let tokens = service.sign_in(NOURA).await;
    let header = tokens
        .text("id_token")
        .split('.')
        .next()
        .expect("a JWT has three parts");
    let header = base64::engine::general_purpose::URL_SAFE_NO_PAD
        .decode(header)
        .expect("the service responds");
    let header: Value = serde_json::from_slice(&header).expect("the service responds");
    header["kid"]
        .as_str()
        .expect("the header names the key")
        .to_owned()
}
