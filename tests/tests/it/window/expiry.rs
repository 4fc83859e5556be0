//! A session that ends while an invoice is typed: nothing typed is lost, and signing in again continues with it.

use end_to_end::service::Service;
use end_to_end::window::{AppWindow, NOURA};
use thirtyfour::prelude::*;

use super::write_invoice;

const BUYER: &str = "Expiry Trading Co.";
const CREATE: &str = "/simple/invoices/create";
/// The words of a session that has ended.
const SIGNED_OUT: &str = "You have been signed out of staging. Nothing you typed is lost.";

#[tokio::test(flavor = "multi_thread")]
async fn session_that_ends_while_typing_leaves_the_form_and_signing_in_continues_in_it() {
    let service = Service::staging().await;
    let window = AppWindow::start_in_staging(&service).await;
    write_invoice(&window, BUYER).await;
    window.wait_for_text("1,150.00").await;

    service.end_sessions_of(NOURA).await;
    window.fill_field("note", "Typed after the end").await;
    window.press_key(Key::Control + Key::Enter).await;
    window.wait_for(SIGNED_OUT).await;
    window.wait_for("New invoice").await;
    window.fill_field("lines[0].quantity", "4").await;
    window.wait_for_text("4,600.00").await;

    window.continue_with(&service.password(NOURA)).await;
    window.wait_until_gone(SIGNED_OUT).await;
    for (field, text) in [
        ("buyer.name.en", BUYER),
        ("lines[0].unitPrice", "1000"),
        ("lines[0].quantity", "4"),
        ("note", "Typed after the end"),
    ] {
        window.wait_for_field(field, text).await;
    }
    window.click("Save to Al-Khair Trading").await;
    window.wait_for("Copy the link").await;
    let accepted = service.gateway.exchanges(CREATE).into_iter();
    let accepted: Vec<_> = accepted.filter(|it| it.status == 200).collect();
    let [created] = accepted.as_slice() else {
        panic!("it was created {} times", accepted.len())
    };
    let sent = String::from_utf8_lossy(&created.request.body);
    for typed in [BUYER, "Typed after the end", "\"4\""] {
        assert!(sent.contains(typed), "{typed} was not sent: {sent}");
    }
}
