//! Changes of documents that the service has: their requests, and whether one can be repeated over another user's change.

use invoicing_contract::messages::{documents, simple};
use invoicing_contract::{ConcurrencyStamp, DocumentKey, Operation, invoice_mapping, operation};

use super::from_wire::{self, invoice_of};
use super::overlay::overlay;
use super::{comparison, merge, parse_numbers, percentage_bases};
use crate::views::{BuyerContent, InvoiceContent, InvoiceStatus, InvoiceView};

/// A change of a document that the service has.
pub(crate) enum DocumentChange<'a> {
    /// Replaces the content.
    Update {
        content: &'a InvoiceContent,
        /// The content that the user started from.
        base: &'a InvoiceContent,
    },
    /// Numbers the document.
    Issue,
    /// Makes the document immutable.
    Freeze,
}

/// The request of a change.
pub(super) enum ChangeRequest {
    Update(Box<documents::UpdateDocumentRequest>),
    Issue(documents::IssueDocumentRequest),
    Freeze(simple::FreezeInvoiceRequest),
}

impl ChangeRequest {
    pub(super) fn stamp(&self) -> &str {
        match self {
            Self::Update(request) => &request.concurrency_stamp,
            Self::Issue(request) => &request.concurrency_stamp,
            Self::Freeze(request) => &request.concurrency_stamp,
        }
    }
}

impl DocumentChange<'_> {
    pub(super) fn operation(&self) -> &'static Operation {
        match self {
            Self::Update { .. } => &operation::UPDATE_DOCUMENT,
            Self::Issue => &operation::ISSUE_DOCUMENT,
            Self::Freeze => &operation::FREEZE_INVOICE,
        }
    }

    /// The request. `before` is the document that an update is put over.
    pub(super) fn request(
        &self,
        key: &DocumentKey,
        stamp: &ConcurrencyStamp,
        before: documents::Invoice,
    ) -> ChangeRequest {
        let document_key = key.as_str().to_owned();
        let concurrency_stamp = stamp.as_str().to_owned();
        match self {
            Self::Update { content, .. } => {
                let changes = changes(overlaid(before, content));
                ChangeRequest::Update(Box::new(documents::UpdateDocumentRequest {
                    document_key,
                    concurrency_stamp,
                    changes,
                    ..Default::default()
                }))
            }
            Self::Issue => ChangeRequest::Issue(documents::IssueDocumentRequest {
                document_key,
                concurrency_stamp,
                ..Default::default()
            }),
            Self::Freeze => ChangeRequest::Freeze(simple::FreezeInvoiceRequest {
                document_key,
                concurrency_stamp,
            }),
        }
    }

    /// The request over another user's change, if the two changes do not overlap. To number or freeze a content that
    /// somebody has changed needs a decision of the user.
    pub(super) fn rebase(
        &self,
        key: &DocumentKey,
        theirs: &documents::Document,
        base: Option<&InvoiceContent>,
    ) -> Option<ChangeRequest> {
        let base = base?;
        let current = content_of(theirs);
        let stamp = theirs.concurrency_stamp.as_str().into();
        match self {
            Self::Update { content, .. } => {
                // Bases that were filled in are of the own lines. Those of the merged ones are filled in anew.
                let mut own = (*content).clone();
                percentage_bases::leave_out(&mut own);
                let mut merged = merge::merge(base, &own, &current)?;
                percentage_bases::fill_in(&mut merged);
                let change = DocumentChange::Update {
                    content: &merged,
                    base,
                };
                Some(change.request(key, &stamp, invoice_of(theirs)))
            }
            Self::Issue | Self::Freeze => {
                (*base == current).then(|| self.request(key, &stamp, documents::Invoice::default()))
            }
        }
    }

    /// Whether the document is in the state that this change leads to.
    pub(super) fn is_applied(&self, current: &InvoiceView) -> bool {
        match self {
            Self::Update { content, .. } => comparison::is_stored(content, &current.content),
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

/// The message of a new document with the form's fields only.
pub(super) fn new_invoice(form: &InvoiceContent) -> documents::Invoice {
    overlaid(documents::Invoice::default(), form)
}

/// The message of a buyer as it was typed.
pub(crate) fn party_of(buyer: &BuyerContent) -> documents::Party {
    let (form, _) = parse_numbers(&InvoiceContent {
        buyer: buyer.clone(),
        ..InvoiceContent::default()
    });
    new_invoice(&form).buyer.unwrap_or_default()
}

/// A message with the form's fields put over it, and without fields that the service computes.
fn overlaid(before: documents::Invoice, form: &InvoiceContent) -> documents::Invoice {
    // An undefined enum number is dropped: the content has no value for it.
    let (before, _) = invoice_mapping::to_content(before);
    invoice_mapping::to_message(overlay(before, form))
}

#[cfg(test)]
mod tests {
    use super::super::parse_numbers;
    use super::*;
    use crate::views::{AllowanceChargeContent, LineContent};

    /// A tenth off a line of this quantity at 100, as it is typed.
    fn discounted(quantity: &str) -> InvoiceContent {
        let mut content = InvoiceContent {
            currency: "SAR".to_owned(),
            lines: vec![LineContent {
                quantity: quantity.to_owned(),
                unit_price: "100".to_owned(),
                ..LineContent::default()
            }],
            ..InvoiceContent::default()
        };
        content.details.allowances_charges = vec![AllowanceChargeContent {
            percent: "10".to_owned(),
            ..AllowanceChargeContent::default()
        }];
        content
    }

    #[test]
    fn percentage_is_of_the_lines_of_the_other_user_after_a_merge() {
        let base = discounted("1");
        let mine = InvoiceContent {
            note: "mine".to_owned(),
            ..base.clone()
        };
        let (sent, _) = parse_numbers(&mine);
        let (stored, _) = parse_numbers(&discounted("3"));
        let stored = changes(new_invoice(&stored)).expect("changes");
        let theirs = documents::Document {
            content: stored.content,
            ..documents::Document::default()
        };
        let change = DocumentChange::Update {
            content: &sent,
            base: &base,
        };
        let rebased = change.rebase(&"k".into(), &theirs, Some(&base));
        let Some(ChangeRequest::Update(request)) = rebased else {
            panic!("the changes do not overlap");
        };
        let content = request.changes.and_then(|changes| changes.content);
        let merged = content
            .and_then(|content| content.invoice)
            .expect("an invoice");
        assert_eq!(
            (
                merged.note.as_str(),
                merged.lines[0].quantity.as_str(),
                merged.allowances_charges[0].base.as_str()
            ),
            ("mine", "3", "300.00")
        );
    }
}
