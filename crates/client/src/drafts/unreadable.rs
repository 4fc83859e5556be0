//! Drafts whose files cannot be read: they are counted, copied or deleted, and never disappear by themselves.

use std::cmp::Reverse;
use std::path::Path;

use jiff::Timestamp;

use super::critical_section::OwnerDrafts;
use super::file_names::key_in_any;
use super::folder::Unreadable;
use super::{DraftOwner, Drafts};
use crate::files;
use crate::views::{CommandError, DraftExport, UnreadableDraft, UnreadableReason};

/// The folder of copies, next to the folders of owners.
const EXPORTS: &str = "exported";

impl Drafts {
    /// The drafts of an owner that cannot be read, the newest first.
    pub(crate) async fn unreadable(
        &self,
        owner: &DraftOwner,
    ) -> Result<Vec<UnreadableDraft>, CommandError> {
        self.transact(owner, |drafts| {
            let mut found: Vec<_> = files::list(&drafts.path())?
                .into_iter()
                .filter_map(|path| classify(drafts, &path))
                .collect();
            // Files of one moment are in the order of their keys, which begin with a time.
            found.sort_by_cached_key(|draft| {
                let saved: Option<Timestamp> = draft.saved.parse().ok();
                Reverse((saved, draft.file.clone()))
            });
            Ok(found)
        })
        .await
    }

    /// Copies the drafts that cannot be read into a new folder: as text if they can be decrypted, otherwise as they are.
    pub(crate) async fn export_unreadable(
        &self,
        owner: &DraftOwner,
    ) -> Result<DraftExport, CommandError> {
        let time = self.clock.now().strftime("%Y-%m-%dT%H-%M-%SZ").to_string();
        self.transact(owner, move |drafts| {
            let folder = drafts.root().join(EXPORTS).join(time);
            let mut count = 0;
            for path in files::list(&drafts.path())? {
                if classify(drafts, &path).is_none() {
                    continue;
                }
                let Some(bytes) = files::read(&path)? else {
                    continue;
                };
                let name = file_name(&path);
                match record(drafts, &name, &bytes) {
                    Some(record) => files::write(&folder.join(format!("{name}.json")), &record)?,
                    None => files::write(&folder.join(&name), &bytes)?,
                }
                count += 1;
            }
            Ok(DraftExport {
                folder: folder.display().to_string(),
                files: count,
            })
        })
        .await
    }

    /// Deletes a draft that cannot be read. It is not an error if there is none.
    pub(crate) async fn delete_unreadable(
        &self,
        owner: &DraftOwner,
        file: &str,
    ) -> Result<(), CommandError> {
        let file = file.to_owned();
        self.transact(owner, move |drafts| {
            // Only a name from the list: it becomes a path, and a readable draft is not deleted this way.
            for path in files::list(&drafts.path())? {
                if file_name(&path) == file && classify(drafts, &path).is_some() {
                    files::remove(&path)?;
                }
            }
            Ok(())
        })
        .await
    }
}

/// The file as an unreadable draft; `None` if it is a readable draft or no draft.
fn classify(drafts: &OwnerDrafts<'_>, path: &Path) -> Option<UnreadableDraft> {
    let name = file_name(path);
    let (key, is_quarantined) = key_in_any(&name)?;
    let reason = match (files::read(path), drafts.folder()) {
        (Err(_), _) => UnreadableReason::NotReadable,
        (Ok(None), _) => return None,
        (Ok(Some(_)), None) => UnreadableReason::KeyringLocked,
        (Ok(Some(bytes)), Some(folder)) => match folder.decode(&key.into(), &bytes) {
            Ok(_) if is_quarantined => UnreadableReason::Replaced,
            Ok(_) => return None,
            Err(Unreadable::OtherKey) => UnreadableReason::OtherKey,
            Err(Unreadable::UnknownVersion { .. }) => UnreadableReason::NewerVersion,
            Err(Unreadable::Damaged { .. }) => UnreadableReason::Damaged,
        },
    };
    let modified = std::fs::metadata(path).and_then(|metadata| metadata.modified());
    let saved = modified
        .ok()
        .and_then(|time| Timestamp::try_from(time).ok());
    Some(UnreadableDraft {
        file: name,
        reason,
        saved: saved.map_or_else(String::new, |time| time.to_string()),
    })
}

/// The decrypted record of a file, if it can be decrypted.
fn record(drafts: &OwnerDrafts<'_>, name: &str, bytes: &[u8]) -> Option<Vec<u8>> {
    let (key, _) = key_in_any(name)?;
    match drafts.folder()?.decode(&key.into(), bytes) {
        Ok(saved) => super::record::to_json(&saved).ok(),
        Err(
            Unreadable::UnknownVersion { record, .. }
            | Unreadable::Damaged {
                record: Some(record),
            },
        ) => Some(record.to_vec()),
        Err(Unreadable::OtherKey | Unreadable::Damaged { record: None }) => None,
    }
}

fn file_name(path: &Path) -> String {
    path.file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}
