//! What every operation answers while storage fails: INTERNAL, and nothing about how the service is built (contract, part 7).

use futures_util::{StreamExt as _, stream};
use invoicing_contract::{Code, Operation, operation};
use serde_json::{Value, json};

use super::call::{Protocol, send_rest};
use super::guard::service_without_rate_limit;
use super::requests::{Environment, valid_request};
use crate::fixtures::by_engine;
use crate::fixtures::gateway::reason;

/// The tables that handlers read or write, and the request guard does not.
const TABLES: [&str; 13] = [
    "audit_events",
    "authorities",
    "document_history",
    "document_submissions",
    "document_sums",
    "document_tax_sums",
    "documents",
    "domain_claims",
    "master_records",
    "plans",
    "receivables",
    "rule_versions",
    "tenant_history",
];
/// Operations that answer OK nevertheless.
const OTHERS: [&str; 4] = [
    // They read the tables that the guard reads.
    "GetUser",
    "ListUsers",
    // Each entry has a Status of its own.
    "BatchIssueDocuments",
    "BatchFreezeDocuments",
];

#[tokio::test]
async fn storage_that_fails_at_the_guard_is_internal_for_every_operation() {
    let service = service_without_rate_limit().await;
    let environment = Environment::new(&service).await;
    remove(&environment, &["access_tokens"]).await;
    let nothing = json!({});
    let calls = operation::ALL
        .iter()
        .map(|operation| assert_internal(&environment, operation, &nothing));
    stream::iter(calls)
        .buffer_unordered(8)
        .collect::<()>()
        .await;
    service.running.shutdown().await;
}

#[tokio::test]
async fn storage_that_fails_at_the_handler_is_internal_for_every_operation() {
    let service = service_without_rate_limit().await;
    let environment = Environment::new(&service).await;
    let mut requests = Vec::new();
    for operation in operation::ALL {
        // Its request leaves the organization without a profile, and without one no other operation is called.
        if OTHERS.contains(&operation.method) || operation.method == "CompleteProfile" {
            continue;
        }
        let request = valid_request(&environment, operation).await;
        requests.push((operation, request.expect("every operation has a request")));
    }
    let tables: Vec<_> = TABLES
        .into_iter()
        .chain(by_engine(Some("document_contents"), None))
        .collect();
    remove(&environment, &tables).await;
    let calls = requests
        .iter()
        .map(|(operation, request)| assert_internal(&environment, operation, request));
    stream::iter(calls)
        .buffer_unordered(8)
        .collect::<()>()
        .await;
    service.running.shutdown().await;
}

/// Renames tables, so that every statement about them fails.
async fn remove(environment: &Environment<'_>, tables: &[&str]) {
    let statements = tables
        .iter()
        .map(|table| format!("ALTER TABLE {table} RENAME TO {table}_gone"));
    let statements = statements.collect::<Vec<_>>().join("; ");
    environment.service.folder.execute_sql(&statements).await;
}

async fn assert_internal(environment: &Environment<'_>, operation: &Operation, request: &Value) {
    let what = operation.method;
    let rest = send_rest(environment.caller(operation), operation, request).await;
    assert_eq!(rest.status, 500, "{what}: {}", rest.body);
    for word in ["table", "SQL", "sql", "_gone"] {
        assert!(
            !rest.body.contains(word),
            "{what} tells {word}: {}",
            rest.body
        );
    }
    assert!(!rest.header("x-correlation-id").is_empty(), "{what}");
    assert_eq!(reason(&rest.json), "INTERNAL", "{what}");
    let grpc = environment.call(operation, request, Protocol::Grpc).await;
    assert_eq!(
        (grpc.code, &*grpc.reason),
        (Code::Internal, "INTERNAL"),
        "{what} over gRPC"
    );
}
