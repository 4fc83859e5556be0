//! Changes of documents that are at the service already: what each asks for, and when it may go over another's.

use invoicing_contract::messages::{documents, simple};
use invoicing_contract::{Operation, invoice_mapping, operation};

use super::from_wire::{self, invoice_of};
use super::{form, merge};
use crate::views::{InvoiceContent, InvoiceStatus, InvoiceView};

/// A change of a document that is at the service already.
pub(crate) enum Change<'a> {
    /// Its content, with the content that the change was made from.
    Update {
        content: &'a InvoiceContent,
        base: &'a InvoiceContent,
    },
    /// A number.
    Issue,
    /// The end of all change.
    Freeze,
}

/// The request of a change.
pub(super) enum Target {
    Simple(simple::FreezeInvoiceRequest),
    Update(Box<documents::UpdateDocumentRequest>),
    Issue(documents::IssueDocumentRequest),
}

impl Target {
    pub(super) fn stamp(&self) -> &str {
        match self {
            Self::Simple(request) => &request.concurrency_stamp,
            Self::Update(request) => &request.concurrency_stamp,
            Self::Issue(request) => &request.concurrency_stamp,
        }
    }

    pub(super) fn invoice(&self) -> documents::Invoice {
        match self {
            Self::Update(request) => request
                .changes
                .clone()
                .and_then(|changes| changes.content)
                .and_then(|content| content.invoice)
                .unwrap_or_default(),
            Self::Simple(_) | Self::Issue(_) => documents::Invoice::default(),
        }
    }
}

impl Change<'_> {
    pub(super) fn operation(&self) -> &'static Operation {
        match self {
            Self::Update { .. } => &operation::UPDATE_DOCUMENT,
            Self::Issue => &operation::ISSUE_DOCUMENT,
            Self::Freeze => &operation::FREEZE_INVOICE,
        }
    }

    pub(super) fn target(&self, key: &str, stamp: &str, before: documents::Invoice) -> Target {
        let (document_key, concurrency_stamp) = (key.to_owned(), stamp.to_owned());
        match self {
            Self::Update { content, .. } => {
                let changes = changes(overlaid(before, content));
                Target::Update(Box::new(documents::UpdateDocumentRequest {
                    document_key,
                    concurrency_stamp,
                    changes,
                }))
            }
            Self::Issue => Target::Issue(documents::IssueDocumentRequest {
                document_key,
                concurrency_stamp,
            }),
            Self::Freeze => Target::Simple(simple::FreezeInvoiceRequest {
                document_key,
                concurrency_stamp,
            }),
        }
    }

    /// The change once more over what somebody else wrote, if the two do not touch each other. Numbering or closing what
    /// somebody else has changed is not for a machine to decide.
    pub(super) fn rebase(
        &self,
        key: &str,
        theirs: &documents::Document,
        base: Option<&InvoiceContent>,
    ) -> Option<Target> {
        let base = base?;
        let written = content_of(theirs);
        match self {
            Self::Update { content, .. } => {
                let merged = merge::merge(base, content, &written)?;
                let change = Change::Update {
                    content: &merged,
                    base,
                };
                Some(change.target(key, &theirs.concurrency_stamp, invoice_of(theirs)))
            }
            Self::Issue | Self::Freeze => (*base == written).then(|| {
                self.target(
                    key,
                    &theirs.concurrency_stamp,
                    documents::Invoice::default(),
                )
            }),
        }
    }

    /// Whether the document is as this change would leave it.
    pub(super) fn is_done(&self, current: &InvoiceView) -> bool {
        match self {
            Self::Update { content, .. } => merge::is_stored(content, &current.content),
            Self::Issue => matches!(
                current.row.status,
                InvoiceStatus::Issued | InvoiceStatus::Frozen
            ),
            Self::Freeze => current.row.status == InvoiceStatus::Frozen,
        }
    }
}

pub(super) fn changes(invoice: documents::Invoice) -> Option<documents::DocumentChanges> {
    Some(documents::DocumentChanges {
        content: Some(documents::DocumentContent {
            invoice: Some(invoice),
        }),
    })
}

pub(super) fn content_of(document: &documents::Document) -> InvoiceContent {
    from_wire::content(invoice_of(document))
}

/// A message with the form's fields put over it, and without fields that the service computes.
fn overlaid(before: documents::Invoice, form: &InvoiceContent) -> documents::Invoice {
    // An undefined enum number cannot be kept: the content has no value for it.
    let (before, _) = invoice_mapping::to_content(before);
    invoice_mapping::to_message(form::overlay(before, form))
}

/// A document of nothing but the form's fields.
pub(super) fn new_document(form: &InvoiceContent) -> documents::Invoice {
    overlaid(documents::Invoice::default(), form)
}
