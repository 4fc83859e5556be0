//! Tests that somebody keeps managing the rules, through the gateway (decision 0116).

use reqwest::StatusCode;
use serde_json::{Value, json};

use super::identity::signed_in;
use super::platform::{add_person, person_signed_in};
use crate::fixtures::gateway::{GatewayClient, reason};
use crate::fixtures::{HESSA, HESSA_ID, HOME, NOURA, NOURA_ID, OPERATOR, Response, Service};

const USERS: &str = "/api/v2/admin/identity/users";
const GRANTS: &str = "/api/v2/admin/identity/users:grantRole";
const RULES: &str = "/api/v2/admin/rules";

async fn act(caller: &GatewayClient<'_>, user: &str, verb: &str, body: Value) -> Response {
    caller.post(&format!("{USERS}/{user}:{verb}"), body).await
}

/// The refusal of the change that would leave nobody who manages the rules.
fn assert_refused(response: &Response) {
    assert_eq!(
        response.status,
        StatusCode::BAD_REQUEST,
        "{}",
        response.body
    );
    assert_eq!(reason(&response.json), "LAST_RULE_MANAGER");
}

#[tokio::test]
async fn last_who_manages_the_rules_keeps_the_role_until_another_has_it() {
    let service = Service::start().await;
    service.grant(HESSA_ID, OPERATOR, "administrator").await;
    let hessa = signed_in(&service, HESSA).await;
    let revoke = async || act(&hessa, HESSA_ID, "revokeRole", json!({"role": "operator"})).await;
    assert_refused(&revoke().await);
    assert_eq!(hessa.get(RULES).await.status, StatusCode::OK, "she has it");

    add_person(&service, "83", OPERATOR, "operator").await;
    let revoked = revoke().await;
    assert_eq!(revoked.status, StatusCode::OK, "{}", revoked.body);
    assert_eq!(hessa.get(RULES).await.status, StatusCode::FORBIDDEN);
    let other = person_signed_in(&service, "83").await;
    assert_eq!(other.get(RULES).await.status, StatusCode::OK);
    service.running.shutdown().await;
}

#[tokio::test]
async fn last_who_manages_the_rules_gets_no_role_that_forbids_it() {
    let service = Service::start().await;
    service.grant(HESSA_ID, OPERATOR, "administrator").await;
    let hessa = signed_in(&service, HESSA).await;
    let rules = hessa.get(RULES).await.json;
    let mut matrix = rules["matrix"].clone();
    let rows = matrix["roles"].as_array_mut().expect("rows");
    rows.push(json!({"role": "guest", "forbidden": ["Service.Admin.Rules.v2.Publish"]}));
    let stamp = &rules["version"]["concurrencyStamp"];
    let publication = json!({"matrix": matrix, "concurrencyStamp": stamp, "comment": "guests"});
    let published = hessa.post(&format!("{RULES}:publish"), publication).await;
    assert_eq!(published.status, StatusCode::OK, "{}", published.body);

    let grant = json!({"userId": HESSA_ID, "role": "guest"});
    assert_refused(&hessa.post(GRANTS, grant.clone()).await);
    add_person(&service, "83", OPERATOR, "operator").await;
    let granted = hessa.post(GRANTS, grant).await;
    assert_eq!(granted.status, StatusCode::OK, "{}", granted.body);
    service.running.shutdown().await;
}

#[tokio::test]
async fn last_who_manages_the_rules_is_not_disabled_at_home_in_another_organization() {
    let service = Service::start().await;
    add_person(&service, "83", HOME, "clerk").await;
    service.grant("83", OPERATOR, "operator").await;
    service.grant(HESSA_ID, OPERATOR, "administrator").await;
    service.grant(NOURA_ID, HOME, "administrator").await;
    let hessa = signed_in(&service, HESSA).await;
    let own = json!({"role": "operator"});
    let revoked = act(&hessa, HESSA_ID, "revokeRole", own).await;
    assert_eq!(revoked.status, StatusCode::OK, "{}", revoked.body);

    let noura = signed_in(&service, NOURA).await;
    assert_refused(&act(&noura, "83", "disable", json!({})).await);
    add_person(&service, "84", OPERATOR, "operator").await;
    let disabled = act(&noura, "83", "disable", json!({})).await;
    assert_eq!(disabled.status, StatusCode::OK, "{}", disabled.body);
    service.running.shutdown().await;
}
