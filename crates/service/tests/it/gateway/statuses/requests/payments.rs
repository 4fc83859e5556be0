//! Requests of invoicing.payments.v2.Payments and invoicing.reports.v2.Reports.

use serde_json::{Value, json};

use super::documents::issued;
use super::{Environment, new_key};

pub(super) async fn valid_request(environment: &Environment<'_>, method: &str) -> Option<Value> {
    let request = match method {
        "RecordPayment" => {
            json!({
                "documentKey": issued(environment).await["documentKey"],
                "paymentKey": new_key(),
                "payment": {"amount": "1"},
            })
        }
        "ListPayments" | "GetBalance" => {
            json!({"documentKey": issued(environment).await["documentKey"]})
        }
        "VoidPayment" => {
            let key = issued(environment).await["documentKey"].clone();
            let path = format!("/api/v2/documents/{}/payments", key.as_str()?);
            let body = json!({"payment": {"amount": "1"}});
            let recorded = environment.administrator.post(&path, body).await;
            json!({
                "documentKey": key,
                "paymentKey": recorded.json["payment"]["paymentKey"],
                "reason": "bounced",
            })
        }
        "GetAgeing" => json!({}),
        "GetMonthlySums" => json!({"from": "2026-01"}),
        "GetBuyerSums" => json!({"from": "2026-01-01", "to": "2026-12-31", "maxBuyers": 5}),
        "GetTaxSums" => json!({"from": "2026-01-01", "to": "2026-12-31"}),
        _ => return None,
    };
    Some(request)
}
