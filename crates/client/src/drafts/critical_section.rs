//! The drafts of one owner within a critical section: files, and memory while there is no key.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use invoicing_contract::DocumentKey;
use jiff::Timestamp;
use sha2::{Digest as _, Sha256};

use super::file_names::{file_of, owner_folder};
use super::folder::{DraftError, DraftFolder, FileState};
use super::outbox_notes::OutboxNotes;
use super::sending::Sends;
use super::{DraftOwner, SavedDraft};
use crate::account_key::AccountKey;
use crate::encryption::RecordCipher;
use crate::files::{self, FileLock};
use crate::rng::Rng;
use crate::views::{Draft, DraftState};

/// How many sent drafts are remembered. A form that still saves one does so within seconds.
const SENT_DRAFTS: usize = 256;

/// What a lock protects.
#[derive(Default)]
pub(super) struct State {
    pub(super) cipher: Option<Arc<RecordCipher>>,
    /// Drafts that cannot be written while there is no key.
    memory: BTreeMap<(DraftOwner, DocumentKey), SavedDraft>,
    /// Files that were renamed unread, while there was no key.
    set_aside: Vec<SetAside>,
    /// Digests of the drafts that the service has accepted, the newest last.
    sent: VecDeque<[u8; 32]>,
}

/// A file that nobody has read, and the draft in memory that had its place.
struct SetAside {
    owner: DraftOwner,
    /// By its new name.
    file: PathBuf,
    draft: Draft,
}

impl State {
    /// The owners of the drafts in memory, and of the files that were set aside.
    pub(super) fn owners(&self) -> BTreeSet<DraftOwner> {
        let in_memory = self.memory.keys().map(|(owner, _)| owner);
        let set_aside = self.set_aside.iter().map(|aside| &aside.owner);
        in_memory.chain(set_aside).cloned().collect()
    }

    /// The drafts in memory of all organizations of an account.
    pub(super) fn memory_of(
        &self,
        account: &AccountKey,
    ) -> impl Iterator<Item = &(DraftOwner, DocumentKey)> {
        let entries = self.memory.keys();
        entries.filter(move |(owner, _)| owner.account == *account)
    }

    /// Forgets the drafts in memory of an account.
    pub(super) fn remove_from_memory(&mut self, account: &AccountKey) {
        self.memory
            .retain(|(owner, _), _| owner.account != *account);
        self.set_aside
            .retain(|aside| aside.owner.account != *account);
    }
}

/// The drafts of one owner. It holds the lock among processes.
pub(super) struct OwnerDrafts<'a> {
    state: &'a mut State,
    root: &'a Path,
    owner: DraftOwner,
    folder: Option<DraftFolder>,
    sends: &'a Sends,
    now: Timestamp,
    _lock: Option<FileLock>,
}

impl<'a> OwnerDrafts<'a> {
    pub(super) fn new(
        state: &'a mut State,
        root: &'a Path,
        owner: DraftOwner,
        rng: Arc<dyn Rng>,
        sends: &'a Sends,
        now: Timestamp,
    ) -> Self {
        let cipher = state.cipher.clone();
        let folder = cipher.map(|cipher| DraftFolder::new(root, &owner, cipher, rng));
        let lock = folder.as_ref().and_then(|_| {
            // Each file is written whole. Without the lock only a state that another process sets at once can be lost.
            FileLock::acquire(&root.join("lock"))
                .inspect_err(|error| {
                    let error = error as &dyn std::error::Error;
                    tracing::warn!(error, "drafts are used without the lock among processes");
                })
                .ok()
        });
        Self {
            state,
            root,
            owner,
            folder,
            sends,
            now,
            _lock: lock,
        }
    }

    /// All drafts, the newest first. Those that were sent and could not be removed are removed, or left out.
    pub(super) fn all(&mut self) -> Result<Vec<SavedDraft>, DraftError> {
        let mut all = match &self.folder {
            Some(folder) => folder.read_all()?,
            None => Vec::new(),
        };
        let memory = self.state.memory.iter();
        let memory = memory.filter(|((owner, _), _)| *owner == self.owner);
        for (_, saved) in memory {
            all.retain(|other| other.draft.key != saved.draft.key);
            all.push(saved.clone());
        }
        let mut all: Vec<_> = all
            .into_iter()
            .filter_map(|saved| self.current(saved))
            .collect();
        // Drafts of one moment are in the order of their keys, which begin with a time.
        all.sort_by(|one, other| {
            (other.updated, &other.draft.key).cmp(&(one.updated, &one.draft.key))
        });
        Ok(all)
    }

    /// One draft; `None` if there is none that can be read.
    pub(super) fn read(&mut self, key: &DocumentKey) -> Result<Option<SavedDraft>, DraftError> {
        if let Some(saved) = self.state.memory.get(&self.entry(key)) {
            return Ok(Some(self.with_state(saved.clone())));
        }
        let saved = match &self.folder {
            Some(folder) => folder.read(key)?,
            None => None,
        };
        Ok(saved.and_then(|saved| self.current(saved)))
    }

    /// As [`read`](Self::read) before a write, which keeps a file of an unknown version under another name.
    pub(super) fn read_to_replace(
        &mut self,
        key: &DocumentKey,
    ) -> Result<Option<SavedDraft>, DraftError> {
        match self.read(key) {
            Err(DraftError::UnknownVersion(_)) => Ok(None),
            read => read,
        }
    }

    /// Writes a draft of which the outbox has to know nothing, or keeps it in memory while there is no key.
    pub(super) fn write(&mut self, draft: Draft) -> Result<(), DraftError> {
        self.write_noted(draft, OutboxNotes::default())
    }

    /// As [`write`](Self::write), with what the outbox has to know.
    pub(super) fn write_noted(
        &mut self,
        draft: Draft,
        notes: OutboxNotes,
    ) -> Result<(), DraftError> {
        let entry = self.entry(&draft.key);
        let saved = SavedDraft {
            updated: self.now,
            draft,
            notes,
        };
        match &self.folder {
            Some(folder) => {
                if self.state.memory.contains_key(&entry)
                    && let FileState::Readable(stored) = folder.state(&entry.1)?
                    && self.is_another(&stored.draft, &saved.draft)
                {
                    folder.keep(&entry.1)?;
                }
                folder.write(&saved)?;
                self.state.memory.remove(&entry);
            }
            None => {
                self.state.memory.insert(entry, saved);
            }
        }
        Ok(())
    }

    /// Writes the drafts in memory. Those that cannot be written stay there; the first error is returned.
    pub(super) fn write_memory(&mut self) -> Result<(), DraftError> {
        let mut outcome = Ok(());
        let owned = |(owner, _): &(DraftOwner, DocumentKey)| *owner == self.owner;
        let entries: Vec<_> = self
            .state
            .memory
            .keys()
            .filter(|entry| owned(entry))
            .cloned()
            .collect();
        for entry in entries {
            outcome = outcome.and(self.write_entry(&entry));
        }
        outcome
    }

    /// Writes a draft in memory, if there is a key by now. It was edited while its file could not be read: another draft in
    /// the file is kept under another name.
    fn write_entry(&mut self, entry: &(DraftOwner, DocumentKey)) -> Result<(), DraftError> {
        let (Some(folder), Some(saved)) = (&self.folder, self.state.memory.get(entry)) else {
            return Ok(());
        };
        let mut saved = saved.clone();
        if let FileState::Readable(stored) = folder.state(&entry.1)? {
            let state = stored.draft.state;
            let may_have_arrived = state == DraftState::Sending || state.is_in_doubt();
            let in_doubt = saved.draft.state.in_doubt();
            // It was sent before the keyring was locked.
            if may_have_arrived && saved.draft.state != in_doubt {
                saved.draft.state = in_doubt;
                // If it cannot be written, the file that says so may have another name already.
                self.state.memory.insert(entry.clone(), saved.clone());
            }
            if self.is_another(&stored.draft, &saved.draft) {
                folder.keep(&entry.1)?;
            }
        }
        folder.write(&saved)?;
        self.state.memory.remove(entry);
        Ok(())
    }

    /// Whether a draft of the disk has what the one in memory lacks: it says something else, also than what that one began
    /// with, and the service has not accepted it.
    fn is_another(&self, stored: &Draft, in_memory: &Draft) -> bool {
        let began_with = in_memory.changes.as_ref().map(|changes| &changes.content);
        stored.content != in_memory.content
            && began_with != Some(&stored.content)
            && !self.is_sent(stored)
    }

    /// Deletes a draft. It is not an error if there is none. Where it is in memory, its file may have another one, which nobody has
    /// seen: that is kept under another name.
    pub(super) fn remove(&mut self, key: &DocumentKey) -> Result<(), DraftError> {
        let entry = self.entry(key);
        match (&self.folder, self.state.memory.get(&entry)) {
            (Some(folder), None) => folder.remove(key)?,
            (Some(folder), Some(saved)) => match folder.state(key)? {
                FileState::Missing => {}
                FileState::Readable(stored) if !self.is_another(&stored.draft, &saved.draft) => {
                    folder.remove(key)?;
                }
                FileState::Readable(_) | FileState::Unreadable(_) => folder.keep(key)?,
            },
            (None, Some(saved)) => {
                let draft = saved.draft.clone();
                self.set_aside(draft)?;
            }
            // What the file has, if there is one, is not what was to be deleted: nobody has seen it.
            (None, None) => {}
        }
        self.state.memory.remove(&entry);
        Ok(())
    }

    /// Renames the file of a draft that is in memory. This process has written none without a key, so that nothing is known of what
    /// the file has before [`compare_set_aside`](Self::compare_set_aside).
    fn set_aside(&mut self, draft: Draft) -> Result<(), DraftError> {
        let key = uuid::Uuid::try_parse(draft.key.as_str())?;
        match files::quarantine(&self.path().join(file_of(key))) {
            Ok(file) => {
                tracing::warn!("a draft is kept under another name unread");
                let owner = self.owner.clone();
                self.state.set_aside.push(SetAside { owner, file, draft });
                Ok(())
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Deletes the files that were set aside and have nothing else than the drafts that had their place, if there is a key by now.
    /// One that cannot be read or deleted stays, and is counted.
    pub(super) fn compare_set_aside(&mut self) {
        let Some(folder) = &self.folder else {
            return;
        };
        let set_aside = std::mem::take(&mut self.state.set_aside);
        let (owned, others): (Vec<_>, Vec<_>) = set_aside
            .into_iter()
            .partition(|aside| aside.owner == self.owner);
        self.state.set_aside = others;
        for SetAside { file, draft, .. } in owned {
            if let Ok(Some(bytes)) = files::read(&file)
                && let Ok(stored) = folder.decode(&draft.key, &bytes)
                && !self.is_another(&stored.draft, &draft)
                && let Err(error) = files::remove(&file)
            {
                let error = &error as &dyn std::error::Error;
                tracing::warn!(error, "a draft that was set aside is not removed");
            }
        }
    }

    /// Remembers that the service has accepted a draft.
    pub(super) fn set_sent(&mut self, draft: &Draft) {
        let digest = self.digest(draft);
        self.state.sent.push_back(digest);
        if self.state.sent.len() > SENT_DRAFTS {
            self.state.sent.pop_front();
        }
    }

    /// Whether the service has accepted exactly this draft.
    pub(super) fn is_sent(&self, draft: &Draft) -> bool {
        !self.state.sent.is_empty() && self.state.sent.contains(&self.digest(draft))
    }

    pub(super) fn folder(&self) -> Option<&DraftFolder> {
        self.folder.as_ref()
    }

    pub(super) fn path(&self) -> std::path::PathBuf {
        owner_folder(self.root, &self.owner)
    }

    pub(super) fn root(&self) -> &Path {
        self.root
    }

    /// A draft of the disk as it is now; `None` if the service has accepted it and only its file is left.
    fn current(&self, saved: SavedDraft) -> Option<SavedDraft> {
        if self.is_sent(&saved.draft) {
            if let Some(folder) = &self.folder
                && let Err(error) = folder.remove(&saved.draft.key)
            {
                let error = &error as &dyn std::error::Error;
                tracing::warn!(error, "a sent draft still cannot be removed");
            }
            return None;
        }
        Some(self.with_state(saved))
    }

    /// A draft whose sending was interrupted by the end of the program may have arrived.
    fn with_state(&self, saved: SavedDraft) -> SavedDraft {
        let is_marked = saved.draft.state == DraftState::Sending;
        if is_marked && !self.sends.is_locked(&self.entry(&saved.draft.key)) {
            return saved.interrupted();
        }
        saved
    }

    fn entry(&self, key: &DocumentKey) -> (DraftOwner, DocumentKey) {
        (self.owner.clone(), key.clone())
    }

    /// Of owner, key, content, and what it changes. The state is not in it.
    fn digest(&self, draft: &Draft) -> [u8; 32] {
        let Draft {
            key,
            changes,
            content,
            state: _,
        } = draft;
        let owner = (self.owner.account.as_str(), &self.owner.organization);
        // JSON separates the parts. Strings and lists of them always have a JSON form.
        let json = serde_json::to_vec(&(owner, key, changes, content)).unwrap_or_default();
        Sha256::digest(&json).into()
    }
}
