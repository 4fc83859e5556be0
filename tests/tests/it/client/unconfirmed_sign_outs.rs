//! Ends of sessions that the provider has not confirmed yet: they are tried again, and spare the session that came after.

use std::time::Duration;

use invoicing_client::vault::VaultError;
use invoicing_client::views::{AccountData, SessionView};
use serde_json::json;

use super::accounts::{sign_in_once, token_entries};
use super::session::{POLL, session_after_start};
use super::sign_out::{END_SESSION, REVOCATION_TIMEOUT, REVOKE, prompt, sign_out_file};
use crate::fixtures::{Browser, CLERK, Fault, Lasting, NOURA, Service, TestApp, files_below};

/// Makes the provider refuse the next revocation.
fn refuse_revocation(service: &Service) {
    service.identity.fault(REVOKE, Fault::status(503, 14, "X"));
}

async fn advance_until_all_are_confirmed(app: &TestApp) {
    app.advance_until(None, || sign_out_file(app)["pending"] == json!([]))
        .await;
}

async fn assert_signed_in_after_a_restart(app: &TestApp) {
    let session = session_after_start(&app.restart()).await;
    assert!(
        matches!(session, SessionView::SignedIn { .. }),
        "{session:?}"
    );
}

#[tokio::test]
async fn sign_out_that_is_confirmed_after_the_next_sign_in_leaves_the_new_token() {
    let service = Service::start().await;
    let app = TestApp::start(&service).await;
    app.sign_in(&service, NOURA, &mut Browser::new()).await;
    refuse_revocation(&service);
    app.sign_out().await;
    app.sign_in(&service, NOURA, &mut Browser::new()).await;
    advance_until_all_are_confirmed(&app).await;
    assert_eq!(token_entries(&app), 1, "{:?}", app.vault.entries());
}

#[tokio::test]
async fn session_that_was_left_is_ended_again_if_the_provider_did_not_confirm_it() {
    let service = Service::start().await;
    let app = TestApp::start(&service).await;
    sign_in_once(&app, &service, NOURA).await;
    refuse_revocation(&service);
    app.sign_in(&service, CLERK, &mut Browser::new()).await;
    app.advance_until(None, || service.identity.requests(END_SESSION).len() == 1)
        .await;
    advance_until_all_are_confirmed(&app).await;
    assert_eq!(service.identity.requests(REVOKE).len(), 2);
    // Neither session is remembered.
    assert_eq!(token_entries(&app), 0, "{:?}", app.vault.entries());
    app.wait_until(|snapshot| {
        matches!(&snapshot.session, SessionView::SignedIn { account, .. } if account.username == CLERK)
    })
    .await;
    app.start_sign_in("local").await;
    assert_ne!(prompt(&app).as_deref(), Some("login"), "nobody signed out");
}

#[tokio::test]
async fn token_that_a_sign_in_has_replaced_is_revoked_again_and_the_new_session_goes_on() {
    let service = Service::start().await;
    let app = TestApp::start(&service).await;
    app.sign_in(&service, NOURA, &mut Browser::new()).await;
    refuse_revocation(&service);
    app.sign_in(&service, NOURA, &mut Browser::new()).await;
    app.advance_until(None, || service.identity.requests(REVOKE).len() == 2)
        .await;
    advance_until_all_are_confirmed(&app).await;
    assert_eq!(token_entries(&app), 1, "{:?}", app.vault.entries());
    assert_signed_in_after_a_restart(&app).await;
}

#[tokio::test]
async fn session_of_a_deleted_account_is_ended_when_the_keyring_gives_its_token() {
    let service = Service::start().await;
    let app = TestApp::start(&service).await;
    app.sign_in(&service, NOURA, &mut Browser::new()).await;
    app.sign_in(&service, CLERK, &mut Browser::new()).await;
    let accounts = app.desktop.accounts(&app.window).await.expect("a list");
    let (other, data) = (accounts[1].id.clone(), AccountData::default());
    app.vault.set_error(Some(VaultError::TimedOut));
    let mut purging = std::pin::pin!(app.desktop.purge_account(&app.window, other, data));
    let purged = loop {
        tokio::select! {
            purged = &mut purging => break purged,
            () = tokio::time::sleep(Duration::from_millis(5)) => {
                app.clock.advance(Duration::from_secs(1));
            }
        }
    };
    assert_eq!(purged, Ok(true));
    app.vault.set_error(None);
    app.advance_until(None, || service.identity.requests(REVOKE).len() == 1)
        .await;
    app.advance_until(None, || token_entries(&app) == 1).await;
}

#[tokio::test]
async fn sign_out_leaves_the_token_that_a_sign_in_has_just_stored() {
    let service = Service::start().await;
    let app = TestApp::start(&service).await;
    app.sign_in(&service, NOURA, &mut Browser::new()).await;
    let locks = app.folder.path().join("data/locks");
    let others = files_below(&locks);
    let held = Fault::HoldRequest;
    service.identity.plan(REVOKE, held, Lasting::UntilCleared);
    let signing_in = async {
        app.clock
            .sleep_matching(|left| left == REVOCATION_TIMEOUT)
            .await;
        // Another process writes the file of sign-outs: the new token is stored, and its session is not the active one yet.
        let mut locks = files_below(&locks).into_iter();
        let lock = locks.find(|lock| !others.contains(lock));
        let lock = std::fs::File::open(lock.expect("that of sign-outs")).expect("opened");
        lock.lock().expect("locked");
        app.start_sign_in("local").await;
        let address = app.host.opened_address();
        let password = service.password(NOURA);
        let callback = Browser::new().sign_in(&address, NOURA, &password).await;
        app.desktop.follow(&callback);
        app.clock.sleep_matching(|left| left == POLL).await;
        app.clock.advance(REVOCATION_TIMEOUT);
        // The sign-out has kept its own tokens before it deletes the entry.
        let is_kept = || {
            let entries = app.vault.entries();
            entries.iter().any(|entry| entry.starts_with("sign-out"))
        };
        while !is_kept() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        app.clock.sleep_matching(|left| left == POLL).await;
        drop(lock);
        app.clock.advance(POLL);
    };
    let (signed_out, ()) = tokio::join!(app.desktop.sign_out(&app.window), signing_in);
    signed_out.expect("signed out");
    app.wait_until(|snapshot| matches!(snapshot.session, SessionView::SignedIn { .. }))
        .await;
    assert_eq!(token_entries(&app), 1, "{:?}", app.vault.entries());
}

#[tokio::test]
async fn sign_out_that_is_confirmed_in_the_background_leaves_no_token_in_the_keyring() {
    let service = Service::start().await;
    let app = TestApp::start(&service).await;
    app.sign_in(&service, NOURA, &mut Browser::new()).await;
    service.identity.fault(REVOKE, Fault::HoldRequest);
    let confirming = async {
        app.clock
            .sleep_matching(|left| left == REVOCATION_TIMEOUT)
            .await;
        // The upkeep of sessions confirms it while the sign-out still waits for its own request.
        let upkeep = Duration::from_secs(2);
        app.clock.sleep_matching(|left| left <= upkeep).await;
        app.clock.advance(upkeep);
        while sign_out_file(&app)["pending"] != json!([]) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        app.clock.advance(REVOCATION_TIMEOUT);
    };
    let (signed_out, ()) = tokio::join!(app.desktop.sign_out(&app.window), confirming);
    signed_out.expect("signed out");
    let entries = app.vault.entries();
    assert!(
        entries.iter().all(|entry| !entry.starts_with("sign-out")),
        "{entries:?}"
    );
}

#[tokio::test]
async fn sign_out_that_is_never_confirmed_leaves_no_token_in_the_keyring_after_90_days() {
    let service = Service::start().await;
    let app = TestApp::start(&service).await;
    app.sign_in(&service, NOURA, &mut Browser::new()).await;
    let (refused, lasting) = (Fault::status(503, 14, "X"), Lasting::UntilCleared);
    service.identity.plan(REVOKE, refused, lasting);
    app.sign_out().await;
    let kept = || {
        let entries = app.vault.entries();
        let of_sign_outs = entries.iter().filter(|entry| entry.starts_with("sign-out"));
        of_sign_outs.count()
    };
    assert_eq!(kept(), 1, "{:?}", app.vault.entries());
    let days = jiff::SignedDuration::from_hours(90 * 24);
    app.clock.set_wall_clock(app.wall() + days);
    advance_until_all_are_confirmed(&app).await;
    assert_eq!(kept(), 0, "{:?}", app.vault.entries());
    assert_eq!(token_entries(&app), 0, "{:?}", app.vault.entries());
}
