//! Tests of the metrics listener: liveness, readiness, metrics, bounded label values.

use crate::fixtures::gateway::{GatewayClient, documents_client};
use crate::fixtures::{NOURA, Response, Service, by_engine};
use invoicing_contract::messages::documents::GetDocumentRequest;
use invoicing_contract::operation;
use invoicing_service::Config;
use reqwest::StatusCode;

async fn start_with_metrics() -> Service {
    Service::start_with(|config| Config {
        metrics: Some("127.0.0.1:0".parse().expect("an address")),
        ..config
    })
    .await
}

async fn get(service: &Service, path: &str) -> Response {
    let address = service.running.metrics.expect("metrics are configured");
    let request = service.http.get(format!("http://{address}{path}"));
    Response::read(request.send().await.expect("the listener responds")).await
}

/// The value of the single line that starts with `series`.
#[track_caller]
fn value(metrics: &Response, series: &str) -> u64 {
    let line = metrics.body.lines().find(|line| line.starts_with(series));
    let line = line.unwrap_or_else(|| panic!("no {series} in {}", metrics.body));
    let (_, value) = line.rsplit_once(' ').expect("a value after its series");
    value.parse().expect("a count")
}

#[tokio::test]
async fn metrics_listener_is_off_by_default() {
    assert_eq!(Service::start().await.running.metrics, None);
}

#[tokio::test]
async fn metrics_on_an_address_that_others_reach_need_tls_or_a_flag() {
    use crate::fixtures::{ServiceFolder, config_in};
    use invoicing_service::{StartError, SystemClock, SystemRng, serve};
    use std::sync::Arc;

    let folder = ServiceFolder::new();
    for address in ["0.0.0.0:0", "[::]:0"] {
        let config = Config {
            metrics: Some(address.parse().expect("an address")),
            ..config_in(&folder)
        };
        let refused = serve(config, Arc::new(SystemClock), Arc::new(SystemRng)).await;
        let error = refused.expect_err("refused");
        assert!(
            matches!(error, StartError::MetricsNotEncrypted { .. }),
            "{error}"
        );
        assert_eq!(error.exit_code(), 64);
    }
    let service = Service::start_with(|config| Config {
        metrics: Some("0.0.0.0:0".parse().expect("an address")),
        metrics_in_clear: true,
        ..config
    })
    .await;
    assert_eq!(get(&service, "/healthz").await.status, StatusCode::OK);
    service.running.shutdown().await;
}

#[tokio::test]
async fn healthy_service_is_live_and_ready() {
    let service = start_with_metrics().await;
    for path in ["/healthz", "/readyz"] {
        assert_eq!(get(&service, path).await.status, StatusCode::OK, "{path}");
    }
    assert_eq!(get(&service, "/").await.status, StatusCode::NOT_FOUND);
    let elsewhere = service.http.get(service.auth("/metrics")).send().await;
    assert_eq!(
        elsewhere.unwrap().status(),
        StatusCode::NOT_FOUND,
        "the public listeners do not serve metrics"
    );
}

#[tokio::test]
async fn service_without_database_is_live_but_not_ready() {
    let service = start_with_metrics().await;
    // A missing table makes the readiness check fail.
    let rename = "ALTER TABLE organizations RENAME TO elsewhere";
    service.execute_sql(rename).await;
    assert_eq!(
        get(&service, "/readyz").await.status,
        StatusCode::SERVICE_UNAVAILABLE
    );
    assert_eq!(get(&service, "/healthz").await.status, StatusCode::OK);
    let rename = "ALTER TABLE elsewhere RENAME TO organizations";
    service.execute_sql(rename).await;
    assert_eq!(get(&service, "/readyz").await.status, StatusCode::OK);
}

#[tokio::test]
async fn responses_and_rejections_are_counted_by_route() {
    let service = start_with_metrics().await;
    let tokens = service.sign_in(NOURA).await;
    for _ in 0..3 {
        service.userinfo(tokens.text("access_token")).await;
    }
    service.refresh("never issued").await;
    let metrics = get(&service, "/metrics").await;
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
    assert!(
        metrics.body.ends_with("# EOF\n"),
        "the exposition is complete"
    );
}

#[tokio::test]
async fn operations_of_the_gateway_are_counted_by_path_and_errors_of_grpc_by_their_status() {
    let service = start_with_metrics().await;
    let gateway = GatewayClient::new(&service).await;
    let missing = "/api/v2/documents/0190a6c2-7d1e-7f00-a111-000000000001";
    assert_eq!(gateway.get(missing).await.status, StatusCode::NOT_FOUND);
    let mut documents = documents_client(&service).await;
    let refused = documents.get_document(GetDocumentRequest::default()).await;
    let status = refused.expect_err("there is no token");
    assert_eq!(status.code(), tonic::Code::PermissionDenied);
    let metrics = get(&service, "/metrics").await;
    let route = operation::GET_DOCUMENT.path;
    for status in ["404", "403"] {
        let series = format!(
            "invoicing_http_answers_total{{server=\"gateway\",route=\"{route}\",status=\"{status}\"}}"
        );
        assert_eq!(value(&metrics, &series), 1, "{status}");
    }
}

#[tokio::test]
async fn storage_shows_its_readiness_and_its_pool() {
    let service = start_with_metrics().await;
    let metrics = get(&service, "/metrics").await;
    assert_eq!(value(&metrics, "invoicing_storage_ready "), 1);
    let maintained = "invoicing_maintenance_completed_timestamp_seconds ";
    assert!(value(&metrics, maintained) > 0, "{}", metrics.body);
    let pool = "invoicing_storage_connections_limit{engine=\"postgresql\"} ";
    let has_pool = metrics.body.contains(pool);
    assert_eq!(has_pool, by_engine(false, true), "{}", metrics.body);
}

#[tokio::test]
async fn clients_cannot_create_series_or_put_secrets_into_metrics() {
    let service = start_with_metrics().await;
    let tokens = service.sign_in(NOURA).await;
    let token = tokens.text("access_token").to_owned();
    for number in 0..20 {
        let path = format!("/of-a-gateway/{number}?access_token={token}");
        service.http.get(service.auth(&path)).send().await.unwrap();
        service.http.get(service.base(&path)).send().await.unwrap();
        let method = reqwest::Method::from_bytes(format!("M{number}").as_bytes()).unwrap();
        let odd = service
            .http
            .request(method, service.auth("/oauth/v2/token"));
        odd.send().await.unwrap();
    }
    service
        .token(&[
            ("grant_type", "of-a-gateway"),
            ("client_id", "of-a-gateway"),
        ])
        .await;
    let metrics = get(&service, "/metrics").await;
    for secret in [
        &token,
        tokens.text("refresh_token"),
        "of-a-gateway",
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
