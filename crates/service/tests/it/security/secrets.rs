//! Security tests of tokens of another environment and of secrets in the log: case 25.

use invoicing_contract::ready::ApplicationKind;
use invoicing_service::EnvironmentKind;
use reqwest::StatusCode;

use crate::fixtures::process::{Process, command, log};
use crate::fixtures::{NOURA, Service, ServiceFolder};

#[tokio::test]
async fn case_25_token_of_another_environment_is_rejected() {
    let folder = ServiceFolder::new();
    let staging = Service::start()
        .await
        .restart_as(EnvironmentKind::Staging)
        .await;
    // A separate test covers production, which has no demo accounts.
    let mut logged = command(&folder, &[]);
    logged.env("INVOICING_LOG", "trace");
    let other = Process::started(logged, folder.path()).await;
    let service = &other.client;
    assert_ne!(staging.ready.audience_id, service.ready.audience_id);

    let theirs = staging.sign_in(NOURA).await;
    let machine = service.application(ApplicationKind::Machine).clone();
    let secret = machine.client_secret.as_deref().unwrap();
    let foreign = staging.audience_scope();
    for scope in [
        foreign.clone(),
        format!("openid {foreign} {}", service.audience_scope()),
        format!("{} {foreign}", service.audience_scope()),
    ] {
        let form = [
            ("grant_type", "client_credentials"),
            ("client_id", &*machine.client_id),
            ("client_secret", secret),
            ("scope", &scope),
        ];
        let response = service.token(&form).await;
        response.is_oauth_error(400, "invalid_client");
        assert!(response.json.get("access_token").is_none(), "no token");
    }
    let own = service.sign_in(NOURA).await;
    let desktop = service.application(ApplicationKind::Public).clone();
    let widened = [
        ("grant_type", "refresh_token"),
        ("client_id", &*desktop.client_id),
        ("refresh_token", own.text("refresh_token")),
        ("scope", &*foreign),
    ];
    service
        .token(&widened)
        .await
        .is_oauth_error(400, "invalid_client");
    assert_eq!(
        service.refresh(own.text("refresh_token")).await.status,
        StatusCode::OK,
        "the rejected request does not consume the token"
    );

    for token in ["access_token", "refresh_token", "id_token"] {
        let response = service.userinfo(theirs.text(token)).await;
        assert_eq!(response.status, StatusCode::UNAUTHORIZED, "{token}");
    }
    service
        .refresh(theirs.text("refresh_token"))
        .await
        .is_oauth_error(400, "invalid_grant");
    let gateway = service
        .http
        .post(service.base("/api/v1/simple/invoices/list"))
        .bearer_auth(theirs.text("access_token"))
        .header("content-type", "application/json")
        .body("{}");
    assert_eq!(
        gateway.send().await.unwrap().status(),
        StatusCode::UNAUTHORIZED
    );
    let hint = url::form_urlencoded::byte_serialize(theirs.text("id_token").as_bytes())
        .collect::<String>();
    let signed_out = service
        .http
        .get(service.auth(&format!("/oidc/v1/end_session?id_token_hint={hint}")))
        .send()
        .await
        .unwrap();
    assert_eq!(
        signed_out.status(),
        StatusCode::BAD_REQUEST,
        "an id_token of another environment"
    );

    let log = log(folder.path());
    assert!(log.contains(" DEBUG "), "the log level is trace");
    for secret in [
        secret,
        &service.user(NOURA).password,
        theirs.text("access_token"),
        theirs.text("refresh_token"),
        theirs.text("id_token"),
        own.text("access_token"),
        own.text("refresh_token"),
    ] {
        assert!(!log.contains(secret), "a secret is in the log");
    }
    staging.running.shutdown().await;
}
