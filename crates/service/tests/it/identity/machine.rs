//! Tests of machine users: the client credentials grant, userinfo, introspection, revocation.

use crate::fixtures::{HOME, Response, Service};
use invoicing_contract::ready::ApplicationKind;
use invoicing_storage::Clock as _;
use invoicing_storage::applications::ScopeKind;
use invoicing_storage::audit::{self, AuditEvent};
use reqwest::StatusCode;
use serde_json::json;

#[tokio::test]
async fn client_credentials_returns_an_access_token_without_id_or_refresh_token() {
    let service = Service::start().await;
    let (id, secret) = machine(&service);
    let scope = format!("openid offline_access {}", service.audience_scope());
    let form = [("grant_type", "client_credentials"), ("scope", &*scope)];
    let request = service
        .http
        .post(service.auth("/oauth/v2/token"))
        .basic_auth(id, Some(secret))
        .form(&form);
    let response = Response::read(request.send().await.unwrap()).await;

    assert_eq!(response.status, StatusCode::OK, "{}", response.body);
    assert_eq!(response.header("cache-control"), "no-store");
    assert_eq!(response.header("pragma"), "no-cache");
    assert_eq!(response.text("token_type"), "Bearer");
    assert_eq!(response.json["expires_in"], json!(43_200));
    assert_eq!(
        response.json.get("id_token"),
        None,
        "never for client_credentials"
    );
    assert_eq!(
        response.json.get("refresh_token"),
        None,
        "client_credentials returns no refresh token"
    );
    assert_eq!(
        response.text("access_token").len(),
        43,
        "256 bits in base64url"
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn change_by_another_process_applies_to_the_next_token_request() {
    let service = Service::start().await;
    let (id, secret) = machine(&service);
    let form = [
        ("grant_type", "client_credentials"),
        ("client_id", id),
        ("client_secret", secret),
    ];
    let issue_token = async || {
        let response = service.token(&form).await;
        assert_eq!(response.status, StatusCode::OK, "{}", response.body);
    };
    issue_token().await;
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
    issue_token().await;

    let store = service.store().await;
    let now = || service.clock.timestamp();
    let event = AuditEvent::new(now(), audit::AuditEventKind::UserDisabled);
    let basis = store.basis().await.unwrap();
    let application = store.application(&id.into(), basis).await.unwrap();
    let application = application.expect("it is there");
    let subject = application
        .subject
        .as_ref()
        .expect("the client has a subject");
    store.disable_subject(subject, now(), &event).await.unwrap();
    let refused = service.token(&form).await;
    refused.is_oauth_error(400, "invalid_grant");
    store.enable_subject(subject, &event).await.unwrap();
    issue_token().await;
    service.running.shutdown().await;
}

#[tokio::test]
async fn userinfo_contains_the_home_organization_only_with_its_scope() {
    let service = Service::start().await;
    let home = service.names.home_organization_scope();
    for (scope, expected) in [(home, json!(HOME)), ("", json!(null))] {
        let token = service.machine_token(scope).await;
        let request = service
            .http
            .get(service.auth("/oidc/v1/userinfo"))
            .bearer_auth(token);
        let response = Response::read(request.send().await.unwrap()).await;
        assert_eq!(response.status, StatusCode::OK, "{}", response.body);
        assert_eq!(
            response.json[service.names.home_organization_id()],
            expected,
            "scope {scope:?}"
        );
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn audience_scope_of_another_environment_returns_invalid_client() {
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
async fn expired_or_revoked_access_token_returns_401() {
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
    let response = service.userinfo(&token).await;
    assert_eq!(response.status, StatusCode::UNAUTHORIZED);
    assert_eq!(
        response.header("www-authenticate"),
        "Bearer error=\"invalid_token\""
    );

    let token = service.machine_token("").await;
    service.clock.advance(43_199);
    assert_eq!(
        service.userinfo(&token).await.status,
        StatusCode::OK,
        "one second before it expires"
    );
    service.clock.advance(1);
    assert_eq!(
        service.userinfo(&token).await.status,
        StatusCode::UNAUTHORIZED,
        "when it expires"
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn introspection_is_limited_to_api_clients_and_their_audience() {
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

    let response = introspect(&service, api_id, api_secret, &ours).await;
    assert_eq!(response.json["active"], json!(true), "{}", response.body);
    assert_eq!(response.json["client_id"], json!(id));
    assert_eq!(
        response.json["aud"],
        json!([service.running.ready.audience_id])
    );
    assert_eq!(response.json["iss"], json!(service.running.ready.auth_url));
    assert_eq!(response.json[names.home_organization_id()], json!(HOME));
    assert_eq!(
        response.json[names.roles()],
        json!({"accountant": {HOME: "alkhair.example"}})
    );

    for token in [without_audience.as_str(), "garbage"] {
        let response = introspect(&service, api_id, api_secret, token).await;
        assert_eq!(
            response.json,
            json!({"active": false}),
            "no other member is returned"
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

pub(super) fn machine(service: &Service) -> (&str, &str) {
    let machine = service.application(ApplicationKind::Machine);
    (
        &machine.client_id,
        machine
            .client_secret
            .as_deref()
            .expect("a machine has a secret"),
    )
}

async fn introspect(service: &Service, id: &str, secret: &str, token: &str) -> Response {
    let form = [("token", token), ("token_type_hint", "access_token")];
    let request = service
        .http
        .post(service.auth("/oauth/v2/introspect"))
        .basic_auth(id, Some(secret))
        .form(&form);
    Response::read(request.send().await.expect("the service responds")).await
}

#[tokio::test]
async fn scopes_not_allowed_for_the_client_are_dropped() {
    let service = Service::start().await;
    service
        .change_application("machine", |application| {
            application.scopes = vec![ScopeKind::ResourceOwner];
        })
        .await;
    let scope = format!(
        "{} {}",
        service.audience_scope(),
        service.names.home_organization_scope()
    );
    let token = service.machine_token(&scope).await;
    assert_eq!(
        service.userinfo(&token).await.status,
        StatusCode::OK,
        "the token is valid"
    );
    assert_eq!(
        service.list_status(&token, None).await,
        StatusCode::FORBIDDEN,
        "but not for a gateway whose project the application was not granted"
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn provisioned_machine_token_has_the_audience_by_default() {
    let service = Service::start().await;
    let home = service.names.home_organization_scope();
    let custom = service.machine_token(home).await;
    assert_eq!(
        service.list_status(&custom, None).await,
        StatusCode::FORBIDDEN,
        "the token lacks the audience"
    );
    service
        .change_application("machine", |application| {
            application.includes_audience = true;
        })
        .await;
    let provisioned = service.machine_token(home).await;
    assert_eq!(
        service.list_status(&provisioned, None).await,
        StatusCode::OK,
        "the audience is included"
    );
    let homeless = service.machine_token("").await;
    assert_eq!(
        service.list_status(&homeless, None).await,
        StatusCode::FORBIDDEN,
        "the home organization is not included"
    );
    service.running.shutdown().await;
}
