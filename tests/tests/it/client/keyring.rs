//! Keyrings that are locked, missing or unresponsive: each is reported, and none ends a session.

use std::time::Duration;

use invoicing_client::vault::VaultError;
use invoicing_client::views::{CommandError, Connectivity, SessionView, VaultProblem};

use crate::client::session::{LIFETIME, connectivity, session_after_start};
use crate::fixtures::{Browser, CLERK, HOME, NOURA, Service, TestApp, page};

#[tokio::test]
async fn locked_keyring_keeps_the_session() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let call = || {
        app.desktop
            .list_invoices(&app.window, binding.clone(), page())
    };
    app.clock.advance(LIFETIME);
    app.vault.set_error(Some(VaultError::Locked));
    let before = service.identity.requests("/oauth/v2/token").len();
    assert_eq!(
        call().await,
        Err(CommandError::Vault {
            problem: VaultProblem::Locked
        })
    );
    assert_eq!(
        service.identity.requests("/oauth/v2/token").len(),
        before,
        "the refresh token was used"
    );
    app.vault.set_error(None);
    call().await.expect("unlocked, it works");
}

#[tokio::test]
async fn locked_keyring_at_start_is_not_a_sign_out() {
    let service = Service::start().await;
    let (app, _) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    app.vault.set_error(Some(VaultError::Locked));
    let again = app.restart();
    let session = session_after_start(&again).await;
    let locked = CommandError::Vault {
        problem: VaultProblem::Locked,
    };
    assert!(
        matches!(&session, SessionView::SignedOut { error, .. } if *error == Some(locked)),
        "{session:?}"
    );
    again.vault.set_error(None);
    again
        .desktop
        .unlock_vault(&again.window)
        .await
        .expect("it is unlocked");
    assert_eq!(
        connectivity(&again.snapshot().await.session),
        Some(Connectivity::Online)
    );
}

#[tokio::test]
async fn session_that_began_while_the_keyring_was_being_unlocked_is_not_replaced() {
    let service = Service::start().await;
    let (app, _) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    app.vault.set_error(Some(VaultError::Locked));
    let again = app.restart();
    session_after_start(&again).await;
    again.vault.set_error(None);
    // The keyring waits for its password before it gives the token of the stored session.
    let entry = "invoice-desk";
    again.vault.fail_call(entry, 0, VaultError::TimedOut);
    let signing_in = async {
        again.sign_in(&service, CLERK, &mut Browser::new()).await;
        assert!(again.vault.clear_fault(), "the keyring was not asked");
    };
    let (unlocked, ()) = tokio::join!(again.desktop.unlock_vault(&again.window), signing_in);
    unlocked.expect("it is unlocked");
    let session = again.snapshot().await.session;
    assert!(
        matches!(&session, SessionView::SignedIn { account, .. } if account.username == CLERK),
        "{session:?}"
    );
}

#[tokio::test]
async fn session_without_a_keyring_lasts_until_the_program_ends() {
    let service = Service::start().await;
    let app = TestApp::start(&service).await;
    app.vault.set_error(Some(VaultError::Unavailable));
    app.sign_in(&service, NOURA, &mut Browser::new()).await;
    let SessionView::SignedIn { vault, .. } = app.snapshot().await.session else {
        panic!("not signed in")
    };
    assert_eq!(vault, Some(VaultProblem::Absent));
    let binding = app.switch_organization(HOME).await;
    app.clock.advance(LIFETIME);
    app.desktop
        .list_invoices(&app.window, binding, page())
        .await
        .expect("refreshing works from memory");
    app.vault.set_error(None);
    app.desktop
        .unlock_vault(&app.window)
        .await
        .expect("the keyring is there now");
    let SessionView::SignedIn { vault, .. } = app.snapshot().await.session else {
        panic!("not signed in")
    };
    assert_eq!(vault, None);
    assert_eq!(
        connectivity(&session_after_start(&app.restart()).await),
        Some(Connectivity::Online),
        "the session was not stored"
    );
}

#[tokio::test]
async fn unresponsive_keyring_delays_no_call_and_stores_the_token_later() {
    let service = Service::start().await;
    let app = TestApp::start(&service).await;
    app.vault.set_error(Some(VaultError::TimedOut));
    app.start_sign_in("local").await;
    let callback = Browser::new()
        .sign_in(&app.host.opened_address(), NOURA, &service.password(NOURA))
        .await;
    app.desktop.follow(&callback);
    let timeout = Duration::from_secs(10);
    app.clock
        .sleep_matching(|left| left > Duration::from_secs(5) && left <= timeout)
        .await;
    app.clock.advance(timeout);
    let vault = |session: &SessionView| match session {
        SessionView::SignedIn { vault, .. } => Some(*vault),
        SessionView::Starting
        | SessionView::SignedOut { .. }
        | SessionView::Waiting { .. }
        | SessionView::Finishing { .. } => None,
    };
    app.wait_until(|snapshot| vault(&snapshot.session) == Some(Some(VaultProblem::Waiting)))
        .await;
    assert!(app.vault.entries().is_empty());

    app.vault.set_error(None);
    app.wait_until(|snapshot| vault(&snapshot.session) == Some(None))
        .await;
    let again = app.restart();
    let session = session_after_start(&again).await;
    assert_eq!(
        connectivity(&session),
        Some(Connectivity::Online),
        "the session was not stored"
    );
}
