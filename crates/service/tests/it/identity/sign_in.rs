//! Signing in over the wire: authorization code with PKCE, the id_token, sessions and prompts.

use crate::fixtures::user_agent::{Attempt, Callback, Form, UserAgent, choice, claims};
use crate::fixtures::{HOME, NOURA, SALEM, Service};
use reqwest::StatusCode;
use serde_json::json;

#[tokio::test]
async fn a_person_signs_in_and_the_application_learns_who_and_where() {
    let service = Service::start().await;
    let attempt = Attempt::new(&service, &service.desktop_scope());
    let callback = UserAgent::new(&service)
        .sign_in(&service, &attempt, NOURA)
        .await;

    assert_eq!(callback.uri, attempt.redirect_uri);
    assert_eq!(callback.get("state"), "the state");
    assert_eq!(
        callback.get("iss"),
        service.running.ready.auth_url,
        "RFC 9207"
    );

    let answer = service.redeem(&attempt, &callback).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
    assert_eq!(answer.header("cache-control"), "no-store");
    assert!(
        answer.headers.contains_key("date"),
        "clients estimate their clock's error from it"
    );
    assert_eq!(
        (answer.text("token_type"), &answer.json["expires_in"]),
        ("Bearer", &json!(43_200))
    );
    assert_ne!(answer.text("access_token"), answer.text("refresh_token"));

    let claims = claims(answer.text("id_token"));
    let names = &service.names;
    assert_eq!(claims["iss"], json!(service.running.ready.auth_url));
    assert_eq!(claims["aud"], json!([attempt.client_id]));
    assert_eq!(claims["azp"], json!(attempt.client_id));
    assert_eq!(claims["nonce"], json!("the nonce"));
    assert_eq!(claims["name"], json!("Noura Al-Harbi"));
    assert_eq!(claims["preferred_username"], json!(NOURA));
    assert_eq!(claims["email"], json!(NOURA));
    assert_eq!(claims[names.home_organization_id()], json!(HOME));
    assert_eq!(
        claims[names.home_organization_domain()],
        json!("alkhair.example")
    );
    assert_eq!(
        claims[names.roles()],
        json!({
            "accountant": {"274893001": "alkhair.example"},
            "clerk": {"274893002": "gulfpearl.example"},
            "viewer": {"274893003": "kuwaithorizon.example"},
            "administrator": {"274893004": "dhowlogistics.example"},
        })
    );
    for claim in ["sid", "at_hash", "auth_time", "iat", "exp"] {
        assert!(!claims[claim].is_null(), "no {claim} in {claims}");
    }

    let userinfo = service.userinfo(answer.text("access_token")).await;
    assert_eq!(userinfo.json["sub"], claims["sub"]);
    assert_eq!(userinfo.json["name"], claims["name"]);
    service.running.shutdown().await;
}

#[tokio::test]
async fn whoever_is_signed_in_is_not_asked_again_unless_the_application_wants_it() {
    let service = Service::start().await;
    let attempt = Attempt::new(&service, &service.desktop_scope());
    let mut browser = UserAgent::new(&service);
    let nobody = Callback::of(
        &browser
            .get(&attempt.clone().with("prompt", "none").path())
            .await,
    );
    assert_eq!(
        nobody.error(),
        Some("login_required"),
        "nobody is signed in"
    );
    assert_eq!(nobody.get("state"), "the state");

    browser.sign_in(&service, &attempt, NOURA).await;
    for prompt in ["", "none"] {
        let callback = Callback::of(
            &browser
                .get(&attempt.clone().with("prompt", prompt).path())
                .await,
        );
        assert_eq!(callback.error(), None, "prompt {prompt:?} asks nothing");
        let tokens = service.redeem(&attempt, &callback).await;
        assert_eq!(
            claims(tokens.text("id_token"))["name"],
            json!("Noura Al-Harbi")
        );
    }

    let asked = browser
        .get(&attempt.clone().with("prompt", "login").path())
        .await;
    assert_eq!(
        asked.status,
        StatusCode::OK,
        "prompt=login asks although somebody is signed in"
    );
    Form::of(&asked, "sign-in");

    let choose = browser
        .get(&attempt.clone().with("prompt", "select_account").path())
        .await;
    assert!(
        choose.body.contains("Noura Al-Harbi"),
        "it says who would go on"
    );
    let form = Form::of(&choose, "choose");
    let callback = Callback::of(
        &browser
            .submit(&form, &[("account", &choice(&choose, "Noura Al-Harbi"))])
            .await,
    );
    assert_eq!(callback.error(), None, "go on as the same");
    let other = browser.submit(&form, &[("action", "other")]).await;
    let password = &service.user(SALEM).password;
    let fields = [("username", SALEM), ("password", password.as_str())];
    let callback = Callback::of(&browser.submit(&Form::of(&other, "sign-in"), &fields).await);
    let tokens = service.redeem(&attempt, &callback).await;
    assert_eq!(
        claims(tokens.text("id_token"))["name"],
        json!("Salem Al-Otaibi"),
        "another account"
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn max_age_wants_the_password_again_and_auth_time_tells_when_it_was_given() {
    let service = Service::start().await;
    let attempt = Attempt::new(&service, "openid");
    let mut browser = UserAgent::new(&service);
    let first = browser.sign_in(&service, &attempt, NOURA).await;
    let first =
        claims(service.redeem(&attempt, &first).await.text("id_token"))["auth_time"].clone();

    service.clock.forward(100);
    let recent = attempt.clone().with("max_age", "200");
    let again = Callback::of(&browser.get(&recent.path()).await);
    let again =
        claims(service.redeem(&attempt, &again).await.text("id_token"))["auth_time"].clone();
    assert_eq!(first, again, "the password was not given again");

    let strict = attempt.clone().with("max_age", "50");
    let silent = Callback::of(
        &browser
            .get(&strict.clone().with("prompt", "none").path())
            .await,
    );
    assert_eq!(silent.error(), Some("login_required"));
    let fresh = browser.sign_in(&service, &strict, NOURA).await;
    let fresh =
        claims(service.redeem(&attempt, &fresh).await.text("id_token"))["auth_time"].clone();
    assert!(
        fresh.as_i64() >= first.as_i64().map(|time| time + 100),
        "{fresh} is the new time"
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn a_session_ends_after_a_working_day() {
    let service = Service::start().await;
    let attempt = Attempt::new(&service, "openid");
    let mut browser = UserAgent::new(&service);
    browser.sign_in(&service, &attempt, NOURA).await;
    service.clock.forward(12 * 60 * 60);
    let silent = Callback::of(&browser.get(&attempt.with("prompt", "none").path()).await);
    assert_eq!(silent.error(), Some("login_required"));
    service.running.shutdown().await;
}

#[tokio::test]
async fn a_hint_about_somebody_else_is_not_answered_with_whoever_is_signed_in() {
    let service = Service::start().await;
    let attempt = Attempt::new(&service, "openid");
    let salem = service.sign_in(SALEM).await;
    let mut browser = UserAgent::new(&service);
    browser.sign_in(&service, &attempt, NOURA).await;
    let hinted = attempt
        .clone()
        .with("id_token_hint", salem.text("id_token"));
    let silent = Callback::of(
        &browser
            .get(&hinted.clone().with("prompt", "none").path())
            .await,
    );
    assert_eq!(silent.error(), Some("login_required"));

    let forged = salem
        .text("id_token")
        .rsplit_once('.')
        .map(|(signed, _)| format!("{signed}.AAAA"))
        .unwrap();
    let refused = Callback::of(
        &browser
            .get(&attempt.with("id_token_hint", &forged).path())
            .await,
    );
    assert_eq!(refused.error(), Some("invalid_request"));
    service.running.shutdown().await;
}

#[tokio::test]
async fn a_loopback_address_works_with_any_port() {
    let service = Service::start().await;
    for address in [
        "http://127.0.0.1:49152/oauth/local",
        "http://[::1]:7/oauth/local",
    ] {
        let attempt = Attempt::new(&service, "openid").with("redirect_uri", address);
        let callback = UserAgent::new(&service)
            .sign_in(&service, &attempt, NOURA)
            .await;
        assert_eq!(callback.uri, address);
        assert_eq!(
            service.redeem(&attempt, &callback).await.status,
            StatusCode::OK,
            "{address}"
        );
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn going_back_without_signing_in_tells_the_application() {
    let service = Service::start().await;
    let attempt = Attempt::new(&service, "openid");
    let mut browser = UserAgent::new(&service);
    let page = browser.get(&attempt.path()).await;
    let callback = Callback::of(
        &browser
            .submit(&Form::of(&page, "sign-in"), &[("action", "cancel")])
            .await,
    );
    assert_eq!(
        (callback.error(), callback.get("state")),
        (Some("access_denied"), "the state")
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn the_request_may_come_by_post() {
    let service = Service::start().await;
    let attempt = Attempt::new(&service, "openid");
    let mut browser = UserAgent::new(&service);
    let fields: Vec<_> = attempt
        .parameters
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .collect();
    let page = browser.post("/oauth/v2/authorize", &fields).await;
    let password = &service.user(NOURA).password;
    let form = Form::of(&page, "sign-in");
    let callback = Callback::of(
        &browser
            .submit(&form, &[("username", NOURA), ("password", password)])
            .await,
    );
    assert_eq!(
        service.redeem(&attempt, &callback).await.status,
        StatusCode::OK
    );
    service.running.shutdown().await;
}
