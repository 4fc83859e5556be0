//! Tests of attempts to send a submission, as they are returned.

use invoicing_contract::messages::documents::AuthorityState;
use invoicing_contract::{OrganizationId, Timestamp};
use invoicing_service::Config;
use invoicing_storage::audit::{AuditEventKind, Query};
use invoicing_storage::clearance::{Attempt, AttemptOutcome, EndOutcome, EndedAttempt};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use uuid::Uuid;

use super::clearance::clearing_authority;
use crate::fixtures::authority::{Behaviour, TaxAuthority};
use crate::fixtures::gateway::{
    DOCUMENTS, GatewayClient, document_changes, invoice, reason, violation_fields,
};
use crate::fixtures::{HOME, Response, Service, by_engine, wait_until};

/// A draft that was issued, and then sent once: the authority gives no answer, and has the next attempt wait.
async fn issued_without_an_answer(gateway: &GatewayClient<'_>, authority: &TaxAuthority) -> Value {
    authority.set(Behaviour::Limits(3_000));
    let draft = gateway.create_draft(invoice("a", "10")).await;
    let pending = gateway.try_perform(&draft, "issue").await;
    assert_eq!(reason(&pending.json), "AUTHORITY_UNAVAILABLE");
    draft
}

#[tokio::test]
async fn submission_of_a_disabled_authority_waits_without_attempts_and_is_retried_unread() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let authority = clearing_authority(&service.folder).await;
    let draft = issued_without_an_answer(&gateway, &authority).await;
    let disabled = by_engine("0", "FALSE");
    let disable =
        format!("UPDATE authorities SET enabled = {disabled} WHERE organization_id = '{HOME}'");
    service.folder.execute_sql(&disable).await;
    let requests = authority.requests();

    let again = gateway.try_perform(&draft, "issue").await;
    assert_eq!(reason(&again.json), "AUTHORITY_UNAVAILABLE");
    assert_eq!(authority.requests(), requests, "nothing is sent");
    let key = draft["documentKey"].as_str().expect("a key");
    let list = gateway.get(&format!("{DOCUMENTS}/{key}/submissions")).await;
    let submission = &list.json["items"][0];
    assert_eq!(submission["failures"], json!(2), "{}", list.body);
    let attempts = submission["attempts"].as_array().map(Vec::len);
    assert_eq!(attempts, Some(1), "{}", list.body);

    // What the list shows of it is what a retry answers: neither reads the content.
    let hide = "ALTER TABLE document_submissions RENAME COLUMN content TO hidden";
    service.folder.execute_sql(hide).await;
    let retried = gateway
        .post(&format!("{DOCUMENTS}/{key}:retryClearance"), json!({}))
        .await;
    assert_eq!(retried.status, StatusCode::OK, "{}", retried.body);
    assert_eq!(retried.json["id"], submission["id"]);
    assert_eq!(retried.json["attempts"], submission["attempts"]);
    service.running.shutdown().await;
}

#[tokio::test]
async fn list_of_submissions_has_pages_which_end_at_eight_mebibytes_of_answers() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let authority = clearing_authority(&service.folder).await;
    authority.set(Behaviour::Rejects);
    let draft = gateway.create_draft(invoice("a", "10")).await;
    let rejected = gateway.perform(&draft, "issue").await;
    let key = draft["documentKey"].as_str().expect("a key");
    let path = format!("{DOCUMENTS}/{key}");
    let mut changes = document_changes(&invoice("b", "11"));
    changes["concurrencyStamp"] = rejected["concurrencyStamp"].clone();
    let corrected = gateway.request(Method::PATCH, &path).json(&changes).send();
    let corrected = Response::read(corrected.await.expect("a response")).await;
    let rejected_again = gateway.perform(&corrected.json, "issue").await;
    let submission = |document: &Value| document["authority"]["submissionId"].clone();
    let (first, second) = (submission(&rejected), submission(&rejected_again));
    assert_ne!(first, second);

    let list = async |query: &str| {
        let list = gateway.get(&format!("{path}/submissions?{query}")).await;
        assert_eq!(list.status, StatusCode::OK, "{}", list.body);
        let items = list.json["items"].as_array().expect("items").iter();
        let attempts = |item: &Value| item["attempts"].as_array().map_or(0, Vec::len);
        let items: Vec<_> = items.map(|it| (it["id"].clone(), attempts(it))).collect();
        (items, list.text("nextPageToken").to_owned())
    };
    let both = vec![(second.clone(), 1), (first.clone(), 1)];
    assert_eq!(list("pageSize=50").await, (both, String::new()));
    let (newest, token) = list("pageSize=1").await;
    assert_eq!(newest, [(second.clone(), 1)]);
    let rest = list(&format!("pageSize=1&pageToken={token}")).await;
    assert_eq!(rest, (vec![(first.clone(), 1)], String::new()));
    add_answer(&service, &second, 8 * 1024 * 1024).await;
    let (large, token) = list("pageSize=50").await;
    assert_eq!(large, [(second, 2)]);
    let rest = list(&format!("pageToken={token}")).await;
    assert_eq!(rest, (vec![(first, 1)], String::new()));

    let other = gateway.create_draft(invoice("c", "12")).await;
    let other = other["documentKey"].as_str().expect("a key");
    let other = format!("{DOCUMENTS}/{other}/submissions?pageSize=501&pageToken={token}");
    let refused = gateway.get(&other).await;
    assert_eq!(violation_fields(&refused), ["pageSize", "pageToken"]);
    let unknown = format!("{DOCUMENTS}/{}/submissions", crate::fixtures::new_key());
    let unknown = gateway.get(&unknown).await;
    assert_eq!(reason(&unknown.json), "DOCUMENT_NOT_FOUND");
    service.running.shutdown().await;
}

/// Stores an answer that came after the one that decided.
async fn add_answer(service: &Service, submission: &Value, bytes: usize) {
    let submission = submission.as_str().and_then(|id| Uuid::try_parse(id).ok());
    let ended = EndedAttempt {
        organization: OrganizationId::from(HOME),
        submission: submission.expect("an id"),
        holder: Uuid::from_u128(1),
        attempt: Attempt {
            id: Uuid::from_u128(2),
            started_at: Timestamp::from_millis(1),
            ended_at: Timestamp::from_millis(2),
            http_status: Some(400),
            state: AuthorityState::Rejected,
            problem: String::new(),
            answer: vec![b'x'; bytes],
        },
        outcome: AttemptOutcome::Answered {
            has_warnings: false,
        },
    };
    let store = service.store().await;
    let stored = store.end_attempt(&ended, Box::new(|_| Ok(None))).await;
    assert!(matches!(stored, Ok(EndOutcome::Stored(_))), "{stored:?}");
}

#[tokio::test]
async fn retry_by_hand_is_in_the_audit_with_caller_document_and_submission() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let authority = clearing_authority(&service.folder).await;
    let draft = issued_without_an_answer(&gateway, &authority).await;
    let key = draft["documentKey"].as_str().expect("a key");
    let path = format!("{DOCUMENTS}/{key}:retryClearance");
    let retried = gateway.post(&path, json!({})).await;
    assert_eq!(retried.status, StatusCode::OK, "{}", retried.body);

    let query = Query {
        kinds: vec![AuditEventKind::ClearanceRetried],
        size: 10,
        ..Query::default()
    };
    let events = service.store().await.audit(&query).await.expect("it reads");
    assert_eq!(events.len(), 1, "{events:?}");
    let event = &events[0].event;
    assert!(event.subject.is_some(), "{event:?}");
    assert_eq!(event.organization, Some(OrganizationId::from(HOME)));
    assert_eq!(event.detail["document"], key);
    assert_eq!(json!(event.detail["submission"]), retried.json["id"]);
    service.running.shutdown().await;
}

#[tokio::test]
async fn metrics_show_documents_without_an_answer_and_the_age_of_the_oldest() {
    let service = Service::start_with(|config| Config {
        metrics: Some("127.0.0.1:0".parse().expect("an address")),
        ..config
    })
    .await;
    let gateway = GatewayClient::new(&service).await;
    let authority = clearing_authority(&service.folder).await;
    let address = service.running.metrics.expect("metrics are configured");
    let metrics = format!("http://{address}/metrics");
    let value = async |name: &str| {
        let response = service.http.get(&metrics).send().await;
        let text = Response::read(response.expect("a response")).await.body;
        let line = text.lines().find_map(|line| line.strip_prefix(name));
        let number = line.and_then(|line| line.trim().parse::<u64>().ok());
        number.unwrap_or_else(|| panic!("no {name} in {text}"))
    };
    assert_eq!(value("invoicing_clearance_waiting_documents ").await, 0);
    issued_without_an_answer(&gateway, &authority).await;
    service.clock.advance(60);
    wait_until("the document is shown", async || {
        value("invoicing_clearance_waiting_documents ").await == 1
            && value("invoicing_clearance_oldest_age_seconds ").await >= 60
    })
    .await;
    service.running.shutdown().await;
}
