//! Relations: the documents that a note corrects, the credit and debit notes of a document, and what may still be given back
//! (decisions 0120 and 0137).

use std::collections::{BTreeMap, BTreeSet};

use invoice::{Currency, Money};
use invoicing_contract::DocumentKey;
use invoicing_contract::messages::documents::{
    Document, DocumentReference, DocumentRelations, Kind, RelatedDocument, Status,
};
use invoicing_http::RequestContext;
use invoicing_storage::documents::{CreditRelations, DocumentSummary};
use uuid::Uuid;

use super::credit_notes::remaining_credit;
use super::document_key::parse_key;
use super::preconditions::invoice;
use super::{DocumentError, Documents};

/// Most originals, and most notes of each kind, that are returned.
const MAX_ORIGINALS: usize = 100;
const MAX_NOTES: u32 = 500;

impl Documents {
    /// The relations of a document.
    ///
    /// # Errors
    /// See [`DocumentError`].
    pub async fn relations(
        &self,
        context: &RequestContext,
        key: &DocumentKey,
    ) -> Result<DocumentRelations, DocumentError> {
        let document = self.get(context, key).await?;
        let key = parse_key(&document.document_key)?;
        let relations = self
            .store
            .credit_relations(context.organization(), &BTreeSet::from([key]))
            .await?;
        let credit_notes = credit_notes(key, &relations);
        let debit_notes = self
            .store
            .debit_notes(context.organization(), key, MAX_NOTES)
            .await?;
        let references = invoice(&document).map_or(&[][..], |invoice| &invoice.preceding);
        let references = references.iter().take(MAX_ORIGINALS);
        let named = references.clone().filter_map(key_of);
        let notes = credit_notes.iter().chain(&debit_notes).copied();
        let known = self.summaries(context, named.chain(notes).collect());
        let known = known.await?;
        let remaining = remaining(&document, key, &relations);
        Ok(DocumentRelations {
            originals: references.map(|it| original(it, &known)).collect(),
            notes: notes_of(&credit_notes, &known),
            debit_notes: notes_of(&debit_notes, &known),
            currency: remaining
                .map(|money| money.currency().code().to_owned())
                .unwrap_or_default(),
            remaining: remaining.map(|money| money.to_string()).unwrap_or_default(),
        })
    }
}

/// The numbered credit notes that name a document. Keys are UUIDv7, so they are in the order of creation.
fn credit_notes(key: Uuid, relations: &CreditRelations) -> Vec<Uuid> {
    let notes = relations.notes.iter();
    let notes = notes.filter(|(_, (_, names))| names.contains(&key));
    notes
        .map(|(note, _)| *note)
        .take(MAX_NOTES as usize)
        .collect()
}

/// The key in a reference; `None` if it names a document by its number alone.
fn key_of(reference: &DocumentReference) -> Option<Uuid> {
    Uuid::try_parse(&reference.document_key).ok()
}

fn original(
    reference: &DocumentReference,
    known: &BTreeMap<Uuid, DocumentSummary>,
) -> RelatedDocument {
    let stored = key_of(reference).and_then(|key| known.get(&key));
    stored.map_or_else(|| by_reference(reference), related)
}

/// The notes with these keys, in their order.
fn notes_of(keys: &[Uuid], known: &BTreeMap<Uuid, DocumentSummary>) -> Vec<RelatedDocument> {
    let notes = keys.iter().filter_map(|key| known.get(key));
    notes.map(related).collect()
}

/// What a further credit note may come to. `None` for a credit note and for a document without a number.
fn remaining(document: &Document, key: Uuid, relations: &CreditRelations) -> Option<Money> {
    let invoice = invoice(document)?;
    if invoice.kind() == Kind::CreditNote || invoice.number.is_empty() {
        return None;
    }
    remaining_credit(key, Currency::parse(&invoice.currency)?, relations)
}

fn related(document: &DocumentSummary) -> RelatedDocument {
    RelatedDocument {
        document_key: document.key.to_string(),
        number: document.number.clone(),
        kind: document.kind.into(),
        status: document.status.into(),
        issue_date: document.issue_date.clone(),
        currency: document.gross.currency().code().to_owned(),
        gross: document.gross.to_string(),
    }
}

/// A document of somebody else, or one that is known by its number alone.
fn by_reference(reference: &DocumentReference) -> RelatedDocument {
    RelatedDocument {
        document_key: reference.document_key.clone(),
        number: reference.number.clone(),
        status: Status::Unspecified as i32,
        issue_date: reference.issue_date.clone(),
        ..RelatedDocument::default()
    }
}
