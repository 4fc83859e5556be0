//! An issued invoice on paper through the dialogs of the system: saved as PDF/A-3, and printed.

use std::fs;
use std::path::Path;
use std::time::Duration;

use end_to_end::driver::wait_until;
use end_to_end::service::Service;
use end_to_end::window::{AppWindow, PRINT_DIALOG, SAVE_DIALOG, SCHEME};
use hayro_syntax::Pdf;
use invoicing_client::views::{DocumentFormat, PrintLanguage};
use invoicing_contract::DocumentKey;
use thirtyfour::prelude::*;

use super::pdf_archive::PdfArchive;
use super::{only_invoice_of, write_invoice};
use crate::fixtures::{HOME, NOURA, TestApp};

const BUYER: &str = "Paper Trading Co.";
/// The end of the path of the payments, which are read once a document is shown.
const PAYMENTS: &str = "/payments";
/// The limit for the application to start and show a document.
const START_TIMEOUT: Duration = Duration::from_secs(60);
/// The limit for the system to have written a file.
const WRITTEN_TIMEOUT: Duration = Duration::from_secs(60);

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

/// The key of the invoice, and its data as another program of the same service saves it.
async fn key_and_ubl(service: &Service) -> (DocumentKey, Vec<u8>) {
    let (app, binding) = TestApp::start_in_staging(service, NOURA, HOME).await;
    let key = only_invoice_of(&app, &binding, BUYER).await;
    let file = app.folder.path().join("data.xml");
    app.host.choose_next_file(file.clone());
    let saved = app.desktop.save_document(
        &app.window,
        binding,
        key.clone(),
        DocumentFormat::Ubl,
        PrintLanguage::Both,
    );
    saved.await.expect("saved");
    (key, fs::read(file).expect("it is there"))
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
    let (_, ubl) = key_and_ubl(&service).await;
    let wrong = PdfArchive::read(&pdf).deviations(&pdf, &ubl);
    assert_eq!(wrong, [""; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn issued_invoice_is_printed_alone_through_the_dialog_of_the_system() {
    let service = Service::staging().await;
    let mut window = with_issued_invoice(&service).await;
    let (key, _) = key_and_ubl(&service).await;
    window.quit().await;
    let shown = || service.gateway.exchanges(PAYMENTS).len();
    let before = shown();
    window.launch_without_driver(&[&format!("{SCHEME}:/documents/{HOME}/{key}")]);
    wait_until("the invoice is shown", START_TIMEOUT, async || {
        (shown() > before).then_some(())
    })
    .await;
    window.wait_for_system_window(".*Invoice Desk").await;
    window.press_system_key("ctrl+p");
    window.wait_for_system_window(PRINT_DIALOG).await;
    window.press_system_key("Escape");
    window.wait_until_system_window_closed(PRINT_DIALOG).await;

    // The keys go to the invoice again.
    window.press_system_key("ctrl+p");
    window.wait_for_system_window(PRINT_DIALOG).await;
    // The list of printers, in which a file is the only one.
    for key in ["Tab", "Home", "Return"] {
        window.press_system_key(key);
    }
    window.wait_until_system_window_closed(PRINT_DIALOG).await;
    let file = window.folder().join("output.pdf");
    let printed = Pdf::new(written(&file).await).expect("a PDF");
    assert_eq!(printed.pages().len(), 1);
}
