//! Tests of kill -9 during token requests: after each statement of the transaction (one on PostgreSQL), after its commit, and
//! before the response is written. Acknowledged tokens work after a restart; an unacknowledged request is applied completely or not at all.

mod audit_archive;
mod kill_points;
mod killable_service;
mod token_flows;

use std::sync::Arc;

use crate::fixtures::{
    NOURA, Response, Service, ServiceClient, ServiceFolder, by_engine, config_in,
};
use invoicing_contract::ready::ApplicationKind;
use killable_service::{KillableService, RESPONSE_READY};
use reqwest::StatusCode;
use token_flows::{ClientCredentialsFlow, CodeExchangeFlow, RefreshFlow};

/// How the statement begins that issues tokens on PostgreSQL. It is a transaction.
const TRANSACTION: &str = "WITH authorized";

/// Whether a transaction is committed with this step.
fn is_commit(step: &str) -> bool {
    step == "COMMIT" || step.starts_with(TRANSACTION)
}

/// Not a test: the process that the tests of this module start and kill.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
#[ignore = "started by the other tests"]
async fn serve_until_killed() {
    killable_service::serve_until_killed().await;
}

#[tokio::test]
async fn refresh_is_atomic_when_killed_at_any_step() {
    kill_at_every_step::<RefreshFlow>().await;
}

#[tokio::test]
async fn code_exchange_is_atomic_when_killed_at_any_step() {
    kill_at_every_step::<CodeExchangeFlow>().await;
}

#[tokio::test]
async fn client_credentials_is_atomic_when_killed_at_any_step() {
    kill_at_every_step::<ClientCredentialsFlow>().await;
}

#[tokio::test]
async fn concurrent_refreshes_are_acknowledged_only_after_their_commit() {
    const CLIENTS: usize = 8;
    let mut folder = ServiceFolder::new();
    // On SQLite concurrent requests share a transaction, so several of the eight are affected by each kill.
    let steps = by_engine(
        &[
            (0, "UPDATE refresh_tokens"),
            (0, "INSERT INTO refresh_tokens"),
            (0, "INSERT INTO audit_events"),
            (0, "COMMIT"),
        ][..],
        &[(0, TRANSACTION), (CLIENTS / 2, TRANSACTION)],
    );
    for &(skip, step) in steps {
        let killable = KillableService::start(&folder, Some((skip, step))).await;
        let mut old = Vec::new();
        for _ in 0..CLIENTS {
            let tokens = killable.process.client.sign_in(NOURA).await;
            old.push(tokens.text("refresh_token").to_owned());
        }
        killable.arm();
        let service = Arc::new(killable.process.client.clone());
        let tasks = old.clone().into_iter().map(|old| {
            let service = service.clone();
            tokio::spawn(
                async move { token_response(&service, &refresh_form(&service, &old)).await },
            )
        });
        let tasks: Vec<_> = tasks.collect();
        killable.stopped().await;
        let steps = killable.kill();
        let committed = steps.iter().any(|step| is_commit(step));
        let mut responses = Vec::new();
        for task in tasks {
            responses.push(task.await.unwrap());
        }

        let service = restart(folder).await;
        assert_consistent(&service.folder).await;
        for (old, response) in old.iter().zip(responses) {
            let current = response
                .as_ref()
                .map_or(old.as_str(), |response| response.text("refresh_token"));
            let second = service.refresh(current).await;
            if response.is_some() || !committed {
                assert_eq!(
                    second.status,
                    StatusCode::OK,
                    "{step} {skip}: the latest refresh token works: {}",
                    second.body
                );
            } else if second.status != StatusCode::OK {
                second.is_oauth_error(400, "invalid_grant");
            }
        }
        folder = shut_down(service).await;
    }
}

/// A token request that is killed at each of its steps.
trait TokenFlow {
    /// State of the client before the request.
    type Prepared;
    /// The tables that its transaction writes on SQLite.
    const TABLES_OF_SQLITE: &'static [&'static str];
    /// And on PostgreSQL, in one statement.
    const TABLES_OF_POSTGRES: &'static [&'static str];

    async fn prepare(service: &ServiceClient) -> Self::Prepared;
    fn form(service: &ServiceClient, prepared: &Self::Prepared) -> Vec<(String, String)>;
    /// Checks the state after the restart; `committed` tells whether the transaction was committed before the kill.
    async fn verify(service: &Service, prepared: Self::Prepared, committed: bool, killed_at: &str);
}

/// Repeats the request and kills the process at each of its steps.
async fn kill_at_every_step<F: TokenFlow>() {
    let mut folder = ServiceFolder::new();
    let steps = steps::<F>(&folder).await;
    let committed = steps.iter().position(|step| is_commit(step));
    let committed = committed.unwrap_or_else(|| panic!("no transaction in {steps:#?}"));
    for (number, killed_at) in steps.iter().enumerate() {
        let killable = KillableService::start(&folder, Some((number, ""))).await;
        let prepared = F::prepare(&killable.process.client).await;
        killable.arm();
        let form = F::form(&killable.process.client, &prepared);
        let acknowledged = tokio::select! {
            response = token_response(&killable.process.client, &form) => response.is_some(),
            () = killable.stopped() => false,
        };
        assert!(
            !acknowledged,
            "{killed_at}: the response arrived before the last step"
        );
        assert_eq!(
            killable.kill(),
            steps[..=number],
            "the steps before the kill are the same"
        );

        let service = restart(folder).await;
        assert_consistent(&service.folder).await;
        F::verify(&service, prepared, number >= committed, killed_at).await;
        folder = shut_down(service).await;
    }
}

/// The steps of a request that is not killed.
async fn steps<F: TokenFlow>(folder: &ServiceFolder) -> Vec<String> {
    let killable = KillableService::start(folder, None).await;
    let prepared = F::prepare(&killable.process.client).await;
    killable.arm();
    let form = F::form(&killable.process.client, &prepared);
    let response = token_response(&killable.process.client, &form).await;
    let response = response.expect("the service is running");
    assert_eq!(response.status, StatusCode::OK, "{}", response.body);
    let steps = killable.kill();
    let at = |found: &dyn Fn(&str) -> bool| {
        let position = steps.iter().position(|step| found(step));
        position.unwrap_or_else(|| panic!("a step is missing in {steps:#?}"))
    };
    let begun = at(&|step| step.starts_with(by_engine("BEGIN", TRANSACTION)));
    let committed = at(&is_commit);
    for table in by_engine(F::TABLES_OF_SQLITE, F::TABLES_OF_POSTGRES) {
        let written = at(&|step| {
            step.contains(&format!("INSERT INTO {table} "))
                || step.contains(&format!("UPDATE {table} "))
        });
        assert!(
            (begun..=committed).contains(&written),
            "{table}: {steps:#?}"
        );
    }
    assert_eq!(
        (steps.len(), steps.last().map(String::as_str)),
        (committed + 2, Some(RESPONSE_READY)),
        "{steps:#?}"
    );
    steps
}

fn owned_form(form: &[(&str, &str)]) -> Vec<(String, String)> {
    let pairs = form
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    pairs.collect()
}

fn refresh_form(service: &ServiceClient, refresh_token: &str) -> Vec<(String, String)> {
    owned_form(&[
        ("grant_type", "refresh_token"),
        (
            "client_id",
            &service.application(ApplicationKind::Public).client_id,
        ),
        ("refresh_token", refresh_token),
    ])
}

/// The response of the token endpoint, or `None` if the process is killed before it is complete.
async fn token_response(service: &ServiceClient, form: &[(String, String)]) -> Option<Response> {
    let request = service
        .http
        .post(service.auth("/oauth/v2/token"))
        .form(form);
    let response = request.send().await.ok()?;
    let (status, headers) = (response.status(), response.headers().clone());
    let body = response.text().await.ok()?;
    Some(Response {
        status,
        headers,
        json: serde_json::from_str(&body).expect("JSON"),
        body,
    })
}

async fn restart(folder: ServiceFolder) -> Service {
    let config = config_in(&folder);
    Service::start_configured(folder, config).await
}

async fn shut_down(service: Service) -> ServiceFolder {
    service.running.shutdown().await;
    service.folder
}

/// Asserts that every used code and refresh token has its successor, and every access token its audit event.
async fn assert_consistent(folder: &ServiceFolder) {
    for (what, query) in [
        (
            "families of a used code without exactly one unused refresh token",
            by_engine(
                "SELECT count(*) FROM families f WHERE f.scope LIKE '%offline_access%' AND f.revoked_at IS NULL
                 AND EXISTS (SELECT 1 FROM authorization_codes c WHERE c.family = f.id AND c.used_at IS NOT NULL)
                 AND (SELECT count(*) FROM refresh_tokens r WHERE r.family = f.id AND r.used_at IS NULL) <> 1",
                "SELECT count(*) FROM families f WHERE f.scope LIKE '%offline_access%' AND f.code_used_at IS NOT NULL
                 AND NOT EXISTS (SELECT 1 FROM revoked r WHERE r.kind = 'family' AND r.number = f.id)
                 AND (SELECT count(*) FROM refresh_tokens r WHERE r.family = f.id AND r.used_at IS NULL) <> 1",
            ),
        ),
        (
            "families whose access and refresh tokens differ in number",
            "SELECT count(*) FROM families f WHERE f.scope LIKE '%offline_access%'
             AND (SELECT count(*) FROM refresh_tokens r WHERE r.family = f.id)
              <> (SELECT count(*) FROM access_tokens a WHERE a.family = f.id)",
        ),
        (
            "access tokens without a token_issued audit event, or the reverse",
            "SELECT abs((SELECT count(*) FROM access_tokens)
                - (SELECT count(*) FROM audit_events WHERE kind = 'token_issued'))",
        ),
    ] {
        assert_eq!(folder.count(query).await, 0, "{what}");
    }
}
