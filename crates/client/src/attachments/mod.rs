//! Attachments of documents. A file is kept on this computer, encrypted, before it is sent, so that one that is added before the
//! service has its document is not lost (decision 0151).

mod file_type;
mod waiting;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use invoice::xml::is_xml;
use invoicing_contract::messages::documents::{
    AddAttachmentRequest, Document, GetAttachmentRequest, RemoveAttachmentRequest, Status,
};
use invoicing_contract::{Code, ConcurrencyStamp, DocumentKey, Operation, operation};

use crate::clock::Clock;
use crate::drafts::DraftOwner;
use crate::encrypted_records::EncryptedRecords;
use crate::gateway::{CallContext, DownloadedFile, Gateway, GatewayError, background_delay};
use crate::invoices::{Invoices, event};
use crate::rng::Rng;
use crate::views::{
    AttachmentLimits, AttachmentProblem, AttachmentView, AttachmentsView, CommandError,
};

pub(crate) use waiting::WaitingFile;

/// Most attachments of a document (decision 0121).
pub(crate) const MAX_ATTACHMENTS: usize = 10;
/// Most bytes of an attachment (decision 0121).
pub(crate) const MAX_BYTES: usize = 2 << 20;
/// Most characters of a name (decision 0121).
const MAX_NAME: usize = 255;
/// How often a write is repeated after another user has written the document.
const MAX_ATTEMPTS: usize = 3;

/// The attachments of the signed-in user's organizations.
pub(crate) struct Attachments {
    gateway: Gateway,
    clock: Arc<dyn Clock>,
    rng: Arc<dyn Rng>,
    invoices: Arc<Invoices>,
    waiting: EncryptedRecords,
    /// Why the files of a document were not sent at the last attempt.
    problems: Mutex<HashMap<(DraftOwner, DocumentKey), CommandError>>,
}

impl Attachments {
    pub(crate) fn new(
        gateway: Gateway,
        clock: Arc<dyn Clock>,
        rng: Arc<dyn Rng>,
        invoices: Arc<Invoices>,
        waiting: EncryptedRecords,
    ) -> Self {
        Self {
            gateway,
            clock,
            rng,
            invoices,
            waiting,
            problems: Mutex::default(),
        }
    }

    /// The store of files that wait.
    pub(crate) fn records(&self) -> &EncryptedRecords {
        &self.waiting
    }

    /// The attachments of a document. `local`: the service does not have it yet.
    pub(crate) async fn list(
        &self,
        context: &CallContext,
        owner: &DraftOwner,
        key: &DocumentKey,
        local: bool,
    ) -> Result<AttachmentsView, CommandError> {
        let (document, offline) = if local {
            (None, false)
        } else {
            let (document, offline) = self.invoices.whole(context, key).await?;
            (Some(document), offline)
        };
        let waiting = self.waiting_files(owner, key).await?;
        let mut attachments: Vec<_> = document.iter().flat_map(stored).collect();
        attachments.extend(waiting);
        let problem = self
            .problems()
            .get(&(owner.clone(), key.clone()))
            .cloned()
            .map(Box::new);
        Ok(AttachmentsView {
            attachments,
            editable: document.as_ref().is_none_or(is_editable),
            offline,
            limits: limits(),
            problem,
        })
    }

    /// Keeps a file to be sent, and returns its id. `count` is how many attachments the document has.
    pub(crate) async fn keep(
        &self,
        owner: &DraftOwner,
        key: &DocumentKey,
        name: &str,
        content: Vec<u8>,
        count: usize,
    ) -> Result<String, CommandError> {
        let refused = |problem| CommandError::AttachmentRefused {
            file: name.to_owned(),
            problem,
        };
        if count >= MAX_ATTACHMENTS {
            return Err(refused(AttachmentProblem::TooMany));
        }
        let is_name = (1..=MAX_NAME).contains(&name.chars().count())
            && !name.trim().is_empty()
            && !matches!(name, "." | "..")
            && !name.contains(['/', '\\'])
            // Otherwise no file of the document could be written.
            && !name.contains(|letter: char| letter.is_control() || !is_xml(letter));
        if !is_name {
            return Err(refused(AttachmentProblem::Name));
        }
        let media_type = file_type::media_type(name, &content).map_err(refused)?;
        let id = self.next_waiting_id(owner, key).await?;
        let file = WaitingFile {
            name: name.to_owned(),
            media_type: media_type.to_owned(),
            content,
        };
        self.write_waiting(owner, key, &id, file).await?;
        Ok(id)
    }

    /// Sends the files that wait for a document, in the order in which they were added. Returns how many were sent.
    ///
    /// # Errors
    /// Of the first that was not sent. It and those behind it wait on.
    pub(crate) async fn send_waiting(
        &self,
        context: &CallContext,
        owner: &DraftOwner,
        key: &DocumentKey,
    ) -> Result<usize, CommandError> {
        let entry = (owner.clone(), key.clone());
        let mut sent = 0;
        for id in self.waiting_ids(owner, key).await? {
            let Some(file) = self.read_waiting(owner, key, &id).await? else {
                continue;
            };
            if let Err(error) = self.send(context, key, &id, file).await {
                self.problems().insert(entry, error.clone());
                return Err(error);
            }
            self.remove_waiting(owner, key, &id).await?;
            sent += 1;
        }
        self.problems().remove(&entry);
        Ok(sent)
    }

    /// Sends the files that wait for a document that is to be issued: issuing closes the attachments. `stamp`, of the content that
    /// the user has seen, becomes that after the files, unless somebody else has changed the content: what the user has not seen is
    /// not issued.
    pub(crate) async fn send_before_issue(
        &self,
        context: &CallContext,
        owner: &DraftOwner,
        key: &DocumentKey,
        stamp: &mut ConcurrencyStamp,
    ) -> Result<(), CommandError> {
        if self.waiting_ids(owner, key).await?.is_empty() {
            return Ok(());
        }
        let operation = &operation::ADD_ATTACHMENT;
        let before = self.document(context, key, operation).await?;
        let sent = self.send_waiting(context, owner, key).await;
        // Also after a file that was not sent: those before it have changed the stamp.
        if *stamp == before.concurrency_stamp.as_str()
            && let Ok(after) = self.document(context, key, operation).await
            && after.content == before.content
        {
            *stamp = after.concurrency_stamp.as_str().into();
        }
        sent.map(|_count| ())
    }

    /// Whether an error says nothing about the file, so that it is sent later.
    pub(crate) fn is_temporary(error: &CommandError) -> bool {
        background_delay(error, 0).is_some()
            || matches!(
                error,
                CommandError::SessionEnded { .. }
                    | CommandError::NotSignedIn
                    | CommandError::SessionInterrupted
            )
    }

    /// An attachment with its content.
    pub(crate) async fn download(
        &self,
        context: &CallContext,
        owner: &DraftOwner,
        key: &DocumentKey,
        id: &str,
    ) -> Result<(String, Vec<u8>), CommandError> {
        if let Some(file) = self.read_waiting(owner, key, id).await? {
            return Ok((file.name, file.content));
        }
        let (document, _) = self.invoices.whole(context, key).await?;
        let name = document
            .attachments
            .iter()
            .find(|it| it.attachment_id == id)
            .map(|it| it.file_name.clone());
        let request = GetAttachmentRequest {
            document_key: key.as_str().to_owned(),
            attachment_id: id.to_owned(),
        };
        let operation = &operation::GET_ATTACHMENT;
        let file: DownloadedFile = self
            .gateway
            .call(context, operation, Some(key), &request)
            .await
            .map_err(|error| self.command_error(context, operation, &error))?;
        Ok((name.unwrap_or(file.name), file.bytes))
    }

    /// Removes an attachment, or a file that waits. It is not an error if there is none.
    pub(crate) async fn remove(
        &self,
        context: &CallContext,
        owner: &DraftOwner,
        key: &DocumentKey,
        id: &str,
    ) -> Result<(), CommandError> {
        if self.read_waiting(owner, key, id).await?.is_some() {
            self.problems().remove(&(owner.clone(), key.clone()));
            return self.remove_waiting(owner, key, id).await;
        }
        let operation = &operation::REMOVE_ATTACHMENT;
        let mut attempts = 0;
        loop {
            attempts += 1;
            let document = self.document(context, key, operation).await?;
            if !has(&document, id) {
                return Ok(());
            }
            let request = RemoveAttachmentRequest {
                document_key: key.as_str().to_owned(),
                attachment_id: id.to_owned(),
                concurrency_stamp: document.concurrency_stamp,
            };
            let removed: Result<Document, _> = self
                .gateway
                .call(context, operation, Some(key), &request)
                .await;
            match removed {
                Ok(document) => {
                    self.invoices.cache(&document);
                    return Ok(());
                }
                Err(error) if attempts < MAX_ATTEMPTS && may_be_repeated(&error) => {}
                Err(error) => return Err(self.command_error(context, operation, &error)),
            }
        }
    }

    /// Adds one file. Its id, which was made before the first attempt, says whether an earlier attempt has arrived; adding and
    /// removing do not touch what other users write, so that both are repeated with the stamp that they have left.
    async fn send(
        &self,
        context: &CallContext,
        key: &DocumentKey,
        id: &str,
        file: WaitingFile,
    ) -> Result<(), CommandError> {
        let operation = &operation::ADD_ATTACHMENT;
        let mut request = AddAttachmentRequest {
            document_key: key.as_str().to_owned(),
            attachment_id: id.to_owned(),
            file_name: file.name,
            media_type: file.media_type,
            content: file.content,
            ..AddAttachmentRequest::default()
        };
        let mut attempts = 0;
        loop {
            attempts += 1;
            let document = self.document(context, key, operation).await?;
            if has(&document, id) {
                return Ok(());
            }
            request.concurrency_stamp = document.concurrency_stamp;
            let added: Result<Document, _> = self
                .gateway
                .call(context, operation, Some(key), &request)
                .await;
            match added {
                Ok(document) => {
                    self.invoices.cache(&document);
                    return Ok(());
                }
                Err(error) if attempts < MAX_ATTEMPTS && may_be_repeated(&error) => {}
                Err(error) => return Err(self.command_error(context, operation, &error)),
            }
        }
    }

    async fn document(
        &self,
        context: &CallContext,
        key: &DocumentKey,
        operation: &Operation,
    ) -> Result<Document, CommandError> {
        let document = self.invoices.get_document(context, key).await;
        document.map_err(|error| self.command_error(context, operation, &error))
    }

    fn command_error(
        &self,
        context: &CallContext,
        operation: &Operation,
        error: &GatewayError,
    ) -> CommandError {
        error.to_command_error(context, operation, self.clock.now())
    }

    fn problems(&self) -> MutexGuard<'_, HashMap<(DraftOwner, DocumentKey), CommandError>> {
        self.problems.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What the service accepts.
fn limits() -> AttachmentLimits {
    let number = |limit: usize| u32::try_from(limit).unwrap_or(u32::MAX);
    AttachmentLimits {
        count: number(MAX_ATTACHMENTS),
        bytes: number(MAX_BYTES),
        extensions: file_type::EXTENSIONS
            .map(|(extension, _)| extension.to_owned())
            .to_vec(),
    }
}

/// Another user has written the document, or the answer was lost: the document says what is to be done.
fn may_be_repeated(error: &GatewayError) -> bool {
    error.outcome_is_unknown()
        || matches!(
            error.code(),
            Some(Code::Aborted | Code::AlreadyExists | Code::NotFound)
        )
}

fn has(document: &Document, id: &str) -> bool {
    document.attachments.iter().any(|it| it.attachment_id == id)
}

fn is_editable(document: &Document) -> bool {
    match document.status() {
        Status::Draft | Status::Rejected | Status::Unspecified => true,
        Status::Issued | Status::Frozen => false,
    }
}

fn stored(document: &Document) -> impl Iterator<Item = AttachmentView> + '_ {
    document.attachments.iter().map(|info| AttachmentView {
        id: info.attachment_id.clone(),
        file_name: info.file_name.clone(),
        media_type: info.media_type.clone(),
        bytes: u32::try_from(info.size_bytes).unwrap_or(0),
        added: info.added.clone().and_then(event),
        waiting: false,
    })
}
