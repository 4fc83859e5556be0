//! Two processes on one database, and a process that is killed between any two steps.

mod common;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use common::process::Process;
use common::user_agent::{Attempt, Callback, UserAgent};
use common::{Answer, NOURA, Site};
use reqwest::StatusCode;
use sqlx::{Connection as _, SqliteConnection};

#[tokio::test]
async fn of_fifty_refreshes_at_two_processes_exactly_one_succeeds() {
    let folder = tempfile::tempdir().unwrap();
    let one = Process::start(folder.path(), &[]).await;
    let other = Process::start(folder.path(), &[]).await;
    let tokens = one.site.sign_in(NOURA).await;
    let token = tokens.text("refresh_token");
    let at = |site| common::at_once(25, move || Site::refresh(site, token));
    let (here, there) = tokio::join!(at(&one.site), at(&other.site));
    let (won, lost): (Vec<_>, Vec<_>) = here
        .iter()
        .chain(&there)
        .partition(|answer| answer.status == StatusCode::OK);
    assert_eq!((won.len(), lost.len()), (1, 49));
    for answer in lost {
        answer.is_oauth_error(400, "invalid_grant");
    }
    for process in [&one, &other] {
        process
            .site
            .refresh(token)
            .await
            .is_oauth_error(400, "invalid_grant");
    }
    let next = other.site.refresh(won[0].text("refresh_token")).await;
    assert_eq!(next.status, StatusCode::OK, "the successor: {}", next.body);
    assert_eq!(
        one.site.userinfo(next.text("access_token")).await.status,
        StatusCode::OK,
        "what one gave out the other knows"
    );
}

#[tokio::test]
async fn a_code_is_redeemed_at_one_of_two_processes() {
    let folder = tempfile::tempdir().unwrap();
    let one = Process::start(folder.path(), &[]).await;
    let other = Process::start(folder.path(), &[]).await;
    let attempt = Attempt::new(&one.site, &one.site.desktop_scope());
    let callback = UserAgent::new(&one.site)
        .sign_in(&one.site, &attempt, NOURA)
        .await;
    let at = |site| {
        let (attempt, callback) = (&attempt, &callback);
        common::at_once(10, move || Site::redeem(site, attempt, callback))
    };
    let (here, there) = tokio::join!(at(&one.site), at(&other.site));
    let won = here
        .iter()
        .chain(&there)
        .filter(|answer| answer.status == StatusCode::OK)
        .count();
    assert!(won <= 1, "{won} got tokens");
}

/// What a client knows: the refresh token that it was given last, and the one that it is just giving up for another.
#[derive(Debug, Clone)]
struct Client {
    holds: String,
    presenting: bool,
}

#[tokio::test]
async fn kill_9_between_any_two_steps_loses_nothing_that_was_acknowledged() {
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
        let answers = Arc::new(std::sync::atomic::AtomicU64::new(0));
        let site = Arc::new(Site {
            ready: process.site.ready.clone(),
            http: common::client(),
            names: process.site.names.clone(),
        });
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
            tokio::time::sleep(std::time::Duration::from_micros(200)).await;
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
    answers: Arc<std::sync::atomic::AtomicU64>,
) -> Client {
    let desktop = site
        .application(invoicing_contract::ready::ApplicationKind::Public)
        .client_id
        .clone();
    while !stopped.load(Ordering::SeqCst) {
        client.presenting = true;
        let form = [
            ("grant_type", "refresh_token"),
            ("client_id", &*desktop),
            ("refresh_token", &*client.holds),
        ];
        let request = site.http.post(site.auth("/oauth/v2/token")).form(&form);
        let Ok(response) = request.send().await else {
            return client;
        };
        let Ok(body) = response.text().await else {
            return client;
        };
        let body: serde_json::Value = serde_json::from_str(&body).expect("JSON");
        let Some(next) = body["refresh_token"].as_str() else {
            panic!("refused while it lived: {body}");
        };
        client.holds = next.to_owned();
        client.presenting = false;
        answers.fetch_add(1, Ordering::SeqCst);
    }
    client
}

/// Signs in silently and redeems again and again; returns the access tokens that were answered with.
async fn redeem_until_it_dies(site: Arc<Site>, stopped: Arc<AtomicBool>) -> Vec<String> {
    let mut given = Vec::new();
    let attempt = Attempt::new(&site, &site.desktop_scope());
    while !stopped.load(Ordering::SeqCst) {
        // A browser panics when the connection breaks, which is how this ends.
        let (site, attempt) = (site.clone(), attempt.clone());
        let one = tokio::spawn(async move {
            let callback: Callback = UserAgent::new(&site).sign_in(&site, &attempt, NOURA).await;
            let answer: Answer = site.redeem(&attempt, &callback).await;
            answer.text("access_token").to_owned()
        });
        match one.await {
            Ok(token) => given.push(token),
            Err(_) => return given,
        }
    }
    given
}

/// Every code and refresh token that is spent has its successors: both were kept, or neither.
async fn whole(folder: &Path) {
    let url = format!("sqlite:{}", folder.join("invoicing.db").display());
    let mut database = SqliteConnection::connect(&url)
        .await
        .expect("the database opens");
    let lost: i64 = sqlx::query_scalar(
        "SELECT count(*) FROM families f WHERE f.scope LIKE '%offline_access%' AND f.revoked_at IS NULL
         AND EXISTS (SELECT 1 FROM authorization_codes c WHERE c.family = f.id AND c.used_at IS NOT NULL)
         AND (SELECT count(*) FROM refresh_tokens r WHERE r.family = f.id AND r.used_at IS NULL) <> 1",
    )
    .fetch_one(&mut database)
    .await
    .expect("the database answers");
    assert_eq!(
        lost, 0,
        "families whose living refresh token is lost or double"
    );
    let unequal: i64 = sqlx::query_scalar(
        "SELECT count(*) FROM families f WHERE f.scope LIKE '%offline_access%'
         AND (SELECT count(*) FROM refresh_tokens r WHERE r.family = f.id)
          <> (SELECT count(*) FROM access_tokens a WHERE a.family = f.id)",
    )
    .fetch_one(&mut database)
    .await
    .expect("the database answers");
    assert_eq!(unequal, 0, "answers of which one half is kept");
    database.close().await.expect("the database closes");
}
