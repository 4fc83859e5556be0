//! A disk that fails at any file operation of a start, a sign-in and a sign-out: no account is forgotten because of it, no
//! sign-out is undone, and a file that cannot be read is neither deleted nor overwritten.

use std::path::PathBuf;

use invoicing_client::views::{CommandError, Connectivity, SessionView};
use invoicing_client::{FileFault, FileFaults};
use tokio::sync::Mutex;

use crate::client::session::{connectivity, session_after_start, wait_until_online};
use crate::fixtures::{Browser, CLERK, NOURA, Service, TestApp};

const FAULTS: [FileFault; 3] = [
    FileFault::IoOnce,
    FileFault::IoFromThen,
    FileFault::NoSpaceFromThen,
];

fn data(app: &TestApp) -> PathBuf {
    app.folder.path().join("data")
}

fn is_not_read(session: &SessionView) -> bool {
    matches!(
        session,
        SessionView::SignedOut {
            error: Some(CommandError::AccountNotRead { .. }),
            ..
        }
    )
}

async fn usernames(app: &TestApp) -> Vec<String> {
    let accounts = app.desktop.accounts(&app.window).await.expect("a list");
    accounts
        .into_iter()
        .map(|account| account.username)
        .collect()
}

/// Runs `cell` with each fault at each operation, until it has fewer operations. Returns how many runs had a fault.
async fn with_each_fault<F: Future<Output = bool>>(
    mut cell: impl FnMut(FileFault, usize) -> F,
) -> usize {
    let mut runs = 0;
    for fault in FAULTS {
        for number in 0.. {
            if !cell(fault, number).await {
                break;
            }
            runs += 1;
        }
    }
    runs
}

#[tokio::test]
async fn start_with_an_account_file_that_cannot_be_read_says_so_and_continues_when_it_can() {
    let service = Service::start().await;
    for name in ["account.json", "sign-outs.json"] {
        let app = TestApp::start(&service).await;
        // The first sign-out leaves its file.
        app.sign_in(&service, CLERK, &mut Browser::new()).await;
        app.sign_out().await;
        app.sign_in(&service, NOURA, &mut Browser::new()).await;
        let file = data(&app).join(name);
        let before = std::fs::read(&file).expect("a file");
        let faults = FileFaults::new(&file);
        faults.set(0, FileFault::IoFromThen);
        let again = app.restart();
        let session = session_after_start(&again).await;
        assert!(is_not_read(&session), "{name}: {session:?}");
        let unlocked = again.desktop.unlock_vault(&again.window).await;
        assert!(
            matches!(unlocked, Err(CommandError::AccountNotRead { .. })),
            "{name}: {unlocked:?}"
        );
        // An attempt that is cancelled does not hide the error.
        again.start_sign_in("local").await;
        again
            .desktop
            .cancel_sign_in(&again.window)
            .await
            .expect("cancelled");
        let session = again.snapshot().await.session;
        assert!(is_not_read(&session), "{name}: {session:?}");
        assert_eq!(std::fs::read(&file).expect("a file"), before, "{name}");
        faults.clear();
        again
            .desktop
            .unlock_vault(&again.window)
            .await
            .expect("it can be read again");
        wait_until_online(&again).await;
    }
}

#[tokio::test]
async fn sign_in_with_an_index_of_accounts_that_cannot_be_read_does_not_overwrite_it() {
    let service = Service::start().await;
    let app = TestApp::start(&service).await;
    app.sign_in(&service, NOURA, &mut Browser::new()).await;
    let file = data(&app).join("accounts.json");
    let before = std::fs::read(&file).expect("a file");
    let faults = FileFaults::new(&file);
    faults.set(0, FileFault::IoFromThen);
    let list = app.desktop.accounts(&app.window).await;
    assert!(
        matches!(list, Err(CommandError::AccountNotRead { .. })),
        "{list:?}"
    );
    app.sign_in(&service, CLERK, &mut Browser::new()).await;
    assert_eq!(std::fs::read(&file).expect("a file"), before);
    faults.clear();
    assert_eq!(usernames(&app).await, [CLERK, NOURA]);
}

#[tokio::test]
async fn start_keeps_the_session_at_every_fault_of_the_disk() {
    let service = Service::start().await;
    let app = TestApp::start(&service).await;
    app.sign_in(&service, NOURA, &mut Browser::new()).await;
    app.desktop.stop().await;
    let (app, service) = (&app, &service);
    let runs = with_each_fault(|fault, number| async move {
        let cell = format!("{fault:?} at operation {number}");
        let faults = FileFaults::new(data(app));
        faults.set(number, fault);
        let again = app.restart();
        let session = session_after_start(&again).await;
        let reached = faults.operations().len() > number;
        faults.clear();
        assert!(
            is_not_read(&session) || connectivity(&session).is_some(),
            "{cell}: {session:?}"
        );
        if is_not_read(&session) {
            let unlocked = again.desktop.unlock_vault(&again.window).await;
            unlocked.unwrap_or_else(|error| panic!("{cell}: {error:?}"));
        }
        again.desktop.stop().await;
        let after = app.restart();
        wait_until_online(&after).await;
        assert_eq!(usernames(&after).await, [NOURA], "{cell}");
        after.desktop.stop().await;
        assert!(service.identity.requests("/oauth/v2/revoke").is_empty());
        reached
    })
    .await;
    assert!(runs > 15, "{runs}");
}

#[tokio::test]
async fn sign_in_with_another_account_keeps_the_first_at_every_fault_of_the_disk() {
    let service = Service::start().await;
    // Signed in after the first run, so that the others need no password.
    let browsers = [NOURA, CLERK].map(|_| Mutex::new(Browser::new()));
    let (service, [browser, other_browser]) = (&service, &browsers);
    let runs = with_each_fault(|fault, number| async move {
        let cell = format!("{fault:?} at operation {number}");
        let app = TestApp::start(service).await;
        app.sign_in(service, NOURA, &mut *browser.lock().await)
            .await;
        let faults = FileFaults::new(data(&app));
        faults.set(number, fault);
        app.sign_in(service, CLERK, &mut *other_browser.lock().await)
            .await;
        app.desktop.stop().await;
        let reached = faults.operations().len() > number;
        faults.clear();
        let again = app.restart();
        let session = session_after_start(&again).await;
        assert!(connectivity(&session).is_some(), "{cell}: {session:?}");
        let names = usernames(&again).await;
        assert!(names.contains(&NOURA.to_owned()), "{cell}: {names:?}");
        reached
    })
    .await;
    assert!(runs > 15, "{runs}");
}

#[tokio::test]
async fn account_file_that_cannot_be_written_stops_no_switch_to_another_account() {
    let service = Service::start().await;
    let app = TestApp::start(&service).await;
    for username in [NOURA, CLERK] {
        app.sign_in(&service, username, &mut Browser::new()).await;
    }
    let accounts = app.desktop.accounts(&app.window).await.expect("a list");
    let mut accounts = accounts.into_iter();
    let other = accounts
        .find(|account| account.username == NOURA)
        .expect("it is remembered");
    let faults = FileFaults::new(data(&app).join("account.json"));
    faults.set(0, FileFault::NoSpaceFromThen);
    let switched = app.desktop.switch_account(&app.window, other.id).await;
    switched.expect("switched");
    faults.clear();
    app.wait_until(|snapshot| {
        matches!(
            &snapshot.session,
            SessionView::SignedIn { account, connectivity: Connectivity::Online, .. }
                if account.username == NOURA
        )
    })
    .await;
}

#[tokio::test]
async fn sign_out_is_not_undone_by_any_fault_of_the_disk() {
    let service = Service::start().await;
    let service = &service;
    let runs = with_each_fault(|fault, number| async move {
        let cell = format!("{fault:?} at operation {number}");
        let app = TestApp::start(service).await;
        app.sign_in(service, NOURA, &mut Browser::new()).await;
        let revoked = service.identity.requests("/oauth/v2/revoke").len();
        let faults = FileFaults::new(data(&app));
        faults.set(number, fault);
        // The answer says whether every file was written.
        let _ = app.desktop.sign_out(&app.window).await;
        let reached = faults.operations().len() > number;
        faults.clear();
        let session = app.snapshot().await.session;
        assert!(
            matches!(session, SessionView::SignedOut { .. }),
            "{cell}: {session:?}"
        );
        let revocations = service.identity.requests("/oauth/v2/revoke").len() - revoked;
        assert_eq!(revocations, 1, "{cell}");
        let session = session_after_start(&app.restart()).await;
        assert!(
            matches!(session, SessionView::SignedOut { .. }),
            "{cell}: {session:?}"
        );
        reached
    })
    .await;
    assert!(runs > 15, "{runs}");
}
