//! The canary test: known secrets go through every flow, and none is found in logs, snapshots, errors or files.

use std::io::Write;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use invoicing_client::views::{InvoiceQuery, SessionView};
use tracing_subscriber::fmt::MakeWriter;

use crate::fixtures::{Browser, Desk, Fault, HOME, NOURA, Service, content};

/// Everything that is logged, at level trace.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Log {
    fn text(&self) -> std::sync::MutexGuard<'_, Vec<u8>> {
        self.0.lock().expect("not poisoned")
    }
}

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.text().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Log {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

fn files(folder: &std::path::Path) -> String {
    let mut text = String::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            text.push_str(&files(&path));
        } else {
            text.push_str(&String::from_utf8_lossy(
                &std::fs::read(path).expect("a file"),
            ));
        }
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
    let subscriber = tracing_subscriber::fmt()
        .with_env_filter("trace,invoicing_service=off,invoicing_http=off,invoicing_identity=off,invoicing_gateway=off,invoicing_storage_sqlite=off")
        .with_writer(log.clone())
        .finish();
    tracing::subscriber::set_global_default(subscriber).expect("each test is a process of its own");

    let service = Service::start().await;
    let desk = Desk::new(&service).await;
    let mut browser = Browser::new();
    let mut shown = String::new();
    let mut secrets = Vec::new();

    desk.desktop
        .start_sign_in(&desk.window, "local".to_owned())
        .await
        .expect("it begins");
    shown.push_str(&format!("{:?}", desk.snapshot().await));
    let callback = browser
        .sign_in(&desk.screen.opened(), NOURA, &service.password(NOURA))
        .await;
    secrets.push(parameter(&callback, "code"));
    shown.push_str(&format!(
        "{:?}",
        desk.desktop
            .paste_callback(&desk.window, format!("{callback}&x#y"))
            .await
    ));
    desk.desktop
        .paste_callback(&desk.window, callback)
        .await
        .expect("signed in");
    let binding = desk
        .desktop
        .switch_organization(&desk.window, HOME.into())
        .await
        .expect("granted");
    let query = InvoiceQuery {
        page_size: 1,
        ..InvoiceQuery::default()
    };
    let draft = desk
        .desktop
        .new_draft(&desk.window, binding.clone(), Some(content()))
        .await
        .expect("a draft");
    secrets.extend(desk.vault.secrets());
    for fault in [
        Fault::status(404, 5, "X"),
        Fault::page(200),
        Fault::DropResponse,
        Fault::status(401, 16, "X"),
    ] {
        service.gateway.fault("/list", fault);
        let answer = desk
            .desktop
            .list_invoices(&desk.window, binding.clone(), query.clone())
            .await;
        shown.push_str(&format!(
            "{answer:?} {}",
            serde_json::to_string(&answer.as_ref().err()).expect("JSON")
        ));
    }
    desk.desktop
        .create_document(&desk.window, binding.clone(), draft.key)
        .await
        .expect("created");
    desk.clock.advance(Duration::from_secs(43_200));
    service.identity.fault("/oauth/v2/token", Fault::page(200));
    shown.push_str(&format!(
        "{:?}",
        desk.desktop
            .list_invoices(&desk.window, binding.clone(), query.clone())
            .await
    ));
    desk.desktop
        .list_invoices(&desk.window, binding, query)
        .await
        .expect("refreshed");
    secrets.extend(desk.vault.secrets());
    for request in service.gateway.requests("") {
        let bearer = request.headers["authorization"]
            .to_str()
            .expect("ASCII")
            .trim_start_matches("Bearer ")
            .to_owned();
        secrets.push(bearer);
    }
    let again = desk.restarted();
    again
        .wait_until(|snapshot| matches!(snapshot.session, SessionView::SignedIn { .. }))
        .await;
    secrets.extend(desk.vault.secrets());
    shown.push_str(&format!("{:?}", again.snapshot().await));
    let kept = files(desk.folder.path());
    again
        .desktop
        .sign_out(&again.window)
        .await
        .expect("signed out");
    let kept = kept + files(desk.folder.path()).as_str();

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
        "the flows brought about too few secrets to look for: {}",
        tokens.len()
    );
    let log = String::from_utf8_lossy(&log.text()).into_owned();
    assert!(!log.is_empty(), "nothing was logged, so nothing was tested");
    for token in &tokens {
        for (binding, text) in [
            ("the log", &log),
            ("what is shown", &shown),
            ("a file", &kept),
        ] {
            let at = text.find(token.as_str());
            assert!(
                at.is_none(),
                "a secret is in {binding}: …{}…",
                at.map_or("", |at| &text[at.saturating_sub(200)..at])
            );
        }
    }
    let password = service.password(NOURA);
    assert!(
        !log.contains(&password) && !kept.contains(&password),
        "the password went through the core"
    );
}
