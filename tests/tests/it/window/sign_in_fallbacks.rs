//! Sign-in fallbacks: a deep link that starts the application, loopback, pasted callback, no keyring; and a long list.

use end_to_end::browser::Browser;
use end_to_end::window::{AppWindow, NOURA, SCHEME, WindowOptions};
use thirtyfour::prelude::*;

#[tokio::test(flavor = "multi_thread")]
async fn deep_link_starts_the_application_and_a_callback_without_an_attempt_is_explained() {
    let mut window = AppWindow::start().await;
    window.click("Continue in your browser").await;
    let address = window.opened_address().await;
    let password = window.password(NOURA).await;
    let browser = Browser::start(window.session()).await;
    browser.submit(&address, NOURA, &password).await;
    let callback = browser.callback(SCHEME).await;
    browser.close().await;
    // The application is killed while the browser is open. The state and nonce of the attempt are lost.
    window.kill().await;
    window.deep_link(&callback);
    window.wait_until_running().await;
    window.kill().await;

    window.launch_with_arguments(&[&callback]).await;
    window
        .wait_for_text("belongs to another sign-in attempt")
        .await;
    window.sign_in().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn missing_callback_offers_the_loopback_redirect_uri() {
    let window = AppWindow::start().await;
    window.click("Continue in your browser").await;
    window.opened_address().await;
    window.wait_for("Other ways").await;
    window.click("Use this computer's address instead").await;
    let address = window.opened_address().await;
    let password = window.password(NOURA).await;
    assert!(
        address.contains("redirect_uri=http%3A%2F%2F127.0.0.1"),
        "the redirect URI is not a loopback address"
    );
    let browser = Browser::start(window.session()).await;
    browser.submit(&address, NOURA, &password).await;
    window.wait_for("Online").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn malformed_callback_offers_to_paste_the_callback() {
    let window = AppWindow::start().await;
    window.click("Continue in your browser").await;
    let address = window.opened_address().await;
    let password = window.password(NOURA).await;
    window.deep_link(&format!("{SCHEME}:/oauth/local?code=1&code=2"));
    window.wait_for_text("not the answer of a sign-in").await;
    window.click("Paste the answer").await;
    let browser = Browser::start(window.session()).await;
    browser.submit(&address, NOURA, &password).await;
    window
        .fill_label("Paste the answer", &browser.callback(SCHEME).await)
        .await;
    window.click("Use this answer").await;
    window.wait_for("Online").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn session_without_a_keyring_works_and_is_stored_when_a_keyring_is_available() {
    let mut window = AppWindow::start().await;
    window.wait_for("Continue in your browser").await;
    window.session_mut().stop_keyring().expect("it runs");
    window.sign_in().await;
    window.wait_for("Your sign-in is not kept").await;
    window.click_in_dialog("Continue for this session").await;
    window.wait_for_rows().await;

    window
        .session_mut()
        .start_keyring()
        .expect("it starts again");
    window.click("Signed in for this session only").await;
    window
        .wait_until_gone("Signed in for this session only")
        .await;
    window.kill().await;
    window.launch().await;
    window.wait_for("Online").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn locked_keyring_is_reported_and_unlocking_restores_the_session() {
    let mut window = AppWindow::start().await;
    window.sign_in().await;
    window.kill().await;
    window.session().lock_keyring().expect("it can be locked");
    window.launch().await;
    window
        .wait_for_text("Your system's keyring is locked")
        .await;

    window.session_mut().stop_keyring().expect("it runs");
    window
        .session_mut()
        .start_keyring()
        .expect("it starts unlocked");
    window.click("Unlock").await;
    window.wait_for("Online").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn list_of_5000_invoices_scrolls_to_its_last_and_first_row() {
    let window = AppWindow::start_with(WindowOptions {
        invoices: Some(5_000),
        ..WindowOptions::default()
    })
    .await;
    window.sign_in().await;
    window.wait_for_rows().await;
    window.click_first_row().await;
    window.press_key(Key::End).await;
    window.wait_for_row(5_000).await;
    window.press_key(Key::Home).await;
    window.wait_for_row(1).await;
}
