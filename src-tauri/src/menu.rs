//! The menu bar of macOS, made of what the window with the focus says. Other systems get none (decision 0144).

use std::sync::Arc;

use invoicing_client::Desktop;
use invoicing_client::views::{ApplicationMenu, MenuItem, MenuRole, SystemItem};
use tauri::menu::{
    AboutMetadata, IsMenuItem, Menu, MenuItem as CommandItem, PredefinedMenuItem, Submenu,
};
use tauri::{AppHandle, Manager as _};

use crate::window::LastFocused;

/// Whether the menu bar belongs to the system here.
pub(crate) const HAS_MENU_BAR: bool = cfg!(target_os = "macos");

/// Shows the menu, in place of the one before.
pub(crate) fn show(app: &AppHandle, menu: &ApplicationMenu) -> tauri::Result<()> {
    let shown = Menu::new(app)?;
    for described in &menu.menus {
        let submenu = Submenu::new(app, &described.label, true)?;
        for item in &described.items {
            submenu.append(&*item_of(app, item)?)?;
        }
        shown.append(&submenu)?;
        mark(&submenu, described.role)?;
    }
    app.set_menu(shown)?;
    Ok(())
}

/// Passes a choice to the window with the focus.
pub(crate) fn choose(app: &AppHandle, id: &str) {
    let window = app.state::<LastFocused>().get();
    let open = window.filter(|label| app.get_webview_window(label).is_some());
    if let (Some(window), Some(desktop)) = (open, app.try_state::<Arc<Desktop>>()) {
        desktop.choose_menu_item(&window.as_str().into(), id);
    }
}

fn item_of(app: &AppHandle, item: &MenuItem) -> tauri::Result<Box<dyn IsMenuItem<tauri::Wry>>> {
    Ok(match item {
        MenuItem::Command {
            id,
            label,
            keys,
            enabled,
        } => {
            let keys = keys.as_deref().map(accelerator);
            Box::new(CommandItem::with_id(app, id, label, *enabled, keys)?)
        }
        MenuItem::System { item, label } => Box::new(system_item(app, *item, label)?),
        MenuItem::Separator => Box::new(PredefinedMenuItem::separator(app)?),
    })
}

fn system_item(
    app: &AppHandle,
    item: SystemItem,
    label: &str,
) -> tauri::Result<PredefinedMenuItem<tauri::Wry>> {
    let label = Some(label);
    match item {
        SystemItem::About => {
            let about = AboutMetadata {
                name: Some(app.package_info().name.clone()),
                version: Some(app.package_info().version.to_string()),
                ..AboutMetadata::default()
            };
            PredefinedMenuItem::about(app, label, Some(about))
        }
        SystemItem::Services => PredefinedMenuItem::services(app, label),
        SystemItem::Hide => PredefinedMenuItem::hide(app, label),
        SystemItem::HideOthers => PredefinedMenuItem::hide_others(app, label),
        SystemItem::ShowAll => PredefinedMenuItem::show_all(app, label),
        SystemItem::Undo => PredefinedMenuItem::undo(app, label),
        SystemItem::Redo => PredefinedMenuItem::redo(app, label),
        SystemItem::Cut => PredefinedMenuItem::cut(app, label),
        SystemItem::Copy => PredefinedMenuItem::copy(app, label),
        SystemItem::Paste => PredefinedMenuItem::paste(app, label),
        SystemItem::SelectAll => PredefinedMenuItem::select_all(app, label),
        SystemItem::CloseWindow => PredefinedMenuItem::close_window(app, label),
        SystemItem::Minimize => PredefinedMenuItem::minimize(app, label),
        SystemItem::Maximize => PredefinedMenuItem::maximize(app, label),
        SystemItem::Fullscreen => PredefinedMenuItem::fullscreen(app, label),
        SystemItem::BringAllToFront => PredefinedMenuItem::bring_all_to_front(app, label),
    }
}

/// Lets the system add the list of windows, or its search.
fn mark(submenu: &Submenu<tauri::Wry>, role: MenuRole) -> tauri::Result<()> {
    #[cfg(target_os = "macos")]
    match role {
        MenuRole::Plain => {}
        MenuRole::Window => submenu.set_as_windows_menu_for_nsapp()?,
        MenuRole::Help => submenu.set_as_help_menu_for_nsapp()?,
    }
    #[cfg(not(target_os = "macos"))]
    let _ = (submenu, role);
    Ok(())
}

/// Keys of the table of shortcuts in the form of the menu library.
fn accelerator(keys: &str) -> String {
    keys.replace("Mod", "CmdOrCtrl").replace("Esc", "Escape")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_the_table_become_accelerators() {
        for (keys, expected) in [
            ("Mod+N", "CmdOrCtrl+N"),
            ("Mod+Shift+N", "CmdOrCtrl+Shift+N"),
            ("Mod+,", "CmdOrCtrl+,"),
            ("F2", "F2"),
        ] {
            assert_eq!(accelerator(keys), expected);
        }
    }
}
