//! Tests of the document lifecycle: states, concurrency stamps, document keys, deletion.

use crate::fixtures::gateway::{
    DOCUMENTS, GatewayClient, document_changes, documents_client, invoice, invoices_client, reason,
    violation_fields,
};
use crate::fixtures::{Response, Service};
use invoicing_contract::messages::documents as v2;
use invoicing_contract::messages::simple::{
    CreateInvoiceRequest, FreezeInvoiceRequest, GetInvoiceRequest, NewInvoice,
};
use reqwest::Method;
use serde_json::{Value, json};
use tonic::Code;

#[tokio::test]
async fn document_goes_from_draft_to_issued_to_frozen() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let draft = gateway.create_draft(invoice("صيانة", "1091.50")).await;
    assert_eq!(
        (&draft["status"], &draft["organizationId"]),
        (&json!("DRAFT"), &json!("274893001"))
    );
    let content = &draft["content"]["invoice"];
    assert_eq!(
        (&content["number"], &content["currency"], &content["kind"]),
        (&json!(""), &json!("SAR"), &json!("INVOICE"))
    );
    assert_eq!(
        content["totals"]["tax"],
        json!("163.73"),
        "half away from zero"
    );
    assert_eq!(content["totals"]["gross"], json!("1255.23"));
    assert_eq!(content["taxBreakdown"][0]["taxable"], json!("1091.50"));
    assert_eq!(content["seller"]["name"]["en"], json!("Al-Khair Trading"));
    assert_eq!(content["lines"][0]["net"], json!("1091.50"));
    assert_eq!(content["note"], json!(""), "absent texts are empty ones");
    assert_eq!(draft["created"]["byName"], json!("Nightly import"));

    let issued = gateway.perform(&draft, "issue").await;
    assert_eq!(issued["status"], json!("ISSUED"));
    let number = issued["content"]["invoice"]["number"]
        .as_str()
        .expect("a number");
    assert!(
        number.starts_with("INV-20") && number.ends_with("-0001"),
        "{number}"
    );
    assert_ne!(
        issued["concurrencyStamp"], draft["concurrencyStamp"],
        "every write sets a new stamp"
    );

    let frozen = gateway.perform(&issued, "freeze").await;
    assert_eq!(
        (&frozen["status"], &frozen["frozen"]["byName"]),
        (&json!("FROZEN"), &json!("Nightly import"))
    );
    let read = gateway
        .get(&format!(
            "{DOCUMENTS}/{}",
            draft["documentKey"].as_str().expect("a key")
        ))
        .await;
    assert_eq!(read.json, frozen);
    service.running.shutdown().await;
}

#[tokio::test]
async fn rest_and_grpc_return_the_same_document() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let draft = gateway.create_draft(invoice("service", "10")).await;
    let key = draft["documentKey"].as_str().expect("a key").to_owned();
    let read = documents_client(&service)
        .await
        .get_document(gateway.grpc(v2::GetDocumentRequest {
            document_key: key.clone(),
        }))
        .await;
    let read = read.expect("it is there").into_inner();
    let parsed: v2::Document = serde_json::from_value(draft).expect("the JSON of the mapping");
    assert_eq!(read, parsed);

    let flat = gateway
        .post("/api/v1/simple/invoices/get", json!({"documentKey": key}))
        .await;
    let got = invoices_client(&service)
        .await
        .get_invoice(gateway.grpc(GetInvoiceRequest { document_key: key }))
        .await;
    let parsed = serde_json::from_value(flat.json).expect("the JSON of the mapping");
    assert_eq!(got.expect("it is there").into_inner(), parsed);
    service.running.shutdown().await;
}

#[tokio::test]
async fn reused_document_key_returns_already_exists() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let key = crate::fixtures::new_key().to_string();
    let body = json!({"documentKey": key, "changes": {"content": {"invoice": invoice("a", "10")}}});
    assert_eq!(gateway.post(DOCUMENTS, body.clone()).await.status, 200);
    let again = gateway.post(DOCUMENTS, body).await;
    assert_eq!(
        (
            again.status.as_u16(),
            &again.json["code"],
            reason(&again.json)
        ),
        (409, &json!(6), "DOCUMENT_EXISTS".into())
    );
    let simple = json!({"documentKey": key, "invoice": invoice("a", "10")});
    assert_eq!(
        gateway
            .post("/api/v1/simple/invoices/create", simple)
            .await
            .json["code"],
        json!(6),
        "both APIs share the document keys"
    );
    let request = CreateInvoiceRequest {
        document_key: key,
        invoice: serde_json::from_value::<NewInvoice>(invoice("a", "10")).ok(),
        validate_only: false,
    };
    let refused = invoices_client(&service)
        .await
        .create_invoice(gateway.grpc(request))
        .await
        .expect_err("used");
    assert_eq!(refused.code(), Code::AlreadyExists);
    for malformed in [
        "1",
        "0190a6c2-7d1e-4f00-a111-000000000001",
        "0190A6C2-7D1E-7F00-A111-000000000001",
    ] {
        let body = json!({"documentKey": malformed, "changes": {"content": {"invoice": invoice("a", "10")}}});
        assert_eq!(
            violation_fields(&gateway.post(DOCUMENTS, body).await),
            ["documentKey"],
            "{malformed}"
        );
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn missing_stamp_is_invalid_and_stale_stamp_returns_aborted() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let draft = gateway.create_draft(invoice("a", "10")).await;
    let path = format!(
        "{DOCUMENTS}/{}",
        draft["documentKey"].as_str().expect("a key")
    );
    let patch = |stamp: Value, price: &str| {
        let mut body = document_changes(&invoice("a", price));
        body["concurrencyStamp"] = stamp;
        let request = gateway.request(Method::PATCH, &path).json(&body);
        async move { Response::read(request.send().await.expect("a response")).await }
    };
    assert_eq!(
        violation_fields(&patch(json!(""), "11").await),
        ["concurrencyStamp"]
    );
    let both = patch(json!(""), "x").await;
    assert_eq!(
        violation_fields(&both),
        [
            "concurrencyStamp",
            "changes.content.invoice.lines[0].unitPrice"
        ],
        "both violations are reported"
    );
    let updated = patch(draft["concurrencyStamp"].clone(), "11").await;
    assert_eq!(
        updated.json["content"]["invoice"]["totals"]["net"],
        json!("11.00"),
        "{}",
        updated.body
    );
    let stale = patch(draft["concurrencyStamp"].clone(), "12").await;
    assert_eq!(
        (
            stale.status.as_u16(),
            &stale.json["code"],
            reason(&stale.json)
        ),
        (409, &json!(10), "STAMP_MISMATCH".into())
    );
    for verb in ["issue", "freeze"] {
        let key = path.rsplit('/').next().expect("a key");
        let response = gateway
            .post(&format!("{DOCUMENTS}/{key}:{verb}"), json!({}))
            .await;
        assert_eq!(violation_fields(&response), ["concurrencyStamp"], "{verb}");
    }
    assert_eq!(
        gateway.try_perform(&draft, "issue").await.json["code"],
        json!(10),
        "issue with a stale stamp"
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn operation_in_the_wrong_state_returns_failed_precondition() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let draft = gateway.create_draft(invoice("a", "10")).await;
    let early = gateway.try_perform(&draft, "freeze").await;
    assert_eq!(
        (
            early.status.as_u16(),
            &early.json["code"],
            reason(&early.json)
        ),
        (400, &json!(9), "DOCUMENT_NOT_ISSUED".into())
    );
    let issued = gateway.perform(&draft, "issue").await;
    assert_eq!(
        reason(&gateway.try_perform(&issued, "issue").await.json),
        "DOCUMENT_ISSUED"
    );
    let frozen = gateway.perform(&issued, "freeze").await;
    let key = frozen["documentKey"].as_str().expect("a key");

    // A stale stamp gives the same error: the state is checked before the stamp.
    for stamp in [&frozen["concurrencyStamp"], &draft["concurrencyStamp"]] {
        let mut body = document_changes(&invoice("a", "11"));
        body["concurrencyStamp"] = stamp.clone();
        let edit = gateway
            .request(Method::PATCH, &format!("{DOCUMENTS}/{key}"))
            .json(&body)
            .send()
            .await
            .expect("a response");
        let edit = Response::read(edit).await;
        assert_eq!(
            (edit.status.as_u16(), &edit.json["code"], reason(&edit.json)),
            (400, &json!(9), "DOCUMENT_FROZEN".into())
        );
        let metadata = &edit.json["details"][0]["metadata"];
        assert_eq!(metadata["number"], frozen["content"]["invoice"]["number"]);
        assert_eq!(metadata["frozenBy"], json!("Nightly import"));
        let at: jiff::Timestamp = metadata["frozenAt"]
            .as_str()
            .and_then(|at| at.parse().ok())
            .expect("a time");
        assert_eq!(json!(at.to_string()), metadata["frozenAt"]);
    }
    for verb in ["issue", "freeze"] {
        assert_eq!(
            reason(&gateway.try_perform(&frozen, verb).await.json),
            "DOCUMENT_FROZEN",
            "{verb}"
        );
    }
    let request = FreezeInvoiceRequest {
        document_key: key.to_owned(),
        concurrency_stamp: "x".into(),
    };
    let refused = invoices_client(&service)
        .await
        .freeze_invoice(gateway.grpc(request))
        .await
        .expect_err("frozen");
    assert_eq!(refused.code(), Code::FailedPrecondition);
    service.running.shutdown().await;
}

#[tokio::test]
async fn missing_or_foreign_document_returns_not_found() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let draft = gateway.create_draft(invoice("a", "10")).await;
    let key = draft["documentKey"].as_str().expect("a key");
    service.execute_sql("INSERT INTO grants (subject, organization_id, role) VALUES ('310000000000000009', '274893002', 'administrator')").await;
    let path = format!("{DOCUMENTS}/{key}");
    let other = gateway
        .request(Method::GET, &path)
        .header("x-idp-orgid", "274893002")
        .send()
        .await
        .expect("a response");
    for response in [
        Response::read(other).await,
        gateway
            .get(&format!("{DOCUMENTS}/{}", crate::fixtures::new_key()))
            .await,
        gateway.get(&format!("{DOCUMENTS}/nonsense")).await,
    ] {
        assert_eq!(
            (
                response.status.as_u16(),
                &response.json["code"],
                reason(&response.json)
            ),
            (404, &json!(5), "DOCUMENT_NOT_FOUND".into())
        );
    }
    service.running.shutdown().await;
}
