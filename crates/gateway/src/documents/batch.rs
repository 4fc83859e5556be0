//! Batches: issuing and freezing of many documents, each as a call of its own (decisions 0120 and 0179).

use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use futures_util::{StreamExt as _, stream};
use invoicing_contract::messages::documents::{
    BatchDocumentsResponse, BatchEntry, BatchResult, Document, FreezeDocumentRequest,
    IssueDocumentRequest, Revision, Status as DocumentStatus,
};
use invoicing_contract::messages::google::rpc;
use invoicing_contract::{Code, FieldViolation, Status};
use invoicing_http::RequestContext;
use invoicing_storage::documents::{Action, PAGE_BYTES, assigned_number};
use prost::Message as _;
use tonic::metadata::MetadataMap;

use super::document_key::parse_key;
use super::{DocumentError, Documents};
use crate::deadline::grpc_timeout;
use crate::rpc_response::OperationError as _;

/// Entries that are worked on at a time. The numbers of one series take turns anyway, and other callers need connections too.
const CONCURRENCY: usize = 8;
/// How long entries are begun. One that is under way is finished: a tax authority has eight seconds.
const TIME_LIMIT: Duration = Duration::from_secs(20);
/// What is left of the deadline of the caller for finishing entries and for the way back.
const RESERVE: Duration = Duration::from_secs(1);
/// How many revisions are read at a time when an earlier call with the same entry is looked for. Most documents have no more since:
/// frozen, the answer of the authority, issued, and the state before.
const REVISIONS_AT_A_TIME: u32 = 4;
/// How often they are read at most.
const REVISION_READS: u32 = 5;

/// What is done with each entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BatchOperation {
    Issue,
    Freeze,
}

impl BatchOperation {
    /// Whether a revision with this action is what the operation writes. A rejection is an outcome of issuing.
    fn wrote(self, action: &str) -> bool {
        let actions: &[Action] = match self {
            Self::Issue => &[Action::Issued, Action::Rejected],
            Self::Freeze => &[Action::Frozen],
        };
        actions.iter().any(|known| known.name() == action)
    }

    /// Whether the operation can have been done before the document got into this state: a number is never taken away, and what is
    /// frozen stays so.
    fn can_precede(self, document: &Document) -> bool {
        match self {
            Self::Issue => !assigned_number(document).is_empty(),
            Self::Freeze => document.status() == DocumentStatus::Frozen,
        }
    }
}

impl Documents {
    /// Does an operation with each entry, several at a time. The results are in the order of the entries. Entries that were not
    /// begun when `time_limit` is over, or when the documents of the answer have [`PAGE_BYTES`], have the error UNAVAILABLE.
    ///
    /// # Errors
    /// [`DocumentError::InvalidRequest`] if there is no entry, or a key is there twice; [`DocumentError::RateLimit`] if there are
    /// more entries than requests are left. Nothing was written then.
    pub(super) async fn batch(
        &self,
        context: &RequestContext,
        operation: BatchOperation,
        entries: Vec<BatchEntry>,
        time_limit: Duration,
    ) -> Result<BatchDocumentsResponse, DocumentError> {
        check_entries(&entries)?;
        self.count_entries(context, entries.len()).await?;
        let end = self.clock.monotonic() + time_limit;
        let answered = AtomicUsize::new(0);
        let answered = &answered;
        let results = stream::iter(entries).map(|entry| async move {
            let document_key = entry.document_key.clone();
            let is_full = answered.load(Ordering::Relaxed) >= PAGE_BYTES;
            if is_full || self.clock.monotonic() >= end {
                return result(document_key, Err(not_begun()));
            }
            let done = self.entry(context, operation, entry).await;
            let bytes = done.as_ref().map_or(0, |document| document.encoded_len());
            answered.fetch_add(bytes, Ordering::Relaxed);
            let done = done.map_err(|error| {
                error.log_failure(context);
                Status::from(error)
            });
            result(document_key, done)
        });
        Ok(BatchDocumentsResponse {
            results: results.buffered(CONCURRENCY).collect().await,
        })
    }

    /// Counts the entries against the rate limit of the organization, as the requests that they stand for (decision 0179).
    async fn count_entries(
        &self,
        context: &RequestContext,
        entries: usize,
    ) -> Result<(), DocumentError> {
        let admitted = self.rates.admit_batch(&context.tenant, entries).await?;
        admitted.map_err(|limited| DocumentError::RateLimit {
            organization: context.organization().clone(),
            requests_per_minute: limited.per_minute,
            wait: limited.wait,
        })
    }

    /// The operation on one document. If it fails because an earlier call did the same, the document as it is now.
    async fn entry(
        &self,
        context: &RequestContext,
        operation: BatchOperation,
        entry: BatchEntry,
    ) -> Result<Document, DocumentError> {
        let BatchEntry {
            document_key,
            concurrency_stamp,
        } = entry.clone();
        let done = match operation {
            BatchOperation::Issue => {
                let request = IssueDocumentRequest {
                    document_key,
                    concurrency_stamp,
                    validate_only: false,
                };
                self.issue(context, request).await
            }
            BatchOperation::Freeze => {
                let request = FreezeDocumentRequest {
                    document_key,
                    concurrency_stamp,
                };
                self.freeze(context, request).await
            }
        };
        match done {
            Err(
                error @ (DocumentError::AlreadyIssued { .. }
                | DocumentError::Frozen { .. }
                | DocumentError::StampMismatch),
            ) => {
                if self.did_before(context, operation, &entry).await? {
                    return self.get(context, &entry.document_key.into()).await;
                }
                Err(error)
            }
            done => done,
        }
    }

    /// Whether the operation was done on the state with the stamp of the entry: a stamp is of one state, so the revision that
    /// follows it tells what was done with it. The latest revisions are read first, and no more of them once it is known.
    async fn did_before(
        &self,
        context: &RequestContext,
        operation: BatchOperation,
        entry: &BatchEntry,
    ) -> Result<bool, DocumentError> {
        let key = parse_key(&entry.document_key)?;
        let mut later: Option<Revision> = None;
        for _read in 0..REVISION_READS {
            let before = later.as_ref().map(|later| later.number);
            let revisions = self
                .store
                .document_history(context.organization(), key, before, REVISIONS_AT_A_TIME)
                .await?;
            for revision in revisions {
                let document = revision.document.as_ref();
                if let Some(later) = &later {
                    let stamp = document.map(|document| &document.concurrency_stamp);
                    if stamp == Some(&entry.concurrency_stamp) {
                        return Ok(operation.wrote(&later.action));
                    }
                } else if document.is_none_or(|document| !operation.can_precede(document)) {
                    return Ok(false);
                }
                later = Some(revision);
            }
            if later.as_ref().is_none_or(|later| later.number == 1) {
                break;
            }
        }
        Ok(false)
    }
}

/// How long entries of a call are begun: less than the deadline of the caller (`grpc-timeout`), if it has one.
pub(super) fn time_limit(metadata: &MetadataMap) -> Duration {
    grpc_timeout(metadata.as_ref()).map_or(TIME_LIMIT, |deadline| {
        TIME_LIMIT.min(deadline.saturating_sub(RESERVE))
    })
}

fn check_entries(entries: &[BatchEntry]) -> Result<(), DocumentError> {
    let mut violations = Vec::new();
    if entries.is_empty() {
        violations.push(FieldViolation::new("entries", "must have at least one"));
    }
    let mut keys = HashSet::new();
    for (index, entry) in entries.iter().enumerate() {
        if !keys.insert(entry.document_key.as_str()) {
            violations.push(FieldViolation::new(
                format!("entries[{index}].documentKey"),
                "is given twice",
            ));
        }
    }
    if violations.is_empty() {
        return Ok(());
    }
    Err(DocumentError::InvalidRequest(violations))
}

fn not_begun() -> Status {
    Status::new(
        Code::Unavailable,
        "BATCH_DEADLINE",
        "the time of the call was over, or its answer full, before the entry; send it again",
    )
}

fn result(document_key: String, done: Result<Document, Status>) -> BatchResult {
    let (document, error) = match done {
        Ok(document) => (Some(document), None),
        Err(status) => (None, Some(rpc_status(status))),
    };
    BatchResult {
        document_key,
        document,
        error,
    }
}

/// A Status as a message. tonic encodes its details.
fn rpc_status(status: Status) -> rpc::Status {
    let (code, message) = (i32::from(status.code.number()), status.message.clone());
    let encoded = tonic::Status::from(status);
    let whole = rpc::Status::decode(encoded.details()).unwrap_or_default();
    rpc::Status {
        code,
        message,
        ..whole
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limit(timeout: &'static str) -> Duration {
        let mut metadata = MetadataMap::new();
        metadata.insert("grpc-timeout", timeout.parse().expect("ASCII"));
        time_limit(&metadata)
    }

    #[test]
    fn entries_are_begun_before_the_deadline_of_the_caller() {
        assert_eq!(time_limit(&MetadataMap::new()), TIME_LIMIT);
        assert_eq!(limit("5S"), Duration::from_secs(4));
        assert_eq!(limit("2500m"), Duration::from_millis(1_500));
        assert_eq!(limit("1S"), Duration::ZERO);
        assert_eq!(limit("1H"), TIME_LIMIT);
        for malformed in ["", "S", "5", "123456789S", "5x"] {
            assert_eq!(limit(malformed), TIME_LIMIT, "{malformed:?}");
        }
    }

    #[test]
    fn error_of_an_entry_has_the_details_of_the_status() {
        let status = rpc_status(not_begun());
        assert_eq!(status.code, 14);
        let detail = status.details.first().expect("an ErrorInfo");
        assert!(detail.type_url.ends_with("google.rpc.ErrorInfo"));
        let info = rpc::ErrorInfo::decode(&*detail.value).expect("an ErrorInfo");
        assert_eq!(info.reason, "BATCH_DEADLINE");
    }
}
