//! Tests of the applications of an organization through the gateway, and of whom they serve.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use super::platform::{add_person, person_signed_in};
use super::users::administrator;
use crate::fixtures::gateway::{GatewayClient, reason, violation_fields};
use crate::fixtures::user_agent::{AuthorizationRequest, Callback, Form, UserAgent};
use crate::fixtures::{HOME, NOURA, Response, SALEM, Service};

const APPLICATIONS: &str = "/api/v2/admin/identity/applications";
const GULF_PEARL: &str = "274893002";
const CALLBACK: &str = "https://books.palms.example/callback";

/// Registers a confidential application and returns the request that signs in with it.
pub(super) async fn create(
    caller: &GatewayClient<'_>,
    service: &Service,
) -> (Value, AuthorizationRequest) {
    let grants = ["authorization_code", "refresh_token", "password"];
    let new = json!({"application": {"name": "Palm Books", "kind": "CONFIDENTIAL", "grantTypes": grants,
        "redirectUris": [CALLBACK]}});
    let created = caller.post(APPLICATIONS, new).await;
    assert_eq!(created.status, StatusCode::OK, "{}", created.body);
    let application = created.json["application"].clone();
    let client_id = application["clientId"].as_str().expect("an id");
    let request = AuthorizationRequest::confidential(service, &service.desktop_scope())
        .with("client_id", client_id)
        .with("redirect_uri", CALLBACK);
    let request = AuthorizationRequest {
        client_id: client_id.to_owned(),
        client_secret: Some(created.text("clientSecret").to_owned()),
        ..request
    };
    (application, request)
}

async fn patch(caller: &GatewayClient<'_>, client_id: &str, body: &Value) -> Response {
    let path = format!("{APPLICATIONS}/{client_id}");
    let request = caller.request(Method::PATCH, &path).json(body);
    Response::read(request.send().await.expect("a response")).await
}

#[tokio::test]
async fn application_of_an_organization_serves_its_people_only() {
    let service = Service::start().await;
    let noura = administrator(&service).await;
    let (_, request) = create(&noura, &service).await;
    let tokens = service.sign_in_to(&request, SALEM).await;
    let token = tokens.text("access_token");
    assert_eq!(service.list_status(token, None).await, StatusCode::OK);

    add_person(&service, "81", GULF_PEARL, "administrator").await;
    let mut browser = UserAgent::new(&service);
    let password = &service.user(SALEM).password;
    let fields = [("username", "81@example"), ("password", password.as_str())];
    let page = browser.get(&request.path()).await;
    let refused = browser.submit(&Form::find(&page, "sign-in"), &fields).await;
    assert!(
        refused.body.contains("do not belong together"),
        "{}",
        refused.body
    );
    // With a session of an application of the platform.
    let platform = AuthorizationRequest::confidential(&service, "openid");
    let page = browser.get(&platform.path()).await;
    let signed_in = browser.submit(&Form::find(&page, "sign-in"), &fields).await;
    Callback::from_redirect(&signed_in);
    let page = browser.get(&request.path()).await;
    Form::find(&page, "sign-in");
    let silent = request.clone().with("prompt", "none");
    let silent = Callback::from_redirect(&browser.get(&silent.path()).await);
    assert_eq!(silent.error(), Some("login_required"));

    let other = person_signed_in(&service, "81").await;
    for client_id in [&*request.client_id, "machine", "invoice-desk"] {
        let found = other.get(&format!("{APPLICATIONS}/{client_id}")).await;
        assert_eq!(found.status, StatusCode::NOT_FOUND, "{client_id}");
        for verb in ["disable", "enable", "rotateSecret"] {
            let path = format!("{APPLICATIONS}/{client_id}:{verb}");
            let refused = other.post(&path, json!({})).await;
            assert_eq!(
                reason(&refused.json),
                "APPLICATION_NOT_FOUND",
                "{verb} {client_id}"
            );
        }
    }
    // The application of the platform belongs to the organization of the demo seed, but serves everybody.
    let platform = noura.get(&format!("{APPLICATIONS}/invoice-desk")).await;
    assert_eq!(platform.status, StatusCode::NOT_FOUND);
    let listed = noura.post(&format!("{APPLICATIONS}/list"), json!({})).await;
    let listed = listed.json["applications"].as_array().unwrap().len();
    assert_eq!(listed, 2, "its own, and that of the machine user");
    let listed = other.post(&format!("{APPLICATIONS}/list"), json!({})).await;
    assert_eq!(listed.json["applications"], json!([]));
    service.running.shutdown().await;
}

#[tokio::test]
async fn tokens_of_an_application_are_restricted_to_its_organization() {
    let service = Service::start().await;
    let noura = administrator(&service).await;
    let (_, request) = create(&noura, &service).await;
    // Noura has roles in other organizations too, and an application of the platform reaches them.
    let platform = service.sign_in(NOURA).await;
    let platform = platform.text("access_token");
    assert_eq!(
        service.list_status(platform, Some(GULF_PEARL)).await,
        StatusCode::OK
    );

    let home = service.names.organization_scope(HOME);
    let tokens = service.sign_in_to(&request, NOURA).await;
    let granted = tokens.text("scope");
    assert!(granted.split(' ').any(|scope| scope == home), "{granted}");
    let credentials = [
        ("client_id", &*request.client_id),
        ("client_secret", request.client_secret.as_deref().unwrap()),
    ];
    let refresh = [
        ("grant_type", "refresh_token"),
        ("refresh_token", tokens.text("refresh_token")),
        ("scope", granted),
    ];
    let refreshed = service.token(&[&credentials[..], &refresh].concat()).await;
    let password = [
        ("grant_type", "password"),
        ("username", NOURA),
        ("password", &*service.user(NOURA).password),
        ("scope", &*service.audience_scope()),
    ];
    let by_password = service.token(&[&credentials[..], &password].concat()).await;
    for issued in [&tokens, &refreshed, &by_password] {
        let token = issued.text("access_token");
        assert_eq!(service.list_status(token, None).await, StatusCode::OK);
        assert_eq!(
            service.list_status(token, Some(GULF_PEARL)).await,
            StatusCode::FORBIDDEN
        );
    }
    let userinfo = service.userinfo(tokens.text("access_token")).await;
    let roles = userinfo.json[service.names.roles()].as_object().unwrap();
    for organizations in roles.values() {
        let organizations = organizations.as_object().unwrap();
        assert!(organizations.keys().eq([HOME]), "{organizations:?}");
    }
    let other = service.names.organization_scope(GULF_PEARL);
    let selecting = [&password[..3], &[("scope", &*other)]].concat();
    let refused = service
        .token(&[&credentials[..], &selecting].concat())
        .await;
    refused.is_oauth_error(400, "invalid_scope");
    service.running.shutdown().await;
}

#[tokio::test]
async fn disabled_application_ends_with_the_next_request_and_secrets_overlap() {
    let service = Service::start().await;
    let noura = administrator(&service).await;
    let (application, request) = create(&noura, &service).await;
    let tokens = service.sign_in_to(&request, NOURA).await;
    let token = tokens.text("access_token");
    let path = format!("{APPLICATIONS}/{}", request.client_id);

    let rotated = noura
        .post(
            &format!("{path}:rotateSecret"),
            json!({"overlapSeconds": 600}),
        )
        .await;
    let ends = &rotated.json["application"]["retiredSecretExpireTimes"];
    assert_eq!(ends.as_array().unwrap().len(), 1, "{}", rotated.body);
    let renewed = AuthorizationRequest {
        client_secret: Some(rotated.text("clientSecret").to_owned()),
        ..request.clone()
    };
    for accepted in [&request, &renewed] {
        service.sign_in_to(accepted, NOURA).await;
    }
    let long = noura
        .post(
            &format!("{path}:rotateSecret"),
            json!({"overlapSeconds": 7_776_001}),
        )
        .await;
    assert_eq!(violation_fields(&long), ["overlapSeconds"]);

    let stamp = &application["concurrencyStamp"];
    let mut change = json!({"application": {"name": "Ledger"}, "concurrencyStamp": stamp, "updateMask": "name", "validateOnly": true});
    let checked = patch(&noura, &request.client_id, &change).await;
    assert_eq!(checked.json["name"], "Ledger", "{}", checked.body);
    change["validateOnly"] = json!(false);
    let changed = patch(&noura, &request.client_id, &change).await;
    assert_eq!(
        changed.json["redirectUris"],
        json!([CALLBACK]),
        "the mask leaves it"
    );
    let stale = patch(&noura, &request.client_id, &change).await;
    assert_eq!(reason(&stale.json), "STAMP_MISMATCH");
    // All fields, without the kind, which cannot be changed.
    let mut whole = json!({"application": changed.json, "concurrencyStamp": changed.json["concurrencyStamp"],
        "validateOnly": true, "updateMask": "*"});
    whole["application"]["kind"] = json!("KIND_UNSPECIFIED");
    let replaced = patch(&noura, &request.client_id, &whole).await;
    assert_eq!(replaced.json["kind"], "CONFIDENTIAL", "{}", replaced.body);
    let invalid = json!({
        "application": {"name": "", "kind": "PUBLIC", "grantTypes": ["client_credentials", "magic"],
            "redirectUris": [CALLBACK, "http://books.palms.example/"], "idTokenAlgorithm": "none"},
        "concurrencyStamp": changed.json["concurrencyStamp"],
    });
    let mut fields = violation_fields(&patch(&noura, &request.client_id, &invalid).await);
    fields.sort_unstable();
    let expected = [
        "application.grantTypes",
        "application.grantTypes[0]",
        "application.grantTypes[1]",
        "application.idTokenAlgorithm",
        "application.kind",
        "application.name",
        "application.redirectUris[1]",
    ];
    assert_eq!(fields, expected);

    let disabled = noura.post(&format!("{path}:disable"), json!({})).await;
    assert_eq!(disabled.json["disabled"], true, "{}", disabled.body);
    assert_eq!(
        service.list_status(token, None).await,
        StatusCode::UNAUTHORIZED
    );
    let refresh = [
        ("grant_type", "refresh_token"),
        ("client_id", &*request.client_id),
        ("client_secret", rotated.text("clientSecret")),
        ("refresh_token", tokens.text("refresh_token")),
    ];
    let refused = service.token(&refresh).await;
    refused.is_oauth_error(400, "invalid_client");
    let page = UserAgent::new(&service).get(&request.path()).await;
    assert_eq!(
        page.status,
        StatusCode::BAD_REQUEST,
        "an unknown application"
    );
    let enabled = noura.post(&format!("{path}:enable"), json!({})).await;
    assert_eq!(enabled.json["disabled"], false, "{}", enabled.body);
    assert_eq!(service.list_status(token, None).await, StatusCode::OK);
    service.running.shutdown().await;
}

#[tokio::test]
async fn application_has_the_grants_and_addresses_of_its_kind() {
    let service = Service::start().await;
    let noura = administrator(&service).await;
    for (application, fields) in [
        (json!({"name": "x"}), vec!["application.kind"]),
        (
            json!({"name": "x", "kind": "MACHINE"}),
            vec!["application.kind"],
        ),
        (json!({"kind": "API"}), vec!["application.name"]),
        (
            json!({"name": "x", "kind": "PUBLIC", "grantTypes": ["password"]}),
            vec!["application.grantTypes[0]"],
        ),
        (
            json!({"name": "x", "kind": "CONFIDENTIAL", "postLogoutUris": ["javascript:alert(1)"]}),
            vec!["application.postLogoutUris[0]"],
        ),
        (
            json!({"name": "x", "kind": "API", "userId": "7", "clientId": "8"}),
            vec!["application.clientId", "application.userId"],
        ),
    ] {
        let refused = noura
            .post(APPLICATIONS, json!({"application": application}))
            .await;
        assert_eq!(violation_fields(&refused), fields, "{}", refused.body);
    }
    let id = "01935e2a-7c00-7000-8000-00000000000a";
    let mut public = json!({"clientId": id, "application": {"name": "App", "kind": "PUBLIC",
        "redirectUris": ["com.palms.app:/callback"]}, "validateOnly": true});
    let checked = noura.post(APPLICATIONS, public.clone()).await;
    assert_eq!(checked.text("clientSecret"), "", "{}", checked.body);
    public["validateOnly"] = json!(false);
    let created = noura.post(APPLICATIONS, public.clone()).await;
    assert_eq!(
        created.text("clientSecret"),
        "",
        "a public application has none"
    );
    assert_eq!(
        created.json["application"]["grantTypes"],
        json!(["authorization_code", "refresh_token"])
    );
    let again = noura.post(APPLICATIONS, public).await;
    assert_eq!(reason(&again.json), "APPLICATION_EXISTS");
    let path = format!("{APPLICATIONS}/{id}:rotateSecret");
    let rotated = noura.post(&path, json!({})).await;
    assert_eq!(reason(&rotated.json), "NO_SECRET");
    service.running.shutdown().await;
}

#[tokio::test]
async fn secret_is_not_replaced_with_an_overlap_while_four_earlier_ones_are_accepted() {
    let service = Service::start().await;
    let noura = administrator(&service).await;
    let (_, request) = create(&noura, &service).await;
    let path = format!("{APPLICATIONS}/{}:rotateSecret", request.client_id);
    let overlap = json!({"overlapSeconds": 600});
    for _ in 0..4 {
        let rotated = noura.post(&path, overlap.clone()).await;
        assert_eq!(rotated.status, StatusCode::OK, "{}", rotated.body);
    }
    let refused = noura.post(&path, overlap).await;
    assert_eq!(reason(&refused.json), "TOO_MANY_SECRETS");
    let without_overlap = noura.post(&path, json!({})).await;
    assert_eq!(without_overlap.status, StatusCode::OK, "it ends them all");
    service.running.shutdown().await;
}
