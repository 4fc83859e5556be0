//! Tests of clearance: documents that are issued are sent to the tax authority until it answers, whatever breaks.

use std::collections::BTreeMap;

use futures_util::{StreamExt as _, stream};
use reqwest::Method;
use serde_json::{Value, json};

use super::identity::signed_in;
use super::plans::{assigned, is_permission_denied, update};
use crate::fixtures::authority::{Behaviour, TaxAuthority};
use crate::fixtures::gateway::{
    DOCUMENTS, GatewayClient, document_changes, invoice, reason, violation_fields,
};
use crate::fixtures::process::Process;
use crate::fixtures::{
    HESSA, HOME, Response, Service, ServiceFolder, by_engine, wait_for, wait_until,
};

#[tokio::test]
async fn document_without_an_answer_is_issued_and_sent_until_the_authority_answers() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let authority = clearing_authority(&service.folder).await;
    authority.set(Behaviour::Unauthorized);
    let draft = gateway.create_draft(invoice("a", "10")).await;
    let response = gateway.try_perform(&draft, "issue").await;
    assert_eq!(
        (response.status.as_u16(), reason(&response.json)),
        (503, "AUTHORITY_UNAVAILABLE".into()),
        "{}",
        response.body
    );
    let pending = read(&gateway, &draft).await;
    assert_eq!(
        (&pending["status"], &pending["authority"]["state"]),
        (&json!("ISSUED"), &json!("AUTHORITY_STATE_PENDING"))
    );
    assert!(number(&pending).ends_with("-0001"), "{pending}");

    for (verb, expected) in [
        ("freeze", "AUTHORITY_PENDING"),
        ("issue", "DOCUMENT_ISSUED"),
    ] {
        let refused = gateway.try_perform(&pending, verb).await;
        assert_eq!(reason(&refused.json), expected, "{verb}");
    }
    let stale = gateway.try_perform(&draft, "freeze").await;
    assert_eq!(
        reason(&stale.json),
        "AUTHORITY_PENDING",
        "whatever the stamp"
    );
    let other = gateway.create_draft(invoice("b", "20")).await;
    authority.set(Behaviour::Clears);
    let other = gateway.perform(&other, "issue").await;
    assert!(number(&other).ends_with("-0002"), "nothing blocks the next");
    assert_eq!(other["authority"]["status"], "cleared");

    let repeated = gateway.perform(&draft, "issue").await;
    assert_eq!(
        (&repeated["authority"]["status"], number(&repeated)),
        (&json!("cleared"), number(&pending)),
        "the repeated request finds its document and the answer"
    );
    let again = gateway.perform(&draft, "issue").await;
    assert_eq!(again, repeated);
    let frozen = gateway.perform(&repeated, "freeze").await;
    assert_eq!(frozen["status"], "FROZEN");
    assert_eq!(
        authority.documents().into_values().collect::<Vec<_>>(),
        [1, 1],
        "each once"
    );
    let path = format!("{DOCUMENTS}/{}/history", key(&draft));
    let history = gateway.get(&path).await.json;
    let actions: Vec<_> = history["revisions"]
        .as_array()
        .expect("revisions")
        .iter()
        .map(|revision| revision["action"].as_str().expect("an action"))
        .collect();
    assert_eq!(actions, ["frozen", "cleared", "issued", "created"]);
    service.running.shutdown().await;
}

#[tokio::test]
async fn rejected_document_keeps_its_number_and_is_corrected_and_issued_again() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let authority = clearing_authority(&service.folder).await;
    authority.set(Behaviour::Rejects);
    let draft = gateway.create_draft(invoice("a", "10")).await;
    let rejected = gateway.perform(&draft, "issue").await;
    assert_eq!(
        (&rejected["status"], &rejected["authority"]["messages"]),
        (&json!("REJECTED"), &json!(["BR-KSA-63"]))
    );
    assert!(number(&rejected).ends_with("-0001"), "{rejected}");
    let repeated = gateway.perform(&draft, "issue").await;
    assert_eq!(repeated, rejected, "nothing is sent twice");

    let refused = gateway.try_perform(&rejected, "freeze").await;
    assert_eq!(reason(&refused.json), "DOCUMENT_NOT_ISSUED");
    let path = format!("{DOCUMENTS}/{}", key(&draft));
    let delete = gateway.request(Method::DELETE, &path).query(&[(
        "concurrencyStamp",
        rejected["concurrencyStamp"].as_str().expect("a stamp"),
    )]);
    let refused = Response::read(delete.send().await.expect("a response")).await;
    assert_eq!(reason(&refused.json), "DOCUMENT_ISSUED", "no gap");
    let mut other_series = invoice("b", "11");
    other_series["issueDate"] = json!("2020-01-01");
    let refused = correct(&gateway, &rejected, &other_series).await;
    assert_eq!(
        violation_fields(&refused),
        ["changes.content.invoice.issueDate"],
        "{}",
        refused.body
    );

    let corrected = correct(&gateway, &rejected, &invoice("b", "11")).await.json;
    assert_eq!(
        (&corrected["status"], number(&corrected)),
        (&json!("REJECTED"), number(&rejected)),
        "{corrected}"
    );
    authority.set(Behaviour::Warns);
    let issued = gateway.perform(&corrected, "issue").await;
    assert_eq!(
        (&issued["status"], number(&issued)),
        (&json!("ISSUED"), number(&rejected))
    );
    assert_eq!(
        (
            &issued["authority"]["status"],
            &issued["authority"]["hasWarnings"],
            &issued["authority"]["messages"]
        ),
        (&json!("cleared"), &json!(true), &json!(["BR-KSA-98"]))
    );
    assert_eq!(
        authority.documents().into_values().collect::<Vec<_>>(),
        [2],
        "one number, the rejected content and the corrected one"
    );
    let next = gateway.create_draft(invoice("c", "12")).await;
    let next = gateway.perform(&next, "issue").await;
    assert!(number(&next).ends_with("-0002"));
    // The first submission has the key of its document as KSA-1, and a file has that of the last submission.
    assert_eq!(uuid_of_file(&gateway, &next).await, key(&next));
    assert_ne!(uuid_of_file(&gateway, &issued).await, key(&issued));
    for document in [&next, &issued] {
        let submission = &document["authority"]["submissionId"];
        assert_eq!(json!(uuid_of_file(&gateway, document).await), *submission);
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn document_is_not_issued_to_an_authority_that_the_plan_does_not_include() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let operator = signed_in(&service, HESSA).await;
    let authority = clearing_authority(&service.folder).await;
    let entitlements = |values: Value| json!({"authorities": {"values": values}});
    let plan = assigned(&operator, json!({}), entitlements(json!([]))).await;
    let draft = gateway.create_draft(invoice("a", "10")).await;
    let refused = gateway.try_perform(&draft, "issue").await;
    assert!(is_permission_denied(&refused), "{}", refused.body);
    assert_eq!(read(&gateway, &draft).await, draft, "nothing is numbered");
    assert_eq!(authority.requests(), 0, "nothing is sent");

    let change = json!({"plan": {"name": "Basic", "entitlements": entitlements(json!(["http"]))}});
    let changed = update(&operator, &plan, change).await;
    assert_eq!(changed.status, 200, "{}", changed.body);
    let issued = gateway.perform(&draft, "issue").await;
    assert_eq!(issued["authority"]["status"], "cleared", "{issued}");
    service.running.shutdown().await;
}

#[tokio::test]
async fn whatever_the_authority_does_each_document_is_accepted_once() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let authority = clearing_authority(&service.folder).await;
    let mut documents = Vec::new();
    for (behaviour, state) in [
        (Behaviour::LosesAnswers, "unknown"),
        (Behaviour::FailsAfterDeciding, "unknown"),
        (Behaviour::Babbles, "unknown"),
        (Behaviour::Limits(60), "pending"),
        (Behaviour::Unauthorized, "pending"),
    ] {
        authority.set(behaviour);
        let draft = gateway.create_draft(invoice("a", "10")).await;
        let response = gateway.try_perform(&draft, "issue").await;
        assert_eq!(
            reason(&response.json),
            "AUTHORITY_UNAVAILABLE",
            "{behaviour:?}"
        );
        let found = read(&gateway, &draft).await;
        assert_eq!(found["authority"]["status"], state, "{behaviour:?}");
        documents.push(found);
    }
    authority.set(Behaviour::Clears);
    service.clock.advance(3_600);
    let mut numbers = Vec::new();
    for document in &documents {
        let cleared = wait_for_answer(&gateway, document).await;
        assert_eq!(cleared["authority"]["status"], "cleared", "{cleared}");
        assert_eq!(number(&cleared), number(document), "it keeps its number");
        numbers.push(number(&cleared));
    }
    assert_eq!(
        authority.documents(),
        numbers.into_iter().map(|number| (number, 1)).collect(),
        "each with one content"
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn two_hundred_documents_under_faults_have_no_gap_and_are_accepted_once() {
    const DOCUMENTS_OF_ALL: u32 = 200;
    let service = Service::start_with(|mut config| {
        config.rate_limit = Some(1_000_000);
        config
    })
    .await;
    let gateway = GatewayClient::new(&service).await;
    let authority = clearing_authority(&service.folder).await;
    let faults = [
        Behaviour::Clears,
        Behaviour::LosesAnswers,
        Behaviour::FailsAfterDeciding,
        Behaviour::Limits(1),
    ];
    let issued = stream::iter(0..DOCUMENTS_OF_ALL).map(|index| {
        let (gateway, authority) = (&gateway, &authority);
        async move {
            let draft = gateway.create_draft(invoice("a", "10")).await;
            authority.set(faults[index as usize % faults.len()]);
            gateway.try_perform(&draft, "issue").await;
            draft
        }
    });
    let drafts: Vec<Value> = issued.buffer_unordered(8).collect().await;
    authority.set(Behaviour::Clears);
    let mut numbers = BTreeMap::new();
    for draft in &drafts {
        // Half of them by the worker, the others by their callers who repeat the request.
        service.clock.advance(60);
        let cleared = wait_for_answer(&gateway, draft).await;
        assert_eq!(cleared["authority"]["status"], "cleared", "{cleared}");
        numbers.insert(number(&cleared), 1);
    }
    assert_eq!(
        authority.documents(),
        numbers,
        "each once, with one content"
    );
    let sequences: Vec<u32> = numbers
        .keys()
        .filter_map(|number| number.rsplit_once('-')?.1.parse().ok())
        .collect();
    assert_eq!(
        sequences,
        (1..=DOCUMENTS_OF_ALL).collect::<Vec<_>>(),
        "no gap"
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn answer_is_found_after_kill_9_before_it_was_given_or_stored() {
    let folder = ServiceFolder::new();
    let process = Process::start(&folder, &["--invoices", "0"]).await;
    let authority = clearing_authority(&folder).await;
    let gateway = GatewayClient::new(&process.client).await;
    // The number is committed, and the authority has not answered.
    authority.set(Behaviour::Hangs);
    let first = gateway.create_draft(invoice("a", "10")).await;
    let issue = gateway.try_send(&first, "issue");
    tokio::select! {
        _ = issue => panic!("there is no answer"),
        () = authority.arrived() => {}
    }
    process.kill();
    authority.set(Behaviour::Clears);

    let process = Process::start(&folder, &["--invoices", "0"]).await;
    end_claims(&folder).await;
    let gateway = GatewayClient::new(&process.client).await;
    let cleared = wait_for_answer(&gateway, &first).await;
    assert!(number(&cleared).ends_with("-0001"), "{cleared}");

    // The authority has answered, and the answer cannot be stored.
    authority.set(Behaviour::Hangs);
    let second = gateway.create_draft(invoice("b", "10")).await;
    let issue = gateway.try_send(&second, "issue");
    let locked = async {
        authority.arrived().await;
        let connection = folder.connect().await;
        connection.lock("document_submissions").await;
        let requests = authority.requests();
        authority.set(Behaviour::Clears);
        wait_until("the authority has the second document", async || {
            authority.documents().len() >= 2
        })
        .await;
        assert_eq!(authority.requests(), requests);
        connection
    };
    let connection = tokio::select! {
        _ = issue => panic!("the answer is not stored"),
        connection = locked => connection,
    };
    process.kill();
    connection.unlock().await;

    let process = Process::start(&folder, &["--invoices", "0"]).await;
    end_claims(&folder).await;
    let gateway = GatewayClient::new(&process.client).await;
    let cleared = wait_for_answer(&gateway, &second).await;
    assert!(number(&cleared).ends_with("-0002"), "{cleared}");
    assert_eq!(
        authority.documents().into_values().collect::<Vec<_>>(),
        [1, 1],
        "the same bytes came again"
    );
    process.kill();
}

/// What a restart does on SQLite: no process of before can send any more. On PostgreSQL claims end by their time.
async fn end_claims(folder: &ServiceFolder) {
    let release = by_engine("SELECT 1", "UPDATE clearance_queue SET claimed_until = 0");
    folder.execute_sql(release).await;
}

/// A tax authority that the home organization has its documents cleared by.
pub(super) async fn clearing_authority(folder: &ServiceFolder) -> TaxAuthority {
    let authority = TaxAuthority::start().await;
    configure(folder, &authority.endpoint(), "clearance").await;
    authority
}

/// Gives the home organization a tax authority.
pub(super) async fn configure(folder: &ServiceFolder, endpoint: &str, mode: &str) {
    let enabled = by_engine("1", "TRUE");
    folder
        .execute_sql(&format!(
            "INSERT INTO authorities (organization_id, adapter, endpoint, mode, kinds, enabled, concurrency_stamp, updated_at)
             VALUES ('{HOME}', 'http', '{endpoint}', '{mode}', 'INVOICE CREDIT_NOTE', {enabled}, 'first', 0)"
        ))
        .await;
}

/// KSA-1 of the UBL of a document.
async fn uuid_of_file(gateway: &GatewayClient<'_>, document: &Value) -> String {
    let path = format!("{DOCUMENTS}/{}/ubl", key(document));
    let file = gateway.get(&path).await.body;
    let (_, rest) = file.split_once("<cbc:UUID>").expect("it has one");
    rest.split('<').next().expect("a text").to_owned()
}

pub(super) async fn read(gateway: &GatewayClient<'_>, document: &Value) -> Value {
    let path = format!("{DOCUMENTS}/{}", key(document));
    gateway.get(&path).await.json
}

/// The document once the authority has answered.
pub(super) async fn wait_for_answer(gateway: &GatewayClient<'_>, document: &Value) -> Value {
    wait_for("the authority has answered", async || {
        let found = read(gateway, document).await;
        let state = found["authority"]["status"].as_str().unwrap_or_default();
        let answered = !matches!(state, "" | "pending" | "unknown");
        answered.then_some(found)
    })
    .await
}

async fn correct(gateway: &GatewayClient<'_>, document: &Value, content: &Value) -> Response {
    let mut body = document_changes(content);
    body["concurrencyStamp"] = document["concurrencyStamp"].clone();
    let path = format!("{DOCUMENTS}/{}", key(document));
    let request = gateway.request(Method::PATCH, &path).json(&body);
    Response::read(request.send().await.expect("a response")).await
}

fn key(document: &Value) -> &str {
    document["documentKey"].as_str().expect("a key")
}

pub(super) fn number(document: &Value) -> String {
    let number = document["content"]["invoice"]["number"].as_str();
    number.expect("a number").to_owned()
}
