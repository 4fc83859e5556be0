//! The preferences of this computer.

use std::path::PathBuf;

use crate::files::{FileError, JsonStore};
use crate::views::Preferences;

/// The preferences, with the file that they are saved in.
pub(crate) struct PreferenceStore {
    current: JsonStore<Preferences>,
}

impl PreferenceStore {
    /// Reads the file. A missing or unreadable file gives the defaults.
    pub(crate) fn open(path: PathBuf) -> Self {
        Self {
            current: JsonStore::open(path, "preferences", Preferences::default()),
        }
    }

    pub(crate) fn get(&self) -> Preferences {
        self.current.get()
    }

    pub(crate) async fn save(&self, preferences: Preferences) -> Result<(), FileError> {
        let replace = move |current: &mut Preferences| *current = preferences;
        self.current.change(replace).await
    }
}
