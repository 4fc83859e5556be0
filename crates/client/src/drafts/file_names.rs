//! Names of the folders and files of drafts. They reveal no owner.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use super::DraftOwner;
use crate::files::{QUARANTINED, opaque_name};

/// The end of the names of drafts.
const EXTENSION: &str = ".draft";

/// The folder of an owner.
pub(super) fn owner_folder(root: &Path, owner: &DraftOwner) -> PathBuf {
    let of_owner = [
        owner.account.as_str().as_bytes(),
        &[0],
        owner.organization.as_str().as_bytes(),
    ];
    root.join(opaque_name(of_owner.concat()))
}

/// The name of the file of a draft.
pub(super) fn file_of(key: impl Display) -> String {
    format!("{key}{EXTENSION}")
}

/// The key in the name of a draft's file; `None` if the file is none.
pub(super) fn key_in(name: &str) -> Option<&str> {
    name.strip_suffix(EXTENSION)
}

/// As [`key_in`], also if the file was renamed because it could not be read. Returns whether it was.
pub(super) fn key_in_any(name: &str) -> Option<(&str, bool)> {
    if let Some(key) = key_in(name) {
        return Some((key, false));
    }
    let (stem, _) = name.rsplit_once(QUARANTINED)?;
    Some((key_in(stem)?, true))
}
