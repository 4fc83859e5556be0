//! Tests of batches: a result for each document, resumed by key and stamp.

use super::clearance::clearing_authority;
use crate::fixtures::authority::Behaviour;
use crate::fixtures::gateway::{
    DOCUMENTS, GatewayClient, channel, document_changes, invoice, reason, violation_fields,
};
use crate::fixtures::{Response, Service};
use invoicing_contract::messages::documents as v2;
use invoicing_contract::messages::documents::document_batches_client::DocumentBatchesClient;
use invoicing_contract::messages::google::rpc;
use prost::Message as _;
use reqwest::Method;
use serde_json::{Value, json};

const BATCH_ISSUE: &str = "/api/v2/documents:batchIssue";
const BATCH_FREEZE: &str = "/api/v2/documents:batchFreeze";

fn entry(document: &Value) -> Value {
    json!({
        "documentKey": document["documentKey"],
        "concurrencyStamp": document["concurrencyStamp"],
    })
}

fn numbers(results: &[Value]) -> Vec<&str> {
    let number = |result: &Value| result["document"]["content"]["invoice"]["number"].is_string();
    assert!(results.iter().all(number), "{results:?}");
    let text = |result| pointer(result, "/document/content/invoice/number");
    results.iter().map(text).collect()
}

fn pointer<'value>(value: &'value Value, path: &str) -> &'value str {
    value.pointer(path).and_then(Value::as_str).expect(path)
}

#[tokio::test]
async fn batch_has_a_result_for_each_document_and_can_be_sent_again() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let mut drafts = Vec::new();
    for price in 1..=12 {
        drafts.push(
            gateway
                .create_draft(invoice("service", &price.to_string()))
                .await,
        );
    }
    let stale = json!({"documentKey": drafts[3]["documentKey"], "concurrencyStamp": "another"});
    let mut entries: Vec<_> = drafts.iter().map(entry).collect();
    entries[3] = stale;
    entries.push(json!({"documentKey": "unknown", "concurrencyStamp": "1"}));
    entries.push(json!({"documentKey": drafts[0]["documentKey"].as_str().expect("a key").to_uppercase(), "concurrencyStamp": ""}));
    let body = json!({"entries": entries});

    let first = gateway.post(BATCH_ISSUE, body.clone()).await;
    assert_eq!(first.status, 200, "{}", first.body);
    let results = first.json["results"].as_array().expect("results");
    let keys: Vec<_> = results.iter().map(|each| &each["documentKey"]).collect();
    let expected: Vec<_> = entries.iter().map(|each| &each["documentKey"]).collect();
    assert_eq!(keys, expected, "in the order of the request");
    for (index, code, reason_of) in [
        (3, 10, "STAMP_MISMATCH"),
        (12, 5, "DOCUMENT_NOT_FOUND"),
        (13, 3, "INVALID_REQUEST"),
    ] {
        let error = &results[index]["error"];
        assert_eq!(results[index]["document"], Value::Null);
        assert_eq!(error["code"], json!(code), "{error}");
        assert_eq!(reason(error), reason_of);
    }
    let issued: Vec<_> = [&results[..3], &results[4..12]].concat();
    let mut given = numbers(&issued);
    given.sort_unstable();
    let wanted: Vec<_> = (1..=11).map(|number| format!("-{number:04}")).collect();
    assert!(
        given
            .iter()
            .zip(&wanted)
            .all(|(number, end)| number.ends_with(end)),
        "without gaps: {given:?}"
    );

    let again = gateway.post(BATCH_ISSUE, body).await;
    assert_eq!(again.json, first.json, "what is done is not done again");
    let edited = json!({"entries": [{"documentKey": drafts[0]["documentKey"], "concurrencyStamp": "of another state"}]});
    let other = gateway.post(BATCH_ISSUE, edited).await;
    assert_eq!(
        reason(&other.json["results"][0]["error"]),
        "DOCUMENT_ISSUED",
        "another stamp is another request"
    );

    let body =
        json!({"entries": issued.iter().map(|each| entry(&each["document"])).collect::<Vec<_>>()});
    let frozen = gateway.post(BATCH_FREEZE, body.clone()).await;
    let statuses = frozen.json["results"].as_array().expect("results");
    assert!(
        statuses
            .iter()
            .all(|each| each["document"]["status"] == "FROZEN"),
        "{}",
        frozen.body
    );
    assert_eq!(gateway.post(BATCH_FREEZE, body).await.json, frozen.json);

    // Over gRPC the error is a google.rpc.Status with its details.
    let mut client = DocumentBatchesClient::new(channel(&service).await);
    let request = v2::BatchIssueDocumentsRequest {
        entries: vec![v2::BatchEntry {
            document_key: "unknown".into(),
            concurrency_stamp: "1".into(),
        }],
    };
    let answer = client
        .batch_issue_documents(gateway.grpc(request.clone()))
        .await;
    let results = answer.expect("results").into_inner().results;
    let error = results[0].error.as_ref().expect("an error");
    assert_eq!(error.code, 5);
    let info = rpc::ErrorInfo::decode(&*error.details[0].value).expect("an ErrorInfo");
    assert_eq!(info.reason, "DOCUMENT_NOT_FOUND");
    let mut late = gateway.grpc(request);
    late.metadata_mut()
        .insert("grpc-timeout", "1S".parse().expect("ASCII"));
    let answer = client.batch_issue_documents(late).await;
    let results = answer.expect("results so far").into_inner().results;
    let error = results[0].error.as_ref().expect("an error");
    assert_eq!(error.code, 14, "not begun: {error:?}");
    service.running.shutdown().await;
}

#[tokio::test]
async fn issue_before_a_rejection_a_correction_and_another_issue_is_recognised_by_its_stamp() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let authority = clearing_authority(&service.folder).await;
    authority.set(Behaviour::Rejects);
    let draft = gateway.create_draft(invoice("service", "1")).await;
    let first = json!({"entries": [entry(&draft)]});
    let rejected = gateway.post(BATCH_ISSUE, first.clone()).await.json;
    let rejected = &rejected["results"][0]["document"];
    assert_eq!(rejected["status"], "REJECTED", "{rejected}");
    let mut correction = document_changes(&invoice("service", "2"));
    correction["concurrencyStamp"] = rejected["concurrencyStamp"].clone();
    let path = format!("{DOCUMENTS}/{}", pointer(rejected, "/documentKey"));
    let request = gateway.request(Method::PATCH, &path).json(&correction);
    let corrected = Response::read(request.send().await.expect("a response")).await;
    assert_eq!(corrected.status, 200, "{}", corrected.body);
    authority.set(Behaviour::Clears);
    let issued = gateway.perform(&corrected.json, "issue").await;

    let again = gateway.post(BATCH_ISSUE, first).await;
    let result = &again.json["results"][0];
    assert_eq!(result["document"], issued, "{}", again.body);
    let corrected = json!({"entries": [entry(rejected)]});
    let other = gateway.post(BATCH_ISSUE, corrected).await;
    let error = &other.json["results"][0]["error"];
    assert_eq!(reason(error), "DOCUMENT_ISSUED", "{}", other.body);
    service.running.shutdown().await;
}

#[tokio::test]
async fn batch_without_entries_with_too_many_or_with_a_key_twice_is_refused() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let draft = gateway.create_draft(invoice("service", "1")).await;
    let many: Vec<_> = (0..501)
        .map(|key| json!({"documentKey": key.to_string()}))
        .collect();
    for (entries, field) in [
        (json!([]), "entries"),
        (
            json!([entry(&draft), entry(&draft)]),
            "entries[1].documentKey",
        ),
        (json!(many), "entries"),
    ] {
        let refused = gateway.post(BATCH_ISSUE, json!({"entries": entries})).await;
        assert_eq!(refused.status, 400, "{}", refused.body);
        assert_eq!(violation_fields(&refused), [field]);
    }
    let key = draft["documentKey"].as_str().expect("a key");
    let read = gateway.get(&format!("{DOCUMENTS}/{key}")).await;
    assert_eq!(read.json["status"], json!("DRAFT"), "nothing was written");
    service.running.shutdown().await;
}

#[tokio::test]
async fn batch_of_large_documents_ends_when_its_answer_is_full_and_can_be_sent_again() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let mut large = invoice("service", "10");
    // Three of them reach the limit of an answer (decision 0165), and eight are worked on at a time.
    large["documents"] = json!([{
        "id": {"value": "Timesheet"},
        "attachment": {"mime": "text/csv", "filename": "hours.csv", "content": "MSwy".repeat(700_000)},
    }]);
    let mut entries = Vec::new();
    for _ in 0..11 {
        entries.push(entry(&gateway.create_draft(large.clone()).await));
    }
    let body = json!({"entries": entries});
    let first = gateway.post(BATCH_ISSUE, body.clone()).await;
    let results = first.json["results"].as_array().expect("results");
    let (done, not_begun): (Vec<_>, Vec<_>) = results
        .iter()
        .partition(|result| result["error"] == Value::Null);
    assert!(done.len() >= 3 && !not_begun.is_empty());
    for result in not_begun {
        assert_eq!(result["error"]["code"], json!(14));
        assert_eq!(reason(&result["error"]), "BATCH_DEADLINE");
    }
    let left = &entries[done.len()..];
    let rest = gateway.post(BATCH_ISSUE, json!({"entries": left})).await;
    let results = rest.json["results"].as_array().expect("results");
    assert_eq!(numbers(results).len(), left.len());
    service.running.shutdown().await;
}

#[tokio::test]
async fn batch_counts_as_its_entries_and_is_refused_until_so_many_requests_are_left() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let draft = gateway.create_draft(invoice("service", "1")).await;
    service
        .execute_sql(
            "UPDATE tenants SET requests_per_minute = 60 WHERE organization_id = '274893001'",
        )
        .await;
    let many = |first: &Value| {
        let unknown = (0..99).map(|key| json!({"documentKey": key.to_string()}));
        let entries: Vec<_> = std::iter::once(entry(first)).chain(unknown).collect();
        json!({"entries": entries})
    };
    // More than a minute's requests: it counts as half of them.
    let first = gateway.post(BATCH_ISSUE, many(&draft)).await;
    assert_eq!(first.status, 200, "{}", first.body);
    let issued = first.json["results"][0]["document"].clone();
    assert_eq!(issued["status"], "ISSUED", "{}", first.body);
    for _ in 0..10 {
        let read = gateway.get("/api/nowhere").await;
        assert_eq!(read.status, 404, "{}", read.body);
    }

    let refused = gateway.post(BATCH_FREEZE, many(&issued)).await;
    assert_eq!(refused.status, 429, "{}", refused.body);
    assert_eq!(reason(&refused.json), "RATE_LIMIT");
    assert!(refused.body.contains("google.rpc.RetryInfo"));
    let seconds: u64 = refused.header("retry-after").parse().expect("seconds");
    assert!((1..=30).contains(&seconds), "{seconds}");
    let mut client = DocumentBatchesClient::new(channel(&service).await);
    let entries = (0..100).map(|key| v2::BatchEntry {
        document_key: key.to_string(),
        concurrency_stamp: "1".into(),
    });
    let request = v2::BatchFreezeDocumentsRequest {
        entries: entries.collect(),
    };
    let over_grpc = client.batch_freeze_documents(gateway.grpc(request)).await;
    let over_grpc = over_grpc.expect_err("more entries than requests are left");
    assert_eq!(over_grpc.code(), tonic::Code::ResourceExhausted);
    assert!(over_grpc.metadata().get("retry-after").is_some());
    let small = gateway.post(BATCH_FREEZE, json!({"entries": [entry(&draft)]}));
    assert_eq!(small.await.status, 200, "it counts as one");

    service.clock.advance(31);
    let frozen = gateway.post(BATCH_FREEZE, many(&issued)).await;
    assert_eq!(frozen.status, 200, "{}", frozen.body);
    let frozen = &frozen.json["results"][0]["document"];
    assert_eq!(frozen["status"], "FROZEN", "nothing was begun before");
    service.running.shutdown().await;
}
