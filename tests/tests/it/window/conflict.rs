//! A document that another user changes while it is open in the form: every field that both changed is chosen with the keyboard
//! (decision 0140).

use end_to_end::service::Service;
use end_to_end::window::AppWindow;
use invoicing_client::views::{InvoiceView, WindowBinding};
use thirtyfour::prelude::*;

use super::{only_invoice_of, write_invoice};
use crate::fixtures::{CLERK, HOME, TestApp};

const BUYER: &str = "Conflict Trading Co.";

/// The document of the buyer as the service has it.
async fn stored(app: &TestApp, binding: &WindowBinding) -> InvoiceView {
    let key = only_invoice_of(app, binding, BUYER).await;
    let read = app.desktop.get_invoice(&app.window, binding.clone(), key);
    read.await.expect("it is there")
}

#[tokio::test(flavor = "multi_thread")]
async fn fields_that_two_users_changed_are_chosen_with_the_keyboard_and_the_others_are_merged() {
    let service = Service::staging().await;
    let window = AppWindow::start_in_staging(&service).await;
    write_invoice(&window, BUYER).await;
    window.click("Save to Al-Khair Trading").await;
    window.click("Edit").await;
    window.wait_for("Edit invoice").await;

    let (other, binding) = TestApp::start_in_staging(&service, CLERK, HOME).await;
    let read = stored(&other, &binding).await;
    let mut theirs = read.content.clone();
    theirs.note = "Theirs".to_owned();
    theirs.buyer.name.ar = "شركة".to_owned();
    theirs.lines[0].quantity = "5".to_owned();
    let updated = other.update_invoice(&binding, &read, theirs).await;
    updated.expect("the other user is first");

    window.fill_field("note", "Mine").await;
    window.fill_field("lines[0].quantity", "3").await;
    window.fill_field("lines[0].unitPrice", "900").await;
    window.press_key(Key::Control + Key::Enter).await;
    window
        .wait_for_text("Choose for each; nothing is saved until you do.")
        .await;
    window.press_button("Compare").await;
    window.wait_for("Someone else changed this document").await;
    window.wait_for_text("Salem").await;
    window
        .wait_for("2 choices are open. Keys 1 and 2 choose.")
        .await;

    // Leaving the choice changes nothing.
    window.press_key(Key::Escape).await;
    window
        .wait_until_gone("Someone else changed this document")
        .await;
    window.wait_for_field("note", "Mine").await;
    window.wait_for_field("lines[0].quantity", "3").await;

    window.press_button("Compare").await;
    window.wait_for_focus("//*[@data-conflict='0']").await;
    window.press_key("2").await;
    window.wait_for_focus("//*[@data-conflict='1']").await;
    window.press_key("1").await;
    window.wait_for_focus("//button[@data-use]").await;
    window.press_key(Key::Enter).await;
    window
        .wait_until_gone("Someone else changed this document")
        .await;
    for (field, text) in [
        ("note", "Theirs"),
        ("buyer.name.ar", "شركة"),
        ("lines[0].quantity", "3"),
        ("lines[0].unitPrice", "900"),
    ] {
        window.wait_for_field(field, text).await;
    }
    let unsent = stored(&other, &binding).await.content;
    assert_eq!(
        unsent.lines[0].quantity, "5",
        "it was sent before it was saved"
    );

    window.press_key(Key::Control + Key::Enter).await;
    window.wait_for("Copy the link").await;
    let saved = stored(&other, &binding).await.content;
    let line = &saved.lines[0];
    assert_eq!(
        [
            &saved.note,
            &saved.buyer.name.ar,
            &line.quantity,
            &line.unit_price
        ],
        ["Theirs", "شركة", "3", "900"]
    );
    window.click("Unsent drafts").await;
    window.wait_for("No drafts for Al-Khair Trading.").await;
}
