//! Requests of invoicing.authorities.v2.Authorities and invoicing.documents.v2.Submissions.

use serde_json::{Value, json};

use super::{Environment, new_key};
use crate::fixtures::HOME;
use crate::fixtures::gateway::{DOCUMENTS, invoice};

const AUTHORITIES: &str = "/api/v2/admin/authorities";
const ORGANIZATIONS: &str = "/api/v2/admin/identity/organizations";

pub(super) async fn valid_request(environment: &Environment<'_>, method: &str) -> Option<Value> {
    let request = match method {
        "ListAuthorities" => json!({"pageSize": 2}),
        "CreateAuthority" => creation(&new_tenant(environment).await),
        "GetAuthority" | "TestConnection" => {
            json!({"organizationId": new_authority(environment).await["organizationId"]})
        }
        "UpdateAuthority" => {
            let authority = new_authority(environment).await;
            json!({
                "organizationId": authority["organizationId"],
                "concurrencyStamp": authority["concurrencyStamp"],
                "authority": {"enabled": false},
                "updateMask": "enabled",
            })
        }
        "ListSubmissions" | "RetryClearance" => {
            json!({"documentKey": pending(environment).await["documentKey"]})
        }
        "GetSubmission" => {
            let document = pending(environment).await;
            json!({
                "documentKey": document["documentKey"],
                "submissionId": document["authority"]["submissionId"],
            })
        }
        _ => return None,
    };
    Some(request)
}

async fn new_tenant(environment: &Environment<'_>) -> String {
    let id = new_key();
    let organization =
        json!({"organizationId": id, "name": "Nakheel", "domain": format!("{id}.example")});
    let operator = &environment.operator;
    operator.post(ORGANIZATIONS, organization).await;
    let path = format!("{ORGANIZATIONS}/{id}:createTenant");
    let created = operator.post(&path, json!({})).await;
    assert_eq!(created.status, 200, "{}", created.body);
    id
}

async fn new_authority(environment: &Environment<'_>) -> Value {
    let tenant = new_tenant(environment).await;
    let created = environment
        .operator
        .post(AUTHORITIES, creation(&tenant))
        .await;
    assert_eq!(created.status, 200, "{}", created.body);
    created.json
}

/// Nothing listens at port 9 (discard).
fn creation(organization: &str) -> Value {
    json!({
        "organizationId": organization,
        "authority": {
            "adapter": "http",
            "endpoint": "http://127.0.0.1:9/",
            "mode": "AUTHORITY_MODE_REPORTING",
            "kinds": ["INVOICE"],
            "enabled": true,
        },
    })
}

/// A document that waits for its authority, which is disabled then: others are issued without one.
async fn pending(environment: &Environment<'_>) -> Value {
    let operator = &environment.operator;
    let path = format!("{AUTHORITIES}/{HOME}");
    operator.post(AUTHORITIES, creation(HOME)).await;
    enable(environment, true).await;
    let client = &environment.administrator;
    let draft = client.create_draft(invoice("a", "10")).await;
    client.perform(&draft, "issue").await;
    enable(environment, false).await;
    let authority = operator.get(&path).await;
    assert_eq!(authority.json["enabled"], false, "{}", authority.body);
    let key = draft["documentKey"].as_str().expect("a key");
    client.get(&format!("{DOCUMENTS}/{key}")).await.json
}

async fn enable(environment: &Environment<'_>, enabled: bool) {
    let operator = &environment.operator;
    let path = format!("{AUTHORITIES}/{HOME}");
    let authority = operator.get(&path).await;
    let change = json!({
        "concurrencyStamp": authority.json["concurrencyStamp"],
        "authority": {"enabled": enabled},
        "updateMask": "enabled",
    });
    let request = operator
        .request(reqwest::Method::PATCH, &path)
        .json(&change);
    let changed = request.send().await.expect("a response");
    assert_eq!(changed.status(), 200);
}
