//! The session: restored at a start, refreshed once, kept on transient errors, ended by invalid_grant.

use std::time::Duration;

use invoicing_client::views::{CommandError, Connectivity, SessionView};

use crate::fixtures::{Browser, Fault, HOME, NOURA, Service, TestApp, now, page};

/// The lifetime of an access token.
pub(crate) const LIFETIME: Duration = Duration::from_secs(43_200);
/// The interval at which a process polls the lock.
pub(super) const POLL: Duration = Duration::from_millis(50);

pub(crate) fn connectivity(session: &SessionView) -> Option<Connectivity> {
    match session {
        SessionView::SignedIn { connectivity, .. } => Some(connectivity.clone()),
        SessionView::Starting
        | SessionView::SignedOut { .. }
        | SessionView::Waiting { .. }
        | SessionView::Finishing { .. } => None,
    }
}

pub(super) async fn wait_until_online(app: &TestApp) {
    app.wait_until(|snapshot| connectivity(&snapshot.session) == Some(Connectivity::Online))
        .await;
}

/// Advances the clock to the next connection check, which finds the service again.
pub(super) async fn reconnect_by_check(app: &TestApp) {
    app.clock
        .sleep_matching(|left| left <= Duration::from_secs(30))
        .await;
    app.clock.advance(Duration::from_secs(30));
    wait_until_online(app).await;
}

/// The session after the start: restored or signed out.
pub(crate) async fn session_after_start(app: &TestApp) -> SessionView {
    app.wait_until(|snapshot| !matches!(snapshot.session, SessionView::Starting))
        .await
        .session
}

#[tokio::test]
async fn restart_restores_the_session_and_the_organization_of_the_window() {
    let service = Service::start().await;
    let (app, _) = TestApp::start_signed_in(&service, NOURA, "274893002").await;
    let again = app.restart();
    assert_eq!(
        connectivity(&session_after_start(&again).await),
        Some(Connectivity::Online)
    );
    let binding = again.binding().await;
    assert_eq!(binding.organization, "274893002");
    again
        .desktop
        .list_invoices(&again.window, binding, page())
        .await
        .expect("calls work");
}

#[tokio::test]
async fn start_without_a_network_is_offline_until_the_network_returns() {
    let service = Service::start().await;
    let (app, _) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    service.identity.stop().await;
    service.gateway.stop().await;
    let again = app.restart();
    let session = session_after_start(&again).await;
    assert!(
        matches!(connectivity(&session), Some(Connectivity::Offline { .. })),
        "{session:?}"
    );
    let binding = again.binding().await;
    let answer = again
        .desktop
        .list_invoices(&again.window, binding.clone(), page())
        .await;
    assert!(
        matches!(answer, Err(CommandError::Offline { .. })),
        "{answer:?}"
    );
    service.identity.restart().await;
    service.gateway.restart().await;
    reconnect_by_check(&again).await;
    again
        .desktop
        .list_invoices(&again.window, binding, page())
        .await
        .expect("calls work again");
}

#[tokio::test]
async fn concurrent_calls_with_an_expired_token_refresh_once() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let before = service.identity.requests("/oauth/v2/token").len();
    app.clock.advance(LIFETIME);
    let call = || {
        app.desktop
            .list_invoices(&app.window, binding.clone(), page())
    };
    let (a, b, c, d) = tokio::join!(call(), call(), call(), call());
    for answer in [a, b, c, d] {
        answer.expect("every call is served");
    }
    assert_eq!(
        service.identity.requests("/oauth/v2/token").len() - before,
        1,
        "it was refreshed more than once"
    );
}

#[tokio::test]
async fn two_processes_with_one_keyring_keep_the_session() {
    let service = Service::start().await;
    let (one, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let two = one.restart();
    session_after_start(&two).await;
    let other = two.binding().await;
    for _ in 0..3 {
        one.clock.advance(LIFETIME);
        two.clock.advance(LIFETIME);
        let first = one
            .desktop
            .list_invoices(&one.window, binding.clone(), page());
        let second = two
            .desktop
            .list_invoices(&two.window, other.clone(), page());
        // A process that finds the lock taken polls it. Both fake clocks advance at the speed of the real clock here.
        let advance_clocks = async {
            loop {
                let (clock, left) = tokio::select! {
                    left = one.clock.sleep_matching(|left| left <= POLL) => (&one.clock, left),
                    left = two.clock.sleep_matching(|left| left <= POLL) => (&two.clock, left),
                };
                tokio::time::sleep(left).await;
                clock.advance(left);
            }
        };
        tokio::select! {
            (first, second) = async { tokio::join!(first, second) } => {
                first.expect("the first process is served");
                second.expect("the second process is served");
            }
            () = advance_clocks => {}
        }
    }
}

#[tokio::test]
async fn refresh_without_network_or_with_an_unexpected_response_keeps_the_session() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let call = || {
        app.desktop
            .list_invoices(&app.window, binding.clone(), page())
    };
    app.clock.advance(LIFETIME);
    service.identity.fault("/oauth/v2/token", Fault::page(200));
    assert!(matches!(
        call().await,
        Err(CommandError::UnexpectedResponse { .. })
    ));
    service
        .identity
        .fault("/oauth/v2/token", Fault::status(503, 14, "X"));
    assert!(matches!(
        call().await,
        Err(CommandError::Unavailable { .. })
    ));
    service
        .identity
        .fault("/oauth/v2/token", Fault::DropRequest);
    assert!(matches!(call().await, Err(CommandError::Offline { .. })));
    service.identity.stop().await;
    assert!(matches!(call().await, Err(CommandError::Offline { .. })));
    service.identity.restart().await;
    call().await.expect("the session is still good");
}

#[tokio::test]
async fn restart_after_a_lost_refresh_response_reports_an_interrupted_session() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    app.clock.advance(LIFETIME);
    service
        .identity
        .fault("/oauth/v2/token", Fault::DropResponse);
    let answer = app
        .desktop
        .list_invoices(&app.window, binding, page())
        .await;
    assert!(
        matches!(answer, Err(CommandError::Offline { .. })),
        "{answer:?}"
    );
    let again = app.restart();
    let session = session_after_start(&again).await;
    assert!(
        matches!(
            session,
            SessionView::SignedOut {
                error: Some(CommandError::SessionInterrupted),
                ..
            }
        ),
        "{session:?}"
    );
    again.clock.set_wall_clock(now());
    again.sign_in(&service, NOURA, &mut Browser::new()).await;
}

#[tokio::test]
async fn invalid_grant_ends_the_session_and_drafts_stay_usable() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let draft = app
        .desktop
        .new_draft(&app.window, binding.clone(), None)
        .await
        .expect("a draft");
    app.clock.advance(LIFETIME);
    service.identity.fault(
        "/oauth/v2/token",
        Fault::Respond {
            status: 400,
            headers: vec![("content-type", "application/json".to_owned())],
            body: r#"{"error":"invalid_grant"}"#.to_owned(),
        },
    );
    let call = || {
        app.desktop
            .list_invoices(&app.window, binding.clone(), page())
    };
    assert!(matches!(
        call().await,
        Err(CommandError::SessionEnded { .. })
    ));
    let sent = service.identity.requests("/oauth/v2/token").len();
    assert!(matches!(
        call().await,
        Err(CommandError::SessionEnded { .. })
    ));
    assert_eq!(
        service.identity.requests("/oauth/v2/token").len(),
        sent,
        "the refused token was used again"
    );
    assert_eq!(
        connectivity(&app.snapshot().await.session),
        Some(Connectivity::Ended)
    );
    app.desktop
        .save_draft(&app.window, binding.clone(), draft.clone())
        .await
        .expect("the draft can still be saved");
    app.clock.set_wall_clock(now());
    app.sign_in(&service, NOURA, &mut Browser::new()).await;
    app.desktop
        .open_draft(&app.window, binding, draft.key)
        .await
        .expect("the draft and the window's binding are still there");
}

#[tokio::test]
async fn rejected_access_token_is_refreshed_and_the_call_repeated_once() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    service.gateway.fault("/list", Fault::status(401, 16, "X"));
    app.desktop
        .list_invoices(&app.window, binding.clone(), page())
        .await
        .expect("served with the new token");
    assert_eq!(service.gateway.requests("/list").len(), 2);
    for _ in 0..2 {
        service.gateway.fault("/list", Fault::status(401, 16, "X"));
    }
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
async fn window_is_bound_to_the_home_organization_after_sign_in() {
    let service = Service::start().await;
    let app = TestApp::start(&service).await;
    assert_eq!(
        app.snapshot().await.binding,
        None,
        "a window is bound before the sign-in"
    );
    app.sign_in(&service, NOURA, &mut Browser::new()).await;
    let binding = app.binding().await;
    assert_eq!(binding.organization, HOME);
    app.desktop
        .list_invoices(&app.window, binding, page())
        .await
        .expect("calls work");
    let unopened = "unopened".into();
    let snapshot = app.desktop.watch(&unopened, 0).await.expect("a snapshot");
    assert_eq!(snapshot.binding, None, "reading does not bind a window");
}

#[tokio::test]
async fn outdated_binding_of_a_switched_window_is_refused_before_any_request() {
    let service = Service::start().await;
    let (app, old) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let new = app.switch_organization("274893002").await;
    let sent = service.gateway.requests("").len();
    assert_eq!(
        app.desktop.list_invoices(&app.window, old, page()).await,
        Err(CommandError::StaleBinding)
    );
    assert_eq!(
        app.desktop
            .list_invoices(&"other".into(), new.clone(), page())
            .await,
        Err(CommandError::StaleBinding)
    );
    let foreign = app
        .desktop
        .switch_organization(&app.window, "274893005".into())
        .await;
    assert!(
        matches!(foreign, Err(CommandError::OrganizationNotGranted { .. })),
        "{foreign:?}"
    );
    assert_eq!(
        service.gateway.requests("").len(),
        sent,
        "a request was sent to the gateway"
    );
    app.desktop
        .list_invoices(&app.window, new, page())
        .await
        .expect("the new binding is good");
    let request = service
        .gateway
        .requests("/list")
        .pop()
        .expect("a request was sent");
    assert_eq!(request.headers["x-idp-orgid"], "274893002");
    assert!(request.headers.contains_key("x-correlation-id"));
}
