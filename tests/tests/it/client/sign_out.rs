//! Sign-out: the session ends at the provider and in the browser, now or as soon as the provider can be reached, and the
//! next sign-in asks for the password.

use std::time::Duration;

use invoicing_client::vault::VaultError;
use invoicing_client::views::{CommandError, SessionView};

use super::accounts::token_entries;
use crate::client::session::session_after_start;
use crate::fixtures::{Browser, CLERK, Fault, NOURA, Service, TestApp};

pub(super) const REVOKE: &str = "/oauth/v2/revoke";
pub(super) const END_SESSION: &str = "/oidc/v1/end_session";

/// How long sign-out waits for the provider.
pub(super) const REVOCATION_TIMEOUT: Duration = Duration::from_secs(5);

fn confirmations(service: &Service) -> (usize, usize) {
    let requests = |path| service.identity.requests(path).len();
    (requests(REVOKE), requests(END_SESSION))
}

/// The prompt that the authorization request of the last sign-in has.
pub(super) fn prompt(app: &TestApp) -> Option<String> {
    app.host
        .opened_address()
        .query_pairs()
        .find_map(|(name, value)| (name == "prompt").then(|| value.into_owned()))
}

pub(super) fn sign_out_file(app: &TestApp) -> serde_json::Value {
    let file = std::fs::read(app.folder.path().join("data/sign-outs.json")).expect("a file");
    serde_json::from_slice(&file).expect("JSON")
}

/// The keyring entries of sessions and sign-outs.
fn session_entries(app: &TestApp) -> Vec<String> {
    let mut entries = app.vault.entries();
    entries.retain(|entry| entry.contains("invoice-desk") || entry.starts_with("sign-out"));
    entries
}

#[tokio::test]
async fn sign_out_after_a_restart_revokes_the_token_and_ends_the_session_of_the_browser() {
    let service = Service::start().await;
    let app = TestApp::start(&service).await;
    let mut browser = Browser::new();
    app.sign_in(&service, NOURA, &mut browser).await;
    let again = app.restart();
    session_after_start(&again).await;
    again.sign_out().await;
    assert_eq!(confirmations(&service), (1, 1));
    assert!(
        session_entries(&again).is_empty(),
        "{:?}",
        again.vault.entries()
    );
    again.start_sign_in("local").await;
    let page = browser.cancel(&again.host.opened_address()).await;
    assert!(page.contains("access_denied"), "{page}");
}

#[tokio::test]
async fn sign_out_without_a_network_is_confirmed_when_the_network_returns() {
    let service = Service::start().await;
    let app = TestApp::start(&service).await;
    app.sign_in(&service, NOURA, &mut Browser::new()).await;
    service.identity.stop().await;
    app.sign_out().await;
    assert!(matches!(
        app.snapshot().await.session,
        SessionView::SignedOut { error: None, .. }
    ));
    service.identity.restart().await;
    app.advance_until(None, || confirmations(&service) == (1, 1))
        .await;
    app.advance_until(None, || session_entries(&app).is_empty())
        .await;
    app.advance_until(None, || {
        sign_out_file(&app)["pending"] == serde_json::json!([])
    })
    .await;
}

#[tokio::test]
async fn sign_out_without_a_network_is_confirmed_after_a_restart_by_the_keyring_alone() {
    let service = Service::start().await;
    let app = TestApp::start(&service).await;
    app.sign_in(&service, NOURA, &mut Browser::new()).await;
    let tokens = app.vault.secrets();
    service.identity.stop().await;
    app.sign_out().await;
    let file = sign_out_file(&app).to_string();
    let tokens = tokens.iter().filter_map(|secret| {
        let record: serde_json::Value = serde_json::from_str(secret).ok()?;
        Some(record["refresh_token"].as_str()?.to_owned())
    });
    let tokens: Vec<_> = tokens.collect();
    assert_eq!(tokens.len(), 1);
    assert!(
        !file.contains(&tokens[0]),
        "the file holds the refresh token"
    );
    let again = app.restart();
    let session = session_after_start(&again).await;
    assert!(
        matches!(session, SessionView::SignedOut { error: None, .. }),
        "{session:?}"
    );
    service.identity.restart().await;
    // The embedded environment runs when somebody chooses it.
    again.start_sign_in("local").await;
    again
        .advance_until(None, || confirmations(&service) == (1, 1))
        .await;
    again
        .advance_until(None, || session_entries(&again).is_empty())
        .await;
}

#[tokio::test]
async fn refused_and_lost_confirmations_are_tried_again_until_both_succeed() {
    let service = Service::start().await;
    let app = TestApp::start(&service).await;
    app.sign_in(&service, NOURA, &mut Browser::new()).await;
    service.identity.fault(REVOKE, Fault::status(503, 14, "X"));
    app.sign_out().await;
    service.identity.fault(REVOKE, Fault::DropResponse);
    service.identity.fault(END_SESSION, Fault::page(503));
    app.advance_until(None, || confirmations(&service).0 >= 2)
        .await;
    app.advance_until(Some(Duration::from_secs(600)), || {
        sign_out_file(&app)["pending"] == serde_json::json!([])
    })
    .await;
    let (revocations, ends) = confirmations(&service);
    assert!(revocations >= 3 && ends >= 2, "{revocations} {ends}");
}

#[tokio::test]
async fn sign_out_of_the_embedded_environment_is_confirmed_before_its_service_ends() {
    let service = Service::start().await;
    for fault in [Fault::status(503, 14, "X"), Fault::DropResponse] {
        let app = TestApp::start(&service).await;
        app.sign_in(&service, NOURA, &mut Browser::new()).await;
        service.identity.fault(REVOKE, fault);
        app.sign_out().await;
        assert_ne!(sign_out_file(&app)["pending"], serde_json::json!([]));
        let (_, ends) = confirmations(&service);
        // The next attempt is due in half a minute.
        app.desktop.stop().await;
        assert_eq!(sign_out_file(&app)["pending"], serde_json::json!([]));
        assert_eq!(confirmations(&service).1, ends + 1);
        assert!(session_entries(&app).is_empty());
    }
}

#[tokio::test]
async fn end_of_the_program_during_a_sign_out_confirms_it() {
    let service = Service::start().await;
    let app = TestApp::start(&service).await;
    app.sign_in(&service, NOURA, &mut Browser::new()).await;
    service.identity.fault(REVOKE, Fault::HoldRequest);
    {
        let mut signing_out = std::pin::pin!(app.desktop.sign_out(&app.window));
        while confirmations(&service).0 == 0 {
            tokio::select! {
                biased;
                _ = &mut signing_out => panic!("the provider holds the request"),
                () = tokio::time::sleep(Duration::from_millis(5)) => {}
            }
        }
        app.desktop.stop().await;
    }
    assert_eq!(confirmations(&service), (2, 1));
    assert_eq!(sign_out_file(&app)["pending"], serde_json::json!([]));
}

#[tokio::test]
async fn slow_provider_delays_a_sign_out_by_five_seconds_at_most() {
    let service = Service::start().await;
    let app = TestApp::start(&service).await;
    app.sign_in(&service, NOURA, &mut Browser::new()).await;
    service.identity.fault(REVOKE, Fault::HoldRequest);
    let signing_out = app.desktop.sign_out(&app.window);
    let waiting = async {
        app.clock
            .sleep_matching(|left| left == REVOCATION_TIMEOUT)
            .await;
        app.clock.advance(REVOCATION_TIMEOUT);
    };
    let (signed_out, ()) = tokio::join!(signing_out, waiting);
    signed_out.expect("signed out");
    assert!(
        session_entries(&app)
            .iter()
            .all(|entry| entry.starts_with("sign-out")),
        "{:?}",
        app.vault.entries()
    );
}

#[tokio::test]
async fn second_sign_out_that_waits_for_the_first_does_not_end_the_next_session() {
    let service = Service::start().await;
    let app = TestApp::start(&service).await;
    app.sign_in(&service, NOURA, &mut Browser::new()).await;
    // The keyring does not answer that it has deleted the token.
    app.vault.fail_call("invoice-desk", 0, VaultError::TimedOut);
    let signing_in = async {
        // A session that begins before the deletion keeps the entry: nothing would be deleted.
        app.vault.wait_for_fault().await;
        app.sign_in(&service, NOURA, &mut Browser::new()).await;
        assert!(app.vault.clear_fault(), "nothing was deleted");
    };
    let (first, second, ()) = tokio::join!(
        app.desktop.sign_out(&app.window),
        app.desktop.sign_out(&app.window),
        signing_in,
    );
    assert_eq!((first, second), (Ok(()), Ok(())));
    assert!(matches!(
        app.snapshot().await.session,
        SessionView::SignedIn { .. }
    ));
}

#[tokio::test]
async fn sign_out_that_the_provider_delays_leaves_the_token_of_the_next_session() {
    let service = Service::start().await;
    let app = TestApp::start(&service).await;
    app.sign_in(&service, NOURA, &mut Browser::new()).await;
    service.identity.fault(REVOKE, Fault::HoldRequest);
    let signing_in = async {
        app.clock
            .sleep_matching(|left| left == REVOCATION_TIMEOUT)
            .await;
        app.sign_in(&service, NOURA, &mut Browser::new()).await;
        app.clock.advance(REVOCATION_TIMEOUT);
    };
    let (signed_out, ()) = tokio::join!(app.desktop.sign_out(&app.window), signing_in);
    signed_out.expect("signed out");
    assert_eq!(token_entries(&app), 1, "{:?}", app.vault.entries());
}

#[tokio::test]
async fn sign_in_after_a_sign_out_asks_for_the_password_also_after_a_restart_and_once() {
    let service = Service::start().await;
    let app = TestApp::start(&service).await;
    let mut browser = Browser::new();
    app.sign_in(&service, NOURA, &mut browser).await;
    assert_ne!(prompt(&app).as_deref(), Some("login"), "the first sign-in");
    app.sign_out().await;
    let again = app.restart();
    session_after_start(&again).await;
    again.start_sign_in("local").await;
    assert_eq!(prompt(&again).as_deref(), Some("login"));
    again
        .desktop
        .cancel_sign_in(&again.window)
        .await
        .expect("cancelled");
    again.sign_in(&service, NOURA, &mut browser).await;
    assert_eq!(
        prompt(&again).as_deref(),
        Some("login"),
        "an attempt that was cancelled forgot the sign-out"
    );
    again.start_sign_in("local").await;
    assert_ne!(
        prompt(&again).as_deref(),
        Some("login"),
        "the sign-in was not recorded"
    );
}

#[tokio::test]
async fn silent_sign_in_does_not_replace_the_one_that_asks_for_the_password() {
    let service = Service::start().await;
    let app = TestApp::start(&service).await;
    let mut browser = Browser::new();
    app.sign_in(&service, NOURA, &mut browser).await;
    app.sign_in(&service, CLERK, &mut Browser::new()).await;
    app.sign_out().await;
    let accounts = app.desktop.accounts(&app.window).await.expect("a list");
    let other = accounts[0].id.clone();
    let switched = app.desktop.switch_account(&app.window, other).await;
    switched.expect("switched");
    let opened = app.host.open_count();
    let refreshing = app.desktop.refresh_organizations(&app.window);
    let answering = async {
        let address = app.host.next_address(opened).await;
        app.desktop.follow(&browser.open(&address).await);
    };
    let (refreshed, ()) = tokio::join!(refreshing, answering);
    refreshed.expect("new claims");
    app.start_sign_in("local").await;
    assert_eq!(prompt(&app).as_deref(), Some("login"));
}

#[tokio::test]
async fn account_file_that_cannot_be_removed_keeps_nobody_signed_in() {
    let service = Service::start().await;
    let app = TestApp::start(&service).await;
    app.sign_in(&service, NOURA, &mut Browser::new()).await;
    let file = app.folder.path().join("data/account.json");
    let account = std::fs::read(&file).expect("a file");
    std::fs::remove_file(&file).expect("removed");
    std::fs::create_dir_all(file.join("x")).expect("a folder in its place");
    let answer = app.desktop.sign_out(&app.window).await;
    assert!(
        matches!(answer, Err(CommandError::NotSaved { .. })),
        "{answer:?}"
    );
    assert_eq!(confirmations(&service), (1, 1), "the token was not revoked");
    assert!(matches!(
        app.snapshot().await.session,
        SessionView::SignedOut { .. }
    ));
    std::fs::remove_dir_all(&file).expect("removed");
    std::fs::write(&file, account).expect("the file that could not be removed");
    let session = session_after_start(&app.restart()).await;
    assert!(
        matches!(session, SessionView::SignedOut { error: None, .. }),
        "{session:?}"
    );
}

#[tokio::test]
async fn sign_out_with_a_locked_keyring_is_confirmed_and_the_keyring_is_told_later() {
    let service = Service::start().await;
    let app = TestApp::start(&service).await;
    app.sign_in(&service, NOURA, &mut Browser::new()).await;
    service.identity.stop().await;
    app.vault.set_error(Some(VaultError::Locked));
    app.sign_out().await;
    // The program ends; what is left is the file and the entry that the locked keyring could not delete.
    let again = app.restart();
    let session = session_after_start(&again).await;
    assert!(
        matches!(session, SessionView::SignedOut { error: None, .. }),
        "{session:?}"
    );
    app.vault.set_error(None);
    service.identity.restart().await;
    // The embedded environment runs when somebody chooses it.
    again.start_sign_in("local").await;
    again
        .advance_until(None, || confirmations(&service).0 >= 1)
        .await;
    again
        .advance_until(Some(Duration::from_secs(600)), || {
            session_entries(&again).is_empty()
        })
        .await;
}
