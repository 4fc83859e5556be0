//! Machine users: client_credentials, userinfo, introspection, revocation, over the wire.

use crate::fixtures::{Answer, HOME, Service};
use invoicing_contract::ready::ApplicationKind;
use invoicing_storage::Clock as _;
use invoicing_storage::audit::{self, Entry};
use invoicing_storage::secret::TokenHash;
use invoicing_storage::{ApplicationStore as _, SubjectStore as _, TokenStore as _};
use reqwest::StatusCode;
use serde_json::json;

#[tokio::test]
async fn a_machine_gets_an_access_token_and_nothing_else() {
    let service = Service::start().await;
    let (id, secret) = machine(&service);
    let scope = format!("openid offline_access {}", service.audience_scope());
    let form = [("grant_type", "client_credentials"), ("scope", &*scope)];
    let request = service
        .http
        .post(service.auth("/oauth/v2/token"))
        .basic_auth(id, Some(secret))
        .form(&form);
    let answer = Answer::of(request.send().await.unwrap()).await;

    assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
    assert_eq!(answer.header("cache-control"), "no-store");
    assert_eq!(answer.text("token_type"), "Bearer");
    assert_eq!(answer.json["expires_in"], json!(43_200));
    assert_eq!(
        answer.json.get("id_token"),
        None,
        "never for client_credentials"
    );
    assert_eq!(
        answer.json.get("refresh_token"),
        None,
        "nobody signs in, nothing to renew"
    );
    assert_eq!(
        answer.text("access_token").len(),
        43,
        "256 bits in base64url"
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn what_another_process_changes_is_so_for_the_next_token() {
    let service = Service::start().await;
    let (id, secret) = machine(&service);
    let form = [
        ("grant_type", "client_credentials"),
        ("client_id", id),
        ("client_secret", secret),
    ];
    let given = async || {
        let answer = service.token(&form).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
    };
    given().await;
    let mut grants = Vec::new();
    service
        .change_application(id, |application| {
            std::mem::swap(&mut grants, &mut application.grant_types);
        })
        .await;
    let refused = service.token(&form).await;
    refused.is_oauth_error(400, "unauthorized_client");
    service
        .change_application(id, |application| application.grant_types = grants)
        .await;
    given().await;

    let store = service.store().await;
    let now = || service.clock.now_ms();
    let entry = Entry::new(now(), audit::Kind::UserDisabled);
    let basis = store.basis().await.unwrap();
    let application = store.application(&id.into(), basis).await.unwrap();
    let application = application.expect("it is there");
    let subject = application.subject.as_ref().expect("it acts for one");
    store.disable_subject(subject, now(), &entry).await.unwrap();
    let refused = service.token(&form).await;
    refused.is_oauth_error(400, "invalid_grant");
    store.enable_subject(subject, &entry).await.unwrap();
    given().await;
    store.close().await;
    service.running.shutdown().await;
}

#[tokio::test]
async fn userinfo_names_the_home_organization_only_if_the_scope_asked_for_it() {
    let service = Service::start().await;
    let home = service.names.home_organization_scope();
    for (scope, expected) in [(home, json!(HOME)), ("", json!(null))] {
        let token = service.machine_token(scope).await;
        let request = service
            .http
            .get(service.auth("/oidc/v1/userinfo"))
            .bearer_auth(token);
        let answer = Answer::of(request.send().await.unwrap()).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
        assert_eq!(
            answer.json[service.names.home_organization_id()],
            expected,
            "scope {scope:?}"
        );
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn the_audience_of_another_environment_gets_invalid_client_and_no_token() {
    let service = Service::start().await;
    let (id, secret) = machine(&service);
    let foreign = service.names.audience_scope("318930470000000003");
    for grant in ["client_credentials", "authorization_code", "refresh_token"] {
        let form = [
            ("grant_type", grant),
            ("client_id", id),
            ("client_secret", secret),
            ("scope", &*foreign),
        ];
        service
            .token(&form)
            .await
            .is_oauth_error(400, "invalid_client");
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn what_does_not_authenticate_is_refused_in_the_shape_of_the_standard() {
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
        let answer = service.token(form).await;
        assert_eq!(
            (answer.status.as_u16(), answer.json["error"].as_str()),
            (status, Some(error)),
            "{case}"
        );
    }

    let basic = service
        .http
        .post(service.auth("/oauth/v2/token"))
        .basic_auth(id, Some("wrong"))
        .form(&[grant]);
    let answer = Answer::of(basic.send().await.unwrap()).await;
    answer.is_oauth_error(401, "invalid_client");
    assert!(
        answer.header("www-authenticate").starts_with("Basic "),
        "a challenge goes with 401"
    );

    let both = service
        .http
        .post(service.auth("/oauth/v2/token"))
        .basic_auth(id, Some(secret));
    let answer = Answer::of(
        both.form(&[grant, ("client_secret", secret)])
            .send()
            .await
            .unwrap(),
    )
    .await;
    answer.is_oauth_error(400, "invalid_request");

    let in_address = service.auth(&format!("/oauth/v2/token?client_secret={secret}"));
    let answer = Answer::of(
        service
            .http
            .post(in_address)
            .form(&[grant, ("client_id", id)])
            .send()
            .await
            .unwrap(),
    )
    .await;
    answer.is_oauth_error(400, "invalid_request");

    let json = service
        .http
        .post(service.auth("/oauth/v2/token"))
        .json(&json!({"grant_type": "client_credentials"}));
    Answer::of(json.send().await.unwrap())
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
        "tokens are given out by POST only"
    );

    service.machine_token("").await;
    service.running.shutdown().await;
}

#[tokio::test]
async fn while_a_secret_is_replaced_both_are_good_for_the_stated_time_and_a_third_never() {
    let service = Service::start().await;
    let (id, first) = machine(&service);
    let store = service.store().await;
    let entry = Entry::new(service.clock.now_ms(), audit::Kind::ClientSecretRotated);
    let rotate = async |secret: &str, overlap: i64| {
        let until = service.clock.now_ms() + overlap * 1000;
        let secret = TokenHash::of(secret);
        let rotated = store
            .rotate_client_secret(&id.into(), &secret, until, &entry)
            .await;
        assert!(rotated.unwrap(), "the machine has a secret");
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
    service.clock.forward(3_601);
    assert!(!good(first).await, "after the overlap");
    assert!(good("second").await);

    rotate("third", 3_600).await;
    rotate("fourth", 3_600).await;
    assert!(!good("second").await, "only one secret before the last");
    assert!(good("third").await);
    rotate("fifth", 0).await;
    assert!(!good("fourth").await, "without an overlap it ends at once");
    assert!(
        !store
            .rotate_client_secret(&"invoice-desk".into(), &TokenHash::of("x"), 0, &entry)
            .await
            .unwrap(),
        "a public application gets none"
    );
    store.close().await;
    service.running.shutdown().await;
}

#[tokio::test]
async fn an_expired_or_revoked_token_stands_for_nobody() {
    let service = Service::start().await;
    let token = service.machine_token("").await;
    let (id, secret) = machine(&service);
    assert_eq!(service.userinfo(&token).await.status, StatusCode::OK);
    let revoked = service
        .post(
            "/oauth/v2/revoke",
            &[
                ("token", &token),
                ("client_id", id),
                ("client_secret", secret),
            ],
        )
        .await;
    assert_eq!(revoked.status, StatusCode::OK);
    let answer = service.userinfo(&token).await;
    assert_eq!(answer.status, StatusCode::UNAUTHORIZED);
    assert_eq!(
        answer.header("www-authenticate"),
        "Bearer error=\"invalid_token\""
    );

    let token = service.machine_token("").await;
    service.clock.forward(43_199);
    assert_eq!(
        service.userinfo(&token).await.status,
        StatusCode::OK,
        "one second before it expires"
    );
    service.clock.forward(1);
    assert_eq!(
        service.userinfo(&token).await.status,
        StatusCode::UNAUTHORIZED,
        "when it expires"
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn only_an_api_application_may_introspect_and_only_tokens_for_its_project() {
    let service = Service::start().await;
    let (id, secret) = machine(&service);
    let api = service.application(ApplicationKind::Api);
    let (api_id, api_secret) = (
        api.client_id.as_str(),
        api.client_secret.as_deref().unwrap(),
    );
    let names = &service.names;
    let ours = service
        .machine_token(&format!(
            "{} {}",
            service.audience_scope(),
            names.home_organization_scope()
        ))
        .await;
    let without_audience = service.machine_token("").await;

    let answer = introspect(&service, api_id, api_secret, &ours).await;
    assert_eq!(answer.json["active"], json!(true), "{}", answer.body);
    assert_eq!(answer.json["client_id"], json!(id));
    assert_eq!(
        answer.json["aud"],
        json!([service.running.ready.audience_id])
    );
    assert_eq!(answer.json["iss"], json!(service.running.ready.auth_url));
    assert_eq!(answer.json[names.home_organization_id()], json!(HOME));
    assert_eq!(
        answer.json[names.roles()],
        json!({"accountant": {HOME: "alkhair.example"}})
    );

    for token in [without_audience.as_str(), "garbage"] {
        let answer = introspect(&service, api_id, api_secret, token).await;
        assert_eq!(
            answer.json,
            json!({"active": false}),
            "nothing else is told"
        );
    }
    introspect(&service, id, secret, &ours)
        .await
        .is_oauth_error(400, "unauthorized_client");
    introspect(&service, id, "wrong", &ours)
        .await
        .is_oauth_error(401, "invalid_client");
    introspect(&service, api_id, "wrong", &ours)
        .await
        .is_oauth_error(401, "invalid_client");
    service.running.shutdown().await;
}

fn machine(service: &Service) -> (&str, &str) {
    let machine = service.application(ApplicationKind::Machine);
    (
        &machine.client_id,
        machine
            .client_secret
            .as_deref()
            .expect("a machine has a secret"),
    )
}

async fn introspect(service: &Service, id: &str, secret: &str, token: &str) -> Answer {
    let form = [("token", token), ("token_type_hint", "access_token")];
    let request = service
        .http
        .post(service.auth("/oauth/v2/introspect"))
        .basic_auth(id, Some(secret))
        .form(&form);
    Answer::of(request.send().await.expect("the service answers")).await
}
