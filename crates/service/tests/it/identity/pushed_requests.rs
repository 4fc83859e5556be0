//! Tests of pushed authorization requests (RFC 9126): what a public application may do with its access token, and what another
//! program cannot do without it.

use crate::fixtures::user_agent::{
    AuthorizationRequest, Callback, Form, UserAgent, unverified_claims,
};
use crate::fixtures::{HOME, NOURA, NOURA_ID, Response, SALEM, SALEM_ID, Service};
use reqwest::StatusCode;
use serde_json::json;

/// Where another program on the person's computer listens.
const OTHER_PORT: &str = "http://127.0.0.1:49152/oauth/local";

#[tokio::test]
async fn request_pushed_with_an_own_access_token_gets_one_code_without_a_click() {
    let service = Service::start().await;
    let authorization = AuthorizationRequest::new(&service, &service.desktop_scope());
    let mut browser = UserAgent::new(&service);
    let callback = browser.sign_in(&service, &authorization, NOURA).await;
    let tokens = service.redeem(&authorization, &callback).await;
    let access_token = tokens.text("access_token");
    // Another person is signed in with the same browser, more recently.
    let salem = authorization.clone().with("prompt", "login");
    browser.sign_in(&service, &salem, SALEM).await;

    for silent in [
        authorization.clone(),
        authorization.clone().with("prompt", "none"),
    ] {
        let pushed = service.push(&silent, Some(access_token)).await;
        assert_eq!(pushed.status, StatusCode::CREATED, "{}", pushed.body);
        assert_eq!(pushed.header("cache-control"), "no-store");
        assert_eq!(pushed.json["expires_in"], json!(90));
        let callback = Callback::from_redirect(&browser.get(&silent.pushed_path(&pushed)).await);
        assert_eq!(callback.get("state"), "the state");
        let renewed = service.redeem(&silent, &callback).await;
        assert_eq!(renewed.status, StatusCode::OK, "{}", renewed.body);
        let claims = unverified_claims(renewed.text("id_token"));
        assert_eq!(
            (&claims["sub"], &claims["nonce"]),
            (&json!(NOURA_ID), &json!("the nonce"))
        );

        let again = Callback::from_redirect(&browser.get(&silent.pushed_path(&pushed)).await);
        assert_eq!(
            again.error(),
            Some("invalid_request_uri"),
            "it is used once"
        );
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn parameter_with_u_0000_is_an_invalid_request_on_both_engines() {
    let service = Service::start().await;
    let authorization = AuthorizationRequest::new(&service, "openid").with("nonce", "the\0nonce");
    let refused = service.push(&authorization, None).await;
    assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{}", refused.body);
    assert_eq!(refused.text("error"), "invalid_request");
    service.running.shutdown().await;
}

#[tokio::test]
async fn request_pushed_for_somebody_who_is_not_signed_in_with_the_browser_gets_no_code() {
    let service = Service::start().await;
    let noura = service.sign_in(NOURA).await;
    let authorization = AuthorizationRequest::new(&service, "openid");
    let mut browser = UserAgent::new(&service);
    browser.sign_in(&service, &authorization, SALEM).await;
    let silent = authorization.clone().with("prompt", "none");
    let pushed = service
        .push(&silent, Some(noura.text("access_token")))
        .await;
    let callback = Callback::from_redirect(&browser.get(&silent.pushed_path(&pushed)).await);
    assert_eq!(callback.error(), Some("login_required"));

    let pushed = service
        .push(&authorization, Some(noura.text("access_token")))
        .await;
    let page = browser.get(&authorization.pushed_path(&pushed)).await;
    Form::find(&page, "choose");
    service.running.shutdown().await;
}

#[tokio::test]
async fn local_program_without_an_own_access_token_gets_no_code_without_a_click() {
    let service = Service::start().await;
    service.grant(NOURA_ID, HOME, "administrator").await;
    let authorization = AuthorizationRequest::new(&service, &service.desktop_scope());
    let mut browser = UserAgent::new(&service);
    let callback = browser.sign_in(&service, &authorization, NOURA).await;
    let stolen = service.redeem(&authorization, &callback).await;
    let id_token = stolen.text("id_token");
    let attack = authorization.clone().with("redirect_uri", OTHER_PORT);

    // The person clicks, or there is no code: with and without a stolen id_token, pushed or not.
    for attack in [
        attack.clone(),
        attack.clone().with("id_token_hint", id_token),
    ] {
        let silent = attack.clone().with("prompt", "none");
        let pushed = service.push(&silent, None).await;
        assert_eq!(pushed.status, StatusCode::CREATED, "{}", pushed.body);
        for path in [silent.path(), silent.pushed_path(&pushed)] {
            let callback = Callback::from_redirect(&browser.get(&path).await);
            assert_eq!(callback.error(), Some("interaction_required"));
        }
        let pushed = service.push(&attack, None).await;
        for path in [attack.path(), attack.pushed_path(&pushed)] {
            let page = browser.get(&path).await;
            assert_eq!(page.status, StatusCode::OK, "{}", page.body);
            Form::find(&page, "choose");
        }
    }

    // Access tokens that are not of a sign-in of this application.
    let silent = attack.with("prompt", "none");
    let web = AuthorizationRequest::confidential(&service, &service.desktop_scope());
    let web = service.sign_in_to(&web, NOURA).await;
    let impersonation = service
        .http
        .post(service.base("/api/v2/admin/impersonate"))
        .bearer_auth(stolen.text("access_token"))
        .json(&json!({"userId": SALEM_ID}));
    let impersonation = Response::read(impersonation.send().await.expect("a response")).await;
    assert_eq!(
        impersonation.status,
        StatusCode::OK,
        "{}",
        impersonation.body
    );
    let administration = service.administration().await;
    let (_, pat) = administration
        .mint_pat("nightly-import", "test", 60)
        .await
        .unwrap();
    let revoked = service.sign_in(NOURA).await;
    let revoking = [
        ("client_id", "invoice-desk"),
        ("token", revoked.text("access_token")),
    ];
    let done = service.post("/oauth/v2/revoke", &revoking).await;
    assert_eq!(done.status, StatusCode::OK, "{}", done.body);
    let signed_out = service.sign_in(NOURA).await;
    let revoking = [
        ("client_id", "invoice-desk"),
        ("token", signed_out.text("refresh_token")),
    ];
    service.post("/oauth/v2/revoke", &revoking).await;
    let machine = service.machine_token(&service.audience_scope()).await;
    for (case, token) in [
        ("another application's", web.text("access_token")),
        ("an impersonation", impersonation.text("accessToken")),
        ("a machine's", &machine),
        ("a personal access token", pat.expose()),
        ("a revoked one", revoked.text("access_token")),
        (
            "one of a sign-in that ended",
            signed_out.text("access_token"),
        ),
        ("an id_token", id_token),
        ("a refresh token", stolen.text("refresh_token")),
        ("none", "none"),
    ] {
        let refused = service.push(&silent, Some(token)).await;
        refused.is_oauth_error(401, "invalid_token");
        assert_eq!(
            refused.header("www-authenticate"),
            "Bearer error=\"invalid_token\"",
            "{case}"
        );
    }
    service.clock.advance(43_200);
    let expired = service
        .push(&silent, Some(stolen.text("access_token")))
        .await;
    expired.is_oauth_error(401, "invalid_token");
    service.running.shutdown().await;
}

#[tokio::test]
async fn pushed_request_ends_with_its_access_token_its_time_and_its_application() {
    let service = Service::start().await;
    let authorization = AuthorizationRequest::new(&service, &service.desktop_scope());
    let mut browser = UserAgent::new(&service);
    let callback = browser.sign_in(&service, &authorization, NOURA).await;
    let tokens = service.redeem(&authorization, &callback).await;
    let silent = authorization.with("prompt", "none");
    let push = async || {
        service
            .push(&silent, Some(tokens.text("access_token")))
            .await
    };

    let pushed = push().await;
    let of_another = AuthorizationRequest::confidential(&service, "openid");
    let made_up = AuthorizationRequest {
        client_id: "nobody".to_owned(),
        ..silent.clone()
    };
    for authorization in [of_another, made_up] {
        let page = browser.get(&authorization.pushed_path(&pushed)).await;
        assert_eq!(page.status, StatusCode::BAD_REQUEST);
        assert!(!page.headers.contains_key("location"));
    }
    let unknown = format!(
        "/oauth/v2/authorize?client_id={}&request_uri=urn:ietf:params:oauth:request_uri:{}",
        silent.client_id,
        "A".repeat(43)
    );
    let page = browser.get(&unknown).await;
    assert_eq!(page.status, StatusCode::BAD_REQUEST);
    assert!(page.body.contains("That link is too old"), "{}", page.body);
    let callback = Callback::from_redirect(&browser.get(&silent.pushed_path(&pushed)).await);
    assert_eq!(
        callback.error(),
        None,
        "nobody else has used it: {callback:?}"
    );

    let pushed = push().await;
    service.clock.advance(90);
    let callback = Callback::from_redirect(&browser.get(&silent.pushed_path(&pushed)).await);
    assert_eq!(callback.error(), Some("invalid_request_uri"), "90 seconds");

    let pushed = push().await;
    let revoking = [
        ("client_id", "invoice-desk"),
        ("token", tokens.text("refresh_token")),
    ];
    service.post("/oauth/v2/revoke", &revoking).await;
    let callback = Callback::from_redirect(&browser.get(&silent.pushed_path(&pushed)).await);
    assert_eq!(
        callback.error(),
        Some("interaction_required"),
        "the sign-in was revoked"
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn invalid_pushed_request_is_refused_with_the_error_of_its_parameter() {
    let service = Service::start().await;
    let noura = service.sign_in(NOURA).await;
    let salem = service.sign_in(SALEM).await;
    let token = Some(noura.text("access_token"));
    let valid = AuthorizationRequest::new(&service, "openid");
    let organization = service.names.organization_scope(HOME);
    let foreign = service.names.audience_scope("318930470000000003");
    let long = "x".repeat(2_000);
    for (request, error) in [
        (valid.clone().without("client_id"), "invalid_request"),
        (valid.clone().without("redirect_uri"), "invalid_request"),
        (
            valid.clone().with("redirect_uri", "https://evil.example/"),
            "invalid_request",
        ),
        (valid.clone().without("response_type"), "invalid_request"),
        (
            valid.clone().with("response_type", "token"),
            "unsupported_response_type",
        ),
        (
            valid.clone().with("response_mode", "fragment"),
            "invalid_request",
        ),
        (valid.clone().without("code_challenge"), "invalid_request"),
        (
            valid.clone().with("code_challenge_method", "plain"),
            "invalid_request",
        ),
        (
            valid.clone().with("prompt", "none login"),
            "invalid_request",
        ),
        (valid.clone().with("max_age", "soon"), "invalid_request"),
        (
            valid.clone().with("request", "e30.e30."),
            "request_not_supported",
        ),
        (
            valid
                .clone()
                .with("request_uri", "urn:ietf:params:oauth:request_uri:x"),
            "invalid_request",
        ),
        (valid.clone().without("scope"), "invalid_scope"),
        (valid.clone().with("scope", &organization), "invalid_scope"),
        (valid.clone().with("scope", &foreign), "invalid_client"),
        (
            valid.clone().with("id_token_hint", "garbage"),
            "invalid_request",
        ),
        (
            valid.clone().with("id_token_hint", salem.text("id_token")),
            "invalid_request",
        ),
        (
            valid.clone().with("client_secret", "secret"),
            "invalid_request",
        ),
        (
            valid.clone().with("state", &"x".repeat(3_000)),
            "invalid_request",
        ),
        (
            (0..8).fold(valid.clone(), |request, each| {
                request.with(&format!("x{each}"), &long)
            }),
            "invalid_request",
        ),
    ] {
        let response = service.push(&request, token).await;
        assert_eq!(
            response.json["error"],
            json!(error),
            "{:?}",
            request.parameters
        );
        response.is_oauth_error(400, error);
    }

    let web = AuthorizationRequest::confidential(&service, "openid");
    let accepted = service.push(&web, None).await;
    assert_eq!(accepted.status, StatusCode::CREATED, "{}", accepted.body);
    let mut wrong = web.clone();
    wrong.client_secret = Some("wrong".to_owned());
    service
        .push(&wrong, None)
        .await
        .is_oauth_error(400, "invalid_client");
    wrong.client_secret = None;
    service
        .push(&wrong, None)
        .await
        .is_oauth_error(400, "invalid_client");
    let machine = valid
        .clone()
        .with("client_id", "machine")
        .with("client_secret", "x");
    service
        .push(&machine, None)
        .await
        .is_oauth_error(400, "invalid_client");
    let path = service.auth("/oauth/v2/par");
    let get = service.http.get(&path).send().await.expect("a response");
    assert_eq!(get.status(), StatusCode::METHOD_NOT_ALLOWED);
    let body = format!("x={}", "x".repeat(40_000));
    let large = service
        .http
        .post(&path)
        .header("content-type", "application/x-www-form-urlencoded")
        .body(body);
    let large = large.send().await.expect("a response");
    assert_eq!(large.status(), StatusCode::PAYLOAD_TOO_LARGE);
    service.running.shutdown().await;
}

#[tokio::test]
async fn confidential_application_gets_a_code_for_a_pushed_request_after_its_page() {
    let service = Service::start().await;
    let web = AuthorizationRequest::confidential(&service, "openid").with("ui_locales", "ar");
    let pushed = service.push(&web, None).await;
    let mut browser = UserAgent::new(&service);
    let page = browser.get(&web.pushed_path(&pushed)).await;
    assert!(
        page.body.contains("dir=\"rtl\""),
        "the pushed language: {}",
        page.body
    );
    let form = Form::find(&page, "sign-in");
    let password = &service.user(NOURA).password;
    let fields = [("username", NOURA), ("password", password.as_str())];
    let callback = Callback::from_redirect(&browser.submit(&form, &fields).await);
    let tokens = service.redeem(&web, &callback).await;
    assert_eq!(tokens.status, StatusCode::OK, "{}", tokens.body);
    service.running.shutdown().await;
}
