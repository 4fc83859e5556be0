//! Test of kill -9 at random points under load of code exchanges and refreshes.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use reqwest::StatusCode;

use super::{assert_consistent, refresh_form, token_response};
use crate::fixtures::process::Process;
use crate::fixtures::user_agent::{AuthorizationRequest, Callback, UserAgent};
use crate::fixtures::{NOURA, SALEM, ServiceClient, ServiceFolder};

/// A client: its latest refresh token, and whether a refresh with it is in progress.
#[derive(Debug, Clone)]
struct RefreshClient {
    refresh_token: String,
    in_flight: bool,
}

#[tokio::test]
async fn kill_9_under_load_loses_no_acknowledged_token() {
    const CLIENTS: usize = 6;
    const KILLS: u64 = 6;
    let folder = ServiceFolder::new();
    let process = Process::start(&folder, &[]).await;
    let mut clients = Vec::new();
    for _ in 0..CLIENTS {
        let tokens = process.client.sign_in(NOURA).await;
        clients.push(RefreshClient {
            refresh_token: tokens.text("refresh_token").to_owned(),
            in_flight: false,
        });
    }
    let mut process = process;
    for kill in 0..KILLS {
        // Kill the process under load, each time after a different number of responses.
        let stopped = Arc::new(AtomicBool::new(false));
        let responses = Arc::new(AtomicU64::new(0));
        let service = Arc::new(process.client.clone());
        let tasks: Vec<_> = clients
            .iter()
            .cloned()
            .map(|client| {
                tokio::spawn(refresh_until_killed(
                    service.clone(),
                    client,
                    stopped.clone(),
                    responses.clone(),
                ))
            })
            .collect();
        let codes = tokio::spawn(redeem_until_killed(service.clone(), stopped.clone()));
        while responses.load(Ordering::SeqCst) < 10 + kill * 3 {
            tokio::time::sleep(Duration::from_micros(200)).await;
        }
        process.kill();
        stopped.store(true, Ordering::SeqCst);
        clients.clear();
        for task in tasks {
            clients.push(task.await.unwrap());
        }
        let redeemed = codes.await.unwrap();

        assert_consistent(&folder).await;
        process = Process::start(&folder, &[]).await;
        for access_token in &redeemed {
            assert_eq!(
                process.client.userinfo(access_token).await.status,
                StatusCode::OK,
                "an acknowledged access token"
            );
        }
        for client in &mut clients {
            let again = process.client.refresh(&client.refresh_token).await;
            if client.in_flight && again.status != StatusCode::OK {
                // The last request was committed and its response lost: the successor exists (see
                // `assert_consistent`), and the user has to sign in again.
                again.is_oauth_error(400, "invalid_grant");
                let tokens = process.client.sign_in(NOURA).await;
                client.refresh_token = tokens.text("refresh_token").to_owned();
            } else {
                assert_eq!(
                    again.status,
                    StatusCode::OK,
                    "an acknowledged refresh token: {}",
                    again.body
                );
                client.refresh_token = again.text("refresh_token").to_owned();
            }
            client.in_flight = false;
        }
    }
}

async fn refresh_until_killed(
    service: Arc<ServiceClient>,
    mut client: RefreshClient,
    stopped: Arc<AtomicBool>,
    responses: Arc<AtomicU64>,
) -> RefreshClient {
    while !stopped.load(Ordering::SeqCst) {
        client.in_flight = true;
        let Some(response) =
            token_response(&service, &refresh_form(&service, &client.refresh_token)).await
        else {
            return client;
        };
        let Some(next) = response.json["refresh_token"].as_str() else {
            panic!("a refresh was rejected before the kill: {}", response.body);
        };
        client.refresh_token = next.to_owned();
        client.in_flight = false;
        responses.fetch_add(1, Ordering::SeqCst);
    }
    client
}

/// Signs in and redeems codes until the kill; returns the acknowledged access tokens. An interrupted sign-in counts as a
/// failed attempt, so it uses another account than the clients.
async fn redeem_until_killed(service: Arc<ServiceClient>, stopped: Arc<AtomicBool>) -> Vec<String> {
    let mut tokens = Vec::new();
    let authorization = AuthorizationRequest::new(&service, &service.desktop_scope());
    while !stopped.load(Ordering::SeqCst) {
        // `UserAgent` panics when the connection breaks, which ends the loop.
        let (service, authorization) = (service.clone(), authorization.clone());
        let redemption = tokio::spawn(async move {
            let callback: Callback = UserAgent::new(&service)
                .sign_in(&service, &authorization, SALEM)
                .await;
            let response = service.redeem(&authorization, &callback).await;
            response.text("access_token").to_owned()
        });
        match redemption.await {
            Ok(token) => tokens.push(token),
            Err(_) => return tokens,
        }
    }
    tokens
}
