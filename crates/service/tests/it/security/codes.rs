//! Security tests of PKCE and redirect URIs: cases 4 and 5.

use invoicing_contract::ready::ApplicationKind;
use reqwest::StatusCode;

use crate::fixtures::user_agent::{AuthorizationRequest, Callback, UserAgent};
use crate::fixtures::{NOURA, Service};

#[tokio::test]
async fn case_04_pkce_omission_weakening_and_downgrade_are_rejected() {
    let service = Service::start().await;
    let authorization = AuthorizationRequest::new(&service, "openid");
    let mut browser = UserAgent::new(&service);
    browser.sign_in(&service, &authorization, NOURA).await;
    for weaker in [
        authorization
            .clone()
            .without("code_challenge")
            .without("code_challenge_method"),
        authorization.clone().without("code_challenge_method"),
        authorization.clone().with("code_challenge_method", "plain"),
        authorization.clone().with("code_challenge", "tooshort"),
    ] {
        let callback = Callback::from_redirect(&browser.get(&weaker.path()).await);
        assert_eq!(
            callback.error(),
            Some("invalid_request"),
            "{:?}",
            weaker.parameters
        );
    }

    let code = async |browser: &mut UserAgent, authorization: &AuthorizationRequest| {
        let callback = browser.continue_as(authorization, "Noura Al-Harbi").await;
        callback.get("code").to_owned()
    };
    let long = "x".repeat(129);
    for verifier in [
        None,
        Some(""),
        Some("short"),
        Some(long.as_str()),
        Some("a-verifier-of-a-test-that-is-long-enough-012345678X"),
        Some("a-verifier-of-a-test-that-is-long-enough-0123456789 "),
        Some("a-verifier-with-ünreserved-characters-that-is-long-enough"),
    ] {
        let code = code(&mut browser, &authorization).await;
        let mut form = vec![
            ("grant_type", "authorization_code"),
            ("client_id", &*authorization.client_id),
            ("code", &code),
            ("redirect_uri", &authorization.redirect_uri),
        ];
        form.extend(verifier.map(|verifier| ("code_verifier", verifier)));
        service
            .token(&form)
            .await
            .is_oauth_error(400, "invalid_grant");
    }

    // PKCE downgrade: an attacker removes the challenge from the request; the victim's client still sends its verifier.
    let web = service.application(ApplicationKind::Confidential).clone();
    let dropped = authorization
        .clone()
        .with("client_id", &web.client_id)
        .with("redirect_uri", &web.redirect_uris[0])
        .without("code_challenge")
        .without("code_challenge_method");
    let callback = Callback::from_redirect(&browser.get(&dropped.path()).await);
    let code = callback.get("code");
    let form = [
        ("grant_type", "authorization_code"),
        ("client_id", &*web.client_id),
        ("client_secret", web.client_secret.as_deref().unwrap()),
        ("code", code),
        ("redirect_uri", &web.redirect_uris[0]),
        ("code_verifier", &authorization.verifier),
    ];
    service
        .token(&form)
        .await
        .is_oauth_error(400, "invalid_grant");
    service.running.shutdown().await;
}

#[tokio::test]
async fn case_05_only_an_exact_redirect_uri_is_accepted() {
    let service = Service::start().await;
    let web = service.application(ApplicationKind::Confidential).clone();
    let registered = web.redirect_uris[0].as_str();
    let (scheme, rest) = registered.split_once("://").unwrap();
    let (host, path) = rest.split_once('/').unwrap();
    let authorization =
        AuthorizationRequest::new(&service, "openid").with("client_id", &web.client_id);
    let mut browser = UserAgent::new(&service);
    for almost in [
        format!("{scheme}://{}/{path}", host.to_uppercase()),
        format!("{scheme}://{host}/{}", path.to_uppercase()),
        format!("{registered}/"),
        format!("{registered}/.."),
        format!("{scheme}://{host}/x/../{path}"),
        format!("{scheme}://{host}/%2e/{path}"),
        format!("{scheme}://user@{host}/{path}"),
        format!("{scheme}://{host}@evil.example/{path}"),
        format!("{registered}?a=b"),
        format!("{registered}#a"),
        format!("{scheme}://evil.{host}/{path}"),
        format!("{scheme}://{host}.evil.example/{path}"),
        format!("{scheme}://{host}:444/{path}"),
        format!("{scheme}:///{path}"),
        format!("{registered}%00"),
        format!("{registered} https://evil.example/"),
        format!("\t{registered}"),
        "javascript:alert(1)".to_owned(),
        "http://127.0.0.1:49152/callback".to_owned(),
    ] {
        let page = browser
            .get(&authorization.clone().with("redirect_uri", &almost).path())
            .await;
        assert_eq!(page.status, StatusCode::BAD_REQUEST, "{almost:?}");
        assert!(!page.headers.contains_key("location"), "{almost:?}");
    }
    let exact = browser
        .get(&authorization.with("redirect_uri", registered).path())
        .await;
    assert_eq!(exact.status, StatusCode::OK, "the registered address");

    // Only the port of a loopback redirect URI is variable, and only for native clients (RFC 8252, 7.3).
    let native = AuthorizationRequest::new(&service, "openid");
    let loopback = service.application(ApplicationKind::Public).clone();
    let loopback = loopback
        .redirect_uris
        .iter()
        .find(|uri| uri.starts_with("http://127.0.0.1"));
    let loopback = url::Url::parse(loopback.expect("the desktop has a loopback address")).unwrap();
    let with_port = |host: &str, port: &str, path: &str| format!("http://{host}:{port}{path}");
    let path = loopback.path();
    let status = async |browser: &mut UserAgent, uri: String| {
        browser
            .get(&native.clone().with("redirect_uri", &uri).path())
            .await
            .status
    };
    assert_eq!(
        status(&mut browser, with_port("127.0.0.1", "49152", path)).await,
        StatusCode::OK
    );
    for uri in [
        with_port("127.0.0.2", "49152", path),
        with_port("localhost", "49152", path),
        with_port("127.0.0.1", "49152", "/elsewhere"),
        with_port("127.0.0.1.evil.example", "49152", path),
    ] {
        assert_eq!(
            status(&mut browser, uri.clone()).await,
            StatusCode::BAD_REQUEST,
            "{uri}"
        );
    }
    service.running.shutdown().await;
}
