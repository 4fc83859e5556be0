//! Well-formed answers that are not the answer to the request.

use serde_json::{Value, json};

use super::call::{Call, CallClass};
use crate::fixtures::HOME;

/// The organization that [`Call::ListAfterSwitch`] switches to.
pub(crate) const SWITCHED_ORGANIZATION: &str = "274893002";
/// A document that is not the one of the request.
const OTHER_KEY: &str = "01890000-0000-7000-8000-000000000000";

/// The answer of the same kind for another document; of another kind where the answer is not about a document.
pub(crate) fn document(call: Call) -> String {
    match call.class() {
        CallClass::Metadata | CallClass::Probe => json!({"keys": []}).to_string(),
        CallClass::Exchange | CallClass::Refresh | CallClass::Restore | CallClass::SignOut => {
            invoice(OTHER_KEY, HOME).to_string()
        }
        CallClass::Read
        | CallClass::Create
        | CallClass::Change
        | CallClass::InDoubt
        | CallClass::Background
        | CallClass::BackgroundInDoubt => answer(call, OTHER_KEY, organizations(call).0),
    }
}

/// The organization of the request, and another one.
fn organizations(call: Call) -> (&'static str, &'static str) {
    if call == Call::ListAfterSwitch {
        (SWITCHED_ORGANIZATION, HOME)
    } else {
        (HOME, SWITCHED_ORGANIZATION)
    }
}

/// The answer of the same kind from another organization or provider.
pub(crate) fn organization(call: Call, key: &str) -> String {
    match call.class() {
        CallClass::Metadata | CallClass::Probe => json!({
            "issuer": "https://other.example",
            "authorization_endpoint": "https://other.example/authorize",
            "token_endpoint": "https://other.example/token",
            "jwks_uri": "https://other.example/keys",
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256"],
        })
        .to_string(),
        CallClass::Exchange | CallClass::Refresh | CallClass::Restore | CallClass::SignOut => {
            json!({"access_token": "other", "token_type": "mac"}).to_string()
        }
        CallClass::Read
        | CallClass::Create
        | CallClass::Change
        | CallClass::InDoubt
        | CallClass::Background
        | CallClass::BackgroundInDoubt => answer(call, key, organizations(call).1),
    }
}

fn answer(call: Call, key: &str, organization: &str) -> String {
    let is_list = matches!(call, Call::List | Call::ListAfterSwitch);
    let is_document = matches!(
        call,
        Call::Get
            | Call::CreateInDoubt
            | Call::OutboxInDoubt
            | Call::CheckOutcome
            | Call::CreateDocument
            | Call::Update
            | Call::ReadBeforeUpdate
            | Call::UpdateInDoubt
            | Call::FreezeInDoubt
            | Call::Issue
    );
    let answer = if is_list {
        json!({
            "items": [invoice(key, organization)],
            "nextPageToken": "",
            "totalSize": 1,
            "sums": [],
        })
    } else if is_document {
        json!({
            "documentKey": key,
            "organizationId": organization,
            "status": "DRAFT",
            "concurrencyStamp": "other",
            "content": {"invoice": {"kind": "INVOICE", "currency": "SAR"}},
        })
    } else {
        invoice(key, organization)
    };
    answer.to_string()
}

fn invoice(key: &str, organization: &str) -> Value {
    json!({
        "documentKey": key,
        "organizationId": organization,
        "status": "DRAFT",
        "concurrencyStamp": "other",
        "kind": "INVOICE",
        "issueDate": "2026-01-01",
        "currency": "SAR",
        "net": "1.00",
        "tax": "0.15",
        "gross": "1.15",
        "payable": "1.15",
    })
}
