//! Callers that refresh tokens, each its own chain.

use std::sync::Arc;
use std::time::Duration;

use invoicing_contract::ready::ApplicationKind;
use reqwest::StatusCode;
use serde_json::Value;
use tokio::task::JoinHandle;

use super::Load;
use crate::fixtures::{NOURA, ServiceClient};

/// Between two attempts of a caller.
const PAUSE: Duration = Duration::from_millis(50);

/// The end of a chain.
struct Chain {
    refresh_token: String,
    refreshes: u64,
    /// Whether the answer to the last refresh was lost: the token may be spent.
    in_doubt: bool,
}

/// What the callers were told.
pub(super) struct Chains {
    chains: Vec<Chain>,
    pub(super) refreshes: u64,
}

/// Running callers.
pub(super) struct RefreshLoad(Vec<JoinHandle<Chain>>);

impl RefreshLoad {
    pub(super) async fn start(client: &ServiceClient, load: &Arc<Load>, callers: usize) -> Self {
        let mut running = Vec::new();
        for _ in 0..callers {
            let signed_in = client.sign_in(NOURA).await;
            let chain = Chain {
                refresh_token: signed_in.text("refresh_token").to_owned(),
                refreshes: 0,
                in_doubt: false,
            };
            let (client, load) = (client.clone(), load.clone());
            running.push(tokio::spawn(refresh_until_stopped(client, load, chain)));
        }
        Self(running)
    }

    pub(super) async fn finish(self) -> Chains {
        let mut chains = Vec::new();
        for caller in self.0 {
            chains.push(caller.await.expect("the caller ends"));
        }
        Chains {
            refreshes: chains.iter().map(|chain| chain.refreshes).sum(),
            chains,
        }
    }
}

async fn refresh_until_stopped(client: ServiceClient, load: Arc<Load>, mut chain: Chain) -> Chain {
    while !load.stopped() {
        let attempt = load.begin_attempt();
        match send(&client, &chain.refresh_token).await {
            Ok((StatusCode::OK, answer)) if !answer.is_null() => {
                let successor = answer["refresh_token"].as_str().expect("a refresh token");
                successor.clone_into(&mut chain.refresh_token);
                chain.refreshes += 1;
                chain.in_doubt = false;
                load.acknowledge();
            }
            // The spent token of a lost answer: the person has to sign in again (contract, part 3).
            Ok((StatusCode::BAD_REQUEST, _)) if chain.in_doubt => break,
            // An answer that broke off, or 503: of a process, or of the proxy, which has found none or has lost the answer of one.
            Ok((status, answer))
                if status == StatusCode::SERVICE_UNAVAILABLE
                    || (status == StatusCode::OK && answer.is_null()) =>
            {
                chain.in_doubt = true;
                load.fail(attempt, &format!("refresh: {status} {answer}"));
            }
            Err(error) => {
                chain.in_doubt = true;
                load.fail(attempt, &format!("refresh: {error}"));
            }
            Ok((status, answer)) => load.report(format!("refresh: {status} {answer}")),
        }
        tokio::time::sleep(PAUSE).await;
    }
    chain
}

async fn send(client: &ServiceClient, token: &str) -> Result<(StatusCode, Value), reqwest::Error> {
    let desktop = client.application(ApplicationKind::Public);
    let form = [
        ("grant_type", "refresh_token"),
        ("client_id", &*desktop.client_id),
        ("refresh_token", token),
    ];
    let request = client.http.post(client.auth("/oauth/v2/token")).form(&form);
    let response = request.send().await?;
    let status = response.status();
    Ok((status, response.json().await.unwrap_or_default()))
}

/// The last refresh token of every chain that is not in doubt works, once.
pub(super) async fn verify(client: &ServiceClient, chains: &Chains) {
    for chain in chains.chains.iter().filter(|chain| !chain.in_doubt) {
        let last = client.refresh(&chain.refresh_token).await;
        assert_eq!(last.status, StatusCode::OK, "{}", last.body);
        let again = client.refresh(&chain.refresh_token).await;
        again.is_oauth_error(400, "invalid_grant");
    }
}
