//! Personal access tokens: for machine users, for development, and never in production.

use std::sync::Arc;

use crate::fixtures::gateway::Caller;
use crate::fixtures::{Answer, HOME, NOURA, Service};
use invoicing_contract::ready::ApplicationKind;
use invoicing_identity::administration::{Administration, AdministrationError};
use invoicing_service::{Config, SystemRng, open_administration};
use invoicing_storage::AuditStore as _;
use invoicing_storage::audit::{Kind, Query};
use invoicing_storage::secret::TokenHash;
use reqwest::StatusCode;
use serde_json::json;
use sqlx::{Connection as _, SqliteConnection};

const MACHINE: &str = "nightly-import";
const DAY: i64 = 24 * 60 * 60;

#[tokio::test]
async fn it_is_sent_directly_and_stands_for_its_machine_user() {
    let service = Service::start().await;
    let (_, token) = minted(&service).await;
    let caller = Caller {
        site: &service,
        token: token.clone(),
    };
    caller
        .draft(crate::fixtures::gateway::invoice("Dates", "10.00"))
        .await;
    let userinfo = service.userinfo(&token).await;
    assert_eq!(userinfo.json["sub"], json!("310000000000000009"));
    assert_eq!(
        userinfo.json[service.names.home_organization_id()],
        json!(HOME)
    );
    let api = service.application(ApplicationKind::Api);
    let request = service
        .http
        .post(service.auth("/oauth/v2/introspect"))
        .basic_auth(&api.client_id, api.client_secret.as_deref())
        .form(&[("token", &token)]);
    let introspected = Answer::of(request.send().await.expect("an answer")).await;
    assert_eq!(introspected.json["active"], json!(true));
    assert_eq!(introspected.json["username"], json!(MACHINE));
    service.running.shutdown().await;
}

#[tokio::test]
async fn an_access_token_that_begins_like_one_by_chance_is_an_access_token() {
    let service = Service::start().await;
    let given = TokenHash::of(&service.machine_token("").await);
    // As random as any, and as likely.
    let chance = "pat_XXRdjJt26tVFO3wywiMlgW2J35ImSe85UDiRrPU";
    let as_if = TokenHash::of(chance);
    let url = format!(
        "sqlite:{}",
        service.folder.path().join("invoicing.db").display()
    );
    let mut database = SqliteConnection::connect(&url).await.unwrap();
    let changed =
        sqlx::query("UPDATE access_tokens SET lookup_key = $1, hash = $2 WHERE lookup_key = $3")
            .bind(as_if.lookup_key())
            .bind(as_if.as_bytes())
            .bind(given.lookup_key())
            .execute(&mut database)
            .await
            .unwrap();
    assert_eq!(changed.rows_affected(), 1);
    database.close().await.unwrap();
    assert_eq!(service.userinfo(chance).await.status, StatusCode::OK);
    service.running.shutdown().await;
}

#[tokio::test]
async fn it_ends_when_it_is_revoked_or_old_or_its_user_is_disabled() {
    let service = Service::start().await;
    let administration = administration(&service).await;
    let (revoked, revoked_token) = minted(&service).await;
    let (_, old) = minted(&service).await;
    administration.revoke_pat(&revoked).await.unwrap();
    assert_eq!(
        service.userinfo(&revoked_token).await.status,
        StatusCode::UNAUTHORIZED
    );
    assert_eq!(service.userinfo(&old).await.status, StatusCode::OK);
    service.clock.forward(30 * DAY);
    assert_eq!(
        service.userinfo(&old).await.status,
        StatusCode::UNAUTHORIZED
    );
    let (_, fresh) = minted(&service).await;
    administration.disable_user(MACHINE).await.unwrap();
    assert_eq!(
        service.userinfo(&fresh).await.status,
        StatusCode::UNAUTHORIZED
    );
    service.clock.forward(1);
    administration.enable_user(MACHINE).await.unwrap();
    assert_eq!(
        service.userinfo(&fresh).await.status,
        StatusCode::UNAUTHORIZED,
        "dead for good"
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn an_application_that_gives_one_back_hears_that_it_lives_on() {
    let service = Service::start().await;
    let (_, token) = minted(&service).await;
    let machine = service.application(ApplicationKind::Machine);
    let secret = machine.client_secret.as_deref().unwrap();
    let form = [
        ("client_id", &*machine.client_id),
        ("client_secret", secret),
        ("token", &*token),
    ];
    service
        .post("/oauth/v2/revoke", &form)
        .await
        .is_oauth_error(400, "unsupported_token_type");
    assert_eq!(service.userinfo(&token).await.status, StatusCode::OK);
    service.running.shutdown().await;
}

#[tokio::test]
async fn a_person_gets_none() {
    let service = Service::start().await;
    let refused = administration(&service).await.mint_pat(NOURA, "x", 1).await;
    assert!(
        matches!(refused, Err(AdministrationError::NotAllowed(_))),
        "{refused:?}"
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn production_neither_mints_nor_takes_one_wherever_it_came_from() {
    let service = Service::start().await;
    let (_, token) = minted(&service).await;
    assert_eq!(service.userinfo(&token).await.status, StatusCode::OK);
    crate::fixtures::gateway::sql(
        &service,
        "UPDATE settings SET value = 'production' WHERE name = 'kind'",
    )
    .await;
    let service = service
        .restart_with(|config| Config {
            kind: invoicing_service::EnvironmentKind::Production,
            seed: None,
            invoices: None,
            ..config
        })
        .await;

    let refused = administration(&service)
        .await
        .mint_pat(MACHINE, "x", 1)
        .await;
    assert!(
        matches!(refused, Err(AdministrationError::NotAllowed(_))),
        "{refused:?}"
    );
    for _ in 0..3 {
        assert_eq!(
            service.userinfo(&token).await.status,
            StatusCode::UNAUTHORIZED
        );
    }
    let caller = Caller {
        site: &service,
        token,
    };
    let answer = caller.post("/api/v1/simple/invoices/list", json!({})).await;
    assert_eq!(answer.status, StatusCode::UNAUTHORIZED);
    let store = service.store().await;
    let query = Query {
        kinds: vec![Kind::PatRefused],
        size: 10,
        ..Query::default()
    };
    assert_eq!(
        store.audit(&query).await.unwrap().len(),
        1,
        "recorded, and not as often as somebody likes"
    );
    store.close().await;
    service.running.shutdown().await;
}

/// Id and token of a new one.
async fn minted(service: &Service) -> (String, String) {
    let minted = administration(service)
        .await
        .mint_pat(MACHINE, "a script", 30)
        .await;
    let (pat, token) = minted.expect("a local environment mints");
    (pat.id, token.expose().to_owned())
}

async fn administration(service: &Service) -> Administration {
    let database = format!(
        "sqlite:{}",
        service.folder.path().join("invoicing.db").display()
    );
    open_administration(&database, service.clock.clone(), Arc::new(SystemRng))
        .await
        .expect("the database is there")
}
