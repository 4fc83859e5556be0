//! The calls of an environment that names a proxy go through it, those of one that names none do not.

use std::net::{Ipv4Addr, SocketAddr};

use end_to_end::fault_proxy::{HOST, TestAuthority};
use invoicing_client::views::{
    CommandError, ConnectProblem, DiagnosedServer, DiagnosisFinding, EnvironmentConfig,
    WindowBinding,
};

use crate::fixtures::{Browser, HOME, HttpProxy, NOURA, Service, TestApp, page, staging};

const TOKEN: &str = "/oauth/v2/token";
const LIST: &str = "/simple/invoices/list";

fn config(service: &Service, proxy: &str) -> EnvironmentConfig {
    EnvironmentConfig {
        proxy: proxy.to_owned(),
        ..staging(service, &service.ready.audience_id)
    }
}

/// Signs in to the environment `staging` and lists invoices.
async fn sign_in_and_list(
    app: &TestApp,
    service: &Service,
    browser: &mut Browser,
) -> WindowBinding {
    app.sign_in_to_staging(service, NOURA, browser).await;
    let binding = app.switch_organization(HOME).await;
    list(app, &binding).await.expect("a page");
    binding
}

async fn list(app: &TestApp, binding: &WindowBinding) -> Result<(), CommandError> {
    let list = app
        .desktop
        .list_invoices(&app.window, binding.clone(), page());
    list.await.map(|_| ())
}

/// The findings of a diagnosis about the identity provider.
async fn diagnose(app: &TestApp) -> Vec<DiagnosisFinding> {
    let diagnosis = app
        .desktop
        .diagnose(&app.window, "staging".to_owned())
        .await;
    let steps = diagnosis.expect("a diagnosis").steps.into_iter();
    steps
        .filter(|step| step.server == DiagnosedServer::IdentityProvider)
        .map(|step| step.finding)
        .collect()
}

#[tokio::test]
async fn calls_with_plain_http_go_through_the_proxy_of_the_environment() {
    let service = Service::staging().await;
    let proxy = HttpProxy::start().await;
    let app = TestApp::start(&service).await;
    app.add_environment(config(&service, &proxy.address()))
        .await;
    let binding = sign_in_and_list(&app, &service, &mut Browser::new()).await;
    let draft = app.new_draft(&binding).await;
    app.send_draft(&binding, draft).await.expect("created");
    let seen = proxy.seen();
    let through = |path: &str| seen.iter().filter(|seen| seen.ends_with(path)).count();
    assert_eq!(through(TOKEN), service.identity.requests(TOKEN).len());
    assert_eq!(through(LIST), service.gateway.requests(LIST).len());
    assert_eq!(
        seen.iter()
            .filter(|seen| seen.contains(&service.ready.base_url))
            .count(),
        service.gateway.requests("").len(),
        "a call of the gateway did not go through the proxy: {seen:?}"
    );
    let found = diagnose(&app).await;
    assert!(
        matches!(found.last(), Some(DiagnosisFinding::Discovered)),
        "{found:?}"
    );
}

#[tokio::test]
async fn calls_with_tls_go_through_tunnels_of_the_proxy_which_resolves_the_names() {
    let authority = TestAuthority::new();
    let service = Service::staging_tls(&authority).await;
    let proxy = HttpProxy::start().await;
    let app = TestApp::start(&service).await;
    let ca_file = app.folder.path().join("ca.pem");
    std::fs::write(&ca_file, authority.pem()).expect("written");
    let config = EnvironmentConfig {
        ca_file: ca_file.display().to_string(),
        ..config(&service, &proxy.address())
    };
    app.add_environment(config).await;
    let certificate = reqwest::Certificate::from_pem(authority.pem().as_bytes()).expect("PEM");
    let client = reqwest::Client::builder()
        .tls_certs_only([certificate])
        .resolve(HOST, SocketAddr::from((Ipv4Addr::LOCALHOST, 0)));
    // This computer does not know the name of the servers.
    sign_in_and_list(&app, &service, &mut Browser::with_client(client)).await;
    for server in [&service.ready.auth_url, &service.ready.base_url] {
        let tunnel = server.replace("https://", "CONNECT ");
        assert!(proxy.seen().contains(&tunnel), "{:?}", proxy.seen());
    }
    let found = diagnose(&app).await;
    assert!(
        matches!(found.last(), Some(DiagnosisFinding::Discovered)),
        "{found:?}"
    );
}

#[tokio::test]
async fn calls_go_to_the_server_after_the_environment_was_changed_to_no_proxy() {
    let service = Service::staging().await;
    let proxy = HttpProxy::start().await;
    let app = TestApp::start(&service).await;
    let mut browser = Browser::new();
    app.add_environment(config(&service, &proxy.address()))
        .await;
    sign_in_and_list(&app, &service, &mut browser).await;
    app.sign_out().await;
    let seen = proxy.seen();
    assert!(!seen.is_empty());
    let direct = config(&service, "direct");
    let changed = app.desktop.change_environment(&app.window, direct).await;
    changed.expect("changed");
    sign_in_and_list(&app, &service, &mut browser).await;
    assert_eq!(proxy.seen(), seen, "a call went through the former proxy");
    let found = diagnose(&app).await;
    assert_eq!(found.first(), Some(&DiagnosisFinding::NoProxy), "{found:?}");
}

#[tokio::test]
async fn proxy_that_is_down_is_offline_and_told_by_the_diagnosis() {
    let service = Service::staging().await;
    let mut proxy = HttpProxy::start().await;
    let app = TestApp::start(&service).await;
    app.add_environment(config(&service, &proxy.address()))
        .await;
    let binding = sign_in_and_list(&app, &service, &mut Browser::new()).await;
    proxy.stop().await;
    let before = service.gateway.requests("").len();
    let draft = app.new_draft(&binding).await;
    let (sent, _) = app
        .run_through_retries(app.send_draft(&binding, draft))
        .await;
    assert!(
        matches!(sent, Err(CommandError::Offline { .. })),
        "{sent:?}"
    );
    assert_eq!(
        service.gateway.requests("").len(),
        before,
        "a call went around the proxy"
    );
    let found = diagnose(&app).await;
    assert!(
        matches!(
            found.as_slice(),
            [
                DiagnosisFinding::Proxy {
                    configured: true,
                    ..
                },
                DiagnosisFinding::Resolved { .. },
                DiagnosisFinding::ProxyNotConnected {
                    problem: ConnectProblem::Refused,
                    ..
                },
            ]
        ),
        "{found:?}"
    );
}
