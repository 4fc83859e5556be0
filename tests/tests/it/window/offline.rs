//! Work while the service is stopped: the list as it was read last, and a draft that waits.

use std::time::Duration;

use end_to_end::driver::wait_until;
use end_to_end::service::Service;
use end_to_end::window::AppWindow;

use super::write_invoice;

const CREATE: &str = "/simple/invoices/create";
const BUYER: &str = "Offline Trading Co.";
/// An offline session asks for its provider every 30 seconds.
const SENT_TIMEOUT: Duration = Duration::from_secs(90);

#[tokio::test(flavor = "multi_thread")]
async fn stopped_service_leaves_the_encrypted_list_and_a_draft_that_is_sent_after_it_returns() {
    let service = Service::staging().await;
    let mut window = AppWindow::start_in_staging(&service).await;
    write_invoice(&window, BUYER).await;
    window.click("Save to Al-Khair Trading").await;
    window.wait_for("Copy the link").await;
    window.click("Invoices").await;
    window.wait_for_row_with(BUYER).await;

    window.quit().await;
    service.identity.stop().await;
    service.gateway.stop().await;
    window.launch().await;
    window.wait_for("No connection").await;
    window.wait_for_text("As of ").await;
    window.wait_for_row_with(BUYER).await;
    assert_eq!(
        window.files_with(BUYER),
        Vec::<std::path::PathBuf>::new(),
        "the list is on the disk without encryption"
    );

    let sent = || {
        let exchanges = service.gateway.exchanges(CREATE);
        let accepted = exchanges.iter().filter(|exchange| exchange.status == 200);
        accepted.count()
    };
    let before = sent();
    write_invoice(&window, BUYER).await;
    window.click("Save to Al-Khair Trading").await;
    // The invoice that this computer has seen is for the same buyer and total.
    window.wait_for_text("Already invoiced").await;
    window.click_in_dialog("Save a new one").await;
    window.wait_for("Waiting to be sent").await;
    assert_eq!(sent(), before);

    service.identity.restart().await;
    service.gateway.restart().await;
    wait_until("the draft is sent", SENT_TIMEOUT, async || {
        (sent() == before + 1).then_some(())
    })
    .await;
    window.wait_for("No drafts for Al-Khair Trading.").await;
    window.wait_for("Online").await;
}
