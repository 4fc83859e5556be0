//! The menu of the application, and notifications of the system (decision 0144).

use serde::{Deserialize, Serialize};
use specta::Type;

/// The menus of the menu bar in their order, in the language of the screens.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ApplicationMenu {
    /// The first is that of the application, as macOS wants it.
    pub menus: Vec<Menu>,
}

/// One menu of the menu bar.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Menu {
    /// Its title.
    pub label: String,
    /// What the system adds to it.
    pub role: MenuRole,
    /// What it offers.
    pub items: Vec<MenuItem>,
}

/// What the system adds to a menu.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum MenuRole {
    /// Nothing.
    Plain,
    /// The list of the windows.
    Window,
    /// A search over all menus.
    Help,
}

/// An item of a menu.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(
    tag = "kind",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum MenuItem {
    /// A command of the window with the focus.
    Command {
        /// Its id in the table of commands.
        id: String,
        /// Its text.
        label: String,
        /// Its keys, as `Mod+Shift+N`.
        keys: Option<String>,
        /// Whether it applies to what the window shows.
        enabled: bool,
    },
    /// What the system does by itself.
    System {
        /// What.
        item: SystemItem,
        /// Its text.
        label: String,
    },
    /// A line.
    Separator,
}

/// What the system does by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum SystemItem {
    /// Name and version of the application.
    About,
    /// The services of macOS.
    Services,
    /// Hides the application.
    Hide,
    /// Hides the other applications.
    HideOthers,
    /// Shows all applications.
    ShowAll,
    /// Undoes the last change of the field with the focus.
    Undo,
    /// Does it again.
    Redo,
    /// Cuts the selected text.
    Cut,
    /// Copies it.
    Copy,
    /// Pastes.
    Paste,
    /// Selects all text.
    SelectAll,
    /// Closes the window.
    CloseWindow,
    /// Minimizes the window.
    Minimize,
    /// Enlarges the window.
    Maximize,
    /// Shows the window on the whole screen, or not any more.
    Fullscreen,
    /// Brings all windows of the application to the front.
    BringAllToFront,
}

/// What a person who waits for it is told while no window of the organization has the focus.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Notice {
    /// What ended, as `bulk:ID`. Each is told once, by whichever window is first.
    pub id: String,
    /// The name of the organization.
    pub title: String,
    /// One sentence.
    pub text: String,
}

/// What notifications of the system may tell: others see them on a locked screen.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum Notifications {
    /// There are none.
    Off,
    /// That something has ended, and how many documents. No number, name or amount.
    #[default]
    Plain,
    /// Also which document, with its buyer.
    Detailed,
}
