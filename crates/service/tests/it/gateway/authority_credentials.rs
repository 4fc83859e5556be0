//! Tests of what a tenant authenticates with at its tax authority: where it is sent, and how it is kept.

use invoicing_service::EnvironmentKind;
use serde_json::{Value, json};

use super::authorities::{AUTHORITIES, operator, patch, settings, start};
use crate::fixtures::authority::TaxAuthority;
use crate::fixtures::gateway::{reason, violation_fields};
use crate::fixtures::{HOME, Service};

#[tokio::test]
async fn stored_credentials_are_not_sent_to_another_origin() {
    let service = start().await;
    let operator = operator(&service).await;
    let (own, other) = (TaxAuthority::start().await, TaxAuthority::start().await);
    let create = json!({
        "organizationId": HOME,
        "authority": settings(&own.endpoint()),
        "credentials": {"username": "unit-1", "secret": "hush"},
    });
    let created = operator.post(AUTHORITIES, create).await.json;
    let move_to = |endpoint: String, stamp: &Value, more: Value| {
        let mut body = json!({"concurrencyStamp": stamp, "authority": {"endpoint": endpoint}, "updateMask": "endpoint"});
        if !more.is_null() {
            body["credentials"] = more;
        }
        let operator = &operator;
        async move { patch(operator, body).await }
    };
    let stamp = &created["concurrencyStamp"];
    let same_host = own.endpoint().replace("127.0.0.1", "localhost");
    for endpoint in [
        other.endpoint(),
        own.endpoint().replace("http:", "https:"),
        same_host,
    ] {
        let refused = move_to(endpoint.clone(), stamp, Value::Null).await;
        assert_eq!(
            violation_fields(&refused),
            ["credentials"],
            "{endpoint}: {}",
            refused.body
        );
    }
    let found = operator.get(&format!("{AUTHORITIES}/{HOME}")).await;
    assert_eq!(found.json, created, "nothing was written");

    let moved = move_to(format!("{}?of=unit-1", own.endpoint()), stamp, Value::Null).await;
    assert_eq!(
        moved.json["hasCredentials"], true,
        "the same origin: {}",
        moved.body
    );
    let stamp = &moved.json["concurrencyStamp"];
    let replaced = move_to(other.endpoint(), stamp, json!({"secret": "token"})).await;
    assert_eq!(replaced.json["hasCredentials"], true, "{}", replaced.body);
    let stamp = &replaced.json["concurrencyStamp"];
    let removed = move_to(own.endpoint(), stamp, json!({})).await;
    assert_eq!(removed.json["hasCredentials"], false, "{}", removed.body);
    let stamp = &removed.json["concurrencyStamp"];
    let without = move_to(other.endpoint(), stamp, Value::Null).await;
    assert_eq!(
        without.status, 200,
        "there is nothing to keep: {}",
        without.body
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn credentials_are_refused_without_a_key_to_encrypt_them() {
    // Only a local environment makes keys of its own.
    let service = Service::start().await;
    let service = service.restart_as(EnvironmentKind::Staging).await;
    let operator = operator(&service).await;
    let mut create = json!({
        "organizationId": HOME,
        "authority": settings("https://tax.example/clear"),
        "credentials": {"username": "unit-1", "secret": "hush"},
    });
    let refused = operator.post(AUTHORITIES, create.clone()).await;
    assert_eq!(
        (refused.status.as_u16(), &*reason(&refused.json)),
        (400, "ENCRYPTION_KEY_MISSING"),
        "{}",
        refused.body
    );
    let path = format!("{AUTHORITIES}/{HOME}");
    assert_eq!(operator.get(&path).await.status, 404, "nothing is written");

    create["credentials"] = json!({});
    let created = operator.post(AUTHORITIES, create).await;
    assert_eq!(created.status, 200, "{}", created.body);
    assert_eq!(created.json["hasCredentials"], json!(false));
    let stamp = &created.json["concurrencyStamp"];
    let added = json!({
        "concurrencyStamp": stamp,
        "authority": {"enabled": true},
        "updateMask": "enabled",
        "credentials": {"secret": "hush"},
    });
    let refused = patch(&operator, added).await;
    assert_eq!(reason(&refused.json), "ENCRYPTION_KEY_MISSING");
    service.running.shutdown().await;
}
