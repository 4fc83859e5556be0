//! An issued invoice on paper through the dialog of the system: saved as PDF/A-3.

use std::fs;
use std::path::Path;
use std::time::Duration;

use end_to_end::driver::wait_until;
use end_to_end::service::Service;
use end_to_end::window::{AppWindow, SAVE_DIALOG};
use invoicing_client::views::{DocumentFormat, InvoiceQuery, PrintLanguage};
use thirtyfour::prelude::*;

use super::pdf_archive::PdfArchive;
use super::write_invoice;
use crate::fixtures::{HOME, NOURA, TestApp};

const BUYER: &str = "Paper Trading Co.";
/// The limit for the system to have written a file.
const WRITTEN_TIMEOUT: Duration = Duration::from_secs(20);

/// The window with an issued invoice open.
async fn with_issued_invoice(service: &Service) -> AppWindow {
    let window = AppWindow::start_in_staging(service).await;
    write_invoice(&window, BUYER).await;
    window.click("Save to Al-Khair Trading").await;
    window.click("Issue").await;
    window.click_in_dialog("Issue").await;
    window.wait_for_text("Issued as INV-").await;
    window
}

/// The data of the invoice as another program of the same service saves it.
async fn ubl(service: &Service) -> Vec<u8> {
    let (app, binding) = TestApp::start_in_staging(service, NOURA, HOME).await;
    let query = InvoiceQuery {
        buyer: BUYER.to_owned(),
        page_size: 5,
        ..InvoiceQuery::default()
    };
    let listed = app
        .desktop
        .list_invoices(&app.window, binding.clone(), query);
    let rows = listed.await.expect("a page").rows;
    assert_eq!(rows.len(), 1, "{rows:?}");
    let file = app.folder.path().join("data.xml");
    app.host.choose_next_file(file.clone());
    let saved = app.desktop.save_document(
        &app.window,
        binding,
        rows[0].key.clone(),
        DocumentFormat::Ubl,
        PrintLanguage::Both,
    );
    saved.await.expect("saved");
    fs::read(file).expect("it is there")
}

/// Waits until the system has written a whole PDF file.
async fn written(file: &Path) -> Vec<u8> {
    let what = format!("{} is written", file.display());
    wait_until(&what, WRITTEN_TIMEOUT, async || {
        let bytes = fs::read(file).ok()?;
        bytes.trim_ascii_end().ends_with(b"%%EOF").then_some(bytes)
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn issued_invoice_is_saved_as_pdf_a_3_where_the_dialog_of_the_system_says() {
    let service = Service::staging().await;
    let window = with_issued_invoice(&service).await;

    window.press_key(Key::Control + "s").await;
    window.wait_for_system_window(SAVE_DIALOG).await;
    window.press_system_key("Escape");
    window.wait_until_system_window_closed(SAVE_DIALOG).await;

    let file = window.folder().join("printed invoice.pdf");
    window.press_key(Key::Control + "s").await;
    window.wait_for_system_window(SAVE_DIALOG).await;
    window.press_system_key("ctrl+a");
    window.type_system_keys(&file.display().to_string());
    window.press_system_key("Return");
    window.wait_until_system_window_closed(SAVE_DIALOG).await;
    window.wait_for("Saved as printed invoice.pdf.").await;

    let pdf = written(&file).await;
    let ubl = ubl(&service).await;
    let wrong = PdfArchive::read(&pdf).deviations(&pdf, &ubl);
    assert_eq!(wrong, [""; 0]);
}
