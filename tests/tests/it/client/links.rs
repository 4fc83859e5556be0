//! Links to documents: they open in the window of their organization.

use std::sync::Arc;

use invoicing_client::WindowKey;
use invoicing_client::views::{LinkTarget, WindowBinding};

use super::windows::{FOREIGN, OTHER, binding_of, open_window};
use crate::fixtures::{Browser, CLERK, HOME, NOURA, Service, TestApp};

/// Waits until a window has a link to take, and takes it.
async fn link_for(app: &TestApp, window: &WindowKey) -> LinkTarget {
    let waiting = async {
        loop {
            if let Some(target) = app.desktop.take_link(window).await.expect("it answers") {
                return target;
            }
            tokio::task::yield_now().await;
        }
    };
    let taken = tokio::time::timeout(std::time::Duration::from_secs(20), waiting).await;
    taken.expect("the window gets the link")
}

fn link(organization: &str, key: &impl ToString) -> String {
    format!(
        "com.invoicedesk.desktop:/documents/{organization}/{}",
        key.to_string()
    )
}

#[tokio::test]
async fn followed_link_opens_in_the_window_of_its_organization_or_in_a_new_one() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let document = app.issued_invoice(&binding).await.row.key;
    app.desktop.follow(&link(HOME, &document));
    let here = LinkTarget::Document {
        key: document.clone(),
    };
    assert_eq!(link_for(&app, &app.window).await, here);
    assert!(app.host.windows().is_empty());

    app.desktop.follow(&link(OTHER, &document));
    assert_eq!(link_for(&app, &"window-2".into()).await, here);
    assert_eq!(app.host.windows(), ["window-2".into()]);
    assert_eq!(app.host.shown(), Some("window-2".into()));
    let binding = binding_of(&app, &"window-2".into()).await.expect("bound");
    assert_eq!(binding.organization, OTHER);

    app.desktop.follow(&link(OTHER, &document));
    assert_eq!(link_for(&app, &"window-2".into()).await, here);
    assert_eq!(app.host.windows().len(), 1, "no second one");
}

#[tokio::test]
async fn link_to_an_organization_without_a_role_and_a_malformed_one_open_nothing() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let document = app.issued_invoice(&binding).await.row.key;
    app.desktop.follow(&link(FOREIGN, &document));
    let organization = FOREIGN.into();
    let target = link_for(&app, &app.window).await;
    assert_eq!(target, LinkTarget::NotGranted { organization });
    let forged = format!("{}?action=freeze", link(HOME, &document));
    app.desktop.follow(&forged);
    assert_eq!(link_for(&app, &app.window).await, LinkTarget::NoLink);
    assert!(app.host.windows().is_empty());
}

#[tokio::test]
async fn link_that_is_followed_while_signed_out_opens_after_the_sign_in() {
    let service = Service::start().await;
    let app = TestApp::start(&service).await;
    let key = "0199f3a0-0000-7000-8000-0000000000aa";
    app.desktop.follow(&link(HOME, &key));
    assert_eq!(app.desktop.take_link(&app.window).await, Ok(None));
    app.sign_in(&service, CLERK, &mut Browser::new()).await;
    let target = link_for(&app, &app.window).await;
    assert_eq!(target, LinkTarget::Document { key: key.into() });
}

#[tokio::test]
async fn pasted_link_or_key_of_another_organization_is_not_opened_in_this_window() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let key = app.issued_invoice(&binding).await.row.key;
    let read = |window: WindowKey, binding: WindowBinding, text: String| {
        let desktop = Arc::clone(&app.desktop);
        async move { desktop.read_link(&window, binding, text).await }
    };
    let here = LinkTarget::Document { key: key.clone() };
    let in_main = |text: String| read(app.window.clone(), binding.clone(), text);
    assert_eq!(in_main(link(HOME, &key)).await, Ok(here.clone()));
    assert_eq!(in_main(key.to_string()).await, Ok(here.clone()));
    assert_eq!(in_main("a text".to_owned()).await, Ok(LinkTarget::NoLink));
    let organization = FOREIGN.into();
    let not_granted = Ok(LinkTarget::NotGranted { organization });
    assert_eq!(in_main(link(FOREIGN, &key)).await, not_granted);

    let got = app
        .desktop
        .get_invoice(&app.window, binding.clone(), key.clone());
    got.await.expect("it is read, and kept on this computer");
    let (second, other) = open_window(&app, OTHER).await;
    let address = link(HOME, &key);
    for text in [address.clone(), key.to_string()] {
        let target = read(second.clone(), other.clone(), text).await;
        let organization = HOME.into();
        let address = address.clone();
        let elsewhere = LinkTarget::OtherOrganization {
            organization,
            address,
        };
        assert_eq!(target, Ok(elsewhere));
    }
    let opened = app.desktop.open_link(&second, address).await;
    opened.expect("the window of the other organization opens it");
    assert_eq!(app.host.shown(), Some(app.window.clone()));
    assert_eq!(link_for(&app, &app.window).await, here);
}
