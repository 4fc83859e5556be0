//! Language, theme and digits, saved on this computer.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use crate::files::{self, FileContent, FileError};
use crate::views::{Digits, Preferences, Theme};

/// The preferences, with the file that they are saved in.
pub(crate) struct PreferenceStore {
    path: PathBuf,
    current: Mutex<Preferences>,
}

impl PreferenceStore {
    /// Reads the file. A missing or unreadable file gives the defaults.
    pub(crate) fn open(path: PathBuf) -> Self {
        let defaults = Preferences {
            language: None,
            theme: Theme::default(),
            digits: Digits::default(),
        };
        let current = match files::read_json(&path) {
            Ok(FileContent::Parsed(saved)) => saved,
            Ok(FileContent::Missing) => defaults,
            Ok(FileContent::Quarantined) | Err(_) => {
                tracing::warn!("the preferences could not be read; the defaults are used");
                defaults
            }
        };
        Self {
            path,
            current: Mutex::new(current),
        }
    }

    pub(crate) fn get(&self) -> Preferences {
        self.current
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    pub(crate) async fn save(&self, preferences: Preferences) -> Result<(), FileError> {
        let path = self.path.clone();
        let written = preferences.clone();
        files::run_blocking(move || files::write_json(&path, &written)).await?;
        *self.current.lock().unwrap_or_else(PoisonError::into_inner) = preferences;
        Ok(())
    }
}
