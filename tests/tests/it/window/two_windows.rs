//! Two windows in two organizations, another one in the first of them, and all of them after a restart (decision 0143).

use end_to_end::window::AppWindow;

use super::write_invoice;

const HOME: &str = "Al-Khair Trading";
const OTHER: &str = "Gulf Pearl Contracting";
const BUYER: &str = "Two Windows Co.";

#[tokio::test(flavor = "multi_thread")]
async fn windows_hear_writes_refuse_links_of_other_organizations_and_return_after_quitting() {
    let mut window = AppWindow::start().await;
    window.sign_in().await;
    window.wait_for_rows().await;
    // It is never switched to another organization, and returns like the others.
    let first = window.current_window().await;
    open_window_from_palette(&window, OTHER).await;
    let other = window.go_to_new_window(&[&first]).await;
    window
        .wait_for("Gulf Pearl Contracting, switch organization")
        .await;
    open_window_from_palette(&window, HOME).await;
    window.go_to_new_window(&[&first, &other]).await;
    window.wait_for_windows_of(&[HOME, HOME, OTHER]).await;

    // A document written here comes into the list of the other window of the organization, which is not touched.
    write_invoice(&window, BUYER).await;
    window.click("Save to Al-Khair Trading").await;
    window.click("Copy the link").await;
    window.go_to_window(&first).await;
    window.wait_for(BUYER).await;

    // Its link opens nothing in a window of another organization, and leads to a window of its own.
    window.go_to_window(&other).await;
    window.send_keys("v", true).await;
    window
        .wait_for("This link belongs to another organization")
        .await;
    window
        .wait_for_text("Nothing was opened or changed here.")
        .await;
    window.click_in_dialog("Open it in Al-Khair Trading").await;
    window
        .wait_until_gone("This link belongs to another organization")
        .await;
    window.go_to_window(&first).await;
    window.wait_for("Copy the link").await;

    window.quit().await;
    window.launch().await;
    window.wait_for_windows_of(&[HOME, HOME, OTHER]).await;
}

/// Opens another window from the command palette.
async fn open_window_from_palette(window: &AppWindow, organization: &str) {
    let entry = format!("Open {organization} in a new window");
    window.send_keys("k", true).await;
    window
        .fill_label("Find a command, document or organization", &entry)
        .await;
    window.click(&entry).await;
}
