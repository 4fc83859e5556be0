//! A JSON file whose content is also in memory: read at start, and changed in the file first.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{FileContent, FileError, read_json, run_blocking, write_json};

/// A value with the file that it is saved in.
pub(crate) struct JsonStore<T> {
    path: PathBuf,
    /// What the file holds, for the log.
    name: &'static str,
    value: Mutex<T>,
    writing: tokio::sync::Mutex<()>,
}

impl<T> JsonStore<T>
where
    T: Clone + Serialize + DeserializeOwned + Send + 'static,
{
    /// Reads the file. A missing one, and one that cannot be read or parsed, gives `default` until the next change.
    pub(crate) fn open(path: PathBuf, name: &'static str, default: T) -> Self {
        let value = match read_json(&path) {
            Ok(FileContent::Parsed(value)) => value,
            Ok(FileContent::Missing) => default,
            Ok(FileContent::Quarantined) => {
                tracing::warn!(name, "a file cannot be parsed and was renamed");
                default
            }
            Err(error) => {
                let error = &error as &dyn std::error::Error;
                tracing::warn!(name, error, "a file cannot be read");
                default
            }
        };
        Self {
            path,
            name,
            value: Mutex::new(value),
            writing: tokio::sync::Mutex::default(),
        }
    }

    /// The current value.
    pub(crate) fn get(&self) -> T {
        self.lock().clone()
    }

    /// Changes the value; on disk when it returns. The file is read again before, so that it fails, and overwrites nothing,
    /// if the file exists and cannot be read, and keeps what another process has written.
    pub(crate) async fn change(
        &self,
        change: impl FnOnce(&mut T) + Send + 'static,
    ) -> Result<(), FileError> {
        let _writing = self.writing.lock().await;
        let (path, name, mut value) = (self.path.clone(), self.name, self.get());
        let written = run_blocking(move || {
            match read_json(&path)? {
                FileContent::Parsed(stored) => value = stored,
                FileContent::Missing => {}
                FileContent::Quarantined => {
                    tracing::warn!(name, "a file cannot be parsed and was renamed");
                }
            }
            change(&mut value);
            write_json(&path, &value)?;
            Ok::<_, FileError>(value)
        });
        *self.lock() = written.await?;
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, T> {
        self.value.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
