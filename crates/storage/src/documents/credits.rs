//! Credit notes and debit notes, and the documents that they correct.

use std::collections::{BTreeMap, BTreeSet};

use invoice::Money;
use invoicing_contract::messages::documents::{Document, Invoice, Kind};
use uuid::Uuid;

use super::{DocumentRow, assigned_number};

/// Most documents that one note corrects with an effect on them.
const MAX_CORRECTED: usize = 100;
/// Most documents that are read of those which credit notes connect (decision 0178).
pub const MAX_CONNECTED: u32 = 1_000;

/// Corrected documents, and the numbered credit notes that correct them: those that were asked for, the notes on them, the other
/// documents of these notes, and so on, the nearest [`MAX_CONNECTED`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CreditRelations {
    /// The gross amount (BT-112) of each document; `None` if it does not exist here.
    pub originals: BTreeMap<Uuid, Option<Money>>,
    /// Those of `originals` that the tax authority has rejected and that are not issued again: nothing can be taken off them.
    pub rejected: BTreeSet<Uuid>,
    /// Those of `originals` that are drafts, which have no number: they ask for nothing yet, and their amounts change.
    pub drafts: BTreeSet<Uuid>,
    /// Those of `originals` that are credit notes themselves, with or without a number: no credit note corrects them.
    pub credit_notes: BTreeSet<Uuid>,
    /// The gross amount (BT-112) of each note, and all documents that it corrects, also those that were not read.
    pub notes: BTreeMap<Uuid, (Money, BTreeSet<Uuid>)>,
    /// The documents that were asked for have more notes than are read, so that no sum of them is known.
    pub has_unread_notes: bool,
}

impl CreditRelations {
    /// Notes whether notes on the documents `asked` for are missing, after `read` documents were read. They are read nearest
    /// first: if one was read that is neither asked for nor a note, then all notes on those that were asked for were, too.
    pub fn mark_unread_notes(&mut self, asked: &BTreeSet<Uuid>, read: usize) {
        let is_cut = read >= MAX_CONNECTED as usize;
        self.has_unread_notes = is_cut && self.originals.keys().all(|key| asked.contains(key));
    }
}

/// The keys of the documents that a credit note corrects. Empty if one of its references has no key, or if there are more
/// than a hundred: such a note is not checked.
#[must_use]
pub fn corrected_documents(document: &Document) -> BTreeSet<Uuid> {
    let content = document.content.as_ref();
    content
        .and_then(|content| content.invoice.as_ref())
        .map_or_else(BTreeSet::new, corrected_by_invoice)
}

/// The documents whose credit notes decide whether `document` is numbered: those that a credit note corrects, and the document itself
/// if it is a credit note, which no other one corrects, or if it was numbered before, since it may not come to less than the notes on
/// it.
#[must_use]
pub fn credited_documents(document: &Document) -> BTreeSet<Uuid> {
    let content = document.content.as_ref();
    let invoice = content.and_then(|content| content.invoice.as_ref());
    let is_credit_note = invoice.map(Invoice::kind) == Some(Kind::CreditNote);
    let mut documents = corrected_documents(document);
    if is_credit_note || !assigned_number(document).is_empty() {
        documents.extend(Uuid::try_parse(&document.document_key));
    }
    documents
}

/// [`corrected_documents`] of an invoice that is not part of a document yet.
#[must_use]
pub fn corrected_by_invoice(invoice: &Invoice) -> BTreeSet<Uuid> {
    if invoice.kind() != Kind::CreditNote || invoice.preceding.len() > MAX_CORRECTED {
        return BTreeSet::new();
    }
    let keys = invoice.preceding.iter();
    let keys = keys.map(|reference| Uuid::try_parse(&reference.document_key));
    keys.collect::<Result<_, _>>().unwrap_or_default()
}

/// The keys of the documents that a numbered debit note names as preceding. Empty for every other document: a draft raises
/// nothing. A reference without a key names a document that the organization does not have.
#[must_use]
pub fn debited_documents(note: &DocumentRow) -> BTreeSet<Uuid> {
    if note.kind != Kind::DebitNote || note.number.is_empty() {
        return BTreeSet::new();
    }
    debited_by_note(&note.document)
}

/// The same of a document that is known to be a numbered debit note.
#[must_use]
pub fn debited_by_note(note: &Document) -> BTreeSet<Uuid> {
    let content = note.content.as_ref();
    let invoice = content.and_then(|content| content.invoice.as_ref());
    let references = invoice.map_or(&[][..], |invoice| &invoice.preceding);
    let keys = references.iter().take(MAX_CORRECTED);
    keys.filter_map(|reference| Uuid::try_parse(&reference.document_key).ok())
        .collect()
}
