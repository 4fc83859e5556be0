//! Sends the files that wait for a document. Each has a result of its own: one that is refused keeps no other from being sent.

use std::collections::BTreeMap;
use std::sync::{MutexGuard, PoisonError};

use invoicing_contract::messages::documents::{AddAttachmentRequest, Document};
use invoicing_contract::{ConcurrencyStamp, DocumentKey, operation};

use super::uploads::Upload;
use super::{Attachments, MAX_ATTEMPTS, ProblemMap, WaitingFile, has, may_be_repeated};
use crate::drafts::DraftOwner;
use crate::gateway::{CallContext, background_delay};
use crate::views::CommandError;

/// Why files of a document were not sent at the last attempt since the start.
#[derive(Debug, Clone, Default)]
pub(super) struct SendingProblems {
    /// Of the files that the service has refused, by their ids, the oldest first. They wait for their author.
    pub(super) refused: BTreeMap<String, CommandError>,
    /// What says nothing about a file, such as a lost connection.
    pub(super) interruption: Option<CommandError>,
}

/// A document that is to be issued, as the user has confirmed it.
pub(crate) struct ConfirmedDocument {
    /// The stamp of its content, which its files change.
    pub(crate) stamp: ConcurrencyStamp,
    /// The document with the stamp that was confirmed, once it was read. A later attempt compares with it: a file whose answer was lost
    /// has changed the stamp.
    read: Option<Box<Document>>,
}

impl ConfirmedDocument {
    /// `stamp` is that of the content that the user has seen.
    pub(crate) const fn new(stamp: ConcurrencyStamp) -> Self {
        Self { stamp, read: None }
    }

    /// A document that was read with the stamp that was confirmed, when its files were begun to be sent.
    pub(crate) const fn begun(stamp: ConcurrencyStamp, read: Box<Document>) -> Self {
        Self {
            stamp,
            read: Some(read),
        }
    }

    /// The document as it was read before its files were sent.
    pub(crate) fn read(&self) -> Option<&Document> {
        self.read.as_deref()
    }
}

impl Attachments {
    /// Sends the files that wait for a document, in the order in which they were added. One that is refused waits on. Returns how many
    /// were sent. A second caller waits for the first one, which may have sent them all.
    ///
    /// # Errors
    /// What interrupted it, and says nothing about a file. What was not sent is sent later.
    pub(crate) async fn send_waiting(
        &self,
        context: &CallContext,
        owner: &DraftOwner,
        key: &DocumentKey,
    ) -> Result<usize, CommandError> {
        let entry = (owner.clone(), key.clone());
        // The outbox and the user would send the same files twice.
        let _sending = self.sends.lock(entry.clone()).await;
        let mut sent = 0;
        let mut problems = SendingProblems::default();
        for id in self.waiting_ids(owner, key).await? {
            let file = (owner.clone(), key.clone(), id.clone());
            let upload = self.uploads.begin(file);
            let Some(file) = self.read_waiting(owner, key, &id).await? else {
                continue;
            };
            let mut result = self.send(context, key, &id, file, &upload).await;
            if let Some(_removed) = upload.end() {
                self.withdraw(context, key, &id).await;
                // The document can have another stamp now.
                sent += 1;
                continue;
            }
            if result.is_ok() {
                result = self.remove_waiting(owner, key, &id).await;
            }
            match result {
                Ok(()) => sent += 1,
                // The service can fail at this file alone.
                Err(error @ CommandError::Internal { .. }) => problems.interruption = Some(error),
                Err(error) if Self::is_temporary(&error) => {
                    problems.interruption = Some(error);
                    break;
                }
                Err(error) => {
                    tracing::warn!(?error, "an attachment was refused");
                    problems.refused.insert(id, error);
                }
            }
        }
        let interruption = problems.interruption.clone();
        if interruption.is_none() && problems.refused.is_empty() {
            self.problems().remove(&entry);
        } else {
            self.problems().insert(entry, problems);
        }
        interruption.map_or(Ok(sent), Err)
    }

    /// Why the service has refused a file at the last attempt.
    pub(crate) fn refusal(
        &self,
        owner: &DraftOwner,
        key: &DocumentKey,
        id: &str,
    ) -> Option<CommandError> {
        self.problems_of(owner, key).refused.remove(id)
    }

    /// Why files of a document are to be sent later.
    pub(crate) fn interruption(
        &self,
        owner: &DraftOwner,
        key: &DocumentKey,
    ) -> Option<CommandError> {
        self.problems_of(owner, key).interruption
    }

    /// Reads a document before its files are sent, which change its stamp.
    pub(crate) async fn read_confirmed(
        &self,
        context: &CallContext,
        key: &DocumentKey,
        confirmed: &mut ConfirmedDocument,
    ) -> Result<(), CommandError> {
        if confirmed.read.is_none() {
            let operation = &operation::ADD_ATTACHMENT;
            let document = self.document(context, key, operation).await?;
            if confirmed.stamp == document.concurrency_stamp.as_str() {
                confirmed.read = Some(Box::new(document));
            }
        }
        Ok(())
    }

    /// Sends the files that wait for a document that is to be issued: issuing closes the attachments. The stamp becomes that after the
    /// files, unless somebody else has changed the content: what the user has not seen is not issued. It is repeated with the same
    /// `confirmed`, which recognises files that an earlier attempt has sent.
    ///
    /// # Errors
    /// What interrupted it, or of the first file that was refused.
    pub(crate) async fn send_before_issue(
        &self,
        context: &CallContext,
        owner: &DraftOwner,
        key: &DocumentKey,
        confirmed: &mut ConfirmedDocument,
    ) -> Result<(), CommandError> {
        let operation = &operation::ADD_ATTACHMENT;
        // After an earlier attempt the outbox may have sent them.
        if confirmed.read.is_none() && self.waiting_ids(owner, key).await?.is_empty() {
            return Ok(());
        }
        self.read_confirmed(context, key, confirmed).await?;
        let sent = self.send_waiting(context, owner, key).await;
        // Also after a file that was not sent: those before it have changed the stamp.
        if let Some(read) = &confirmed.read {
            match self.document(context, key, operation).await {
                Ok(document) => {
                    if document.content == read.content {
                        confirmed.stamp = document.concurrency_stamp.as_str().into();
                    }
                }
                // What kept the files from being sent comes first.
                Err(error) => return Err(sent.err().unwrap_or(error)),
            }
        }
        sent?;
        let refused = self.problems_of(owner, key).refused;
        refused.into_values().next().map_or(Ok(()), Err)
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

    /// Removes a file at the service that the user has removed while it was uploaded.
    async fn withdraw(&self, context: &CallContext, key: &DocumentKey, id: &str) {
        if let Err(error) = self.remove_stored(context, key, id).await {
            // The list shows it if the service has it.
            tracing::info!(?error, "whether the service has a removed file is unknown");
        }
    }

    /// Adds one file. Its id, which was made before the first attempt, says whether an earlier attempt has arrived; adding and
    /// removing do not touch what other users write, so that both are repeated with the stamp that they have left. A file that the
    /// user has removed meanwhile is not sent again.
    async fn send(
        &self,
        context: &CallContext,
        key: &DocumentKey,
        id: &str,
        file: WaitingFile,
        upload: &Upload<'_>,
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
            if has(&document, id) || upload.is_removed() {
                return Ok(());
            }
            request.concurrency_stamp = document.concurrency_stamp;
            let added: Result<Document, _> = self
                .gateway
                .call(context, operation, Some(key), &request)
                .await;
            match added {
                Ok(document) => {
                    self.invoices.cache(context, &document);
                    return Ok(());
                }
                Err(error) if attempts < MAX_ATTEMPTS && may_be_repeated(&error) => {}
                Err(error) => return Err(self.command_error(context, operation, &error)),
            }
        }
    }

    /// A copy of the problems of a document.
    pub(super) fn problems_of(&self, owner: &DraftOwner, key: &DocumentKey) -> SendingProblems {
        let entry = (owner.clone(), key.clone());
        self.problems().get(&entry).cloned().unwrap_or_default()
    }

    pub(super) fn problems(&self) -> MutexGuard<'_, ProblemMap> {
        self.problems.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
