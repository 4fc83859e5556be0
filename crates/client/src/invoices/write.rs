//! Writes. Each is done, refused or of unknown outcome; a lost response is resolved by reading the document.

use invoicing_contract::messages::{documents, simple};
use invoicing_contract::{
    Code, ConcurrencyStamp, DocumentKey, Operation, invoice_mapping, operation,
};
use serde::Serialize;

use super::change::{ChangeRequest, DocumentChange, changes, content_of, new_invoice};
use super::from_wire::{self, invoice_of};
use super::{Invoices, comparison};
use crate::gateway::{CallContext, Doubt, FailedCall, GatewayError, ResponseMessage};
use crate::views::{CommandError, InvoiceContent, InvoiceView, MergedChange};

/// A document to create. The key is generated once, so that a repeated request does not create a second document.
pub(crate) struct NewDocument<'a> {
    pub(crate) key: &'a DocumentKey,
    pub(crate) content: &'a InvoiceContent,
    /// Whether an earlier attempt may have created it.
    pub(crate) may_exist: bool,
}

/// A change with the document that it applies to.
struct ChangeCall<'a> {
    change: &'a DocumentChange<'a>,
    key: &'a DocumentKey,
    request: ChangeRequest,
    /// The content that the user started from, if it is known.
    base: Option<InvoiceContent>,
    /// Whether an earlier attempt may have made the change.
    may_be_applied: bool,
}

impl Invoices {
    /// Creates a document through the simple form, which has no preceding documents.
    pub(crate) async fn create_invoice(
        &self,
        context: &CallContext,
        document: &NewDocument<'_>,
    ) -> Result<InvoiceView, CommandError> {
        let request = simple::CreateInvoiceRequest {
            document_key: document.key.as_str().to_owned(),
            invoice: Some(invoice_mapping::simple::to_new_invoice(new_invoice(
                document.content,
            ))),
            validate_only: false,
        };
        let view = |invoice: simple::Invoice| from_wire::view(invoice);
        self.create(
            context,
            &operation::CREATE_INVOICE,
            document,
            &request,
            view,
        )
        .await
    }

    /// Creates a document with all that a content can have.
    pub(crate) async fn create_document(
        &self,
        context: &CallContext,
        document: &NewDocument<'_>,
    ) -> Result<InvoiceView, CommandError> {
        let request = documents::CreateDocumentRequest {
            document_key: document.key.as_str().to_owned(),
            changes: changes(new_invoice(document.content)),
            ..Default::default()
        };
        let view = |document: documents::Document| {
            self.cache(context, &document);
            from_wire::document_view(document)
        };
        self.create(
            context,
            &operation::CREATE_DOCUMENT,
            document,
            &request,
            view,
        )
        .await
    }

    /// Changes a document that was read with `stamp`. `may_be_applied`: an earlier attempt may have made the change, as that
    /// of a draft in the outbox.
    pub(crate) async fn change(
        &self,
        context: &CallContext,
        key: &DocumentKey,
        stamp: &ConcurrencyStamp,
        change: &DocumentChange<'_>,
        may_be_applied: bool,
    ) -> Result<InvoiceView, CommandError> {
        let cached = self.cached(&context.organization, key, stamp);
        // An update replaces the whole content, so that fields outside the form must be known first.
        let before = match (cached, change) {
            (None, DocumentChange::Update { .. }) => {
                let document = Box::pin(self.get_document(context, key)).await;
                let document = document
                    .map_err(|error| self.command_error(context, change.operation(), &error))?;
                Some(document)
            }
            (cached, _) => cached,
        };
        let base = match change {
            DocumentChange::Update { base, .. } => Some((*base).clone()),
            DocumentChange::Issue | DocumentChange::Freeze => before.as_ref().map(content_of),
        };
        let before = before.as_ref().map(invoice_of).unwrap_or_default();
        let call = ChangeCall {
            change,
            key,
            request: change.request(key, stamp, before),
            base,
            may_be_applied,
        };
        match self.send(context, change, key, &call.request).await {
            Ok(view) => Ok(view),
            Err(failed) => self.resolve_failed_change(context, call, failed).await,
        }
    }

    async fn create<B, T>(
        &self,
        context: &CallContext,
        operation: &'static Operation,
        document: &NewDocument<'_>,
        request: &B,
        view: impl Fn(T) -> InvoiceView,
    ) -> Result<InvoiceView, CommandError>
    where
        B: Serialize + Sync,
        T: ResponseMessage,
    {
        let key = document.key;
        let mut may_exist = document.may_exist;
        let mut may_repeat = true;
        // Whether a request may still be on its way.
        let mut in_doubt = false;
        loop {
            let response = self
                .gateway
                .call_counting_attempts(context, operation, Some(key), request)
                .await;
            let failed = match response {
                Ok(created) => return Ok(view(created)),
                Err(failed) => failed,
            };
            may_exist |= failed.failed_attempts > 1;
            let doubt = failed.doubt();
            in_doubt |= doubt == Doubt::MayArrive;
            let unknown = doubt != Doubt::None;
            let error = failed.error;
            let command_error = self.command_error(context, operation, &error);
            if !unknown && error.code() != Some(Code::AlreadyExists) {
                return Err(if in_doubt && !error.is_judged() {
                    unknown_outcome(command_error, key)
                } else {
                    command_error
                });
            }
            match self.read_back(context, document).await {
                // An earlier attempt of ours has created it.
                Ok(found)
                    if (unknown || may_exist)
                        && comparison::is_stored(document.content, &found.content) =>
                {
                    return Ok(InvoiceView {
                        created_earlier: !unknown,
                        ..found
                    });
                }
                Ok(found) => return Err(already_exists(command_error, found)),
                // It did not arrive. The key makes one more attempt safe.
                Err(missing) if is_not_found(&missing) && unknown && may_repeat => {
                    may_repeat = false;
                    may_exist = true;
                }
                // Nothing was written: it exists in another organization, or no request is on its way any more.
                Err(missing) if is_not_found(&missing) && !(unknown && in_doubt) => {
                    return Err(command_error);
                }
                Err(_) => return Err(unknown_outcome(command_error, key)),
            }
        }
    }

    /// The document as the service has it, with every field that was sent.
    async fn read_back(
        &self,
        context: &CallContext,
        document: &NewDocument<'_>,
    ) -> Result<InvoiceView, GatewayError> {
        if document.content.correction.is_none() {
            return self.get_view(context, document.key).await;
        }
        // The simple form has no preceding documents, whatever the kind.
        let found = self.get_document(context, document.key).await?;
        Ok(from_wire::document_view(found))
    }

    async fn send(
        &self,
        context: &CallContext,
        change: &DocumentChange<'_>,
        key: &DocumentKey,
        request: &ChangeRequest,
    ) -> Result<InvoiceView, FailedCall> {
        match request {
            ChangeRequest::Update(request) => {
                self.send_for_document(context, change, key, request).await
            }
            ChangeRequest::Issue(request) => {
                self.send_for_document(context, change, key, request).await
            }
            ChangeRequest::Freeze(request) => {
                let invoice: simple::Invoice = self
                    .gateway
                    .call_counting_attempts(context, change.operation(), Some(key), request)
                    .await?;
                // The simple form lacks what few invoices have. It is frozen, whether the rest can be read or not.
                let document = self.get_document(context, key).await;
                Ok(document.map_or_else(|_| from_wire::view(invoice), from_wire::document_view))
            }
        }
    }

    async fn send_for_document<B: Serialize + Sync>(
        &self,
        context: &CallContext,
        change: &DocumentChange<'_>,
        key: &DocumentKey,
        request: &B,
    ) -> Result<InvoiceView, FailedCall> {
        let document: documents::Document = self
            .gateway
            .call_counting_attempts(context, change.operation(), Some(key), request)
            .await?;
        self.cache(context, &document);
        Ok(from_wire::document_view(document))
    }

    /// Reads the document after a change was refused or its response lost. The change may have been done, or is sent once
    /// more: unchanged if it did not arrive, or merged with another user's change.
    async fn resolve_failed_change(
        &self,
        context: &CallContext,
        call: ChangeCall<'_>,
        failed: FailedCall,
    ) -> Result<InvoiceView, CommandError> {
        let ChangeCall {
            change,
            key,
            request,
            base,
            may_be_applied,
        } = call;
        let doubt = failed.doubt();
        let FailedCall {
            error,
            failed_attempts,
            ..
        } = failed;
        let unknown = doubt != Doubt::None;
        let aborted = error.code() == Some(Code::Aborted);
        let refused = aborted || error.code() == Some(Code::FailedPrecondition);
        let operation = change.operation();
        let command_error = self.command_error(context, operation, &error);
        if !unknown && !refused {
            return Err(command_error);
        }
        let document = match self.get_document(context, key).await {
            Ok(document) => document,
            Err(_) if unknown => return Err(unknown_outcome(command_error, key)),
            Err(_) => return Err(command_error),
        };
        let current = from_wire::document_view(document.clone());
        // Every write gives a new stamp (decision 0019). With the old one nothing was written, whatever the content is.
        let is_unchanged = document.concurrency_stamp == request.stamp();
        let may_be_applied = may_be_applied || unknown || failed_attempts > 1;
        if !is_unchanged && may_be_applied && change.is_applied(&current) {
            return Ok(current);
        }
        let (next, merged) = if unknown && is_unchanged {
            // The stamp makes one more attempt safe.
            (Some(request), None)
        } else if aborted || unknown {
            let rebased = change.rebase(key, &document, base.as_ref());
            let merged = merged_change(&current, base);
            (rebased, merged)
        } else {
            (None, None)
        };
        let Some(next) = next else {
            return Err(with_current(command_error, current));
        };
        // The request of an earlier attempt may still be on its way.
        let in_doubt = doubt == Doubt::MayArrive;
        match self.send(context, change, key, &next).await {
            Ok(view) => Ok(InvoiceView { merged, ..view }),
            Err(failed) => {
                let command_error = self.command_error(context, operation, &failed.error);
                let is_unknown =
                    failed.doubt() != Doubt::None || (in_doubt && !failed.error.is_judged());
                Err(if is_unknown {
                    unknown_outcome(command_error, key)
                } else {
                    with_current(command_error, current)
                })
            }
        }
    }
}

fn is_not_found(error: &GatewayError) -> bool {
    error.code() == Some(Code::NotFound)
}

/// What the other user changed, if it is known what this user started from.
fn merged_change(current: &InvoiceView, base: Option<InvoiceContent>) -> Option<Box<MergedChange>> {
    // An attachment changes the stamp, and no field.
    let before = base.filter(|base| *base != current.content)?;
    Some(Box::new(MergedChange {
        event: current.updated.clone()?,
        before,
        theirs: current.content.clone(),
    }))
}

/// The error with the document as it is now.
pub(super) fn with_current(error: CommandError, document: InvoiceView) -> CommandError {
    let document = Some(Box::new(document));
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "the others have no document"
    )]
    match error {
        CommandError::Aborted { support, .. } => CommandError::Aborted {
            current: document,
            support,
        },
        CommandError::FailedPrecondition { support, .. } => CommandError::FailedPrecondition {
            current: document,
            support,
        },
        other => other,
    }
}

fn already_exists(error: CommandError, document: InvoiceView) -> CommandError {
    CommandError::AlreadyExists {
        current: Some(Box::new(document)),
        support: error.into_support(),
    }
}

pub(super) fn unknown_outcome(error: CommandError, key: &DocumentKey) -> CommandError {
    CommandError::UnknownOutcome {
        key: Some(key.clone()),
        support: error.into_support(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn error_in_a_log_does_not_contain_what_its_document_says() {
        let mut document = from_wire::view(simple::Invoice::default());
        document.row.key = "k".into();
        document.row.buyer.en = "canary".to_owned();
        document.content.note = "canary".to_owned();
        document.payable = "canary".to_owned();
        let refused = CommandError::AlreadyExists {
            current: None,
            support: Box::default(),
        };
        let logged = format!("{:?}", already_exists(refused, document));
        assert!(logged.contains("\"k\""), "{logged}");
        assert!(!logged.contains("canary"), "{logged}");
    }
}
