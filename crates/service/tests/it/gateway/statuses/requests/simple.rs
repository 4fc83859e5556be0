//! Requests of invoicing.simple.v1.Invoices.

use serde_json::{Value, json};

use super::documents::{issued, key_and_stamp};
use super::{Environment, new_key};
use crate::fixtures::gateway::invoice;

pub(super) async fn valid_request(environment: &Environment<'_>, method: &str) -> Option<Value> {
    let client = &environment.administrator;
    let request = match method {
        "ListInvoices" => json!({"pageSize": 1}),
        "GetInvoice" => {
            let document = client.create_draft(invoice("a", "10")).await;
            json!({"documentKey": document["documentKey"]})
        }
        "CreateInvoice" => json!({
            "documentKey": new_key(),
            "invoice": invoice("a", "10"),
        }),
        "FreezeInvoice" => key_and_stamp(&issued(environment).await),
        _ => return None,
    };
    Some(request)
}
