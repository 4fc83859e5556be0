//! The password grant, allowed scopes, and the ways in which an application authenticates, over the wire.

use crate::fixtures::user_agent::{Attempt, Form, UserAgent, claims};
use crate::fixtures::{Answer, HOME, NOURA, SALEM, Service};
use invoicing_contract::ready::ApplicationKind;
use invoicing_storage::applications::{GrantType, ScopeKind};
use reqwest::StatusCode;
use serde_json::json;

/// Granted to Noura, and not her home.
const GULF_PEARL: &str = "274893002";
/// Granted to nobody in the demo.
const ANDALUS: &str = "274893005";

#[tokio::test]
async fn it_is_off_until_an_application_is_given_it() {
    let service = Service::start().await;
    password_grant(&service, NOURA, "openid")
        .await
        .is_oauth_error(400, "unauthorized_client");
    service.running.shutdown().await;
}

#[tokio::test]
async fn the_application_s_own_people_get_all_three_tokens() {
    let service = with_password_grant().await;
    let answer = password_grant(&service, NOURA, &service.desktop_scope()).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
    assert_eq!(answer.header("cache-control"), "no-store");
    let claims = claims(answer.text("id_token"));
    assert_eq!(claims["name"], json!("Noura Al-Harbi"));
    assert_eq!(claims["aud"], json!(["web"]));
    assert_eq!(claims["auth_time"], claims["iat"], "signed in just now");
    assert_eq!(claims.get("sid"), None, "no browser, no session");

    let userinfo = service.userinfo(answer.text("access_token")).await;
    assert_eq!(userinfo.json["sub"], claims["sub"]);
    let renewed = refresh(&service, answer.text("refresh_token"), "").await;
    assert_eq!(renewed.status, StatusCode::OK, "{}", renewed.body);
    assert_eq!(renewed.json.get("id_token"), None);
    assert_eq!(
        reached(&service, renewed.text("access_token"), None).await,
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
async fn a_public_application_never_gets_it_whatever_it_was_given() {
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
async fn a_wrong_password_an_unknown_name_and_another_tenant_s_person_look_the_same() {
    let service = with_password_grant().await;
    let wrong = password_is(&service, NOURA, "wrong", "openid").await;
    wrong.is_oauth_error(400, "invalid_grant");
    let unknown = password_is(&service, "nobody@alkhair.example", "wrong", "openid").await;
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
        "the right password of somebody whose home is elsewhere"
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
async fn its_tokens_are_for_one_organization_of_which_the_person_is_a_member() {
    let service = with_password_grant().await;
    let scope =
        |organization: &str| format!("openid {}", service.names.organization_scope(organization));
    for (organization, member) in [
        (HOME, true),
        (GULF_PEARL, true),
        (ANDALUS, false),
        ("", false),
    ] {
        let answer = password_grant(&service, NOURA, &scope(organization)).await;
        if member {
            assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
            let claims = claims(answer.text("id_token"));
            let roles = claims[service.names.roles()].as_object().expect("a map");
            assert!(
                roles
                    .values()
                    .all(|organizations| organizations[organization].is_string()
                        && organizations.as_object().is_some_and(|all| all.len() == 1)),
                "only those of {organization}: {roles:?}"
            );
        } else {
            answer.is_oauth_error(400, "invalid_scope");
        }
    }
    let both = format!("{} {}", scope(HOME), scope(GULF_PEARL));
    password_grant(&service, NOURA, &both)
        .await
        .is_oauth_error(400, "invalid_scope");
    service.running.shutdown().await;
}

#[tokio::test]
async fn a_token_for_one_organization_does_not_reach_another_not_even_renewed() {
    let service = with_password_grant().await;
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
        for (answer, which) in [(&first, "given"), (&renewed, "renewed with fewer scopes")] {
            let token = answer.text("access_token");
            for (target, expected) in [
                (None, StatusCode::OK),
                (Some(own), StatusCode::OK),
                (Some(other), StatusCode::FORBIDDEN),
            ] {
                assert_eq!(
                    reached(&service, token, target).await,
                    expected,
                    "{which} for {own}, to {target:?}"
                );
            }
        }
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn it_is_slowed_down_like_signing_in() {
    let service = with_password_grant().await;
    for _ in 0..5 {
        password_is(&service, NOURA, "wrong", "")
            .await
            .is_oauth_error(400, "invalid_grant");
    }
    let slowed = password_grant(&service, NOURA, "").await;
    slowed.is_oauth_error(429, "temporarily_unavailable");
    let wait: i64 = slowed.header("retry-after").parse().unwrap();
    assert!((1..=5).contains(&wait), "{wait} s");
    let upper = password_is(&service, &NOURA.to_uppercase(), "wrong", "").await;
    upper.is_oauth_error(429, "temporarily_unavailable");

    let other = password_grant(&service, SALEM, "").await;
    assert_eq!(other.status, StatusCode::OK, "others are not affected");
    service.clock.forward(wait);
    assert_eq!(
        password_grant(&service, NOURA, "").await.status,
        StatusCode::OK
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn those_who_sign_in_do_not_count_against_their_office() {
    let service = Service::start().await;
    let attempt = Attempt::new(&service, "openid");
    for _ in 0..8 {
        UserAgent::new(&service)
            .sign_in(&service, &attempt, NOURA)
            .await;
    }
    let mut browser = UserAgent::new(&service);
    let form = Form::of(&browser.get(&attempt.path()).await, "sign-in");
    for number in 0..50 {
        let username = format!("person-{number}@alkhair.example");
        let wrong = browser
            .submit(&form, &[("username", &username), ("password", "wrong")])
            .await;
        assert_eq!(
            wrong.status,
            StatusCode::UNPROCESSABLE_ENTITY,
            "try {number} after eight right ones"
        );
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn what_is_missing_is_said() {
    let service = with_password_grant().await;
    for (form, missing) in [
        (&[("password", "x")][..], "username"),
        (&[("username", NOURA)][..], "password"),
    ] {
        let answer = ask(&service, form).await;
        answer.is_oauth_error(400, "invalid_request");
        assert!(answer.body.contains(missing), "{}", answer.body);
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn scopes_that_an_application_may_not_ask_for_are_left_out() {
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
        "the token is good"
    );
    assert_eq!(
        reached(&service, &token, None).await,
        StatusCode::FORBIDDEN,
        "but not for a gateway whose project the application was not granted"
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn a_provisioned_machine_carries_the_audience_without_asking() {
    let service = Service::start().await;
    let home = service.names.home_organization_scope();
    let custom = service.machine_token(home).await;
    assert_eq!(
        reached(&service, &custom, None).await,
        StatusCode::FORBIDDEN,
        "issued, and refused by the gateway"
    );
    service
        .change_application("machine", |application| {
            application.includes_audience = true;
        })
        .await;
    let provisioned = service.machine_token(home).await;
    assert_eq!(
        reached(&service, &provisioned, None).await,
        StatusCode::OK,
        "the audience is in it"
    );
    let homeless = service.machine_token("").await;
    assert_eq!(
        reached(&service, &homeless, None).await,
        StatusCode::FORBIDDEN,
        "the home organization is not"
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn every_application_with_a_secret_may_send_it_either_way_and_not_both() {
    let service = with_password_grant().await;
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
            let answer = Answer::of(request.send().await.unwrap()).await;
            assert_eq!(answer.status.as_u16(), expected, "{kind:?} {}", answer.body);
            if expected == 401 {
                answer.is_oauth_error(401, "invalid_client");
                assert!(answer.header("www-authenticate").starts_with("Basic "));
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

/// The demo, with the password grant given to its confidential application.
async fn with_password_grant() -> Service {
    let service = Service::start().await;
    service
        .change_application("web", |application| {
            application.grant_types.push(GrantType::Password);
            application.scopes = ScopeKind::ALL.to_vec();
        })
        .await;
    service
}

async fn password_grant(service: &Service, username: &str, scope: &str) -> Answer {
    let password = service.user(username).password.clone();
    password_is(service, username, &password, scope).await
}

async fn password_is(service: &Service, username: &str, password: &str, scope: &str) -> Answer {
    ask(
        service,
        &[
            ("username", username),
            ("password", password),
            ("scope", scope),
        ],
    )
    .await
}

/// The form of the grant as the confidential application sends it.
async fn ask(service: &Service, form: &[(&str, &str)]) -> Answer {
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

async fn refresh(service: &Service, token: &str, scope: &str) -> Answer {
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

/// How the gateway answers the token.
async fn reached(service: &Service, token: &str, organization: Option<&str>) -> StatusCode {
    let mut request = service
        .http
        .post(service.base("/api/v1/simple/invoices/list"))
        .bearer_auth(token)
        .json(&json!({}));
    if let Some(organization) = organization {
        request = request.header(service.names.organization_header(), organization);
    }
    request.send().await.expect("an answer").status()
}
