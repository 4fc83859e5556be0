//! Requests of invoicing.documents.v2.Documents.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::{Environment, new_key};
use crate::fixtures::gateway::{DOCUMENTS, document_changes, invoice};

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
            json!({"documentKey": draft(environment).await["documentKey"]})
        }
        "UpdateDocument" => {
            let document = draft(environment).await;
            let mut request = document_changes(&invoice("b", "11"));
            request["documentKey"] = document["documentKey"].clone();
            request["concurrencyStamp"] = document["concurrencyStamp"].clone();
            request
        }
        "IssueDocument" | "DeleteDocument" => key_and_stamp(&draft(environment).await),
        "GetDocumentPdf" | "GetDocumentUbl" => {
            json!({"documentKey": issued(environment).await["documentKey"]})
        }
        "ExportDocuments" => json!({"format": "CSV"}),
        "ImportDocument" => {
            let key = issued(environment).await["documentKey"].clone();
            let path = format!("{DOCUMENTS}/{}/ubl", key.as_str()?);
            let file = client.get(&path).await.body;
            json!({"documentKey": new_key(), "content": STANDARD.encode(file)})
        }
        "AddAttachment" => {
            let mut request = key_and_stamp(&draft(environment).await);
            request["attachmentId"] = json!(new_key());
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
            json!({"entries": [key_and_stamp(&draft(environment).await)]})
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
    let draft = draft(environment).await;
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

pub(in crate::gateway::statuses) async fn draft(environment: &Environment<'_>) -> Value {
    let client = &environment.administrator;
    client.create_draft(invoice("a", "10")).await
}

/// A document that is issued.
pub(in crate::gateway::statuses) async fn issued(environment: &Environment<'_>) -> Value {
    let draft = draft(environment).await;
    environment.administrator.perform(&draft, "issue").await
}

pub(super) fn key_and_stamp(document: &Value) -> Value {
    json!({
        "documentKey": document["documentKey"],
        "concurrencyStamp": document["concurrencyStamp"],
    })
}
