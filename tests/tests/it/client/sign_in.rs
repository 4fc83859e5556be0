//! Sign-in: each callback method, rejected callbacks, provider errors, sign-out.

use invoicing_client::views::{CallbackRefusal, CommandError, SessionView};
use jiff::ToSpan as _;

use crate::fixtures::{Browser, CLERK, Desk, Fault, HOME, NOURA, Service, now};

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
    let desk = Desk::new(&service).await;
    desk.sign_in(&service, NOURA, &mut Browser::new()).await;
    let SessionView::SignedIn {
        account,
        organizations,
        vault,
        ..
    } = desk.snapshot().await.session
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
        "home does not come first"
    );
    assert_eq!(vault, None, "the keyring works");
}

#[tokio::test]
async fn wrong_password_is_shown_by_the_page_and_the_attempt_goes_on() {
    let service = Service::start().await;
    let desk = Desk::new(&service).await;
    desk.desktop
        .start_sign_in(&desk.window, "local".to_owned())
        .await
        .expect("it begins");
    let mut browser = Browser::new();
    let page = browser
        .page_after(&desk.screen.opened(), NOURA, "wrong")
        .await;
    assert!(page.contains("id=\"problem\""), "{page}");
    assert!(matches!(
        desk.snapshot().await.session,
        SessionView::Waiting { error: None, .. }
    ));
    let callback = browser
        .sign_in(&desk.screen.opened(), NOURA, &service.password(NOURA))
        .await;
    desk.desktop
        .paste_callback(&desk.window, callback)
        .await
        .expect("the right password then works");
}

#[tokio::test]
async fn cancel_in_the_browser_fails_the_attempt_with_access_denied() {
    let service = Service::start().await;
    let desk = Desk::new(&service).await;
    desk.desktop
        .start_sign_in(&desk.window, "local".to_owned())
        .await
        .expect("it begins");
    let callback = Browser::new().cancel(&desk.screen.opened()).await;
    desk.desktop.callback(&callback);
    let snapshot = desk
        .wait_until(|snapshot| matches!(snapshot.session, SessionView::SignedOut { .. }))
        .await;
    assert_eq!(
        session_error(&snapshot.session),
        Some(CommandError::SignInRefused {
            code: "access_denied".to_owned()
        })
    );
    desk.desktop
        .start_sign_in(&desk.window, "local".to_owned())
        .await
        .expect("it begins again");
    desk.desktop
        .cancel_sign_in(&desk.window)
        .await
        .expect("it was waiting");
    assert_eq!(
        session_error(&desk.snapshot().await.session),
        None,
        "an attempt that was given up says why the one before it failed"
    );
}

#[tokio::test]
async fn callback_of_a_cancelled_attempt_is_refused_and_the_next_attempt_succeeds() {
    let service = Service::start().await;
    let desk = Desk::new(&service).await;
    desk.desktop
        .start_sign_in(&desk.window, "local".to_owned())
        .await
        .expect("it begins");
    let late = Browser::new()
        .sign_in(&desk.screen.opened(), NOURA, &service.password(NOURA))
        .await;
    desk.desktop
        .cancel_sign_in(&desk.window)
        .await
        .expect("it was waiting");
    desk.desktop.callback(&late);
    desk.wait_until(|snapshot| {
        session_error(&snapshot.session) == Some(refused(CallbackRefusal::OtherAttempt))
    })
    .await;
    desk.desktop
        .start_sign_in(&desk.window, "local".to_owned())
        .await
        .expect("it begins again");
    assert_eq!(
        desk.desktop.paste_callback(&desk.window, late).await,
        Err(refused(CallbackRefusal::OtherAttempt))
    );
    let callback = Browser::new()
        .sign_in(&desk.screen.opened(), NOURA, &service.password(NOURA))
        .await;
    desk.desktop
        .paste_callback(&desk.window, callback.clone())
        .await
        .expect("the second attempt works");
    assert_eq!(
        desk.desktop.paste_callback(&desk.window, callback).await,
        Err(CommandError::NothingToContinue),
        "used twice"
    );
}

#[tokio::test]
async fn malformed_callback_is_refused_and_the_attempt_goes_on() {
    let service = Service::start().await;
    let desk = Desk::new(&service).await;
    desk.desktop
        .start_sign_in(&desk.window, "local".to_owned())
        .await
        .expect("it begins");
    let right = Browser::new()
        .sign_in(&desk.screen.opened(), NOURA, &service.password(NOURA))
        .await;
    for broken in [
        "",
        "com.invoicedesk.desktop:/oauth/local",
        &right.replace("/local", "/staging"),
        &format!("{right}&code=x"),
        &format!("{right}#x"),
    ] {
        desk.desktop.callback(broken);
        let answer = desk
            .desktop
            .paste_callback(&desk.window, broken.to_owned())
            .await;
        assert_eq!(answer, Err(refused(CallbackRefusal::Broken)), "{broken}");
    }
    let foreign = format!(
        "{}&iss=https%3A%2F%2Fevil.example",
        right.split("&iss=").next().unwrap_or_default()
    );
    assert_eq!(
        desk.desktop.paste_callback(&desk.window, foreign).await,
        Err(refused(CallbackRefusal::OtherIssuer))
    );
    assert_eq!(
        session_error(&desk.snapshot().await.session),
        Some(refused(CallbackRefusal::OtherIssuer)),
        "the screen does not say it"
    );
    desk.desktop
        .paste_callback(&desk.window, right)
        .await
        .expect("the right answer is still taken");
}

#[tokio::test]
async fn clock_off_by_an_hour_fails_before_the_browser_opens() {
    let service = Service::start().await;
    for (hours, minutes) in [(1, 59..=60), (-1, -60..=-59)] {
        let desk = Desk::at(&service, now() + hours.hours()).await;
        match desk
            .desktop
            .start_sign_in(&desk.window, "local".to_owned())
            .await
        {
            Err(CommandError::ClockOff { minutes: told }) => {
                assert!(minutes.contains(&told), "{told}")
            }
            other => panic!("{other:?}"),
        }
        assert_eq!(desk.screen.times_opened(), 0);
    }
}

#[tokio::test]
async fn start_fails_while_the_provider_is_unreachable_or_replaced_and_succeeds_later() {
    let service = Service::start().await;
    let desk = Desk::new(&service).await;
    let start = || desk.desktop.start_sign_in(&desk.window, "local".to_owned());
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
    let desk = Desk::new(&service).await;
    let mut browser = Browser::new();
    desk.sign_in(&service, NOURA, &mut browser).await;
    assert!(
        desk.vault
            .entries()
            .iter()
            .any(|entry| entry.contains("invoice-desk")),
        "{:?}",
        desk.vault.entries()
    );
    desk.desktop
        .sign_out(&desk.window)
        .await
        .expect("signed out");
    assert!(
        desk.vault
            .entries()
            .iter()
            .all(|entry| !entry.contains("invoice-desk")),
        "{:?}",
        desk.vault.entries()
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
        desk.snapshot().await.session,
        SessionView::SignedOut { error: None, .. }
    ));
    assert_eq!(
        desk.desktop.organizations(&desk.window).await,
        Err(CommandError::NotSignedIn)
    );
    desk.sign_in(&service, CLERK, &mut Browser::new()).await;
}

#[tokio::test]
async fn commands_without_an_attempt_return_nothing_to_continue() {
    let service = Service::start().await;
    let desk = Desk::new(&service).await;
    let nothing = Err(CommandError::NothingToContinue);
    assert_eq!(desk.desktop.open_browser_again(&desk.window).await, nothing);
    assert_eq!(desk.desktop.use_loopback(&desk.window).await, nothing);
    assert_eq!(desk.desktop.cancel_sign_in(&desk.window).await, nothing);
    assert_eq!(
        desk.desktop
            .start_sign_in(&desk.window, "nowhere".to_owned())
            .await,
        Err(CommandError::UnknownEnvironment)
    );
    assert_eq!(
        desk.desktop.sign_out(&desk.window).await,
        Err(CommandError::NotSignedIn)
    );
}

#[tokio::test]
async fn refused_second_sign_in_is_shown_and_the_session_goes_on() {
    let service = Service::start().await;
    let (desk, _) = Desk::signed_in(&service, NOURA, HOME).await;
    let told = |session: &SessionView| match session {
        SessionView::SignedIn { error, .. } => error.clone(),
        SessionView::Starting
        | SessionView::SignedOut { .. }
        | SessionView::Waiting { .. }
        | SessionView::Finishing { .. } => None,
    };
    let again = || desk.desktop.start_sign_in(&desk.window, "local".to_owned());
    again().await.expect("the attempt begins");
    let state = desk
        .screen
        .opened()
        .query_pairs()
        .find_map(|(name, value)| (name == "state").then(|| value.into_owned()))
        .expect("an attempt has a state");
    desk.desktop.callback(&format!(
        "com.invoicedesk.desktop:/oauth/local?error=access_denied&state={state}&iss={}",
        service.ready.auth_url
    ));
    let snapshot = desk
        .wait_until(|snapshot| told(&snapshot.session).is_some())
        .await;
    assert_eq!(
        told(&snapshot.session).as_deref(),
        Some(&CommandError::SignInRefused {
            code: "access_denied".to_owned()
        })
    );
    again().await.expect("the next attempt begins");
    desk.desktop
        .cancel_sign_in(&desk.window)
        .await
        .expect("given up");
    assert_eq!(told(&desk.snapshot().await.session), None);
}
