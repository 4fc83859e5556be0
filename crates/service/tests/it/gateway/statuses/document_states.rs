//! What every operation on a document answers in each state of its life cycle, and of its way to the tax authority:
//! FAILED_PRECONDITION with the reason of the table, or OK (contract, part 3; decisions 0020 and 0021).

use invoicing_contract::{Code, Operation, operation};
use serde_json::{Value, json};

use super::call::{Protocol, has_field, json_name};
use super::guard::service_without_rate_limit;
use super::requests::{Environment, draft, issued, new_key, valid_request};
use crate::fixtures::authority::{Behaviour, TaxAuthority};
use crate::fixtures::gateway::DOCUMENTS;
use crate::fixtures::operations::path_parameters;
use crate::gateway::clearance::clearing_authority;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Draft,
    /// The authority has not answered yet.
    Pending,
    /// Cleared by the authority.
    Issued,
    Rejected,
    Frozen,
}

const STATES: [State; 5] = [
    State::Draft,
    State::Pending,
    State::Issued,
    State::Rejected,
    State::Frozen,
];

/// The reason with which an operation is refused in a state. `None`: it is not.
fn refusal(method: &str, state: State) -> Option<&'static str> {
    match (method, state) {
        (
            "FreezeDocument" | "FreezeInvoice" | "GetDocumentUbl" | "RecordPayment"
            | "ListPayments" | "GetBalance",
            State::Draft,
        )
        | ("FreezeDocument" | "FreezeInvoice" | "RecordPayment", State::Rejected) => {
            Some("DOCUMENT_NOT_ISSUED")
        }
        (
            "UpdateDocument" | "IssueDocument" | "DeleteDocument" | "AddAttachment",
            State::Pending | State::Issued,
        )
        // Its number would be missing.
        | ("DeleteDocument", State::Rejected) => Some("DOCUMENT_ISSUED"),
        ("FreezeDocument" | "FreezeInvoice", State::Pending) => Some("AUTHORITY_PENDING"),
        (
            "UpdateDocument" | "IssueDocument" | "DeleteDocument" | "AddAttachment"
            | "FreezeDocument" | "FreezeInvoice",
            State::Frozen,
        ) => Some("DOCUMENT_FROZEN"),
        ("RetryClearance", State::Draft | State::Issued | State::Rejected | State::Frozen) => {
            Some("AUTHORITY_NOT_PENDING")
        }
        _ => None,
    }
}

#[tokio::test]
async fn state_of_a_document_refuses_the_operations_of_the_table_and_no_others() {
    let service = service_without_rate_limit().await;
    let environment = Environment::new(&service).await;
    let mut requests = Vec::new();
    for operation in operation::ALL.iter().filter(|one| is_about_a_document(one)) {
        let request = valid_request(&environment, operation).await;
        requests.push((operation, request.expect("every operation has a request")));
    }
    // Some of them have set up another authority.
    service.folder.execute_sql("DELETE FROM authorities").await;
    let authority = clearing_authority(&service.folder).await;
    for (operation, request) in requests {
        for state in STATES {
            let document = document(&environment, &authority, state).await;
            let mut request = request.clone();
            request["documentKey"] = document["documentKey"].clone();
            if has_field(operation, "concurrency_stamp") {
                request["concurrencyStamp"] = document["concurrencyStamp"].clone();
            }
            for key in ["new_document_key", "payment_key", "attachment_id"] {
                if has_field(operation, key) {
                    request[json_name(key)] = json!(new_key());
                }
            }
            let refusal = refusal(operation.method, state);
            let code = refusal.map_or(Code::Ok, |_| Code::FailedPrecondition);
            let expected = (code, refusal.unwrap_or_default());
            for protocol in Protocol::BOTH {
                let outcome = environment.call(operation, &request, protocol).await;
                assert_eq!(
                    (outcome.code, &*outcome.reason),
                    expected,
                    "{protocol:?} {} of a document that is {state:?}: {outcome:?}",
                    operation.method
                );
                if refusal.is_none() {
                    // The document may be in another state now.
                    break;
                }
            }
        }
    }
    service.running.shutdown().await;
}

/// Whether an operation is about one document that exists, and about nothing that belongs to it. A PDF takes seconds without
/// optimisation, and is made in every state.
fn is_about_a_document(operation: &Operation) -> bool {
    let of_parts = path_parameters(operation.path)
        .iter()
        .any(|parameter| parameter != "document_key");
    let others = [
        "CreateDocument",
        "CreateInvoice",
        "ImportDocument",
        "GetDocumentPdf",
    ];
    has_field(operation, "document_key") && !of_parts && !others.contains(&operation.method)
}

/// A document in a state. The authority goes on as it answered about it.
async fn document(environment: &Environment<'_>, authority: &TaxAuthority, state: State) -> Value {
    authority.set(match state {
        State::Pending => Behaviour::Unauthorized,
        State::Rejected => Behaviour::Rejects,
        State::Draft | State::Issued | State::Frozen => Behaviour::Clears,
    });
    match state {
        State::Draft => draft(environment).await,
        State::Pending => {
            let draft = draft(environment).await;
            let caller = &environment.administrator;
            let unanswered = caller.try_perform(&draft, "issue").await;
            assert_eq!(unanswered.status, 503, "{}", unanswered.body);
            let key = draft["documentKey"].as_str().expect("a key");
            caller.get(&format!("{DOCUMENTS}/{key}")).await.json
        }
        State::Rejected => issued(environment).await,
        State::Issued => issued(environment).await,
        State::Frozen => {
            let issued = issued(environment).await;
            environment.administrator.perform(&issued, "freeze").await
        }
    }
}
