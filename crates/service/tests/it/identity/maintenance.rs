//! What happens over weeks: signing keys are replaced, what expired is removed, accounts are disabled.

use std::collections::BTreeSet;

use crate::fixtures::user_agent::{Attempt, Callback, UserAgent};
use crate::fixtures::{NOURA, Service};
use invoicing_storage::Clock as _;
use invoicing_storage::audit::{self, Entry};
use invoicing_storage::{SubjectStore as _, TokenStore as _};
use reqwest::StatusCode;
use serde_json::Value;

const DAY: i64 = 24 * 60 * 60;

#[tokio::test]
async fn after_ninety_days_the_next_key_signs_and_the_one_before_is_still_published() {
    let service = Service::start().await;
    let before = published(&service).await;
    let signed_before = signing_key(&service).await;

    service.clock.forward(91 * DAY);
    let service = service.restart().await;
    let after = published(&service).await;
    let signed_after = signing_key(&service).await;
    assert_ne!(signed_before, signed_after, "another key signs");
    assert!(
        before.contains(&signed_after),
        "which everybody knew before it signed"
    );
    assert!(
        after.is_superset(&before),
        "what was signed before can still be verified"
    );
    assert!(after.len() > before.len(), "and a new next key is there");

    let service = service.restart().await;
    assert_eq!(
        published(&service).await,
        after,
        "a restart alone changes nothing"
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn a_disabled_account_is_locked_out_at_once_everywhere() {
    let service = Service::start().await;
    let attempt = Attempt::new(&service, &service.desktop_scope());
    let mut browser = UserAgent::new(&service);
    let callback = browser.sign_in(&service, &attempt, NOURA).await;
    let tokens = service.redeem(&attempt, &callback).await;
    let unredeemed = Callback::of(&browser.get(&attempt.path()).await);

    let store = service.store().await;
    let entry = Entry::new(service.clock.now_ms(), audit::Kind::UserDisabled);
    let noura = store
        .subject_by_username(NOURA)
        .await
        .unwrap()
        .expect("Noura is there");
    store
        .disable_subject(&noura.id, service.clock.now_ms(), &entry)
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
        .redeem(&attempt, &unredeemed)
        .await
        .is_oauth_error(400, "invalid_grant");
    let silent = Callback::of(
        &browser
            .get(&attempt.clone().with("prompt", "none").path())
            .await,
    );
    assert_eq!(
        silent.error(),
        Some("login_required"),
        "the browser's session"
    );
    let page = browser.get(&attempt.path()).await;
    let form = crate::fixtures::user_agent::Form::of(&page, "sign-in");
    let password = &service.user(NOURA).password;
    let refused = browser
        .submit(&form, &[("username", NOURA), ("password", password)])
        .await;
    assert_eq!(
        refused.status,
        StatusCode::UNPROCESSABLE_ENTITY,
        "the password"
    );

    service.clock.forward(1);
    store.enable_subject(&noura.id, &entry).await.unwrap();
    assert_eq!(
        service.userinfo(tokens.text("access_token")).await.status,
        StatusCode::UNAUTHORIZED,
        "what died does not come back with the account"
    );
    service
        .refresh(tokens.text("refresh_token"))
        .await
        .is_oauth_error(400, "invalid_grant");
    let silent = Callback::of(
        &browser
            .get(&attempt.clone().with("prompt", "none").path())
            .await,
    );
    assert_eq!(silent.error(), Some("login_required"));
    let again = service.sign_in(NOURA).await;
    assert_eq!(
        service.userinfo(again.text("access_token")).await.status,
        StatusCode::OK,
        "a new sign-in is good"
    );
    store.close().await;
    service.running.shutdown().await;
}

#[tokio::test]
async fn only_what_expired_is_removed() {
    let service = Service::start().await;
    let old = service.sign_in(NOURA).await;
    service.clock.forward(89 * DAY);
    let recent = service.sign_in(NOURA).await;
    let attempt = Attempt::new(&service, "openid");
    UserAgent::new(&service)
        .sign_in(&service, &attempt, NOURA)
        .await;
    service.clock.forward(2 * DAY);
    let recent = service.refresh(recent.text("refresh_token")).await;

    let store = service.store().await;
    assert!(
        store.maintain(service.clock.now_ms()).await.unwrap() > 0,
        "the first sign-in goes, and the code that nobody redeemed"
    );
    assert_eq!(
        store.maintain(service.clock.now_ms()).await.unwrap(),
        0,
        "all of it at once"
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
    store.close().await;
    service.running.shutdown().await;
}

async fn published(service: &Service) -> BTreeSet<String> {
    let keys = service
        .http
        .get(service.auth("/oauth/v2/keys"))
        .send()
        .await
        .expect("the service answers")
        .text()
        .await
        .expect("the service answers");
    let keys: Value = serde_json::from_str(&keys).expect("the service answers");
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
        .expect("the service answers");
    let header: Value = serde_json::from_slice(&header).expect("the service answers");
    header["kid"]
        .as_str()
        .expect("the header names the key")
        .to_owned()
}
