//! Tests of client authentication (RFC 6749, 2.3) and of client secret rotation.

use std::time::Duration;

use super::machine::machine;
use super::password::start_with_password_grant;
use crate::fixtures::program::client_credentials;
use crate::fixtures::{NOURA, Response, Service};
use invoicing_contract::ready::ApplicationKind;
use invoicing_contract::{ClientId, Timestamp};
use invoicing_storage::Clock as _;
use invoicing_storage::applications::SecretRotation;
use invoicing_storage::audit::{self, AuditEvent};
use invoicing_storage::secret::TokenHash;
use reqwest::StatusCode;
use serde_json::json;

#[tokio::test]
async fn failed_client_authentication_returns_rfc_6749_errors() {
    let service = Service::start().await;
    let (id, secret) = machine(&service);
    let grant = ("grant_type", "client_credentials");
    type Case<'a> = (&'a str, &'a [(&'a str, &'a str)], u16, &'a str);
    let cases: [Case<'_>; 8] = [
        ("no client", &[grant], 400, "invalid_client"),
        (
            "unknown client",
            &[grant, ("client_id", "x"), ("client_secret", "y")],
            400,
            "invalid_client",
        ),
        (
            "wrong secret",
            &[grant, ("client_id", id), ("client_secret", "y")],
            400,
            "invalid_client",
        ),
        (
            "no secret",
            &[grant, ("client_id", id)],
            400,
            "invalid_client",
        ),
        (
            "no grant",
            &[("client_id", id), ("client_secret", secret)],
            400,
            "invalid_request",
        ),
        (
            "unknown grant",
            &[
                ("grant_type", "x"),
                ("client_id", id),
                ("client_secret", secret),
            ],
            400,
            "unsupported_grant_type",
        ),
        (
            "password grant",
            &[
                ("grant_type", "password"),
                ("client_id", id),
                ("client_secret", secret),
            ],
            400,
            "unauthorized_client",
        ),
        (
            "a parameter twice",
            &[grant, grant, ("client_id", id), ("client_secret", secret)],
            400,
            "invalid_request",
        ),
    ];
    for (case, form, status, error) in cases {
        let response = service.token(form).await;
        assert_eq!(
            (response.status.as_u16(), response.json["error"].as_str()),
            (status, Some(error)),
            "{case}"
        );
    }

    let basic = service
        .http
        .post(service.auth("/oauth/v2/token"))
        .basic_auth(id, Some("wrong"))
        .form(&[grant]);
    let response = Response::read(basic.send().await.unwrap()).await;
    response.is_oauth_error(401, "invalid_client");
    assert!(
        response.header("www-authenticate").starts_with("Basic "),
        "401 has a WWW-Authenticate challenge"
    );

    let both = service
        .http
        .post(service.auth("/oauth/v2/token"))
        .basic_auth(id, Some(secret));
    let response = Response::read(
        both.form(&[grant, ("client_secret", secret)])
            .send()
            .await
            .unwrap(),
    )
    .await;
    response.is_oauth_error(400, "invalid_request");

    let in_address = service.auth(&format!("/oauth/v2/token?client_secret={secret}"));
    let response = Response::read(
        service
            .http
            .post(in_address)
            .form(&[grant, ("client_id", id)])
            .send()
            .await
            .unwrap(),
    )
    .await;
    response.is_oauth_error(400, "invalid_request");

    let json = service
        .http
        .post(service.auth("/oauth/v2/token"))
        .json(&json!({"grant_type": "client_credentials"}));
    Response::read(json.send().await.unwrap())
        .await
        .is_oauth_error(400, "invalid_request");

    let get = service
        .http
        .get(service.auth("/oauth/v2/token"))
        .send()
        .await
        .unwrap();
    assert_eq!(
        get.status(),
        StatusCode::METHOD_NOT_ALLOWED,
        "the token endpoint accepts only POST"
    );

    service.machine_token("").await;
    service.running.shutdown().await;
}

#[tokio::test]
async fn rotated_client_secrets_are_accepted_until_their_own_ends() {
    let service = Service::start().await;
    let (id, first) = machine(&service);
    let store = service.store().await;
    let event = AuditEvent::new(
        service.clock.timestamp(),
        audit::AuditEventKind::ClientSecretRotated,
    );
    let rotate = async |secret: &str, overlap: u64| {
        let now = service.clock.timestamp();
        let until = now.plus(Duration::from_secs(overlap));
        let secret = TokenHash::of(secret);
        let rotated = store
            .rotate_client_secret(&id.into(), &secret, now, until, &event)
            .await;
        assert_eq!(rotated.unwrap(), SecretRotation::Rotated);
    };
    let good = async |secret: &str| {
        let form = [
            ("grant_type", "client_credentials"),
            ("client_id", id),
            ("client_secret", secret),
        ];
        service.token(&form).await.status == StatusCode::OK
    };
    rotate("second", 3_600).await;
    assert!(good(first).await, "during the overlap");
    assert!(good("second").await, "at once");
    service.clock.advance(3_601);
    assert!(!good(first).await, "after the overlap");
    assert!(good("second").await);

    rotate("third", 3_600).await;
    rotate("fourth", 60).await;
    assert!(
        good("second").await && good("third").await && good("fourth").await,
        "a second rotation does not end the overlap of the first"
    );
    service.clock.advance(61);
    assert!(
        good("second").await && !good("third").await,
        "each ends by itself"
    );
    rotate("fifth", 0).await;
    for ended in ["second", "third", "fourth"] {
        assert!(
            !good(ended).await,
            "a rotation without overlap ends {ended}"
        );
    }
    assert!(good("fifth").await);
    let public = store
        .rotate_client_secret(
            &"invoice-desk".into(),
            &TokenHash::of("x"),
            service.clock.timestamp(),
            Timestamp::default(),
            &event,
        )
        .await;
    assert_eq!(public.unwrap(), SecretRotation::NoSecret);
    service.running.shutdown().await;
}

#[tokio::test]
async fn client_secret_is_accepted_by_basic_or_post_but_not_both() {
    let service = start_with_password_grant().await;
    let password = &service.user(NOURA).password;
    type Ask<'a> = (ApplicationKind, &'a str, Vec<(&'a str, &'a str)>);
    let asks: [Ask<'_>; 3] = [
        (
            ApplicationKind::Confidential,
            "/oauth/v2/token",
            vec![
                ("grant_type", "password"),
                ("username", NOURA),
                ("password", password),
            ],
        ),
        (
            ApplicationKind::Machine,
            "/oauth/v2/token",
            vec![("grant_type", "client_credentials")],
        ),
        (
            ApplicationKind::Api,
            "/oauth/v2/introspect",
            vec![("token", "x")],
        ),
    ];
    for (kind, path, form) in asks {
        let application = service.application(kind);
        let id = application.client_id.as_str();
        let secret = application.client_secret.as_deref().expect("a secret");
        let in_form: Vec<_> = form
            .iter()
            .copied()
            .chain([("client_id", id), ("client_secret", secret)])
            .collect();
        assert_eq!(
            service.post(path, &in_form).await.status,
            StatusCode::OK,
            "{kind:?} client_secret_post"
        );
        for (secret, sent, expected) in [
            (secret, &form, 200),
            ("wrong", &form, 401),
            (secret, &in_form, 400),
        ] {
            let request = service
                .http
                .post(service.auth(path))
                .basic_auth(id, Some(secret))
                .form(sent);
            let response = Response::read(request.send().await.unwrap()).await;
            assert_eq!(
                response.status.as_u16(),
                expected,
                "{kind:?} {}",
                response.body
            );
            if expected == 401 {
                response.is_oauth_error(401, "invalid_client");
                assert!(response.header("www-authenticate").starts_with("Basic "));
            }
        }
    }
    let wrong = [("token", "x"), ("client_id", "api"), ("client_secret", "y")];
    service
        .post("/oauth/v2/introspect", &wrong)
        .await
        .is_oauth_error(401, "invalid_client");
    service.running.shutdown().await;
}

#[tokio::test]
async fn wrong_secret_is_in_the_audit_once_with_application_and_address() {
    let service = Service::start().await;
    let (id, secret) = machine(&service);
    for (id, secret) in [(id, "guessed"), (id, "again"), ("nobody", "guessed")] {
        let refused = client_credentials(&service, id, secret).await;
        refused.is_oauth_error(400, "invalid_client");
    }
    let granted = client_credentials(&service, id, secret).await;
    assert_eq!(granted.status, StatusCode::OK);
    let query = audit::Query {
        kinds: vec![audit::AuditEventKind::ClientAuthenticationFailed],
        size: 10,
        ..audit::Query::default()
    };
    let recorded = async || service.store().await.audit(&query).await.unwrap();
    let events = recorded().await;
    assert_eq!(events.len(), 1, "{events:?}");
    let AuditEvent {
        client_id,
        address,
        detail,
        ..
    } = &events[0].event;
    assert_eq!(client_id.as_ref().map(ClientId::as_str), Some(id));
    assert_eq!(address.as_deref(), Some("127.0.0.1"));
    assert!(detail.is_empty(), "{detail:?}");

    service.clock.advance(600);
    client_credentials(&service, id, "guessed").await;
    assert_eq!(recorded().await.len(), 2, "ten minutes later again");
    service.running.shutdown().await;
}
