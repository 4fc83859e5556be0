//! The runs on the disk: their key, their folders, and what is read of them after a restart.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use uuid::Uuid;
use zeroize::Zeroizing;

use super::ledger::{Header, Ledger, is_failure};
use super::saving::Saving;
use super::{BATCH, BulkRuns, Run, owner_text};
use crate::drafts::{DraftOwner, account_file, load_or_generate_key};
use crate::encryption::{BULK_RUN, RecordCipher};
use crate::files::{self, FileError};
use crate::rng::random_bytes;
use crate::vault::KEYRING_TIMEOUT;
use crate::views::{BulkOutcome, BulkResult, BulkRun, BulkState, CommandError};

/// What ledgers are encrypted with.
#[derive(Clone)]
pub(super) struct Key {
    pub(super) cipher: Arc<RecordCipher>,
    /// Whether it is in the keyring. Otherwise it ends with the program, and with it what the ledgers are good for.
    pub(super) durable: bool,
    /// The owners whose runs have been read from the disk.
    pub(super) read: HashSet<DraftOwner>,
}

impl BulkRuns {
    /// The key, after the runs of the owner have been read from the disk. `known` is the locked [`BulkRuns::key`].
    pub(super) async fn read_owner(
        &self,
        known: &mut Option<Key>,
        owner: &DraftOwner,
    ) -> Result<Key, CommandError> {
        let key = match known {
            Some(key) => key,
            None => known.insert(self.load_key().await),
        };
        if !key.read.contains(owner) {
            let (folder, account) = (self.owner_folder(owner), owner.account.clone());
            let found = files::run_blocking(move || {
                let runs = run_ids(&folder)?;
                if !runs.is_empty() {
                    // An earlier version has not written it.
                    account_file::write(&folder, &account);
                }
                Ok::<_, FileError>(runs)
            });
            for id in found.await? {
                // Begun without the keyring before it was unlocked.
                if self.find(owner, &id).is_ok() {
                    continue;
                }
                let ledger = self.ledger(owner, key, &id);
                let (read, durable) = (ledger.clone(), key.durable);
                let view = files::run_blocking(move || stored_view(&read, id, durable)).await?;
                if let Some(view) = view {
                    self.lock().push(Run::new(owner.clone(), ledger, view));
                }
            }
            key.read.insert(owner.clone());
        }
        Ok(key.clone())
    }

    /// The key of the keyring. Without a keyring a key for this run of the program, so that nothing is on the disk in the clear.
    async fn load_key(&self) -> Key {
        let loaded = load_or_generate_key(
            &self.clock,
            self.rng.as_ref(),
            self.vault.as_ref(),
            &self.key_folder,
            KEYRING_TIMEOUT,
        );
        let (key, durable) = match loaded.await {
            Ok(key) => (key, true),
            Err(error) => {
                tracing::info!(%error, "bulk runs end with the program: their key is not in the keyring");
                (Zeroizing::new(random_bytes::<32>(self.rng.as_ref())), false)
            }
        };
        Key {
            cipher: Arc::new(RecordCipher::new(BULK_RUN, &key)),
            durable,
            read: HashSet::new(),
        }
    }

    pub(super) fn ledger(&self, owner: &DraftOwner, key: &Key, id: &str) -> Ledger {
        Ledger::new(
            &self.owner_folder(owner),
            &owner_text(owner),
            id,
            Arc::clone(&key.cipher),
            Arc::clone(&self.rng),
        )
    }

    pub(super) fn owner_folder(&self, owner: &DraftOwner) -> PathBuf {
        self.folder.join(files::opaque_name(owner_text(owner)))
    }
}

/// The ids of the runs in the folder of an owner. It can hold more than runs: a file manager leaves files of its own in it.
fn run_ids(folder: &Path) -> Result<Vec<String>, FileError> {
    let entries = files::list(folder)?.into_iter();
    let folders = entries.filter(|path| path.is_dir());
    let names = folders.filter_map(|path| Some(path.file_name()?.to_str()?.to_owned()));
    Ok(names.filter(|name| Uuid::try_parse(name).is_ok()).collect())
}

pub(super) fn view(
    id: String,
    header: &Header,
    (done, failed): (u32, u32),
    durable: bool,
) -> BulkRun {
    let is_finished = header.to_collect.is_none() && done + failed >= header.plan.count;
    BulkRun {
        id,
        action: header.action,
        folder: header.saving.as_ref().map(Saving::folder_name),
        state: if is_finished {
            BulkState::Finished
        } else {
            BulkState::Stopped
        },
        plan: header.plan.clone(),
        collected: 0,
        done,
        failed,
        started: header.started.clone(),
        durable,
        interrupted: !is_finished,
        error: None,
        changed: None,
    }
}

/// A run of an earlier start; `None` if it cannot be read. One whose key has ended with its program is deleted, and what a crash has left
/// of one that was being written or deleted.
fn stored_view(
    ledger: &Ledger,
    id: String,
    durable: bool,
) -> Result<Option<BulkRun>, CommandError> {
    if ledger.is_without_keyring() || ledger.is_incomplete() {
        if let Err(error) = ledger.remove() {
            tracing::warn!(
                ?error,
                "files of a bulk run that nobody can read stay on the disk"
            );
        }
        return Ok(None);
    }
    if !durable {
        return Ok(None);
    }
    let Some(header) = ledger.header()? else {
        return Ok(None);
    };
    let counts = ledger.count(&header)?;
    let view = view(id, &header, counts, true);
    Ok(Some(BulkRun {
        interrupted: view.interrupted && !ledger.is_stopped(),
        ..view
    }))
}

/// A page of the documents of a run, or of those that failed.
pub(super) fn page(
    ledger: &Ledger,
    failed: bool,
    skip: u32,
    page_size: u32,
) -> Result<Vec<BulkResult>, CommandError> {
    let Some(header) = ledger.header()? else {
        return Ok(Vec::new());
    };
    let skip = usize::try_from(skip).unwrap_or(usize::MAX);
    let size = usize::try_from(page_size).unwrap_or(usize::MAX);
    let mut results = Vec::new();
    // All batches but the last are full, so that a page of all documents is found at once.
    let first = if failed { 0 } else { skip / BATCH };
    let mut to_skip = if failed { skip } else { skip % BATCH };
    for batch in u32::try_from(first).unwrap_or(u32::MAX)..header.batches {
        let mut outcomes = ledger.outcomes(batch)?;
        for row in ledger.rows(batch)? {
            let found = outcomes.remove(&row.key);
            let result = match found {
                Some(found) => BulkResult {
                    row: found.row.unwrap_or(row),
                    outcome: found.outcome,
                },
                None => BulkResult {
                    row,
                    outcome: BulkOutcome::Left,
                },
            };
            if failed && !is_failure(&result.outcome) {
                continue;
            }
            if to_skip > 0 {
                to_skip -= 1;
                continue;
            }
            results.push(result);
            if results.len() >= size {
                return Ok(results);
            }
        }
    }
    Ok(results)
}
