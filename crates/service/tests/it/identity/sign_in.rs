//! Tests of the authorization code flow with PKCE: id_token, sessions, `prompt`, `max_age`, hints.

use crate::fixtures::user_agent::{
    AuthorizationRequest, Callback, Form, UserAgent, account_value, unverified_claims,
};
use crate::fixtures::{HOME, NOURA, SALEM, Service};
use reqwest::StatusCode;
use serde_json::json;

#[tokio::test]
async fn code_flow_returns_an_id_token_with_identity_and_roles() {
    let service = Service::start().await;
    let authorization = AuthorizationRequest::new(&service, &service.desktop_scope());
    let callback = UserAgent::new(&service)
        .sign_in(&service, &authorization, NOURA)
        .await;

    assert_eq!(callback.uri, authorization.redirect_uri);
    assert_eq!(callback.get("state"), "the state");
    assert_eq!(
        callback.get("iss"),
        service.running.ready.auth_url,
        "RFC 9207"
    );

    let response = service.redeem(&authorization, &callback).await;
    assert_eq!(response.status, StatusCode::OK, "{}", response.body);
    assert_eq!(response.header("cache-control"), "no-store");
    assert!(
        response.headers.contains_key("date"),
        "clients estimate their clock's error from it"
    );
    assert_eq!(
        (response.text("token_type"), &response.json["expires_in"]),
        ("Bearer", &json!(43_200))
    );
    assert_ne!(
        response.text("access_token"),
        response.text("refresh_token")
    );

    let claims = unverified_claims(response.text("id_token"));
    let names = &service.names;
    assert_eq!(claims["iss"], json!(service.running.ready.auth_url));
    assert_eq!(claims["aud"], json!([authorization.client_id]));
    assert_eq!(claims["azp"], json!(authorization.client_id));
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

    let userinfo = service.userinfo(response.text("access_token")).await;
    assert_eq!(userinfo.json["sub"], claims["sub"]);
    assert_eq!(userinfo.json["name"], claims["name"]);
    service.running.shutdown().await;
}

#[tokio::test]
async fn active_session_skips_sign_in_unless_prompt_requires_it() {
    let service = Service::start().await;
    let authorization = AuthorizationRequest::confidential(&service, &service.desktop_scope());
    let mut browser = UserAgent::new(&service);
    let nobody = Callback::from_redirect(
        &browser
            .get(&authorization.clone().with("prompt", "none").path())
            .await,
    );
    assert_eq!(
        nobody.error(),
        Some("login_required"),
        "nobody is signed in"
    );
    assert_eq!(nobody.get("state"), "the state");

    browser.sign_in(&service, &authorization, NOURA).await;
    for prompt in ["", "none"] {
        let callback = Callback::from_redirect(
            &browser
                .get(&authorization.clone().with("prompt", prompt).path())
                .await,
        );
        assert_eq!(callback.error(), None, "prompt {prompt:?} asks nothing");
        let tokens = service.redeem(&authorization, &callback).await;
        assert_eq!(
            unverified_claims(tokens.text("id_token"))["name"],
            json!("Noura Al-Harbi")
        );
    }

    let page = browser
        .get(&authorization.clone().with("prompt", "login").path())
        .await;
    assert_eq!(
        page.status,
        StatusCode::OK,
        "prompt=login requires the password"
    );
    Form::find(&page, "sign-in");

    let choose = browser
        .get(
            &authorization
                .clone()
                .with("prompt", "select_account")
                .path(),
        )
        .await;
    assert!(
        choose.body.contains("Noura Al-Harbi"),
        "the page names the signed-in user"
    );
    let form = Form::find(&choose, "choose");
    let callback = Callback::from_redirect(
        &browser
            .submit(
                &form,
                &[("account", &account_value(&choose, "Noura Al-Harbi"))],
            )
            .await,
    );
    assert_eq!(callback.error(), None, "the account chooser is shown");
    let other = browser.submit(&form, &[("action", "other")]).await;
    let password = &service.user(SALEM).password;
    let fields = [("username", SALEM), ("password", password.as_str())];
    let callback = Callback::from_redirect(
        &browser
            .submit(&Form::find(&other, "sign-in"), &fields)
            .await,
    );
    let tokens = service.redeem(&authorization, &callback).await;
    assert_eq!(
        unverified_claims(tokens.text("id_token"))["name"],
        json!("Salem Al-Otaibi"),
        "another account"
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn max_age_requires_reauthentication_after_the_clock_was_set_back() {
    let service = Service::start().await;
    let authorization = AuthorizationRequest::confidential(&service, "openid");
    let mut browser = UserAgent::new(&service);
    browser.sign_in(&service, &authorization, NOURA).await;
    let silent = authorization.with("prompt", "none").with("max_age", "300");
    // Another process of the provider may be somewhat behind.
    service.clock.step_wall_clock(-10);
    let answer = Callback::from_redirect(&browser.get(&silent.path()).await);
    assert_eq!(answer.error(), None);
    service.clock.step_wall_clock(-3600);
    let answer = Callback::from_redirect(&browser.get(&silent.path()).await);
    assert_eq!(
        answer.error(),
        Some("login_required"),
        "a session of the future is fresh"
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn max_age_requires_reauthentication_and_updates_auth_time() {
    let service = Service::start().await;
    let authorization = AuthorizationRequest::confidential(&service, "openid");
    let mut browser = UserAgent::new(&service);
    let first = browser.sign_in(&service, &authorization, NOURA).await;
    let first = unverified_claims(
        service
            .redeem(&authorization, &first)
            .await
            .text("id_token"),
    )["auth_time"]
        .clone();

    service.clock.advance(100);
    let recent = authorization.clone().with("max_age", "200");
    let again = Callback::from_redirect(&browser.get(&recent.path()).await);
    let again = unverified_claims(
        service
            .redeem(&authorization, &again)
            .await
            .text("id_token"),
    )["auth_time"]
        .clone();
    assert_eq!(first, again, "auth_time is unchanged without a new sign-in");

    let strict = authorization.clone().with("max_age", "50");
    let silent = Callback::from_redirect(
        &browser
            .get(&strict.clone().with("prompt", "none").path())
            .await,
    );
    assert_eq!(silent.error(), Some("login_required"));
    let fresh = browser.sign_in(&service, &strict, NOURA).await;
    let fresh = unverified_claims(
        service
            .redeem(&authorization, &fresh)
            .await
            .text("id_token"),
    )["auth_time"]
        .clone();
    assert!(
        fresh.as_i64() >= first.as_i64().map(|time| time + 100),
        "{fresh} is the new time"
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn session_expires_after_twelve_hours() {
    let service = Service::start().await;
    let authorization = AuthorizationRequest::new(&service, "openid");
    let mut browser = UserAgent::new(&service);
    browser.sign_in(&service, &authorization, NOURA).await;
    service.clock.advance(12 * 60 * 60);
    let silent = Callback::from_redirect(
        &browser
            .get(&authorization.with("prompt", "none").path())
            .await,
    );
    assert_eq!(silent.error(), Some("login_required"));
    service.running.shutdown().await;
}

#[tokio::test]
async fn id_token_hint_of_another_user_returns_login_required() {
    let service = Service::start().await;
    let authorization = AuthorizationRequest::new(&service, "openid");
    let salem = service.sign_in(SALEM).await;
    let mut browser = UserAgent::new(&service);
    browser.sign_in(&service, &authorization, NOURA).await;
    let hinted = authorization
        .clone()
        .with("id_token_hint", salem.text("id_token"));
    let silent = Callback::from_redirect(
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
    let refused = Callback::from_redirect(
        &browser
            .get(&authorization.with("id_token_hint", &forged).path())
            .await,
    );
    assert_eq!(refused.error(), Some("invalid_request"));
    service.running.shutdown().await;
}

#[tokio::test]
async fn loopback_redirect_uri_is_accepted_with_any_port() {
    let service = Service::start().await;
    for address in [
        "http://127.0.0.1:49152/oauth/local",
        "http://[::1]:7/oauth/local",
    ] {
        let authorization =
            AuthorizationRequest::new(&service, "openid").with("redirect_uri", address);
        let callback = UserAgent::new(&service)
            .sign_in(&service, &authorization, NOURA)
            .await;
        assert_eq!(callback.uri, address);
        assert_eq!(
            service.redeem(&authorization, &callback).await.status,
            StatusCode::OK,
            "{address}"
        );
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn cancelled_sign_in_returns_access_denied_with_state() {
    let service = Service::start().await;
    let authorization = AuthorizationRequest::new(&service, "openid");
    let mut browser = UserAgent::new(&service);
    let page = browser.get(&authorization.path()).await;
    let callback = Callback::from_redirect(
        &browser
            .submit(&Form::find(&page, "sign-in"), &[("action", "cancel")])
            .await,
    );
    assert_eq!(
        (callback.error(), callback.get("state")),
        (Some("access_denied"), "the state")
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn authorization_request_by_post_is_accepted() {
    let service = Service::start().await;
    let authorization = AuthorizationRequest::new(&service, "openid");
    let mut browser = UserAgent::new(&service);
    let page = browser
        .post("/oauth/v2/authorize", &fields(&authorization))
        .await;
    let password = &service.user(NOURA).password;
    let form = Form::find(&page, "sign-in");
    let callback = Callback::from_redirect(
        &browser
            .submit(&form, &[("username", NOURA), ("password", password)])
            .await,
    );
    assert_eq!(
        service.redeem(&authorization, &callback).await.status,
        StatusCode::OK
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn authorization_request_by_a_form_of_another_site_is_repeated_as_a_get_with_the_cookies() {
    let service = Service::start().await;
    let authorization = AuthorizationRequest::confidential(&service, "openid");
    let mut browser = UserAgent::new(&service);
    browser.sign_in(&service, &authorization, NOURA).await;
    let (path, form) = ("/oauth/v2/authorize", fields(&authorization));
    let site = "https://application.example";
    let answer = browser.post_from(site, path, &form).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.body);
    assert_eq!(answer.header("location"), authorization.path());
    let callback = Callback::from_redirect(&browser.get(answer.header("location")).await);
    assert_eq!(callback.error(), None, "the session is found");
    assert_eq!(
        service.redeem(&authorization, &callback).await.status,
        StatusCode::OK
    );

    let own = &service.running.ready.auth_url;
    let page = browser.post_from(own, path, &form).await;
    assert_eq!(page.status, StatusCode::OK, "answered at once");
    service.running.shutdown().await;
}

/// The parameters of an authorization request, as the fields of a form.
fn fields(authorization: &AuthorizationRequest) -> Vec<(&str, &str)> {
    let pairs = authorization.parameters.iter();
    pairs
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .collect()
}
