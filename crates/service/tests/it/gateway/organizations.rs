//! Tests of organizations that are no tenants, and of becoming one, through the gateway (decision 0114).

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use super::identity::{ID, TENANTS, profile, signed_in};
use super::tenants::{patch, send};
use crate::fixtures::gateway::{reason, violation_fields};
use crate::fixtures::{HESSA, HESSA_ID, HOME, NOURA, NOURA_ID, Service};

const LIST: &str = "/api/v1/simple/invoices/list";
const OWN: &str = "/api/v2/identity/tenant";
const ORGANIZATIONS: &str = "/api/v2/admin/identity/organizations";
const GULF_PEARL: &str = "274893002";
/// An organization of the demo seed that is no tenant. Noura administers it.
const DHOW: &str = "274893004";

#[tokio::test]
async fn organization_becomes_a_tenant_that_completes_its_profile_first() {
    let service = Service::start().await;
    let operator = signed_in(&service, HESSA).await;
    let noura = signed_in(&service, NOURA).await;
    let dhow = async |method, path, body| send(&noura, method, path, Some(DHOW), body).await;
    let before = dhow(Method::GET, OWN, None).await;
    assert_eq!(before.status, StatusCode::SERVICE_UNAVAILABLE, "no tenant");

    let create = format!("{ORGANIZATIONS}/{DHOW}:createTenant");
    let checked = operator.post(&create, json!({"validateOnly": true})).await;
    assert_eq!(checked.status, StatusCode::OK, "{}", checked.body);
    let created = operator.post(&create, json!({})).await;
    assert_eq!(
        created.json["state"],
        json!("PROFILE_INCOMPLETE"),
        "{}",
        created.body
    );
    assert_eq!(created.json["profile"], json!(null));
    let again = operator.post(&create, json!({})).await;
    assert_eq!(reason(&again.json), "TENANT_EXISTS");

    // Not that the country, which is missing, has no registration numbers.
    let update = json!({
        "tenant": {"registrationNumber": {"scheme": "CRN", "value": "1010175397"}},
        "updateMask": "registrationNumber",
        "concurrencyStamp": created.json["concurrencyStamp"],
    });
    let refused = patch(&operator, &format!("{TENANTS}/{DHOW}"), update).await;
    assert_eq!(reason(&refused.json), "PROFILE_INCOMPLETE");

    let own = dhow(Method::GET, OWN, None).await;
    assert_eq!(
        own.json["state"],
        json!("PROFILE_INCOMPLETE"),
        "{}",
        own.body
    );
    for (method, path, body) in [
        (Method::POST, LIST, Some(json!({}))),
        (Method::POST, "/api/v2/documents", Some(json!({}))),
        (Method::PATCH, OWN, Some(json!({"concurrencyStamp": "1"}))),
        (Method::GET, "/api/v2/identity/tenant/history", None),
    ] {
        let refused = dhow(method, path, body).await;
        assert_eq!(
            refused.status,
            StatusCode::BAD_REQUEST,
            "{path}: {}",
            refused.body
        );
        assert_eq!(refused.json["code"], json!(9), "{path}");
        assert_eq!(reason(&refused.json), "PROFILE_INCOMPLETE", "{path}");
    }
    let complete = "/api/v2/identity/profile:complete";
    let completed = dhow(Method::POST, complete, Some(json!({"profile": profile()}))).await;
    assert_eq!(completed.status, StatusCode::OK, "{}", completed.body);
    assert_eq!(completed.json["tenant"]["state"], json!("ACTIVE"));
    assert!(!completed.text("clientSecret").is_empty());
    let list = dhow(Method::POST, LIST, Some(json!({}))).await;
    assert_eq!(list.status, StatusCode::OK, "{}", list.body);
    let history = dhow(Method::GET, "/api/v2/identity/tenant/history", None).await;
    let actions: Vec<_> = history.json["items"]
        .as_array()
        .expect("revisions")
        .iter()
        .map(|revision| (&revision["action"], &revision["actor"]))
        .collect();
    assert_eq!(
        actions,
        [
            (&json!("PROFILE_COMPLETED"), &json!(NOURA_ID)),
            (&json!("CREATED"), &json!(HESSA_ID)),
        ]
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn operator_creates_organizations_and_pages_through_those_of_a_filter() {
    let service = Service::start().await;
    let operator = signed_in(&service, HESSA).await;
    let new = json!({"organizationId": ID, "name": "Nakheel Dates", "domain": "Nakheel.example"});
    let mut checked = new.clone();
    checked["validateOnly"] = json!(true);
    let checked = operator.post(ORGANIZATIONS, checked).await;
    assert_eq!(checked.status, StatusCode::OK, "{}", checked.body);
    let created = operator.post(ORGANIZATIONS, new.clone()).await;
    assert_eq!(
        created.json["state"],
        json!("NO_TENANT"),
        "{}",
        created.body
    );
    assert_eq!(created.json["domain"], json!("nakheel.example"));
    let again = operator.post(ORGANIZATIONS, new).await;
    assert_eq!(reason(&again.json), "ORGANIZATION_EXISTS");
    let taken = json!({"name": "Other", "domain": "NAKHEEL.example"});
    let taken = operator.post(ORGANIZATIONS, taken).await;
    assert_eq!(reason(&taken.json), "DOMAIN_TAKEN");

    let list = async |path: &str, filter: Value| -> Vec<String> {
        let (mut ids, mut token) = (Vec::new(), String::new());
        loop {
            let body = json!({"filter": filter, "pageSize": 2, "pageToken": token});
            let page = operator.post(path, body).await;
            assert_eq!(page.status, StatusCode::OK, "{}", page.body);
            let items = page.json["items"].as_array().expect("items");
            let id = |item: &Value| item["organizationId"].as_str().expect("an id").to_owned();
            ids.extend(items.iter().map(id));
            token = page.text("nextPageToken").to_owned();
            if token.is_empty() {
                return ids;
            }
        }
    };
    let organizations = format!("{ORGANIZATIONS}/list");
    let tenants = format!("{TENANTS}/list");
    assert_eq!(list(&organizations, json!({})).await.len(), 7);
    assert_eq!(list(&tenants, json!({})).await.len(), 5);
    let no_tenant = json!({"state": "NO_TENANT"});
    assert_eq!(list(&organizations, no_tenant.clone()).await, [ID, DHOW]);
    assert_eq!(list(&tenants, no_tenant).await, [""; 0]);
    assert_eq!(
        list(&organizations, json!({"text": "gulf p"})).await,
        [GULF_PEARL]
    );
    let domain = json!({"domain": "AlKhair.example"});
    assert_eq!(list(&tenants, domain).await, [HOME]);

    let page = operator.post(&organizations, json!({"pageSize": 1})).await;
    let token = page.text("nextPageToken");
    let other = json!({"pageToken": token, "filter": {"state": "ACTIVE"}});
    let other = operator.post(&organizations, other).await;
    assert_eq!(violation_fields(&other), ["pageToken"]);
    let other = operator
        .post(&tenants, json!({"pageToken": token, "pageSize": 501}))
        .await;
    assert_eq!(violation_fields(&other), ["pageSize", "pageToken"]);
    service.running.shutdown().await;
}
