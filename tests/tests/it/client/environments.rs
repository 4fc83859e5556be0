//! Environments that the user has added: validated as a whole, and unchangeable during a session.

use invoicing_client::views::{CommandError, EnvironmentConfig, EnvironmentKind, SessionView};

use crate::fixtures::{Browser, Desk, NOURA, Service};

#[tokio::test]
async fn project_id_of_another_environment_is_reported() {
    let service = Service::start().await;
    let desk = Desk::new(&service).await;
    let config = EnvironmentConfig {
        name: "staging".to_owned(),
        kind: EnvironmentKind::Staging,
        auth_url: service.ready.auth_url.clone(),
        base_url: service.ready.base_url.clone(),
        project_audience_id: "999".to_owned(),
        client_id: "invoice-desk".into(),
        namespace: "idp".to_owned(),
    };
    desk.desktop
        .add_environment(&desk.window, config)
        .await
        .expect("kept");
    desk.screen.forget_scheme();
    desk.desktop
        .start_sign_in(&desk.window, "staging".to_owned())
        .await
        .expect("the attempt begins");
    let expected = CommandError::WrongEnvironmentPair {
        auth_url: service.ready.auth_url.clone(),
    };
    let address = desk.screen.opened();
    let address = address
        .as_str()
        .replace("oauth%2Fstaging", "oauth%2Flocal")
        .parse()
        .expect("an address");
    // The seed registers the redirect URIs of `local` only; the answer is carried to where this attempt listens.
    let callback = Browser::new()
        .cancel(&address)
        .await
        .replace("/oauth/local", "/oauth/staging");
    let answer = desk.desktop.paste_callback(&desk.window, callback).await;
    assert_eq!(answer, Err(expected));
}

#[tokio::test]
async fn environment_of_the_active_session_cannot_be_changed_or_removed() {
    let service =
        Service::with(|config| config.kind = invoicing_service::EnvironmentKind::Staging).await;
    let desk = Desk::new(&service).await;
    let config = EnvironmentConfig {
        name: "staging".to_owned(),
        kind: EnvironmentKind::Staging,
        auth_url: service.ready.auth_url.clone(),
        base_url: service.ready.base_url.clone(),
        project_audience_id: service.ready.audience_id.clone(),
        client_id: "invoice-desk".into(),
        namespace: "idp".to_owned(),
    };
    desk.desktop
        .add_environment(&desk.window, config.clone())
        .await
        .expect("added");
    desk.screen.forget_scheme();
    desk.desktop
        .start_sign_in(&desk.window, "staging".to_owned())
        .await
        .expect("the attempt begins");
    let callback = Browser::new()
        .sign_in(&desk.screen.opened(), NOURA, &service.password(NOURA))
        .await;
    desk.desktop.callback(&callback);
    desk.wait_until(|snapshot| matches!(snapshot.session, SessionView::SignedIn { .. }))
        .await;
    for answer in [
        desk.desktop.change_environment(&desk.window, config).await,
        desk.desktop
            .remove_environment(&desk.window, "staging".to_owned())
            .await,
    ] {
        assert!(
            matches!(answer, Err(CommandError::InvalidCall { .. })),
            "{answer:?}"
        );
    }
    desk.desktop
        .sign_out(&desk.window)
        .await
        .expect("signed out");
    desk.desktop
        .remove_environment(&desk.window, "staging".to_owned())
        .await
        .expect("removed");
}
