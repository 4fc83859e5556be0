//! Tests of tax authorities that are down or slow, and of every decision that an authority can make.

use std::time::Duration;

use invoicing_service::Config;
use serde_json::{Value, json};

use super::authorities::{AUTHORITIES, operator};
use super::clearance::{clearing_authority, configure, number, read, wait_for_answer};
use crate::fixtures::authority::Behaviour;
use crate::fixtures::gateway::{DOCUMENTS, GatewayClient, invoice, reason};
use crate::fixtures::{HOME, Service, wait_until};

/// How long the authority may take for an answer, where a test waits for longer.
const ANSWER_LIMIT: Duration = Duration::from_secs(1);

#[tokio::test]
async fn authority_that_is_down_leaves_documents_pending_until_it_is_up_again() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let operator = operator(&service).await;
    let authority = clearing_authority(&service.folder).await;
    let reached = test_connection(&operator).await;
    assert_eq!(
        (&reached["reachable"], &reached["httpStatus"]),
        (&json!(true), &json!(405)),
        "{reached}"
    );
    let down = authority.stop().await;
    let unreachable = test_connection(&operator).await;
    assert_eq!(
        (&unreachable["reachable"], &unreachable["problemCode"]),
        (&json!(false), &json!("AUTHORITY_PROBLEM_NOT_CONNECTED")),
        "{unreachable}"
    );
    assert_eq!(unreachable["httpStatus"], 0, "{unreachable}");

    let draft = gateway.create_draft(invoice("a", "10")).await;
    let response = gateway.try_perform(&draft, "issue").await;
    assert_eq!(reason(&response.json), "AUTHORITY_UNAVAILABLE");
    let pending = read(&gateway, &draft).await;
    // It has certainly not received the document.
    assert_eq!(pending["authority"]["status"], "pending", "{pending}");
    assert_eq!(
        last_problem(&gateway, &draft).await,
        "AUTHORITY_PROBLEM_NOT_CONNECTED"
    );

    let authority = down.start();
    service.clock.advance(3_600);
    let cleared = wait_for_answer(&gateway, &draft).await;
    assert_eq!(cleared["authority"]["status"], "cleared", "{cleared}");
    assert_eq!(number(&cleared), number(&pending), "it keeps its number");
    assert_eq!(authority.documents(), [(number(&cleared), 1)].into());
    let reached = test_connection(&operator).await;
    assert_eq!(reached["reachable"], true, "{reached}");
    authority.set(Behaviour::Unauthorized);
    let refused = test_connection(&operator).await;
    assert_eq!(
        (&refused["reachable"], &refused["problemCode"]),
        (
            &json!(false),
            &json!("AUTHORITY_PROBLEM_CREDENTIALS_REFUSED")
        ),
        "{refused}"
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn authority_that_answers_too_late_is_asked_again_and_has_decided_once() {
    let service = Service::start_with(|config| Config {
        authority_timeout: Some(ANSWER_LIMIT),
        ..config
    })
    .await;
    let gateway = GatewayClient::new(&service).await;
    let authority = clearing_authority(&service.folder).await;
    authority.set(Behaviour::Late);
    let draft = gateway.create_draft(invoice("a", "10")).await;
    let response = gateway.try_perform(&draft, "issue").await;
    assert_eq!(
        (response.status.as_u16(), reason(&response.json)),
        (503, "AUTHORITY_UNAVAILABLE".into()),
        "{}",
        response.body
    );
    let unknown = read(&gateway, &draft).await;
    // It may have received the document.
    assert_eq!(unknown["authority"]["status"], "unknown", "{unknown}");
    assert_eq!(
        last_problem(&gateway, &draft).await,
        "AUTHORITY_PROBLEM_NO_ANSWER"
    );
    assert!(authority.documents().is_empty(), "it has not decided yet");

    authority.set(Behaviour::Clears);
    wait_until("the authority has decided", async || {
        !authority.documents().is_empty()
    })
    .await;
    assert_eq!(authority.requests(), 1, "nobody waits for this answer");
    service.clock.advance(3_600);
    let cleared = wait_for_answer(&gateway, &draft).await;
    assert_eq!(cleared["authority"]["status"], "cleared", "{cleared}");
    assert_eq!(authority.requests(), 2);
    assert_eq!(authority.documents(), [(number(&cleared), 1)].into());
    service.running.shutdown().await;
}

#[tokio::test]
async fn decision_of_the_authority_is_the_state_of_the_document_whoever_waits_for_it() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let authority = clearing_authority(&service.folder).await;
    let decisions = [
        (Behaviour::Reports, "reported"),
        (Behaviour::Accepts, "accepted"),
        (Behaviour::Clears, "cleared"),
    ];
    for (behaviour, state) in decisions {
        authority.set(behaviour);
        let draft = gateway.create_draft(invoice("a", "10")).await;
        let issued = gateway.perform(&draft, "issue").await;
        assert_decided(&gateway, &issued, state).await;
    }
    service.folder.execute_sql("DELETE FROM authorities").await;
    configure(&service.folder, &authority.endpoint(), "reporting").await;
    for (behaviour, state) in decisions {
        authority.set(behaviour);
        let draft = gateway.create_draft(invoice("a", "10")).await;
        let issued = gateway.perform(&draft, "issue").await;
        assert_eq!(issued["authority"]["status"], "pending", "{issued}");
        let answered = wait_for_answer(&gateway, &issued).await;
        assert_decided(&gateway, &answered, state).await;
    }
    let accepted = authority.documents();
    assert_eq!(accepted.len(), 2 * decisions.len(), "{accepted:?}");
    service.running.shutdown().await;
}

/// The document was issued, and has the state and the revision of a decision.
async fn assert_decided(gateway: &GatewayClient<'_>, document: &Value, state: &str) {
    let name = format!("AUTHORITY_STATE_{}", state.to_uppercase());
    let authority = &document["authority"];
    assert_eq!(document["status"], "ISSUED", "{document}");
    assert_eq!(
        (&authority["status"], &authority["state"]),
        (&json!(state), &json!(name)),
        "{document}"
    );
    let key = document["documentKey"].as_str().expect("a key");
    let history = gateway.get(&format!("{DOCUMENTS}/{key}/history")).await;
    let last = &history.json["revisions"][0];
    assert_eq!(last["action"], state, "{}", history.body);
}

/// What the operator is told about the connection to the authority of the home organization.
async fn test_connection(operator: &GatewayClient<'_>) -> Value {
    let path = format!("{AUTHORITIES}/{HOME}:testConnection");
    let response = operator.post(&path, json!({})).await;
    assert_eq!(response.status, 200, "{}", response.body);
    response.json
}

/// Why the last attempt to send a document has no answer.
async fn last_problem(gateway: &GatewayClient<'_>, document: &Value) -> Value {
    let key = document["documentKey"].as_str().expect("a key");
    let list = gateway.get(&format!("{DOCUMENTS}/{key}/submissions")).await;
    list.json["items"][0]["attempts"][0]["problemCode"].clone()
}
