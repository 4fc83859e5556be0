//! Language, theme and digits.

use serde::{Deserialize, Serialize};
use specta::Type;

/// Saved on this computer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Preferences {
    /// Language of the screens; the system's if `None`.
    pub language: Option<Language>,
    /// Light or dark.
    pub theme: Theme,
    /// The digits of numbers and dates in Arabic.
    pub digits: Digits,
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

/// Light or dark.
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
