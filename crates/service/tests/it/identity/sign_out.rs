//! Signing out: what ends, what redirects, and what does neither.

use crate::fixtures::user_agent::{Attempt, Callback, Form, UserAgent};
use crate::fixtures::{Answer, NOURA, SALEM, Service};
use reqwest::StatusCode;

const PATH: &str = "/oidc/v1/end_session";

#[tokio::test]
async fn an_id_token_ends_its_session_and_leads_back() {
    let service = Service::start().await;
    let (mut browser, attempt, id_token) = signed_in(&service).await;
    let path = path(&[
        ("id_token_hint", &id_token),
        ("client_id", &attempt.client_id),
        ("post_logout_redirect_uri", &attempt.redirect_uri),
        ("state", "bye"),
    ]);
    let callback = Callback::of(&browser.get(&path).await);
    assert_eq!(
        (callback.uri.as_str(), callback.get("state")),
        (&*attempt.redirect_uri, "bye")
    );
    assert!(
        !is_signed_in(&mut browser, &attempt).await,
        "nobody is signed in any more"
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn the_session_ends_on_the_server_even_if_another_browser_asks_and_the_id_token_is_old() {
    let service = Service::start().await;
    let (mut browser, attempt, id_token) = signed_in(&service).await;
    service.clock.forward(11 * 60 * 60);
    let answer = service.post(PATH, &[("id_token_hint", &id_token)]).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
    assert!(
        !is_signed_in(&mut browser, &attempt).await,
        "the first browser is signed out"
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn an_id_token_of_one_session_leaves_another_alone() {
    let service = Service::start().await;
    let (mut browser, attempt, _) = signed_in(&service).await;
    let salem = service.sign_in(SALEM).await;
    let answer = browser
        .get(&path(&[("id_token_hint", salem.text("id_token"))]))
        .await;
    assert_eq!(answer.status, StatusCode::OK);
    assert!(
        is_signed_in(&mut browser, &attempt).await,
        "that was somebody else's"
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn what_does_not_fit_neither_signs_out_nor_redirects() {
    let service = Service::start().await;
    let (mut browser, attempt, id_token) = signed_in(&service).await;
    let id_token = id_token.as_str();
    let forged = forged(id_token);
    let (uri, client) = (attempt.redirect_uri.as_str(), attempt.client_id.as_str());
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
        let answer = browser.get(&path(parameters)).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{parameters:?}");
        assert!(!answer.headers.contains_key("location"), "{parameters:?}");
        assert!(
            is_signed_in(&mut browser, &attempt).await,
            "{parameters:?} signed out"
        );
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn without_an_id_token_the_person_is_asked() {
    let service = Service::start().await;
    let (mut browser, attempt, _) = signed_in(&service).await;
    let page = browser.get(&path(&[("state", "x")])).await;
    assert!(
        page.body.contains("Noura Al-Harbi"),
        "it says who is signed in"
    );
    assert!(
        is_signed_in(&mut browser, &attempt).await,
        "opening the page ends nothing"
    );

    let foreign = UserAgent::new(&service).get(&path(&[("state", "x")])).await;
    assert_eq!(
        foreign.status,
        StatusCode::OK,
        "nobody is signed in there: the page says so"
    );
    browser.post(&path(&[]), &[("page", "1.forged")]).await;
    assert!(
        is_signed_in(&mut browser, &attempt).await,
        "a form from elsewhere ends nothing"
    );

    let done = browser.submit(&Form::of(&page, "sign-out"), &[]).await;
    assert_eq!(done.status, StatusCode::OK);
    assert!(!is_signed_in(&mut browser, &attempt).await, "now it ended");
    service.running.shutdown().await;
}

async fn signed_in(service: &Service) -> (UserAgent, Attempt, String) {
    let attempt = Attempt::new(service, "openid");
    let mut browser = UserAgent::new(service);
    let callback = browser.sign_in(service, &attempt, NOURA).await;
    let tokens = service.redeem(&attempt, &callback).await;
    let id_token = tokens.text("id_token").to_owned();
    (browser, attempt, id_token)
}

async fn is_signed_in(browser: &mut UserAgent, attempt: &Attempt) -> bool {
    let answer: Answer = browser
        .get(&attempt.clone().with("prompt", "none").path())
        .await;
    Callback::of(&answer).error().is_none()
}

fn path(parameters: &[(&str, &str)]) -> String {
    let query = url::form_urlencoded::Serializer::new(String::new())
        .extend_pairs(parameters)
        .finish();
    format!("{PATH}?{query}")
}

/// The same claims, signed with nothing (alg none).
fn forged(id_token: &str) -> String {
    use base64::Engine as _;
    let header = base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(r#"{"alg":"none"}"#);
    let payload = id_token.split('.').nth(1).expect("a JWT has three parts");
    format!("{header}.{payload}.")
}
