//! Issuing a document: its number, its final content and what is sent to the tax authority are stored in one transaction, then
//! it is sent (decisions 0020, 0021 and 0126).

use std::sync::Arc;

use invoice::rules::check_issue;
use invoicing_contract::messages::documents::{Document, IssueDocumentRequest, Kind, Status};
use invoicing_contract::{ConcurrencyStamp, FieldViolation, invoice_mapping};
use invoicing_http::trace_context::with_current;
use invoicing_http::{RequestContext, TraceContext};
use invoicing_storage::StorageError;
use invoicing_storage::clearance::AuthorityMode;
use invoicing_storage::documents::{
    CreditRelations, NumberOutcome, NumberSeries, NumberedDocument, assigned_number,
    credited_documents,
};
use invoicing_storage::plans::Entitlement;
use jiff::Timestamp;
use jiff::civil::Date;
use uuid::Uuid;

use super::completion::renew_seller;
use super::credit_notes::credit_violation;
use super::entitlements::require_entitlements;
use super::issue_time::local_issue_time;
use super::lifecycle::CREATE_PATHS;
use super::preconditions::{check_editable, check_stamp, invoice, invoice_mut};
use super::{DocumentError, Documents, document_number, document_row};
use crate::clearance::{
    SubmissionPlan, UnsealedDocument, is_unanswered, pending, state_name, submission_of,
};
use crate::new_identifiers::require_stamp;

/// What is added to a violation of the seller: no field of a document changes the details of its tenant.
const REMEDY_OF_SELLER: &str =
    "; an administrator of the organization changes it with UpdateOwnTenant";

impl Documents {
    /// Issues a draft: numbers it, and sends it to the tax authority of the tenant. A rejected document keeps its number and
    /// can be edited and issued again. A repeated request, recognised by its stamp, finds what the first one did. With
    /// `validate_only` the document is returned as it is, and nothing is sent: the authority would take it for an issued one.
    ///
    /// # Errors
    /// See [`DocumentError`]. [`DocumentError::TaxAuthorityUnavailable`]: the document is issued, and sent again until the
    /// authority answers.
    pub async fn issue(
        &self,
        context: &RequestContext,
        request: IssueDocumentRequest,
    ) -> Result<Document, DocumentError> {
        let stamp = require_stamp(request.concurrency_stamp)?;
        let mut document = self.get(context, &request.document_key.into()).await?;
        if !request.validate_only
            && let Some(issued) = self.issued_before(context, &document, &stamp).await?
        {
            return issued;
        }
        check_editable(&document)?;
        check_stamp(&document, &stamp)?;
        let unchanged = request.validate_only.then(|| document.clone());
        renew_seller(&mut document, &context.tenant);
        // The plan can have changed since the draft was written.
        if let Some(invoice) = invoice(&document) {
            require_entitlements(&context.tenant, invoice)?;
        }
        require_issuable(&document)?;
        // Checked again in the transaction that numbers the document.
        let relations = self
            .store
            .credit_relations(context.organization(), &credited_documents(&document))
            .await?;
        if let Some(violation) = credit_violation(&document, &relations) {
            return Err(DocumentError::NotIssuable(violation));
        }
        let kind = invoice(&document).map_or(Kind::Unspecified, |invoice| invoice.kind());
        let authority = self
            .clearance
            .authority(context.organization(), kind)
            .await?;
        if let Some(settings) = &authority
            && !context
                .tenant
                .entitlements()
                .include(Entitlement::Authority(&settings.adapter))
        {
            return Err(DocumentError::NotEntitled);
        }
        let plan = authority.as_ref().map(|settings| {
            let waits = settings.mode == AuthorityMode::Clearance;
            self.clearance.plan(settings, &document, waits)
        });
        let now = self.clock.now();
        let event = self.event(context);
        document.concurrency_stamp = self.new_stamp();
        document.status = Status::Issued as i32;
        document.updated = Some(event.clone());
        document.issued = Some(event);
        document.issue_time = Some(local_issue_time(&document, &context.tenant));
        document.authority = plan.as_ref().map(|plan| pending(plan.id));
        if let Some(plan) = &plan {
            self.check_sealable(&document, plan, &stamp, now)?;
        }
        if let Some(unchanged) = unchanged {
            return Ok(unchanged);
        }
        let claim = plan.as_ref().map(|plan| (plan.id, plan.claim));
        let issued = self
            .store_numbered(context, document, &stamp, plan, now)
            .await?;
        match claim {
            None => Ok(issued),
            Some((_, None)) => {
                self.clearance.wake();
                Ok(issued)
            }
            Some((submission, Some(claim))) => {
                self.send_and_wait(context, submission, claim.holder, issued)
                    .await
            }
        }
    }

    /// The outcome of the request that issued a document, if this one repeats it: it has the stamp that the document was issued
    /// from. An answer that is missing is asked for again, unless somebody else does that.
    async fn issued_before(
        &self,
        context: &RequestContext,
        document: &Document,
        stamp: &ConcurrencyStamp,
    ) -> Result<Option<Result<Document, DocumentError>>, DocumentError> {
        let Some(id) = submission_of(document) else {
            return Ok(None);
        };
        if document.concurrency_stamp == stamp.as_str() {
            return Ok(None);
        }
        let submission = self.store.submission(context.organization(), id).await?;
        let Some(submission) = submission.filter(|found| found.issued_from == *stamp) else {
            return Ok(None);
        };
        if submission.answered_at.is_some() {
            return Ok(Some(Ok(document.clone())));
        }
        let settings = self.store.authority(context.organization()).await?;
        if settings.is_some_and(|settings| settings.mode == AuthorityMode::Reporting) {
            // As the first request: nobody waits for the authority.
            self.clearance.wake();
            return Ok(Some(Ok(document.clone())));
        }
        let claim = self.clearance.claim(context.organization(), id).await?;
        let Some(holder) = claim else {
            return Ok(Some(Err(unavailable(document))));
        };
        Ok(Some(
            self.send_and_wait(context, id, holder, document.clone())
                .await,
        ))
    }

    /// Sends a submission in a task of its own, so that the answer is stored also when the caller stops waiting.
    async fn send_and_wait(
        &self,
        context: &RequestContext,
        submission: Uuid,
        holder: Uuid,
        issued: Document,
    ) -> Result<Document, DocumentError> {
        let clearance = Arc::clone(&self.clearance);
        let organization = context.organization().clone();
        let trace = TraceContext::current();
        let sent = tokio::spawn(with_current(trace, async move {
            clearance.send(&organization, submission, holder).await
        }));
        match sent.await {
            Ok(Ok(Some(document))) if is_unanswered(&document) => Err(unavailable(&document)),
            Ok(Ok(Some(document))) => Ok(document),
            Ok(Ok(None)) => Err(DocumentError::NotFound),
            Ok(Err(error)) => {
                tracing::warn!(
                    organization = %context.organization(),
                    error = &error as &dyn std::error::Error,
                    "issued, but the answer of the tax authority is not stored"
                );
                Err(unavailable(&issued))
            }
            Err(error) => Err(StorageError::unexpected(error).into()),
        }
    }

    /// The document can be written in the form of the authority.
    fn check_sealable(
        &self,
        document: &Document,
        plan: &SubmissionPlan,
        stamp: &ConcurrencyStamp,
        now: Timestamp,
    ) -> Result<(), DocumentError> {
        let unsealed = UnsealedDocument {
            document,
            submission: plan.id,
            issued_at: now,
        };
        self.clearance.seal(plan, &unsealed, stamp)?;
        Ok(())
    }

    /// Stores an issued document under the next number of its series, in place of the one with the stamp `expected`. A document
    /// that has a number keeps it.
    async fn store_numbered(
        &self,
        context: &RequestContext,
        document: Document,
        expected: &ConcurrencyStamp,
        plan: Option<SubmissionPlan>,
        now: Timestamp,
    ) -> Result<Document, DocumentError> {
        let row = document_row(document)?;
        let issued: Date = row.issue_date.parse().map_err(|error| {
            StorageError::corrupt(format!("issue date {:?}: {error}", row.issue_date))
        })?;
        let (key, kind, year) = (row.key, row.kind, issued.year());
        let series = NumberSeries { kind, year };
        let clearance = Arc::clone(&self.clearance);
        let issued_from = expected.clone();
        let numbering = move |sequence, relations: &CreditRelations| {
            let mut document = row.document.clone();
            if let Some(violation) = credit_violation(&document, relations) {
                return Ok(Err(violation));
            }
            if assigned_number(&document).is_empty()
                && let Some(invoice) = invoice_mut(&mut document)
            {
                invoice.number = document_number(kind, year, sequence);
            }
            let submission = plan.as_ref().map(|plan| {
                let unsealed = UnsealedDocument {
                    document: &document,
                    submission: plan.id,
                    issued_at: now,
                };
                clearance.seal(plan, &unsealed, &issued_from)
            });
            let submission = submission.transpose().map_err(StorageError::corrupt)?;
            Ok(Ok(NumberedDocument {
                row: document_row(document)?,
                submission,
            }))
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
            NumberOutcome::Refused(violation) => Err(DocumentError::NotIssuable(violation)),
        }
    }
}

/// What the authority would reject or remark on never leaves (decision 0174).
fn require_issuable(document: &Document) -> Result<(), DocumentError> {
    let Some(invoice) = invoice(document) else {
        return Ok(());
    };
    let (content, _unknown) = invoice_mapping::to_content(invoice.clone());
    let seller = invoice_mapping::to_seller(document);
    let found = check_issue(&content, &seller).into_iter();
    // The paths in the request that created the draft, as the request that issues it has no content. Those of the seller are in the
    // document only: its details are those of the tenant.
    let violations: Vec<_> = found
        .map(|found| {
            let remedy = if found.path.starts_with("seller.") {
                REMEDY_OF_SELLER
            } else {
                ""
            };
            FieldViolation::of_rule(
                format!("{}{}", CREATE_PATHS.invoice, found.path),
                found.rule,
                format_args!("{}{remedy}", found.description),
            )
        })
        .collect();
    if violations.is_empty() {
        Ok(())
    } else {
        Err(DocumentError::InvalidInvoice(violations))
    }
}

fn unavailable(document: &Document) -> DocumentError {
    let state = document.authority.clone().unwrap_or_default().state();
    DocumentError::TaxAuthorityUnavailable {
        number: assigned_number(document).to_owned(),
        state: state_name(state),
    }
}
