//! Tests of the password grant (RFC 6749, 4.3).

use crate::fixtures::user_agent::unverified_claims;
use crate::fixtures::{HESSA, HOME, NOURA, Response, SALEM, Service};
use invoicing_contract::ready::ApplicationKind;
use invoicing_storage::applications::{GrantType, ScopeKind};
use reqwest::StatusCode;
use serde_json::json;

/// An organization where Noura has a role; not her home organization.
const GULF_PEARL: &str = "274893002";
/// An organization without role grants in the demo seed.
const ANDALUS: &str = "274893005";

#[tokio::test]
async fn password_grant_of_an_unregistered_client_returns_unauthorized_client() {
    let service = Service::start().await;
    password_grant(&service, NOURA, "openid")
        .await
        .is_oauth_error(400, "unauthorized_client");
    service.running.shutdown().await;
}

#[tokio::test]
async fn password_grant_returns_access_id_and_refresh_tokens() {
    let service = start_with_password_grant().await;
    let response = password_grant(&service, NOURA, &service.desktop_scope()).await;
    assert_eq!(response.status, StatusCode::OK, "{}", response.body);
    assert_eq!(response.header("cache-control"), "no-store");
    assert_eq!(response.header("pragma"), "no-cache");
    let claims = unverified_claims(response.text("id_token"));
    assert_eq!(claims["name"], json!("Noura Al-Harbi"));
    assert_eq!(claims["aud"], json!(["web"]));
    assert_eq!(claims["auth_time"], claims["iat"], "signed in just now");
    assert_eq!(claims.get("sid"), None, "no browser, no session");

    let userinfo = service.userinfo(response.text("access_token")).await;
    assert_eq!(userinfo.json["sub"], claims["sub"]);
    let renewed = refresh(&service, response.text("refresh_token"), "").await;
    assert_eq!(renewed.status, StatusCode::OK, "{}", renewed.body);
    assert_eq!(renewed.json.get("id_token"), None);
    assert_eq!(
        service
            .list_status(renewed.text("access_token"), None)
            .await,
        StatusCode::OK
    );

    let plain = password_grant(&service, NOURA, "profile").await;
    assert_eq!(plain.json.get("id_token"), None, "openid was not asked for");
    assert_eq!(
        plain.json.get("refresh_token"),
        None,
        "nor was offline_access"
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn application_of_the_demo_seed_with_the_password_grant_signs_in_people_of_its_organization()
{
    let service = Service::start().await;
    let applications = service.ready.applications.iter();
    let with_grant: Vec<_> = applications
        .filter(|application| application.grants.iter().any(|grant| grant == "password"))
        .collect();
    let [application] = with_grant[..] else {
        panic!("one application has it: {with_grant:?}");
    };
    let secret = application.client_secret.as_deref().expect("a secret");
    for (username, expected) in [(SALEM, StatusCode::OK), (HESSA, StatusCode::BAD_REQUEST)] {
        let scope = service.desktop_scope();
        let form = [
            ("grant_type", "password"),
            ("client_id", &*application.client_id),
            ("client_secret", secret),
            ("username", username),
            ("password", &*service.user(username).password),
            ("scope", &*scope),
        ];
        let response = service.token(&form).await;
        assert_eq!(response.status, expected, "{username}: {}", response.body);
        if expected == StatusCode::OK {
            let token = response.text("access_token");
            assert_eq!(service.list_status(token, None).await, StatusCode::OK);
        }
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn password_grant_of_a_public_client_returns_unauthorized_client() {
    let service = Service::start().await;
    service
        .change_application("invoice-desk", |application| {
            application.grant_types.push(GrantType::Password);
        })
        .await;
    let password = &service.user(NOURA).password;
    let form = [
        ("grant_type", "password"),
        ("client_id", "invoice-desk"),
        ("username", NOURA),
        ("password", password),
    ];
    service
        .token(&form)
        .await
        .is_oauth_error(400, "unauthorized_client");
    service.running.shutdown().await;
}

#[tokio::test]
async fn password_grant_failures_are_indistinguishable() {
    let service = start_with_password_grant().await;
    let wrong = password_grant_with(&service, NOURA, "wrong", "openid").await;
    wrong.is_oauth_error(400, "invalid_grant");
    let unknown = password_grant_with(&service, "nobody@alkhair.example", "wrong", "openid").await;
    assert_eq!(wrong.body, unknown.body);

    service
        .change_application("web", |application| {
            application.organization = Some(GULF_PEARL.into());
        })
        .await;
    let foreign = password_grant(&service, NOURA, "openid").await;
    assert_eq!(
        (foreign.status, &foreign.body),
        (wrong.status, &wrong.body),
        "a correct password of a user of another tenant"
    );

    service
        .change_application("web", |application| application.organization = None)
        .await;
    password_grant(&service, NOURA, "openid")
        .await
        .is_oauth_error(400, "unauthorized_client");
    service.running.shutdown().await;
}

#[tokio::test]
async fn password_grant_with_an_organization_scope_requires_membership() {
    let service = start_with_password_grant().await;
    let scope =
        |organization: &str| format!("openid {}", service.names.organization_scope(organization));
    for (organization, member) in [
        (HOME, true),
        (GULF_PEARL, true),
        (ANDALUS, false),
        ("", false),
    ] {
        let response = password_grant(&service, NOURA, &scope(organization)).await;
        if member {
            assert_eq!(response.status, StatusCode::OK, "{}", response.body);
            let claims = unverified_claims(response.text("id_token"));
            let roles = claims[service.names.roles()].as_object().expect("a map");
            assert!(
                roles
                    .values()
                    .all(|organizations| organizations[organization].is_string()
                        && organizations.as_object().is_some_and(|all| all.len() == 1)),
                "only those of {organization}: {roles:?}"
            );
        } else {
            response.is_oauth_error(400, "invalid_scope");
        }
    }
    let both = format!("{} {}", scope(HOME), scope(GULF_PEARL));
    password_grant(&service, NOURA, &both)
        .await
        .is_oauth_error(400, "invalid_scope");
    service.running.shutdown().await;
}

#[tokio::test]
async fn organization_token_is_forbidden_elsewhere_even_after_refresh() {
    let service = start_with_password_grant().await;
    let selected = format!(
        "{} {}",
        service.desktop_scope(),
        service.names.organization_scope(GULF_PEARL)
    );
    for (scope, own, other) in [
        (service.desktop_scope(), HOME, GULF_PEARL),
        (selected, GULF_PEARL, HOME),
    ] {
        let first = password_grant(&service, NOURA, &scope).await;
        let narrow = format!("openid {}", service.audience_scope());
        let renewed = refresh(&service, first.text("refresh_token"), &narrow).await;
        for (response, which) in [(&first, "given"), (&renewed, "renewed with fewer scopes")] {
            let token = response.text("access_token");
            for (target, expected) in [
                (None, StatusCode::OK),
                (Some(own), StatusCode::OK),
                (Some(other), StatusCode::FORBIDDEN),
            ] {
                assert_eq!(
                    service.list_status(token, target).await,
                    expected,
                    "{which} for {own}, to {target:?}"
                );
            }
        }
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn password_grant_is_throttled_like_sign_in() {
    let service = start_with_password_grant().await;
    for _ in 0..5 {
        password_grant_with(&service, NOURA, "wrong", "")
            .await
            .is_oauth_error(400, "invalid_grant");
    }
    let slowed = password_grant(&service, NOURA, "").await;
    slowed.is_oauth_error(429, "temporarily_unavailable");
    let wait: i64 = slowed.header("retry-after").parse().unwrap();
    assert!((1..=5).contains(&wait), "{wait} s");
    let upper = password_grant_with(&service, &NOURA.to_uppercase(), "wrong", "").await;
    upper.is_oauth_error(429, "temporarily_unavailable");

    let other = password_grant(&service, SALEM, "").await;
    assert_eq!(other.status, StatusCode::OK, "others are not affected");
    service.clock.advance(wait);
    assert_eq!(
        password_grant(&service, NOURA, "").await.status,
        StatusCode::OK
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn password_grant_without_a_parameter_returns_invalid_request() {
    let service = start_with_password_grant().await;
    for (form, missing) in [
        (&[("password", "x")][..], "username"),
        (&[("username", NOURA)][..], "password"),
    ] {
        let response = send_password_grant(&service, form).await;
        response.is_oauth_error(400, "invalid_request");
        assert!(response.body.contains(missing), "{}", response.body);
    }
    service.running.shutdown().await;
}

/// A service with the demo seed whose confidential client may use the password grant.
pub(super) async fn start_with_password_grant() -> Service {
    let service = Service::start().await;
    service
        .change_application("web", |application| {
            application.grant_types.push(GrantType::Password);
            application.scopes = ScopeKind::ALL.to_vec();
        })
        .await;
    service
}

async fn password_grant(service: &Service, username: &str, scope: &str) -> Response {
    let password = service.user(username).password.clone();
    password_grant_with(service, username, &password, scope).await
}

async fn password_grant_with(
    service: &Service,
    username: &str,
    password: &str,
    scope: &str,
) -> Response {
    send_password_grant(
        service,
        &[
            ("username", username),
            ("password", password),
            ("scope", scope),
        ],
    )
    .await
}

/// Sends a password grant request of the confidential client with the additional parameters `form`.
async fn send_password_grant(service: &Service, form: &[(&str, &str)]) -> Response {
    let web = service.application(ApplicationKind::Confidential);
    let secret = web.client_secret.as_deref().expect("a secret");
    let grant = [
        ("grant_type", "password"),
        ("client_id", &*web.client_id),
        ("client_secret", secret),
    ];
    let form: Vec<_> = grant.into_iter().chain(form.iter().copied()).collect();
    service.token(&form).await
}

async fn refresh(service: &Service, token: &str, scope: &str) -> Response {
    let web = service.application(ApplicationKind::Confidential);
    let secret = web.client_secret.as_deref().expect("a secret");
    let form = [
        ("grant_type", "refresh_token"),
        ("client_id", &*web.client_id),
        ("client_secret", secret),
        ("refresh_token", token),
        ("scope", scope),
    ];
    service.token(&form).await
}
