//! Tests of the limits of requests per address and per application at the endpoints of the provider.

use invoicing_contract::ready::ApplicationKind;
use invoicing_identity::RequestLimitSettings;
use invoicing_service::Config;
use reqwest::StatusCode;

use crate::fixtures::user_agent::{AuthorizationRequest, UserAgent};
use crate::fixtures::{NOURA, Response, Service, by_engine};

/// Starts a service behind a proxy, so that a test chooses the addresses of its requests.
async fn start(address_per_minute: u32, application_per_minute: u32) -> Service {
    Service::start_with(|config| Config {
        proxies: vec!["127.0.0.1/32".parse().expect("a network")],
        request_limits: RequestLimitSettings {
            address_per_minute,
            application_per_minute,
        },
        ..config
    })
    .await
}

async fn post(service: &Service, path: &str, address: &str, form: &[(&str, &str)]) -> Response {
    let request = service
        .http
        .post(service.auth(path))
        .header("x-forwarded-for", address)
        .form(form);
    Response::read(request.send().await.expect("the service responds")).await
}

/// Sends requests until one is refused with 429, and returns it with the number of those before.
async fn until_refused(send: impl AsyncFn() -> Response) -> (usize, Response) {
    for before in 0..1_000 {
        let response = send().await;
        if response.status == StatusCode::TOO_MANY_REQUESTS {
            return (before, response);
        }
    }
    panic!("no request was refused")
}

/// The credentials of the seed's application of `kind`.
fn credentials(service: &Service, kind: ApplicationKind) -> [(&'static str, String); 2] {
    let application = service.application(kind);
    let secret = application.client_secret.clone().expect("a secret");
    [
        ("client_id", application.client_id.clone()),
        ("client_secret", secret),
    ]
}

#[tokio::test]
async fn every_endpoint_for_applications_refuses_an_address_over_its_limit() {
    for path in [
        "/oauth/v2/token",
        "/oauth/v2/par",
        "/oauth/v2/introspect",
        "/oauth/v2/revoke",
    ] {
        let service = start(50, 0).await;
        for form in [
            &[("client_id", "nobody"), ("client_secret", "wrong")][..],
            &[][..],
        ] {
            let address = format!("192.0.2.{}", form.len());
            let send = async || post(&service, path, &address, form).await;
            let (before, refused) = until_refused(send).await;
            assert_eq!(before, 5, "{path}: a failure costs as much as ten requests");
            refused.is_oauth_error(429, "temporarily_unavailable");
            let wait: i64 = refused.header("retry-after").parse().unwrap();
            assert!((1..=2).contains(&wait), "{path}: {wait} s");
        }
        let elsewhere = post(&service, path, "192.0.2.9", &[]).await;
        assert_ne!(elsewhere.status, StatusCode::TOO_MANY_REQUESTS, "{path}");
        service.running.shutdown().await;
    }
}

#[tokio::test]
async fn userinfo_refuses_an_address_over_its_limit_and_an_application_at_an_address() {
    let service = start(50, 3).await;
    let token = service.machine_token(&service.audience_scope()).await;
    let call = async |address: &str, token: &str| {
        let request = service
            .http
            .get(service.auth("/oidc/v1/userinfo"))
            .header("x-forwarded-for", address)
            .bearer_auth(token);
        Response::read(request.send().await.expect("the service responds")).await
    };
    let (before, refused) = until_refused(async || call("192.0.2.1", "unknown").await).await;
    assert_eq!(before, 5);
    refused.is_oauth_error(429, "temporarily_unavailable");
    assert_eq!(
        call("192.0.2.1", &token).await.status,
        StatusCode::OK,
        "a valid token at the same address"
    );
    let (before, refused) = until_refused(async || call("192.0.2.2", &token).await).await;
    assert_eq!(before, 3);
    refused.header("retry-after");
    assert_eq!(call("192.0.2.3", &token).await.status, StatusCode::OK);
    service.running.shutdown().await;
}

#[tokio::test]
async fn pages_refuse_an_address_over_its_limit_with_a_page() {
    let service = start(5, 0).await;
    let authorization = AuthorizationRequest::new(&service, "openid");
    for path in [
        authorization.path(),
        "/account/password".to_owned(),
        "/oidc/v1/end_session".to_owned(),
    ] {
        let address = format!("192.0.2.{}", path.len() % 250);
        let send = async || {
            UserAgent::new(&service)
                .with_address(&address)
                .get(&path)
                .await
        };
        let (before, refused) = until_refused(send).await;
        assert_eq!(before, 5, "{path}");
        assert!(refused.header("content-type").starts_with("text/html"));
        assert!(
            refused.body.contains("Too many requests"),
            "{}",
            refused.body
        );
        refused.header("retry-after");
        assert!(!refused.headers.contains_key("location"), "{path}");
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn ipv6_site_cannot_avoid_the_limit_with_many_addresses() {
    let service = start(10, 0).await;
    let path = AuthorizationRequest::new(&service, "openid").path();
    let next = std::cell::Cell::new(0);
    let send = async || {
        let number = next.replace(next.get() + 1);
        let address = format!("2001:db8:1:{number:x}::1");
        UserAgent::new(&service)
            .with_address(&address)
            .get(&path)
            .await
    };
    let (before, _) = until_refused(send).await;
    assert_eq!(before, 40, "all in one /56");
    let mut other_site = UserAgent::new(&service).with_address("2001:db8:2::1");
    assert_eq!(other_site.get(&path).await.status, StatusCode::OK);
    service.running.shutdown().await;
}

#[tokio::test]
async fn authenticated_application_has_its_own_limit_and_not_that_of_its_address() {
    let service = start(5, 20).await;
    let address = "192.0.2.1";
    let nobody = [("client_id", "nobody")];
    until_refused(async || post(&service, "/oauth/v2/token", address, &nobody).await).await;

    let machine = credentials(&service, ApplicationKind::Machine);
    let mut form: Vec<_> = machine
        .iter()
        .map(|(name, value)| (*name, value.as_str()))
        .collect();
    form.push(("grant_type", "client_credentials"));
    let send = async || post(&service, "/oauth/v2/token", address, &form).await;
    let (before, refused) = until_refused(send).await;
    // The first request is decided twice, because the directory changed since the start.
    assert!((19..=20).contains(&before), "of its own limit: {before}");
    refused.is_oauth_error(429, "temporarily_unavailable");

    let api = credentials(&service, ApplicationKind::Api);
    let mut form: Vec<_> = api
        .iter()
        .map(|(name, value)| (*name, value.as_str()))
        .collect();
    form.push(("token", "unknown"));
    let introspected = post(&service, "/oauth/v2/introspect", address, &form).await;
    assert_eq!(introspected.status, StatusCode::OK, "another application");
    service.running.shutdown().await;
}

#[tokio::test]
async fn right_secret_is_not_compared_after_twenty_wrong_ones_from_the_same_address() {
    let service = start(100_000, 0).await;
    let [(_, client_id), (_, secret)] = credentials(&service, ApplicationKind::Api);
    let introspect = async |address: &str, secret: &str| {
        let form = [
            ("client_id", client_id.as_str()),
            ("client_secret", secret),
            ("token", "unknown"),
        ];
        post(&service, "/oauth/v2/introspect", address, &form).await
    };
    let (before, _) = until_refused(async || introspect("192.0.2.1", "wrong").await).await;
    assert_eq!(before, 20);
    let guessed = introspect("192.0.2.1", &secret).await;
    assert_eq!(guessed.status, StatusCode::TOO_MANY_REQUESTS);
    let elsewhere = introspect("192.0.2.2", &secret).await;
    assert_eq!(elsewhere.status, StatusCode::OK, "nobody can lock it out");
    service.clock.advance(30);
    let later = introspect("192.0.2.1", &secret).await;
    assert_eq!(later.status, StatusCode::OK, "after the wait");
    service.running.shutdown().await;
}

#[tokio::test]
async fn request_that_the_limits_refuse_reads_nothing() {
    let service = start(20, 0).await;
    let public = service.application(ApplicationKind::Public);
    let nobody = [("client_id", "nobody")];
    until_refused(async || post(&service, "/oauth/v2/token", "192.0.2.1", &nobody).await).await;
    // Every read that a request begins with reads the version as well.
    let fail = by_engine(
        "ALTER TABLE generation RENAME TO former_generation",
        "REVOKE SELECT ON versions FROM invoicing_application",
    );
    service.execute_sql(fail).await;
    let cases: [(&str, &[(&str, &str)]); 6] = [
        ("/oauth/v2/token", &[("grant_type", "refresh_token")]),
        ("/oauth/v2/token", &[("grant_type", "authorization_code")]),
        ("/oauth/v2/token", &[("grant_type", "client_credentials")]),
        ("/oauth/v2/par", &[]),
        ("/oauth/v2/introspect", &[]),
        ("/oauth/v2/revoke", &[]),
    ];
    for (path, parameters) in cases {
        let mut form = vec![("client_id", public.client_id.as_str())];
        form.extend(["code", "refresh_token", "token"].map(|name| (name, "unknown")));
        form.extend(parameters);
        let refused = post(&service, path, "192.0.2.1", &form).await;
        refused.is_oauth_error(429, "temporarily_unavailable");
        let read = post(&service, path, "192.0.2.2", &form).await;
        read.is_oauth_error(503, "temporarily_unavailable");
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn wrong_secrets_are_refused_alike_whether_the_application_exists() {
    let service = start(100_000, 0).await;
    let existing = &service.application(ApplicationKind::Api).client_id;
    for client_id in [existing.as_str(), "nobody"] {
        let form = [("client_id", client_id), ("client_secret", "wrong")];
        let send = async || post(&service, "/oauth/v2/introspect", "192.0.2.1", &form).await;
        let (before, _) = until_refused(send).await;
        assert_eq!(before, 20, "{client_id}");
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn wrong_secrets_of_nobody_are_not_counted_over_the_limit_of_the_address() {
    let service = start(20, 0).await;
    let nobody = [("client_id", "nobody")];
    until_refused(async || post(&service, "/oauth/v2/token", "192.0.2.1", &nobody).await).await;
    let form = [("client_id", "unknown"), ("client_secret", "wrong")];
    let send = async || post(&service, "/oauth/v2/introspect", "192.0.2.1", &form).await;
    for _ in 0..25 {
        assert_eq!(send().await.status, StatusCode::TOO_MANY_REQUESTS);
    }
    // The address may send again, long before a secret after twenty wrong ones may be compared.
    service.clock.advance(5);
    assert_eq!(send().await.status, StatusCode::UNAUTHORIZED);
    service.running.shutdown().await;
}

#[tokio::test]
async fn wrong_secret_is_refused_and_counted_while_nothing_can_be_written() {
    let service = start(50, 0).await;
    for table in ["failed_attempts", "audit_events"] {
        let refuse = by_engine(
            format!(
                "CREATE TRIGGER full_{table} BEFORE INSERT ON {table} BEGIN SELECT RAISE(ABORT, 'no room'); END"
            ),
            format!("REVOKE INSERT ON {table} FROM invoicing_application"),
        );
        service.execute_sql(&refuse).await;
    }
    let existing = service.application(ApplicationKind::Api).client_id.as_str();
    let introspect = async |client_id: &str| {
        let form = [
            ("client_id", client_id),
            ("client_secret", "wrong"),
            ("token", "unknown"),
        ];
        post(&service, "/oauth/v2/introspect", "192.0.2.1", &form).await
    };
    for _ in 0..5 {
        let refused = introspect(existing).await;
        refused.is_oauth_error(401, "invalid_client");
    }
    for _ in 5..20 {
        let over_the_limit_of_the_address = introspect(existing).await;
        over_the_limit_of_the_address.is_oauth_error(429, "temporarily_unavailable");
    }
    // The address may send again, and the application has had twenty wrong secrets.
    service.clock.advance(5);
    let other = introspect("nobody").await;
    other.is_oauth_error(401, "invalid_client");
    let refused = introspect(existing).await;
    refused.is_oauth_error(429, "temporarily_unavailable");
    service.running.shutdown().await;
}

#[tokio::test]
async fn refused_refresh_does_not_spend_its_token() {
    let service = start(20, 0).await;
    let tokens = service.sign_in(NOURA).await;
    let refresh_token = tokens.text("refresh_token");
    let desktop = &service.application(ApplicationKind::Public).client_id;
    let form = [
        ("grant_type", "refresh_token"),
        ("client_id", desktop.as_str()),
        ("refresh_token", refresh_token),
    ];
    let nobody = [("client_id", "nobody")];
    until_refused(async || post(&service, "/oauth/v2/token", "192.0.2.1", &nobody).await).await;
    let refused = post(&service, "/oauth/v2/token", "192.0.2.1", &form).await;
    refused.is_oauth_error(429, "temporarily_unavailable");
    let wait: i64 = refused.header("retry-after").parse().unwrap();
    service.clock.advance(wait);
    let refreshed = post(&service, "/oauth/v2/token", "192.0.2.1", &form).await;
    assert_eq!(refreshed.status, StatusCode::OK, "{}", refreshed.body);
    service.running.shutdown().await;
}

#[tokio::test]
async fn limit_holds_after_the_wall_clock_is_set_and_locks_nobody_out() {
    for seconds in crate::fixtures::CLOCK_STEPS {
        let service = start(60, 0).await;
        let send = async || post(&service, "/oauth/v2/token", "192.0.2.1", &[]).await;
        until_refused(send).await;
        service.clock.step_wall_clock(seconds);
        assert_eq!(send().await.status, StatusCode::TOO_MANY_REQUESTS);
        service.clock.advance(60);
        assert_eq!(send().await.status, StatusCode::BAD_REQUEST, "{seconds} s");
        service.running.shutdown().await;
    }
}

#[tokio::test]
async fn limits_of_zero_refuse_nothing() {
    let service = start(0, 0).await;
    for _ in 0..200 {
        let failed = post(&service, "/oauth/v2/token", "192.0.2.1", &[]).await;
        assert_eq!(failed.status, StatusCode::BAD_REQUEST);
    }
    service.running.shutdown().await;
}
