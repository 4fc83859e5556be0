//! The ledger of a bulk run on the disk: what was confirmed, the documents in batches, and their outcomes. Encrypted like
//! drafts. Every method blocks the thread.
//!
//! Each file is written once or replaced as a whole, so that after a crash a batch has its outcomes or has none. A batch
//! without outcomes is sent again: the service recognises what it has done already (decision 0134).

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use invoicing_contract::DocumentKey;
use invoicing_contract::messages::documents::Document;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::saving::Saving;
use crate::encryption::RecordCipher;
use crate::files::{self, FileError};
use crate::rng::Rng;
use crate::views::{
    BulkAction, BulkOutcome, BulkPlan, CommandError, DocumentSelection, InvoiceRow,
};

/// The version of the files. Runs of another one are left alone.
const VERSION: u32 = 1;
const HEADER: &str = "run";
/// Says that the user has stopped the run. A file of its own: the header is written while a run is being stopped.
const STOPPED: &str = "stopped";
const BEGUN: &str = "begun";
/// Says that the key of the run ends with the program.
const WITHOUT_KEYRING: &str = "without-keyring";

/// What a run is about.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Header {
    pub(super) version: u32,
    pub(super) action: BulkAction,
    /// Of a run that saves files.
    #[serde(default)]
    pub(super) saving: Option<Saving>,
    pub(super) plan: BulkPlan,
    /// RFC 3339
    pub(super) started: String,
    /// The filter that is to be collected; `None` once the batches are written.
    pub(super) to_collect: Option<DocumentSelection>,
    pub(super) batches: u32,
}

impl Header {
    pub(super) fn new(
        action: BulkAction,
        saving: Option<Saving>,
        plan: BulkPlan,
        started: String,
    ) -> Self {
        Self {
            version: VERSION,
            action,
            saving,
            plan,
            started,
            to_collect: None,
            batches: 0,
        }
    }
}

/// A document with its final outcome.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Outcome {
    /// As it is after the write, if it was done.
    pub(super) row: Option<InvoiceRow>,
    pub(super) outcome: BulkOutcome,
}

/// The document whose files are being sent, as it was before. Each file changes its stamp: after a crash its content says whether
/// it is still what was confirmed.
#[derive(Serialize, Deserialize)]
pub(super) struct BegunDocument {
    pub(super) key: DocumentKey,
    pub(super) document: Box<Document>,
}

/// The outcomes of a batch, by document.
pub(super) type Outcomes = HashMap<DocumentKey, Outcome>;

/// The folder of one run.
#[derive(Clone)]
pub(super) struct Ledger {
    folder: PathBuf,
    /// Account, organization and run, which are authenticated with each file.
    owner: String,
    cipher: Arc<RecordCipher>,
    rng: Arc<dyn Rng>,
    /// Locked while a file is written.
    is_closed: Arc<Mutex<bool>>,
}

impl Ledger {
    pub(super) fn new(
        owner_folder: &Path,
        owner: &str,
        run: &str,
        cipher: Arc<RecordCipher>,
        rng: Arc<dyn Rng>,
    ) -> Self {
        Self {
            folder: owner_folder.join(run),
            owner: format!("{owner}\0{run}"),
            cipher,
            rng,
            is_closed: Arc::default(),
        }
    }

    /// Nothing is written from now on: the run is deleted while it is under way.
    pub(super) fn close(&self) {
        *self
            .is_closed
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = true;
    }

    /// What the run is about; `None` if it cannot be read.
    pub(super) fn header(&self) -> Result<Option<Header>, CommandError> {
        let header: Option<Header> = self.read(HEADER)?;
        Ok(header.filter(|header| header.version == VERSION))
    }

    pub(super) fn write_header(&self, header: &Header) -> Result<(), CommandError> {
        self.write(HEADER, header)
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.folder.join(STOPPED).exists()
    }

    pub(super) fn set_stopped(&self, stopped: bool) -> Result<(), CommandError> {
        if stopped {
            self.write_file(STOPPED, b"")
        } else {
            Ok(files::remove(&self.folder.join(STOPPED))?)
        }
    }

    /// Whether nobody can read the run after the program that began it has ended.
    pub(super) fn is_without_keyring(&self) -> bool {
        self.folder.join(WITHOUT_KEYRING).exists()
    }

    pub(super) fn set_without_keyring(&self) -> Result<(), CommandError> {
        self.write_file(WITHOUT_KEYRING, b"")
    }

    /// Whether there is no header, which is written last and deleted first.
    pub(super) fn is_incomplete(&self) -> bool {
        // One that the disk does not give is not missing.
        matches!(self.folder.join(HEADER).try_exists(), Ok(false))
    }

    pub(super) fn rows(&self, batch: u32) -> Result<Vec<InvoiceRow>, CommandError> {
        let rows = self.read(&format!("rows-{batch}"))?;
        rows.ok_or_else(|| CommandError::not_saved("a part of the ledger is missing"))
    }

    pub(super) fn write_rows(&self, batch: u32, rows: &[InvoiceRow]) -> Result<(), CommandError> {
        self.write(&format!("rows-{batch}"), &rows)
    }

    pub(super) fn begun(&self) -> Result<Option<BegunDocument>, CommandError> {
        self.read(BEGUN)
    }

    pub(super) fn write_begun(&self, begun: &BegunDocument) -> Result<(), CommandError> {
        self.write(BEGUN, begun)
    }

    pub(super) fn remove_begun(&self) -> Result<(), CommandError> {
        Ok(files::remove(&self.folder.join(BEGUN))?)
    }

    pub(super) fn outcomes(&self, batch: u32) -> Result<Outcomes, CommandError> {
        Ok(self.read(&format!("outcomes-{batch}"))?.unwrap_or_default())
    }

    pub(super) fn write_outcomes(
        &self,
        batch: u32,
        outcomes: &Outcomes,
    ) -> Result<(), CommandError> {
        self.write(&format!("outcomes-{batch}"), outcomes)
    }

    /// How many documents are done, and how many have failed.
    pub(super) fn count(&self, header: &Header) -> Result<(u32, u32), CommandError> {
        let (mut done, mut failed) = (0, 0);
        for batch in 0..header.batches {
            let (batch_done, batch_failed) = count(&self.outcomes(batch)?);
            done += batch_done;
            failed += batch_failed;
        }
        Ok((done, failed))
    }

    /// Deletes the run, its header first: what a crash leaves of it is no run.
    pub(super) fn remove(&self) -> Result<(), CommandError> {
        files::remove(&self.folder.join(HEADER))?;
        for file in files::list(&self.folder).map_err(FileError::from)? {
            files::remove(&file)?;
        }
        // Another process may have written into it.
        let _ = std::fs::remove_dir(&self.folder);
        Ok(())
    }

    fn read<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>, CommandError> {
        let path = self.folder.join(name);
        let Some(bytes) = files::read(&path).map_err(FileError::from)? else {
            return Ok(None);
        };
        let plain = match self.cipher.decrypt(&self.associated_data(name), &bytes) {
            Ok(plain) => plain,
            Err(error) => {
                tracing::warn!(%error, "a file of a bulk run cannot be read");
                return Ok(None);
            }
        };
        // The parser's message can quote the content.
        Ok(serde_json::from_slice(&plain).ok())
    }

    fn write<T: Serialize>(&self, name: &str, value: &T) -> Result<(), CommandError> {
        let json = serde_json::to_vec(value).map_err(FileError::from)?;
        let encrypted = self
            .cipher
            .encrypt(self.rng.as_ref(), &self.associated_data(name), &json)
            .map_err(CommandError::not_saved)?;
        self.write_file(name, &encrypted)
    }

    fn write_file(&self, name: &str, bytes: &[u8]) -> Result<(), CommandError> {
        let is_closed = self
            .is_closed
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if *is_closed {
            return Err(CommandError::not_saved("the run was deleted"));
        }
        Ok(files::write(&self.folder.join(name), bytes)?)
    }

    fn associated_data(&self, name: &str) -> Vec<u8> {
        format!("{}\0{name}", self.owner).into_bytes()
    }
}

/// Whether the document needs a look.
pub(super) const fn is_failure(outcome: &BulkOutcome) -> bool {
    matches!(
        outcome,
        BulkOutcome::Failed { .. } | BulkOutcome::FileNotSent { .. } | BulkOutcome::Rejected
    )
}

/// How many documents of a batch are done, and how many have failed.
pub(super) fn count(outcomes: &Outcomes) -> (u32, u32) {
    let failed = outcomes
        .values()
        .filter(|each| is_failure(&each.outcome))
        .count();
    let number = |count| u32::try_from(count).unwrap_or(u32::MAX);
    (number(outcomes.len() - failed), number(failed))
}
