//! Relations: the documents that a note corrects, the notes of a document, and what may still be given back (decision 0120).

use std::collections::BTreeSet;

use invoice::{Currency, Money};
use invoicing_contract::DocumentKey;
use invoicing_contract::messages::documents::{
    Document, DocumentReference, DocumentRelations, Kind, RelatedDocument, Status,
};
use invoicing_http::RequestContext;
use invoicing_storage::documents::CreditRelations;
use uuid::Uuid;

use super::credit_notes::remaining_credit;
use super::preconditions::invoice;
use super::{DocumentError, Documents};

/// Most originals and most notes that are returned.
const MAX_ORIGINALS: usize = 100;
const MAX_NOTES: usize = 500;

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
        let Ok(key) = Uuid::try_parse(&document.document_key) else {
            return Err(DocumentError::NotFound);
        };
        let relations = self
            .store
            .credit_relations(context.organization(), &BTreeSet::from([key]))
            .await?;
        let remaining = remaining(&document, key, &relations);
        Ok(DocumentRelations {
            originals: self.originals(context, &document).await?,
            notes: self.notes(context, key, &relations).await?,
            currency: remaining
                .map(|money| money.currency().code().to_owned())
                .unwrap_or_default(),
            remaining: remaining.map(|money| money.to_string()).unwrap_or_default(),
        })
    }

    async fn originals(
        &self,
        context: &RequestContext,
        document: &Document,
    ) -> Result<Vec<RelatedDocument>, DocumentError> {
        let references = invoice(document).map_or(&[][..], |invoice| &invoice.preceding);
        let mut originals = Vec::new();
        for reference in references.iter().take(MAX_ORIGINALS) {
            let stored = match Uuid::try_parse(&reference.document_key) {
                Ok(key) => self.store.document(context.organization(), key).await?,
                Err(_) => None,
            };
            originals.push(stored.map_or_else(|| by_reference(reference), |it| related(&it)));
        }
        Ok(originals)
    }

    async fn notes(
        &self,
        context: &RequestContext,
        key: Uuid,
        relations: &CreditRelations,
    ) -> Result<Vec<RelatedDocument>, DocumentError> {
        // Keys are UUIDv7, so they are in the order of creation.
        let notes = relations.notes.iter();
        let mut found = Vec::new();
        for (note, _) in notes
            .filter(|(_, (_, names))| names.contains(&key))
            .take(MAX_NOTES)
        {
            let note = self.store.document(context.organization(), *note).await?;
            found.extend(note.as_ref().map(related));
        }
        Ok(found)
    }
}

/// What a further credit note may come to. `None` for a credit note and for a document without a number.
fn remaining(document: &Document, key: Uuid, relations: &CreditRelations) -> Option<Money> {
    let invoice = invoice(document)?;
    if invoice.kind() == Kind::CreditNote || invoice.number.is_empty() {
        return None;
    }
    remaining_credit(key, Currency::parse(&invoice.currency)?, relations)
}

fn related(document: &Document) -> RelatedDocument {
    let invoice = invoice(document);
    let text = |field: fn(&invoicing_contract::messages::documents::Invoice) -> &String| {
        invoice.map(field).cloned().unwrap_or_default()
    };
    RelatedDocument {
        document_key: document.document_key.clone(),
        number: text(|invoice| &invoice.number),
        kind: invoice.map(|invoice| invoice.kind).unwrap_or_default(),
        status: document.status,
        issue_date: text(|invoice| &invoice.issue_date),
        currency: text(|invoice| &invoice.currency),
        gross: invoice
            .and_then(|invoice| invoice.totals.as_ref())
            .map(|totals| totals.gross.clone())
            .unwrap_or_default(),
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
