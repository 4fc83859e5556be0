//! kill -9 between any two steps of giving out tokens, by name: after each statement of the transaction, after its commit,
//! and when the answer is made and not yet written. What was acknowledged is there after a restart; what was not has
//! happened whole or not at all.

mod kill_points;
mod killable_service;

use std::path::Path;
use std::sync::Arc;

use crate::fixtures::user_agent::{Attempt, Callback, UserAgent};
use crate::fixtures::{Answer, NOURA, Service, Site, config_in};
use invoicing_contract::ready::ApplicationKind;
use killable_service::{ANSWERED, KillableService};
use reqwest::StatusCode;
use sqlx::{Connection as _, SqliteConnection};
use tempfile::TempDir;

/// No test: the process that the tests of this file start and kill.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
#[ignore = "started by the other tests"]
async fn serve_until_killed() {
    killable_service::serve_until_killed().await;
}

#[tokio::test]
async fn a_refresh_killed_at_any_step_spends_the_old_token_with_its_successor_or_not_at_all() {
    at_every_step::<Refresh>().await;
}

#[tokio::test]
async fn a_code_exchange_killed_at_any_step_spends_the_code_with_its_tokens_or_not_at_all() {
    at_every_step::<Exchange>().await;
}

#[tokio::test]
async fn a_machines_token_killed_at_any_step_is_kept_with_its_audit_or_not_at_all() {
    at_every_step::<Machine>().await;
}

#[tokio::test]
async fn refreshes_that_share_a_transaction_are_acknowledged_after_its_commit_only() {
    const CLIENTS: usize = 8;
    let mut folder = tempfile::tempdir().unwrap();
    // What comes together is written together: after the first of each statement some of the eight are in it.
    for (passes, step) in [
        (0, "UPDATE refresh_tokens"),
        (0, "INSERT INTO refresh_tokens"),
        (0, "INSERT INTO audit_events"),
        (0, "COMMIT"),
    ] {
        let dying = KillableService::start(folder.path(), Some((passes, step))).await;
        let mut old = Vec::new();
        for _ in 0..CLIENTS {
            let tokens = dying.process.site.sign_in(NOURA).await;
            old.push(tokens.text("refresh_token").to_owned());
        }
        dying.arm();
        let site = Arc::new(dying.process.site.clone());
        let asked = old.clone().into_iter().map(|old| {
            let site = site.clone();
            tokio::spawn(async move { answer(&site, &refresh_form(&site, &old)).await })
        });
        let asked: Vec<_> = asked.collect();
        dying.stopped().await;
        let steps = dying.kill();
        let committed = steps.iter().any(|step| step == "COMMIT");
        let mut answers = Vec::new();
        for asked in asked {
            answers.push(asked.await.unwrap());
        }

        let service = restarted(folder).await;
        whole(service.folder.path()).await;
        for (old, answer) in old.iter().zip(answers) {
            let holds = answer
                .as_ref()
                .map_or(old.as_str(), |answer| answer.text("refresh_token"));
            let again = service.refresh(holds).await;
            if answer.is_some() || !committed {
                assert_eq!(
                    again.status,
                    StatusCode::OK,
                    "{step} {passes}: what the client holds works: {}",
                    again.body
                );
            } else if again.status != StatusCode::OK {
                again.is_oauth_error(400, "invalid_grant");
            }
        }
        folder = stopped(service).await;
    }
}

/// One way to be given tokens.
trait Flow {
    /// What the client has before it asks.
    type Has;
    /// The tables that its transaction writes to.
    const WRITES: &'static [&'static str];

    async fn prepare(site: &Site) -> Self::Has;
    fn form(site: &Site, has: &Self::Has) -> Vec<(String, String)>;
    /// What the client finds after the restart; `kept` if the transaction had reached the disk.
    async fn find(service: &Service, has: Self::Has, kept: bool, killed_at: &str);
}

/// Kills it at each step that the request makes.
async fn at_every_step<Asked: Flow>() {
    let mut folder = tempfile::tempdir().expect("a temporary folder");
    let steps = steps::<Asked>(folder.path()).await;
    let committed = steps.iter().position(|step| step == "COMMIT");
    let committed = committed.unwrap_or_else(|| panic!("no transaction in {steps:#?}"));
    for (number, killed_at) in steps.iter().enumerate() {
        let dying = KillableService::start(folder.path(), Some((number, ""))).await;
        let has = Asked::prepare(&dying.process.site).await;
        dying.arm();
        let form = Asked::form(&dying.process.site, &has);
        let acknowledged = tokio::select! {
            answer = answer(&dying.process.site, &form) => answer.is_some(),
            () = dying.stopped() => false,
        };
        assert!(!acknowledged, "{killed_at}: answered before the last step");
        assert_eq!(dying.kill(), steps[..=number], "it went the same way");

        let service = restarted(folder).await;
        whole(service.folder.path()).await;
        Asked::find(&service, has, number >= committed, killed_at).await;
        folder = stopped(service).await;
    }
}

/// The steps of a request that is left alone.
async fn steps<Asked: Flow>(folder: &Path) -> Vec<String> {
    let dying = KillableService::start(folder, None).await;
    let has = Asked::prepare(&dying.process.site).await;
    dying.arm();
    let form = Asked::form(&dying.process.site, &has);
    let answer = answer(&dying.process.site, &form).await;
    let answer = answer.expect("it lives");
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
    let steps = dying.kill();
    let at = |found: &dyn Fn(&str) -> bool| {
        let position = steps.iter().position(|step| found(step));
        position.unwrap_or_else(|| panic!("a step is missing in {steps:#?}"))
    };
    let (begun, committed) = (
        at(&|step| step.starts_with("BEGIN")),
        at(&|step| step == "COMMIT"),
    );
    for table in Asked::WRITES {
        let written = at(&|step| {
            step.starts_with(&format!("INSERT INTO {table} "))
                || step.starts_with(&format!("UPDATE {table} "))
        });
        assert!((begun..committed).contains(&written), "{table}: {steps:#?}");
    }
    assert_eq!(
        (steps.len(), steps.last().map(String::as_str)),
        (committed + 2, Some(ANSWERED)),
        "{steps:#?}"
    );
    steps
}

struct Refresh;

impl Flow for Refresh {
    type Has = Answer;
    const WRITES: &'static [&'static str] = &["refresh_tokens", "access_tokens", "audit_events"];

    async fn prepare(site: &Site) -> Answer {
        site.sign_in(NOURA).await
    }

    fn form(site: &Site, tokens: &Answer) -> Vec<(String, String)> {
        refresh_form(site, tokens.text("refresh_token"))
    }

    async fn find(service: &Service, tokens: Answer, kept: bool, killed_at: &str) {
        let before = service.userinfo(tokens.text("access_token")).await;
        assert_eq!(
            before.status,
            StatusCode::OK,
            "{killed_at}: what was acknowledged before"
        );
        let again = service.refresh(tokens.text("refresh_token")).await;
        if kept {
            // Nobody was told of the successor. A used token is invalid_grant (contract, part 3), so that the person signs
            // in again; what they were given before lives on.
            again.is_oauth_error(400, "invalid_grant");
            let before = service.userinfo(tokens.text("access_token")).await;
            assert_eq!(
                before.status,
                StatusCode::OK,
                "{killed_at}: nothing revoked"
            );
            return;
        }
        assert_eq!(
            again.status,
            StatusCode::OK,
            "{killed_at}: the old token works: {}",
            again.body
        );
        let next = service.refresh(again.text("refresh_token")).await;
        assert_eq!(
            next.status,
            StatusCode::OK,
            "{killed_at}: so does its successor"
        );
    }
}

struct Exchange;

impl Flow for Exchange {
    type Has = (UserAgent, Attempt, Callback);
    const WRITES: &'static [&'static str] = &[
        "authorization_codes",
        "access_tokens",
        "refresh_tokens",
        "audit_events",
    ];

    async fn prepare(site: &Site) -> Self::Has {
        let attempt = Attempt::new(site, &site.desktop_scope());
        let mut browser = UserAgent::new(site);
        let callback = browser.sign_in(site, &attempt, NOURA).await;
        (browser, attempt, callback)
    }

    fn form(_: &Site, (_, attempt, callback): &Self::Has) -> Vec<(String, String)> {
        owned(&[
            ("grant_type", "authorization_code"),
            ("client_id", &attempt.client_id),
            ("code", callback.get("code")),
            ("redirect_uri", &attempt.redirect_uri),
            ("code_verifier", &attempt.verifier),
        ])
    }

    async fn find(service: &Service, has: Self::Has, kept: bool, killed_at: &str) {
        let (browser, attempt, callback) = has;
        let redeemed = service.redeem(&attempt, &callback).await;
        if kept {
            redeemed.is_oauth_error(400, "invalid_grant");
        } else {
            assert_eq!(
                redeemed.status,
                StatusCode::OK,
                "{killed_at}: the code works: {}",
                redeemed.body
            );
        }
        // The sign-in itself was acknowledged long before: the next code comes without a page.
        let silent = Attempt::new(service, "openid").with("prompt", "none");
        let callback = Callback::of(&browser.at(service).get(&silent.path()).await);
        assert_eq!(callback.error(), None, "{killed_at}: still signed in");
        let next = service.redeem(&silent, &callback).await;
        assert_eq!(next.status, StatusCode::OK, "{killed_at}: {}", next.body);
    }
}

struct Machine;

impl Flow for Machine {
    type Has = String;
    const WRITES: &'static [&'static str] = &["access_tokens", "audit_events"];

    async fn prepare(site: &Site) -> String {
        site.machine_token("").await
    }

    fn form(site: &Site, _: &String) -> Vec<(String, String)> {
        let machine = site.application(ApplicationKind::Machine);
        owned(&[
            ("grant_type", "client_credentials"),
            ("client_id", &machine.client_id),
            (
                "client_secret",
                machine.client_secret.as_deref().expect("it has a secret"),
            ),
        ])
    }

    async fn find(service: &Service, before: String, _: bool, killed_at: &str) {
        for token in [before, service.machine_token("").await] {
            assert_eq!(
                service.userinfo(&token).await.status,
                StatusCode::OK,
                "{killed_at}: what was acknowledged"
            );
        }
    }
}

fn owned(form: &[(&str, &str)]) -> Vec<(String, String)> {
    let pairs = form
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    pairs.collect()
}

fn refresh_form(site: &Site, refresh_token: &str) -> Vec<(String, String)> {
    owned(&[
        ("grant_type", "refresh_token"),
        (
            "client_id",
            &site.application(ApplicationKind::Public).client_id,
        ),
        ("refresh_token", refresh_token),
    ])
}

/// What the token endpoint answers, if it does before it dies.
async fn answer(site: &Site, form: &[(String, String)]) -> Option<Answer> {
    let request = site.http.post(site.auth("/oauth/v2/token")).form(form);
    let response = request.send().await.ok()?;
    let (status, headers) = (response.status(), response.headers().clone());
    let body = response.text().await.ok()?;
    Some(Answer {
        status,
        headers,
        json: serde_json::from_str(&body).expect("JSON"),
        body,
    })
}

async fn restarted(folder: TempDir) -> Service {
    let config = config_in(&folder);
    Service::start_configured(folder, config).await
}

async fn stopped(service: Service) -> TempDir {
    service.running.shutdown().await;
    service.folder
}

/// Every code and refresh token that is spent has its successors, and every access token its line in the audit.
async fn whole(folder: &Path) {
    let url = format!("sqlite:{}", folder.join("invoicing.db").display());
    let mut database = SqliteConnection::connect(&url).await.expect("it opens");
    for (what, query) in [
        (
            "families of a spent code with no living refresh token, or several",
            "SELECT count(*) FROM families f WHERE f.scope LIKE '%offline_access%' AND f.revoked_at IS NULL
             AND EXISTS (SELECT 1 FROM authorization_codes c WHERE c.family = f.id AND c.used_at IS NOT NULL)
             AND (SELECT count(*) FROM refresh_tokens r WHERE r.family = f.id AND r.used_at IS NULL) <> 1",
        ),
        (
            "families with tokens of which one half is kept",
            "SELECT count(*) FROM families f WHERE f.scope LIKE '%offline_access%'
             AND (SELECT count(*) FROM refresh_tokens r WHERE r.family = f.id)
              <> (SELECT count(*) FROM access_tokens a WHERE a.family = f.id)",
        ),
        (
            "access tokens without a line in the audit, or lines without one",
            "SELECT abs((SELECT count(*) FROM access_tokens)
                - (SELECT count(*) FROM audit_events WHERE kind = 'token_issued'))",
        ),
    ] {
        let found: i64 = sqlx::query_scalar(query)
            .fetch_one(&mut database)
            .await
            .expect("the database answers");
        assert_eq!(found, 0, "{what}");
    }
    database.close().await.expect("it closes");
}
