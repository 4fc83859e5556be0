//! Writes. Each ends in one of three ways: done, refused, or in doubt, and doubt is told and never guessed away.

use invoicing_contract::messages::{documents, simple};
use invoicing_contract::{Code, Operation, invoice_mapping, operation};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::change::{Change, Target, changes, content_of, new_document};
use super::from_wire::{self, invoice_of};
use super::{Invoices, merge};
use crate::gateway::{Caller, Failure};
use crate::views::{CommandError, InvoiceContent, InvoiceView};

/// How a write ended that did not fail.
pub(crate) type Written = Result<InvoiceView, CommandError>;

impl Invoices {
    /// Creates a simple invoice under a key that was made once, so that trying again makes no second one.
    pub(crate) async fn create(
        &self,
        caller: &Caller,
        key: &str,
        content: &InvoiceContent,
        in_doubt: bool,
    ) -> Written {
        let request = simple::CreateInvoiceRequest {
            document_key: key.to_owned(),
            invoice: Some(invoice_mapping::simple::to_new_invoice(new_document(
                content,
            ))),
        };
        let create = Create {
            operation: &operation::CREATE_INVOICE,
            key,
            content,
            in_doubt,
        };
        let view = |invoice: simple::Invoice| from_wire::view(invoice, self.clock.today());
        self.create_with(caller, &create, &request, view).await
    }

    /// Creates a document: all that a content can hold.
    pub(crate) async fn create_document(
        &self,
        caller: &Caller,
        key: &str,
        content: &InvoiceContent,
        in_doubt: bool,
    ) -> Written {
        let request = documents::CreateDocumentRequest {
            document_key: key.to_owned(),
            changes: changes(new_document(content)),
        };
        let create = Create {
            operation: &operation::CREATE_DOCUMENT,
            key,
            content,
            in_doubt,
        };
        let view = |document: documents::Document| {
            self.remember(&document);
            from_wire::document_view(document, self.clock.today())
        };
        self.create_with(caller, &create, &request, view).await
    }

    /// Changes a document that was read with `stamp`.
    pub(crate) async fn change(
        &self,
        caller: &Caller,
        key: &str,
        stamp: &str,
        change: &Change<'_>,
    ) -> Written {
        let before = self.remembered(&caller.organization, key, stamp);
        let operation = change.operation();
        // An update replaces the content whole, so what the form does not show must be known first.
        let before = match (before, change) {
            (None, Change::Update { .. }) => {
                let document = self.document(caller, key).await;
                Some(document.map_err(|failure| self.failed(caller, operation, failure))?)
            }
            (before, _) => before,
        };
        let base = match change {
            Change::Update { base, .. } => Some((*base).clone()),
            Change::Issue | Change::Freeze => before
                .as_ref()
                .filter(|before| before.concurrency_stamp == stamp)
                .map(content_of),
        };
        let target = change.target(
            key,
            stamp,
            before.as_ref().map(invoice_of).unwrap_or_default(),
        );
        match self.send(caller, change, key, &target).await {
            Ok(view) => Ok(view),
            Err((failure, tries)) => {
                self.settle(caller, change, key, &target, base.as_ref(), failure, tries)
                    .await
            }
        }
    }

    /// Asks the service whether a document with this key is there.
    pub(crate) async fn check(
        &self,
        caller: &Caller,
        key: &str,
    ) -> Result<Option<InvoiceView>, CommandError> {
        match self.find(caller, key).await {
            Ok(view) => Ok(Some(view)),
            Err(failure) if failure.code() == Some(Code::NotFound) => Ok(None),
            Err(failure) => Err(self.failed(caller, &operation::GET_INVOICE, failure)),
        }
    }

    async fn create_with<B, T>(
        &self,
        caller: &Caller,
        create: &Create<'_>,
        request: &B,
        view: impl Fn(T) -> InvoiceView,
    ) -> Written
    where
        B: Serialize + Sync,
        T: DeserializeOwned,
    {
        let mut repeated = create.in_doubt;
        let mut again = true;
        loop {
            let answer = self
                .gateway
                .counted(caller, create.operation, create.key, request)
                .await;
            let (failure, tries) = match answer {
                Ok(created) => return Ok(view(created)),
                Err(failed) => failed,
            };
            repeated |= tries > 1;
            let doubt = failure.leaves_doubt();
            if !doubt && failure.code() != Some(Code::AlreadyExists) {
                return Err(self.failed(caller, create.operation, failure));
            }
            match self.find(caller, create.key).await {
                // An earlier try of our own has made it: this is success.
                Ok(found)
                    if (doubt || repeated) && merge::is_stored(create.content, &found.content) =>
                {
                    return Ok(found);
                }
                Ok(found) => {
                    return Err(exists(
                        self.failed(caller, create.operation, failure),
                        found,
                    ));
                }
                // It did not arrive. The key makes one more try safe.
                Err(missing) if missing.code() == Some(Code::NotFound) && doubt && again => {
                    again = false;
                    repeated = true;
                }
                Err(missing) if missing.code() == Some(Code::NotFound) && !doubt => {
                    // There is one, and it may not be seen from here: another organization's.
                    return Err(self.failed(caller, create.operation, failure));
                }
                Err(_) => {
                    return Err(in_doubt(
                        self.failed(caller, create.operation, failure),
                        create.key,
                    ));
                }
            }
        }
    }

    async fn send(
        &self,
        caller: &Caller,
        change: &Change<'_>,
        key: &str,
        target: &Target,
    ) -> Result<InvoiceView, (Failure, u32)> {
        let today = self.clock.today();
        match target {
            Target::Simple(request) => {
                let answer = self
                    .gateway
                    .counted(caller, change.operation(), key, request)
                    .await;
                answer.map(|invoice: simple::Invoice| from_wire::view(invoice, today))
            }
            Target::Update(request) => self.send_document(caller, change, key, request).await,
            Target::Issue(request) => self.send_document(caller, change, key, request).await,
        }
    }

    async fn send_document<B: Serialize + Sync>(
        &self,
        caller: &Caller,
        change: &Change<'_>,
        key: &str,
        request: &B,
    ) -> Result<InvoiceView, (Failure, u32)> {
        let document: documents::Document = self
            .gateway
            .counted(caller, change.operation(), key, request)
            .await?;
        self.remember(&document);
        Ok(from_wire::document_view(document, self.clock.today()))
    }

    /// A change was refused, or its answer lost: looks at the document as it is now.
    #[expect(clippy::too_many_arguments, reason = "all that is known of one change")]
    async fn settle(
        &self,
        caller: &Caller,
        change: &Change<'_>,
        key: &str,
        target: &Target,
        base: Option<&InvoiceContent>,
        failure: Failure,
        tries: u32,
    ) -> Written {
        let doubt = failure.leaves_doubt();
        let refused = matches!(
            failure.code(),
            Some(Code::Aborted | Code::FailedPrecondition)
        );
        let operation = change.operation();
        if !doubt && !refused {
            return Err(self.failed(caller, operation, failure));
        }
        let document = match self.document(caller, key).await {
            Ok(document) => document,
            Err(_) if doubt => return Err(in_doubt(self.failed(caller, operation, failure), key)),
            Err(_) => return Err(self.failed(caller, operation, failure)),
        };
        let current = from_wire::document_view(document.clone(), self.clock.today());
        if (doubt || tries > 1) && change.is_done(&current) {
            return Ok(current);
        }
        let unchanged = document.concurrency_stamp == target.stamp();
        let next = if doubt && unchanged {
            // It did not arrive. The stamp makes one more try safe.
            let again = change.target(key, &document.concurrency_stamp, target.invoice());
            Some((again, None))
        } else if failure.code() == Some(Code::Aborted) || doubt {
            change
                .rebase(key, &document, base)
                .map(|rebased| (rebased, current.updated.clone()))
        } else {
            None
        };
        let error = self.failed(caller, operation, failure);
        let Some((next, merged)) = next else {
            return Err(with_current(error, current));
        };
        match self.send(caller, change, key, &next).await {
            Ok(view) => Ok(InvoiceView { merged, ..view }),
            Err((failure, _)) if failure.leaves_doubt() => {
                Err(in_doubt(self.failed(caller, operation, failure), key))
            }
            Err((failure, _)) => Err(with_current(
                self.failed(caller, operation, failure),
                current,
            )),
        }
    }
}

struct Create<'a> {
    operation: &'static Operation,
    key: &'a str,
    content: &'a InvoiceContent,
    /// An earlier try may have made it.
    in_doubt: bool,
}

fn with_current(error: CommandError, document: InvoiceView) -> CommandError {
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
        CommandError::FailedPrecondition {
            reason, support, ..
        } => CommandError::FailedPrecondition {
            reason,
            current: document,
            support,
        },
        other => other,
    }
}

fn exists(error: CommandError, document: InvoiceView) -> CommandError {
    CommandError::AlreadyExists {
        current: Some(Box::new(document)),
        support: error.into_support(),
    }
}

fn in_doubt(error: CommandError, key: &str) -> CommandError {
    CommandError::UnknownOutcome {
        key: key.to_owned(),
        support: error.into_support(),
    }
}
