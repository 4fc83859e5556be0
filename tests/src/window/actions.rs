//! User actions in the window: wait for elements, click, fill in fields, press keys.

use std::time::Duration;

use serde_json::json;
use thirtyfour::error::WebDriverErrorInner;
use thirtyfour::prelude::*;

use super::AppWindow;
use crate::driver::{wait_for_some, wait_until};
use crate::xpath::{
    HAS_FOCUS, IS_STABLE, LAST_VISIBLE, normalized_text, string_literal, text_is, text_or_label_is,
};

/// The limit for an element to appear, disappear or become clickable.
const VISIBLE_TIMEOUT: Duration = Duration::from_secs(30);

/// XPath of the button for pending retries in the status bar.
const PENDING_RETRIES: &str = "//footer//*[@data-waits]";

impl AppWindow {
    /// Waits for an element whose whole visible text or accessible label is `text`.
    pub async fn wait_for(&self, text: &str) -> WebElement {
        let path = format!(
            "//*[not(self::script or self::option)][{}]",
            text_or_label_is(text)
        );
        self.find_visible(&path, text).await
    }

    /// Waits for an element with a text that contains `text`.
    pub async fn wait_for_text(&self, text: &str) -> WebElement {
        let path = format!(
            "//*[not(self::script or self::option)][text()[contains({}, {})]]",
            normalized_text("."),
            string_literal(text)
        );
        self.find_visible(&path, text).await
    }

    /// Waits for an enabled button, link or option and clicks it. `text` is its text without a shortcut or badge.
    pub async fn click(&self, text: &str) {
        self.click_within("//*", text).await;
    }

    /// The same for a button of the open dialog.
    pub async fn click_in_dialog(&self, text: &str) {
        self.click_within("//*[@role='dialog' or @role='alertdialog']//*", text)
            .await;
    }

    async fn click_within(&self, within: &str, text: &str) {
        let pressable = "self::button or self::a or self::label or @role='button' or @role='menuitem' or @role='menuitemradio' or @role='option'";
        let exact = text_is(".", text);
        let condition = format!(
            "{} or .//*[{exact}] or text()[{exact}]",
            text_or_label_is(text)
        );
        let path = format!("{within}[{pressable}][not(@disabled)][{condition}]");
        self.click_element(&path, text).await;
    }

    /// Clicks an element once it has stopped moving and no other element, such as a closing dialog, covers it.
    async fn click_element(&self, path: &str, text: &str) {
        wait_until(
            &format!("{text:?} can be clicked"),
            VISIBLE_TIMEOUT,
            async || {
                let element = self.find_visible(path, text).await;
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

    /// Replaces the text of the field with this label.
    pub async fn fill_label(&self, label: &str, text: &str) {
        let required = format!("{label} *");
        let label_for = format!(
            "//label[{} or {}]/@for",
            text_is(".", label),
            text_is(".", &required)
        );
        let path = format!(
            "//*[self::input or self::textarea][{} or @id={label_for}]",
            text_is("@aria-label", label)
        );
        self.replace_text(&self.find_visible(&path, label).await, text)
            .await;
    }

    /// Replaces the text of the form field with this path, such as `lines[0].quantity`.
    pub async fn fill_field(&self, field: &str, text: &str) {
        self.replace_text(&self.field(field).await, text).await;
    }

    /// Pastes a text into the form field with this path.
    pub async fn paste_into_field(&self, field: &str, text: &str) {
        const PASTE: &str = "const [field, text] = arguments; field.focus();
            const clipboardData = new DataTransfer(); clipboardData.setData('text/plain', text);
            field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));";
        let element = self.field(field).await.to_json().expect("an element");
        let pasted = self.page().execute(PASTE, vec![element, json!(text)]).await;
        pasted.expect("the window runs the script");
    }

    /// Drops a file with this name and text on the element that an XPath finds.
    pub async fn drop_file(&self, path: &str, name: &str, text: &str) {
        const DROP: &str = "const [element, name, text] = arguments;
            const dataTransfer = new DataTransfer(); dataTransfer.items.add(new File([text], name));
            element.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));";
        let element = self.find_visible(path, "where files are dropped").await;
        let element = element.to_json().expect("an element");
        let arguments = vec![element, json!(name), json!(text)];
        let dropped = self.page().execute(DROP, arguments).await;
        dropped.expect("the window runs the script");
    }

    /// Clicks the last button of the open dialog, which confirms.
    pub async fn confirm_dialog(&self) {
        let path = "(//*[@role='dialog' or @role='alertdialog']//button[not(@disabled)])[last()]";
        self.click_element(path, "the last button of the dialog")
            .await;
    }

    /// Waits until the form field with this path has this text.
    pub async fn wait_for_field(&self, field: &str, text: &str) {
        wait_until(
            &format!("{field} is {text:?}"),
            VISIBLE_TIMEOUT,
            async || {
                let shown = self.field(field).await.prop("value").await.ok()?;
                (shown? == text).then_some(())
            },
        )
        .await;
    }

    async fn field(&self, field: &str) -> WebElement {
        let path = format!(
            "//*[@data-field='{field}' or @name='{field}']/descendant-or-self::*[self::input or self::textarea]"
        );
        self.find_visible(&path, field).await
    }

    /// Waits until no element has the text or accessible label `text`.
    pub async fn wait_until_gone(&self, text: &str) {
        let path = format!(
            "//*[not(self::script or self::option)][{}]",
            text_or_label_is(text)
        );
        self.wait_until_none(&path, text).await;
    }

    async fn wait_until_none(&self, path: &str, text: &str) {
        wait_until(&format!("{text:?} is gone"), VISIBLE_TIMEOUT, async || {
            let found = self.page().execute(LAST_VISIBLE, vec![json!(path)]).await;
            found.ok()?.json().is_null().then_some(())
        })
        .await;
    }

    /// Waits until the list shows invoices.
    pub async fn wait_for_rows(&self) {
        self.wait_for_row(1).await;
    }

    /// Waits until the list shows row `number`, counted from 1, with an amount.
    pub async fn wait_for_row(&self, number: u32) {
        let path = format!(
            "//*[@role='row'][@aria-rowindex='{}'][contains(., '.')]",
            number + 1
        );
        self.find_visible(&path, &format!("row {number}")).await;
    }

    /// Waits until the status bar shows pending retries.
    pub async fn wait_for_pending_retries(&self) {
        self.find_visible(PENDING_RETRIES, "the button for pending retries")
            .await;
    }

    /// Waits until the status bar shows no pending retries.
    pub async fn wait_for_no_pending_retries(&self) {
        self.wait_until_none(PENDING_RETRIES, "the button for pending retries")
            .await;
    }

    /// Waits until the list has at least one and fewer than `count` rows.
    pub async fn wait_for_fewer_rows_than(&self, count: u32) {
        // `aria-rowcount` includes the header.
        let path = format!(
            "//*[@role='grid'][@aria-rowcount > 1][@aria-rowcount < {}]",
            count + 1
        );
        self.find_visible(&path, "a shorter list").await;
        self.wait_for_rows().await;
    }

    /// Presses keys in the focused element. One that is replaced before it gets them has handed the focus on.
    pub async fn press_key(&self, keys: impl Into<TypingData>) {
        let keys = keys.into().to_string();
        let pressed = wait_until("keys are taken", VISIBLE_TIMEOUT, async || {
            let focused = self.page().active_element().await;
            let focused = focused.expect("something has the focus");
            match focused.send_keys(keys.as_str()).await {
                Err(error) if matches!(*error, WebDriverErrorInner::StaleElementReference(_)) => {
                    None
                }
                sent => Some(sent),
            }
        });
        pressed.await.expect("the window takes keys");
    }

    /// Waits for an enabled button with this text, and presses Enter in it.
    pub async fn press_button(&self, text: &str) {
        let path = format!("//button[not(@disabled)][{}]", text_or_label_is(text));
        let button = self.find_visible(&path, text).await;
        button.focus().await.expect("it can be focused");
        self.press_key(Key::Enter).await;
    }

    /// Waits until the focus is in an element that an XPath finds.
    pub async fn wait_for_focus(&self, path: &str) {
        wait_until(
            &format!("the focus is in {path}"),
            VISIBLE_TIMEOUT,
            async || {
                let found = self
                    .page()
                    .execute(HAS_FOCUS, vec![json!(path)])
                    .await
                    .ok()?;
                found.json().as_bool()?.then_some(())
            },
        )
        .await;
    }

    /// Clicks the list row that contains an element with the text `text`.
    pub async fn click_row(&self, text: &str) {
        let path = format!(
            "//*[@role='row' or self::li or self::a or self::button][.//*[{}]]",
            text_is(".", text)
        );
        self.click_element(&path, text).await;
    }

    /// Waits until the list has a row that contains an element with the text `text`.
    pub async fn wait_for_row_with(&self, text: &str) {
        let path = format!("//*[@role='row'][.//*[{}]]", text_is(".", text));
        self.find_visible(&path, text).await;
    }

    /// Gives the first row of the list the focus, without a click that opens its document.
    pub async fn focus_first_row(&self) {
        let row = self
            .find_visible("//*[@role='row'][@aria-rowindex='2']", "the first row")
            .await;
        row.focus().await.expect("it can be focused");
    }

    /// Clicks the first row of the list.
    pub async fn click_first_row(&self) {
        self.click_element("//*[@role='row'][@aria-rowindex='2']", "the first row")
            .await;
    }

    /// Sends keys to the page, with Control if `control`.
    pub async fn send_keys(&self, key: &str, control: bool) {
        let sent = self.try_send_keys(key, control).await;
        sent.expect("the window takes keys");
    }

    pub(super) async fn try_send_keys(&self, key: &str, control: bool) -> WebDriverResult<()> {
        let body = self.page().find(By::Css("body")).await?;
        let keys = if control {
            Key::Control + key
        } else {
            key.into()
        };
        body.send_keys(keys).await
    }

    async fn replace_text(&self, field: &WebElement, text: &str) {
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

    pub(super) async fn find_visible(&self, path: &str, text: &str) -> WebElement {
        let found = wait_for_some(VISIBLE_TIMEOUT, async || {
            self.page()
                .execute(LAST_VISIBLE, vec![json!(path)])
                .await
                .ok()?
                .element()
                .ok()
        })
        .await;
        let Some(found) = found else {
            let body = self.page().find(By::Css("body")).await.ok();
            let content = match body {
                Some(body) => body.text().await.unwrap_or_default(),
                None => String::new(),
            };
            panic!("{text:?} is not visible. The window shows:\n{content}");
        };
        found
    }
}
