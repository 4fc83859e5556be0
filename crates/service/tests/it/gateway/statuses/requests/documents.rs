//! Requests of invoicing.documents.v2.Documents.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::{Environment, new_key};
use crate::fixtures::gateway::{document_changes, invoice};

/// A file that can be read.
const FILE: &str = r#"<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"/>"#;

pub(super) async fn valid_request(environment: &Environment<'_>, method: &str) -> Option<Value> {
    let client = &environment.administrator;
    let request = match method {
        "CreateDocument" => {
            let mut request = document_changes(&invoice("a", "10"));
            request["documentKey"] = json!(new_key());
            request
        }
        "ListDocuments" => json!({"pageSize": 1}),
        "GetDocument" | "GetDocumentHistory" | "GetDocumentRelations" => {
            let document = client.create_draft(invoice("a", "10")).await;
            json!({"documentKey": document["documentKey"]})
        }
        "UpdateDocument" => {
            let document = client.create_draft(invoice("a", "10")).await;
            let mut request = document_changes(&invoice("b", "11"));
            request["documentKey"] = document["documentKey"].clone();
            request["concurrencyStamp"] = document["concurrencyStamp"].clone();
            request
        }
        "IssueDocument" | "DeleteDocument" => {
            key_and_stamp(&client.create_draft(invoice("a", "10")).await)
        }
        "GetDocumentPdf" | "GetDocumentUbl" => {
            json!({"documentKey": issued(environment).await["documentKey"]})
        }
        "ExportDocuments" => json!({"filter": {"currency": ["AED"]}}),
        "ImportDocument" => json!({"content": STANDARD.encode(FILE), "validateOnly": true}),
        "AddAttachment" => {
            let draft = client.create_draft(invoice("a", "10")).await;
            let mut request = key_and_stamp(&draft);
            request["fileName"] = json!("a.csv");
            request["mediaType"] = json!("text/csv");
            request["content"] = json!(STANDARD.encode("a,b"));
            request
        }
        "ListAttachments" => {
            json!({"documentKey": with_attachment(environment).await["documentKey"]})
        }
        "GetAttachment" | "RemoveAttachment" => {
            let document = with_attachment(environment).await;
            let mut request = if method == "GetAttachment" {
                json!({"documentKey": document["documentKey"]})
            } else {
                key_and_stamp(&document)
            };
            request["attachmentId"] = document["attachments"][0]["attachmentId"].clone();
            request
        }
        "DuplicateDocument" => {
            let document = issued(environment).await;
            json!({"documentKey": document["documentKey"], "newDocumentKey": new_key()})
        }
        "BatchIssueDocuments" => {
            let draft = client.create_draft(invoice("a", "10")).await;
            json!({"entries": [key_and_stamp(&draft)]})
        }
        "BatchFreezeDocuments" => {
            json!({"entries": [key_and_stamp(&issued(environment).await)]})
        }
        "FreezeDocument" => key_and_stamp(&issued(environment).await),
        _ => return None,
    };
    Some(request)
}

/// A draft with an attachment.
async fn with_attachment(environment: &Environment<'_>) -> Value {
    let client = &environment.administrator;
    let draft = client.create_draft(invoice("a", "10")).await;
    let key = draft["documentKey"].as_str().expect("a key");
    let body = json!({
        "concurrencyStamp": draft["concurrencyStamp"],
        "fileName": "a.csv",
        "mediaType": "text/csv",
        "content": STANDARD.encode("a,b"),
    });
    let path = format!("/api/v2/documents/{key}/attachments");
    client.post(&path, body).await.json
}

/// A document that is issued.
pub(super) async fn issued(environment: &Environment<'_>) -> Value {
    let client = &environment.administrator;
    let draft = client.create_draft(invoice("a", "10")).await;
    client.perform(&draft, "issue").await
}

pub(super) fn key_and_stamp(document: &Value) -> Value {
    json!({
        "documentKey": document["documentKey"],
        "concurrencyStamp": document["concurrencyStamp"],
    })
}
