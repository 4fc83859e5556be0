//! Duplicates: a new draft with the content of a document (decision 0120).

use invoicing_contract::OutputFields as _;
use invoicing_contract::messages::documents::{Document, DuplicateDocumentRequest, Invoice, Kind};
use invoicing_http::RequestContext;

use super::lifecycle::{CREATE_PATHS, RequestPaths};
use super::preconditions::invoice;
use super::{DocumentError, Documents};

impl Documents {
    /// Creates a draft with the content of a document of the organization. It is checked as one that the caller sends, because
    /// rules and tenant can have changed since.
    ///
    /// # Errors
    /// See [`DocumentError`]. The paths of violations are those of a Create.
    pub async fn duplicate(
        &self,
        context: &RequestContext,
        request: DuplicateDocumentRequest,
    ) -> Result<Document, DocumentError> {
        let DuplicateDocumentRequest {
            document_key,
            new_document_key,
            validate_only,
            exchange_rate,
        } = request;
        let source = self.get(context, &document_key.into()).await?;
        let new_key = new_document_key.into();
        let content = invoice(&source).map(|source| content_of_duplicate(source, exchange_rate));
        let paths = RequestPaths {
            key: "newDocumentKey",
            ..CREATE_PATHS
        };
        let draft = self.new_document(context, &new_key, content, paths).await?;
        self.add_unless(validate_only, context, draft).await
    }
}

/// What a duplicate takes of an invoice: what a caller can send, without what belongs to one business transaction, which are its
/// dates, what was prepaid, and, of an invoice, the exchange rate of its day and the documents before it. A note keeps what it
/// corrects, without which none is valid, and the rate that counts for that. The type of a tax invoice (KSA-2) stays as it was stated:
/// only the caller knows that a buyer with an identifier gets a simplified one (BR-KSA-49).
fn content_of_duplicate(source: &Invoice, exchange_rate: String) -> Invoice {
    let mut copy = source.clone();
    copy.clear_output_fields();
    copy.expected_totals = None;
    copy.issue_date.clear();
    copy.due_date.clear();
    copy.supply_date.clear();
    copy.tax_point_date.clear();
    copy.period = None;
    copy.prepaid.clear();
    if let Some(delivery) = &mut copy.delivery {
        delivery.latest_date.clear();
    }
    for line in &mut copy.lines {
        line.period = None;
    }
    let is_note = copy.kind() == Kind::CreditNote || copy.kind() == Kind::DebitNote;
    if !is_note {
        copy.preceding.clear();
    }
    if !is_note || !exchange_rate.is_empty() {
        copy.exchange_rate = exchange_rate;
    }
    copy
}

#[cfg(test)]
mod tests {
    use invoicing_contract::messages::documents::Subtype;

    use super::*;

    fn rate(kind: Kind, given: &str) -> String {
        let source = Invoice {
            kind: kind.into(),
            tax_currency: "SAR".to_owned(),
            exchange_rate: "4.10".to_owned(),
            ..Invoice::default()
        };
        content_of_duplicate(&source, given.to_owned()).exchange_rate
    }

    #[test]
    fn duplicate_of_an_invoice_has_the_rate_that_is_given_and_a_note_that_of_what_it_corrects() {
        assert_eq!(rate(Kind::Invoice, ""), "");
        assert_eq!(rate(Kind::Invoice, "4.25"), "4.25");
        assert_eq!(rate(Kind::CreditNote, ""), "4.10");
        assert_eq!(rate(Kind::DebitNote, "4.25"), "4.25");
    }

    #[test]
    fn type_of_a_tax_invoice_is_copied_as_it_was_stated() {
        for subtype in [Subtype::Unspecified, Subtype::Simplified, Subtype::Standard] {
            let source = Invoice {
                subtype: subtype.into(),
                ..Invoice::default()
            };
            let copy = content_of_duplicate(&source, String::new());
            assert_eq!(copy.subtype(), subtype);
        }
    }
}
