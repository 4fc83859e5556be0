//! kill -9 at whatever moment, while codes and refresh tokens are being exchanged.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use reqwest::StatusCode;

use super::{answer, refresh_form, whole};
use crate::fixtures::process::Process;
use crate::fixtures::user_agent::{Attempt, Callback, UserAgent};
use crate::fixtures::{NOURA, SALEM, Site};

/// What a client knows: the refresh token that it was given last, and the one that it is just giving up for another.
#[derive(Debug, Clone)]
struct Client {
    holds: String,
    presenting: bool,
}

#[tokio::test]
async fn kill_9_at_any_moment_loses_nothing_that_was_acknowledged() {
    const CLIENTS: usize = 6;
    const KILLS: u64 = 6;
    let folder = tempfile::tempdir().unwrap();
    let process = Process::start(folder.path(), &[]).await;
    let mut clients = Vec::new();
    for _ in 0..CLIENTS {
        let tokens = process.site.sign_in(NOURA).await;
        clients.push(Client {
            holds: tokens.text("refresh_token").to_owned(),
            presenting: false,
        });
    }
    let mut process = process;
    for kill in 0..KILLS {
        // Codes and refresh tokens are being exchanged while it dies, each time after another number of answers.
        let stopped = Arc::new(AtomicBool::new(false));
        let answers = Arc::new(AtomicU64::new(0));
        let site = Arc::new(process.site.clone());
        let tasks: Vec<_> = clients
            .iter()
            .cloned()
            .map(|client| {
                tokio::spawn(refresh_until_it_dies(
                    site.clone(),
                    client,
                    stopped.clone(),
                    answers.clone(),
                ))
            })
            .collect();
        let codes = tokio::spawn(redeem_until_it_dies(site.clone(), stopped.clone()));
        while answers.load(Ordering::SeqCst) < 10 + kill * 3 {
            tokio::time::sleep(Duration::from_micros(200)).await;
        }
        process.kill();
        stopped.store(true, Ordering::SeqCst);
        clients.clear();
        for task in tasks {
            clients.push(task.await.unwrap());
        }
        let redeemed = codes.await.unwrap();

        whole(folder.path()).await;
        process = Process::start(folder.path(), &[]).await;
        for access_token in &redeemed {
            assert_eq!(
                process.site.userinfo(access_token).await.status,
                StatusCode::OK,
                "an access token that was answered with"
            );
        }
        for client in &mut clients {
            let again = process.site.refresh(&client.holds).await;
            if client.presenting && again.status != StatusCode::OK {
                // Its last request was kept, and the answer died with the process: the successor exists (see `whole`), and
                // the person signs in again.
                again.is_oauth_error(400, "invalid_grant");
                let tokens = process.site.sign_in(NOURA).await;
                client.holds = tokens.text("refresh_token").to_owned();
            } else {
                assert_eq!(
                    again.status,
                    StatusCode::OK,
                    "a refresh token that was answered with: {}",
                    again.body
                );
                client.holds = again.text("refresh_token").to_owned();
            }
            client.presenting = false;
        }
    }
}

async fn refresh_until_it_dies(
    site: Arc<Site>,
    mut client: Client,
    stopped: Arc<AtomicBool>,
    answers: Arc<AtomicU64>,
) -> Client {
    while !stopped.load(Ordering::SeqCst) {
        client.presenting = true;
        let Some(answer) = answer(&site, &refresh_form(&site, &client.holds)).await else {
            return client;
        };
        let Some(next) = answer.json["refresh_token"].as_str() else {
            panic!("refused while it lived: {}", answer.body);
        };
        client.holds = next.to_owned();
        client.presenting = false;
        answers.fetch_add(1, Ordering::SeqCst);
    }
    client
}

/// Signs in and redeems again and again; returns the access tokens that were answered with. A sign-in that was cut off
/// counts as a try that failed, so it is not the clients' account.
async fn redeem_until_it_dies(site: Arc<Site>, stopped: Arc<AtomicBool>) -> Vec<String> {
    let mut given = Vec::new();
    let attempt = Attempt::new(&site, &site.desktop_scope());
    while !stopped.load(Ordering::SeqCst) {
        // A browser panics when the connection breaks, which is how this ends.
        let (site, attempt) = (site.clone(), attempt.clone());
        let one = tokio::spawn(async move {
            let callback: Callback = UserAgent::new(&site).sign_in(&site, &attempt, SALEM).await;
            let answer = site.redeem(&attempt, &callback).await;
            answer.text("access_token").to_owned()
        });
        match one.await {
            Ok(token) => given.push(token),
            Err(_) => return given,
        }
    }
    given
}
