//! Documents on paper and as files.

use std::fmt;

use serde::{Deserialize, Serialize};
use specta::Type;

/// The language of the labels on paper. Texts of the document are printed in it, or else in the one that they have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum PrintLanguage {
    /// English.
    English,
    /// Arabic.
    Arabic,
    /// Side by side.
    Both,
}

/// How the printed document is shown. A field that a file does not have is its default.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase", default)]
pub struct PaperPreferences {
    /// That of the screens if `None`.
    pub language: Option<PrintLanguage>,
    /// Whether it stands beside the form, in a window that is wide enough.
    pub beside_form: bool,
}

impl Default for PaperPreferences {
    fn default() -> Self {
        Self {
            language: None,
            beside_form: true,
        }
    }
}

/// The format that a document is saved in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum DocumentFormat {
    /// PDF/A-3 with the UBL inside, unless it is a draft.
    Pdf,
    /// UBL 2.1, of documents with a number only.
    Ubl,
}

/// A document as it is printed. Its `Debug` output does not contain the pages.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PrintedPages {
    /// The first pages, each an SVG image as a data URL.
    pub images: Vec<String>,
    /// How many there are.
    pub total: u32,
}

impl fmt::Debug for PrintedPages {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("PrintedPages")
            .field("images", &self.images.len())
            .field("total", &self.total)
            .finish()
    }
}
