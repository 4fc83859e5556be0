//! An independent relying party, the crate `openidconnect`, signs in with what discovery tells it.

use crate::fixtures::user_agent::{Callback, Form, UserAgent};
use crate::fixtures::{Answer, NOURA, Service};
use invoicing_contract::ready::ApplicationKind;
use openidconnect::core::{
    CoreAuthenticationFlow, CoreClient, CoreJwsSigningAlgorithm, CoreProviderMetadata,
    CoreUserInfoClaims,
};
use openidconnect::{
    AccessTokenHash, AuthorizationCode, ClientId, ClientSecret, CsrfToken, HttpRequest,
    HttpResponse, IssuerUrl, Nonce, OAuth2TokenResponse as _, PkceCodeChallenge, RedirectUrl,
    Scope, TokenResponse as _,
};
use reqwest::StatusCode;

#[tokio::test]
async fn a_native_application_signs_in_verifies_refreshes_and_asks_who_it_is() {
    sign_in_as(
        ApplicationKind::Public,
        CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha256,
    )
    .await;
}

#[tokio::test]
async fn a_confidential_application_signs_in_with_its_secret_and_gets_eddsa() {
    sign_in_as(
        ApplicationKind::Confidential,
        CoreJwsSigningAlgorithm::EdDsa,
    )
    .await;
}

#[tokio::test]
async fn discovery_tells_the_truth() {
    let service = Service::start().await;
    let issuer = service.ready.auth_url.clone();
    let discovery = service
        .http
        .get(service.auth("/.well-known/openid-configuration"))
        .send()
        .await
        .unwrap();
    assert_eq!(discovery.headers()["content-type"], "application/json");
    let discovery: serde_json::Value =
        serde_json::from_str(&discovery.text().await.unwrap()).unwrap();
    assert_eq!(discovery["issuer"], serde_json::json!(issuer));
    for (name, value) in discovery.as_object().unwrap() {
        let Some(endpoint) = value
            .as_str()
            .filter(|_| name.ends_with("_endpoint") || name == "jwks_uri")
        else {
            continue;
        };
        let answer = service.http.get(endpoint).send().await.unwrap();
        assert_ne!(answer.status().as_u16(), 404, "{name} is there");
        assert!(endpoint.starts_with(&issuer), "{name} is of this issuer");
    }
    let keys = service
        .http
        .get(service.auth("/oauth/v2/keys"))
        .send()
        .await
        .unwrap()
        .text()
        .await
        .unwrap();
    for private in ["\"d\"", "\"p\"", "\"q\"", "\"k\""] {
        assert!(
            !keys.contains(private),
            "a private part {private} is published"
        );
    }
    service.running.shutdown().await;
}

async fn sign_in_as(kind: ApplicationKind, algorithm: CoreJwsSigningAlgorithm) {
    let service = Service::start().await;
    let http = |request: HttpRequest| send(&service, request);
    let issuer =
        IssuerUrl::new(service.ready.auth_url.clone()).expect("a service with the demo seed");
    let metadata = CoreProviderMetadata::discover_async(issuer, &http)
        .await
        .expect("discovery is understood");
    let application = service.application(kind);
    let secret = application.client_secret.clone().map(ClientSecret::new);
    let client = CoreClient::from_provider_metadata(
        metadata,
        ClientId::new(application.client_id.clone()),
        secret,
    )
    .set_redirect_uri(
        RedirectUrl::new(application.redirect_uris[0].clone())
            .expect("a service with the demo seed"),
    );

    let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
    let request = client.authorize_url(
        CoreAuthenticationFlow::AuthorizationCode,
        CsrfToken::new_random,
        Nonce::new_random,
    );
    let scopes = ["profile", "email", "offline_access"].map(|scope| Scope::new(scope.to_owned()));
    let (url, state, nonce) = request
        .add_scopes(scopes)
        .set_pkce_challenge(challenge)
        .url();

    let mut browser = UserAgent::new(&service);
    let page = browser
        .get(&format!(
            "{}?{}",
            url.path(),
            url.query().expect("a service with the demo seed")
        ))
        .await;
    let password = &service.user(NOURA).password;
    let form = Form::of(&page, "sign-in");
    let callback = Callback::of(
        &browser
            .submit(&form, &[("username", NOURA), ("password", password)])
            .await,
    );
    assert_eq!(callback.get("state"), state.secret());

    let code = AuthorizationCode::new(callback.get("code").to_owned());
    let exchange = client
        .exchange_code(code)
        .expect("discovery names the token endpoint")
        .set_pkce_verifier(verifier);
    let tokens = exchange
        .request_async(&http)
        .await
        .expect("the code is exchanged");

    let verifying = client
        .id_token_verifier()
        .set_allowed_algs([algorithm.clone()]);
    let id_token = tokens.id_token().expect("openid gives an id_token");
    let claims = id_token
        .claims(&verifying, &nonce)
        .expect("the id_token verifies");
    assert_eq!(
        id_token
            .signing_alg()
            .expect("a service with the demo seed"),
        &algorithm
    );
    assert_eq!(
        claims.preferred_username().map(|name| name.as_str()),
        Some(NOURA)
    );
    let key = id_token
        .signing_key(&verifying)
        .expect("a service with the demo seed");
    let hash = AccessTokenHash::from_token(
        tokens.access_token(),
        id_token
            .signing_alg()
            .expect("a service with the demo seed"),
        key,
    )
    .expect("a service with the demo seed");
    assert_eq!(claims.access_token_hash(), Some(&hash), "at_hash");

    let userinfo = client
        .user_info(
            tokens.access_token().clone(),
            Some(claims.subject().clone()),
        )
        .expect("a service with the demo seed");
    let userinfo: CoreUserInfoClaims = userinfo
        .request_async(&http)
        .await
        .expect("userinfo is of the same person");
    assert_eq!(userinfo.email().map(|email| email.as_str()), Some(NOURA));

    let refresh_token = tokens
        .refresh_token()
        .expect("offline_access gives a refresh token");
    let refreshed = client
        .exchange_refresh_token(refresh_token)
        .expect("a service with the demo seed")
        .request_async(&http)
        .await;
    let refreshed = refreshed.expect("it refreshes");
    assert_ne!(
        refreshed.access_token().secret(),
        tokens.access_token().secret()
    );
    service.running.shutdown().await;
}

async fn send(service: &Service, request: HttpRequest) -> Result<HttpResponse, reqwest::Error> {
    let request = reqwest::Request::try_from(request)?;
    let response = service.http.execute(request).await?;
    let mut answer = http::Response::builder().status(response.status());
    if let Some(headers) = answer.headers_mut() {
        headers.clone_from(response.headers());
    }
    let body = response.bytes().await?.to_vec();
    Ok(answer
        .body(body)
        .expect("a status and headers that came over the wire"))
}

#[tokio::test]
async fn what_others_may_keep_can_be_read_by_a_page_whoever_asked_for_it_first() {
    let service = Service::start().await;
    for path in ["/.well-known/openid-configuration", "/oauth/v2/keys"] {
        let answer = service.http.get(service.auth(path)).send();
        let answer = Answer::of(answer.await.expect("an answer")).await;
        assert!(
            !answer.header("cache-control").contains("no-store"),
            "{path}"
        );
        assert_eq!(answer.header("access-control-allow-origin"), "*", "{path}");
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn a_single_page_application_calls_from_its_own_origin_and_never_with_cookies() {
    let service = Service::start().await;
    let origin = "https://app.example.com";
    for (method, path) in [
        ("GET", "/.well-known/openid-configuration"),
        ("GET", "/oauth/v2/keys"),
        ("POST", "/oauth/v2/token"),
        ("POST", "/oauth/v2/revoke"),
        ("GET", "/oidc/v1/userinfo"),
        ("POST", "/oidc/v1/userinfo"),
    ] {
        let preflight = service
            .http
            .request(reqwest::Method::OPTIONS, service.auth(path))
            .header("origin", origin)
            .header("access-control-request-method", method)
            .header(
                "access-control-request-headers",
                "authorization,content-type",
            );
        let preflight = Answer::of(preflight.send().await.expect("an answer")).await;
        assert_eq!(preflight.status, StatusCode::OK, "{method} {path}");
        assert!(
            preflight
                .header("access-control-allow-methods")
                .contains(method)
        );
        assert_eq!(
            preflight.header("access-control-allow-headers"),
            "authorization,content-type"
        );
        let method = reqwest::Method::from_bytes(method.as_bytes()).unwrap();
        let answer = service
            .http
            .request(method, service.auth(path))
            .header("origin", origin);
        let answer = Answer::of(answer.send().await.expect("an answer")).await;
        assert_eq!(
            answer.header("access-control-allow-origin"),
            "*",
            "{path}: errors can be read too"
        );
        assert!(
            !answer
                .headers
                .contains_key("access-control-allow-credentials"),
            "{path}"
        );
    }
    for path in [
        "/oauth/v2/authorize",
        "/oauth/v2/introspect",
        "/oidc/v1/end_session",
        "/account/password",
    ] {
        let answer = service
            .http
            .get(service.auth(path))
            .header("origin", origin);
        let answer = answer.send().await.expect("an answer");
        assert!(
            !answer.headers().contains_key("access-control-allow-origin"),
            "{path} is not for scripts of others"
        );
    }
    service.running.shutdown().await;
}
