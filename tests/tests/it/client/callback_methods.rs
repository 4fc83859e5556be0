//! Callback methods other than the deep link, and the timeouts of an attempt.

use std::time::Duration;

use invoicing_client::views::{CallbackMethod, CallbackRefusal, CommandError, SessionView};

use crate::client::sign_in::{refused, session_error};
use crate::fixtures::{Browser, CLERK, Desk, Service};

#[tokio::test]
async fn unregistered_scheme_uses_a_loopback_redirect_uri() {
    let service = Service::start().await;
    let desk = Desk::new(&service).await;
    desk.screen.forget_scheme();
    desk.desktop
        .start_sign_in(&desk.window, "local".to_owned())
        .await
        .expect("it begins");
    assert!(matches!(
        desk.snapshot().await.session,
        SessionView::Waiting {
            callback_method: CallbackMethod::Loopback,
            ..
        }
    ));
    let callback = Browser::new()
        .sign_in(&desk.screen.opened(), CLERK, &service.password(CLERK))
        .await;
    let wrong = callback.replace("state=", "state=x");
    assert_eq!(
        reqwest::get(wrong).await.expect("it answers").status(),
        400,
        "a wrong state was taken"
    );
    assert_eq!(
        session_error(&desk.snapshot().await.session),
        None,
        "a stranger at the port changed the screen"
    );
    let page = reqwest::get(callback)
        .await
        .expect("it answers")
        .text()
        .await
        .expect("a page");
    assert!(page.contains("close this page"), "{page}");
    desk.wait_until(|snapshot| matches!(snapshot.session, SessionView::SignedIn { .. }))
        .await;
}

#[tokio::test]
async fn slow_attempt_offers_the_loopback_redirect_uri() {
    let service = Service::start().await;
    let desk = Desk::new(&service).await;
    desk.desktop
        .start_sign_in(&desk.window, "local".to_owned())
        .await
        .expect("it begins");
    desk.clock
        .sleep_matching(|left| left == Duration::from_secs(25))
        .await;
    desk.clock.advance(Duration::from_secs(25));
    desk.wait_until(|snapshot| matches!(snapshot.session, SessionView::Waiting { slow: true, .. }))
        .await;
    desk.desktop
        .open_browser_again(&desk.window)
        .await
        .expect("it waits");
    assert_eq!(desk.screen.times_opened(), 2);
    desk.desktop
        .use_loopback(&desk.window)
        .await
        .expect("it waits");
    let callback = Browser::new()
        .sign_in(&desk.screen.opened(), CLERK, &service.password(CLERK))
        .await;
    reqwest::get(callback).await.expect("it answers");
    desk.wait_until(|snapshot| matches!(snapshot.session, SessionView::SignedIn { .. }))
        .await;
}

#[tokio::test]
async fn attempt_older_than_ten_minutes_fails() {
    let service = Service::start().await;
    let desk = Desk::new(&service).await;
    desk.desktop
        .start_sign_in(&desk.window, "local".to_owned())
        .await
        .expect("it begins");
    desk.clock
        .sleep_matching(|left| left == Duration::from_secs(25))
        .await;
    desk.clock.advance(Duration::from_secs(25));
    desk.clock
        .sleep_matching(|left| left == Duration::from_secs(575))
        .await;
    desk.clock.advance(Duration::from_secs(575));
    desk.wait_until(|snapshot| {
        session_error(&snapshot.session) == Some(refused(CallbackRefusal::TooLate))
    })
    .await;
}

#[tokio::test]
async fn address_is_shown_when_no_browser_opens() {
    let service = Service::start().await;
    let desk = Desk::new(&service).await;
    desk.screen.lose_browser();
    desk.desktop
        .start_sign_in(&desk.window, "local".to_owned())
        .await
        .expect("the attempt waits all the same");
    let SessionView::Waiting { address, error, .. } = desk.snapshot().await.session else {
        panic!("not waiting")
    };
    assert_eq!(error, Some(CommandError::BrowserNotOpened));
    let address = address.parse().expect("an address");
    let callback = Browser::new()
        .sign_in(&address, CLERK, &service.password(CLERK))
        .await;
    desk.desktop
        .paste_callback(&desk.window, callback)
        .await
        .expect("the copied address works");
}
