//! Tests of lists that answer the fields that are asked for (AIP-157, decision 0154).

use invoicing_contract::FieldMask;
use invoicing_contract::messages::simple::ListInvoicesRequest;
use serde_json::{Value, json};

use super::LIST;
use crate::fixtures::Service;
use crate::fixtures::gateway::{GatewayClient, invoice, invoices_client, violation_fields};

/// The names of the members, sorted.
fn names(object: &Value) -> Vec<&str> {
    let members = object.as_object().expect("an object");
    let mut names: Vec<_> = members.keys().map(String::as_str).collect();
    names.sort_unstable();
    names
}

#[tokio::test]
async fn items_have_the_fields_of_the_mask_and_the_page_is_the_same() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    for quantity in ["1", "2", "3"] {
        gateway.create_draft(invoice("Consulting", quantity)).await;
    }
    let whole = gateway.post(LIST, json!({"pageSize": 2})).await;
    let mask = json!({"pageSize": 2, "readMask": "gross,buyer.name,note,buyer.taxId"});
    let some = gateway.post(LIST, mask).await;
    assert_eq!(some.status, 200, "{}", some.body);
    assert_eq!(some.json["sums"], whole.json["sums"]);
    assert_eq!(some.json["totalSize"], json!(3));
    for (some, whole) in [0, 1].map(|at| (&some.json["items"][at], &whole.json["items"][at])) {
        assert_eq!(names(some), ["buyer", "gross", "note"]);
        assert_eq!(names(&some["buyer"]), ["name", "taxId"]);
        assert_eq!(some["gross"], whole["gross"]);
        assert_eq!(some["buyer"]["name"], whole["buyer"]["name"]);
    }

    // A page may have other fields than the one before.
    let next = json!({"pageSize": 2, "pageToken": some.json["nextPageToken"], "readMask": "*"});
    let next = gateway.post(LIST, next).await;
    assert_eq!(next.status, 200, "{}", next.body);
    assert_eq!(
        names(&next.json["items"][0]),
        names(&whole.json["items"][0])
    );

    let mut invoices = invoices_client(&service).await;
    let request = ListInvoicesRequest {
        read_mask: Some(FieldMask::of(["gross"])),
        ..ListInvoicesRequest::default()
    };
    let page = invoices.list_invoices(gateway.grpc(request)).await;
    let page = page.expect("a page").into_inner();
    for item in &page.items {
        assert_eq!((item.document_key.as_str(), &item.buyer), ("", &None));
        assert!(!item.gross.is_empty());
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn mask_of_documents_goes_into_their_content() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    gateway.create_draft(invoice("Consulting", "1")).await;
    let request =
        json!({"readMask": "documentKey,content.invoice.lines,content.invoice.totals.gross"});
    let page = gateway.post("/api/v2/documents/list", request).await;
    assert_eq!(page.status, 200, "{}", page.body);
    let document = &page.json["items"][0];
    assert_eq!(names(document), ["content", "documentKey"]);
    assert_eq!(names(&document["content"]["invoice"]), ["lines", "totals"]);
    assert_eq!(
        document["content"]["invoice"]["lines"][0]["quantity"],
        json!("1")
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn mask_that_names_no_field_of_an_item_is_refused() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    for (mask, field) in [
        ("", "readMask"),
        ("number,shade", "readMask.paths[1]"),
        ("items.number", "readMask.paths[0]"),
        ("lines.quantity", "readMask.paths[0]"),
        ("number,*", "readMask.paths[1]"),
        ("buyer_name", "readMask.paths[0]"),
    ] {
        let response = gateway.post(LIST, json!({"readMask": mask})).await;
        assert_eq!(response.status, 400, "{mask}: {}", response.body);
        assert_eq!(violation_fields(&response), [field], "{}", response.body);
    }
    service.running.shutdown().await;
}
