//! All drafts of an account on this computer, also those of organizations whose role it has lost and those that cannot be
//! read.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use invoicing_contract::{DocumentKey, OrganizationId};

use super::critical_section::State;
use super::file_names::{file_of, key_in, key_in_any, owner_folder};
use super::{DraftOwner, Drafts, account_file};
use crate::account_key::AccountKey;
use crate::files::{self, FileError, FileLock};
use crate::views::{CommandError, DraftCount};

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

    /// How many drafts of the account each of these organizations has on this computer. Those without any are left out, and so are files
    /// that were renamed because another draft took their place.
    pub(crate) async fn count_by_organization(
        &self,
        account: &AccountKey,
        organizations: BTreeSet<OrganizationId>,
    ) -> Result<Vec<DraftCount>, CommandError> {
        let account = account.clone();
        let counts = self.with_state(move |state, root| {
            let mut counts = Vec::new();
            for organization in organizations {
                let owner = DraftOwner {
                    account: account.clone(),
                    organization,
                };
                let count = count_of_owner(state, root, &owner)?;
                if count > 0 {
                    counts.push(DraftCount {
                        organization: owner.organization,
                        count: u32::try_from(count).unwrap_or(u32::MAX),
                        problem: None,
                    });
                }
            }
            Ok(counts)
        });
        counts.await
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
                account_file::remove(&folder)?;
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

/// The drafts of an owner, each once: one that is in memory can have a file as well.
fn count_of_owner(state: &State, root: &Path, owner: &DraftOwner) -> Result<usize, FileError> {
    let mut keys = BTreeSet::new();
    for file in files::list(&owner_folder(root, owner))? {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        keys.extend(key_in(&name).map(str::to_owned));
    }
    let memory = state.memory_of(&owner.account);
    let memory = memory.filter(|(other, _)| other == owner);
    keys.extend(memory.map(|(_, key)| key.as_str().to_owned()));
    Ok(keys.len())
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
        let mut folders: BTreeSet<_> = known.map(|owner| owner_folder(root, &owner)).collect();
        folders.extend(account_file::folders_of(root, account)?);
        let mut found = Vec::new();
        for folder in &folders {
            found.extend(files::list(folder)?.into_iter().filter(|file| {
                let name = file.file_name().unwrap_or_default().to_string_lossy();
                key_in_any(&name).is_some()
            }));
        }
        let memory = state.memory_of(account);
        let memory = memory.filter(|(owner, key)| {
            let file = owner_folder(root, owner).join(file_of(key));
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
