//! Tests of updates with a field mask (AIP-134) and of requests that are only validated (AIP-163), over REST and gRPC.

use invoicing_contract::messages::documents as v2;
use invoicing_contract::{FieldMask, Status};
use reqwest::Method;
use serde_json::{Value, json};

use super::identity::signed_in;
use crate::fixtures::gateway::{
    DOCUMENTS, GatewayClient, documents_client, invoice, reason, violation_fields,
};
use crate::fixtures::{HESSA, HOME, Response, Service};

async fn patch(gateway: &GatewayClient<'_>, document: &Value, body: &Value) -> Response {
    let key = document["documentKey"].as_str().expect("a key");
    let mut body = body.clone();
    body["concurrencyStamp"] = document["concurrencyStamp"].clone();
    patch_at(gateway, &format!("{DOCUMENTS}/{key}"), &body).await
}

async fn patch_at(gateway: &GatewayClient<'_>, path: &str, body: &Value) -> Response {
    let request = gateway.request(Method::PATCH, path).json(body);
    Response::read(request.send().await.expect("a response")).await
}

fn note(text: &str) -> Value {
    json!({"content": {"invoice": {"note": text}}})
}

#[tokio::test]
async fn update_changes_the_fields_of_the_mask_and_no_others() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let draft = gateway.create_draft(invoice("a", "10")).await;
    let masked = |mask: &str| json!({"changes": note("to the attention of"), "updateMask": mask});

    // Over REST the mask is one text, in lowerCamelCase.
    let updated = patch(&gateway, &draft, &masked("content.invoice.note")).await;
    assert_eq!(updated.status, 200, "{}", updated.body);
    let mut expected = draft["content"].clone();
    expected["invoice"]["note"] = json!("to the attention of");
    assert_eq!(updated.json["content"], expected);

    // Over gRPC it has the names of the .proto file.
    let key = draft["documentKey"].as_str().expect("a key").to_owned();
    let stamp = &updated.json["concurrencyStamp"];
    let changes = v2::DocumentChanges {
        content: Some(v2::DocumentContent {
            invoice: Some(v2::Invoice {
                due_date: "2999-12-31".to_owned(),
                note: "not in the mask".to_owned(),
                ..v2::Invoice::default()
            }),
        }),
    };
    let request = v2::UpdateDocumentRequest {
        document_key: key,
        concurrency_stamp: stamp.as_str().expect("a stamp").to_owned(),
        changes: Some(changes),
        update_mask: Some(FieldMask::of([
            "content.invoice.due_date",
            "content.invoice.buyer.name.en",
        ])),
        ..v2::UpdateDocumentRequest::default()
    };
    let mut client = documents_client(&service).await;
    let updated = client.update_document(gateway.grpc(request.clone())).await;
    let updated = updated.expect("a document").into_inner();
    let content = updated.content.and_then(|content| content.invoice);
    let content = content.expect("an invoice");
    let name = content.buyer.and_then(|buyer| buyer.name).expect("a name");
    assert_eq!(
        (&*content.due_date, &*content.note, &*name.ar, &*name.en),
        ("2999-12-31", "to the attention of", "شركة النخيل", "")
    );

    // A mask does not weaken the stamp.
    let stale = client.update_document(gateway.grpc(request)).await;
    assert_eq!(stale.expect_err("stale").code(), tonic::Code::Aborted);

    let wrong = [
        ("content.invoice.noSuchField", "updateMask.paths[0]"),
        (
            "content.invoice.note,content.invoice.totals.net",
            "updateMask.paths[1]",
        ),
        ("content.invoice.lines.net", "updateMask.paths[0]"),
        ("content.invoice.due_date", "updateMask.paths[0]"),
        ("content.invoice.note,*", "updateMask.paths[1]"),
        ("", "updateMask"),
    ];
    for (mask, field) in wrong {
        let refused = patch(&gateway, &draft, &masked(mask)).await;
        assert_eq!(violation_fields(&refused), [field], "{mask}");
    }
    let not_text = json!({"changes": note("x"), "updateMask": {"paths": ["content"]}});
    let refused = patch(&gateway, &draft, &not_text).await;
    assert_eq!(violation_fields(&refused), ["updateMask"]);

    // What the mask leaves must be an invoice still.
    let without_lines = json!({"changes": note("x"), "updateMask": "content.invoice.lines"});
    let refused = patch(&gateway, &draft, &without_lines).await;
    assert_eq!(reason(&refused.json), "INVALID_INVOICE", "{}", refused.body);
    service.running.shutdown().await;
}

#[tokio::test]
async fn request_that_is_only_validated_meets_every_check_and_writes_nothing() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let key = crate::fixtures::new_key().to_string();
    let create = |content: Value, validate: bool| {
        json!({
            "documentKey": key,
            "changes": {"content": {"invoice": content}},
            "validateOnly": validate,
        })
    };
    let valid = gateway
        .post(DOCUMENTS, create(invoice("a", "10"), true))
        .await;
    assert_eq!(valid.status, 200, "{}", valid.body);
    assert_eq!(valid.json["content"]["invoice"]["totals"]["gross"], "11.50");
    assert_eq!(valid.json["concurrencyStamp"], "");
    let invalid = gateway
        .post(DOCUMENTS, create(json!({"note": "x"}), true))
        .await;
    assert_eq!(reason(&invalid.json), "INVALID_INVOICE");
    let path = format!("{DOCUMENTS}/{key}");
    assert_eq!(gateway.get(&path).await.status, 404, "nothing was stored");

    let stored = gateway
        .post(DOCUMENTS, create(invoice("a", "10"), false))
        .await;
    assert_eq!(stored.status, 200, "{}", stored.body);
    let again = gateway
        .post(DOCUMENTS, create(invoice("a", "10"), true))
        .await;
    assert_eq!(reason(&again.json), "DOCUMENT_EXISTS");

    let change = json!({
        "changes": note("new"),
        "updateMask": "content.invoice.note",
        "validateOnly": true,
    });
    let changed = patch(&gateway, &stored.json, &change).await;
    assert_eq!(changed.json["content"]["invoice"]["note"], "new");
    assert_eq!(gateway.get(&path).await.json, stored.json);

    let issue = |stamp: &Value| v2::IssueDocumentRequest {
        document_key: key.clone(),
        concurrency_stamp: stamp.as_str().unwrap_or_default().to_owned(),
        validate_only: true,
    };
    let mut client = documents_client(&service).await;
    let stamp = &stored.json["concurrencyStamp"];
    let issued = client.issue_document(gateway.grpc(issue(stamp))).await;
    assert_eq!(
        issued.expect("valid").into_inner().status(),
        v2::Status::Draft
    );
    let refused = client
        .issue_document(gateway.grpc(issue(&json!("x"))))
        .await;
    let refused = Status::from(&refused.expect_err("a stale stamp"));
    assert_eq!(refused.reason(), Some("STAMP_MISMATCH"));
    assert_eq!(gateway.get(&path).await.json, stored.json);
    service.running.shutdown().await;
}

#[tokio::test]
async fn record_that_was_read_can_be_sent_back_with_a_mask_and_not_without() {
    const PARTIES: &str = "/api/v2/parties";
    const ITEMS: &str = "/api/v2/items";
    const PLANS: &str = "/api/v2/admin/plans";
    const AUTHORITIES: &str = "/api/v2/admin/authorities";

    let service = Service::start().await;
    let operator = signed_in(&service, HESSA).await;
    let gateway = GatewayClient::new(&service).await;
    let party = json!({"party": {"details": {"name": {"en": "Oasis"}}}});
    let party = gateway.post(PARTIES, party).await.json["party"].clone();
    let item = json!({"item": {"name": {"en": "Dates"}, "price": "10"}});
    let item = gateway.post(ITEMS, item).await.json["item"].clone();
    let plan = json!({"plan": {"name": "Basic"}});
    let plan = operator.post(PLANS, plan).await.json;
    // Nothing listens at port 9 (discard).
    let authority = json!({"organizationId": HOME, "authority": {
        "adapter": "http", "endpoint": "http://127.0.0.1:9/", "mode": "AUTHORITY_MODE_REPORTING",
        "kinds": ["INVOICE"], "enabled": true,
    }});
    let authority = operator.post(AUTHORITIES, authority).await.json;
    for (client, collection, key, field, mask, record) in [
        (&gateway, PARTIES, "partyKey", "party", "details", party),
        (&gateway, ITEMS, "itemKey", "item", "name", item),
        (&operator, PLANS, "planId", "plan", "name", plan),
        (
            &operator,
            AUTHORITIES,
            "organizationId",
            "authority",
            "endpoint",
            authority,
        ),
    ] {
        let key = record[key].as_str().expect("a key");
        let path = format!("{collection}/{key}");
        let stamp = record["concurrencyStamp"].clone();
        let mut request = json!({"concurrencyStamp": stamp, "validateOnly": true});
        request[field] = record.clone();
        let refused = patch_at(client, &path, &request).await;
        assert_eq!(refused.status, 400, "{path}: {}", refused.body);
        let output = format!("{field}.concurrencyStamp");
        assert!(
            violation_fields(&refused).contains(&output),
            "{path}: {}",
            refused.body
        );
        for mask in ["*", mask] {
            request["updateMask"] = json!(mask);
            let sent = patch_at(client, &path, &request).await;
            assert_eq!(sent.status, 200, "{path} with {mask}: {}", sent.body);
            assert_eq!(sent.json["concurrencyStamp"], stamp, "{path} with {mask}");
        }
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn document_that_was_read_can_be_sent_back_with_a_mask_and_not_without() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let draft = gateway.create_draft(invoice("a", "10")).await;
    let mut request = json!({"changes": {"content": draft["content"]}, "validateOnly": true});
    let refused = patch(&gateway, &draft, &request).await;
    assert_eq!(reason(&refused.json), "INVALID_INVOICE", "{}", refused.body);
    let output = "changes.content.invoice.lines[0].net".to_owned();
    assert!(
        violation_fields(&refused).contains(&output),
        "{}",
        refused.body
    );
    for mask in ["*", "content", "content.invoice.lines"] {
        request["updateMask"] = json!(mask);
        let sent = patch(&gateway, &draft, &request).await;
        assert_eq!(sent.status, 200, "{mask}: {}", sent.body);
        assert_eq!(sent.json["content"], draft["content"], "{mask}");
    }
    // What the service computes of a line is that of what is sent.
    request["changes"]["content"]["invoice"]["lines"][0]["unitPrice"] = json!("20");
    let changed = patch(&gateway, &draft, &request).await;
    let line = &changed.json["content"]["invoice"]["lines"][0];
    assert_eq!(line["net"], "20.00", "{}", changed.body);
    service.running.shutdown().await;
}
