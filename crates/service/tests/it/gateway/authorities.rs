//! Tests of the settings of tax authorities: operations on the platform.

use std::path::PathBuf;

use invoicing_contract::messages::authorities::authorities_client::AuthoritiesClient;
use invoicing_contract::messages::authorities::{GetAuthorityRequest, ListAuthoritiesRequest};
use invoicing_service::Config;
use reqwest::Method;
use serde_json::{Value, json};

use super::clearance::configure;
use crate::fixtures::authority::{Behaviour, TaxAuthority};
use crate::fixtures::gateway::{
    DOCUMENTS, GatewayClient, channel, invoice, reason, violation_fields,
};
use crate::fixtures::process::{Process, command};
use crate::fixtures::{HESSA, HOME, Response, Service, ServiceFolder, by_engine, config_in};

pub(super) const AUTHORITIES: &str = "/api/v2/admin/authorities";

/// A service whose credentials can be stored: on SQLite it makes its own key file.
pub(super) async fn start() -> Service {
    let folder = ServiceFolder::seeded().await;
    let config = Config {
        encryption_key_file: by_engine(None, Some(key_file(&folder))),
        ..config_in(&folder)
    };
    Service::start_configured(folder, config).await
}

/// A file in `folder` with a key, readable only by its owner.
fn key_file(folder: &ServiceFolder) -> PathBuf {
    let file = folder.path().join("keys");
    let key = "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=\n";
    std::fs::write(&file, key).expect("a file is written");
    #[cfg(unix)]
    std::fs::set_permissions(&file, std::os::unix::fs::PermissionsExt::from_mode(0o600))
        .expect("it is ours");
    file
}

pub(super) async fn operator(service: &Service) -> GatewayClient<'_> {
    let tokens = service.sign_in(HESSA).await;
    GatewayClient {
        service,
        token: tokens.text("access_token").to_owned(),
    }
}

pub(super) async fn patch(gateway: &GatewayClient<'_>, body: Value) -> Response {
    let request = gateway.request(Method::PATCH, &format!("{AUTHORITIES}/{HOME}"));
    Response::read(request.json(&body).send().await.expect("a response")).await
}

pub(super) fn settings(endpoint: &str) -> Value {
    json!({
        "adapter": "http",
        "endpoint": endpoint,
        "mode": "AUTHORITY_MODE_CLEARANCE",
        "kinds": ["INVOICE", "CREDIT_NOTE"],
        "enabled": true,
    })
}

#[tokio::test]
async fn authority_is_configured_used_changed_and_disabled_by_the_operator() {
    let service = start().await;
    let operator = operator(&service).await;
    let gateway = GatewayClient::new(&service).await;
    let authority = TaxAuthority::start().await;
    let path = format!("{AUTHORITIES}/{HOME}");
    let create = json!({
        "organizationId": HOME,
        "authority": settings(&authority.endpoint()),
        "credentials": {"username": "unit-1", "secret": "hush"},
    });
    let refused = gateway.post(AUTHORITIES, create.clone()).await;
    assert_eq!(refused.status, 403, "no operator: {}", refused.body);
    assert_eq!(operator.get(&path).await.status, 404);

    let mut validated = create.clone();
    validated["validateOnly"] = json!(true);
    let validated = operator.post(AUTHORITIES, validated).await;
    assert_eq!(validated.status, 200, "{}", validated.body);
    assert_eq!(operator.get(&path).await.status, 404, "nothing is written");
    let created = operator.post(AUTHORITIES, create.clone()).await;
    assert_eq!(created.status, 200, "{}", created.body);
    assert_eq!(created.json["hasCredentials"], true);
    assert!(!created.body.contains("hush"), "{}", created.body);
    let again = operator.post(AUTHORITIES, create).await;
    assert_eq!(
        (again.status.as_u16(), reason(&again.json)),
        (409, "AUTHORITY_EXISTS".into())
    );
    let stored = service
        .folder
        .count("SELECT count(*) FROM authorities WHERE CAST(credentials AS TEXT) LIKE '%hush%'")
        .await;
    assert_eq!(stored, 0, "credentials are encrypted");

    let connection = operator
        .post(&format!("{path}:testConnection"), json!({}))
        .await;
    assert_eq!(connection.json["reachable"], true, "{}", connection.body);
    let draft = gateway.create_draft(invoice("a", "10")).await;
    let issued = gateway.perform(&draft, "issue").await;
    assert_eq!(issued["authority"]["status"], "cleared");
    let basic = "Basic dW5pdC0xOmh1c2g=";
    assert_eq!(authority.authorization().as_deref(), Some(basic));

    let stale = patch(
        &operator,
        json!({"concurrencyStamp": "other", "authority": {"enabled": false}, "updateMask": "enabled"}),
    )
    .await;
    assert_eq!(reason(&stale.json), "STAMP_MISMATCH", "{}", stale.body);
    let stamp = &created.json["concurrencyStamp"];
    let changed = patch(
        &operator,
        json!({"concurrencyStamp": stamp, "authority": {"mode": "AUTHORITY_MODE_REPORTING"}, "updateMask": "mode"}),
    )
    .await;
    assert_eq!(changed.status, 200, "{}", changed.body);
    assert_eq!(
        (&changed.json["endpoint"], &changed.json["hasCredentials"]),
        (&created.json["endpoint"], &json!(true)),
        "the others stay"
    );
    let draft = gateway.create_draft(invoice("b", "10")).await;
    let issued = gateway.perform(&draft, "issue").await;
    assert_eq!(
        issued["authority"]["status"], "pending",
        "reporting does not wait"
    );
    let found = loop {
        let path = format!(
            "{DOCUMENTS}/{}",
            issued["documentKey"].as_str().expect("a key")
        );
        let found = gateway.get(&path).await.json;
        if found["authority"]["status"] != "pending" {
            break found;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    };
    assert_eq!(found["authority"]["status"], "cleared");

    let stamp = &changed.json["concurrencyStamp"];
    let disabled = patch(
        &operator,
        json!({"concurrencyStamp": stamp, "authority": {"enabled": false}, "updateMask": "enabled",
            "credentials": {}}),
    )
    .await;
    assert_eq!(
        (&disabled.json["enabled"], &disabled.json["hasCredentials"]),
        (&json!(false), &json!(false)),
        "{}",
        disabled.body
    );
    let draft = gateway.create_draft(invoice("c", "10")).await;
    let issued = gateway.perform(&draft, "issue").await;
    assert_eq!(issued["authority"], json!(null), "issued without it");

    let mut grpc = AuthoritiesClient::new(channel(&service).await);
    let request = GetAuthorityRequest {
        organization_id: HOME.to_owned(),
    };
    let got = grpc
        .get_authority(operator.grpc(request))
        .await
        .expect("found");
    assert_eq!(
        Some(got.into_inner().concurrency_stamp.as_str()),
        disabled.json["concurrencyStamp"].as_str()
    );
    let listed = grpc
        .list_authorities(operator.grpc(ListAuthoritiesRequest::default()))
        .await;
    let listed = listed.expect("a page").into_inner();
    assert_eq!(
        (listed.items.len(), listed.next_page_token.as_str()),
        (1, "")
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn invalid_settings_are_refused_with_the_exact_fields() {
    let service = start().await;
    let operator = operator(&service).await;
    let create = |authority: Value, credentials: Value| {
        let operator = &operator;
        async move {
            let body =
                json!({"organizationId": HOME, "authority": authority, "credentials": credentials});
            operator.post(AUTHORITIES, body).await
        }
    };
    for endpoint in [
        "http://tax.example/",
        "https://10.0.0.1/",
        "https://169.254.169.254/",
        "https://user:hush@tax.example/",
        "tax.example",
    ] {
        let refused = create(settings(endpoint), json!({})).await;
        assert_eq!(
            violation_fields(&refused),
            ["authority.endpoint"],
            "{endpoint}: {}",
            refused.body
        );
    }
    let nothing = create(json!({}), json!({})).await;
    assert_eq!(
        violation_fields(&nothing),
        [
            "authority.adapter",
            "authority.endpoint",
            "authority.mode",
            "authority.kinds"
        ]
    );
    let endpoint = "https://tax.example/clear";
    let mut output = settings(endpoint);
    output["hasCredentials"] = json!(true);
    let refused = create(output, json!({})).await;
    assert_eq!(violation_fields(&refused), ["authority.hasCredentials"]);
    for (credentials, field) in [
        (
            json!({"username": "a:b", "secret": "x"}),
            "credentials.username",
        ),
        (json!({"username": "a"}), "credentials.secret"),
        (json!({"secret": "سر"}), "credentials.secret"),
    ] {
        let refused = create(settings(endpoint), credentials).await;
        assert_eq!(violation_fields(&refused), [field], "{}", refused.body);
    }
    let body = json!({"organizationId": "unknown", "authority": settings(endpoint)});
    let refused = operator.post(AUTHORITIES, body).await;
    assert_eq!(
        (refused.status.as_u16(), reason(&refused.json)),
        (404, "TENANT_NOT_FOUND".into())
    );
    let missing = patch(&operator, json!({"concurrencyStamp": "a", "authority": {}})).await;
    assert_eq!(reason(&missing.json), "AUTHORITY_NOT_FOUND");
    service.running.shutdown().await;
}

#[tokio::test]
async fn submissions_of_a_document_are_returned_and_a_retry_forgets_the_backoff() {
    let service = start().await;
    let (operator, gateway) = (operator(&service).await, GatewayClient::new(&service).await);
    let authority = TaxAuthority::start().await;
    let create = json!({"organizationId": HOME, "authority": settings(&authority.endpoint())});
    assert_eq!(operator.post(AUTHORITIES, create).await.status, 200);
    authority.set(Behaviour::Limits(3_000));
    let draft = gateway.create_draft(invoice("a", "10")).await;
    let response = gateway.try_perform(&draft, "issue").await;
    assert_eq!(reason(&response.json), "AUTHORITY_UNAVAILABLE");
    let path = format!(
        "{DOCUMENTS}/{}",
        draft["documentKey"].as_str().expect("a key")
    );
    let list = gateway.get(&format!("{path}/submissions")).await.json;
    let submission = &list["items"][0];
    assert_eq!(
        (
            &submission["state"],
            &submission["failures"],
            &submission["attempts"][0]["httpStatus"],
            &submission["attempts"][0]["problemCode"]
        ),
        (
            &json!("AUTHORITY_STATE_PENDING"),
            &json!(1),
            &json!(429),
            &json!("AUTHORITY_PROBLEM_STATUS")
        ),
        "{list}"
    );
    authority.set(Behaviour::Clears);
    let retried = gateway
        .post(&format!("{path}:retryClearance"), json!({}))
        .await;
    assert_eq!(retried.status, 200, "{}", retried.body);
    let one = format!(
        "{path}/submissions/{}",
        submission["id"].as_str().expect("an id")
    );
    let answered = loop {
        let found = gateway.get(&one).await.json;
        if found["answered"].is_string() {
            break found;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    };
    assert_eq!(answered["state"], "AUTHORITY_STATE_CLEARED");
    assert_eq!(
        answered["attempts"].as_array().map(Vec::len),
        Some(2),
        "{answered}"
    );
    assert!(
        answered["content"]
            .as_str()
            .is_some_and(|content| content.len() > 1_000)
    );
    assert_eq!(answered["hash"], submission["hash"]);
    let refused = gateway
        .post(&format!("{path}:retryClearance"), json!({}))
        .await;
    assert_eq!(reason(&refused.json), "AUTHORITY_NOT_PENDING");
    let elsewhere = gateway.get(&format!("{path}/submissions/{}", uuid())).await;
    assert_eq!(reason(&elsewhere.json), "SUBMISSION_NOT_FOUND");
    service.running.shutdown().await;
}

#[tokio::test]
async fn authority_is_connected_to_without_the_proxy_of_the_environment() {
    let folder = ServiceFolder::new();
    let (authority, proxy) = (TaxAuthority::start().await, TaxAuthority::start().await);
    let mut command = command(&folder, &["--invoices", "0"]);
    for variable in ["http_proxy", "HTTPS_PROXY", "ALL_PROXY"] {
        command.env(variable, proxy.endpoint());
    }
    let process = Process::started(command, folder.path()).await;
    configure(&folder, &authority.endpoint(), "clearance").await;
    let gateway = GatewayClient::new(&process.client).await;
    let draft = gateway.create_draft(invoice("a", "10")).await;
    let issued = gateway.perform(&draft, "issue").await;
    assert_eq!(issued["authority"]["status"], "cleared");
    assert_eq!((authority.requests(), proxy.requests()), (1, 0));
    process.kill();
}

fn uuid() -> &'static str {
    "0190a6c2-0000-7000-8000-000000000000"
}
