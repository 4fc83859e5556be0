//! Relations and history of a document.

use invoice::decimal;
use invoicing_contract::messages::documents;
use invoicing_contract::{DocumentKey, operation};

use super::Invoices;
use super::from_wire::{self, event, invoice_of, kind_from_wire, status_from_wire};
use crate::gateway::CallContext;
use crate::views::{
    CommandError, DocumentRelations, HistoryEntry, HistoryPage, LineContent, RelatedDocument,
};

/// Revisions of a page of a history: each holds a whole document.
const HISTORY_PAGE_SIZE: i32 = 20;
/// Most credit notes of one document that are read for the quantities of their lines.
const READ_NOTES: usize = 20;

impl Invoices {
    /// What a note corrects, the credit and debit notes of a document, and what is left to give back.
    pub(crate) async fn relations(
        &self,
        context: &CallContext,
        key: &DocumentKey,
    ) -> Result<DocumentRelations, CommandError> {
        let request = documents::GetDocumentRelationsRequest {
            document_key: key.as_str().to_owned(),
        };
        let operation = &operation::GET_DOCUMENT_RELATIONS;
        let found: documents::DocumentRelations = self
            .gateway
            .call(context, operation, Some(key), &request)
            .await
            .map_err(|error| self.command_error(context, operation, &error))?;
        let lines = if found.remaining.is_empty() {
            Vec::new()
        } else {
            self.lines_left(context, key, &found.notes).await?
        };
        Ok(DocumentRelations {
            originals: found.originals.into_iter().map(related).collect(),
            notes: found.notes.into_iter().map(related).collect(),
            debit_notes: found.debit_notes.into_iter().map(related).collect(),
            remaining: found.remaining,
            currency: found.currency,
            lines,
        })
    }

    async fn lines_left(
        &self,
        context: &CallContext,
        key: &DocumentKey,
        notes: &[documents::RelatedDocument],
    ) -> Result<Vec<LineContent>, CommandError> {
        let operation = &operation::GET_DOCUMENT;
        let read = async |key: &DocumentKey| {
            let document = self.get_document(context, key).await;
            document
                .map(|document| from_wire::content(invoice_of(&document)).lines)
                .map_err(|error| self.command_error(context, operation, &error))
        };
        let mut left = read(key).await?;
        for note in notes.iter().take(READ_NOTES) {
            let credited = read(&note.document_key.as_str().into()).await?;
            subtract(&mut left, &credited);
        }
        Ok(left)
    }

    /// A page of the revisions of a document, newest first; the first page has an empty token.
    pub(crate) async fn history(
        &self,
        context: &CallContext,
        key: &DocumentKey,
        page_token: String,
    ) -> Result<HistoryPage, CommandError> {
        let request = documents::GetDocumentHistoryRequest {
            document_key: key.as_str().to_owned(),
            page_size: HISTORY_PAGE_SIZE,
            page_token,
        };
        let operation = &operation::GET_DOCUMENT_HISTORY;
        let found: documents::DocumentHistory = self
            .gateway
            .call(context, operation, Some(key), &request)
            .await
            .map_err(|error| self.command_error(context, operation, &error))?;
        Ok(HistoryPage {
            entries: found.revisions.into_iter().map(history_entry).collect(),
            next_page: found.next_page_token,
        })
    }
}

fn history_entry(revision: documents::Revision) -> HistoryEntry {
    let invoice = revision
        .document
        .as_ref()
        .map(invoice_of)
        .unwrap_or_default();
    HistoryEntry {
        revision: revision.number,
        action: revision.action,
        event: revision.event.and_then(event),
        number: invoice.number.clone(),
        content: from_wire::content(invoice),
    }
}

fn related(document: documents::RelatedDocument) -> RelatedDocument {
    let kind = kind_from_wire(document.kind());
    let status = match document.status() {
        documents::Status::Unspecified => None,
        status @ (documents::Status::Draft
        | documents::Status::Issued
        | documents::Status::Frozen
        | documents::Status::Rejected) => Some(status_from_wire(status)),
    };
    RelatedDocument {
        key: document.document_key.into(),
        number: document.number,
        kind,
        status,
        issue_date: document.issue_date,
        currency: document.currency,
        gross: document.gross,
    }
}

/// Takes the quantities of a credit note off the lines with the same id and text. What is left of a line never has another sign
/// than the line.
fn subtract(left: &mut [LineContent], credited: &[LineContent]) {
    for line in credited {
        let same = left
            .iter_mut()
            .find(|left| left.id == line.id && left.description == line.description);
        if let Some(same) = same
            && let (Ok(has), Ok(gives)) = (
                decimal::parse(&same.quantity),
                decimal::parse(&line.quantity),
            )
            && let Some(rest) = has.checked_sub(gives)
        {
            let is_left = !has.is_zero() && rest.is_sign_negative() == has.is_sign_negative();
            same.quantity = if is_left {
                decimal::print(rest)
            } else {
                "0".to_owned()
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(id: &str, quantity: &str) -> LineContent {
        LineContent {
            id: id.to_owned(),
            quantity: quantity.to_owned(),
            ..LineContent::default()
        }
    }

    #[test]
    fn credited_quantity_is_subtracted_from_the_line_with_its_id() {
        let mut left = [line("1", "10"), line("2", "1.5")];
        subtract(
            &mut left,
            &[line("2", "0.25"), line("1", "12"), line("9", "1")],
        );
        assert_eq!(left, [line("1", "0"), line("2", "1.25")]);
    }

    #[test]
    fn negative_quantity_is_credited_towards_zero() {
        let mut left = [line("1", "-5"), line("2", "-5"), line("3", "-5")];
        subtract(
            &mut left,
            &[
                line("1", "-2"),
                line("2", "-5"),
                line("2", "-1"),
                line("3", "-9"),
            ],
        );
        assert_eq!(left, [line("1", "-3"), line("2", "0"), line("3", "0")]);
    }
}
