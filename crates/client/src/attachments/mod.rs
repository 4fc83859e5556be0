//! Attachments of documents. A file is kept on this computer, encrypted, before it is sent, so that one that is added before the
//! service has its document is not lost (decision 0151).

mod file_type;
mod sending;
mod uploads;
mod waiting;

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use invoicing_contract::attachments::{MAX_ATTACHMENTS, MAX_BYTES, is_file_name};
use invoicing_contract::messages::documents::{
    Document, GetAttachmentRequest, RemoveAttachmentRequest, Status,
};
use invoicing_contract::{Code, DocumentKey, Operation, operation};

use crate::clock::Clock;
use crate::drafts::DraftOwner;
use crate::encrypted_records::EncryptedRecords;
use crate::gateway::{CallContext, DownloadedFile, Gateway, GatewayError};
use crate::invoices::{Invoices, event};
use crate::keyed_locks::KeyedLocks;
use crate::rng::Rng;
use crate::views::{
    AttachmentLimits, AttachmentProblem, AttachmentView, AttachmentsView, CommandError,
};

pub(crate) use sending::ConfirmedDocument;
use sending::SendingProblems;
use uploads::Uploads;
pub(crate) use waiting::WaitingFile;

/// How often a write is repeated after another user has written the document.
const MAX_ATTEMPTS: usize = 3;

/// The problems of the files of each document.
type ProblemMap = HashMap<(DraftOwner, DocumentKey), SendingProblems>;

/// The attachments of the signed-in user's organizations.
pub(crate) struct Attachments {
    gateway: Gateway,
    clock: Arc<dyn Clock>,
    rng: Arc<dyn Rng>,
    invoices: Arc<Invoices>,
    waiting: EncryptedRecords,
    /// The documents whose files are being sent.
    sends: KeyedLocks<(DraftOwner, DocumentKey)>,
    uploads: Uploads,
    problems: Mutex<ProblemMap>,
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
            sends: KeyedLocks::default(),
            uploads: Uploads::default(),
            problems: Mutex::default(),
        }
    }

    /// The store of files that wait.
    pub(crate) fn records(&self) -> &EncryptedRecords {
        &self.waiting
    }

    /// The attachments of a document. `local`: the service does not have it yet. Of one that it does not have any more, those that wait
    /// can be saved and removed.
    pub(crate) async fn list(
        &self,
        context: &CallContext,
        owner: &DraftOwner,
        key: &DocumentKey,
        local: bool,
    ) -> Result<AttachmentsView, CommandError> {
        // Before the document: a file that is sent meanwhile is in one of them, or in both.
        let waiting = self.waiting_files(owner, key).await?;
        let (document, offline, is_gone) = if local {
            (None, false, false)
        } else {
            match self.invoices.whole(context, key).await {
                Ok((document, offline)) => (Some(document), offline, false),
                Err(CommandError::NotFound { .. }) => (None, false, true),
                Err(error) => return Err(error),
            }
        };
        let mut problems = self.problems_of(owner, key);
        let mut attachments: Vec<_> = document.iter().flat_map(stored).collect();
        for file in waiting {
            // The service has it, and its answer was lost.
            if document.as_ref().is_some_and(|it| has(it, &file.id)) {
                continue;
            }
            let problem = problems.refused.remove(&file.id).map(Box::new);
            attachments.push(AttachmentView { problem, ..file });
        }
        attachments.retain(|file| {
            let file = (owner.clone(), key.clone(), file.id.clone());
            !self.uploads.is_removed(&file)
        });
        let waits = attachments.iter().any(|file| file.waiting);
        Ok(AttachmentsView {
            attachments,
            editable: !is_gone && document.as_ref().is_none_or(is_editable),
            offline,
            limits: limits(),
            problem: problems.interruption.filter(|_| waits).map(Box::new),
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
            file: name.to_owned().into(),
            problem,
        };
        if count >= MAX_ATTACHMENTS {
            return Err(refused(AttachmentProblem::TooMany));
        }
        if !is_file_name(name) {
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

    /// Removes an attachment, or a file that waits. It is not an error if there is none. One that is being uploaded is removed by its
    /// sender after it has arrived. `local`: the service does not have the document yet.
    pub(crate) async fn remove(
        &self,
        context: &CallContext,
        owner: &DraftOwner,
        key: &DocumentKey,
        id: &str,
        local: bool,
    ) -> Result<(), CommandError> {
        let has_waited = self.read_waiting(owner, key, id).await?.is_some();
        if has_waited {
            let is_uploaded = self.discard_file(owner, key, id).await?;
            if local || is_uploaded {
                return Ok(());
            }
        }
        match self.remove_stored(context, key, id).await {
            // Only one whose answer was lost is there too. The list shows it then.
            Err(error) if has_waited => {
                tracing::info!(?error, "whether the service has a removed file is unknown");
                Ok(())
            }
            removed => removed,
        }
    }

    async fn remove_stored(
        &self,
        context: &CallContext,
        key: &DocumentKey,
        id: &str,
    ) -> Result<(), CommandError> {
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
                    self.invoices.cache(context, &document);
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
        bytes: u32::try_from(info.size_bytes).unwrap_or(0),
        added: info.added.clone().and_then(event),
        waiting: false,
        problem: None,
    })
}
