//! Two environments side by side, and what never leaves the service: case 25.

use invoicing_contract::ready::ApplicationKind;
use invoicing_service::{Config, EnvironmentKind};
use reqwest::StatusCode;

use crate::fixtures::process::{Process, command, log};
use crate::fixtures::{NOURA, Service};

#[tokio::test]
async fn case_25_a_token_of_another_environment_is_nothing_here() {
    let folder = tempfile::tempdir().unwrap();
    let staging = Service::start_with(|config| Config {
        kind: EnvironmentKind::Staging,
        ..config
    })
    .await;
    // Of production there is another test: it has no demo accounts.
    let mut logged = command(folder.path(), &[]);
    logged.env("INVOICING_LOG", "trace");
    let other = Process::started(logged, folder.path()).await;
    let site = &other.site;
    assert_ne!(staging.ready.audience_id, site.ready.audience_id);

    let theirs = staging.sign_in(NOURA).await;
    let machine = site.application(ApplicationKind::Machine).clone();
    let secret = machine.client_secret.as_deref().unwrap();
    let foreign = staging.audience_scope();
    for scope in [
        foreign.clone(),
        format!("openid {foreign} {}", site.audience_scope()),
        format!("{} {foreign}", site.audience_scope()),
    ] {
        let form = [
            ("grant_type", "client_credentials"),
            ("client_id", &*machine.client_id),
            ("client_secret", secret),
            ("scope", &scope),
        ];
        let answer = site.token(&form).await;
        answer.is_oauth_error(400, "invalid_client");
        assert!(answer.json.get("access_token").is_none(), "no token");
    }
    let own = site.sign_in(NOURA).await;
    let desktop = site.application(ApplicationKind::Public).clone();
    let widened = [
        ("grant_type", "refresh_token"),
        ("client_id", &*desktop.client_id),
        ("refresh_token", own.text("refresh_token")),
        ("scope", &*foreign),
    ];
    site.token(&widened)
        .await
        .is_oauth_error(400, "invalid_client");
    assert_eq!(
        site.refresh(own.text("refresh_token")).await.status,
        StatusCode::OK,
        "the refused request spent nothing"
    );

    for token in ["access_token", "refresh_token", "id_token"] {
        let answer = site.userinfo(theirs.text(token)).await;
        assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "{token}");
    }
    site.refresh(theirs.text("refresh_token"))
        .await
        .is_oauth_error(400, "invalid_grant");
    let gateway = site
        .http
        .post(site.base("/api/v1/simple/invoices/list"))
        .bearer_auth(theirs.text("access_token"))
        .header("content-type", "application/json")
        .body("{}");
    assert_eq!(
        gateway.send().await.unwrap().status(),
        StatusCode::UNAUTHORIZED
    );
    let hint = url::form_urlencoded::byte_serialize(theirs.text("id_token").as_bytes())
        .collect::<String>();
    let signed_out = site
        .http
        .get(site.auth(&format!("/oidc/v1/end_session?id_token_hint={hint}")))
        .send()
        .await
        .unwrap();
    assert_eq!(
        signed_out.status(),
        StatusCode::BAD_REQUEST,
        "an id_token of elsewhere"
    );

    let log = log(folder.path());
    assert!(log.contains(" DEBUG "), "more than usual is logged");
    for secret in [
        secret,
        &site.user(NOURA).password,
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
