//! Tests of invalid request bodies: every violation is reported with its path, over REST and gRPC.

use crate::fixtures::gateway::{
    DOCUMENTS, GatewayClient, document_changes, documents_client, invoice, line, reason,
    violation_fields, violations,
};
use crate::fixtures::{Response, Service};
use invoicing_contract::messages::documents as v2;
use reqwest::Method;
use serde_json::json;

#[tokio::test]
async fn empty_invoice_reports_a_violation_at_its_content() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    for body in [
        document_changes(&json!({})),
        json!({"changes": {"content": {}}}),
        json!({"changes": {}}),
        json!({}),
    ] {
        let response = gateway.post(DOCUMENTS, body.clone()).await;
        assert_eq!(
            (response.status.as_u16(), &response.json["code"]),
            (400, &json!(3)),
            "{body}"
        );
        let reported = violations(&response.json);
        assert_eq!(
            reported,
            [(
                "changes.content".to_owned(),
                "invoice content is required".to_owned()
            )],
            "{body}"
        );
    }
    let simple = gateway
        .post("/api/v1/simple/invoices/create", json!({"invoice": {}}))
        .await;
    assert_eq!(violation_fields(&simple), ["invoice"]);
    service.running.shutdown().await;
}

#[tokio::test]
async fn invalid_invoice_reports_every_violation_with_rule_and_path() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let mut invalid = invoice("a", "10");
    invalid["lines"] = json!([line("a", "10"), line("", "x"), line("c", "10")]);
    invalid["lines"][2]["tax"]["rate"] = json!("0");
    invalid["dueDate"] = json!("2020-01-01");
    invalid["totals"] = json!({"gross": "1"});
    invalid["lines"][0]["net"] = json!("10");
    let response = gateway.post(DOCUMENTS, document_changes(&invalid)).await;
    assert_eq!(
        (response.status.as_u16(), reason(&response.json)),
        (400, "INVALID_INVOICE".to_owned())
    );
    let reported = violations(&response.json);
    for (field, rule) in [
        ("changes.content.invoice.lines[0].net", "INV-OUTPUT: "),
        ("changes.content.invoice.totals", "INV-OUTPUT: "),
        ("changes.content.invoice.dueDate", "INV-DUE-DATE: "),
        ("changes.content.invoice.lines[1].description", "BR-25: "),
        ("changes.content.invoice.lines[1].unitPrice", "INV-NUMBER: "),
        ("changes.content.invoice.lines[2].tax.rate", "BR-S-05: "),
    ] {
        assert!(
            reported
                .iter()
                .any(|(at, what)| at == field && what.starts_with(rule)),
            "{field} {rule} in {reported:?}"
        );
    }
    assert_eq!(reported.len(), 6, "{reported:?}");
    let info = response.json["details"].as_array().and_then(|details| {
        details
            .iter()
            .find(|detail| detail["reason"] == "INVALID_INVOICE")
    });
    let rules = info.map(|info| info["metadata"]["rules"].clone());
    assert_eq!(
        rules,
        Some(json!("BR-25 BR-S-05 INV-DUE-DATE INV-NUMBER INV-OUTPUT"))
    );

    let wire: v2::Invoice = serde_json::from_value(invalid).expect("the JSON is an invoice");
    let content = v2::DocumentContent {
        invoice: Some(wire),
    };
    let request = v2::CreateDocumentRequest {
        changes: Some(v2::DocumentChanges {
            content: Some(content),
        }),
        ..v2::CreateDocumentRequest::default()
    };
    let refused = documents_client(&service)
        .await
        .create_document(gateway.grpc(request))
        .await
        .expect_err("refused");
    let status = invoicing_contract::Status::from(&refused);
    let over_grpc: Vec<_> = status
        .violations()
        .map(|violation| (violation.field.clone(), violation.description.clone()))
        .collect();
    assert_eq!(over_grpc, reported, "gRPC reports the same violations");

    let simple = gateway
        .post(
            "/api/v1/simple/invoices/create",
            json!({"invoice": {"lines": [line("a", "x")]}}),
        )
        .await;
    assert_eq!(
        violation_fields(&simple),
        ["invoice.buyer.name", "invoice.lines[0].unitPrice"]
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn malformed_json_body_reports_each_field() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let list = "/api/v1/simple/invoices/list";
    for (body, expected) in [
        (
            r#"{"pagesize": 1, "filter": {"buyr": "x", "status": ["NOPE"], "kind": "INVOICE", "currency": [1]}}"#,
            &[
                "pagesize",
                "filter.buyr",
                "filter.status[0]",
                "filter.kind",
                "filter.currency[0]",
            ][..],
        ),
        (
            r#"{"pageSize": 1e400, "skip": 2147483648}"#,
            &["pageSize", "skip"],
        ),
        (
            r#"{"pageSize": 1.5, "skip": "x", "pageToken": 7, "sort": [{"descending": "true"}, 4]}"#,
            &[
                "pageSize",
                "skip",
                "pageToken",
                "sort[0].descending",
                "sort[1]",
            ],
        ),
        (
            r#"{"skip": 1, "skip": 2, "pageSize": 1, "page_size": 2}"#,
            &["skip", "page_size"],
        ),
        (r#"{"filter": {"buyer": "\ud800"}}"#, &["filter.buyer"]),
        (r#"{"filter": []}"#, &["filter"]),
        ("[]", &[""]),
        ("{", &[""]),
        ("", &[""]),
        ("\u{feff}{}", &[""]),
    ] {
        let response = gateway.post_raw(list, body).await;
        assert_eq!(
            (
                response.status.as_u16(),
                &response.json["code"],
                reason(&response.json)
            ),
            (400, &json!(3), "MALFORMED_BODY".into()),
            "{body}"
        );
        assert_eq!(violation_fields(&response), expected, "{body}");
    }
    let many: String = (0..200_000)
        .map(|index| format!("\"k{index}\":0,"))
        .collect();
    let response = gateway.post_raw(list, format!("{{{}\"z\":0}}", many)).await;
    assert_eq!(
        violation_fields(&response).len(),
        100,
        "at most 100 violations are reported"
    );
    let deep = format!("{{\"filter\":{}", "{\"issueDate\":".repeat(10_000));
    assert_eq!(gateway.post_raw(list, deep).await.status, 400);
    assert_eq!(
        gateway
            .post_raw(
                list,
                r#"{"pageSize": "7", "filter": null, "page_token": "", "skip": 1e0}"#
            )
            .await
            .status,
        200,
        "the protobuf JSON mapping allows these"
    );
    assert_eq!(
        gateway
            .get(&format!("{DOCUMENTS}/x?verbose=true"))
            .await
            .status,
        400,
        "an unknown parameter"
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn body_of_an_operation_that_takes_none_is_refused() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let draft = gateway.create_draft(invoice("a", "10")).await;
    let key = draft["documentKey"].as_str().expect("a key");
    let path = format!("{DOCUMENTS}/{key}");
    let send = async |method: Method, body: &'static str| {
        let request = gateway.request(method, &path).body(body);
        Response::read(request.send().await.expect("a response")).await
    };
    for method in [Method::GET, Method::DELETE] {
        let refused = send(method.clone(), "{}").await;
        assert_eq!(refused.status, 400, "{method}: {}", refused.body);
        assert_eq!(reason(&refused.json), "MALFORMED_BODY", "{method}");
        assert_eq!(violation_fields(&refused), [""], "{method}");
    }
    let read = send(Method::GET, "").await;
    assert_eq!(read.status, 200, "nothing was deleted: {}", read.body);
    service.running.shutdown().await;
}

#[tokio::test]
async fn grpc_error_details_are_bounded_by_the_header_size() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let lines = vec![v2::Line::default(); 500];
    let invoice = v2::Invoice {
        lines,
        ..v2::Invoice::default()
    };
    let content = v2::DocumentContent {
        invoice: Some(invoice),
    };
    let changes = Some(v2::DocumentChanges {
        content: Some(content),
    });
    let request = v2::CreateDocumentRequest {
        changes,
        ..v2::CreateDocumentRequest::default()
    };
    let refused = documents_client(&service)
        .await
        .create_document(gateway.grpc(request))
        .await
        .expect_err("refused");
    let status = invoicing_contract::Status::from(&refused);
    assert_eq!(status.violations().count(), 100);
    assert_eq!(
        status.metadata("rules"),
        Some("BR-07 BR-22 BR-25 BR-26 BR-CO-04"),
        "every rule is listed"
    );

    let changes = v2::DocumentChanges {
        content: Some(v2::DocumentContent {
            invoice: Some(v2::Invoice {
                note: "x".repeat(5 * 1024 * 1024),
                ..v2::Invoice::default()
            }),
        }),
    };
    let request = v2::CreateDocumentRequest {
        changes: Some(changes),
        ..v2::CreateDocumentRequest::default()
    };
    let refused = documents_client(&service)
        .await
        .create_document(gateway.grpc(request))
        .await
        .expect_err("too large");
    let status = invoicing_contract::Status::from(&refused);
    assert_eq!(
        (status.code, status.reason()),
        (
            invoicing_contract::Code::InvalidArgument,
            Some("BODY_TOO_LARGE")
        )
    );
    service.running.shutdown().await;
}
