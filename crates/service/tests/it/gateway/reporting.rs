//! Tests of the mode `reporting`, in which nobody waits for the tax authority (decision 0126).

use super::clearance::configure;
use crate::fixtures::Service;
use crate::fixtures::authority::{Behaviour, TaxAuthority};
use crate::fixtures::gateway::{GatewayClient, invoice};

#[tokio::test]
async fn repeated_issue_waits_for_the_authority_as_little_as_the_first() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let authority = TaxAuthority::start().await;
    configure(&service.folder, &authority.endpoint(), "reporting").await;
    authority.set(Behaviour::Unauthorized);
    let draft = gateway.create_draft(invoice("a", "100")).await;
    for attempt in ["first", "repeated"] {
        let issued = gateway.try_perform(&draft, "issue").await;
        assert_eq!(issued.status, 200, "{attempt}: {}", issued.body);
        assert_eq!(
            issued.json["status"], "ISSUED",
            "{attempt}: {}",
            issued.body
        );
    }
    service.running.shutdown().await;
}
