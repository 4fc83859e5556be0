//! Tests of two processes on one database.

use std::time::Instant;

use crate::fixtures::process::Process;
use crate::fixtures::user_agent::{AuthorizationRequest, Callback, Form, UserAgent};
use crate::fixtures::{HOME, NOURA, Response, SALEM, ServiceClient, ServiceFolder, by_engine};
use invoicing_contract::ready::ApplicationKind;
use reqwest::StatusCode;

#[tokio::test]
async fn fifty_concurrent_refreshes_at_two_processes_yield_exactly_one_success() {
    let folder = ServiceFolder::new();
    let first = Process::start(&folder, &[]).await;
    let second = Process::start(&folder, &[]).await;
    let tokens = first.client.sign_in(NOURA).await;
    let token = tokens.text("refresh_token");
    let at = |service| {
        crate::fixtures::send_concurrently(25, move || ServiceClient::refresh(service, token))
    };
    let (here, there) = tokio::join!(at(&first.client), at(&second.client));
    let (won, lost): (Vec<_>, Vec<_>) = here
        .iter()
        .chain(&there)
        .partition(|response| response.status == StatusCode::OK);
    assert_eq!((won.len(), lost.len()), (1, 49));
    for response in lost {
        response.is_oauth_error(400, "invalid_grant");
    }
    for process in [&first, &second] {
        process
            .client
            .refresh(token)
            .await
            .is_oauth_error(400, "invalid_grant");
    }
    let next = second.client.refresh(won[0].text("refresh_token")).await;
    assert_eq!(next.status, StatusCode::OK, "the successor: {}", next.body);
    assert_eq!(
        first
            .client
            .userinfo(next.text("access_token"))
            .await
            .status,
        StatusCode::OK,
        "tokens issued by one process work at the other"
    );
}

#[tokio::test]
async fn code_is_redeemed_at_only_one_of_two_processes() {
    let folder = ServiceFolder::new();
    let first = Process::start(&folder, &[]).await;
    let second = Process::start(&folder, &[]).await;
    let authorization = AuthorizationRequest::new(&first.client, &first.client.desktop_scope());
    let callback = UserAgent::new(&first.client)
        .sign_in(&first.client, &authorization, NOURA)
        .await;
    let at = |service| {
        let (authorization, callback) = (&authorization, &callback);
        crate::fixtures::send_concurrently(10, move || {
            ServiceClient::redeem(service, authorization, callback)
        })
    };
    let (here, there) = tokio::join!(at(&first.client), at(&second.client));
    let won = here
        .iter()
        .chain(&there)
        .filter(|response| response.status == StatusCode::OK)
        .count();
    // Those who lose revoke what the code produced, but only after they have found it used: the first has its tokens then.
    assert_eq!(won, 1);
}

#[tokio::test]
async fn pushed_request_is_used_at_only_one_of_two_processes() {
    let folder = ServiceFolder::new();
    let first = Process::start(&folder, &[]).await;
    let second = Process::start(&folder, &[]).await;
    let authorization = AuthorizationRequest::new(&first.client, &first.client.desktop_scope());
    let mut browser = UserAgent::new(&first.client);
    let callback = browser.sign_in(&first.client, &authorization, NOURA).await;
    let tokens = first.client.redeem(&authorization, &callback).await;
    let silent = authorization.with("prompt", "none");
    let pushed = first
        .client
        .push(&silent, Some(tokens.text("access_token")));
    let path = silent.pushed_path(&pushed.await);
    let cookies: Vec<_> = browser
        .cookies
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    let cookies = cookies.join("; ");
    let at = |service| {
        let (path, cookies) = (&*path, &*cookies);
        crate::fixtures::send_concurrently(10, move || open(service, path, cookies))
    };
    let (here, there) = tokio::join!(at(&second.client), at(&first.client));
    let answers = here.iter().chain(&there).map(Callback::from_redirect);
    let (codes, refused): (Vec<_>, Vec<_>) =
        answers.partition(|answer| answer.parameters.contains_key("code"));
    assert_eq!((codes.len(), refused.len()), (1, 19));
    for answer in refused {
        assert_eq!(answer.error(), Some("invalid_request_uri"));
    }
}

#[tokio::test]
async fn rate_limit_holds_at_two_processes_together_within_its_tolerance() {
    /// Requests of a minute.
    const LIMIT: u128 = 300;
    /// Those of a second: what each process that holds some can lose (decision 0108).
    const PER_SECOND: u128 = LIMIT / 60;

    let folder = ServiceFolder::new();
    let first = Process::start(&folder, &[]).await;
    let second = Process::start(&folder, &[]).await;
    let tokens = first.client.sign_in(NOURA).await;
    let token = tokens.text("access_token");
    let limit = format!(
        "UPDATE tenants SET requests_per_minute = {LIMIT} WHERE organization_id = '{HOME}'"
    );
    folder.execute_sql(&limit).await;
    #[expect(
        clippy::disallowed_methods,
        reason = "measures how much the budget has grown, which has the real clock"
    )]
    let begun = Instant::now();
    let mut admitted = 0;
    loop {
        let (here, there) = tokio::join!(
            first.client.list_status(token, None),
            second.client.list_status(token, None)
        );
        match (here, there) {
            (StatusCode::OK, StatusCode::OK) => admitted += 2,
            (StatusCode::OK, StatusCode::TOO_MANY_REQUESTS)
            | (StatusCode::TOO_MANY_REQUESTS, StatusCode::OK) => admitted += 1,
            refused => {
                assert_eq!(
                    refused,
                    (StatusCode::TOO_MANY_REQUESTS, StatusCode::TOO_MANY_REQUESTS)
                );
                break;
            }
        }
    }
    // SQLite serves one process: each has a budget of its own.
    let budgets = by_engine(2, 1);
    let added = begun.elapsed().as_millis() * PER_SECOND / 1_000 + 1;
    let (least, most) = (LIMIT * budgets - PER_SECOND * 2, (LIMIT + added) * budgets);
    assert!(
        (least..=most).contains(&admitted),
        "{admitted} of {least} to {most}"
    );
}

#[tokio::test]
async fn wrong_passwords_and_secrets_at_two_processes_are_counted_together_also_after_a_restart() {
    let folder = ServiceFolder::new();
    let first = Process::start(&folder, &[]).await;
    let second = Process::start(&folder, &[]).await;
    // Whoever has not compared one since learns of the others by one more, and one is forgotten in half a minute.
    let compared = try_wrong_secrets([&first, &second]).await;
    assert!((20..=23).contains(&compared), "{compared} of 20");

    let mut answers = Vec::new();
    for _ in 0..4 {
        for process in [&first, &second] {
            answers.push(try_wrong_password(&process.client).await);
        }
    }
    let (compared, delayed) = answers.split_at(5);
    assert_eq!(compared, [StatusCode::UNPROCESSABLE_ENTITY; 5]);
    assert_eq!(delayed, [StatusCode::TOO_MANY_REQUESTS; 3]);

    // So many that the delay is longer than a process takes to start.
    let more = "UPDATE failed_attempts SET level = 12";
    folder.execute_sql(more).await;
    for process in [first, second] {
        process.kill();
    }
    let restarted = Process::start(&folder, &[]).await;
    let delayed = try_wrong_password(&restarted.client).await;
    assert_eq!(delayed, StatusCode::TOO_MANY_REQUESTS);
    let authorization = AuthorizationRequest::new(&restarted.client, "openid");
    let other = UserAgent::new(&restarted.client)
        .sign_in(&restarted.client, &authorization, SALEM)
        .await;
    assert_eq!(other.error(), None, "another account");
}

/// The status of the answer to a wrong password of Noura, in a new browser.
async fn try_wrong_password(service: &ServiceClient) -> StatusCode {
    let authorization = AuthorizationRequest::new(service, "openid");
    let mut browser = UserAgent::new(service);
    let form = Form::find(&browser.get(&authorization.path()).await, "sign-in");
    let wrong = [("username", NOURA), ("password", "wrong")];
    browser.submit(&form, &wrong).await.status
}

/// Tries wrong secrets of an application at two processes in turn, until both compare no more. How many were compared.
async fn try_wrong_secrets(processes: [&Process; 2]) -> usize {
    let client_id = &processes[0]
        .client
        .application(ApplicationKind::Api)
        .client_id;
    let introspect = async |process: &Process| {
        let form = [
            ("client_id", client_id.as_str()),
            ("client_secret", "wrong"),
            ("token", "unknown"),
        ];
        let address = process.client.auth("/oauth/v2/introspect");
        let request = process.client.http.post(address).form(&form);
        request.send().await.expect("the service responds").status()
    };
    let mut compared = 0;
    loop {
        let [here, there] = processes;
        let answers = [introspect(here).await, introspect(there).await];
        if answers == [StatusCode::TOO_MANY_REQUESTS; 2] {
            return compared;
        }
        let wrong = answers.map(|status| usize::from(status == StatusCode::UNAUTHORIZED));
        compared += wrong.iter().sum::<usize>();
    }
}

async fn open(service: &ServiceClient, path: &str, cookies: &str) -> Response {
    let request = service
        .http
        .get(service.auth(path))
        .header("cookie", cookies);
    Response::read(request.send().await.expect("the service responds")).await
}
