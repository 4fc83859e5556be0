//! The main job in the real window, as a finance clerk does it on a fresh machine.

use end_to_end::browser::Browser;
use end_to_end::window::{Desk, NOURA, PASSWORD, SCHEME};
use thirtyfour::prelude::*;

/// Somebody who has signed in.
async fn signed_in() -> Desk {
    let desk = Desk::start().await;
    desk.sign_in().await;
    desk
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invoice_is_created_told_what_is_wrong_put_right_issued_and_frozen() {
    let desk = signed_in().await;
    desk.press("New invoice").await;
    desk.press("Save to Al-Khair Trading").await;
    desk.see_part("Nothing was sent to").await;

    desk.type_into("Name in English", "Riyadh Contracting Co.")
        .await;
    desk.type_into("Description in English, line 1", "Steel beams")
        .await;
    // In the digits of her keyboard.
    desk.type_into("Quantity, line 1", "٣").await;
    desk.type_into("Unit price, line 1", "1000").await;
    desk.see_part("3,450.00").await;
    desk.press("Save to Al-Khair Trading").await;
    desk.see_part("Noura Al-Harbi").await;

    desk.press("Issue").await;
    desk.see("Issue this document?").await;
    desk.press_in_dialog("Issue").await;
    desk.see_part("Issued as INV-").await;
    desk.press("Freeze").await;
    desk.see("Freeze this document?").await;
    desk.press_in_dialog("Freeze for good").await;
    desk.see_part("is frozen").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_edit_of_what_was_frozen_meanwhile_is_refused_and_kept() {
    let desk = signed_in().await;
    desk.press("New invoice").await;
    desk.type_into("Name in English", "Riyadh Contracting Co.")
        .await;
    desk.type_into("Description in English, line 1", "Steel beams")
        .await;
    desk.type_into("Unit price, line 1", "1000").await;
    desk.press("Save to Al-Khair Trading").await;
    desk.press("Edit").await;
    desk.see("Edit invoice").await;
    desk.type_into("Description in English, line 1", "Copper pipes")
        .await;
    desk.press("Invoices").await;
    desk.press_row("Riyadh Contracting Co.").await;
    desk.press("Issue").await;
    desk.press_in_dialog("Issue").await;
    desk.press("Freeze").await;
    desk.press_in_dialog("Freeze for good").await;
    desk.see_part("is frozen").await;

    desk.press("Drafts").await;
    desk.press_row("Riyadh Contracting Co.").await;
    desk.press("Save to Al-Khair Trading").await;
    desk.see_part("Frozen documents cannot change. Your edits are kept as a draft.")
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_secret_of_a_sign_in_is_found_in_logs_files_or_the_page() {
    let desk = Desk::start().await;
    desk.press("Continue in your browser").await;
    let address = desk.opened_address().await;
    let browser = Browser::start(desk.session()).await;
    browser.submit(&address, NOURA, PASSWORD).await;
    let callback = browser.callback(SCHEME).await;
    desk.deep_link(&callback);
    desk.see("Online").await;
    let (_, code) = callback
        .split_once("code=")
        .expect("the answer holds a code");
    let code = code.split('&').next().unwrap_or_default();

    let page = desk.page().source().await.expect("the page has a source");
    let stored = desk
        .page()
        .execute(
            "return JSON.stringify([localStorage, sessionStorage, document.cookie])",
            vec![],
        )
        .await;
    let stored = stored.expect("the page answers").json().to_string();
    assert_ne!(
        desk.files_with(NOURA),
        Vec::<std::path::PathBuf>::new(),
        "the search finds nothing at all"
    );
    for (what, secret) in [("the code", code), ("the password", PASSWORD)] {
        assert!(!desk.log().contains(secret), "{what} stands in the log");
        assert!(!page.contains(secret), "{what} stands in the page");
        assert!(
            !stored.contains(secret),
            "{what} stands in the page's storage"
        );
        assert_eq!(
            desk.files_with(secret),
            Vec::<std::path::PathBuf>::new(),
            "{what} stands in files"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_password_and_a_cancelled_attempt_do_no_harm() {
    let desk = Desk::start().await;
    desk.press("Continue in your browser").await;
    let abandoned = desk.opened_address().await;
    desk.press("Cancel").await;

    desk.press("Continue in your browser").await;
    let address = desk.opened_address().await;
    assert_ne!(
        address, abandoned,
        "the second attempt has a state of its own"
    );
    let browser = Browser::start(desk.session()).await;
    browser.submit(&abandoned, NOURA, PASSWORD).await;
    desk.deep_link(&browser.callback(SCHEME).await);
    desk.see_part("belongs to another sign-in attempt").await;

    browser.close().await;
    let browser = Browser::start(desk.session()).await;
    browser.submit(&address, NOURA, "not the password").await;
    let alert = browser
        .page()
        .query(By::Css("[role=alert]"))
        .first()
        .await
        .expect("the page says that it was wrong");
    assert!(
        !alert.text().await.unwrap_or_default().is_empty(),
        "the page says nothing"
    );
    browser.submit_here(NOURA, PASSWORD).await;
    desk.deep_link(&browser.callback(SCHEME).await);
    desk.see("Online").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn another_organization_is_switched_to_and_one_without_a_tenant_is_explained() {
    let desk = signed_in().await;
    desk.press("Al-Khair Trading, switch organization").await;
    desk.press("gulfpearl.example").await;
    desk.see("gulfpearl.example, switch organization").await;
    desk.see("Clerk").await;

    desk.press("gulfpearl.example, switch organization").await;
    desk.press("dhowlogistics.example").await;
    desk.see_part("dhowlogistics.example is not available right now")
        .await;
    desk.press("Details").await;
    desk.see("Correlation id").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_outlives_a_power_cut_and_ends_with_signing_out() {
    let mut desk = signed_in().await;
    desk.kill().await;
    desk.open().await;
    desk.see("Online").await;
    desk.see("Al-Khair Trading, switch organization").await;

    desk.press("Account of Noura Al-Harbi").await;
    desk.press("Sign out").await;
    desk.see("Continue in your browser").await;
    desk.sign_in().await;
}
