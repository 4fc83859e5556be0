//! Relations: the documents that a note corrects, the credit and debit notes of a document, and what may still be given back
//! (decisions 0120 and 0137).

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
            notes: self.credit_notes(context, key, &relations).await?,
            debit_notes: self.debit_notes(context, key).await?,
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

    async fn credit_notes(
        &self,
        context: &RequestContext,
        key: Uuid,
        relations: &CreditRelations,
    ) -> Result<Vec<RelatedDocument>, DocumentError> {
        let notes = relations.notes.iter();
        let notes = notes.filter(|(_, (_, names))| names.contains(&key));
        let notes = notes.map(|(note, _)| *note).take(MAX_NOTES as usize);
        self.related_documents(context, notes.collect()).await
    }

    async fn debit_notes(
        &self,
        context: &RequestContext,
        key: Uuid,
    ) -> Result<Vec<RelatedDocument>, DocumentError> {
        let notes = self
            .store
            .debit_notes(context.organization(), key, MAX_NOTES)
            .await?;
        self.related_documents(context, notes).await
    }

    /// The documents with these keys. Keys are UUIDv7, so they are in the order of creation.
    async fn related_documents(
        &self,
        context: &RequestContext,
        keys: Vec<Uuid>,
    ) -> Result<Vec<RelatedDocument>, DocumentError> {
        let mut found = Vec::new();
        for key in keys {
            let document = self.store.document(context.organization(), key).await?;
            found.extend(document.as_ref().map(related));
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
