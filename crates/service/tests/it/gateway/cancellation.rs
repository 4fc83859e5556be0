//! Tests of callers that are gone before their answer (decision 0130).

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use invoicing_contract::messages::identity::VerifyDomainRequest;
use invoicing_contract::messages::identity::domains_client::DomainsClient;
use invoicing_identity::administration::{DomainUnreachable, DomainVerifier};
use invoicing_service::Config;
use serde_json::json;

use super::users::administrator;
use crate::fixtures::gateway::channel;
use crate::fixtures::{Service, wait_until};

const DOMAINS: &str = "/api/v2/admin/identity/domains";
/// What the servers of domains do in these tests.
const NEVER: &str = "the server of the domain never answers";

/// The servers of domains. None of them answers, ever.
#[derive(Debug, Default)]
struct SilentServers {
    asked: AtomicUsize,
    given_up: AtomicUsize,
}

/// A question that ends without an answer.
struct Question<'servers>(&'servers SilentServers);

impl Drop for Question<'_> {
    fn drop(&mut self) {
        self.0.given_up.fetch_add(1, Ordering::SeqCst);
    }
}

#[async_trait]
impl DomainVerifier for SilentServers {
    async fn publishes(&self, _domain: &str, _text: &str) -> Result<bool, DomainUnreachable> {
        let _question = Question(self);
        self.asked.fetch_add(1, Ordering::SeqCst);
        std::future::pending().await
    }
}

impl SilentServers {
    async fn are_asked(&self, times: usize) {
        wait_until("a handler waits", async || {
            self.asked.load(Ordering::SeqCst) == times
        })
        .await;
    }

    async fn are_given_up(&self, times: usize) {
        wait_until("the handler is dropped", async || {
            self.given_up.load(Ordering::SeqCst) == times
        })
        .await;
    }
}

#[tokio::test]
async fn handler_of_a_caller_that_is_gone_is_dropped_where_it_waits() {
    let servers = Arc::new(SilentServers::default());
    let service = Service::start_with(|config| Config {
        domain_verifier: Some(servers.clone()),
        ..config
    })
    .await;
    let noura = administrator(&service).await;
    let domains = ["one.example", "another.example"];
    for domain in domains {
        let claimed = noura.post(DOMAINS, json!({"domain": domain})).await;
        assert_eq!(claimed.status, 200, "{}", claimed.body);
    }
    // Over REST the caller closes the connection.
    let path = format!("{DOMAINS}/{}:verify", domains[0]);
    tokio::select! {
        _ = noura.post(&path, json!({})) => panic!("{NEVER}"),
        () = servers.are_asked(1) => {}
    }
    servers.are_given_up(1).await;
    // Over gRPC the caller resets the stream, and the connection serves the next call.
    let mut client = DomainsClient::new(channel(&service).await);
    let request = VerifyDomainRequest {
        domain: domains[1].to_owned(),
    };
    for asked in [2, 3] {
        // The time after which the domain may be looked at again.
        service.clock.advance(60);
        tokio::select! {
            _ = client.verify_domain(noura.grpc(request.clone())) => panic!("{NEVER}"),
            () = servers.are_asked(asked) => {}
        }
        servers.are_given_up(asked).await;
    }
    service.running.shutdown().await;
}
