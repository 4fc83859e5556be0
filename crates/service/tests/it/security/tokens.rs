//! Security tests of introspection and id_token hints: cases 10 and 11.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use invoicing_contract::ready::ApplicationKind;
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::fixtures::user_agent::{AuthorizationRequest, Callback, UserAgent, unverified_claims};
use crate::fixtures::{NOURA, Response, Service};

#[tokio::test]
async fn case_10_introspection_is_no_oracle() {
    let service = Service::start().await;
    let api = service.application(ApplicationKind::Api).clone();
    let secret = api.client_secret.as_deref().unwrap();
    let tokens = service.sign_in(NOURA).await;
    let introspect = async |id: &str, secret: &str, token: &str| {
        let request = service
            .http
            .post(service.auth("/oauth/v2/introspect"))
            .basic_auth(id, Some(secret))
            .form(&[("token", token), ("token_type_hint", "access_token")]);
        Response::read(request.send().await.unwrap()).await
    };
    assert_eq!(
        introspect(&api.client_id, secret, tokens.text("access_token"))
            .await
            .json["active"],
        true
    );
    let without_audience = service.machine_token("").await;
    let revoked = service.machine_token(&service.audience_scope()).await;
    let machine = service.application(ApplicationKind::Machine).clone();
    let machine_secret = machine.client_secret.as_deref().unwrap();
    service
        .post(
            "/oauth/v2/revoke",
            &[
                ("token", &revoked),
                ("client_id", &machine.client_id),
                ("client_secret", machine_secret),
            ],
        )
        .await;
    for (case, token) in [
        ("without audience", without_audience.as_str()),
        ("revoked", &revoked),
        ("a refresh token", tokens.text("refresh_token")),
        ("an id_token", tokens.text("id_token")),
        ("garbage", "garbage"),
        ("a token's hash", &URL_SAFE_NO_PAD.encode([0; 32])),
    ] {
        let response = introspect(&api.client_id, secret, token).await;
        assert_eq!(
            (response.status, response.body.as_str()),
            (StatusCode::OK, r#"{"active":false}"#),
            "{case}"
        );
    }
    // Clients that may not introspect get the same error for valid and unknown tokens.
    for token in [tokens.text("access_token"), "garbage"] {
        let machine = introspect(&machine.client_id, machine_secret, token).await;
        machine.is_oauth_error(400, "unauthorized_client");
        let wrong = introspect(&api.client_id, "wrong", token).await;
        wrong.is_oauth_error(401, "invalid_client");
        let wrong_machine = introspect(&machine_id(&service), "wrong", token).await;
        assert_eq!(
            (wrong.status, &wrong.body),
            (wrong_machine.status, &wrong_machine.body),
            "a wrong secret does not reveal the client type"
        );
        let unknown = introspect("nobody", "wrong", token).await;
        assert_eq!((wrong.status, wrong.body), (unknown.status, unknown.body));
    }
    service.running.shutdown().await;
}

fn machine_id(service: &Service) -> String {
    service
        .application(ApplicationKind::Machine)
        .client_id
        .clone()
}

#[tokio::test]
async fn case_11_forged_id_token_hint_is_rejected() {
    let service = Service::start().await;
    let authorization = AuthorizationRequest::new(&service, "openid");
    let mut browser = UserAgent::new(&service);
    let callback = browser.sign_in(&service, &authorization, NOURA).await;
    let tokens = service.redeem(&authorization, &callback).await;
    let id_token = tokens.text("id_token");
    let header = jsonwebtoken::decode_header(id_token).unwrap();
    let kid = header.kid.clone().unwrap();
    let body = unverified_claims(id_token);
    let published = service
        .http
        .get(service.auth("/oauth/v2/keys"))
        .send()
        .await
        .unwrap();
    let published: Value = serde_json::from_str(&published.text().await.unwrap()).unwrap();
    let public = published["keys"]
        .as_array()
        .unwrap()
        .iter()
        .find(|key| key["kid"] == kid.as_str())
        .unwrap();

    let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
    let unsigned = format!(
        "{}.{}.",
        part(&json!({"alg": "none", "kid": kid})),
        part(&body)
    );
    let mut symmetric = Header::new(Algorithm::HS256);
    symmetric.kid = Some(kid.clone());
    let modulus = public["n"].as_str().unwrap().as_bytes();
    let with_the_public_key =
        jsonwebtoken::encode(&symmetric, &body, &EncodingKey::from_secret(modulus)).unwrap();
    let document =
        aws_lc_rs::signature::Ed25519KeyPair::generate_pkcs8(&aws_lc_rs::rand::SystemRandom::new())
            .unwrap();
    let foreign = EncodingKey::from_ed_der(document.as_ref());
    let signed = |kid: &str, more: Value| {
        // The library cannot write embedded keys, so the header is built by hand.
        let mut header = json!({"alg": "EdDSA", "typ": "JWT", "kid": kid});
        header
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        let message = format!("{}.{}", part(&header), part(&body));
        let signature =
            jsonwebtoken::crypto::sign(message.as_bytes(), &foreign, Algorithm::EdDSA).unwrap();
        format!("{message}.{signature}")
    };
    let embedded = json!({"jwk": {"kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}});
    let elsewhere = json!({"jku": "https://evil.example/keys", "x5u": "https://evil.example/x"});
    let (head, rest) = id_token.split_once('.').unwrap();
    let (payload, signature) = rest.split_once('.').unwrap();
    let mut other = body.clone();
    other["sub"] = json!("another");
    let hints = [
        ("alg none", unsigned),
        ("HS256 with the public key", with_the_public_key),
        ("a key of its own", signed(&kid, json!({}))),
        ("an unknown key id", signed("nobody's", json!({}))),
        ("an embedded key", signed(&kid, embedded)),
        ("a key URL in the header", signed(&kid, elsewhere)),
        (
            "other claims",
            format!("{head}.{}.{signature}", part(&other)),
        ),
        ("no signature", format!("{head}.{payload}.")),
    ];
    for (case, hint) in &hints {
        let query = url::form_urlencoded::Serializer::new(String::new())
            .append_pair("id_token_hint", hint)
            .append_pair("post_logout_redirect_uri", &authorization.redirect_uri)
            .finish();
        let response = browser.get(&format!("/oidc/v1/end_session?{query}")).await;
        assert_eq!(response.status, StatusCode::BAD_REQUEST, "{case}");
        let silent = authorization.clone().with("prompt", "none");
        let with_hint = silent.clone().with("id_token_hint", hint);
        let callback = Callback::from_redirect(&browser.get(&with_hint.path()).await);
        assert_eq!(
            callback.error(),
            Some("invalid_request"),
            "{case}: the request is rejected"
        );
        let genuine = silent.with("id_token_hint", id_token);
        let still = Callback::from_redirect(&browser.get(&genuine.path()).await);
        assert_eq!(
            still.error(),
            Some("interaction_required"),
            "{case}: the session is active, and the genuine hint is accepted"
        );
    }
    service.running.shutdown().await;
}
