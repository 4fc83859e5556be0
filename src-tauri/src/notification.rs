//! Notifications of the system: of the desktop bus on Linux (Desktop Notifications Specification), elsewhere of the plugin.

use invoicing_client::views::Notice;
use tauri::AppHandle;

/// Shows a notification. That the system shows none is logged only: the window tells the same.
#[cfg(not(target_os = "linux"))]
pub(crate) fn show(app: &AppHandle, notice: &Notice) {
    use tauri_plugin_notification::NotificationExt as _;

    let shown = app.notification().builder();
    if let Err(error) = shown.title(&notice.title).body(&notice.text).show() {
        tracing::warn!(%error, "the system did not show a notification");
    }
}

/// Shows a notification. That the system shows none is logged only: the window tells the same.
#[cfg(target_os = "linux")]
pub(crate) fn show(_app: &AppHandle, notice: &Notice) {
    let notice = notice.clone();
    tauri::async_runtime::spawn(async move {
        if let Err(error) = send(&notice).await {
            tracing::warn!(%error, "the system did not show a notification");
        }
    });
}

#[cfg(target_os = "linux")]
async fn send(notice: &Notice) -> zbus::Result<()> {
    use std::collections::HashMap;

    use zbus::zvariant::Value;

    let no_actions: [&str; 0] = [];
    // The entry of the desktop gives its icon, and the settings of its notifications.
    let hints = HashMap::from([("desktop-entry", Value::from("invoice-desk"))]);
    // A new one each time, shown as long as the desktop wants.
    let (replaced, milliseconds) = (0_u32, -1_i32);
    let (name, title, text) = ("Invoice Desk", &notice.title, escape(&notice.text));
    let body = (
        name,
        replaced,
        "invoice-desk",
        title.as_str(),
        text.as_str(),
        &no_actions[..],
        hints,
        milliseconds,
    );
    let connection = zbus::Connection::session().await?;
    let service = "org.freedesktop.Notifications";
    let path = "/org/freedesktop/Notifications";
    connection
        .call_method(Some(service), path, Some(service), "Notify", &body)
        .await?;
    Ok(())
}

/// Desktops read the text as markup.
#[cfg(target_os = "linux")]
fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn name_in_a_notification_is_no_markup() {
        assert_eq!(escape("<b>A & B</b>"), "&lt;b&gt;A &amp; B&lt;/b&gt;");
    }
}
