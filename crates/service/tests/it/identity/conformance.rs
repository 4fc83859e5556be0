//! Tests for modules of the OpenID Foundation's conformance suite that no other test covers, and a check of the table that
//! maps each module to its tests (docs/conformance.md).

use std::path::Path;

use crate::fixtures::user_agent::{
    AuthorizationRequest, Callback, Form, UserAgent, unverified_claims,
};
use crate::fixtures::{HOME, NOURA, Response, Service, assert_test_exists};
use invoicing_contract::ready::ApplicationKind;
use invoicing_identity::administration::NewUser;
use reqwest::StatusCode;
use serde_json::Value;

/// Every module row of the table names existing tests.
#[test]
fn every_conformance_module_names_existing_tests() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let table = std::fs::read_to_string(here.join("../../docs/conformance.md")).unwrap();
    let mut modules = Vec::new();
    for line in table.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<_> = line.split('|').map(str::trim).collect();
        let [_, module, _, tests, _] = cells.as_slice() else {
            panic!("a row has three cells: {line}");
        };
        modules.push((*module).to_owned());
        let named: Vec<_> = tests.split('`').skip(1).step_by(2).collect();
        assert!(!named.is_empty(), "{module} names a test");
        for test in named {
            assert_test_exists(test, module);
        }
    }
    let plans = [("config", 1), ("basic", 38), ("rp-initiated-logout", 11)];
    assert_eq!(
        modules.len(),
        plans.iter().map(|(_, count)| count).sum::<usize>(),
        "{plans:?}"
    );
    let mut different = modules.clone();
    different.sort();
    different.dedup();
    assert_eq!(different.len(), modules.len(), "module names are unique");
}

async fn json(service: &Service, path: &str) -> (String, Value) {
    let response = service.http.get(service.auth(path)).send().await;
    let response = Response::read(response.expect("a response")).await;
    assert_eq!(response.status, StatusCode::OK, "{path}");
    (response.header("content-type").to_owned(), response.json)
}

/// A browser with an active session, and an authorization request with `prompt=none`.
async fn signed_in(service: &Service, scope: &str) -> (UserAgent, AuthorizationRequest) {
    let authorization = AuthorizationRequest::confidential(service, scope);
    let mut browser = UserAgent::new(service);
    browser.sign_in(service, &authorization, NOURA).await;
    (browser, authorization)
}

/// The token response for an authorization request of a signed-in browser.
async fn tokens(
    service: &Service,
    browser: &mut UserAgent,
    authorization: &AuthorizationRequest,
) -> Response {
    let callback = Callback::from_redirect(&browser.get(&authorization.path()).await);
    let response = service.redeem(authorization, &callback).await;
    assert_eq!(response.status, StatusCode::OK, "{}", response.body);
    response
}

#[tokio::test]
async fn discovery_document_has_every_required_member() {
    let service = Service::start().await;
    let (content_type, document) = json(&service, "/.well-known/openid-configuration").await;
    assert_eq!(content_type, "application/json");
    assert_eq!(document["issuer"], service.ready.auth_url.as_str());
    let has = |name: &str, value: &str| {
        let values = document[name].as_array();
        values.is_some_and(|values| values.iter().any(|known| known == value))
    };
    for (name, value) in [
        ("id_token_signing_alg_values_supported", "RS256"),
        ("response_types_supported", "code"),
        ("subject_types_supported", "public"),
        ("scopes_supported", "openid"),
        ("code_challenge_methods_supported", "S256"),
        (
            "token_endpoint_auth_methods_supported",
            "client_secret_basic",
        ),
        (
            "token_endpoint_auth_methods_supported",
            "client_secret_post",
        ),
        ("grant_types_supported", "authorization_code"),
        ("grant_types_supported", "refresh_token"),
    ] {
        assert!(has(name, value), "{name} has {value}: {document}");
    }
    assert!(
        !has("id_token_signing_alg_values_supported", "none"),
        "nothing is unsigned"
    );
    let origin = format!("{}/", service.ready.auth_url);
    for name in [
        "authorization_endpoint",
        "token_endpoint",
        "userinfo_endpoint",
        "jwks_uri",
        "end_session_endpoint",
    ] {
        let address = document[name].as_str().expect("an address");
        assert!(address.starts_with(&origin), "{name}: {address}");
    }
    let (_, keys) = json(&service, "/oauth/v2/keys").await;
    let mut ids = Vec::new();
    for key in keys["keys"].as_array().expect("keys") {
        assert_eq!(key["use"], "sig", "{key}");
        ids.push(key["kid"].as_str().expect("a key id").to_owned());
    }
    let all = ids.len();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), all, "key ids are unique");
    service.running.shutdown().await;
}

#[tokio::test]
async fn id_token_verifies_with_the_jwks_key_of_its_kid() {
    let service = Service::start().await;
    let (mut browser, authorization) = signed_in(&service, "openid").await;
    let response = tokens(&service, &mut browser, &authorization).await;
    let id_token = response.text("id_token");
    let header = jsonwebtoken::decode_header(id_token).unwrap();
    assert_ne!(id_token.split('.').nth(2), Some(""), "never unsigned");
    let (_, keys) = json(&service, "/oauth/v2/keys").await;
    let keys: jsonwebtoken::jwk::JwkSet = serde_json::from_value(keys).unwrap();
    let key = keys
        .find(&header.kid.expect("a key id"))
        .expect("published");
    let mut validation = jsonwebtoken::Validation::new(header.alg);
    validation.set_audience(&[&authorization.client_id]);
    validation.set_issuer(&[&service.ready.auth_url]);
    let key = jsonwebtoken::DecodingKey::from_jwk(key).unwrap();
    let verified = jsonwebtoken::decode::<Value>(id_token, &key, &validation).unwrap();
    assert_eq!(verified.claims["nonce"], "the nonce");
    service.running.shutdown().await;
}

#[tokio::test]
async fn authorization_request_without_nonce_yields_an_id_token_without_nonce() {
    let service = Service::start().await;
    let (mut browser, authorization) = signed_in(&service, "openid").await;
    let without = authorization.without("nonce");
    let response = tokens(&service, &mut browser, &without).await;
    assert_eq!(
        unverified_claims(response.text("id_token")).get("nonce"),
        None
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn userinfo_returns_the_claims_of_each_scope_and_ignores_unknown_scopes() {
    let service = Service::start().await;
    let (mut browser, authorization) = signed_in(&service, "openid").await;
    for (scope, name, email) in [
        ("openid", false, false),
        ("openid profile", true, false),
        ("openid email", false, true),
        ("openid address", false, false),
        ("openid phone", false, false),
        ("openid profile email address phone", true, true),
        ("email profile openid", true, true),
    ] {
        let response = tokens(
            &service,
            &mut browser,
            &authorization.clone().with("scope", scope),
        )
        .await;
        let who = service.userinfo(response.text("access_token")).await;
        assert_eq!(who.status, StatusCode::OK);
        let has_claim = |claim: &str| who.json.get(claim).is_some();
        assert_eq!(
            (has_claim("name"), has_claim("email")),
            (name, email),
            "{scope}"
        );
        assert!(
            !has_claim("address") && !has_claim("phone_number"),
            "{scope}"
        );
        assert_eq!(
            who.json["sub"],
            unverified_claims(response.text("id_token"))["sub"],
            "{scope}"
        );
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn email_is_verified_only_if_an_administrator_confirmed_it() {
    let service = Service::start().await;
    let administration = service.administration().await;
    for (username, email_verified) in [
        ("hana@alkhair.example", true),
        ("huda@alkhair.example", false),
    ] {
        let user = NewUser {
            username: username.to_owned(),
            name: "Name".to_owned(),
            email: Some(username.to_owned()),
            email_verified,
            organization: HOME.to_owned(),
            machine: false,
            password: Some("a password of a test".into()),
        };
        administration
            .add_user(user)
            .await
            .expect("the user is added");
        let authorization = AuthorizationRequest::new(&service, "openid email");
        let mut browser = UserAgent::new(&service);
        let page = browser.get(&authorization.path()).await;
        let fields = [("username", username), ("password", "a password of a test")];
        let page = browser.submit(&Form::find(&page, "sign-in"), &fields).await;
        let fields = [
            ("new-password", "another password of it"),
            ("repeat-password", "another password of it"),
        ];
        let changed = browser
            .submit(&Form::find(&page, "change-password"), &fields)
            .await;
        let callback = Callback::from_redirect(&changed);
        let tokens = service.redeem(&authorization, &callback).await;
        let claims = unverified_claims(tokens.text("id_token"));
        let userinfo = service.userinfo(tokens.text("access_token")).await;
        for claims in [&claims, &userinfo.json] {
            assert_eq!(claims["email"], username);
            assert_eq!(claims["email_verified"], email_verified, "{claims}");
        }
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn optional_authorization_parameters_do_not_change_the_result() {
    let service = Service::start().await;
    let (mut browser, authorization) = signed_in(&service, "openid").await;
    for (name, value) in [
        ("display", "page"),
        ("display", "popup"),
        ("ui_locales", "se ar"),
        ("claims_locales", "se"),
        ("acr_values", "1 2"),
        ("login_hint", NOURA),
        ("max_age", "10000"),
        ("claims", r#"{"userinfo":{"name":{"essential":true}}}"#),
        ("extra", "foobar"),
    ] {
        let response = tokens(
            &service,
            &mut browser,
            &authorization.clone().with(name, value),
        )
        .await;
        let claims = unverified_claims(response.text("id_token"));
        assert!(claims["auth_time"].is_i64(), "{name}: {claims}");
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn code_replay_after_thirty_seconds_revokes_the_issued_tokens() {
    let service = Service::start().await;
    let authorization = AuthorizationRequest::new(&service, &service.desktop_scope());
    let callback = UserAgent::new(&service)
        .sign_in(&service, &authorization, NOURA)
        .await;
    let first = service.redeem(&authorization, &callback).await;
    assert_eq!(first.status, StatusCode::OK, "{}", first.body);
    service.clock.advance(30);
    service
        .redeem(&authorization, &callback)
        .await
        .is_oauth_error(400, "invalid_grant");
    let who = service.userinfo(first.text("access_token")).await;
    assert_eq!(who.status, StatusCode::UNAUTHORIZED);
    service.running.shutdown().await;
}

#[tokio::test]
async fn refresh_token_has_at_least_128_bits_and_its_response_is_no_store() {
    let service = Service::start().await;
    let first = service.sign_in(NOURA).await;
    let token = first.text("refresh_token");
    // RFC 6749, appendix A.17: printable ASCII; at least 128 bits with six bits per base64url character.
    assert!(token.bytes().all(|byte| (0x20..=0x7E).contains(&byte)));
    assert!(token.len() * 6 >= 128, "{} letters", token.len());
    let mut letters: Vec<_> = token.bytes().collect();
    letters.sort_unstable();
    letters.dedup();
    assert!(
        letters.len() > 12,
        "the token uses more than 12 different characters"
    );

    let second = service.refresh(token).await;
    assert_eq!(second.status, StatusCode::OK, "{}", second.body);
    assert_eq!(second.header("cache-control"), "no-store");
    assert_eq!(second.text("token_type"), "Bearer");
    assert_ne!(second.text("access_token"), first.text("access_token"));
    if let Some(renewed) = second.json["id_token"].as_str() {
        let (before, after) = (
            unverified_claims(first.text("id_token")),
            unverified_claims(renewed),
        );
        for claim in ["iss", "sub", "aud"] {
            assert_eq!(before[claim], after[claim], "{claim}");
        }
    }
    let web = service.application(ApplicationKind::Confidential);
    let other = [
        ("grant_type", "refresh_token"),
        ("client_id", &*web.client_id),
        ("client_secret", web.client_secret.as_deref().unwrap()),
        ("refresh_token", second.text("refresh_token")),
    ];
    service
        .token(&other)
        .await
        .is_oauth_error(400, "invalid_grant");
    service.running.shutdown().await;
}

#[tokio::test]
async fn end_session_succeeds_without_state_and_post_logout_redirect_uri() {
    let service = Service::start().await;
    for (address, state) in [(true, true), (true, false), (false, true), (false, false)] {
        let authorization = AuthorizationRequest::new(&service, "openid");
        let mut browser = UserAgent::new(&service);
        let callback = browser.sign_in(&service, &authorization, NOURA).await;
        let response = service.redeem(&authorization, &callback).await;
        let mut query = url::form_urlencoded::Serializer::new(String::new());
        query.append_pair("id_token_hint", response.text("id_token"));
        if address {
            query.append_pair("post_logout_redirect_uri", &authorization.redirect_uri);
        }
        if state {
            query.append_pair("state", "the client state");
        }
        let path = format!("/oidc/v1/end_session?{}", query.finish());
        let done = browser.get(&path).await;
        if address {
            let callback = Callback::from_redirect(&done);
            assert_eq!(callback.uri, authorization.redirect_uri);
            let echoed = callback.parameters.get("state").map(String::as_str);
            assert_eq!(echoed, state.then_some("the client state"));
        } else {
            assert_eq!(done.status, StatusCode::OK, "a confirmation page");
            assert!(!done.headers.contains_key("location"));
        }
        let silent = authorization.with("prompt", "none");
        let after = Callback::from_redirect(&browser.get(&silent.path()).await);
        assert_eq!(after.error(), Some("login_required"));
    }
    service.running.shutdown().await;
}
