//! A JSON file whose content is also in memory: read at start, and changed in the file first.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{FileContent, FileError, FileLock, read_json, run_blocking, write_json};

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

    /// Changes the value, on disk when it returns, and returns what `change` returns. The file is read again before, so that it
    /// fails, and overwrites nothing, if the file exists and cannot be read, and keeps what another process has written, which is
    /// locked out meanwhile.
    pub(crate) async fn change<R: Send + 'static>(
        &self,
        change: impl FnOnce(&mut T) -> R + Send + 'static,
    ) -> Result<R, FileError> {
        let _writing = self.writing.lock().await;
        let (path, name, mut value) = (self.path.clone(), self.name, self.get());
        let written = run_blocking(move || {
            // Each file is written whole. Without the lock only what another process changes at once can be lost.
            let _lock = FileLock::acquire(&path.with_extension("lock"))
                .inspect_err(|error| {
                    let error = error as &dyn std::error::Error;
                    tracing::warn!(name, error, "a file is changed without its lock");
                })
                .ok();
            match read_json(&path)? {
                FileContent::Parsed(stored) => value = stored,
                FileContent::Missing => {}
                FileContent::Quarantined => {
                    tracing::warn!(name, "a file cannot be parsed and was renamed");
                }
            }
            let changed = change(&mut value);
            write_json(&path, &value)?;
            Ok::<_, FileError>((value, changed))
        });
        let (value, changed) = written.await?;
        *self.lock() = value;
        Ok(changed)
    }

    fn lock(&self) -> MutexGuard<'_, T> {
        self.value.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::path::Path;

    use super::*;
    use crate::files::{FileFault, FileFaults};

    type Numbers = BTreeMap<String, u32>;

    fn open(path: &Path) -> JsonStore<Numbers> {
        JsonStore::open(path.to_owned(), "numbers", Numbers::new())
    }

    /// Opens the store and adds a number.
    async fn add(path: &Path, name: &'static str) -> Result<(), FileError> {
        let store = open(path);
        let add = |numbers: &mut Numbers| {
            numbers.insert(name.to_owned(), 2);
        };
        store.change(add).await
    }

    #[tokio::test]
    async fn change_is_made_or_not_and_loses_nothing_at_every_fault() {
        let mut runs = 0;
        for fault in [
            FileFault::IoOnce,
            FileFault::IoFromThen,
            FileFault::NoSpaceFromThen,
        ] {
            for number in 0.. {
                let context = format!("{fault:?} at operation {number}");
                let folder = tempfile::tempdir().expect("a folder");
                let path = folder.path().join("numbers.json");
                add(&path, "old").await.expect("written");
                let faults = FileFaults::new(folder.path());
                faults.set(number, fault);
                let changed = add(&path, "new").await;
                let reached = faults.operations().len() > number;
                faults.clear();
                let names: Vec<_> = open(&path).get().into_keys().collect();
                if changed.is_ok() {
                    assert_eq!(names, ["new", "old"], "{context}");
                } else {
                    assert!(names.contains(&"old".to_owned()), "{context}: {names:?}");
                }
                add(&path, "new").await.expect("no fault any more");
                let names: Vec<_> = open(&path).get().into_keys().collect();
                assert_eq!(names, ["new", "old"], "{context}");
                if !reached {
                    break;
                }
                runs += 1;
            }
        }
        assert!(runs > 15, "{runs}");
    }

    #[tokio::test]
    async fn changes_of_two_stores_of_one_file_are_both_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("numbers.json");
        let stores = [open(&path), open(&path)];
        for (store, name) in stores.iter().zip(["one", "two"]) {
            let add = |numbers: &mut Numbers| {
                numbers.insert(name.to_owned(), 1);
            };
            store.change(add).await.expect("written");
        }
        let names: Vec<_> = open(&path).get().into_keys().collect();
        assert_eq!(names, ["one", "two"]);
    }

    #[tokio::test]
    async fn changes_that_two_processes_make_at_once_are_all_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("numbers.json");
        let process = |name: &'static str| {
            let store = open(&path);
            tokio::spawn(async move {
                for number in 0..25 {
                    let add = move |numbers: &mut Numbers| {
                        numbers.insert(format!("{name} {number}"), number);
                    };
                    store.change(add).await.expect("written");
                }
            })
        };
        let processes = [process("one"), process("two")];
        for process in processes {
            process.await.expect("it ends");
        }
        assert_eq!(open(&path).get().len(), 50);
    }

    #[tokio::test]
    async fn file_that_cannot_be_parsed_is_kept_under_another_name() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("numbers.json");
        std::fs::write(&path, "{").expect("written");
        add(&path, "new").await.expect("written");
        let renamed = folder.path().join("numbers.json.unreadable-1");
        assert_eq!(std::fs::read_to_string(renamed).expect("it is kept"), "{");
    }
}
