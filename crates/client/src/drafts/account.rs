//! All drafts of an account on this computer, also those of organizations whose role it has lost and those that cannot be
//! read. A file in the folder of an owner tells whose it is, as a digest.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use invoicing_contract::{DocumentKey, OrganizationId};
use sha2::{Digest as _, Sha256};

use super::critical_section::State;
use super::folder::{self, EXTENSION};
use super::unreadable::draft_key;
use super::{DraftOwner, Drafts};
use crate::account_key::AccountKey;
use crate::files::{self, FileError, FileLock};
use crate::views::CommandError;

/// The file in the folder of an owner with the digest of the account.
const ACCOUNT: &str = "account";

/// The drafts of an account, in files and in memory.
struct AccountDrafts {
    folders: BTreeSet<PathBuf>,
    files: Vec<PathBuf>,
    /// In memory, and in no file.
    memory: Vec<(DraftOwner, DocumentKey)>,
}

impl Drafts {
    /// How many drafts of the account are on this computer. `organizations` are those that are known to be its: their folders
    /// may be older than the file that tells the account.
    pub(crate) async fn count_of_account(
        &self,
        account: &AccountKey,
        organizations: BTreeSet<OrganizationId>,
    ) -> Result<usize, CommandError> {
        let account = account.clone();
        let count = self.with_state(move |state, root| {
            Ok(AccountDrafts::find(state, root, &account, organizations)?.count())
        });
        count.await
    }

    /// Deletes the drafts of the account, if there are exactly `count`. Returns whether there were.
    pub(crate) async fn delete_of_account(
        &self,
        account: &AccountKey,
        organizations: BTreeSet<OrganizationId>,
        count: usize,
    ) -> Result<bool, CommandError> {
        let account = account.clone();
        let deleted = self.with_state(move |state, root| {
            let found = AccountDrafts::find(state, root, &account, organizations)?;
            if found.count() != count {
                return Ok(false);
            }
            for file in &found.files {
                files::remove(file)?;
            }
            state.remove_from_memory(&account);
            for folder in found.folders {
                // Last, so that a deletion that failed can be repeated.
                files::remove(&folder.join(ACCOUNT))?;
                // Other files may be in it.
                let _ = std::fs::remove_dir(folder);
            }
            Ok(true)
        });
        deleted.await
    }

    /// Runs a critical section over the drafts of all owners. It needs no key.
    async fn with_state<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut State, &Path) -> Result<T, FileError> + Send + 'static,
    ) -> Result<T, CommandError> {
        let mut state = Arc::clone(&self.state).lock_owned().await;
        let root = self.folder.clone();
        let done = files::run_blocking(move || {
            let _lock = FileLock::acquire(&root.join("lock"))
                .inspect_err(|error| {
                    let error = error as &dyn std::error::Error;
                    tracing::warn!(error, "drafts are used without the lock among processes");
                })
                .ok();
            work(&mut state, &root)
        });
        Ok(done.await?)
    }
}

impl AccountDrafts {
    fn find(
        state: &State,
        root: &Path,
        account: &AccountKey,
        organizations: BTreeSet<OrganizationId>,
    ) -> Result<Self, FileError> {
        let known = organizations.into_iter().map(|organization| DraftOwner {
            account: account.clone(),
            organization,
        });
        let mut folders: BTreeSet<_> = known.map(|owner| folder::path(root, &owner)).collect();
        let digest = digest(account);
        for folder in files::list(root)? {
            // A file in its place is no folder of an owner.
            if folder.is_dir() && files::read(&folder.join(ACCOUNT))?.as_ref() == Some(&digest) {
                folders.insert(folder);
            }
        }
        let mut found = Vec::new();
        for folder in &folders {
            found.extend(files::list(folder)?.into_iter().filter(|file| {
                let name = file.file_name().unwrap_or_default().to_string_lossy();
                draft_key(&name).is_some()
            }));
        }
        let memory = state.memory_of(account);
        let memory = memory.filter(|(owner, key)| {
            let file = folder::path(root, owner).join(format!("{key}{EXTENSION}"));
            !found.contains(&file)
        });
        Ok(Self {
            memory: memory.cloned().collect(),
            folders,
            files: found,
        })
    }

    fn count(&self) -> usize {
        self.files.len() + self.memory.len()
    }
}

/// Writes whose drafts are in a folder, unless it says so already. Without it they are found by their organization alone.
pub(super) fn write_account(folder: &Path, account: &AccountKey) {
    let file = folder.join(ACCOUNT);
    if file.exists() {
        return;
    }
    if let Err(error) = files::write(&file, &digest(account)) {
        let error = &error as &dyn std::error::Error;
        tracing::warn!(error, "a folder of drafts does not tell its account");
    }
}

/// Does not reveal the account.
fn digest(account: &AccountKey) -> Vec<u8> {
    let digest = Sha256::digest(["account ", account.as_str()].concat());
    let digest: String = digest
        .iter()
        .take(16)
        .map(|byte| format!("{byte:02x}"))
        .collect();
    digest.into_bytes()
}
