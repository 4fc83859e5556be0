//! Deletion of a document that has no number.

use invoicing_contract::messages::documents::{DeleteDocumentRequest, DeleteDocumentResponse};
use invoicing_contract::{Code, ConcurrencyStamp, DocumentKey, operation};

use super::write::{unknown_outcome, with_current};
use super::{Invoices, from_wire};
use crate::gateway::{CallContext, Doubt, FailedCall};
use crate::views::CommandError;

impl Invoices {
    /// Deletes the document that was read with `stamp`. It is deleted also if the response to an attempt was lost: then the
    /// document is no longer there.
    pub(crate) async fn delete(
        &self,
        context: &CallContext,
        key: &DocumentKey,
        stamp: &ConcurrencyStamp,
    ) -> Result<(), CommandError> {
        let operation = &operation::DELETE_DOCUMENT;
        let request = DeleteDocumentRequest {
            document_key: key.as_str().to_owned(),
            concurrency_stamp: stamp.as_str().to_owned(),
        };
        let answer: Result<DeleteDocumentResponse, FailedCall> = self
            .gateway
            .call_counting_attempts(context, operation, Some(key), &request)
            .await;
        if let Err(failed) = answer {
            let unknown = failed.doubt() != Doubt::None;
            let FailedCall {
                error,
                failed_attempts,
                ..
            } = failed;
            let is_gone = error.code() == Some(Code::NotFound) && failed_attempts > 1;
            let refused = matches!(error.code(), Some(Code::Aborted | Code::FailedPrecondition));
            let command_error = self.command_error(context, operation, &error);
            if !is_gone && !unknown && !refused {
                return Err(command_error);
            }
            if !is_gone {
                match self.get_document(context, key).await {
                    Ok(document) if refused => {
                        return Err(with_current(
                            command_error,
                            from_wire::document_view(document),
                        ));
                    }
                    Err(missing) if unknown && missing.code() == Some(Code::NotFound) => {}
                    // The request may still be on its way.
                    _ if unknown => return Err(unknown_outcome(command_error, key)),
                    _ => return Err(command_error),
                }
            }
        }
        self.read_cache
            .remove_document(&context.session, &context.organization, key)
            .await;
        self.forget_row(context, key).await;
        Ok(())
    }
}
