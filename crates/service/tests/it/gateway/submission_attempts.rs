//! Tests of attempts to send a submission, as they are returned.

use serde_json::json;

use super::clearance::configure;
use crate::fixtures::authority::{Behaviour, TaxAuthority};
use crate::fixtures::gateway::{DOCUMENTS, GatewayClient, invoice, reason};
use crate::fixtures::{HOME, Service, by_engine};

#[tokio::test]
async fn submission_of_a_disabled_authority_waits_without_attempts() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let authority = TaxAuthority::start().await;
    configure(&service.folder, &authority.endpoint(), "clearance").await;
    authority.set(Behaviour::Limits(3_000));
    let draft = gateway.create_draft(invoice("a", "10")).await;
    let pending = gateway.try_perform(&draft, "issue").await;
    assert_eq!(reason(&pending.json), "AUTHORITY_UNAVAILABLE");
    let disabled = by_engine("0", "FALSE");
    let disable =
        format!("UPDATE authorities SET enabled = {disabled} WHERE organization_id = '{HOME}'");
    service.folder.execute_sql(&disable).await;
    let requests = authority.requests();

    let again = gateway.try_perform(&draft, "issue").await;
    assert_eq!(reason(&again.json), "AUTHORITY_UNAVAILABLE");
    assert_eq!(authority.requests(), requests, "nothing is sent");
    let key = draft["documentKey"].as_str().expect("a key");
    let list = gateway.get(&format!("{DOCUMENTS}/{key}/submissions")).await;
    let submission = &list.json["items"][0];
    assert_eq!(submission["failures"], json!(2), "{}", list.body);
    let attempts = submission["attempts"].as_array().map(Vec::len);
    assert_eq!(attempts, Some(1), "{}", list.body);
    service.running.shutdown().await;
}
