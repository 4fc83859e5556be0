//! The files that are being uploaded: one that the user removes meanwhile is removed again after it has arrived.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use invoicing_contract::DocumentKey;

use crate::drafts::DraftOwner;

/// Whose file it is, its document and its id.
pub(super) type FileKey = (DraftOwner, DocumentKey, String);

/// The uploads under way, at most one of each file.
#[derive(Default)]
pub(super) struct Uploads {
    /// Whether each file was removed meanwhile.
    files: Mutex<HashMap<FileKey, bool>>,
}

/// A file that is being uploaded, as long as it lives.
pub(super) struct Upload<'a> {
    uploads: &'a Uploads,
    file: FileKey,
}

impl Uploads {
    /// Begins an upload. The file is read afterwards: one that is removed before is not there then.
    pub(super) fn begin(&self, file: FileKey) -> Upload<'_> {
        self.files().insert(file.clone(), false);
        Upload {
            uploads: self,
            file,
        }
    }

    /// Notes that a file was removed, which does not wait any more. Returns whether it is being uploaded: then its sender learns of
    /// it at the end.
    pub(super) fn note_removed(&self, file: &FileKey) -> bool {
        match self.files().get_mut(file) {
            Some(is_removed) => {
                *is_removed = true;
                true
            }
            None => false,
        }
    }

    /// Whether a file is being uploaded that the user has removed: it is not shown any more, also if it has arrived.
    pub(super) fn is_removed(&self, file: &FileKey) -> bool {
        self.files().get(file) == Some(&true)
    }

    fn files(&self) -> MutexGuard<'_, HashMap<FileKey, bool>> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Upload<'_> {
    /// Whether the user has removed the file since the upload began.
    pub(super) fn is_removed(&self) -> bool {
        self.uploads.is_removed(&self.file)
    }

    /// Ends the upload. If the user has removed the file since it began, it goes on until the file is removed at the service too.
    pub(super) fn end(self) -> Option<Self> {
        let mut files = self.uploads.files();
        if files.get(&self.file) == Some(&true) {
            drop(files);
            return Some(self);
        }
        files.remove(&self.file);
        None
    }
}

impl Drop for Upload<'_> {
    fn drop(&mut self) {
        self.uploads.files().remove(&self.file);
    }
}
