//! A fault at each call to the keyring of a sign-in, a start and a refresh: no session is lost, no token is spent whose
//! successor cannot be stored, and everything is stored when the keyring answers again.

use std::time::Duration;

use invoicing_client::vault::VaultError;
use invoicing_client::views::{CommandError, Connectivity, SessionView, VaultProblem};

use crate::client::session::{LIFETIME, connectivity, session_after_start, wait_until_online};
use crate::fixtures::{Browser, HOME, NOURA, Service, TestApp, page};

/// In the name of the session's entry. The keys of drafts and of the read cache have entries of their own.
const SESSION: &str = "invoice-desk";

/// More than any flow makes.
const MAX_CALLS: u32 = 12;

/// Longer than a call to the keyring may take if the person was not asked.
const KEYRING_TIMEOUT: Duration = Duration::from_secs(10);

/// Advances the clock each time that the core waits for the keyring, as long as `work` runs.
async fn with_impatient_clock<T>(app: &TestApp, work: impl Future<Output = T>) -> T {
    let advancing = async {
        loop {
            let left = app
                .clock
                .sleep_matching(|left| left > Duration::from_secs(5) && left <= KEYRING_TIMEOUT)
                .await;
            app.clock.advance(left);
        }
    };
    tokio::select! {
        done = work => done,
        () = advancing => unreachable!("the clock is advanced for ever"),
    }
}

fn vault_problem(session: &SessionView) -> Option<VaultProblem> {
    match session {
        SessionView::SignedIn { vault, .. } => *vault,
        SessionView::Starting
        | SessionView::SignedOut { .. }
        | SessionView::Waiting { .. }
        | SessionView::Finishing { .. } => None,
    }
}

/// Asserts that the keyring has what the next start needs.
async fn assert_session_survives_a_restart(app: &TestApp, cell: &str) {
    app.desktop.stop().await;
    let session = session_after_start(&app.restart()).await;
    assert_eq!(
        connectivity(&session),
        Some(Connectivity::Online),
        "{cell}: {session:?}"
    );
}

async fn refresh_with_a_fault_at_any_vault_call(fault: VaultError) {
    let service = Service::start().await;
    let mut met_calls = 0;
    for call in 0..MAX_CALLS {
        let cell = format!("{fault:?} at call {call}");
        let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
        let list = || {
            app.desktop
                .list_invoices(&app.window, binding.clone(), page())
        };
        app.clock.advance(LIFETIME);
        let spent_before = service.identity.requests("/oauth/v2/token").len();
        app.vault.fail_call(SESSION, call, fault);
        let answer = with_impatient_clock(&app, list()).await;
        let spent = service.identity.requests("/oauth/v2/token").len() - spent_before;
        if answer.is_err() {
            assert!(
                matches!(answer, Err(CommandError::Vault { .. })),
                "{cell}: {answer:?}"
            );
            assert_eq!(spent, 0, "{cell}: the call failed, and the token was spent");
        }
        let session = app.snapshot().await.session;
        assert_eq!(connectivity(&session), Some(Connectivity::Online), "{cell}");
        if fault == VaultError::TimedOut && answer.is_err() {
            assert_eq!(
                vault_problem(&session),
                Some(VaultProblem::Waiting),
                "{cell}"
            );
            assert!(
                matches!(list().await, Err(CommandError::Vault { .. })),
                "{cell}: a second call did not fail at once"
            );
        }
        let met = app.vault.clear_fault();
        app.wait_until(|snapshot| vault_problem(&snapshot.session) != Some(VaultProblem::Waiting))
            .await;
        list().await.expect("the keyring answers again");
        assert_session_survives_a_restart(&app, &cell).await;
        if !met {
            break;
        }
        met_calls += 1;
    }
    assert!(
        (3..MAX_CALLS).contains(&met_calls),
        "a refresh reads, probes and writes: {met_calls} calls"
    );
}

#[tokio::test]
async fn refresh_with_a_silent_keyring_at_any_call_keeps_the_session_and_its_token() {
    refresh_with_a_fault_at_any_vault_call(VaultError::TimedOut).await;
}

#[tokio::test]
async fn refresh_with_a_locked_keyring_at_any_call_keeps_the_session_and_its_token() {
    refresh_with_a_fault_at_any_vault_call(VaultError::Locked).await;
}

#[tokio::test]
async fn refresh_with_an_absent_keyring_at_any_call_keeps_the_session_and_its_token() {
    refresh_with_a_fault_at_any_vault_call(VaultError::Unavailable).await;
}

#[tokio::test]
async fn token_that_the_keyring_has_not_stored_yet_is_stored_before_the_program_ends() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    app.clock.advance(LIFETIME);
    // Read, probe, then the write of the successor.
    app.vault.fail_call(SESSION, 2, VaultError::TimedOut);
    let list = app
        .desktop
        .list_invoices(&app.window, binding.clone(), page());
    with_impatient_clock(&app, list)
        .await
        .expect("the access token is used meanwhile");
    let stopping = app.desktop.stop();
    let answering = async {
        app.clock
            .sleep_matching(|left| left == Duration::from_secs(15))
            .await;
        assert!(app.vault.clear_fault(), "the write was not made");
    };
    tokio::join!(stopping, answering);
    let session = session_after_start(&app.restart()).await;
    assert_eq!(
        connectivity(&session),
        Some(Connectivity::Online),
        "{session:?}"
    );
}

#[tokio::test]
async fn token_that_a_locked_keyring_refused_is_offered_again_when_the_program_ends() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    app.clock.advance(LIFETIME);
    app.vault.fail_call(SESSION, 2, VaultError::Locked);
    app.desktop
        .list_invoices(&app.window, binding, page())
        .await
        .expect("the access token is used meanwhile");
    assert_eq!(
        vault_problem(&app.snapshot().await.session),
        Some(VaultProblem::Locked)
    );
    assert_session_survives_a_restart(&app, "locked at the last write").await;
}

#[tokio::test]
async fn start_with_a_silent_keyring_restores_the_session_when_the_keyring_answers() {
    let service = Service::start().await;
    let (app, _) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    app.vault.fail_call(SESSION, 0, VaultError::TimedOut);
    let again = app.restart();
    let timeout = again
        .clock
        .sleep_matching(|left| left == Duration::from_secs(30))
        .await;
    again.clock.advance(timeout);
    let session = session_after_start(&again).await;
    let waiting = CommandError::Vault {
        problem: VaultProblem::Waiting,
    };
    assert!(
        matches!(&session, SessionView::SignedOut { error, .. } if *error == Some(waiting)),
        "{session:?}"
    );
    assert!(app.vault.clear_fault(), "the keyring was not read");
    wait_until_online(&again).await;
}

async fn sign_in_with_a_fault_at_any_vault_call(fault: VaultError) {
    let service = Service::start().await;
    for call in 0..MAX_CALLS {
        let cell = format!("{fault:?} at call {call}");
        let app = TestApp::start(&service).await;
        app.vault.fail_call(SESSION, call, fault);
        with_impatient_clock(&app, app.sign_in(&service, NOURA, &mut Browser::new())).await;
        let binding = app.switch_organization(HOME).await;
        // The key of the read cache may meet the fault as well.
        let list = app.desktop.list_invoices(&app.window, binding, page());
        with_impatient_clock(&app, list)
            .await
            .expect("the access token is used meanwhile");
        let met = app.vault.clear_fault();
        app.wait_until(|snapshot| vault_problem(&snapshot.session) != Some(VaultProblem::Waiting))
            .await;
        assert_session_survives_a_restart(&app, &cell).await;
        if !met {
            assert!(call >= 2, "a sign-in reads and writes");
            break;
        }
    }
}

#[tokio::test]
async fn sign_in_with_a_silent_keyring_at_any_call_signs_in_and_is_stored_later() {
    sign_in_with_a_fault_at_any_vault_call(VaultError::TimedOut).await;
}

#[tokio::test]
async fn sign_in_with_a_locked_keyring_at_any_call_signs_in_and_is_stored_later() {
    sign_in_with_a_fault_at_any_vault_call(VaultError::Locked).await;
}

#[tokio::test]
async fn sign_in_with_an_absent_keyring_at_any_call_signs_in_and_is_stored_later() {
    sign_in_with_a_fault_at_any_vault_call(VaultError::Unavailable).await;
}
