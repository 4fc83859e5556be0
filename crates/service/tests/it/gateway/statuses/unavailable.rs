//! What every operation answers while storage is busy: UNAVAILABLE with STORAGE_BUSY, and nothing is written, so that the same
//! request is right afterwards (contract, part 7, "Retry rules").
//!
//! What the guard answers while there is no storage at all is tested with a server that was killed, in `service::postgres`.

use std::time::Duration;

use futures_util::future::{join, join_all};
use invoicing_contract::{Code, Operation, operation};
use serde_json::{Value, json};

use super::call::{Outcome, Protocol, client_made_key, send_rest};
use super::requests::{Environment, issued, pass_guard, requests_of_all};
use super::storage_failures::{ANSWERED_FROM_MEMORY, BATCHES, tables};
use crate::fixtures::gateway::reason;
use crate::fixtures::{Service, by_engine};

/// How long PostgreSQL waits for a lock. SQLite has a limit of its own.
const STATEMENT_TIMEOUT: Duration = Duration::from_secs(1);
/// Connections to PostgreSQL: so many calls wait at once.
const CONNECTIONS: usize = 64;

/// What is expected of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Answer {
    Busy,
    Served,
    /// OK, and its one entry is busy.
    BusyEntry,
}

#[tokio::test]
async fn storage_that_is_busy_is_unavailable_for_every_operation_and_nothing_is_written() {
    let service = Service::start_with(|mut config| {
        config.rate_limit = Some(1_000_000);
        config.database.statement_timeout = Some(STATEMENT_TIMEOUT);
        config.database.connections = Some(CONNECTIONS);
        config
    })
    .await;
    let environment = Environment::new(&service).await;
    let requests = requests_of_all(&environment).await;
    let last = sequence(&issued(&environment).await);
    pass_guard(&environment).await;
    let other = service.folder.connect().await;
    other.lock_out(&tables()).await;
    let calls = requests
        .iter()
        .map(|(operation, request)| assert_answer(&environment, operation, request));
    join_all(calls).await;
    other.unlock().await;

    for (operation, request) in &requests {
        let caller = environment.caller(operation);
        if **operation == operation::ISSUE_DOCUMENT {
            let issued = send_rest(caller, operation, request).await;
            assert_eq!(issued.status, 200, "{}", issued.body);
            assert_eq!(sequence(&issued.json), last + 1, "no gap");
        } else if client_made_key(operation).is_some() {
            let again = environment.call(operation, request, Protocol::Rest).await;
            let what = format!("{} afterwards: {again:?}", operation.method);
            assert_eq!(again.code, Code::Ok, "{what}");
        }
    }
    service.running.shutdown().await;
}

/// The expectation. A new operation is one that writes until a name here says otherwise.
fn answer(operation: &Operation) -> Answer {
    let verbs = ["Get", "List", "Export", "Check", "TestConnection"];
    let of_reads = verbs.iter().any(|verb| operation.method.starts_with(verb));
    // Each page of the audit is an event of it.
    let only_reads = of_reads && operation.service != operation::LIST_AUDIT_EVENTS.service;
    if BATCHES.contains(&operation.method) {
        Answer::BusyEntry
    } else if ANSWERED_FROM_MEMORY.contains(&operation.method) {
        Answer::Served
    } else if only_reads {
        // On SQLite readers go on while somebody writes.
        by_engine(Answer::Served, Answer::Busy)
    } else {
        Answer::Busy
    }
}

async fn assert_answer(environment: &Environment<'_>, operation: &Operation, request: &Value) {
    match answer(operation) {
        // A PDF takes seconds without optimisation.
        Answer::Served if operation.method == "GetDocumentPdf" => {}
        Answer::Served => {
            // An organization has one export at a time.
            for protocol in Protocol::BOTH {
                let outcome = environment.call(operation, request, protocol).await;
                let what = format!("{protocol:?} {}: {outcome:?}", operation.method);
                assert_eq!(outcome.code, Code::Ok, "{what}");
            }
        }
        Answer::BusyEntry => {
            let caller = environment.caller(operation);
            let batch = send_rest(caller, operation, request).await;
            assert_eq!(batch.status, 200, "{}", batch.body);
            let error = &batch.json["results"][0]["error"];
            assert_eq!(error["code"], json!(14), "{}", batch.body);
            assert_eq!(reason(error), "STORAGE_BUSY", "{}", batch.body);
        }
        Answer::Busy if operation.method == "ExportDocuments" => {
            assert_busy_over_rest(environment, operation, request).await;
            assert_busy_over_grpc(environment, operation, request).await;
        }
        Answer::Busy => {
            let rest = assert_busy_over_rest(environment, operation, request);
            join(rest, assert_busy_over_grpc(environment, operation, request)).await;
        }
    }
}

async fn assert_busy_over_rest(
    environment: &Environment<'_>,
    operation: &Operation,
    request: &Value,
) {
    let what = operation.method;
    let response = send_rest(environment.caller(operation), operation, request).await;
    assert_eq!(response.status, 503, "{what}: {}", response.body);
    let expected = json!({
        "code": 14,
        "message": "storage is busy; nothing was written",
        "details": [{
            "@type": "type.googleapis.com/google.rpc.ErrorInfo",
            "reason": "STORAGE_BUSY",
            "domain": "invoicing",
            "metadata": {},
        }],
    });
    assert_eq!(response.json, expected, "{what}");
    assert!(!response.header("x-correlation-id").is_empty(), "{what}");
}

async fn assert_busy_over_grpc(
    environment: &Environment<'_>,
    operation: &Operation,
    request: &Value,
) {
    let outcome = environment.call(operation, request, Protocol::Grpc).await;
    let expected = Outcome {
        code: Code::Unavailable,
        reason: "STORAGE_BUSY".to_owned(),
        fields: Vec::new(),
    };
    assert_eq!(outcome, expected, "{} over gRPC", operation.method);
}

/// The number of an issued document in its series.
fn sequence(document: &Value) -> u32 {
    let number = document["content"]["invoice"]["number"].as_str();
    let (_, sequence) = number
        .and_then(|text| text.rsplit_once('-'))
        .expect("a number");
    sequence.parse().expect("digits")
}
