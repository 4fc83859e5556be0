//! How the application looks and behaves on this computer.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use specta::Type;

use super::{Notifications, PaperPreferences};

/// Saved on this computer. A field that the file of an earlier version does not have is its default.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase", default)]
pub struct Preferences {
    /// Language of the screens; the system's if `None`.
    pub language: Option<Language>,
    /// Light, dark, or of high contrast.
    pub theme: Theme,
    /// The digits of numbers and dates in Arabic.
    pub digits: Digits,
    /// The calendar in which dates are shown and typed. Documents hold Gregorian dates.
    pub calendar: CalendarSystem,
    /// How a currency is named beside an amount.
    pub currency: CurrencyDisplay,
    /// The height of rows and controls.
    pub density: Density,
    /// The size of everything.
    pub zoom: Zoom,
    /// The keys of commands that do not have their built-in ones, as `Mod+Shift+F` by the name of the shortcut.
    pub shortcuts: BTreeMap<String, String>,
    /// What notifications of the system tell.
    pub notifications: Notifications,
    /// How the printed document is shown.
    pub paper: PaperPreferences,
}

/// A language of the screens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum Language {
    /// English
    En,
    /// Arabic
    Ar,
}

impl Language {
    /// ISO 639-1.
    pub(crate) const fn code(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::Ar => "ar",
        }
    }
}

/// Light, dark, or of high contrast.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum Theme {
    /// As the system.
    #[default]
    System,
    /// Always light.
    Light,
    /// Always dark.
    Dark,
    /// Text with a contrast of at least 7:1 (WCAG 2.2, 1.4.6), light or dark as the system.
    HighContrast,
}

/// The digits of Arabic screens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum Digits {
    /// 0 to 9
    #[default]
    Latin,
    /// ٠ to ٩
    Arabic,
}

/// A calendar.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum CalendarSystem {
    /// The Gregorian calendar.
    #[default]
    Gregorian,
    /// The Umm al-Qura calendar of Saudi Arabia.
    UmmAlQura,
}

/// How a currency is named beside an amount.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum CurrencyDisplay {
    /// Its ISO 4217 code, as `SAR`.
    #[default]
    Code,
    /// Its sign, as `ر.س` or `€`, where it has one in the language of the screens.
    Sign,
}

/// The height of rows and controls.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum Density {
    /// Rows of 32 px.
    #[default]
    Comfortable,
    /// Rows of 28 px.
    Compact,
}

/// The size of everything, in percent: from 80 to 200.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(from = "u16", into = "u16")]
pub struct Zoom(u16);

impl Zoom {
    /// The smallest size.
    pub const MIN: u16 = 80;
    /// The largest size.
    pub const MAX: u16 = 200;

    /// The size in percent.
    #[must_use]
    pub const fn percent(self) -> u16 {
        self.0
    }
}

impl Default for Zoom {
    fn default() -> Self {
        Self(100)
    }
}

/// A value outside of the limits becomes the nearest limit, so that no file makes the window unreadable.
impl From<u16> for Zoom {
    fn from(percent: u16) -> Self {
        Self(percent.clamp(Self::MIN, Self::MAX))
    }
}

impl From<Zoom> for u16 {
    fn from(zoom: Zoom) -> Self {
        zoom.0
    }
}
