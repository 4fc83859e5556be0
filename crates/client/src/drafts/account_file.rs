//! The file in the folder of an owner that tells whose drafts these are, as a digest, when the role in the organization is lost.

use std::path::Path;

use super::file_names::digest;
use crate::account_key::AccountKey;
use crate::files::{self, FileError};

const ACCOUNT: &str = "account";

/// Writes whose drafts are in a folder, unless it says so already. Without it they are found by their organization alone.
pub(super) fn write(folder: &Path, account: &AccountKey) {
    let file = folder.join(ACCOUNT);
    if file.exists() {
        return;
    }
    if let Err(error) = files::write(&file, content(account).as_bytes()) {
        let error = &error as &dyn std::error::Error;
        tracing::warn!(error, "a folder of drafts does not tell its account");
    }
}

/// Whether a folder says that its drafts are those of an account.
pub(super) fn names(folder: &Path, account: &AccountKey) -> Result<bool, FileError> {
    let found = files::read(&folder.join(ACCOUNT))?;
    Ok(found.is_some_and(|found| found == content(account).as_bytes()))
}

/// Removes the file. It is not an error if there is none.
pub(super) fn remove(folder: &Path) -> Result<(), FileError> {
    files::remove(&folder.join(ACCOUNT))
}

/// Does not reveal the account.
fn content(account: &AccountKey) -> String {
    digest(["account ", account.as_str()].concat().as_bytes())
}
