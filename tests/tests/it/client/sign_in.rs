//! Sign-in: each callback method, rejected callbacks, provider errors, sign-out.

use std::fs::File;
use std::time::Duration;

use invoicing_client::vault::VaultError;
use invoicing_client::views::{CallbackRefusal, CommandError, SessionView};
use jiff::ToSpan as _;

use crate::fixtures::{Browser, CLERK, Fault, HOME, NOURA, Service, TestApp, now};

pub(crate) fn session_error(session: &SessionView) -> Option<CommandError> {
    match session {
        SessionView::SignedOut { error, .. } | SessionView::Waiting { error, .. } => error.clone(),
        SessionView::Starting | SessionView::Finishing { .. } | SessionView::SignedIn { .. } => {
            None
        }
    }
}

pub(crate) fn refused(refusal: CallbackRefusal) -> CommandError {
    CommandError::CallbackRefused { refusal }
}

#[tokio::test]
async fn deep_link_callback_completes_the_sign_in() {
    let service = Service::start().await;
    let app = TestApp::start(&service).await;
    app.sign_in(&service, NOURA, &mut Browser::new()).await;
    let SessionView::SignedIn {
        account,
        organizations,
        vault,
        ..
    } = app.snapshot().await.session
    else {
        panic!("not signed in")
    };
    assert_eq!(
        (account.username.as_str(), account.name.as_str()),
        (NOURA, "Noura Al-Harbi")
    );
    assert_eq!(organizations.len(), 4, "the roles claim grants four");
    assert!(
        organizations[0].home && organizations[0].id == HOME,
        "the home organization is not the first"
    );
    assert_eq!(vault, None, "the keyring works");
}

#[tokio::test]
async fn wrong_password_is_shown_by_the_page_and_the_attempt_goes_on() {
    let service = Service::start().await;
    let app = TestApp::start(&service).await;
    app.start_sign_in("local").await;
    let mut browser = Browser::new();
    let page = browser
        .submit_sign_in(&app.host.opened_address(), NOURA, "wrong")
        .await;
    assert!(page.contains("id=\"problem\""), "{page}");
    assert!(matches!(
        app.snapshot().await.session,
        SessionView::Waiting { error: None, .. }
    ));
    let callback = browser
        .sign_in(&app.host.opened_address(), NOURA, &service.password(NOURA))
        .await;
    app.desktop
        .paste_callback(&app.window, callback)
        .await
        .expect("the right password then works");
}

#[tokio::test]
async fn cancel_in_the_browser_fails_the_attempt_with_access_denied() {
    let service = Service::start().await;
    let app = TestApp::start(&service).await;
    app.start_sign_in("local").await;
    let callback = Browser::new().cancel(&app.host.opened_address()).await;
    app.desktop.follow(&callback);
    let snapshot = app
        .wait_until(|snapshot| matches!(snapshot.session, SessionView::SignedOut { .. }))
        .await;
    assert_eq!(
        session_error(&snapshot.session),
        Some(CommandError::SignInRefused {
            code: "access_denied".to_owned()
        })
    );
    app.start_sign_in("local").await;
    app.desktop
        .cancel_sign_in(&app.window)
        .await
        .expect("it was waiting");
    assert_eq!(
        session_error(&app.snapshot().await.session),
        None,
        "the cancelled attempt shows the error of the previous one"
    );
}

/// Answers in the browser. The program goes on with the answer.
async fn answer(app: &TestApp, service: &Service) {
    app.start_sign_in("local").await;
    let callback = Browser::new()
        .sign_in(&app.host.opened_address(), NOURA, &service.password(NOURA))
        .await;
    app.desktop.follow(&callback);
}

#[tokio::test]
async fn cancel_before_the_session_is_stored_stores_nothing_and_revokes_the_token() {
    let service = Service::start().await;
    let (app, _) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let tokens = || {
        let secrets = app.vault.secrets().into_iter();
        let tokens = secrets.filter(|secret| secret.contains("refresh_token"));
        tokens.collect::<Vec<_>>()
    };
    let stored = tokens();
    // As another process that renews the session.
    let locks = std::fs::read_dir(app.folder.path().join("data/locks")).expect("a folder");
    let locks = locks.map(|entry| {
        let lock = File::open(entry.expect("an entry").path()).expect("a file");
        lock.try_lock().expect("it is free");
        lock
    });
    let locks: Vec<_> = locks.collect();
    answer(&app, &service).await;
    let poll = Duration::from_millis(50);
    app.clock.sleep_matching(|left| left == poll).await;
    let cancelled = app.desktop.cancel_sign_in(&app.window).await;
    cancelled.expect("nothing is stored yet");
    drop(locks);
    let revocations = || service.identity.requests("/oauth/v2/revoke").len();
    app.advance_until(None, || revocations() == 1).await;
    assert_eq!(tokens(), stored);
}

#[tokio::test]
async fn cancel_while_the_keyring_stores_the_session_is_refused() {
    let service = Service::start().await;
    let app = TestApp::start(&service).await;
    app.vault.fail_call("invoice-desk", 0, VaultError::TimedOut);
    answer(&app, &service).await;
    let keyring = Duration::from_secs(10);
    app.clock.sleep_matching(|left| left == keyring).await;
    let cancelled = app.desktop.cancel_sign_in(&app.window).await;
    assert_eq!(cancelled, Err(CommandError::NothingToContinue));
    assert!(app.vault.clear_fault(), "the keyring was not asked");
    app.wait_until(|snapshot| matches!(snapshot.session, SessionView::SignedIn { .. }))
        .await;
}

#[tokio::test]
async fn callback_of_a_cancelled_attempt_is_refused_and_the_next_attempt_succeeds() {
    let service = Service::start().await;
    let app = TestApp::start(&service).await;
    app.start_sign_in("local").await;
    let late = Browser::new()
        .sign_in(&app.host.opened_address(), NOURA, &service.password(NOURA))
        .await;
    app.desktop
        .cancel_sign_in(&app.window)
        .await
        .expect("it was waiting");
    app.desktop.follow(&late);
    app.wait_until(|snapshot| {
        session_error(&snapshot.session) == Some(refused(CallbackRefusal::OtherAttempt))
    })
    .await;
    app.start_sign_in("local").await;
    assert_eq!(
        app.desktop.paste_callback(&app.window, late).await,
        Err(refused(CallbackRefusal::OtherAttempt))
    );
    let callback = Browser::new()
        .sign_in(&app.host.opened_address(), NOURA, &service.password(NOURA))
        .await;
    app.desktop
        .paste_callback(&app.window, callback.clone())
        .await
        .expect("the second attempt works");
    assert_eq!(
        app.desktop.paste_callback(&app.window, callback).await,
        Err(CommandError::NothingToContinue),
        "used twice"
    );
}

#[tokio::test]
async fn malformed_callback_is_refused_and_the_attempt_goes_on() {
    let service = Service::start().await;
    let app = TestApp::start(&service).await;
    app.start_sign_in("local").await;
    let right = Browser::new()
        .sign_in(&app.host.opened_address(), NOURA, &service.password(NOURA))
        .await;
    for broken in [
        "",
        "com.invoicedesk.desktop:/oauth/local",
        &right.replace("/local", "/staging"),
        &format!("{right}&code=x"),
        &format!("{right}#x"),
    ] {
        app.desktop.follow(broken);
        let answer = app
            .desktop
            .paste_callback(&app.window, broken.to_owned())
            .await;
        assert_eq!(answer, Err(refused(CallbackRefusal::Broken)), "{broken}");
    }
    let foreign = format!(
        "{}&iss=https%3A%2F%2Fevil.example",
        right.split("&iss=").next().unwrap_or_default()
    );
    assert_eq!(
        app.desktop.paste_callback(&app.window, foreign).await,
        Err(refused(CallbackRefusal::OtherIssuer))
    );
    assert_eq!(
        session_error(&app.snapshot().await.session),
        Some(refused(CallbackRefusal::OtherIssuer)),
        "the session view has no error"
    );
    app.desktop
        .paste_callback(&app.window, right)
        .await
        .expect("the right callback is still accepted");
}

#[tokio::test]
async fn clock_off_by_an_hour_fails_before_the_browser_opens() {
    let service = Service::start().await;
    for (hours, minutes) in [(1, 59..=60), (-1, -60..=-59)] {
        let app = TestApp::start_at(&service, now() + hours.hours()).await;
        match app
            .desktop
            .start_sign_in(&app.window, "local".to_owned())
            .await
        {
            Err(CommandError::ClockOff { minutes: off }) => {
                assert!(minutes.contains(&off), "{off}")
            }
            other => panic!("{other:?}"),
        }
        assert_eq!(app.host.open_count(), 0);
    }
}

#[tokio::test]
async fn start_fails_while_the_provider_is_unreachable_or_replaced_and_succeeds_later() {
    let service = Service::start().await;
    let app = TestApp::start(&service).await;
    let start = || app.desktop.start_sign_in(&app.window, "local".to_owned());
    service
        .identity
        .fault("/openid-configuration", Fault::page(200));
    assert!(matches!(
        start().await,
        Err(CommandError::UnexpectedResponse { .. })
    ));
    service
        .identity
        .fault("/openid-configuration", Fault::status(500, 13, "X"));
    assert!(matches!(
        start().await,
        Err(CommandError::Unavailable {
            authority: false,
            ..
        })
    ));
    let moved = service.ready.auth_url.replace("127.0.0.1", "localhost");
    let forged = format!(
        r#"{{"issuer":"{moved}","authorization_endpoint":"{moved}/a","token_endpoint":"{moved}/t","jwks_uri":"{moved}/k","response_types_supported":["code"],"subject_types_supported":["public"],"id_token_signing_alg_values_supported":["RS256"]}}"#
    );
    let headers = vec![("content-type", "application/json".to_owned())];
    service.identity.fault(
        "/openid-configuration",
        Fault::Respond {
            status: 200,
            headers,
            body: forged,
        },
    );
    assert_eq!(
        start().await,
        Err(CommandError::NotTrusted {
            check: "issuer".to_owned()
        })
    );
    service.identity.stop().await;
    assert!(matches!(start().await, Err(CommandError::Offline { .. })));
    service.identity.restart().await;
    start().await.expect("it works again");
}

#[tokio::test]
async fn sign_out_deletes_the_keyring_entry_and_revokes_the_token() {
    let service = Service::start().await;
    let app = TestApp::start(&service).await;
    let mut browser = Browser::new();
    app.sign_in(&service, NOURA, &mut browser).await;
    assert!(
        app.vault
            .entries()
            .iter()
            .any(|entry| entry.contains("invoice-desk")),
        "{:?}",
        app.vault.entries()
    );
    app.sign_out().await;
    assert!(
        app.vault
            .entries()
            .iter()
            .all(|entry| !entry.contains("invoice-desk")),
        "{:?}",
        app.vault.entries()
    );
    assert_eq!(
        service.identity.requests("/oauth/v2/revoke").len(),
        1,
        "the refresh token was not revoked"
    );
    assert_eq!(
        service.identity.requests("/oidc/v1/end_session").len(),
        1,
        "the session was not ended"
    );
    assert!(matches!(
        app.snapshot().await.session,
        SessionView::SignedOut { error: None, .. }
    ));
    assert_eq!(
        app.desktop.organizations(&app.window).await,
        Err(CommandError::NotSignedIn)
    );
    app.sign_in(&service, CLERK, &mut Browser::new()).await;
}

#[tokio::test]
async fn commands_without_an_attempt_return_nothing_to_continue() {
    let service = Service::start().await;
    let app = TestApp::start(&service).await;
    let nothing = Err(CommandError::NothingToContinue);
    assert_eq!(app.desktop.open_browser_again(&app.window).await, nothing);
    assert_eq!(app.desktop.use_loopback(&app.window).await, nothing);
    assert_eq!(app.desktop.cancel_sign_in(&app.window).await, nothing);
    assert_eq!(
        app.desktop
            .start_sign_in(&app.window, "nowhere".to_owned())
            .await,
        Err(CommandError::UnknownEnvironment)
    );
    assert_eq!(
        app.desktop.sign_out(&app.window).await,
        Err(CommandError::NotSignedIn)
    );
}

#[tokio::test]
async fn refused_second_sign_in_is_shown_and_the_session_goes_on() {
    let service = Service::start().await;
    let (app, _) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let signed_in_error = |session: &SessionView| match session {
        SessionView::SignedIn { error, .. } => error.clone(),
        SessionView::Starting
        | SessionView::SignedOut { .. }
        | SessionView::Waiting { .. }
        | SessionView::Finishing { .. } => None,
    };
    let again = || app.desktop.start_sign_in(&app.window, "local".to_owned());
    again().await.expect("the attempt begins");
    let state = app
        .host
        .opened_address()
        .query_pairs()
        .find_map(|(name, value)| (name == "state").then(|| value.into_owned()))
        .expect("an attempt has a state");
    app.desktop.follow(&format!(
        "com.invoicedesk.desktop:/oauth/local?error=access_denied&state={state}&iss={}",
        service.ready.auth_url
    ));
    let snapshot = app
        .wait_until(|snapshot| signed_in_error(&snapshot.session).is_some())
        .await;
    assert_eq!(
        signed_in_error(&snapshot.session).as_deref(),
        Some(&CommandError::SignInRefused {
            code: "access_denied".to_owned()
        })
    );
    again().await.expect("the next attempt begins");
    app.desktop
        .cancel_sign_in(&app.window)
        .await
        .expect("cancelled");
    assert_eq!(signed_in_error(&app.snapshot().await.session), None);
}
