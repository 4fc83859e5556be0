//! Tests of the state of a tax authority in lists (decision 0148).

use invoicing_contract::messages::documents::{AuthorityState, Filter};
use invoicing_contract::messages::simple::ListInvoicesRequest;
use serde_json::{Value, json};

use super::LIST;
use crate::fixtures::Service;
use crate::fixtures::authority::Behaviour;
use crate::fixtures::gateway::{GatewayClient, invoice, invoices_client, violation_fields};
use crate::gateway::clearance::clearing_authority;

/// An invoice for this buyer.
fn invoice_for(buyer: &str) -> Value {
    let mut content = invoice("Consulting", "10");
    content["buyer"]["name"]["en"] = json!(buyer);
    content
}

/// Buyer and state of each row of a page.
fn states(page: &Value) -> Vec<(String, Value)> {
    let rows = page["items"].as_array().expect("items").iter();
    rows.map(|row| {
        let buyer = row["buyer"]["name"]["en"].as_str().unwrap_or_default();
        (buyer.to_owned(), row["authorityState"].clone())
    })
    .collect()
}

#[tokio::test]
async fn row_has_the_state_of_the_authority_and_the_list_is_filtered_by_it() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let before = gateway.post(LIST, json!({})).await;
    assert_eq!(before.json["hasAuthority"], json!(false), "{}", before.body);

    let authority = clearing_authority(&service.folder).await;
    authority.set(Behaviour::Rejects);
    let refused = gateway.create_draft(invoice_for("refused")).await;
    gateway.perform(&refused, "issue").await;
    authority.set(Behaviour::Clears);
    let cleared = gateway.create_draft(invoice_for("cleared")).await;
    gateway.perform(&cleared, "issue").await;
    authority.set(Behaviour::Warns);
    let remarked = gateway.create_draft(invoice_for("remarked")).await;
    gateway.perform(&remarked, "issue").await;
    gateway.create_draft(invoice_for("draft")).await;

    let all = gateway.post(LIST, json!({})).await;
    assert_eq!(all.json["hasAuthority"], json!(true), "{}", all.body);
    let mut shown: Vec<_> = states(&all.json);
    shown.sort_by(|one, other| one.0.cmp(&other.0));
    assert_eq!(
        shown,
        [
            ("cleared".to_owned(), json!("AUTHORITY_STATE_CLEARED")),
            // A document that was not sent costs its row nothing.
            ("draft".to_owned(), Value::Null),
            ("refused".to_owned(), json!("AUTHORITY_STATE_REJECTED")),
            ("remarked".to_owned(), json!("AUTHORITY_STATE_CLEARED")),
        ]
    );
    let rows = all.json["items"].as_array().expect("items").iter();
    let with_remarks = rows.filter(|row| row["authorityHasWarnings"] == json!(true));
    let with_remarks: Vec<_> = with_remarks
        .map(|row| &row["buyer"]["name"]["en"])
        .collect();
    assert_eq!(with_remarks, ["remarked"]);
    let with_remarks = json!({"filter": {"authorityHasWarnings": true}});
    let found = gateway.post(LIST, with_remarks).await;
    assert_eq!(found.json["totalSize"], json!(1), "{}", found.body);
    assert_eq!(states(&found.json)[0].0, "remarked");
    let rejected = json!({"filter": {"authorityState": ["AUTHORITY_STATE_REJECTED", "AUTHORITY_STATE_REJECTED"]}});
    let found = gateway.post(LIST, rejected).await;
    assert_eq!(found.json["totalSize"], json!(1), "{}", found.body);
    assert_eq!(states(&found.json)[0].0, "refused");
    let waiting = json!({"filter": {"authorityState": ["AUTHORITY_STATE_PENDING", "AUTHORITY_STATE_UNKNOWN"]}});
    let found = gateway.post(LIST, waiting).await;
    assert_eq!(found.json["totalSize"], json!(0), "{}", found.body);

    let mut invoices = invoices_client(&service).await;
    let request = ListInvoicesRequest {
        filter: Some(Filter {
            authority_state: vec![AuthorityState::Cleared.into()],
            ..Filter::default()
        }),
        ..ListInvoicesRequest::default()
    };
    let page = invoices.list_invoices(gateway.grpc(request)).await;
    let page = page.expect("a page").into_inner();
    let found: Vec<_> = page.items.iter().map(|row| row.authority_state()).collect();
    assert_eq!(found, [AuthorityState::Cleared, AuthorityState::Cleared]);
    assert!(page.has_authority);
    service.running.shutdown().await;
}

#[tokio::test]
async fn state_of_the_authority_that_does_not_exist_or_too_many_of_them_are_refused() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    for (states, field) in [
        (json!([0]), "filter.authorityState[0]"),
        (json!([99]), "filter.authorityState[0]"),
        (json!(["NOPE"]), "filter.authorityState[0]"),
        (
            json!(vec!["AUTHORITY_STATE_PENDING"; 17]),
            "filter.authorityState",
        ),
    ] {
        let body = json!({"filter": {"authorityState": states}});
        let response = gateway.post(LIST, body).await;
        assert_eq!(response.status, 400, "{}", response.body);
        assert_eq!(violation_fields(&response), [field], "{}", response.body);
    }
    service.running.shutdown().await;
}
