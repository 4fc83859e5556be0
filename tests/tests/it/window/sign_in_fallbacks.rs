//! The ways into the window when the usual one is closed: a cold link, a slow browser, no keyring; and a long list.

use end_to_end::browser::Browser;
use end_to_end::window::{Desk, NOURA, PASSWORD, SCHEME, WindowOptions};
use thirtyfour::prelude::*;

#[tokio::test(flavor = "multi_thread")]
async fn a_link_starts_the_application_and_an_answer_that_comes_too_late_is_explained() {
    let mut desk = Desk::start().await;
    desk.press("Continue in your browser").await;
    let address = desk.opened_address().await;
    let browser = Browser::start(desk.session()).await;
    browser.submit(&address, NOURA, PASSWORD).await;
    let callback = browser.callback(SCHEME).await;
    browser.close().await;
    // The application goes while the browser has the floor, and with it what the answer is checked by.
    desk.kill().await;
    desk.deep_link(&callback);
    desk.wait_until_running().await;
    desk.kill().await;

    desk.open_with(&[&callback]).await;
    desk.see_part("belongs to another sign-in attempt").await;
    desk.sign_in().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_that_does_not_come_back_opens_other_ways_and_this_computers_address_is_one() {
    let desk = Desk::start().await;
    desk.press("Continue in your browser").await;
    desk.opened_address().await;
    desk.see("Other ways").await;
    desk.press("Use this computer's address instead").await;
    let address = desk.opened_address().await;
    assert!(
        address.contains("redirect_uri=http%3A%2F%2F127.0.0.1"),
        "the way back is the same"
    );
    let browser = Browser::start(desk.session()).await;
    browser.submit(&address, NOURA, PASSWORD).await;
    desk.see("Online").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_cannot_be_read_leads_to_pasting_it() {
    let desk = Desk::start().await;
    desk.press("Continue in your browser").await;
    let address = desk.opened_address().await;
    desk.deep_link(&format!("{SCHEME}:/oauth/local?code=1&code=2"));
    desk.see_part("not the answer of a sign-in").await;
    desk.press("Paste the answer").await;
    let browser = Browser::start(desk.session()).await;
    browser.submit(&address, NOURA, PASSWORD).await;
    desk.type_into("Paste the answer", &browser.callback(SCHEME).await)
        .await;
    desk.press("Use this answer").await;
    desk.see("Online").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_keyring_work_goes_on_and_the_session_is_kept_once_there_is_one() {
    let mut desk = Desk::start().await;
    desk.see("Continue in your browser").await;
    desk.session_mut().stop_keyring().expect("it runs");
    desk.sign_in().await;
    desk.see("Your sign-in is not kept").await;
    desk.press_in_dialog("Continue for this session").await;
    desk.see_rows().await;

    desk.session_mut().start_keyring().expect("it starts again");
    desk.press("Signed in for this session only").await;
    desk.see_no("Signed in for this session only").await;
    desk.kill().await;
    desk.open().await;
    desk.see("Online").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_locked_keyring_is_named_and_unlocking_it_brings_the_session_back() {
    let mut desk = Desk::start().await;
    desk.sign_in().await;
    desk.kill().await;
    desk.session().lock_keyring().expect("it can be locked");
    desk.open().await;
    desk.see_part("Your system's keyring is locked").await;

    desk.session_mut().stop_keyring().expect("it runs");
    desk.session_mut()
        .start_keyring()
        .expect("it starts unlocked");
    desk.press("Unlock").await;
    desk.see("Online").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_long_list_is_walked_from_end_to_end_and_searched() {
    let desk = Desk::start_on(WindowOptions {
        invoices: Some(5_000),
        ..WindowOptions::default()
    })
    .await;
    desk.sign_in().await;
    desk.see_rows().await;
    desk.press_first_row().await;
    desk.press_key(Key::End).await;
    desk.see_row(5_000).await;
    desk.press_key(Key::Home).await;
    desk.see_row(1).await;
}
