//! Tests of what a caller is told that it may do (decision 0161).

use std::collections::BTreeSet;

use invoicing_contract::operation::{self, Operation};
use reqwest::{Method, StatusCode};
use serde_json::json;

use super::identity::{IMPERSONATE, signed_in};
use super::platform::{add_person, person_signed_in};
use super::statuses::guard::service_without_rate_limit;
use crate::fixtures::gateway::GatewayClient;
use crate::fixtures::operations::path_with;
use crate::fixtures::{HESSA, HOME, NOURA, NOURA_ID, OPERATOR, Response, SALEM, SALEM_ID, Service};

const PERMISSIONS: &str = "/api/v2/permissions";
const RULES: &str = "/api/v2/admin/rules";

/// The scopes that the service says the caller has.
async fn scopes(caller: &GatewayClient<'_>) -> BTreeSet<String> {
    let answer = caller.get(PERMISSIONS).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
    let scopes = answer.json["scopes"].as_array().expect("scopes").iter();
    scopes
        .map(|scope| scope.as_str().expect("a text").to_owned())
        .collect()
}

/// Whether the guard lets the caller call an operation. The body is none that an operation takes, so nothing is done.
async fn is_let_in(caller: &GatewayClient<'_>, operation: &Operation) -> bool {
    let verb = Method::from_bytes(operation.verb.as_bytes()).expect("an HTTP method");
    let request = caller.request(verb, &path_with(operation, "1"));
    let sent = request.body("nothing that an operation takes").send().await;
    let response = Response::read(sent.expect("a response")).await;
    response.status != StatusCode::FORBIDDEN
}

#[tokio::test]
async fn permissions_are_what_the_guard_lets_in_for_every_role() {
    let service = service_without_rate_limit().await;
    let roles = ["viewer", "clerk", "accountant", "administrator"];
    for (id, role) in (90..).zip(roles) {
        add_person(&service, &id.to_string(), HOME, role).await;
    }
    add_person(&service, "99", OPERATOR, "operator").await;
    for id in ["90", "91", "92", "93", "99"] {
        let caller = person_signed_in(&service, id).await;
        let told = scopes(&caller).await;
        for operation in operation::ALL {
            assert_eq!(
                told.contains(operation.scope),
                is_let_in(&caller, operation).await,
                "{id} {}",
                operation.method
            );
        }
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn impersonated_caller_has_the_permissions_of_the_subject_and_never_administers() {
    let service = service_without_rate_limit().await;
    service.grant(NOURA_ID, HOME, "administrator").await;
    let noura = signed_in(&service, NOURA).await;
    let impersonation = noura.post(IMPERSONATE, json!({"userId": SALEM_ID})).await;
    let as_salem = GatewayClient {
        service: &service,
        token: impersonation.text("accessToken").to_owned(),
    };
    let salem = signed_in(&service, SALEM).await;
    assert_eq!(scopes(&as_salem).await, scopes(&salem).await);
    let freeze = &operation::FREEZE_DOCUMENT;
    assert!(is_let_in(&noura, freeze).await);
    assert!(!is_let_in(&as_salem, freeze).await, "a clerk");

    // The roles are those of the request, and not of the impersonation.
    service.grant(SALEM_ID, HOME, "administrator").await;
    let told = scopes(&as_salem).await;
    assert!(told.contains(freeze.scope));
    for operation in operation::ALL {
        let is_let_in = is_let_in(&as_salem, operation).await;
        assert_eq!(
            told.contains(operation.scope),
            is_let_in,
            "{}",
            operation.method
        );
        assert!(
            !(is_let_in && operation.is_administration()),
            "{}",
            operation.method
        );
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn permissions_follow_the_rules_whatever_a_role_is_called() {
    let service = Service::start().await;
    let hessa = signed_in(&service, HESSA).await;
    let rules = hessa.get(RULES).await.json;
    let mut matrix = rules["matrix"].clone();
    let rows = matrix["roles"].as_array_mut().expect("rows");
    rows.push(json!({"role": "controller", "allowed": ["Service.Admin.Identity.v2.ListUsers"]}));
    let stamp = &rules["version"]["concurrencyStamp"];
    let publication = json!({"matrix": matrix, "concurrencyStamp": stamp, "comment": "control"});
    let published = hessa.post(&format!("{RULES}:publish"), publication).await;
    assert_eq!(published.status, StatusCode::OK, "{}", published.body);

    add_person(&service, "95", HOME, "controller").await;
    let controller = scopes(&person_signed_in(&service, "95").await).await;
    assert!(controller.contains(operation::LIST_USERS.scope));
    assert!(!controller.contains(operation::CREATE_DOCUMENT.scope));
    let only = [
        operation::LIST_CALLER_ORGANIZATIONS.scope,
        operation::GET_PERMISSIONS.scope,
    ];
    add_person(&service, "96", HOME, "nothing").await;
    let nothing = scopes(&person_signed_in(&service, "96").await).await;
    assert!(nothing.iter().eq(only), "{nothing:?}");
    service.running.shutdown().await;
}
