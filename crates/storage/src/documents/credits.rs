//! Credit notes and the documents that they correct.

use std::collections::{BTreeMap, BTreeSet};

use invoice::Money;
use invoicing_contract::messages::documents::{Document, Invoice, Kind};
use uuid::Uuid;

/// Most documents that one credit note is checked against.
const MAX_CORRECTED: usize = 100;

/// Corrected documents, and the numbered credit notes that correct them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CreditRelations {
    /// The gross amount (BT-112) of each document; `None` if it does not exist here.
    pub originals: BTreeMap<Uuid, Option<Money>>,
    /// The gross amount (BT-112) of each note, and the documents that it corrects.
    pub notes: BTreeMap<Uuid, (Money, BTreeSet<Uuid>)>,
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
