//! Environments added by the user: validation of their endpoints, and no change during a session.

use invoicing_client::views::CommandError;

use crate::fixtures::{Browser, NOURA, Service, TestApp, staging};

#[tokio::test]
async fn embedded_environment_starts_when_it_is_chosen_and_not_with_the_application() {
    let service = Service::start().await;
    let app = TestApp::start(&service).await;
    let embedded = async || {
        let environments = app.desktop.environments(&app.window).await;
        environments.expect("a list").remove(0)
    };
    for _ in 0..100 {
        tokio::task::yield_now().await;
        let environment = embedded().await;
        assert_eq!(
            (environment.name.as_str(), environment.auth_url.as_str()),
            ("local", "")
        );
        assert_eq!(environment.demo_accounts, []);
    }
    app.start_sign_in("local").await;
    let environment = embedded().await;
    assert_eq!(environment.auth_url, service.ready.auth_url);
    assert_eq!(
        environment.demo_accounts[0].password,
        service.password(NOURA)
    );
}

#[tokio::test]
async fn project_id_of_another_environment_is_reported() {
    let service = Service::start().await;
    let app = TestApp::start(&service).await;
    app.add_environment(staging(&service, "999")).await;
    app.start_sign_in("staging").await;
    let expected = CommandError::WrongEnvironmentPair {
        auth_url: service.ready.auth_url.clone(),
    };
    let address = app.host.opened_address();
    let address = address
        .as_str()
        .replace("oauth%2Fstaging", "oauth%2Flocal")
        .parse()
        .expect("an address");
    // The seed registers the redirect URIs of `local` only, so the callback is rewritten to the URI of this attempt.
    let callback = Browser::new()
        .cancel(&address)
        .await
        .replace("/oauth/local", "/oauth/staging");
    let answer = app.desktop.paste_callback(&app.window, callback).await;
    assert_eq!(answer, Err(expected));
}

#[tokio::test]
async fn environment_of_the_active_session_cannot_be_changed_or_removed() {
    let service = Service::staging().await;
    let app = TestApp::start(&service).await;
    let config = staging(&service, &service.ready.audience_id);
    app.add_environment(config.clone()).await;
    app.sign_in_to_staging(&service, NOURA, &mut Browser::new())
        .await;
    for answer in [
        app.desktop.change_environment(&app.window, config).await,
        app.desktop
            .remove_environment(&app.window, "staging".to_owned())
            .await,
    ] {
        assert!(
            matches!(answer, Err(CommandError::InvalidCall { .. })),
            "{answer:?}"
        );
    }
    app.sign_out().await;
    app.desktop
        .remove_environment(&app.window, "staging".to_owned())
        .await
        .expect("removed");
}
