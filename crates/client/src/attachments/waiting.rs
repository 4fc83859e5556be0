//! Files that wait to be sent, one encrypted record each: a header in JSON, a line feed, the bytes.

use std::collections::BTreeSet;

use invoicing_contract::DocumentKey;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::Attachments;
use crate::drafts::DraftOwner;
use crate::encrypted_records::{OwnerRecords, Record, RecordError};
use crate::rng::time_ordered_id_after;
use crate::views::{AttachmentView, CommandError, FileWithoutDocument, MoveProblem};

/// The version that is written. Records of a newer one stay, and are not sent.
const VERSION: u32 = 1;

/// A file that waits.
pub(crate) struct WaitingFile {
    pub(crate) name: String,
    pub(crate) media_type: String,
    pub(crate) content: Vec<u8>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Header {
    version: u32,
    name: String,
    media_type: String,
}

impl Attachments {
    /// The documents of an owner that files wait for.
    pub(crate) async fn waiting_documents(
        &self,
        owner: &DraftOwner,
    ) -> Result<BTreeSet<DocumentKey>, CommandError> {
        let names = self.waiting.names(owner).await?;
        Ok(names
            .iter()
            .filter_map(|name| name.split_once('.'))
            .map(|(key, _)| key.into())
            .collect())
    }

    /// The files that wait for documents which the service did not have at the last attempt since the start to send them. They are
    /// listed by themselves: without a draft of it, nobody can open such a document.
    pub(crate) async fn files_without_document(
        &self,
        owner: &DraftOwner,
    ) -> Result<Vec<FileWithoutDocument>, CommandError> {
        let is_gone = |error: &CommandError| matches!(error, CommandError::NotFound { .. });
        let gone: BTreeSet<DocumentKey> = self
            .problems()
            .iter()
            .filter(|((of, _), problems)| of == owner && problems.refused.values().any(is_gone))
            .map(|((_, key), _)| key.clone())
            .collect();
        let mut files = Vec::new();
        for document in gone {
            let waiting = self.waiting_files(owner, &document).await?;
            files.extend(waiting.into_iter().map(|file| FileWithoutDocument {
                document: document.clone(),
                file,
            }));
        }
        Ok(files)
    }

    /// Deletes all files that wait for a document. One that is being uploaded is removed by its sender after it has arrived.
    pub(crate) async fn discard_waiting(
        &self,
        owner: &DraftOwner,
        key: &DocumentKey,
    ) -> Result<(), CommandError> {
        for id in self.waiting_ids(owner, key).await? {
            self.discard_file(owner, key, &id).await?;
        }
        self.problems().remove(&(owner.clone(), key.clone()));
        Ok(())
    }

    /// Copies the files that wait for a document to the document `to_key` of another owner, under their ids. Returns the ids.
    ///
    /// # Errors
    /// One of them cannot be read or written. Those before it are copied.
    pub(crate) async fn copy_waiting(
        &self,
        owner: &DraftOwner,
        key: &DocumentKey,
        to: &DraftOwner,
        to_key: &DocumentKey,
    ) -> Result<Vec<String>, CommandError> {
        let ids = self.waiting_ids(owner, key).await?;
        for id in &ids {
            // One at a time is in memory.
            let file = self.read_waiting(owner, key, id).await?;
            let file = file.ok_or(CommandError::DraftNotMoved {
                problem: MoveProblem::File,
            })?;
            self.write_waiting(to, to_key, id, file).await?;
        }
        Ok(ids)
    }

    /// Deletes one file that waits, which the user does not want to be sent. Returns whether it is being uploaded: then its sender
    /// removes it at the service after it has arrived.
    pub(super) async fn discard_file(
        &self,
        owner: &DraftOwner,
        key: &DocumentKey,
        id: &str,
    ) -> Result<bool, CommandError> {
        // First: an upload that begins afterwards finds no file.
        self.remove_waiting(owner, key, id).await?;
        let file = (owner.clone(), key.clone(), id.to_owned());
        Ok(self.uploads.note_removed(&file))
    }

    /// The files that wait for a document, without their contents. One that cannot be read has no name.
    pub(super) async fn waiting_files(
        &self,
        owner: &DraftOwner,
        key: &DocumentKey,
    ) -> Result<Vec<AttachmentView>, CommandError> {
        if self.waiting_ids(owner, key).await?.is_empty() {
            return Ok(Vec::new());
        }
        let start = format!("{key}.");
        let read = move |records: &OwnerRecords| {
            let mut files = Vec::new();
            for name in records.names()? {
                let Some(id) = name.strip_prefix(&start) else {
                    continue;
                };
                // One at a time is in memory.
                let file = read(records, &name)?;
                let file = file.unwrap_or(WaitingFile {
                    name: String::new(),
                    media_type: String::new(),
                    content: Vec::new(),
                });
                files.push(AttachmentView {
                    id: id.to_owned(),
                    file_name: file.name,
                    bytes: u32::try_from(file.content.len()).unwrap_or(u32::MAX),
                    added: None,
                    waiting: true,
                    problem: None,
                });
            }
            Ok::<_, RecordError>(files)
        };
        self.waiting.transact(owner, read).await
    }

    pub(super) async fn waiting_ids(
        &self,
        owner: &DraftOwner,
        key: &DocumentKey,
    ) -> Result<Vec<String>, CommandError> {
        let names = self.waiting.names(owner).await?;
        let start = format!("{key}.");
        Ok(names
            .iter()
            .filter_map(|name| name.strip_prefix(&start))
            .map(str::to_owned)
            .collect())
    }

    /// An id behind those of the files that wait already: they are sent in its order, also after the clock was set back.
    pub(super) async fn next_waiting_id(
        &self,
        owner: &DraftOwner,
        key: &DocumentKey,
    ) -> Result<String, CommandError> {
        let ids = self.waiting_ids(owner, key).await?;
        let last = ids.iter().filter_map(|id| Uuid::try_parse(id).ok()).max();
        Ok(time_ordered_id_after(last, &*self.clock, &*self.rng).to_string())
    }

    /// One file; `None` if there is none that can be read.
    pub(super) async fn read_waiting(
        &self,
        owner: &DraftOwner,
        key: &DocumentKey,
        id: &str,
    ) -> Result<Option<WaitingFile>, CommandError> {
        let name = format!("{key}.{id}");
        if !self.waiting.names(owner).await?.contains(&name) {
            return Ok(None);
        }
        self.waiting
            .transact(owner, move |records| read(records, &name))
            .await
    }

    pub(super) async fn write_waiting(
        &self,
        owner: &DraftOwner,
        key: &DocumentKey,
        id: &str,
        file: WaitingFile,
    ) -> Result<(), CommandError> {
        let name = format!("{key}.{id}");
        let write = move |records: &OwnerRecords| {
            let header = Header {
                version: VERSION,
                name: file.name,
                media_type: file.media_type,
            };
            let mut plain = serde_json::to_vec(&header)?;
            plain.push(b'\n');
            plain.extend_from_slice(&file.content);
            records.write(&name, &plain)
        };
        self.waiting.transact(owner, write).await
    }

    /// Removes one file, and what was said of it. It is not an error if there is none.
    pub(crate) async fn remove_waiting(
        &self,
        owner: &DraftOwner,
        key: &DocumentKey,
        id: &str,
    ) -> Result<(), CommandError> {
        let name = format!("{key}.{id}");
        self.waiting
            .transact(owner, move |records| records.remove(&name))
            .await?;
        if let Some(problems) = self.problems().get_mut(&(owner.clone(), key.clone())) {
            problems.refused.remove(id);
        }
        Ok(())
    }
}

fn read(records: &OwnerRecords, name: &str) -> Result<Option<WaitingFile>, RecordError> {
    let Some(Record::Readable(plain)) = records.read(name)? else {
        return Ok(None);
    };
    let Some(end) = plain.iter().position(|byte| *byte == b'\n') else {
        return Ok(None);
    };
    let header: Option<Header> = serde_json::from_slice(&plain[..end]).ok();
    let header = header.filter(|header| header.version == VERSION);
    Ok(header.map(|header| WaitingFile {
        name: header.name,
        media_type: header.media_type,
        content: plain[end + 1..].to_vec(),
    }))
}
