//! The file in the folder of an owner that tells whose drafts or bulk runs these are, as a digest, when the role in the organization is
//! lost.

use std::path::{Path, PathBuf};

use crate::account_key::AccountKey;
use crate::files::{self, FileError};

const ACCOUNT: &str = "account";

/// Writes whose folder it is, unless it says so already. Without it the folder is found by its organization alone.
pub(crate) fn write(folder: &Path, account: &AccountKey) {
    let file = folder.join(ACCOUNT);
    if file.exists() {
        return;
    }
    if let Err(error) = files::write(&file, content(account).as_bytes()) {
        let error = &error as &dyn std::error::Error;
        tracing::warn!(error, "a folder does not tell its account");
    }
}

/// The folders in `root` that say that they are of an account.
pub(crate) fn folders_of(root: &Path, account: &AccountKey) -> Result<Vec<PathBuf>, FileError> {
    let mut found = Vec::new();
    for folder in files::list(root)? {
        // A file in its place is no folder of an owner.
        if folder.is_dir() && names(&folder, account)? {
            found.push(folder);
        }
    }
    Ok(found)
}

/// Whether a folder says that it is of an account.
fn names(folder: &Path, account: &AccountKey) -> Result<bool, FileError> {
    let found = files::read(&folder.join(ACCOUNT))?;
    Ok(found.is_some_and(|found| found == content(account).as_bytes()))
}

/// Removes the file. It is not an error if there is none.
pub(super) fn remove(folder: &Path) -> Result<(), FileError> {
    files::remove(&folder.join(ACCOUNT))
}

/// Does not reveal the account.
fn content(account: &AccountKey) -> String {
    files::opaque_name(["account ", account.as_str()].concat())
}
