//! Issuing a document: clearance by the tax authority, then a number (decisions 0020 and 0021).

use std::error::Error;

use invoicing_contract::ConcurrencyStamp;
use invoicing_contract::messages::documents::{
    Authority as Decision, Document, IssueDocumentRequest, Status,
};
use invoicing_http::RequestContext;
use invoicing_storage::StorageError;
use invoicing_storage::documents::{
    Action, CreditRelations, NumberOutcome, NumberSeries, corrected_documents,
};
use jiff::civil::Date;

use super::completion::renew_seller;
use super::credit_notes::credit_violation;
use super::entitlements::require_entitlements;
use super::preconditions::{check_editable, check_stamp, invoice_mut, require_stamp};
use super::tax_authority::REJECTED;
use super::{DocumentError, Documents, document_number, document_row};

impl Documents {
    /// Issues a draft: numbers it, after the tax authority of the tenant has accepted it. A rejected document stores the
    /// authority's messages and can be edited. With `validate_only` the document is returned as it is: nothing is sent to the
    /// authority, which would take it for an issued one.
    ///
    /// # Errors
    /// See [`DocumentError`].
    pub async fn issue(
        &self,
        context: &RequestContext,
        request: IssueDocumentRequest,
    ) -> Result<Document, DocumentError> {
        let stamp = require_stamp(request.concurrency_stamp)?;
        let mut document = self.get(context, &request.document_key.into()).await?;
        check_editable(&document)?;
        check_stamp(&document, &stamp)?;
        // The plan can have changed since the draft was written.
        if let Some(invoice) = invoice_mut(&mut document) {
            require_entitlements(&context.tenant, invoice)?;
        }
        // Checked before the request to the authority, and again in the transaction that numbers the document.
        let relations = self
            .store
            .credit_relations(context.organization(), &corrected_documents(&document))
            .await?;
        if let Some(violation) = credit_violation(&document, &relations) {
            return Err(DocumentError::CreditExceeded(violation));
        }
        if request.validate_only {
            return Ok(document);
        }
        document.concurrency_stamp = self.new_stamp();
        renew_seller(&mut document, &context.tenant);
        if let Some(decision) = self.request_clearance(context, &document).await? {
            let rejected = decision.status == REJECTED;
            document.authority = Some(decision);
            if rejected {
                document.status = Status::Rejected as i32;
                return self
                    .replace(context, document, &stamp, Action::Rejected)
                    .await;
            }
        }
        let event = self.event(context);
        document.status = Status::Issued as i32;
        document.updated = Some(event.clone());
        document.issued = Some(event);
        self.store_numbered(context, document, &stamp).await
    }

    /// The decision of the tenant's tax authority, if it has one.
    async fn request_clearance(
        &self,
        context: &RequestContext,
        document: &Document,
    ) -> Result<Option<Decision>, DocumentError> {
        let Some(endpoint) = &context.tenant.authority_endpoint else {
            return Ok(None);
        };
        let decision = self.tax_authority.submit(endpoint, document).await;
        decision.map(Some).map_err(|error| {
            tracing::warn!(
                organization = %context.organization(),
                error = &error as &dyn Error,
                "not issued: no decision of the tax authority"
            );
            DocumentError::TaxAuthorityUnavailable(error)
        })
    }

    /// Stores an issued document under the next number of its series, in place of the one with the stamp `expected`.
    async fn store_numbered(
        &self,
        context: &RequestContext,
        document: Document,
        expected: &ConcurrencyStamp,
    ) -> Result<Document, DocumentError> {
        let row = document_row(document)?;
        let issued: Date = row.issue_date.parse().map_err(|error| {
            StorageError::corrupt(format!("issue date {:?}: {error}", row.issue_date))
        })?;
        let (key, kind, year) = (row.key, row.kind, issued.year());
        let series = NumberSeries { kind, year };
        let numbering = move |sequence, relations: &CreditRelations| {
            let mut document = row.document.clone();
            if let Some(violation) = credit_violation(&document, relations) {
                return Ok(Err(violation));
            }
            if let Some(invoice) = invoice_mut(&mut document) {
                invoice.number = document_number(kind, year, sequence);
            }
            document_row(document).map(Ok)
        };
        let outcome = self.store.number_document(
            context.organization(),
            key,
            expected,
            &series,
            Box::new(numbering),
        );
        match outcome.await? {
            NumberOutcome::Stored(document) => Ok(*document),
            NumberOutcome::Stale => Err(DocumentError::StampMismatch),
            NumberOutcome::Refused(violation) => Err(DocumentError::CreditExceeded(violation)),
        }
    }
}
