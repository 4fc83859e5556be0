//! Callback methods other than the deep link, and the timeouts of an attempt.

use std::time::Duration;

use end_to_end::http_client;
use invoicing_client::views::{CallbackMethod, CallbackRefusal, CommandError, SessionView};

use crate::client::sign_in::{refused, session_error};
use crate::fixtures::{Browser, CLERK, Service, TestApp};

/// What the loopback address of an attempt answers to a browser.
async fn open(callback: String) -> reqwest::Response {
    let client = http_client::builder().build().expect("a client");
    client.get(callback).send().await.expect("it answers")
}

#[tokio::test]
async fn unregistered_scheme_uses_a_loopback_redirect_uri() {
    let service = Service::start().await;
    let app = TestApp::start(&service).await;
    app.host.unregister_scheme();
    app.start_sign_in("local").await;
    assert!(matches!(
        app.snapshot().await.session,
        SessionView::Waiting {
            callback_method: CallbackMethod::Loopback,
            ..
        }
    ));
    let callback = Browser::new()
        .sign_in(&app.host.opened_address(), CLERK, &service.password(CLERK))
        .await;
    let wrong = callback.replace("state=", "state=x");
    assert_eq!(
        open(wrong).await.status(),
        400,
        "a wrong state was accepted"
    );
    assert_eq!(
        session_error(&app.snapshot().await.session),
        None,
        "a callback with a wrong state changed the session view"
    );
    let page = open(callback).await.text().await.expect("a page");
    assert!(page.contains("close this page"), "{page}");
    app.wait_until(|snapshot| matches!(snapshot.session, SessionView::SignedIn { .. }))
        .await;
}

#[tokio::test]
async fn slow_attempt_offers_the_loopback_redirect_uri() {
    let service = Service::start().await;
    let app = TestApp::start(&service).await;
    app.start_sign_in("local").await;
    app.clock
        .sleep_matching(|left| left == Duration::from_secs(25))
        .await;
    app.clock.advance(Duration::from_secs(25));
    app.wait_until(|snapshot| matches!(snapshot.session, SessionView::Waiting { slow: true, .. }))
        .await;
    app.desktop
        .open_browser_again(&app.window)
        .await
        .expect("the attempt is waiting");
    assert_eq!(app.host.open_count(), 2);
    app.desktop
        .use_loopback(&app.window)
        .await
        .expect("the attempt is waiting");
    let callback = Browser::new()
        .sign_in(&app.host.opened_address(), CLERK, &service.password(CLERK))
        .await;
    open(callback).await;
    app.wait_until(|snapshot| matches!(snapshot.session, SessionView::SignedIn { .. }))
        .await;
}

#[tokio::test]
async fn attempt_older_than_ten_minutes_fails() {
    let service = Service::start().await;
    let app = TestApp::start(&service).await;
    app.start_sign_in("local").await;
    app.clock
        .sleep_matching(|left| left == Duration::from_secs(25))
        .await;
    app.clock.advance(Duration::from_secs(25));
    app.clock
        .sleep_matching(|left| left == Duration::from_secs(575))
        .await;
    app.clock.advance(Duration::from_secs(575));
    app.wait_until(|snapshot| {
        session_error(&snapshot.session) == Some(refused(CallbackRefusal::TooLate))
    })
    .await;
}

#[tokio::test]
async fn address_is_shown_when_no_browser_opens() {
    let service = Service::start().await;
    let app = TestApp::start(&service).await;
    app.host.remove_browser();
    app.start_sign_in("local").await;
    let SessionView::Waiting { address, error, .. } = app.snapshot().await.session else {
        panic!("not waiting")
    };
    assert_eq!(error, Some(CommandError::BrowserNotOpened));
    let address = address.parse().expect("an address");
    let callback = Browser::new()
        .sign_in(&address, CLERK, &service.password(CLERK))
        .await;
    app.desktop
        .paste_callback(&app.window, callback)
        .await
        .expect("the copied address works");
}
