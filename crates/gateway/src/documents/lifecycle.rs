//! The life cycle of a document, except issuing: create, read, update, freeze, delete (decision 0021).

use std::collections::BTreeSet;

use invoicing_contract::messages::documents::{
    CreateDocumentRequest, DeleteDocumentRequest, Document, DocumentChanges, DocumentContent,
    FreezeDocumentRequest, Invoice, Status, UpdateDocumentRequest,
};
use invoicing_contract::{
    ConcurrencyStamp, DocumentKey, FieldMask, FieldViolation, OutputFields as _, field_mask,
};
use invoicing_http::RequestContext;
use invoicing_storage::documents::{
    Action, AddOutcome, DocumentRow, WriteOutcome, assigned_number,
};
use jiff::Timestamp;
use uuid::Uuid;

use super::document_key::{find_document, parse_key};
use super::entitlements::require_entitlements;
use super::plan_limit::{plan_limit_error, plan_month};
use super::preconditions::{
    check_deletable, check_editable, check_issued, check_stamp, invoice, require_invoice,
};
use super::{DocumentError, Documents, check_context, document_row};
use crate::new_identifiers::{new_key, new_stamp, require_stamp};
use crate::tenant_time::today;

/// The path of the content in requests of documents v2.
const CONTENT: &str = "changes.content";
/// The path of the invoice in them, with a point after it.
const INVOICE: &str = "changes.content.invoice.";

/// The paths of a request that creates a document, for its violations.
#[derive(Debug, Clone, Copy)]
pub(super) struct RequestPaths {
    /// The key of the new document.
    pub(super) key: &'static str,
    /// What is reported if the invoice is missing.
    pub(super) content: &'static str,
    /// The invoice, with a point after it.
    pub(super) invoice: &'static str,
}

/// Of a request that has `changes`, or that leads to the same content.
pub(super) const CREATE_PATHS: RequestPaths = RequestPaths {
    key: "documentKey",
    content: CONTENT,
    invoice: INVOICE,
};

impl Documents {
    /// Creates a draft.
    ///
    /// # Errors
    /// See [`DocumentError`].
    pub async fn create(
        &self,
        context: &RequestContext,
        request: CreateDocumentRequest,
    ) -> Result<Document, DocumentError> {
        let invoice = invoice_of(request.changes);
        let key = request.document_key.into();
        let new = self.new_document(context, &key, invoice, CREATE_PATHS);
        self.add_unless(request.validate_only, context, new.await?)
            .await
    }

    /// Stores a new draft. With `validate_only` it only checks that the key is free.
    pub(super) async fn add_unless(
        &self,
        validate_only: bool,
        context: &RequestContext,
        row: DocumentRow,
    ) -> Result<Document, DocumentError> {
        if validate_only {
            let taken = self.store.document(context.organization(), row.key).await?;
            return match taken {
                Some(_) => Err(DocumentError::KeyExists),
                // There is no stored state for a stamp.
                None => Ok(Document {
                    concurrency_stamp: String::new(),
                    ..row.document
                }),
            };
        }
        self.add(context, row).await
    }

    /// A draft that is not stored yet.
    pub(super) async fn new_document(
        &self,
        context: &RequestContext,
        key: &DocumentKey,
        invoice: Option<Invoice>,
        paths: RequestPaths,
    ) -> Result<DocumentRow, DocumentError> {
        let invoice = require_invoice(invoice, paths.content)?;
        require_entitlements(&context.tenant, &invoice)?;
        let now = self.clock.now();
        let key = self.new_key(key, paths.key, now);
        let check_context = check_context(&context.tenant, today(&context.tenant, now))?;
        let invoice =
            self.invoice_checker
                .complete(invoice, &context.tenant, check_context, paths.invoice);
        let (key, invoice) = match (key, invoice.await) {
            (Ok(key), Ok(invoice)) => (key, invoice),
            (Err(violation), Ok(_)) => return Err(violation.into()),
            (Err(violation), Err(DocumentError::InvalidInvoice(mut violations))) => {
                violations.insert(0, violation);
                return Err(DocumentError::InvalidInvoice(violations));
            }
            (_, Err(error)) => return Err(error),
        };
        self.check_credit(context, &invoice, paths.invoice).await?;
        let event = self.event(context);
        let document = Document {
            document_key: key.to_string(),
            organization_id: context.organization().to_string(),
            status: Status::Draft as i32,
            concurrency_stamp: self.new_stamp(),
            content: Some(DocumentContent {
                invoice: Some(invoice),
            }),
            created: Some(event.clone()),
            updated: Some(event),
            ..Document::default()
        };
        Ok(document_row(document)?)
    }

    /// Stores a new draft.
    pub(super) async fn add(
        &self,
        context: &RequestContext,
        row: DocumentRow,
    ) -> Result<Document, DocumentError> {
        let now = self.clock.now();
        match self
            .store
            .add_document(&row, &plan_month(&context.tenant, now))
            .await?
        {
            AddOutcome::Stored => Ok(row.document),
            AddOutcome::KeyTaken => Err(DocumentError::KeyExists),
            AddOutcome::PlanLimit => Err(plan_limit_error(&context.tenant, now)),
        }
    }

    /// A document of the organization.
    ///
    /// # Errors
    /// See [`DocumentError`].
    pub async fn get(
        &self,
        context: &RequestContext,
        key: &DocumentKey,
    ) -> Result<Document, DocumentError> {
        let found = find_document(&*self.store, context.organization(), key.as_str());
        let (_, document) = found.await?;
        Ok(document)
    }

    /// The encoded message of a document, as it is stored.
    ///
    /// # Errors
    /// See [`DocumentError`].
    pub async fn get_encoded(
        &self,
        context: &RequestContext,
        key: &DocumentKey,
    ) -> Result<Vec<u8>, DocumentError> {
        self.store
            .encoded_document(context.organization(), parse_key(key.as_str())?)
            .await?
            .ok_or(DocumentError::NotFound)
    }

    /// Replaces the content of a draft, or of a rejected document, which keeps its number and stays rejected until it is issued
    /// again; with a mask the fields that it names.
    ///
    /// # Errors
    /// See [`DocumentError`].
    pub async fn update(
        &self,
        context: &RequestContext,
        request: UpdateDocumentRequest,
    ) -> Result<Document, DocumentError> {
        let key = request.document_key.into();
        let invoice = match &request.update_mask {
            None => require_invoice(invoice_of(request.changes), CONTENT)?,
            Some(mask) => {
                let stored = self.get(context, &key).await?;
                let mut changes = request.changes.unwrap_or_default();
                // With a mask output fields are ignored (decision 0129), also those in the items that it replaces.
                changes.clear_output_fields();
                masked_invoice(&stored, &changes, mask)?
            }
        };
        require_entitlements(&context.tenant, &invoice)?;
        let stamp = require_stamp(request.concurrency_stamp);
        let check_context =
            check_context(&context.tenant, today(&context.tenant, self.clock.now()))?;
        let invoice =
            self.invoice_checker
                .complete(invoice, &context.tenant, check_context, INVOICE);
        let (invoice, stamp) = match (invoice.await, stamp) {
            (Err(DocumentError::InvalidInvoice(mut violations)), Err(violation)) => {
                violations.insert(0, violation);
                return Err(DocumentError::InvalidInvoice(violations));
            }
            (invoice, Ok(stamp)) => (invoice?, stamp),
            (_, Err(violation)) => return Err(violation.into()),
        };
        self.check_credit(context, &invoice, INVOICE).await?;
        // With a mask the invoice is based on an earlier read; the stamp says whether the document has changed since.
        let mut document = self.get(context, &key).await?;
        check_editable(&document)?;
        check_stamp(&document, &stamp)?;
        let invoice = keep_number(&document, invoice)?;
        self.keep_currency(&document, &invoice).await?;
        document.content = Some(DocumentContent {
            invoice: Some(invoice),
        });
        if request.validate_only {
            return Ok(document);
        }
        self.replace(context, document, &stamp, Action::Updated)
            .await
    }

    /// Refuses another currency for a rejected document while payments or credit notes are recorded on it: amounts are stored in minor
    /// units of the currency (decision 0124).
    async fn keep_currency(&self, stored: &Document, new: &Invoice) -> Result<(), DocumentError> {
        let is_kept = invoice(stored).is_none_or(|old| old.currency == new.currency);
        if is_kept || assigned_number(stored).is_empty() {
            return Ok(());
        }
        let organization = stored.organization_id.as_str().into();
        let key = parse_key(&stored.document_key)?;
        let originals = BTreeSet::from([key]);
        let relations = self.store.credit_relations(&organization, &originals);
        let has_notes = !relations.await?.notes.is_empty();
        let receivable = self.store.receivable(&organization, key).await?;
        let Some(recorded_in) = receivable.filter(|found| found.paid != 0 || has_notes) else {
            return Ok(());
        };
        let recorded = if has_notes {
            "credit notes correct it"
        } else {
            "payments are recorded, which are voided or refunded first"
        };
        let description = format!("in {} {recorded}", recorded_in.currency.code());
        Err(FieldViolation::new(format!("{INVOICE}currency"), description).into())
    }

    /// Freezes an issued document: it never changes again.
    ///
    /// # Errors
    /// See [`DocumentError`].
    pub async fn freeze(
        &self,
        context: &RequestContext,
        request: FreezeDocumentRequest,
    ) -> Result<Document, DocumentError> {
        let stamp = require_stamp(request.concurrency_stamp)?;
        let mut document = self.get(context, &request.document_key.into()).await?;
        check_issued(&document)?;
        check_stamp(&document, &stamp)?;
        document.status = Status::Frozen as i32;
        document.frozen = Some(self.event(context));
        self.replace(context, document, &stamp, Action::Frozen)
            .await
    }

    /// Deletes a document without a number. Its history stays.
    ///
    /// # Errors
    /// See [`DocumentError`].
    pub async fn delete(
        &self,
        context: &RequestContext,
        request: DeleteDocumentRequest,
    ) -> Result<(), DocumentError> {
        let stamp = require_stamp(request.concurrency_stamp)?;
        let mut document = self.get(context, &request.document_key.into()).await?;
        check_deletable(&document)?;
        check_stamp(&document, &stamp)?;
        document.updated = Some(self.event(context));
        let row = document_row(document)?;
        match self.store.delete_document(&row, &stamp).await? {
            WriteOutcome::Stored => Ok(()),
            WriteOutcome::Stale => Err(DocumentError::StampMismatch),
        }
    }

    /// Replaces the document with the stamp `expected` by a changed one.
    pub(super) async fn replace(
        &self,
        context: &RequestContext,
        mut document: Document,
        expected: &ConcurrencyStamp,
        action: Action,
    ) -> Result<Document, DocumentError> {
        document.concurrency_stamp = self.new_stamp();
        document.updated = Some(self.event(context));
        let row = document_row(document)?;
        match self.store.replace_document(&row, expected, action).await? {
            WriteOutcome::Stored => Ok(row.document),
            WriteOutcome::Stale => Err(DocumentError::StampMismatch),
        }
    }

    /// The key in the request, or a new UUIDv7.
    pub(super) fn new_key(
        &self,
        key: &DocumentKey,
        path: &'static str,
        now: Timestamp,
    ) -> Result<Uuid, FieldViolation> {
        new_key(path, key.as_str(), now, &*self.rng)
    }

    pub(super) fn new_stamp(&self) -> String {
        new_stamp(&*self.rng)
    }
}

fn invoice_of(changes: Option<DocumentChanges>) -> Option<Invoice> {
    changes?.content?.invoice
}

/// The invoice of a stored document with the changes that the mask names, without its output fields.
fn masked_invoice(
    stored: &Document,
    changes: &DocumentChanges,
    mask: &FieldMask,
) -> Result<Invoice, DocumentError> {
    let mut current = DocumentChanges {
        content: stored.content.clone(),
    };
    current.clear_output_fields();
    let masked = field_mask::apply(&current, changes, Some(mask));
    let masked = masked.map_err(DocumentError::InvalidRequest)?;
    require_invoice(invoice_of(Some(masked)), CONTENT)
}

/// The new content of a document. If it was rejected, it keeps its number, of which kind and year are a part.
fn keep_number(stored: &Document, mut new: Invoice) -> Result<Invoice, DocumentError> {
    let number = assigned_number(stored);
    let Some(old) = invoice(stored).filter(|_| !number.is_empty()) else {
        return Ok(new);
    };
    let year = |invoice: &Invoice| invoice.issue_date.split('-').next().map(str::to_owned);
    let mut violations = Vec::new();
    for (field, is_kept) in [
        ("kind", new.kind == old.kind),
        ("issueDate", year(&new) == year(old)),
    ] {
        if !is_kept {
            let description = format!("is a part of the number {number}, which the document keeps");
            violations.push(FieldViolation::new(
                format!("{INVOICE}{field}"),
                description,
            ));
        }
    }
    if !violations.is_empty() {
        return Err(DocumentError::InvalidRequest(violations));
    }
    new.number = number.to_owned();
    Ok(new)
}
