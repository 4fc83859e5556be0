//! What the authorization endpoint refuses, and what a code is good for.

use crate::fixtures::user_agent::{Attempt, Callback, UserAgent};
use crate::fixtures::{NOURA, Service};
use invoicing_contract::ready::ApplicationKind;
use reqwest::StatusCode;

#[tokio::test]
async fn without_a_known_application_and_its_address_nothing_redirects() {
    let service = Service::start().await;
    let attempt = Attempt::new(&service, "openid");
    let machine = service
        .application(ApplicationKind::Machine)
        .client_id
        .clone();
    let registered = attempt.redirect_uri.clone();
    let mut cases = vec![
        ("no application", attempt.clone().without("client_id")),
        (
            "an unknown application",
            attempt.clone().with("client_id", "nobody"),
        ),
        (
            "an application without people",
            attempt.clone().with("client_id", &machine),
        ),
        ("no address", attempt.clone().without("redirect_uri")),
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
            attempt.clone().with("redirect_uri", &address),
        ));
    }
    let mut browser = UserAgent::new(&service);
    for (case, attempt) in cases {
        let page = browser.get(&attempt.path()).await;
        assert_eq!(
            page.status,
            StatusCode::BAD_REQUEST,
            "{case}: {:?}",
            attempt.redirect_uri
        );
        assert!(!page.headers.contains_key("location"), "{case}");
        assert!(page.body.contains("<h1>"), "{case}: a page for people");
    }
    let twice = browser.get(&format!("{}&state=2", attempt.path())).await;
    assert_eq!(twice.status, StatusCode::BAD_REQUEST, "a parameter twice");
    assert!(!twice.headers.contains_key("location"), "a parameter twice");
    service.running.shutdown().await;
}

#[tokio::test]
async fn what_is_wrong_otherwise_the_application_hears_with_its_state() {
    let service = Service::start().await;
    let attempt = Attempt::new(&service, "openid");
    let foreign = service.names.audience_scope("318930470000000003");
    let cases = [
        (attempt.clone().without("response_type"), "invalid_request"),
        (
            attempt.clone().with("response_type", "token"),
            "unsupported_response_type",
        ),
        (
            attempt.clone().with("response_mode", "fragment"),
            "invalid_request",
        ),
        (attempt.clone().without("code_challenge"), "invalid_request"),
        (
            attempt
                .clone()
                .without("code_challenge")
                .without("code_challenge_method"),
            "invalid_request",
        ),
        (
            attempt.clone().without("code_challenge_method"),
            "invalid_request",
        ),
        (
            attempt.clone().with("code_challenge_method", "plain"),
            "invalid_request",
        ),
        (
            attempt.clone().with("code_challenge", "short"),
            "invalid_request",
        ),
        (
            attempt.clone().with("prompt", "none login"),
            "invalid_request",
        ),
        (attempt.clone().with("prompt", "dance"), "invalid_request"),
        (attempt.clone().with("max_age", "-1"), "invalid_request"),
        (
            attempt.clone().with("request", "e30.e30."),
            "request_not_supported",
        ),
        (
            attempt.clone().with("request_uri", "https://a.example/"),
            "request_uri_not_supported",
        ),
        (attempt.clone().with("scope", &foreign), "invalid_client"),
    ];
    let mut browser = UserAgent::new(&service);
    for (attempt, error) in cases {
        let callback = Callback::of(&browser.get(&attempt.path()).await);
        assert_eq!(callback.error(), Some(error), "{:?}", attempt.parameters);
        assert_eq!(callback.uri, attempt.redirect_uri);
        assert_eq!(
            (callback.get("state"), callback.get("iss")),
            ("the state", &*service.running.ready.auth_url)
        );
    }
    let unknown = browser.get(&attempt.with("colour", "blue").path()).await;
    assert_eq!(
        unknown.status,
        StatusCode::OK,
        "an unknown parameter is ignored"
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn a_code_is_good_for_its_application_its_address_and_its_verifier_only() {
    let service = Service::start().await;
    let attempt = Attempt::new(&service, "openid");
    let callback = UserAgent::new(&service)
        .sign_in(&service, &attempt, NOURA)
        .await;
    let code = callback.get("code").to_owned();
    let grant = ("grant_type", "authorization_code");
    let ours = [
        ("client_id", attempt.client_id.as_str()),
        ("redirect_uri", attempt.redirect_uri.as_str()),
    ];
    let web = service.application(ApplicationKind::Confidential);
    let web = [
        ("client_id", web.client_id.as_str()),
        ("client_secret", web.client_secret.as_deref().unwrap()),
    ];
    let [client, redirect] = ours;
    let verifier = ("code_verifier", attempt.verifier.as_str());
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
        let answer = service.token(&form).await;
        assert_eq!(
            (answer.status.as_u16(), answer.json["error"].as_str()),
            (400, Some(error)),
            "{case}"
        );
    }
    let redeemed = service.redeem(&attempt, &callback).await;
    assert_eq!(
        redeemed.status,
        StatusCode::OK,
        "none of that spent the code: {}",
        redeemed.body
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn a_code_lives_for_a_minute() {
    let service = Service::start().await;
    let attempt = Attempt::new(&service, "openid");
    let mut browser = UserAgent::new(&service);
    let callback = browser.sign_in(&service, &attempt, NOURA).await;
    service.clock.forward(61);
    service
        .redeem(&attempt, &callback)
        .await
        .is_oauth_error(400, "invalid_grant");
    service.running.shutdown().await;
}

#[tokio::test]
async fn a_code_presented_twice_gives_nothing_and_revokes_what_it_gave() {
    let service = Service::start().await;
    let attempt = Attempt::new(&service, &service.desktop_scope());
    let callback = UserAgent::new(&service)
        .sign_in(&service, &attempt, NOURA)
        .await;
    let first = service.redeem(&attempt, &callback).await;
    assert_eq!(
        service.userinfo(first.text("access_token")).await.status,
        StatusCode::OK
    );

    service
        .redeem(&attempt, &callback)
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
async fn of_twenty_who_redeem_one_code_at_once_at_most_one_gets_tokens() {
    let service = Service::start().await;
    let attempt = Attempt::new(&service, "openid");
    let callback = UserAgent::new(&service)
        .sign_in(&service, &attempt, NOURA)
        .await;
    let answers = crate::fixtures::at_once(20, || service.redeem(&attempt, &callback)).await;
    let redeemed = answers
        .iter()
        .filter(|answer| answer.status == StatusCode::OK)
        .count();
    assert_eq!(redeemed, 1, "one wins the race");
    for answer in answers
        .iter()
        .filter(|answer| answer.status != StatusCode::OK)
    {
        answer.is_oauth_error(400, "invalid_grant");
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn a_confidential_application_needs_its_secret_and_may_leave_out_pkce() {
    let service = Service::start().await;
    let web = service.application(ApplicationKind::Confidential);
    let attempt = Attempt::new(&service, "openid")
        .with("client_id", &web.client_id)
        .with("redirect_uri", &web.redirect_uris[0])
        .without("code_challenge")
        .without("code_challenge_method");
    let callback = UserAgent::new(&service)
        .sign_in(&service, &attempt, NOURA)
        .await;
    let secret = web.client_secret.as_deref().unwrap();
    let form = [
        ("grant_type", "authorization_code"),
        ("client_id", &*web.client_id),
        ("code", callback.get("code")),
        ("redirect_uri", &attempt.redirect_uri),
    ];
    service
        .token(&form)
        .await
        .is_oauth_error(400, "invalid_client");
    let with_verifier = [
        &form[..],
        &[
            ("client_secret", secret),
            ("code_verifier", &attempt.verifier),
        ],
    ]
    .concat();
    service
        .token(&with_verifier)
        .await
        .is_oauth_error(400, "invalid_grant");
    let answer = service
        .token(&[&form[..], &[("client_secret", secret)]].concat())
        .await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
    assert_eq!(
        answer.json.get("refresh_token"),
        None,
        "offline_access was not asked for"
    );
    service.running.shutdown().await;
}
