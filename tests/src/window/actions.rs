//! What a person does at the window: sees, presses, types.

use std::time::Duration;

use serde_json::json;
use thirtyfour::prelude::*;

use super::Desk;
use crate::driver::{wait_for_some, wait_until};
use crate::xpath::{IS_STABLE, LAST_VISIBLE, named, plain, quoted, says};

/// How long a window may take to show something before a test gives up.
const KEYRING_TIMEOUT: Duration = Duration::from_secs(30);

/// The status bar's button for calls that wait to be tried again.
const WAITS: &str = "//footer//*[@data-waits]";

impl Desk {
    /// Waits for an element by its visible words: a button, link, heading, label or any text.
    pub async fn see(&self, words: &str) -> WebElement {
        let path = format!("//*[not(self::script or self::option)][{}]", named(words));
        self.find(&path, words).await
    }

    /// Waits for text that contains these words.
    pub async fn see_part(&self, words: &str) -> WebElement {
        let path = format!(
            "//*[not(self::script or self::option)][text()[contains({}, {})]]",
            plain("."),
            quoted(words)
        );
        self.find(&path, words).await
    }

    /// Waits for a button with these words, beside whatever shortcut and badge it shows, and presses it.
    pub async fn press(&self, words: &str) {
        self.press_within("//*", words).await;
    }

    /// The same for a button of the dialog that is open.
    pub async fn press_in_dialog(&self, words: &str) {
        self.press_within("//*[@role='dialog' or @role='alertdialog']//*", words)
            .await;
    }

    async fn press_within(&self, within: &str, words: &str) {
        let pressable = "self::button or self::a or self::label or @role='button' or @role='menuitem' or @role='menuitemradio' or @role='option'";
        let said = says(".", words);
        let named = format!("{} or .//*[{said}] or text()[{said}]", named(words));
        let path = format!("{within}[{pressable}][not(@disabled)][{named}]");
        self.click(&path, words).await;
    }

    /// Clicks an element once it stands still and nothing covers it, as a dialog does that is closing.
    async fn click(&self, path: &str, words: &str) {
        wait_until(
            &format!("{words:?} can be pressed"),
            KEYRING_TIMEOUT,
            async || {
                let element = self.find(path, words).await;
                let arguments = vec![element.to_json().ok()?];
                let still = self.page().execute_async(IS_STABLE, arguments).await.ok()?;
                if !still.json().as_bool()? {
                    return None;
                }
                element.click().await.ok()
            },
        )
        .await;
    }

    /// Types into the field with this label, in place of what stands there.
    pub async fn type_into(&self, label: &str, text: &str) {
        let required = format!("{label} *");
        let label_for = format!(
            "//label[{} or {}]/@for",
            says(".", label),
            says(".", &required)
        );
        let path = format!(
            "//*[self::input or self::textarea][{} or @id={label_for}]",
            says("@aria-label", label)
        );
        self.replace(&self.find(&path, label).await, text).await;
    }

    /// Types into the form's field with this path, as `lines[0].quantity`, in place of what stands there.
    pub async fn type_at(&self, field: &str, text: &str) {
        let path = format!(
            "//*[@data-field='{field}' or @name='{field}']/descendant-or-self::*[self::input or self::textarea]"
        );
        self.replace(&self.find(&path, field).await, text).await;
    }

    /// Waits until nothing says these words any more.
    pub async fn see_no(&self, words: &str) {
        let path = format!("//*[not(self::script or self::option)][{}]", named(words));
        self.until_gone(&path, words).await;
    }

    async fn until_gone(&self, path: &str, words: &str) {
        wait_until(&format!("{words:?} is gone"), KEYRING_TIMEOUT, async || {
            let found = self.page().execute(LAST_VISIBLE, vec![json!(path)]).await;
            found.ok()?.json().is_null().then_some(())
        })
        .await;
    }

    /// Waits until the list shows invoices.
    pub async fn see_rows(&self) {
        self.see_row(1).await;
    }

    /// Waits until the list shows its row with this number, the first being 1, with an amount in it.
    pub async fn see_row(&self, number: u32) {
        let path = format!(
            "//*[@role='row'][@aria-rowindex='{}'][contains(., '.')]",
            number + 1
        );
        self.find(&path, &format!("row {number}")).await;
    }

    /// Waits until the status bar says that something waits to be tried again.
    pub async fn see_waits(&self) {
        self.find(WAITS, "what waits").await;
    }

    /// Waits until nothing waits any more.
    pub async fn see_no_waits(&self) {
        self.until_gone(WAITS, "what waits").await;
    }

    /// Waits until the list has rows, and fewer than `count`.
    pub async fn see_chosen_fewer_than(&self, count: u32) {
        // The header is a row too.
        let path = format!(
            "//*[@role='grid'][@aria-rowcount > 1][@aria-rowcount < {}]",
            count + 1
        );
        self.find(&path, "a shorter list").await;
        self.see_rows().await;
    }

    /// Presses a key where the focus is.
    pub async fn press_key(&self, key: Key) {
        let focused = self.page().active_element().await;
        let keys = String::from(key.value());
        focused
            .expect("something has the focus")
            .send_keys(keys)
            .await
            .expect("the window takes keys");
    }

    /// Opens the row of a list that holds these words.
    pub async fn press_row(&self, words: &str) {
        let path = format!(
            "//*[@role='row' or self::li or self::a or self::button][.//*[{}]]",
            says(".", words)
        );
        self.click(&path, words).await;
    }

    /// Opens the first row of the list.
    pub async fn press_first_row(&self) {
        self.click("//*[@role='row'][@aria-rowindex='2']", "the first row")
            .await;
    }

    /// Presses a key in the window, with Control if `control`.
    pub async fn keys(&self, key: &str, control: bool) {
        let body = self
            .page()
            .find(By::Css("body"))
            .await
            .expect("the page has a body");
        let keys = if control {
            Key::Control + key
        } else {
            key.into()
        };
        body.send_keys(keys).await.expect("the window takes keys");
    }

    async fn replace(&self, field: &WebElement, text: &str) {
        field
            .scroll_into_view()
            .await
            .expect("it can be scrolled to");
        field.focus().await.expect("it can be focused");
        field
            .send_keys(Key::Control + "a")
            .await
            .expect("its text can be selected");
        field.send_keys(text).await.expect("it can be typed into");
    }

    async fn find(&self, path: &str, words: &str) -> WebElement {
        let found = wait_for_some(KEYRING_TIMEOUT, async || {
            self.page()
                .execute(LAST_VISIBLE, vec![json!(path)])
                .await
                .ok()?
                .element()
                .ok()
        })
        .await;
        let Some(found) = found else {
            let text = self.page().find(By::Css("body")).await.ok();
            let text = match text {
                Some(body) => body.text().await.unwrap_or_default(),
                None => String::new(),
            };
            panic!("{words:?} is not to be seen. The window shows:\n{text}");
        };
        found
    }
}
