//! The renewal of a session: ahead of need, after lost answers, and where the provider issues no refresh token.

use std::time::Duration;

use invoicing_client::views::{CommandError, Connectivity, SessionView};

use jiff::ToSpan as _;

use crate::client::session::{LIFETIME, connectivity, session_after_start};
use crate::fixtures::{Browser, Defect, Fault, HOME, NOURA, Service, TestApp, now, page};

const TOKEN: &str = "/oauth/v2/token";

fn ends(session: &SessionView) -> Option<String> {
    match session {
        SessionView::SignedIn { ends, .. } => ends.clone(),
        SessionView::Starting
        | SessionView::SignedOut { .. }
        | SessionView::Waiting { .. }
        | SessionView::Finishing { .. } => None,
    }
}

fn refreshes(service: &Service) -> usize {
    service.identity.requests(TOKEN).len()
}

#[tokio::test]
async fn access_token_is_refreshed_between_half_and_six_tenths_of_its_lifetime_without_a_call() {
    let service = Service::start().await;
    let (app, _) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let before = refreshes(&service);
    app.clock.advance(LIFETIME / 2 - Duration::from_secs(60));
    let end = app.wall() + 6.seconds();
    app.advance_until(None, || app.wall() >= end).await;
    assert_eq!(refreshes(&service), before, "before half of the lifetime");
    app.clock.advance(LIFETIME / 10 + Duration::from_secs(60));
    app.advance_until(None, || refreshes(&service) > before)
        .await;
}

#[tokio::test]
async fn lost_answer_ahead_of_need_leaves_the_person_working_until_the_access_token_ends() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let list = || {
        app.desktop
            .list_invoices(&app.window, binding.clone(), page())
    };
    let before = refreshes(&service);
    service.identity.fault(TOKEN, Fault::DropResponse);
    app.clock.advance(LIFETIME * 6 / 10);
    app.advance_until(None, || refreshes(&service) > before)
        .await;
    app.wait_until(|snapshot| {
        matches!(
            connectivity(&snapshot.session),
            Some(Connectivity::Offline { .. })
        )
    })
    .await;
    list().await.expect("the access token is still good");
    // The next attempt learns that the lost answer held the successor.
    app.clock.advance(Duration::from_secs(300));
    app.advance_until(None, || refreshes(&service) > before + 1)
        .await;
    let snapshot = app
        .wait_until(|snapshot| ends(&snapshot.session).is_some())
        .await;
    assert_eq!(
        connectivity(&snapshot.session),
        Some(Connectivity::Online),
        "the person was told before the access token ended"
    );
    list().await.expect("the access token is still good");
    app.clock.advance(LIFETIME);
    assert!(matches!(
        list().await,
        Err(CommandError::SessionEnded { .. })
    ));
    assert_eq!(
        connectivity(&app.snapshot().await.session),
        Some(Connectivity::Ended),
        "the window does not stay usable"
    );
}

#[tokio::test]
async fn answer_that_may_follow_an_exchange_keeps_the_marker_of_the_refresh_in_flight() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let marker = || {
        let file = std::fs::read(app.folder.path().join("data/account.json")).expect("a file");
        let record: serde_json::Value = serde_json::from_slice(&file).expect("JSON");
        record["refresh_in_flight"].as_u64()
    };
    app.clock.advance(LIFETIME);
    for (fault, keeps) in [
        (Fault::status(503, 14, "X"), true),
        (Fault::status(500, 13, "X"), true),
        (Fault::page(200), true),
        (Fault::page(302), true),
        (Fault::DropResponse, true),
        (Fault::status(429, 8, "X"), false),
        (
            Fault::Respond {
                status: 400,
                headers: vec![("content-type", "application/json".to_owned())],
                body: r#"{"error":"invalid_request"}"#.to_owned(),
            },
            false,
        ),
    ] {
        service.identity.fault(TOKEN, fault.clone());
        let answer = app
            .desktop
            .list_invoices(&app.window, binding.clone(), page())
            .await;
        assert!(answer.is_err(), "{fault:?}");
        assert_eq!(marker().is_some(), keeps, "{fault:?}");
    }
}

/// Removes the refresh token from a token response.
pub(super) fn without_refresh_token(response: &mut serde_json::Value) {
    response
        .as_object_mut()
        .expect("a token response")
        .remove("refresh_token");
}

/// Lets the access token expire, and with it the session.
async fn wait_for_the_end(app: &TestApp) {
    app.clock.advance(LIFETIME);
    app.wait_until(|snapshot| connectivity(&snapshot.session) == Some(Connectivity::Ended))
        .await;
}

/// Signs in at a provider that issues no refresh token.
async fn signed_in_without_refresh_token(service: &Service, browser: &mut Browser) -> TestApp {
    let app = TestApp::start(service).await;
    service
        .identity
        .fault(TOKEN, Fault::Deliver(Defect::Edit(without_refresh_token)));
    app.sign_in(service, NOURA, browser).await;
    app
}

#[tokio::test]
async fn session_without_a_refresh_token_says_when_it_ends_and_ends_with_its_access_token() {
    let service = Service::start().await;
    let app = signed_in_without_refresh_token(&service, &mut Browser::new()).await;
    let session = app.snapshot().await.session;
    let end: jiff::Timestamp = ends(&session)
        .expect("it says when it ends")
        .parse()
        .expect("a time");
    let left = end.duration_since(now()).unsigned_abs();
    assert!(
        left <= LIFETIME && left > LIFETIME - Duration::from_secs(60),
        "{left:?}"
    );
    assert!(
        matches!(session, SessionView::SignedIn { vault: None, .. }),
        "the keyring was blamed: {session:?}"
    );
    let binding = app.switch_organization(HOME).await;
    let list = || {
        app.desktop
            .list_invoices(&app.window, binding.clone(), page())
    };
    list().await.expect("the access token works");
    app.clock.advance(LIFETIME);
    assert!(matches!(
        list().await,
        Err(CommandError::SessionEnded { .. })
    ));
    assert_eq!(
        connectivity(&app.snapshot().await.session),
        Some(Connectivity::Ended)
    );
    app.clock.set_wall_clock(now());
    app.sign_in(&service, NOURA, &mut Browser::new()).await;
    assert_eq!(
        ends(&app.snapshot().await.session),
        None,
        "it can be renewed"
    );
}

#[tokio::test]
async fn rejected_access_token_without_a_refresh_token_asks_to_sign_in_again() {
    let service = Service::start().await;
    let app = signed_in_without_refresh_token(&service, &mut Browser::new()).await;
    let binding = app.switch_organization(HOME).await;
    service.gateway.fault("/list", Fault::status(401, 16, "X"));
    let answer = app
        .desktop
        .list_invoices(&app.window, binding, page())
        .await;
    assert!(
        matches!(answer, Err(CommandError::SessionEnded { .. })),
        "{answer:?}"
    );
}

#[tokio::test]
async fn restart_without_a_refresh_token_asks_to_sign_in_again_and_does_not_blame_the_keyring() {
    let service = Service::start().await;
    let app = signed_in_without_refresh_token(&service, &mut Browser::new()).await;
    let session = session_after_start(&app.restart()).await;
    assert!(
        matches!(
            session,
            SessionView::SignedOut {
                error: Some(CommandError::SessionEnded { .. }),
                ..
            }
        ),
        "{session:?}"
    );
}

#[tokio::test]
async fn idle_session_without_a_refresh_token_ends_by_itself() {
    let service = Service::start().await;
    let app = signed_in_without_refresh_token(&service, &mut Browser::new()).await;
    wait_for_the_end(&app).await;
}

#[tokio::test]
async fn sign_in_before_the_end_of_a_session_that_cannot_be_renewed_needs_no_page() {
    let service = Service::start().await;
    let mut browser = Browser::new();
    let app = signed_in_without_refresh_token(&service, &mut browser).await;
    let opened = app.host.open_count();
    let signing_in = app.start_sign_in("local");
    let answering = async {
        let address = app.host.next_address(opened).await;
        let query = address.query().unwrap_or_default();
        assert!(query.contains("request_uri="), "it is pushed: {query}");
        app.desktop.follow(&browser.open(&address).await);
    };
    tokio::join!(signing_in, answering);
    assert_eq!(ends(&app.snapshot().await.session), None);
}

#[tokio::test]
async fn sign_in_after_the_end_of_a_session_names_the_person_and_requires_no_prompt() {
    let service = Service::start().await;
    let app = signed_in_without_refresh_token(&service, &mut Browser::new()).await;
    wait_for_the_end(&app).await;
    app.clock.set_wall_clock(now());
    app.start_sign_in("local").await;
    let address = app.host.opened_address();
    let parameter = |name: &str| {
        let mut pairs = address.query_pairs();
        pairs.find_map(|(key, value)| (key == name).then(|| value.into_owned()))
    };
    assert_eq!(parameter("login_hint").as_deref(), Some(NOURA));
    assert_eq!(parameter("prompt"), None);
}
