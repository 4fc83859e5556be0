//! Tests of documents as files: PDF, UBL, and import, over REST and gRPC.

use super::credits::note;
use super::identity::{TENANTS, signed_in};
use crate::fixtures::gateway::{
    DOCUMENTS, GatewayClient, assert_breaks, channel, invoice, reason, violation_fields,
};
use crate::fixtures::{HESSA, HOME, MACHINE_ID, NOURA, Response, Service};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use invoicing_contract::Status;
use invoicing_contract::messages::documents as v2;
use invoicing_contract::messages::documents::document_files_client::DocumentFilesClient;
use reqwest::Method;
use serde_json::{Value, json};
use tonic::Code;

const IMPORT: &str = "/api/v2/documents:import";
/// In the Emirates: what is outside the scope of tax names no tax number there.
const GULF_PEARL: &str = "274893002";

fn path(document: &Value, rest: &str) -> String {
    let key = document["documentKey"].as_str().expect("a key");
    format!("{DOCUMENTS}/{key}{rest}")
}

#[tokio::test]
async fn document_is_downloaded_as_pdf_and_ubl_and_imported_again() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let draft = gateway.create_draft(invoice("maintenance", "10")).await;
    let refused = gateway.get(&path(&draft, "/ubl")).await;
    assert_eq!(
        (refused.status.as_u16(), reason(&refused.json)),
        (400, "DOCUMENT_NOT_ISSUED".into())
    );
    let pdf = bytes(&gateway, &path(&draft, "/pdf?language=ENGLISH")).await;
    assert!(pdf.starts_with(b"%PDF-"), "that of a draft");
    let issued = gateway.perform(&draft, "issue").await;
    let number = issued["content"]["invoice"]["number"]
        .as_str()
        .expect("a number");

    let request = gateway.request(Method::GET, &path(&issued, "/ubl"));
    let ubl = request.send().await.expect("a response");
    assert_eq!(ubl.status(), 200);
    let header = |name: &str| ubl.headers()[name].to_str().expect("ASCII").to_owned();
    assert_eq!(header("content-type"), "application/xml");
    assert_eq!(
        header("content-disposition"),
        format!("attachment; filename=\"{number}.xml\"")
    );
    assert_eq!(header("cache-control"), "private, no-cache");
    assert_eq!(header("x-content-type-options"), "nosniff");
    let tag = header("etag");
    let xml = ubl.bytes().await.expect("a body").to_vec();
    let again = gateway
        .request(Method::GET, &path(&issued, "/ubl"))
        .header("if-none-match", &tag)
        .send()
        .await
        .expect("a response");
    assert_eq!(again.status(), 304, "the caller has it");
    let pdf = bytes(&gateway, &path(&issued, "/pdf")).await;
    assert!(pdf.starts_with(b"%PDF-"));
    let wrong = gateway.get(&path(&issued, "/pdf?language=KLINGON")).await;
    assert_eq!(violation_fields(&wrong), ["language"]);

    let mut client =
        DocumentFilesClient::new(channel(&service).await).max_decoding_message_size(16 << 20);
    let key = issued["documentKey"].as_str().expect("a key").to_owned();
    let request = v2::GetDocumentUblRequest {
        document_key: key.clone(),
    };
    let answer = client.get_document_ubl(gateway.grpc(request)).await;
    let answer = answer.expect("a file");
    let metadata = answer.metadata().get("etag").expect("a tag");
    assert_eq!(metadata.to_str().ok(), Some(&*tag));
    assert_eq!(answer.into_inner().data, xml, "the same bytes");
    let request = v2::GetDocumentPdfRequest {
        document_key: crate::fixtures::new_key().to_string(),
        language: v2::PdfLanguage::Arabic as i32,
    };
    let unknown = client.get_document_pdf(gateway.grpc(request)).await;
    assert_eq!(unknown.expect_err("unknown").code(), Code::NotFound);
    let request = v2::GetDocumentPdfRequest {
        document_key: key,
        language: 99,
    };
    let refused = client.get_document_pdf(gateway.grpc(request)).await;
    let refused = refused.expect_err("no language has the number");
    assert_eq!(refused.code(), Code::InvalidArgument);
    let refused = Status::from(&refused);
    let fields: Vec<_> = refused
        .violations()
        .map(|violation| &*violation.field)
        .collect();
    assert_eq!(fields, ["language"]);

    // The file itself as the body, then Base64 in JSON.
    let import = |query: &str, body: Vec<u8>| {
        let request = gateway
            .request(Method::POST, &format!("{IMPORT}{query}"))
            .header("content-type", "application/xml; charset=utf-8")
            .body(body);
        async move { Response::read(request.send().await.expect("a response")).await }
    };
    let checked = import("?validateOnly=true", xml.clone()).await;
    assert_eq!(checked.status, 200, "{}", checked.body);
    assert_eq!(
        (&checked.json["number"], &checked.json["syntax"]),
        (&json!(number), &json!("UBL"))
    );
    assert_eq!(checked.json["draftViolations"], json!([]));
    let key = crate::fixtures::new_key().to_string();
    let body = json!({"documentKey": key, "content": STANDARD.encode(&xml)});
    let imported = gateway.post(IMPORT, body.clone()).await;
    assert_eq!(imported.status, 200, "{}", imported.body);
    let copy = &imported.json["document"];
    assert_eq!(
        (&copy["documentKey"], &copy["status"]),
        (&json!(key), &json!("DRAFT"))
    );
    let (copied, original) = (&copy["content"]["invoice"], &issued["content"]["invoice"]);
    for field in ["totals", "taxBreakdown", "buyer", "issueDate"] {
        assert_eq!(copied[field], original[field], "{field}");
    }
    let unread = imported.json["unread"].as_array().expect("a list");
    assert!(
        unread.iter().any(|each| each["path"] == "number"),
        "{unread:?}"
    );
    let again = gateway.post(IMPORT, body).await;
    assert_eq!(reason(&again.json), "DOCUMENT_EXISTS");
    service.running.shutdown().await;
}

#[tokio::test]
async fn files_of_an_issued_document_stay_the_same_when_the_time_zone_of_its_tenant_changes() {
    let service = Service::start().await;
    let operator = signed_in(&service, HESSA).await;
    let noura = signed_in(&service, NOURA).await;
    let draft = noura.create_draft(invoice("maintenance", "10")).await;
    let issued = noura.perform(&draft, "issue").await;
    let paths = ["/ubl", "/pdf"].map(|rest| path(&issued, rest));
    let mut before = Vec::new();
    for path in &paths {
        before.push(bytes(&noura, path).await);
    }
    let tenant = format!("{TENANTS}/{HOME}");
    let stamp = operator.get(&tenant).await.json["concurrencyStamp"].clone();
    let change = json!({
        "tenant": {"timeZone": "Pacific/Auckland"}, "updateMask": "timeZone", "concurrencyStamp": stamp,
    });
    let request = operator.request(Method::PATCH, &tenant).json(&change);
    let changed = Response::read(request.send().await.expect("a response")).await;
    assert_eq!(changed.status, 200, "{}", changed.body);
    for (path, before) in paths.iter().zip(before) {
        assert!(bytes(&noura, path).await == before, "{path}");
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn file_that_cannot_be_read_or_be_a_draft_is_refused_with_the_reason() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let bomb = r#"<!DOCTYPE a [<!ENTITY b "c">]><Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2">&b;</Invoice>"#;
    for (content, expected) in [
        ("no XML", "UNREADABLE_FILE"),
        ("<html/>", "UNREADABLE_FILE"),
        (bomb, "UNREADABLE_FILE"),
        ("", "INVALID_INVOICE"),
    ] {
        let body = json!({"content": STANDARD.encode(content)});
        let refused = gateway.post(IMPORT, body).await;
        assert_eq!(refused.status, 400, "{content}: {}", refused.body);
        assert_eq!(reason(&refused.json), expected, "{content}");
        assert_eq!(violation_fields(&refused), ["content"], "{content}");
    }
    let refused = gateway.post(IMPORT, json!({"content": "?"})).await;
    assert_eq!(violation_fields(&refused), ["content"], "not Base64");
    let other_type = gateway
        .request(Method::POST, IMPORT)
        .header("content-type", "text/plain")
        .body("<a/>");
    let other_type = Response::read(other_type.send().await.expect("a response")).await;
    assert_eq!(other_type.status, 415);

    // Without lines no draft can be made of it.
    let empty = r#"<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2" xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2"><cbc:ID>7</cbc:ID><cbc:Colour>red</cbc:Colour></Invoice>"#;
    let body = json!({"content": STANDARD.encode(empty), "validateOnly": true});
    let checked = gateway.post(IMPORT, body).await;
    assert_eq!(checked.status, 200, "{}", checked.body);
    assert_eq!(checked.json["document"], Value::Null);
    let paths = |list: &str| -> Vec<String> {
        let list = checked.json[list].as_array().expect("a list");
        let path = |each: &Value| each["path"].as_str().expect("a path").to_owned();
        list.iter().map(path).collect()
    };
    assert!(paths("unread").contains(&"Invoice/cbc:Colour".to_owned()));
    assert!(paths("draftViolations").contains(&"lines".to_owned()));
    assert!(!paths("violations").is_empty(), "of the file as it is");
    let body = json!({"content": STANDARD.encode(empty)});
    let refused = gateway.post(IMPORT, body).await;
    assert_eq!(
        (refused.status.as_u16(), reason(&refused.json)),
        (400, "INVALID_INVOICE".into())
    );
    service.running.shutdown().await;
}

async fn bytes(gateway: &GatewayClient<'_>, path: &str) -> Vec<u8> {
    let response = gateway.request(Method::GET, path).send().await;
    let response = response.expect("a response");
    assert_eq!(response.status(), 200, "{path}");
    response.bytes().await.expect("a body").to_vec()
}

/// The rules that the UBL of a document breaks as somebody else reads it.
async fn broken_rules(gateway: &GatewayClient<'_>, document: &Value) -> Vec<String> {
    let xml = bytes(gateway, &path(document, "/ubl")).await;
    let body = json!({"content": STANDARD.encode(&xml), "validateOnly": true});
    let checked = gateway.post(IMPORT, body).await;
    assert_eq!(checked.status, 200, "{}", checked.body);
    let violations = checked.json["violations"].as_array().expect("a list");
    violations
        .iter()
        .map(|one| one["rule"].as_str().expect("a rule").to_owned())
        .collect()
}

#[tokio::test]
async fn ubl_of_a_saudi_document_breaks_only_the_rules_of_the_chain() {
    // The chain of documents (ICV, PIH) is made by an adapter that signs.
    let unmet = ["BR-KSA-33", "BR-KSA-61"];
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let address = json!({"building": "1234", "street": "King Fahd Road", "district": "Al Olaya", "city": "Riyadh",
        "postalCode": "12213", "country": "SA"});
    let mut business = invoice("maintenance", "10");
    business["buyer"]["taxId"] = json!("310122393500003");
    business["buyer"]["address"] = address;
    // On another day than that of the issue, whose time is declared nevertheless.
    business["issueDate"] = json!("2026-01-10");
    business["supplyDate"] = json!("2026-01-09");
    for content in [business, invoice("maintenance", "10")] {
        let draft = gateway.create_draft(content).await;
        let issued = gateway.perform(&draft, "issue").await;
        assert_eq!(broken_rules(&gateway, &issued).await, unmet, "{issued}");
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn own_file_outside_the_scope_of_tax_has_the_tax_number_of_the_buyer_again() {
    let service = Service::start().await;
    service.grant(MACHINE_ID, GULF_PEARL, "accountant").await;
    let gateway = GatewayClient::new(&service).await;
    let ask = |method: Method, path: &str, body: Option<Value>| {
        let request = gateway.request(method, path);
        let request = request.header(service.names.organization_header(), GULF_PEARL);
        let request = match body {
            Some(body) => request.json(&body),
            None => request,
        };
        async move { request.send().await.expect("a response") }
    };
    let mut content = invoice("salaries", "10");
    content["buyer"]["taxId"] = json!("100123456700003");
    content["buyer"]["address"] = json!({"city": "Dubai", "country": "AE"});
    content["lines"][0]["tax"] = json!({"category": "O", "exemptionReason": "Salaries"});
    let changes = json!({"changes": {"content": {"invoice": content}}});
    let draft = Response::read(ask(Method::POST, DOCUMENTS, Some(changes)).await).await;
    assert_eq!(draft.status, 200, "{}", draft.body);
    let stamp = json!({"concurrencyStamp": draft.json["concurrencyStamp"]});
    let issue = path(&draft.json, ":issue");
    let issued = Response::read(ask(Method::POST, &issue, Some(stamp)).await).await;
    assert_eq!(issued.status, 200, "{}", issued.body);

    let file = ask(Method::GET, &path(&issued.json, "/ubl"), None).await;
    assert_eq!(file.status(), 200);
    let xml = file.bytes().await.expect("a body");
    let text = String::from_utf8_lossy(&xml);
    assert!(
        text.contains("<cbc:ID>100123456700003</cbc:ID>") && !text.contains("<cbc:CompanyID>"),
        "{text}"
    );
    let body = json!({"content": STANDARD.encode(&xml), "validateOnly": true});
    let imported = Response::read(ask(Method::POST, IMPORT, Some(body)).await).await;
    assert_eq!(imported.status, 200, "{}", imported.body);
    assert_eq!(imported.json["draftViolations"], json!([]));
    let buyer = |document: &Value| document["content"]["invoice"]["buyer"].clone();
    assert_eq!(buyer(&imported.json["document"]), buyer(&issued.json));
    service.running.shutdown().await;
}

#[tokio::test]
async fn file_of_a_credit_note_names_what_it_corrects_by_the_key_of_the_document() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let draft = gateway.create_draft(invoice("sold", "10")).await;
    let original = gateway.perform(&draft, "issue").await;
    let draft = gateway.create_draft(note("6", &[&original])).await;
    let issued = gateway.perform(&draft, "issue").await;
    let xml = bytes(&gateway, &path(&issued, "/ubl")).await;
    let body = json!({"content": STANDARD.encode(&xml)});
    let imported = gateway.post(IMPORT, body).await;
    assert_eq!(imported.status, 200, "{}", imported.body);
    let copy = &imported.json["document"];
    let preceding = |document: &Value| document["content"]["invoice"]["preceding"].clone();
    assert_eq!(preceding(copy), preceding(&issued));
    // So that what may still be given back is known: 4.60 of 11.50.
    let refused = gateway.try_perform(copy, "issue").await;
    assert_breaks(&refused, "INV-CREDITS-ABOVE-ORIGINAL");
    service.running.shutdown().await;
}
