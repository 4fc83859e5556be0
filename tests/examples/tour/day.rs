//! The day around the main workflow: what needs work, all clients, the figures, the tools of the list and of a document, and the
//! settings.

use std::fs;

use thirtyfour::{Key, TypingData};

use super::Tour;

/// An invoice in UBL of a seller in Saudi Arabia.
const UBL: &str = include_str!("../../../crates/invoice/fuzz/corpus/ubl/saudi.xml");

/// The tax id of that seller.
const SUPPLIER_TAX_ID: &str = "310122393500003";

/// The tax id of the home organization.
const HOME_TAX_ID: &str = "310175397400003";

/// Cells that another program has copied.
const SPREADSHEET: &str = "Code\tItem\tQty\tUnit\tPrice
A-1\tNitrile gloves\t12\tbox\t45.00
A-2\tقفازات\t٣\tpiece\t1.50
";

const SETTINGS: [&str; 7] = [
    "language",
    "appearance",
    "keys",
    "notifications",
    "environments",
    "accounts",
    "connection",
];

impl Tour<'_> {
    /// Goes through the screens of the home organization, where the window is.
    pub(super) async fn day(&mut self) {
        self.overviews().await;
        self.tools_of_the_list().await;
        self.rejected_document().await;
        self.tools_of_a_document().await;
        self.files_of_other_programs().await;
        self.settings().await;
    }

    async fn overviews(&mut self) {
        self.click("today").await;
        self.wait_for("today-month").await;
        self.wait_until_read().await;
        self.screenshot("today").await;
        self.click("clients").await;
        self.wait_for("clients-overdue-amount").await;
        self.wait_until_gone("clients-reading-one").await;
        self.screenshot("all-clients").await;
        self.click("insights").await;
        self.wait_for("insights-buyers").await;
        self.wait_for("insights-total").await;
        self.wait_until_read().await;
        self.screenshot("insights").await;
    }

    async fn tools_of_the_list(&mut self) {
        self.click("invoices").await;
        self.window.wait_for_rows().await;
        self.window.focus_first_row().await;
        self.press(Key::Control + "f").await;
        self.wait_for_label("add-filter").await;
        self.screenshot("choosing-a-filter").await;
        self.press(Key::Escape.into()).await;
        self.press(Key::Control + "l").await;
        self.wait_for("columns-hint").await;
        self.screenshot("columns-of-the-list").await;
        self.click("close").await;

        self.window.focus_first_row().await;
        self.press(Key::Control + "a").await;
        self.press(Key::Control + Key::Shift + "g").await;
        self.wait_for("bulk-freeze-title").await;
        self.wait_until_read().await;
        self.screenshot("freezing-many-documents").await;
        self.click("cancel").await;
        // Until it is gone, it takes the key.
        self.wait_until_gone("bulk-freeze-title").await;
        self.select_nothing().await;
        self.results_of_freezing().await;

        self.press(Key::Control + "k").await;
        self.wait_for_label("palette").await;
        self.window.press_key("inv").await;
        self.wait_for("palette-command").await;
        self.wait_until_gone("palette-searching").await;
        self.screenshot("the-command-palette").await;
        self.press(Key::Escape.into()).await;
        // Keys of the window work again when it is gone.
        self.wait_until_gone("palette").await;
    }

    /// Freezes the documents among the first rows that are issued.
    async fn results_of_freezing(&mut self) {
        const ROWS: usize = 12;
        self.window.focus_first_row().await;
        for _ in 1..ROWS {
            self.press(Key::Shift + Key::Down).await;
        }
        self.press(Key::Control + Key::Shift + "g").await;
        self.wait_for("bulk-freeze-title").await;
        self.wait_until_read().await;
        self.window.confirm_dialog().await;
        self.wait_for("bulk-done").await;
        self.screenshot("the-results-of-freezing").await;
        self.click("bulk-done").await;
        self.select_nothing().await;
    }

    /// The first key closes the open document, and the second one ends the selection.
    async fn select_nothing(&mut self) {
        for _ in 0..2 {
            self.window.focus_first_row().await;
            self.press(Key::Escape.into()).await;
        }
    }

    async fn rejected_document(&mut self) {
        /// The seed has one or two among its 400.
        const MOST: u32 = 20;
        self.click("view-rejected").await;
        self.window.wait_for_fewer_rows_than(MOST).await;
        self.window.click_first_row().await;
        self.wait_for("edit").await;
        self.wait_until_read().await;
        self.screenshot("a-document-that-the-tax-authority-has-rejected")
            .await;
        self.click("edit").await;
        self.wait_for("rejection-title").await;
        self.screenshot("correcting-a-rejected-document").await;
        self.click("back").await;
        self.click("view-all").await;
        self.window.wait_for_row(MOST).await;
    }

    async fn tools_of_a_document(&mut self) {
        self.window.click_first_row().await;
        self.wait_for("record-payment").await;
        self.press(Key::Control + Key::Shift + "m").await;
        self.wait_for("record-payment-title").await;
        self.screenshot("recording-a-payment").await;
        self.press(Key::Escape.into()).await;
        self.wait_until_gone("record-payment-title").await;
        self.press(Key::Control + Key::Shift + "p").await;
        self.wait_for_label("paper-pages").await;
        self.wait_until_read().await;
        self.screenshot("the-printed-document").await;
        self.press(Key::Escape.into()).await;
        self.click("section-history").await;
        self.wait_for("history-created").await;
        self.screenshot("the-history-of-an-invoice").await;
        self.template().await;

        self.click("new-invoice").await;
        self.window
            .paste_into_field(self.first_description(), SPREADSHEET)
            .await;
        self.wait_for("paste-title").await;
        self.screenshot("lines-from-a-spreadsheet").await;
        self.press(Key::Escape.into()).await;
        self.wait_until_gone("paste-title").await;
        self.click("more-document").await;
        for group in ["references", "payment", "allowances"] {
            self.click(&format!("group-{group}")).await;
        }
        self.screenshot("all-that-an-invoice-can-say").await;
        self.window
            .drop_file(
                "//*[@aria-labelledby='section-attachments']",
                "Delivery note.pdf",
                "%PDF-1.7 a delivery note",
            )
            .await;
        self.scroll_to("attachment-waiting").await;
        self.screenshot("a-file-attached-to-a-draft").await;
    }

    /// Keeps the open document as a template.
    async fn template(&mut self) {
        self.click("document-more").await;
        self.click("template-save").await;
        self.wait_for("template-save-hint").await;
        self.screenshot("keeping-a-template").await;
        let save = self.messages.text("save");
        self.window.click_in_dialog(&save).await;
        self.wait_until_gone("template-save-hint").await;
        self.press(Key::Control + Key::Shift + "u").await;
        self.wait_for("template-schedule").await;
        self.screenshot("templates").await;
        self.click("template-schedule").await;
        self.wait_for("schedule-save").await;
        self.screenshot("repeating-a-template").await;
        self.click("close").await;
        self.wait_until_gone("templates-here").await;
    }

    async fn files_of_other_programs(&mut self) {
        self.open_file("from a supplier.xml", UBL).await;
        self.wait_for("import-close").await;
        self.screenshot("a-file-of-another-program").await;
        self.click("import-close").await;
        self.wait_until_gone("import-close").await;
        let own = UBL.replace(SUPPLIER_TAX_ID, HOME_TAX_ID);
        self.open_file("of this organization.xml", &own).await;
        self.scroll_to("import-unread").await;
        self.screenshot("a-file-of-this-organization").await;
        self.click("import-close").await;
    }

    /// Opens a file with the program, as the system does.
    async fn open_file(&self, name: &str, content: &str) {
        let folder = self.window.folder().join("downloads");
        fs::create_dir_all(&folder)
            .and_then(|()| fs::write(folder.join(name), content))
            .expect("the file can be written");
        self.window.start_again(&folder, name).await;
    }

    async fn settings(&mut self) {
        self.press(Key::Control + ",").await;
        self.wait_for_label("settings-sections").await;
        for section in SETTINGS {
            self.click(&format!("settings-{section}")).await;
            self.screenshot(&format!("settings-{section}")).await;
        }
        self.click("settings-close").await;
        self.click("invoices").await;
        self.window.wait_for_rows().await;
    }

    /// Presses keys where the focus is.
    async fn press(&self, keys: TypingData) {
        self.window.press_key(keys).await;
    }
}
