//! Tests of RP-initiated logout (OpenID Connect RP-Initiated Logout 1.0).

use crate::fixtures::user_agent::{AuthorizationRequest, Callback, Form, UserAgent};
use crate::fixtures::{NOURA, Response, SALEM, Service};
use reqwest::StatusCode;

const PATH: &str = "/oidc/v1/end_session";

#[tokio::test]
async fn end_session_with_id_token_hint_ends_the_session_and_redirects() {
    let service = Service::start().await;
    let (mut browser, authorization, id_token) = signed_in(&service).await;
    let path = path(&[
        ("id_token_hint", &id_token),
        ("client_id", &authorization.client_id),
        ("post_logout_redirect_uri", &authorization.redirect_uri),
        ("state", "bye"),
    ]);
    let callback = Callback::from_redirect(&browser.get(&path).await);
    assert_eq!(
        (callback.uri.as_str(), callback.get("state")),
        (&*authorization.redirect_uri, "bye")
    );
    assert!(
        !is_signed_in(&mut browser, &authorization).await,
        "the session has ended"
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn end_session_from_another_browser_with_an_expired_hint_ends_the_session() {
    let service = Service::start().await;
    let (mut browser, authorization, id_token) = signed_in(&service).await;
    service.clock.advance(11 * 60 * 60);
    let response = service.post(PATH, &[("id_token_hint", &id_token)]).await;
    assert_eq!(response.status, StatusCode::OK, "{}", response.body);
    assert!(
        !is_signed_in(&mut browser, &authorization).await,
        "the first browser is signed out"
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn end_session_with_a_hint_of_another_session_keeps_the_current_one() {
    let service = Service::start().await;
    let (mut browser, authorization, _) = signed_in(&service).await;
    let salem = service.sign_in(SALEM).await;
    let response = browser
        .get(&path(&[("id_token_hint", salem.text("id_token"))]))
        .await;
    assert_eq!(response.status, StatusCode::OK);
    assert!(
        is_signed_in(&mut browser, &authorization).await,
        "the session of the other user is not affected"
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn end_session_in_a_browser_does_not_end_the_session_of_another_browser() {
    let service = Service::start().await;
    let (mut owner, authorization, id_token) = signed_in(&service).await;
    let path = path(&[("id_token_hint", &id_token)]);
    // With a stolen id_token: in a browser of nobody, and in one of another user, who is asked about their own session.
    let stranger = UserAgent::new(&service).get(&path).await;
    assert_eq!(stranger.status, StatusCode::OK, "{}", stranger.body);
    let mut salem = UserAgent::new(&service);
    salem.sign_in(&service, &authorization, SALEM).await;
    let page = salem.get(&path).await;
    assert!(page.body.contains("Salem Al-Otaibi"), "{}", page.body);
    assert!(!page.body.contains("Noura"), "{}", page.body);
    assert!(is_signed_in(&mut salem, &authorization).await);
    assert!(is_signed_in(&mut owner, &authorization).await);
    salem.submit(&Form::find(&page, "sign-out"), &[]).await;
    assert!(!is_signed_in(&mut salem, &authorization).await);
    assert!(
        is_signed_in(&mut owner, &authorization).await,
        "the confirmation of one user ended the session of another"
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn end_session_by_a_form_of_another_site_is_repeated_as_a_get_with_the_cookies() {
    let service = Service::start().await;
    let (mut browser, authorization, id_token) = signed_in(&service).await;
    let form = [("id_token_hint", id_token.as_str()), ("state", "a b&c")];
    let site = "https://application.example";
    let answer = browser.post_from(site, PATH, &form).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER);
    assert!(
        is_signed_in(&mut browser, &authorization).await,
        "a form without the cookies of the browser ended its session"
    );
    let location = answer.headers["location"].to_str().expect("an address");
    assert_eq!(location, path(&form));
    let done = browser.get(location).await;
    assert_eq!(done.status, StatusCode::OK);
    assert!(!is_signed_in(&mut browser, &authorization).await);
    service.running.shutdown().await;
}

#[tokio::test]
async fn confirmation_by_another_site_is_repeated_as_a_get_and_leaves_the_session_cookie() {
    let service = Service::start().await;
    let (mut browser, authorization, _) = signed_in(&service).await;
    for site in ["https://application.example", "null"] {
        let form = [("page", "1.forged")];
        let answer = browser
            .post_from(site, &path(&[("state", "x")]), &form)
            .await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.body);
        assert!(
            !answer.headers.contains_key("set-cookie"),
            "the browser forgot a session that goes on"
        );
        let page = browser.get(answer.header("location")).await;
        assert!(page.body.contains("Noura Al-Harbi"), "{}", page.body);
        assert!(is_signed_in(&mut browser, &authorization).await);
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn invalid_end_session_request_returns_400_and_keeps_the_session() {
    let service = Service::start().await;
    let (mut browser, authorization, id_token) = signed_in(&service).await;
    let id_token = id_token.as_str();
    let forged = forged(id_token);
    let (uri, client) = (
        authorization.redirect_uri.as_str(),
        authorization.client_id.as_str(),
    );
    let longer = format!("{uri}?foo=bar");
    let cases: [&[(&str, &str)]; 8] = [
        &[("id_token_hint", "garbage")],
        &[("id_token_hint", &forged)],
        &[
            ("id_token_hint", &forged),
            ("post_logout_redirect_uri", uri),
        ],
        &[("id_token_hint", id_token), ("client_id", "web")],
        &[
            ("id_token_hint", id_token),
            ("post_logout_redirect_uri", "https://evil.example/"),
        ],
        &[
            ("id_token_hint", id_token),
            ("post_logout_redirect_uri", &longer),
        ],
        &[("client_id", "nobody")],
        &[("post_logout_redirect_uri", uri), ("state", client)],
    ];
    for parameters in cases {
        let response = browser.get(&path(parameters)).await;
        assert_eq!(response.status, StatusCode::BAD_REQUEST, "{parameters:?}");
        assert!(!response.headers.contains_key("location"), "{parameters:?}");
        assert!(
            is_signed_in(&mut browser, &authorization).await,
            "{parameters:?} signed out"
        );
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn end_session_without_id_token_hint_asks_for_confirmation() {
    let service = Service::start().await;
    let (mut browser, authorization, _) = signed_in(&service).await;
    let page = browser.get(&path(&[("state", "x")])).await;
    assert!(
        page.body.contains("Noura Al-Harbi"),
        "the page names the signed-in user"
    );
    assert!(
        is_signed_in(&mut browser, &authorization).await,
        "opening the page does not end the session"
    );

    let foreign = UserAgent::new(&service).get(&path(&[("state", "x")])).await;
    assert_eq!(
        foreign.status,
        StatusCode::OK,
        "a browser without a session gets a page"
    );
    browser.post(&path(&[]), &[("page", "1.forged")]).await;
    assert!(
        is_signed_in(&mut browser, &authorization).await,
        "a form with a forged CSRF token ends no session"
    );

    let done = browser.submit(&Form::find(&page, "sign-out"), &[]).await;
    assert_eq!(done.status, StatusCode::OK);
    assert!(
        !is_signed_in(&mut browser, &authorization).await,
        "the session has ended"
    );
    service.running.shutdown().await;
}

async fn signed_in(service: &Service) -> (UserAgent, AuthorizationRequest, String) {
    let authorization = AuthorizationRequest::new(service, "openid");
    let mut browser = UserAgent::new(service);
    let callback = browser.sign_in(service, &authorization, NOURA).await;
    let tokens = service.redeem(&authorization, &callback).await;
    let id_token = tokens.text("id_token").to_owned();
    (browser, authorization, id_token)
}

async fn is_signed_in(browser: &mut UserAgent, authorization: &AuthorizationRequest) -> bool {
    let response: Response = browser
        .get(&authorization.clone().with("prompt", "none").path())
        .await;
    // A public application gets no code, and learns that somebody is signed in.
    match Callback::from_redirect(&response).error() {
        Some("login_required") => false,
        Some("interaction_required") => true,
        other => panic!("neither answer: {other:?}"),
    }
}

fn path(parameters: &[(&str, &str)]) -> String {
    let query = url::form_urlencoded::Serializer::new(String::new())
        .extend_pairs(parameters)
        .finish();
    format!("{PATH}?{query}")
}

/// The same claims in an unsigned token (`alg` none).
fn forged(id_token: &str) -> String {
    use base64::Engine as _;
    let header = base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(r#"{"alg":"none"}"#);
    let payload = id_token.split('.').nth(1).expect("a JWT has three parts");
    format!("{header}.{payload}.")
}
