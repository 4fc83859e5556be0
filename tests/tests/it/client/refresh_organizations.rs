//! "Refresh my organizations": a sign-in for new claims, without a page if the provider allows it, for the same person. Tokens of a sign-in
//! that is refused are revoked.

use invoicing_client::views::{CommandError, SessionView};

use super::renewal::without_refresh_token;
use crate::fixtures::{Browser, CLERK, Defect, Fault, HOME, NOURA, Service, TestApp, page};

#[tokio::test]
async fn refresh_of_organizations_is_silent_with_the_session_of_the_browser() {
    let service = Service::start().await;
    let app = TestApp::start(&service).await;
    let mut browser = Browser::new();
    app.sign_in(&service, NOURA, &mut browser).await;
    let refreshing = app.desktop.refresh_organizations(&app.window);
    let answering = async {
        let address = app.host.next_address(1).await;
        assert!(
            matches!(app.snapshot().await.session, SessionView::SignedIn { .. }),
            "the session view changed"
        );
        let query = address.query().unwrap_or_default();
        assert!(
            query.contains("request_uri=") && !query.contains("id_token_hint"),
            "the request is pushed: {query}"
        );
        app.desktop.follow(&browser.open(&address).await);
    };
    let (refreshed, ()) = tokio::join!(refreshing, answering);
    refreshed.expect("new claims");
    assert_eq!(service.identity.requests("/oauth/v2/par").len(), 1);
    let binding = app.switch_organization(HOME).await;
    app.desktop
        .list_invoices(&app.window, binding, page())
        .await
        .expect("the new session works");
}

#[tokio::test]
async fn refresh_of_organizations_asks_in_the_browser_if_the_provider_requires_it() {
    let service = Service::start().await;
    let app = TestApp::start(&service).await;
    let mut browser = Browser::new();
    app.sign_in(&service, NOURA, &mut browser).await;
    // A provider that refuses the pushed request. The id_token alone proves nothing.
    for fault in [
        Fault::page(404),
        Fault::status(503, 14, "X"),
        Fault::DropResponse,
    ] {
        let opened = app.host.open_count();
        service.identity.fault("/oauth/v2/par", fault);
        let refreshing = app.desktop.refresh_organizations(&app.window);
        let answering = async {
            let silent = app.host.next_address(opened).await;
            let callback = browser.open(&silent).await;
            assert!(callback.contains("interaction_required"), "{callback}");
            app.desktop.follow(&callback);
            let visible = app.host.next_address(opened + 1).await;
            let callback = browser
                .sign_in(&visible, NOURA, &service.password(NOURA))
                .await;
            app.desktop.follow(&callback);
        };
        let (refreshed, ()) = tokio::join!(refreshing, answering);
        refreshed.expect("new claims");
    }

    // Nobody is signed in with the browser, and the person goes back.
    let opened = app.host.open_count();
    let refreshing = app.desktop.refresh_organizations(&app.window);
    let answering = async {
        let mut stranger = Browser::new();
        let silent = app.host.next_address(opened).await;
        let callback = stranger.open(&silent).await;
        assert!(callback.contains("login_required"), "{callback}");
        app.desktop.follow(&callback);
        let visible = app.host.next_address(opened + 1).await;
        app.desktop.follow(&stranger.cancel(&visible).await);
    };
    let (refreshed, ()) = tokio::join!(refreshing, answering);
    assert_eq!(
        refreshed,
        Err(CommandError::SignInRefused {
            code: "access_denied".to_owned()
        })
    );
    assert!(
        matches!(app.snapshot().await.session, SessionView::SignedIn { .. }),
        "a failed refresh ended the session"
    );
}

#[tokio::test]
async fn refresh_of_organizations_refuses_the_answer_of_somebody_else() {
    for has_refresh_token in [true, false] {
        let service = Service::start().await;
        let app = TestApp::start(&service).await;
        app.sign_in(&service, NOURA, &mut Browser::new()).await;
        if !has_refresh_token {
            let response = Fault::Deliver(Defect::Edit(without_refresh_token));
            service.identity.fault("/oauth/v2/token", response);
        }
        let opened = app.host.open_count();
        let refreshing = app.desktop.refresh_organizations(&app.window);
        let answering = async {
            let mut stranger = Browser::new();
            let silent = app.host.next_address(opened).await;
            app.desktop.follow(&stranger.open(&silent).await);
            let visible = app.host.next_address(opened + 1).await;
            let callback = stranger
                .sign_in(&visible, CLERK, &service.password(CLERK))
                .await;
            app.desktop.follow(&callback);
        };
        let (refreshed, ()) = tokio::join!(refreshing, answering);
        assert_eq!(
            refreshed,
            Err(CommandError::OtherAccount {
                username: CLERK.to_owned().into()
            })
        );
        let SessionView::SignedIn { account, .. } = app.snapshot().await.session else {
            panic!("the session has ended")
        };
        assert_eq!(account.username, NOURA);
        assert_eq!(
            service.identity.requests("/oauth/v2/revoke").len(),
            1,
            "the token of the other was kept"
        );
    }
}

#[tokio::test]
async fn refresh_of_organizations_is_silent_after_a_restart() {
    let service = Service::start().await;
    let app = TestApp::start(&service).await;
    let mut browser = Browser::new();
    app.sign_in(&service, NOURA, &mut browser).await;
    let app = app.restart();
    app.wait_until(|snapshot| matches!(snapshot.session, SessionView::SignedIn { .. }))
        .await;
    let refreshing = app.desktop.refresh_organizations(&app.window);
    let answering = async {
        let address = app.host.next_address(0).await;
        app.desktop.follow(&browser.open(&address).await);
    };
    let (refreshed, ()) = tokio::join!(refreshing, answering);
    refreshed.expect("new claims without an id_token");
}

#[tokio::test]
async fn tokens_of_a_sign_in_whose_identity_cannot_be_verified_are_revoked() {
    let service = Service::start().await;
    let app = TestApp::start(&service).await;
    let response = Fault::Deliver(Defect::Edit(with_another_signature));
    service.identity.fault("/oauth/v2/token", response);
    app.start_sign_in("local").await;
    let (address, password) = (app.host.opened_address(), service.password(CLERK));
    let callback = Browser::new().sign_in(&address, CLERK, &password).await;
    app.desktop.follow(&callback);
    app.wait_until(|snapshot| {
        let SessionView::SignedOut { error, .. } = &snapshot.session else {
            return false;
        };
        matches!(error, Some(CommandError::NotTrusted { .. }))
    })
    .await;
    assert_eq!(service.identity.requests("/oauth/v2/revoke").len(), 1);
}

/// A token response whose id_token nobody has signed.
fn with_another_signature(response: &mut serde_json::Value) {
    let token = response["id_token"].as_str().expect("an id_token");
    let (signed, signature) = token.rsplit_once('.').expect("a JWT");
    let other = format!("{signed}.{}", "A".repeat(signature.len()));
    response["id_token"] = other.into();
}
