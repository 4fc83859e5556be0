//! Freezing several documents at once: filtered, selected with the keyboard, confirmed, with the result of each.

use end_to_end::window::AppWindow;
use thirtyfour::prelude::*;

/// The list, when it is as the filter asks and all of its documents are issued.
const ONLY_ISSUED: &str = "//*[@role='grid'][@aria-busy='false'][.//*[@role='gridcell'][@data-column='status']]\
    [not(.//*[@role='gridcell'][@data-column='status'][not(contains(., 'Issued'))])]";

/// The results of a bulk run of two documents that are both frozen.
const BOTH_FROZEN: &str =
    "//ul[@aria-label='Documents'][count(li)=2][count(li[.//*[text()='Frozen']])=2]";

#[tokio::test(flavor = "multi_thread")]
async fn two_issued_documents_selected_with_the_keyboard_are_frozen_and_each_has_its_result() {
    let window = AppWindow::start().await;
    window.sign_in().await;
    window.wait_for_rows().await;
    window.click("Filter").await;
    window.wait_for("Add a filter").await;
    window.click("Status").await;
    window.click_in_dialog("Issued").await;
    window.press_key(Key::Escape).await;
    window.wait_for("Status: Issued").await;
    let list = window.page().query(By::XPath(ONLY_ISSUED)).first().await;
    list.expect("the list has issued documents only");

    window.focus_first_row().await;
    window.press_key(Key::Space).await;
    window.press_key(Key::Down).await;
    window.press_key(Key::Space).await;
    window.wait_for_text("2 selected").await;
    window.click("Freeze…").await;
    // A document in another state would be left out of the number.
    window.click_in_dialog("Freeze 2 documents for good").await;
    window.wait_for("2 documents are frozen.").await;
    let results = window.page().query(By::XPath(BOTH_FROZEN)).first().await;
    results.expect("both documents are listed as frozen");
    window
        .click_in_dialog("Close and remove from the list")
        .await;
    window.wait_until_gone("2 documents are frozen.").await;
}
