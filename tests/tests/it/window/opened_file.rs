//! An invoice file that the system opens with the program, while it runs.

use std::fs;

use end_to_end::window::AppWindow;

const FILE: &str = "from a supplier.xml";
/// An invoice in UBL of a seller in Saudi Arabia.
const UBL: &[u8] = include_bytes!("../../../../crates/invoice/fuzz/corpus/ubl/saudi.xml");

#[tokio::test(flavor = "multi_thread")]
async fn second_start_with_a_file_passes_it_to_the_running_window_which_shows_its_content() {
    let window = AppWindow::start().await;
    window.sign_in().await;
    window.wait_for_rows().await;
    let folder = window.folder().join("downloads");
    fs::create_dir(&folder)
        .and_then(|()| fs::write(folder.join(FILE), UBL))
        .expect("the file can be written");
    window.start_again(&folder, FILE).await;
    window.wait_for(&format!("Invoice file: {FILE}")).await;
    for fact in ["INV-1", "310122393500003", "UBL", "Customer"] {
        window.wait_for(fact).await;
    }
    window.click_in_dialog("Close, keep nothing").await;
    window
        .wait_until_gone(&format!("Invoice file: {FILE}"))
        .await;
}
