//! Language, theme and digits, kept on this computer.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use crate::files::{self, FileContent, FileError};
use crate::views::{Digits, Preferences, Theme};

/// The kept preferences.
pub(crate) struct PreferenceStore {
    path: PathBuf,
    now: Mutex<Preferences>,
}

impl PreferenceStore {
    /// Reads them; what is missing or unreadable is replaced by the defaults.
    pub(crate) fn open(path: PathBuf) -> Self {
        let defaults = Preferences {
            language: None,
            theme: Theme::default(),
            digits: Digits::default(),
        };
        let now = match files::read_json(&path) {
            Ok(FileContent::Parsed(kept)) => kept,
            Ok(FileContent::Missing) => defaults,
            Ok(FileContent::Quarantined) | Err(_) => {
                tracing::warn!("the preferences could not be read; the defaults are used");
                defaults
            }
        };
        Self {
            path,
            now: Mutex::new(now),
        }
    }

    pub(crate) fn get(&self) -> Preferences {
        self.now
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    pub(crate) async fn save(&self, preferences: Preferences) -> Result<(), FileError> {
        let path = self.path.clone();
        let kept = preferences.clone();
        files::run_blocking(move || files::write_json(&path, &kept)).await?;
        *self.now.lock().unwrap_or_else(PoisonError::into_inner) = preferences;
        Ok(())
    }
}
