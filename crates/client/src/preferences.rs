//! The preferences of this computer.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::files::{FileError, JsonStore};
use crate::views::Preferences;

/// The preferences, with the file that they are saved in.
pub(crate) struct PreferenceStore {
    current: JsonStore<Preferences>,
    saved: AtomicU32,
}

impl PreferenceStore {
    /// Reads the file. A missing or unreadable file gives the defaults.
    pub(crate) fn open(path: PathBuf) -> Self {
        Self {
            current: JsonStore::open(path, "preferences", Preferences::default()),
            saved: AtomicU32::new(0),
        }
    }

    pub(crate) fn get(&self) -> Preferences {
        self.current.get()
    }

    pub(crate) async fn save(&self, preferences: Preferences) -> Result<(), FileError> {
        let replace = move |current: &mut Preferences| *current = preferences;
        self.current.change(replace).await?;
        self.saved.fetch_add(1, Ordering::AcqRel);
        Ok(())
    }

    /// How often they were saved since the start.
    pub(crate) fn saved(&self) -> u32 {
        self.saved.load(Ordering::Acquire)
    }
}
