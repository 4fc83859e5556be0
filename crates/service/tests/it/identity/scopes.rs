//! Tests of scopes that select an organization, of scopes that were withdrawn from an application, and of authorization requests
//! without a scope (decision 0008).

use crate::fixtures::user_agent::{AuthorizationRequest, Callback, UserAgent, unverified_claims};
use crate::fixtures::{HOME, NOURA, Response, Service};
use invoicing_contract::ready::ApplicationKind;
use invoicing_storage::applications::{GrantType, ScopeKind};
use reqwest::StatusCode;

/// An organization where Noura has a role; not her home organization.
const GULF_PEARL: &str = "274893002";
const APPLICATIONS: [&str; 3] = ["invoice-desk", "web", "machine"];

#[tokio::test]
async fn scope_that_selects_an_organization_is_invalid_where_none_can_be_selected() {
    let service = Service::start().await;
    for kinds in [&ScopeKind::USUAL[..], &ScopeKind::ALL[..]] {
        for client_id in APPLICATIONS {
            service
                .change_application(client_id, |application| {
                    application.scopes = kinds.to_vec();
                })
                .await;
        }
        for organization in [HOME, GULF_PEARL, "", "nobody"] {
            let selects = service.names.organization_scope(organization);
            let scope = format!("openid {} {selects}", service.audience_scope());
            for request in [
                AuthorizationRequest::new(&service, &scope),
                AuthorizationRequest::confidential(&service, &scope),
            ] {
                let page = UserAgent::new(&service).get(&request.path()).await;
                let refused = Callback::from_redirect(&page);
                assert_eq!(refused.error(), Some("invalid_scope"), "{selects}");
                assert_eq!(refused.get("state"), "the state");
            }
            let machine = service.application(ApplicationKind::Machine);
            let form = [
                ("grant_type", "client_credentials"),
                ("client_id", &*machine.client_id),
                ("client_secret", machine.client_secret.as_deref().unwrap()),
                ("scope", &scope),
            ];
            service
                .token(&form)
                .await
                .is_oauth_error(400, "invalid_scope");
        }

        // A code exchange cannot select one either, and its code stays unused.
        let authorization = AuthorizationRequest::new(&service, "openid offline_access");
        let mut browser = UserAgent::new(&service);
        let callback = browser.sign_in(&service, &authorization, NOURA).await;
        let selects = service.names.organization_scope(HOME);
        let form = [
            ("grant_type", "authorization_code"),
            ("client_id", &*authorization.client_id),
            ("code", callback.get("code")),
            ("redirect_uri", &authorization.redirect_uri),
            ("code_verifier", &authorization.verifier),
            ("scope", &selects),
        ];
        service
            .token(&form)
            .await
            .is_oauth_error(400, "invalid_scope");
        let tokens = service.redeem(&authorization, &callback).await;
        assert_eq!(tokens.status, StatusCode::OK, "{}", tokens.body);
        let form = [
            ("grant_type", "refresh_token"),
            ("client_id", &*authorization.client_id),
            ("refresh_token", tokens.text("refresh_token")),
            ("scope", &selects),
        ];
        service
            .token(&form)
            .await
            .is_oauth_error(400, "invalid_scope");
        let renewed = service.refresh(tokens.text("refresh_token")).await;
        assert_eq!(renewed.status, StatusCode::OK, "{}", renewed.body);
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn application_without_the_scope_cannot_select_an_organization_but_repeat_its_own() {
    let service = Service::start().await;
    service
        .change_application("web", |application| {
            application.grant_types.push(GrantType::Password);
        })
        .await;
    for organization in [HOME, GULF_PEARL] {
        let scope = format!("openid {}", service.names.organization_scope(organization));
        password_grant(&service, &scope)
            .await
            .is_oauth_error(400, "invalid_scope");
    }
    let tokens = password_grant(&service, "openid offline_access").await;
    let granted = tokens.text("scope");
    assert!(
        granted.contains(&service.names.organization_scope(HOME)),
        "{granted}"
    );
    let elsewhere = format!("openid {}", service.names.organization_scope(GULF_PEARL));
    let both = format!("{granted} {}", service.names.organization_scope(GULF_PEARL));
    for scope in [&elsewhere, &both] {
        refresh(&service, &tokens, scope)
            .await
            .is_oauth_error(400, "invalid_scope");
    }
    let renewed = refresh(&service, &tokens, granted).await;
    assert_eq!(renewed.status, StatusCode::OK, "{}", renewed.body);
    assert_eq!(
        renewed
            .text("scope")
            .split(' ')
            .collect::<std::collections::BTreeSet<_>>(),
        granted.split(' ').collect()
    );
    let form = [
        ("grant_type", "refresh_token"),
        ("refresh_token", renewed.text("refresh_token")),
    ];
    let renewed = send(&service, &form).await;
    assert_eq!(
        renewed.text("scope"),
        granted,
        "the organization is a restriction, and stays without a scope parameter"
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn code_is_exchanged_without_the_scopes_that_were_withdrawn_since_its_authorization() {
    let service = Service::start().await;
    let authorization = AuthorizationRequest::new(&service, &service.desktop_scope());
    let mut browser = UserAgent::new(&service);
    let callback = browser.sign_in(&service, &authorization, NOURA).await;
    let withdrawn = [ScopeKind::Profile, ScopeKind::OfflineAccess];
    service
        .change_application("invoice-desk", |application| {
            application.scopes.retain(|kind| !withdrawn.contains(kind));
        })
        .await;
    let tokens = service.redeem(&authorization, &callback).await;
    assert_eq!(tokens.status, StatusCode::OK, "{}", tokens.body);
    let scope = service.desktop_scope();
    let left: Vec<_> = scope
        .split(' ')
        .filter(|scope| !["profile", "offline_access"].contains(scope))
        .collect();
    assert_eq!(tokens.text("scope"), left.join(" "));
    assert_eq!(tokens.json.get("refresh_token"), None, "{}", tokens.body);
    let claims = unverified_claims(tokens.text("id_token"));
    let userinfo = service.userinfo(tokens.text("access_token")).await;
    for claims in [&claims, &userinfo.json] {
        assert_eq!(claims.get("name"), None, "{claims}");
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn code_is_exchanged_without_a_refresh_token_when_the_refresh_was_withdrawn() {
    let service = Service::start().await;
    let authorization = AuthorizationRequest::new(&service, "openid offline_access");
    let mut browser = UserAgent::new(&service);
    let callback = browser.sign_in(&service, &authorization, NOURA).await;
    service
        .change_application("invoice-desk", |application| {
            application
                .grant_types
                .retain(|grant| *grant != GrantType::RefreshToken);
        })
        .await;
    let tokens = service.redeem(&authorization, &callback).await;
    assert_eq!(tokens.text("scope"), "openid", "{}", tokens.body);
    assert_eq!(tokens.json.get("refresh_token"), None, "{}", tokens.body);
    service.running.shutdown().await;
}

#[tokio::test]
async fn refresh_returns_invalid_grant_while_offline_access_is_withdrawn_from_the_application() {
    let service = Service::start().await;
    let tokens = service.sign_in(NOURA).await;
    let refresh_token = tokens.text("refresh_token");
    service
        .change_application("invoice-desk", |application| {
            application
                .scopes
                .retain(|kind| *kind != ScopeKind::OfflineAccess);
        })
        .await;
    service
        .refresh(refresh_token)
        .await
        .is_oauth_error(400, "invalid_grant");
    service
        .change_application("invoice-desk", |application| {
            application.scopes.push(ScopeKind::OfflineAccess);
        })
        .await;
    let renewed = service.refresh(refresh_token).await;
    assert_eq!(
        renewed.status,
        StatusCode::OK,
        "a refused refresh does not consume the token: {}",
        renewed.body
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn authorization_request_without_scope_returns_invalid_scope() {
    let service = Service::start().await;
    for request in [
        AuthorizationRequest::new(&service, ""),
        AuthorizationRequest::new(&service, "openid").without("scope"),
        AuthorizationRequest::confidential(&service, "openid").without("scope"),
    ] {
        let page = UserAgent::new(&service).get(&request.path()).await;
        let refused = Callback::from_redirect(&page);
        assert_eq!(refused.error(), Some("invalid_scope"));
        assert_eq!(refused.get("state"), "the state");
    }
    service.running.shutdown().await;
}

async fn password_grant(service: &Service, scope: &str) -> Response {
    let password = &service.user(NOURA).password;
    let form = [
        ("grant_type", "password"),
        ("username", NOURA),
        ("password", password),
        ("scope", scope),
    ];
    send(service, &form).await
}

async fn refresh(service: &Service, tokens: &Response, scope: &str) -> Response {
    let form = [
        ("grant_type", "refresh_token"),
        ("refresh_token", tokens.text("refresh_token")),
        ("scope", scope),
    ];
    send(service, &form).await
}

async fn send(service: &Service, form: &[(&str, &str)]) -> Response {
    let web = service.application(ApplicationKind::Confidential);
    let mut form = form.to_vec();
    form.push(("client_id", &web.client_id));
    form.push((
        "client_secret",
        web.client_secret.as_deref().expect("a secret"),
    ));
    service.token(&form).await
}
