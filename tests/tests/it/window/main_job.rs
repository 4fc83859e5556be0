//! The main workflow in the real window, in a new session: sign in, write, issue and freeze an invoice, switch, sign out.

use end_to_end::browser::Browser;
use end_to_end::window::{AppWindow, NOURA, SCHEME};
use thirtyfour::prelude::*;

use super::write_invoice;

/// The application with a signed-in user.
async fn signed_in() -> AppWindow {
    let window = AppWindow::start().await;
    window.sign_in().await;
    window
}

#[tokio::test(flavor = "multi_thread")]
async fn invalid_invoice_shows_its_errors_and_is_saved_issued_and_frozen_after_correction() {
    let window = signed_in().await;
    window.click("New invoice").await;
    window.click("Save to Al-Khair Trading").await;
    window.wait_for_text("Nothing was sent to").await;

    window
        .fill_label("Name in English", "Riyadh Contracting Co.")
        .await;
    window
        .fill_label("Description in English, line 1", "Steel beams")
        .await;
    // Arabic-Indic digits.
    window.fill_label("Quantity, line 1", "٣").await;
    window.fill_label("Unit price, line 1", "1000").await;
    window.wait_for_text("3,450.00").await;
    window.click("Save to Al-Khair Trading").await;
    window.wait_for_text("Noura Al-Harbi").await;

    window.click("Issue").await;
    window.wait_for("Issue this document?").await;
    window.click_in_dialog("Issue").await;
    window.wait_for_text("Issued as INV-").await;
    window.click("Freeze").await;
    window.wait_for("Freeze this document?").await;
    window.click_in_dialog("Freeze for good").await;
    window.wait_for_text("is frozen").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn update_of_an_invoice_frozen_since_is_refused_and_the_draft_is_kept() {
    let window = signed_in().await;
    write_invoice(&window, "Riyadh Contracting Co.").await;
    window.click("Save to Al-Khair Trading").await;
    window.click("Edit").await;
    window.wait_for("Edit invoice").await;
    window
        .fill_label("Description in English, line 1", "Copper pipes")
        .await;
    window.click("Invoices").await;
    window.click_row("Riyadh Contracting Co.").await;
    window.click("Issue").await;
    window.click_in_dialog("Issue").await;
    window.click("Freeze").await;
    window.click_in_dialog("Freeze for good").await;
    window.wait_for_text("is frozen").await;

    window.click("Unsent drafts").await;
    window.click_row("Riyadh Contracting Co.").await;
    window.click("Save to Al-Khair Trading").await;
    window
        .wait_for_text("Frozen documents cannot change. Your edits are kept as a draft.")
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn sign_in_leaves_no_code_or_password_in_the_log_files_or_page() {
    let window = AppWindow::start().await;
    window.click("Continue in your browser").await;
    let address = window.opened_address().await;
    let password = window.password(NOURA).await;
    let browser = Browser::start(window.session()).await;
    browser.submit(&address, NOURA, &password).await;
    let callback = browser.callback(SCHEME).await;
    window.deep_link(&callback);
    window.wait_for("Online").await;
    let (_, code) = callback
        .split_once("code=")
        .expect("the callback has a code");
    let code = code.split('&').next().unwrap_or_default();

    let page = window.page().source().await.expect("the page has a source");
    let stored = window
        .page()
        .execute(
            "return JSON.stringify([localStorage, sessionStorage, document.cookie])",
            vec![],
        )
        .await;
    let stored = stored.expect("the page answers").json().to_string();
    assert_ne!(
        window.files_with(NOURA),
        Vec::<std::path::PathBuf>::new(),
        "the file search does not work: it finds no user name"
    );
    for (what, secret) in [("the code", code), ("the password", password.as_str())] {
        assert!(!window.log().contains(secret), "{what} is in the log");
        assert!(!page.contains(secret), "{what} is in the page");
        assert!(
            !stored.contains(secret),
            "{what} is in the storage of the page"
        );
        assert_eq!(
            window.files_with(secret),
            Vec::<std::path::PathBuf>::new(),
            "{what} is in a file"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn sign_in_succeeds_after_a_cancelled_attempt_and_a_wrong_password() {
    let window = AppWindow::start().await;
    window.click("Continue in your browser").await;
    let abandoned = window.opened_address().await;
    let password = window.password(NOURA).await;
    window.click("Cancel").await;

    window.click("Continue in your browser").await;
    let address = window.opened_address().await;
    assert_ne!(
        address, abandoned,
        "the second attempt has a state of its own"
    );
    let browser = Browser::start(window.session()).await;
    browser.submit(&abandoned, NOURA, &password).await;
    window.deep_link(&browser.callback(SCHEME).await);
    window
        .wait_for_text("belongs to another sign-in attempt")
        .await;

    browser.close().await;
    let browser = Browser::start(window.session()).await;
    browser.submit(&address, NOURA, "not the password").await;
    let alert = browser
        .page()
        .query(By::Css("[role=alert]"))
        .first()
        .await
        .expect("the page shows an alert");
    assert!(
        !alert.text().await.unwrap_or_default().is_empty(),
        "the alert is empty"
    );
    browser.submit_here(NOURA, &password).await;
    window.deep_link(&browser.callback(SCHEME).await);
    window.wait_for("Online").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn switching_changes_the_organization_and_shows_one_without_a_tenant_as_unavailable() {
    let window = signed_in().await;
    window.click("Al-Khair Trading, switch organization").await;
    window.click("Gulf Pearl Contracting").await;
    window
        .wait_for("Gulf Pearl Contracting, switch organization")
        .await;
    window.wait_for("Clerk").await;

    window
        .click("Gulf Pearl Contracting, switch organization")
        .await;
    window.click("Dhow Logistics").await;
    window
        .wait_for_text("Dhow Logistics is not available right now")
        .await;
    window.click("Details").await;
    window.wait_for("Correlation id").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn session_is_restored_after_sigkill_and_ends_at_sign_out() {
    let mut window = signed_in().await;
    window.kill().await;
    window.launch().await;
    window.wait_for("Online").await;
    window
        .wait_for("Al-Khair Trading, switch organization")
        .await;

    window.click("Account of Noura Al-Harbi").await;
    window.click("Sign out").await;
    window.wait_for("Continue in your browser").await;
    window.sign_in().await;
}
