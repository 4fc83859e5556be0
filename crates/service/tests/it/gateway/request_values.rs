//! Tests of requests with more values than any real one has: they are refused before they are decoded (decision 0164).

use invoicing_contract::messages::documents as v2;
use invoicing_contract::{Status, operation};
use serde_json::{Value, json};
use tonic::Code;
use tonic::codec::CompressionEncoding;

use crate::fixtures::Service;
use crate::fixtures::gateway::{
    DOCUMENTS, GatewayClient, channel, document_changes, documents_client, invoice, reason,
    violations,
};

/// What is said of a whole request.
const TOO_MANY: &str = "INV-TOO-MANY: must have at most 250000 values";

/// A request with `lines` empty lines, each with `allowances`.
fn changes(lines: usize, allowances: usize) -> Value {
    let line = json!({"allowancesCharges": vec![json!({}); allowances]});
    document_changes(&json!({"lines": vec![line; lines]}))
}

/// The same over gRPC.
fn request(lines: usize, allowances: usize) -> v2::CreateDocumentRequest {
    let line = v2::Line {
        allowances_charges: vec![v2::AllowanceCharge::default(); allowances],
        ..v2::Line::default()
    };
    let invoice = v2::Invoice {
        lines: vec![line; lines],
        ..v2::Invoice::default()
    };
    v2::CreateDocumentRequest {
        changes: Some(v2::DocumentChanges {
            content: Some(v2::DocumentContent {
                invoice: Some(invoice),
            }),
        }),
        ..v2::CreateDocumentRequest::default()
    }
}

/// A field with a length and a value.
fn record(number: u32, value: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    prost::encoding::encode_key(
        number,
        prost::encoding::WireType::LengthDelimited,
        &mut bytes,
    );
    prost::encoding::encode_varint(value.len() as u64, &mut bytes);
    bytes.extend_from_slice(value);
    bytes
}

#[track_caller]
fn assert_refused(refused: &tonic::Status, field: &str, description: &str) {
    assert_eq!(refused.code(), Code::InvalidArgument, "{refused:?}");
    let status = Status::from(refused);
    assert_eq!(status.reason(), Some("INVALID_REQUEST"));
    let found: Vec<_> = status
        .violations()
        .map(|violation| (&*violation.field, &*violation.description))
        .collect();
    assert_eq!(found, [(field, description)]);
}

#[tokio::test]
async fn request_over_rest_with_too_many_values_is_an_invalid_argument() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    for body in [
        // Each list is within its limit.
        changes(10_000, 100),
        // No field takes it, which would be said of each value.
        json!({"changes": vec![0; 300_000]}),
    ] {
        let refused = gateway.post(DOCUMENTS, body).await;
        assert_eq!(refused.status, 400, "{}", refused.body);
        assert_eq!(reason(&refused.json), "INVALID_REQUEST");
        let expected = (String::new(), TOO_MANY.to_owned());
        assert_eq!(violations(&refused.json), [expected]);
    }
    // Within the limit, each of them breaks rules.
    let invalid = gateway.post(DOCUMENTS, changes(300, 100)).await;
    assert_eq!(invalid.status, 400, "{}", invalid.body);
    assert_eq!(reason(&invalid.json), "INVALID_INVOICE");
    assert_eq!(violations(&invalid.json).len(), 100);
    gateway
        .create_draft(invoice("the next request", "10"))
        .await;
    service.running.shutdown().await;
}

#[tokio::test]
async fn request_over_grpc_with_too_many_values_is_an_invalid_argument() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let mut client = documents_client(&service)
        .await
        .send_compressed(CompressionEncoding::Gzip);
    let refused = client.create_document(gateway.grpc(request(10_000, 25)));
    let refused = refused.await.expect_err("too many values, compressed");
    assert_refused(&refused, "", TOO_MANY);
    let channel = channel(&service).await;
    let line = record(18, &[0x3a, 0x00].repeat(25));
    let message = record(2, &record(1, &record(1, &line.repeat(10_000))));
    let refused = gateway
        .call_encoded(&channel, &operation::CREATE_DOCUMENT, message)
        .await;
    assert_refused(&refused.expect_err("too many values"), "", TOO_MANY);
    // Three bytes each, which a decoder makes hundreds of.
    let lines = [0x92, 0x01, 0x00].repeat(1_300_000);
    let message = record(2, &record(1, &record(1, &lines)));
    let refused = gateway
        .call_encoded(&channel, &operation::CREATE_DOCUMENT, message)
        .await;
    assert_refused(
        &refused.expect_err("too many lines"),
        "changes.content.invoice.lines",
        "INV-TOO-MANY: must have at most 10000 values",
    );
    let lines = [0x92, 0x01, 0x00].repeat(10_000);
    let content = record(1, &record(1, &lines));
    let twice = [record(2, &content), record(2, &content)].concat();
    let refused = gateway
        .call_encoded(&channel, &operation::CREATE_DOCUMENT, twice)
        .await;
    assert_refused(
        &refused.expect_err("a message is there twice"),
        "changes",
        "is given twice",
    );
    let invalid = client
        .create_document(gateway.grpc(request(300, 100)))
        .await;
    let invalid = Status::from(&invalid.expect_err("an invalid invoice"));
    assert_eq!(invalid.reason(), Some("INVALID_INVOICE"));
    assert_eq!(invalid.violations().count(), 100);
    gateway
        .create_draft(invoice("the next request", "10"))
        .await;
    service.running.shutdown().await;
}
