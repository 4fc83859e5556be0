//! Health, readiness and metrics on a listener of their own, and what is never in them.

use crate::fixtures::{Answer, NOURA, Service};
use invoicing_service::Config;
use reqwest::StatusCode;

async fn watched() -> Service {
    Service::start_with(|config| Config {
        metrics: Some("127.0.0.1:0".parse().expect("an address")),
        ..config
    })
    .await
}

async fn told(service: &Service, path: &str) -> Answer {
    let address = service.running.metrics.expect("it was asked for");
    let request = service.http.get(format!("http://{address}{path}"));
    Answer::of(request.send().await.expect("the listener answers")).await
}

/// The value of the one line that begins with `series`.
#[track_caller]
fn value(metrics: &Answer, series: &str) -> u64 {
    let line = metrics.body.lines().find(|line| line.starts_with(series));
    let line = line.unwrap_or_else(|| panic!("no {series} in {}", metrics.body));
    let (_, value) = line.rsplit_once(' ').expect("a value after its series");
    value.parse().expect("a count")
}

#[tokio::test]
async fn it_is_off_unless_asked_for() {
    assert_eq!(Service::start().await.running.metrics, None);
}

#[tokio::test]
async fn a_service_that_works_is_live_and_ready() {
    let service = watched().await;
    for path in ["/healthz", "/readyz"] {
        assert_eq!(told(&service, path).await.status, StatusCode::OK, "{path}");
    }
    assert_eq!(told(&service, "/").await.status, StatusCode::NOT_FOUND);
    let elsewhere = service.http.get(service.auth("/metrics")).send().await;
    assert_eq!(
        elsewhere.unwrap().status(),
        StatusCode::NOT_FOUND,
        "callers do not see them"
    );
}

#[tokio::test]
async fn without_its_database_it_lives_and_is_not_ready() {
    let service = watched().await;
    // As a table that a botched restore left out.
    let url = format!(
        "sqlite:{}",
        service.folder.path().join("invoicing.db").display()
    );
    let mut other = <sqlx::SqliteConnection as sqlx::Connection>::connect(&url)
        .await
        .unwrap();
    sqlx::query("ALTER TABLE organizations RENAME TO elsewhere")
        .execute(&mut other)
        .await
        .unwrap();
    assert_eq!(
        told(&service, "/readyz").await.status,
        StatusCode::SERVICE_UNAVAILABLE
    );
    assert_eq!(told(&service, "/healthz").await.status, StatusCode::OK);
}

#[tokio::test]
async fn answers_and_refusals_are_counted_by_route() {
    let service = watched().await;
    let tokens = service.sign_in(NOURA).await;
    for _ in 0..3 {
        service.userinfo(tokens.text("access_token")).await;
    }
    service.refresh("nothing that was given out").await;
    let metrics = told(&service, "/metrics").await;
    assert_eq!(
        metrics.header("content-type"),
        "application/openmetrics-text; version=1.0.0; charset=utf-8"
    );
    let series = "invoicing_http_answers_total{server=\"identity\",route=\"/oidc/v1/userinfo\",status=\"200\"}";
    assert_eq!(value(&metrics, series), 3);
    let refused = "invoicing_oauth_refusals_total{error=\"invalid_grant\"}";
    assert_eq!(value(&metrics, refused), 1);
    let durations = "invoicing_http_answer_duration_seconds_count{server=\"identity\"}";
    assert!(value(&metrics, durations) >= 5, "{}", metrics.body);
    assert!(metrics.body.ends_with("# EOF\n"), "it is whole");
}

#[tokio::test]
async fn no_caller_can_make_a_series_or_leave_a_secret_there() {
    let service = watched().await;
    let tokens = service.sign_in(NOURA).await;
    let token = tokens.text("access_token").to_owned();
    for number in 0..20 {
        let path = format!("/of-a-caller/{number}?access_token={token}");
        service.http.get(service.auth(&path)).send().await.unwrap();
        service.http.get(service.base(&path)).send().await.unwrap();
        let method = reqwest::Method::from_bytes(format!("M{number}").as_bytes()).unwrap();
        let odd = service
            .http
            .request(method, service.auth("/oauth/v2/token"));
        odd.send().await.unwrap();
    }
    service
        .token(&[("grant_type", "of-a-caller"), ("client_id", "of-a-caller")])
        .await;
    let metrics = told(&service, "/metrics").await;
    for secret in [
        &token,
        tokens.text("refresh_token"),
        "of-a-caller",
        &service.user(NOURA).password,
        NOURA,
    ] {
        assert!(!metrics.body.contains(secret), "{secret}: {}", metrics.body);
    }
    let series = metrics
        .body
        .lines()
        .filter(|line| line.starts_with("invoicing_http_answers_total"))
        .count();
    assert!(series < 15, "{series} series: {}", metrics.body);
}
