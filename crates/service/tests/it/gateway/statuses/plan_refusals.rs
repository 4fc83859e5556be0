//! What every operation answers that the plan of its organization does not allow: 403 with the fixed bytes for an entitlement, 429
//! for a limit (contract, part 7; decisions 0024 and 0118).

use invoicing_contract::{Code, Operation, operation};
use serde_json::{Value, json};

use super::call::{Outcome, Protocol};
use super::guard::service_without_rate_limit;
use super::requests::{Environment, valid_request};
use crate::gateway::plans::assigned;

#[tokio::test]
async fn operation_that_needs_an_entitlement_is_denied_without_it() {
    let service = service_without_rate_limit().await;
    let environment = Environment::new(&service).await;
    let requests = requests(&environment, |operation| operation.entitlement.is_some()).await;
    assigned(
        &environment.operator,
        json!({}),
        json!({"apiAccess": false}),
    )
    .await;
    assert_refused(&environment, &requests, (Code::PermissionDenied, "")).await;
    service.running.shutdown().await;
}

#[tokio::test]
async fn operation_that_creates_a_document_is_refused_over_the_limit_of_the_plan() {
    let service = service_without_rate_limit().await;
    let environment = Environment::new(&service).await;
    let requests = requests(&environment, |operation| operation.creates_document).await;
    assigned(
        &environment.operator,
        json!({"monthlyDocuments": 0}),
        json!({}),
    )
    .await;
    assert_refused(
        &environment,
        &requests,
        (Code::ResourceExhausted, "PLAN_LIMIT"),
    )
    .await;
    service.running.shutdown().await;
}

#[tokio::test]
async fn every_operation_of_a_tenant_is_refused_over_its_rate_limit() {
    let service = service_without_rate_limit().await;
    let environment = Environment::new(&service).await;
    // What an operator calls is about another organization.
    let is_of_tenant = |operation: &Operation| !operation.is_platform();
    let requests = operation::ALL.iter().filter(|one| is_of_tenant(one));
    let requests: Vec<_> = requests.map(|operation| (operation, json!({}))).collect();
    assigned(
        &environment.operator,
        json!({"requestsPerMinute": 0}),
        json!({}),
    )
    .await;
    assert_refused(
        &environment,
        &requests,
        (Code::ResourceExhausted, "RATE_LIMIT"),
    )
    .await;
    service.running.shutdown().await;
}

/// A request of every operation that `applies` chooses, each with records that exist before there is a plan.
async fn requests(
    environment: &Environment<'_>,
    applies: fn(&Operation) -> bool,
) -> Vec<(&'static Operation, Value)> {
    let mut requests = Vec::new();
    for operation in operation::ALL.iter().filter(|operation| applies(operation)) {
        let request = valid_request(environment, operation).await;
        requests.push((operation, request.expect("every operation has a request")));
    }
    assert!(!requests.is_empty(), "no operation is about it");
    requests
}

async fn assert_refused(
    environment: &Environment<'_>,
    requests: &[(&'static Operation, Value)],
    (code, reason): (Code, &str),
) {
    let expected = Outcome {
        code,
        reason: reason.to_owned(),
        fields: Vec::new(),
    };
    for (operation, request) in requests {
        for protocol in Protocol::BOTH {
            let outcome = environment.call(operation, request, protocol).await;
            assert_eq!(outcome, expected, "{protocol:?} {}", operation.method);
        }
    }
}
