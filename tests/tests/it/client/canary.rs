//! The canary test: known secrets go through every flow, and none is found in logs, snapshots, errors or files. What
//! customers buy is in no file either: drafts and the read cache are encrypted.

use std::time::Duration;

use invoicing_client::LogTimeline;
use invoicing_client::views::{InvoiceQuery, SessionView};
use tracing_subscriber::fmt::writer::MakeWriterExt as _;

use crate::fixtures::{Browser, Fault, HOME, Log, NOURA, Service, TestApp, files_below};

/// The content of all files below a folder.
fn files(folder: &std::path::Path) -> String {
    let mut text = String::new();
    for path in files_below(folder) {
        let bytes = std::fs::read(path).expect("a file");
        text.push_str(&String::from_utf8_lossy(&bytes));
    }
    text
}

fn parameter(address: &str, name: &str) -> String {
    let address = url::Url::parse(address).expect("an address");
    address
        .query_pairs()
        .find(|(key, _)| key == name)
        .expect("the parameter is there")
        .1
        .into_owned()
}

#[tokio::test]
async fn no_secret_appears_in_logs_snapshots_errors_or_files() {
    let log = Log::default();
    let kept = LogTimeline::default();
    let timeline = kept.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_env_filter("trace,invoicing_service=off,invoicing_http=off,invoicing_identity=off,invoicing_gateway=off,invoicing_storage_sqlite=off")
        .with_writer(log.clone().and(move || timeline.writer()))
        .finish();
    tracing::subscriber::set_global_default(subscriber).expect("each test is a process of its own");

    let service = Service::start().await;
    let app = TestApp::start(&service).await;
    let mut browser = Browser::new();
    let mut shown = String::new();
    let mut secrets = Vec::new();

    app.start_sign_in("local").await;
    shown.push_str(&format!("{:?}", app.snapshot().await));
    let callback = browser
        .sign_in(&app.host.opened_address(), NOURA, &service.password(NOURA))
        .await;
    secrets.push(parameter(&callback, "code"));
    shown.push_str(&format!(
        "{:?}",
        app.desktop
            .paste_callback(&app.window, format!("{callback}&x#y"))
            .await
    ));
    app.desktop
        .paste_callback(&app.window, callback)
        .await
        .expect("signed in");
    let binding = app.switch_organization(HOME).await;
    let query = InvoiceQuery {
        page_size: 1,
        ..InvoiceQuery::default()
    };
    let draft = app.new_draft(&binding).await;
    secrets.extend(app.vault.secrets());
    for fault in [
        Fault::status(404, 5, "X"),
        Fault::page(200),
        Fault::DropResponse,
        Fault::status(401, 16, "X"),
    ] {
        service.gateway.fault("/list", fault);
        let answer = app
            .desktop
            .list_invoices(&app.window, binding.clone(), query.clone())
            .await;
        shown.push_str(&format!(
            "{answer:?} {}",
            serde_json::to_string(&answer.as_ref().err()).expect("JSON")
        ));
    }
    app.desktop
        .create_document(&app.window, binding.clone(), draft.key)
        .await
        .expect("created");
    let cached = app
        .desktop
        .list_invoices(&app.window, binding.clone(), query.clone());
    assert_eq!(
        cached.await.expect("a page").rows[0].buyer.en,
        "Noor Company"
    );
    app.clock.advance(Duration::from_secs(43_200));
    service.identity.fault("/oauth/v2/token", Fault::page(200));
    shown.push_str(&format!(
        "{:?}",
        app.desktop
            .list_invoices(&app.window, binding.clone(), query.clone())
            .await
    ));
    app.desktop
        .list_invoices(&app.window, binding, query)
        .await
        .expect("refreshed");
    secrets.extend(app.vault.secrets());
    for request in service.gateway.requests("") {
        let bearer = request.headers["authorization"]
            .to_str()
            .expect("ASCII")
            .trim_start_matches("Bearer ")
            .to_owned();
        secrets.push(bearer);
    }
    let again = app.restart();
    again
        .wait_until(|snapshot| matches!(snapshot.session, SessionView::SignedIn { .. }))
        .await;
    secrets.extend(app.vault.secrets());
    shown.push_str(&format!("{:?}", again.snapshot().await));
    let stored = files(app.folder.path());
    again.host.set_log(kept);
    let diagnosis = again
        .desktop
        .diagnose(&again.window, "local".to_owned())
        .await;
    shown.push_str(&format!("{diagnosis:?}"));
    let packet = again.desktop.support_packet(&again.window).await;
    let packet = packet.expect("a text");
    again.sign_out().await;
    let stored = stored + files(app.folder.path()).as_str();

    for text in ["Noor Company", "King Fahd Road", "Consulting"] {
        assert!(!stored.contains(text), "{text} is in a file");
        assert!(!packet.contains(text), "{text} is in the support packet");
    }
    // An entry of the keyring is JSON with the token; the token itself must not appear.
    let tokens =
        secrets.iter().map(
            |secret| match serde_json::from_str::<serde_json::Value>(secret) {
                Ok(value) => value["refresh_token"].as_str().unwrap_or(secret).to_owned(),
                Err(_) => secret.clone(),
            },
        );
    let tokens: std::collections::BTreeSet<_> = tokens.filter(|token| token.len() > 16).collect();
    assert!(
        tokens.len() >= 6,
        "the flows used too few secrets: {}",
        tokens.len()
    );
    let log = log.text_from(0);
    assert!(!log.is_empty(), "nothing was logged, so nothing was tested");
    for token in &tokens {
        for (place, text) in [
            ("the log", &log),
            ("a snapshot or an error", &shown),
            ("a file", &stored),
            ("the support packet", &packet),
        ] {
            let at = text.find(token.as_str());
            assert!(
                at.is_none(),
                "a secret is in {place}: …{}…",
                at.map_or("", |at| &text[at.saturating_sub(200)..at])
            );
        }
    }
    let password = service.password(NOURA);
    assert!(
        !log.contains(&password) && !stored.contains(&password) && !packet.contains(&password),
        "the password reached the core"
    );
}

#[tokio::test]
async fn log_has_the_correlation_id_of_every_request() {
    let log = Log::record("off,invoicing_client=info");
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    app.new_draft(&binding).await;
    service.gateway.fault("/list", Fault::DropResponse);
    for _ in 0..2 {
        let query = InvoiceQuery {
            page_size: 1,
            ..InvoiceQuery::default()
        };
        let _ = app
            .desktop
            .list_invoices(&app.window, binding.clone(), query)
            .await;
    }
    app.sign_out().await;
    let log = log.text_from(0);
    let calls = service.gateway.requests("");
    assert!(calls.len() >= 2, "{}", calls.len());
    // The browser's requests to the identity provider have none.
    let requests = service.identity.requests("");
    let of_the_client: Vec<_> = requests
        .iter()
        .filter_map(|request| request.headers.get("x-correlation-id"))
        .collect();
    assert!(of_the_client.len() >= 4, "{}", of_the_client.len());
    let of_calls = calls
        .iter()
        .map(|request| &request.headers["x-correlation-id"]);
    for id in of_calls.chain(of_the_client) {
        let id = id.to_str().expect("ASCII");
        assert!(log.contains(id), "{id} is not in the log:\n{log}");
    }
}
