//! Keyrings that are locked, missing or unresponsive: each is reported, and none ends a session.

use std::time::Duration;

use invoicing_client::vault::VaultError;
use invoicing_client::views::{CommandError, Connectivity, SessionView, VaultProblem};

use crate::client::session::{LIFETIME, connectivity, page, settled};
use crate::fixtures::{Browser, Desk, HOME, NOURA, Service};

#[tokio::test]
async fn locked_keyring_keeps_the_session() {
    let service = Service::start().await;
    let (desk, binding) = Desk::signed_in(&service, NOURA, HOME).await;
    let call = || {
        desk.desktop
            .list_invoices(&desk.window, binding.clone(), page())
    };
    desk.clock.advance(LIFETIME);
    desk.vault.set_error(Some(VaultError::Locked));
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
        "the token was spent"
    );
    desk.vault.set_error(None);
    call().await.expect("unlocked, it works");
}

#[tokio::test]
async fn locked_keyring_at_start_is_not_a_sign_out() {
    let service = Service::start().await;
    let (desk, _) = Desk::signed_in(&service, NOURA, HOME).await;
    desk.vault.set_error(Some(VaultError::Locked));
    let again = desk.restarted();
    let session = settled(&again).await;
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
async fn session_without_a_keyring_lasts_until_the_program_ends() {
    let service = Service::start().await;
    let desk = Desk::new(&service).await;
    desk.vault.set_error(Some(VaultError::Unavailable));
    desk.sign_in(&service, NOURA, &mut Browser::new()).await;
    let SessionView::SignedIn { vault, .. } = desk.snapshot().await.session else {
        panic!("not signed in")
    };
    assert_eq!(vault, Some(VaultProblem::Absent));
    let binding = desk
        .desktop
        .switch_organization(&desk.window, HOME.into())
        .await
        .expect("granted");
    desk.clock.advance(LIFETIME);
    desk.desktop
        .list_invoices(&desk.window, binding, page())
        .await
        .expect("refreshing works from memory");
    desk.vault.set_error(None);
    desk.desktop
        .unlock_vault(&desk.window)
        .await
        .expect("the keyring is there now");
    let SessionView::SignedIn { vault, .. } = desk.snapshot().await.session else {
        panic!("not signed in")
    };
    assert_eq!(vault, None);
    assert_eq!(
        connectivity(&settled(&desk.restarted()).await),
        Some(Connectivity::Online),
        "it was not kept"
    );
}

#[tokio::test]
async fn unresponsive_keyring_delays_no_call_and_stores_the_token_later() {
    let service = Service::start().await;
    let desk = Desk::new(&service).await;
    desk.vault.set_error(Some(VaultError::TimedOut));
    desk.desktop
        .start_sign_in(&desk.window, "local".to_owned())
        .await
        .expect("the attempt begins");
    let callback = Browser::new()
        .sign_in(&desk.screen.opened(), NOURA, &service.password(NOURA))
        .await;
    desk.desktop.callback(&callback);
    let patience = Duration::from_secs(10);
    desk.clock
        .sleep_matching(|left| left > Duration::from_secs(5) && left <= patience)
        .await;
    desk.clock.advance(patience);
    let vault = |session: &SessionView| match session {
        SessionView::SignedIn { vault, .. } => Some(*vault),
        SessionView::Starting
        | SessionView::SignedOut { .. }
        | SessionView::Waiting { .. }
        | SessionView::Finishing { .. } => None,
    };
    desk.wait_until(|snapshot| vault(&snapshot.session) == Some(Some(VaultProblem::Silent)))
        .await;
    assert!(desk.vault.entries().is_empty());

    desk.vault.set_error(None);
    desk.wait_until(|snapshot| vault(&snapshot.session) == Some(None))
        .await;
    let again = desk.restarted();
    let session = settled(&again).await;
    assert_eq!(
        connectivity(&session),
        Some(Connectivity::Online),
        "it was not kept"
    );
}
