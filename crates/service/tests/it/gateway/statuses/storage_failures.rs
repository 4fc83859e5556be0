//! What every operation answers while storage fails: INTERNAL, and nothing about how the service is built (contract, part 7).

use futures_util::{StreamExt as _, stream};
use invoicing_contract::{Code, Operation, operation};
use serde_json::{Value, json};

use super::call::{Protocol, send_rest};
use super::guard::service_without_rate_limit;
use super::requests::{Environment, pass_guard, requests_of_all};
use crate::fixtures::by_engine;
use crate::fixtures::gateway::reason;

/// Tables that handlers read or write. The request guard has what it needs of them in memory, after it has let a caller pass.
const TABLES: [&str; 20] = [
    "applications",
    "audit_events",
    "authorities",
    "document_history",
    "document_submissions",
    "document_sums",
    "document_tax_sums",
    "documents",
    "domain_claims",
    "domains",
    "grants",
    "master_records",
    "organizations",
    "personal_access_tokens",
    "plans",
    "receivables",
    "rule_versions",
    "subjects",
    "tenant_history",
    "tenants",
];
/// Operations that answer what the guard has in memory.
pub(super) const ANSWERED_FROM_MEMORY: [&str; 2] = ["GetOwnTenant", "GetPermissions"];
/// Operations that answer OK, with a Status of its own for each entry.
pub(super) const BATCHES: [&str; 2] = ["BatchIssueDocuments", "BatchFreezeDocuments"];

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
    let requests = requests_of_all(&environment).await;
    let environment = &environment;
    pass_guard(environment).await;
    remove(environment, &tables()).await;
    let calls = requests.iter().map(|(operation, request)| async move {
        if ANSWERED_FROM_MEMORY.contains(&operation.method) {
            // The guard lets it pass, and so the others.
            let outcome = environment.call(operation, request, Protocol::Rest).await;
            assert_eq!(outcome.code, Code::Ok, "{}: {outcome:?}", operation.method);
        } else if !BATCHES.contains(&operation.method) {
            assert_internal(environment, operation, request).await;
        }
    });
    stream::iter(calls)
        .buffer_unordered(8)
        .collect::<()>()
        .await;
    service.running.shutdown().await;
}

/// The tables of [`TABLES`] and of the engine.
pub(super) fn tables() -> Vec<&'static str> {
    let of_engine = by_engine(Some("document_contents"), None);
    TABLES.into_iter().chain(of_engine).collect()
}

/// Renames tables, so that every statement about them fails. The version of the directory stays: after another one the guard would
/// read its records anew.
async fn remove(environment: &Environment<'_>, tables: &[&str]) {
    let statements = tables
        .iter()
        .map(|table| format!("ALTER TABLE {table} RENAME TO {table}_gone"));
    let statements = statements.collect::<Vec<_>>().join("; ");
    let connection = environment.service.folder.connect().await;
    let executed = connection.execute(&statements).await;
    executed.unwrap_or_else(|error| panic!("{statements}: {error}"));
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
