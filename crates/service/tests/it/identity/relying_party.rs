//! Tests with an independent relying party, the crate `openidconnect`, and tests of CORS.

use crate::fixtures::user_agent::{Callback, Form, UserAgent};
use crate::fixtures::{NOURA, Response, Service};
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
async fn relying_party_completes_the_native_code_flow_with_refresh_and_userinfo() {
    sign_in_as(
        ApplicationKind::Public,
        CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha256,
    )
    .await;
}

#[tokio::test]
async fn relying_party_with_a_secret_gets_an_eddsa_id_token() {
    sign_in_as(
        ApplicationKind::Confidential,
        CoreJwsSigningAlgorithm::EdDsa,
    )
    .await;
}

#[tokio::test]
async fn endpoints_behave_as_discovery_announces() {
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
        let response = service.http.get(endpoint).send().await.unwrap();
        assert_ne!(response.status().as_u16(), 404, "{name} is there");
        assert!(
            endpoint.starts_with(&issuer),
            "{name} starts with the issuer"
        );
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
        .expect("the discovery document parses");
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
    let form = Form::find(&page, "sign-in");
    let callback = Callback::from_redirect(
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
        .expect("userinfo has the same subject");
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
    let mut builder = http::Response::builder().status(response.status());
    if let Some(headers) = builder.headers_mut() {
        headers.clone_from(response.headers());
    }
    let body = response.bytes().await?.to_vec();
    Ok(builder
        .body(body)
        .expect("a status and headers that came over the wire"))
}

#[tokio::test]
async fn cacheable_responses_are_readable_across_origins() {
    let service = Service::start().await;
    for path in ["/.well-known/openid-configuration", "/oauth/v2/keys"] {
        let response = service.http.get(service.auth(path)).send();
        let response = Response::read(response.await.expect("a response")).await;
        assert!(
            !response.header("cache-control").contains("no-store"),
            "{path}"
        );
        assert_eq!(
            response.header("access-control-allow-origin"),
            "*",
            "{path}"
        );
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn cors_allows_registered_origins_without_credentials() {
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
        let preflight = Response::read(preflight.send().await.expect("a response")).await;
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
        let response = service
            .http
            .request(method, service.auth(path))
            .header("origin", origin);
        let response = Response::read(response.send().await.expect("a response")).await;
        assert_eq!(
            response.header("access-control-allow-origin"),
            "*",
            "{path}: error responses have CORS headers"
        );
        assert!(
            !response
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
        let response = service
            .http
            .get(service.auth(path))
            .header("origin", origin);
        let response = response.send().await.expect("a response");
        assert!(
            !response
                .headers()
                .contains_key("access-control-allow-origin"),
            "{path} has no CORS headers"
        );
    }
    service.running.shutdown().await;
}
