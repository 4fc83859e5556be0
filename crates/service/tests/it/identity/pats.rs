//! Tests of personal access tokens (PATs): machine users only, never in production.

use crate::fixtures::gateway::GatewayClient;
use crate::fixtures::{HOME, NOURA, Response, Service, by_engine};
use invoicing_contract::ready::ApplicationKind;
use invoicing_identity::administration::AdministrationError;
use invoicing_storage::audit::{AuditEventKind, Query};
use invoicing_storage::secret::TokenHash;
use reqwest::StatusCode;
use serde_json::json;

const MACHINE: &str = "nightly-import";
const DAY: i64 = 24 * 60 * 60;

#[tokio::test]
async fn pat_as_bearer_token_authenticates_its_machine_user() {
    let service = Service::start().await;
    let (_, token) = minted(&service).await;
    let gateway = GatewayClient {
        service: &service,
        token: token.clone(),
    };
    gateway
        .create_draft(crate::fixtures::gateway::invoice("Dates", "10.00"))
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
    let introspected = Response::read(request.send().await.expect("a response")).await;
    assert_eq!(introspected.json["active"], json!(true));
    assert_eq!(introspected.json["username"], json!(MACHINE));
    service.running.shutdown().await;
}

#[tokio::test]
async fn access_token_with_the_pat_prefix_is_accepted_as_access_token() {
    let service = Service::start().await;
    let issued = TokenHash::of(&service.machine_token("").await);
    // A random access token may start with the PAT prefix by chance.
    let prefixed = "pat_XXRdjJt26tVFO3wywiMlgW2J35ImSe85UDiRrPU";
    let prefixed_hash = TokenHash::of(prefixed);
    let hash = base16ct::lower::encode_string(prefixed_hash.as_bytes());
    let (key, issued) = (prefixed_hash.lookup_key(), issued.lookup_key());
    let change = by_engine(
        format!(
            "UPDATE access_tokens SET lookup_key = {key}, hash = X'{hash}' WHERE lookup_key = {issued}"
        ),
        // It moves to the partition of the time that the token begins with.
        format!(
            "SELECT create_partitions({key}::bigint >> 21);
             UPDATE access_tokens SET number = {key}, bucket = {key}::bigint & 1023, hash = '\\x{hash}' WHERE number = {issued}"
        ),
    );
    service.execute_sql(&change).await;
    assert_eq!(service.userinfo(prefixed).await.status, StatusCode::OK);
    service.running.shutdown().await;
}

#[tokio::test]
async fn pat_is_rejected_once_revoked_or_expired_or_its_user_is_disabled() {
    let service = Service::start().await;
    let administration = service.administration().await;
    let (revoked, revoked_token) = minted(&service).await;
    let (_, old) = minted(&service).await;
    administration.revoke_pat(&revoked).await.unwrap();
    assert_eq!(
        service.userinfo(&revoked_token).await.status,
        StatusCode::UNAUTHORIZED
    );
    assert_eq!(service.userinfo(&old).await.status, StatusCode::OK);
    service.clock.advance(30 * DAY);
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
    service.clock.advance(1);
    administration.enable_user(MACHINE).await.unwrap();
    assert_eq!(
        service.userinfo(&fresh).await.status,
        StatusCode::UNAUTHORIZED,
        "enabling the user does not restore the PAT"
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn revoking_a_pat_returns_unsupported_token_type() {
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
async fn minting_a_pat_for_a_human_user_is_refused() {
    let service = Service::start().await;
    let refused = service.administration().await.mint_pat(NOURA, "x", 1).await;
    assert!(
        matches!(refused, Err(AdministrationError::NotAllowed(_))),
        "{refused:?}"
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn production_neither_mints_nor_accepts_pats() {
    let service = Service::start().await;
    let (_, token) = minted(&service).await;
    assert_eq!(service.userinfo(&token).await.status, StatusCode::OK);
    let service = service
        .restart_as(invoicing_service::EnvironmentKind::Production)
        .await;

    let refused = service
        .administration()
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
    let gateway = GatewayClient {
        service: &service,
        token,
    };
    let response = gateway
        .post("/api/v1/simple/invoices/list", json!({}))
        .await;
    assert_eq!(response.status, StatusCode::UNAUTHORIZED);
    let store = service.store().await;
    let query = Query {
        kinds: vec![AuditEventKind::PatRefused],
        size: 10,
        ..Query::default()
    };
    assert_eq!(
        store.audit(&query).await.unwrap().len(),
        1,
        "repeated refusals yield one audit event"
    );
    service.running.shutdown().await;
}

/// Creates a PAT; returns its id and its token.
async fn minted(service: &Service) -> (String, String) {
    let minted = service
        .administration()
        .await
        .mint_pat(MACHINE, "a script", 30)
        .await;
    let (pat, token) = minted.expect("a local environment issues PATs");
    (pat.id, token.expose().to_owned())
}
