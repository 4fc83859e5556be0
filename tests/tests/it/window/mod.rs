//! Tests of the application in its real window.

mod bulk_freeze;
mod conflict;
mod expiry;
mod main_job;
mod offline;
mod opened_file;
mod paper;
#[path = "../../../../crates/invoice/tests/it/fixtures/pdf_archive.rs"]
mod pdf_archive;
mod sign_in_fallbacks;
mod system_keyring;
mod two_windows;

use end_to_end::window::AppWindow;
use invoicing_client::views::{InvoiceQuery, WindowBinding};
use invoicing_contract::DocumentKey;

use crate::fixtures::TestApp;

/// Writes a new invoice that is valid, without saving it.
async fn write_invoice(window: &AppWindow, buyer: &str) {
    window.click("New invoice").await;
    window.fill_label("Name in English", buyer).await;
    window
        .fill_label("Description in English, line 1", "Steel beams")
        .await;
    window.fill_label("Unit price, line 1", "1000").await;
}

/// The key of the only invoice for a buyer, as another program of the same service lists it.
async fn only_invoice_of(app: &TestApp, binding: &WindowBinding, buyer: &str) -> DocumentKey {
    let query = InvoiceQuery {
        buyer: buyer.to_owned(),
        page_size: 5,
        ..InvoiceQuery::default()
    };
    let listed = app
        .desktop
        .list_invoices(&app.window, binding.clone(), query);
    let rows = listed.await.expect("a page").rows;
    let [row] = rows.try_into().expect("one invoice");
    row.key
}
