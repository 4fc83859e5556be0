//! Tests of authorization request validation and of authorization codes.

use crate::fixtures::user_agent::{AuthorizationRequest, Callback, UserAgent};
use crate::fixtures::{NOURA, Service};
use invoicing_contract::ready::ApplicationKind;
use reqwest::StatusCode;

#[tokio::test]
async fn unknown_client_or_redirect_uri_returns_400_without_redirect() {
    let service = Service::start().await;
    let authorization = AuthorizationRequest::new(&service, "openid");
    let machine = service
        .application(ApplicationKind::Machine)
        .client_id
        .clone();
    let registered = authorization.redirect_uri.clone();
    let mut cases = vec![
        ("no application", authorization.clone().without("client_id")),
        (
            "an unknown client",
            authorization.clone().with("client_id", "nobody"),
        ),
        (
            "a client without users",
            authorization.clone().with("client_id", &machine),
        ),
        ("no address", authorization.clone().without("redirect_uri")),
    ];
    for address in [
        "https://evil.example/".to_owned(),
        format!("{registered}/"),
        format!("{registered}?a=b"),
        format!("{registered}#a"),
        registered.to_uppercase(),
        "http://127.0.0.1@evil.example/oauth/local".to_owned(),
        "https://books.alkhair.example/callback".to_owned(),
    ] {
        cases.push((
            "another address",
            authorization.clone().with("redirect_uri", &address),
        ));
    }
    let mut browser = UserAgent::new(&service);
    for (case, authorization) in cases {
        let page = browser.get(&authorization.path()).await;
        assert_eq!(
            page.status,
            StatusCode::BAD_REQUEST,
            "{case}: {:?}",
            authorization.redirect_uri
        );
        assert!(!page.headers.contains_key("location"), "{case}");
        assert!(page.body.contains("<h1>"), "{case}: an HTML error page");
    }
    let twice = browser
        .get(&format!("{}&state=2", authorization.path()))
        .await;
    assert_eq!(twice.status, StatusCode::BAD_REQUEST, "a parameter twice");
    assert!(!twice.headers.contains_key("location"), "a parameter twice");
    service.running.shutdown().await;
}

#[tokio::test]
async fn invalid_authorization_request_redirects_with_error_and_state() {
    let service = Service::start().await;
    let authorization = AuthorizationRequest::new(&service, "openid");
    let foreign = service.names.audience_scope("318930470000000003");
    let cases = [
        (
            authorization.clone().without("response_type"),
            "invalid_request",
        ),
        (
            authorization.clone().with("response_type", "token"),
            "unsupported_response_type",
        ),
        (
            authorization.clone().with("response_mode", "fragment"),
            "invalid_request",
        ),
        (
            authorization.clone().without("code_challenge"),
            "invalid_request",
        ),
        (
            authorization
                .clone()
                .without("code_challenge")
                .without("code_challenge_method"),
            "invalid_request",
        ),
        (
            authorization.clone().without("code_challenge_method"),
            "invalid_request",
        ),
        (
            authorization.clone().with("code_challenge_method", "plain"),
            "invalid_request",
        ),
        (
            authorization.clone().with("code_challenge", "short"),
            "invalid_request",
        ),
        (
            authorization.clone().with("prompt", "none login"),
            "invalid_request",
        ),
        (
            authorization.clone().with("prompt", "dance"),
            "invalid_request",
        ),
        (
            authorization.clone().with("max_age", "-1"),
            "invalid_request",
        ),
        (
            authorization.clone().with("request", "e30.e30."),
            "request_not_supported",
        ),
        (
            authorization
                .clone()
                .with("request_uri", "https://a.example/"),
            "request_uri_not_supported",
        ),
        (
            authorization.clone().with("scope", &foreign),
            "invalid_client",
        ),
    ];
    let mut browser = UserAgent::new(&service);
    for (authorization, error) in cases {
        let callback = Callback::from_redirect(&browser.get(&authorization.path()).await);
        assert_eq!(
            callback.error(),
            Some(error),
            "{:?}",
            authorization.parameters
        );
        assert_eq!(callback.uri, authorization.redirect_uri);
        assert_eq!(
            (callback.get("state"), callback.get("iss")),
            ("the state", &*service.running.ready.auth_url)
        );
    }
    let unknown = browser
        .get(&authorization.with("colour", "blue").path())
        .await;
    assert_eq!(
        unknown.status,
        StatusCode::OK,
        "an unknown parameter is ignored"
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn code_requires_matching_client_redirect_uri_and_verifier() {
    let service = Service::start().await;
    let authorization = AuthorizationRequest::new(&service, "openid");
    let callback = UserAgent::new(&service)
        .sign_in(&service, &authorization, NOURA)
        .await;
    let code = callback.get("code").to_owned();
    let grant = ("grant_type", "authorization_code");
    let ours = [
        ("client_id", authorization.client_id.as_str()),
        ("redirect_uri", authorization.redirect_uri.as_str()),
    ];
    let web = service.application(ApplicationKind::Confidential);
    let web = [
        ("client_id", web.client_id.as_str()),
        ("client_secret", web.client_secret.as_deref().unwrap()),
    ];
    let [client, redirect] = ours;
    let verifier = ("code_verifier", authorization.verifier.as_str());
    let code = ("code", code.as_str());

    let other = "b".repeat(50);
    type Case<'a> = (&'a str, Vec<(&'a str, &'a str)>, &'a str);
    let refused: [Case<'_>; 8] = [
        (
            "another verifier",
            vec![grant, client, redirect, code, ("code_verifier", &other)],
            "invalid_grant",
        ),
        (
            "a short verifier",
            vec![grant, client, redirect, code, ("code_verifier", "short")],
            "invalid_grant",
        ),
        (
            "no verifier",
            vec![grant, client, redirect, code],
            "invalid_grant",
        ),
        (
            "another address",
            vec![
                grant,
                client,
                ("redirect_uri", "http://[::1]/oauth/local"),
                code,
                verifier,
            ],
            "invalid_grant",
        ),
        (
            "no address",
            vec![grant, client, code, verifier],
            "invalid_request",
        ),
        (
            "another application",
            [&web[..], &[grant, redirect, code, verifier]].concat(),
            "invalid_grant",
        ),
        (
            "another code",
            vec![grant, client, redirect, ("code", &other), verifier],
            "invalid_grant",
        ),
        (
            "a secret",
            vec![
                grant,
                client,
                ("client_secret", "x"),
                redirect,
                code,
                verifier,
            ],
            "invalid_client",
        ),
    ];
    for (case, form, error) in refused {
        let response = service.token(&form).await;
        assert_eq!(
            (response.status.as_u16(), response.json["error"].as_str()),
            (400, Some(error)),
            "{case}"
        );
    }
    let redeemed = service.redeem(&authorization, &callback).await;
    assert_eq!(
        redeemed.status,
        StatusCode::OK,
        "failed redemptions do not consume the code: {}",
        redeemed.body
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn code_expires_after_one_minute() {
    let service = Service::start().await;
    let authorization = AuthorizationRequest::new(&service, "openid");
    let mut browser = UserAgent::new(&service);
    let callback = browser.sign_in(&service, &authorization, NOURA).await;
    service.clock.advance(61);
    service
        .redeem(&authorization, &callback)
        .await
        .is_oauth_error(400, "invalid_grant");
    service.running.shutdown().await;
}

#[tokio::test]
async fn code_replay_returns_invalid_grant_and_revokes_its_tokens() {
    let service = Service::start().await;
    let authorization = AuthorizationRequest::new(&service, &service.desktop_scope());
    let callback = UserAgent::new(&service)
        .sign_in(&service, &authorization, NOURA)
        .await;
    let first = service.redeem(&authorization, &callback).await;
    assert_eq!(
        service.userinfo(first.text("access_token")).await.status,
        StatusCode::OK
    );

    service
        .redeem(&authorization, &callback)
        .await
        .is_oauth_error(400, "invalid_grant");
    assert_eq!(
        service.userinfo(first.text("access_token")).await.status,
        StatusCode::UNAUTHORIZED
    );
    service
        .refresh(first.text("refresh_token"))
        .await
        .is_oauth_error(400, "invalid_grant");
    service.running.shutdown().await;
}

#[tokio::test]
async fn twenty_concurrent_redemptions_of_a_code_yield_at_most_one_success() {
    let service = Service::start().await;
    let authorization = AuthorizationRequest::new(&service, "openid");
    let callback = UserAgent::new(&service)
        .sign_in(&service, &authorization, NOURA)
        .await;
    let responses =
        crate::fixtures::send_concurrently(20, || service.redeem(&authorization, &callback)).await;
    let redeemed = responses
        .iter()
        .filter(|response| response.status == StatusCode::OK)
        .count();
    assert_eq!(redeemed, 1, "at most one redemption succeeds");
    for response in responses
        .iter()
        .filter(|response| response.status != StatusCode::OK)
    {
        response.is_oauth_error(400, "invalid_grant");
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn confidential_client_needs_its_secret_and_may_omit_pkce() {
    let service = Service::start().await;
    let web = service.application(ApplicationKind::Confidential);
    let authorization = AuthorizationRequest::new(&service, "openid")
        .with("client_id", &web.client_id)
        .with("redirect_uri", &web.redirect_uris[0])
        .without("code_challenge")
        .without("code_challenge_method");
    let callback = UserAgent::new(&service)
        .sign_in(&service, &authorization, NOURA)
        .await;
    let secret = web.client_secret.as_deref().unwrap();
    let form = [
        ("grant_type", "authorization_code"),
        ("client_id", &*web.client_id),
        ("code", callback.get("code")),
        ("redirect_uri", &authorization.redirect_uri),
    ];
    service
        .token(&form)
        .await
        .is_oauth_error(400, "invalid_client");
    let with_verifier = [
        &form[..],
        &[
            ("client_secret", secret),
            ("code_verifier", &authorization.verifier),
        ],
    ]
    .concat();
    service
        .token(&with_verifier)
        .await
        .is_oauth_error(400, "invalid_grant");
    let response = service
        .token(&[&form[..], &[("client_secret", secret)]].concat())
        .await;
    assert_eq!(response.status, StatusCode::OK, "{}", response.body);
    assert_eq!(
        response.json.get("refresh_token"),
        None,
        "offline_access was not asked for"
    );
    service.running.shutdown().await;
}
