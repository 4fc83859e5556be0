//! The life of a document: draft, issued, frozen (decision 0021).

use invoicing_contract::FieldViolation;
use invoicing_contract::messages::documents::{
    CreateDocumentRequest, DeleteDocumentRequest, Document, DocumentContent, DocumentHistory,
    FreezeDocumentRequest, Invoice, IssueDocumentRequest, Status, UpdateDocumentRequest,
};
use jiff::Timestamp;
use jiff::civil::Date;
use uuid::Uuid;

use super::authority::REJECTED;
use super::conditions::{editable, fresh, frozen, given, invoice_mut, stamped};
use super::credit::above_originals;
use super::plan::{month, plan_limit};
use super::{Acting, DocumentError, Documents, complete, entry, number, rules, today};
use invoicing_storage::StorageError;
use invoicing_storage::documents::{
    Action, AddOutcome, CreditRelations, NumberOutcome, NumberSeries, WriteOutcome,
    corrected_documents,
};

/// Most revisions that are told.
const HISTORY: u32 = 200;
/// Where documents v2 carries the invoice.
const CONTENT: &str = "changes.content";

impl Documents {
    /// Creates a draft.
    ///
    /// # Errors
    /// See [`DocumentError`].
    pub async fn create(
        &self,
        acting: &Acting<'_>,
        request: CreateDocumentRequest,
    ) -> Result<Document, DocumentError> {
        let invoice = request
            .changes
            .and_then(|changes| changes.content)
            .and_then(|content| content.invoice);
        self.add(
            acting,
            &request.document_key,
            invoice,
            CONTENT,
            "changes.content.invoice.",
        )
        .await
    }

    /// Creates a draft from an invoice that stands at `path` in the request; `content` is the path told if there is none.
    pub(super) async fn add(
        &self,
        acting: &Acting<'_>,
        key: &str,
        invoice: Option<Invoice>,
        content: &'static str,
        path: &str,
    ) -> Result<Document, DocumentError> {
        let invoice = given(invoice, content)?;
        let now = self.world.clock.now();
        let key = self.new_key(key, now);
        let invoice = complete(
            invoice,
            acting.tenant,
            &rules(acting.tenant, today(acting.tenant, now))?,
            path,
        );
        let (key, invoice) = match (key, invoice) {
            (Ok(key), Ok(invoice)) => (key, invoice),
            (Err(violation), Ok(_)) => return Err(DocumentError::InvalidRequest(vec![violation])),
            (Err(violation), Err(DocumentError::InvalidInvoice(mut violations))) => {
                violations.insert(0, violation);
                return Err(DocumentError::InvalidInvoice(violations));
            }
            (_, Err(error)) => return Err(error),
        };
        self.within_originals(acting, &invoice, path).await?;
        let event = self.event(acting);
        let document = Document {
            document_key: key.to_string(),
            organization_id: acting.organization().to_string(),
            status: Status::Draft as i32,
            concurrency_stamp: self.stamp(),
            content: Some(DocumentContent {
                invoice: Some(invoice),
            }),
            created: Some(event.clone()),
            updated: Some(event),
            ..Document::default()
        };
        let added = entry(document)?;
        match self
            .store
            .add_document(&added, &month(acting.tenant, now))
            .await?
        {
            AddOutcome::Stored => Ok(added.document),
            AddOutcome::KeyTaken => Err(DocumentError::KeyTaken),
            AddOutcome::PlanLimit => Err(plan_limit(acting.tenant, now)),
        }
    }

    /// A document of the organization.
    ///
    /// # Errors
    /// See [`DocumentError`].
    pub async fn get(&self, acting: &Acting<'_>, key: &str) -> Result<Document, DocumentError> {
        // What is no key is the key of nothing.
        let key = Uuid::try_parse(key).map_err(|_| DocumentError::NotFound)?;
        self.store
            .document(acting.organization(), key)
            .await?
            .ok_or(DocumentError::NotFound)
    }

    /// Replaces the content of a draft, or of a rejected document, which is a draft again.
    ///
    /// # Errors
    /// See [`DocumentError`].
    pub async fn update(
        &self,
        acting: &Acting<'_>,
        request: UpdateDocumentRequest,
    ) -> Result<Document, DocumentError> {
        let stamp = stamped(&request.concurrency_stamp);
        let invoice = request
            .changes
            .and_then(|changes| changes.content)
            .and_then(|content| content.invoice);
        let invoice = given(invoice, CONTENT)?;
        let rules = rules(acting.tenant, today(acting.tenant, self.world.clock.now()))?;
        let invoice = match (
            complete(invoice, acting.tenant, &rules, "changes.content.invoice."),
            stamp,
        ) {
            (Err(DocumentError::InvalidInvoice(mut violations)), Err(stamp)) => {
                violations.insert(0, stamp);
                return Err(DocumentError::InvalidInvoice(violations));
            }
            (invoice, Ok(())) => invoice?,
            (_, Err(stamp)) => return Err(DocumentError::InvalidRequest(vec![stamp])),
        };
        self.within_originals(acting, &invoice, "changes.content.invoice.")
            .await?;
        let mut document = self.get(acting, &request.document_key).await?;
        editable(&document)?;
        fresh(&document, &request.concurrency_stamp)?;
        document.status = Status::Draft as i32;
        document.authority = None;
        document.content = Some(DocumentContent {
            invoice: Some(invoice),
        });
        self.replace(
            acting,
            document,
            &request.concurrency_stamp,
            Action::Updated,
        )
        .await
    }

    /// Numbers a draft, after its tax authority has taken it. What the authority rejects keeps its messages and can be
    /// corrected.
    ///
    /// # Errors
    /// See [`DocumentError`].
    pub async fn issue(
        &self,
        acting: &Acting<'_>,
        request: IssueDocumentRequest,
    ) -> Result<Document, DocumentError> {
        stamped(&request.concurrency_stamp)
            .map_err(|violation| DocumentError::InvalidRequest(vec![violation]))?;
        let mut document = self.get(acting, &request.document_key).await?;
        editable(&document)?;
        fresh(&document, &request.concurrency_stamp)?;
        // Before the authority is asked, and again where the number is given.
        let originals = corrected_documents(&document);
        let credited = self
            .store
            .credit_relations(acting.organization(), &originals)
            .await?;
        if let Some(violation) = above_originals(&document, &credited) {
            return Err(DocumentError::CreditedAlready(violation));
        }
        let stamp = std::mem::replace(&mut document.concurrency_stamp, self.stamp());
        if let Some(endpoint) = &acting.tenant.authority_endpoint {
            let answer = self
                .authority
                .ask(endpoint, &document)
                .await
                .map_err(|error| {
                    tracing::warn!(organization = %acting.organization(), %error, "not issued");
                    DocumentError::AuthorityUnavailable
                })?;
            let rejected = answer.status == REJECTED;
            document.authority = Some(answer);
            if rejected {
                document.status = Status::Rejected as i32;
                return self
                    .replace(acting, document, &stamp, Action::Rejected)
                    .await;
            }
        }
        let event = self.event(acting);
        document.status = Status::Issued as i32;
        document.updated = Some(event.clone());
        document.issued = Some(event);

        let draft = entry(document)?;
        let issued: Date = draft
            .issue_date
            .parse()
            .map_err(|_| StorageError::corrupt(draft.issue_date.clone()))?;
        let series = NumberSeries {
            kind: draft.kind,
            year: issued.year(),
        };
        let key = draft.key;
        let numbered_series = series.clone();
        let expected = stamp.into();
        let numbering = move |sequence, relations: &CreditRelations| {
            if let Some(violation) = above_originals(&draft.document, relations) {
                return Ok(Err(violation));
            }
            let mut document = draft.document;
            if let Some(invoice) = invoice_mut(&mut document) {
                invoice.number = number(numbered_series.kind, numbered_series.year, sequence).0;
            }
            entry(document).map(Ok)
        };
        let numbered = self.store.number_document(
            acting.organization(),
            key,
            &expected,
            &series,
            Box::new(numbering),
        );
        match numbered.await? {
            NumberOutcome::Stored(document) => Ok(*document),
            NumberOutcome::Stale => Err(DocumentError::Stale),
            NumberOutcome::Refused(violation) => Err(DocumentError::CreditedAlready(violation)),
        }
    }

    /// Closes an issued document for good.
    ///
    /// # Errors
    /// See [`DocumentError`].
    pub async fn freeze(
        &self,
        acting: &Acting<'_>,
        request: FreezeDocumentRequest,
    ) -> Result<Document, DocumentError> {
        stamped(&request.concurrency_stamp)
            .map_err(|violation| DocumentError::InvalidRequest(vec![violation]))?;
        let mut document = self.get(acting, &request.document_key).await?;
        match document.status() {
            Status::Issued => {}
            Status::Frozen => return Err(frozen(&document)),
            Status::Draft | Status::Rejected | Status::Unspecified => {
                return Err(DocumentError::NotIssued);
            }
        }
        fresh(&document, &request.concurrency_stamp)?;
        document.status = Status::Frozen as i32;
        document.frozen = Some(self.event(acting));
        self.replace(acting, document, &request.concurrency_stamp, Action::Frozen)
            .await
    }

    /// Deletes a draft, or a document that the authority rejected. Its history stays.
    ///
    /// # Errors
    /// See [`DocumentError`].
    pub async fn delete(
        &self,
        acting: &Acting<'_>,
        request: DeleteDocumentRequest,
    ) -> Result<(), DocumentError> {
        stamped(&request.concurrency_stamp)
            .map_err(|violation| DocumentError::InvalidRequest(vec![violation]))?;
        let mut document = self.get(acting, &request.document_key).await?;
        editable(&document)?;
        fresh(&document, &request.concurrency_stamp)?;
        document.updated = Some(self.event(acting));
        match self
            .store
            .delete_document(&entry(document)?, &request.concurrency_stamp.into())
            .await?
        {
            WriteOutcome::Stored => Ok(()),
            WriteOutcome::Stale => Err(DocumentError::Stale),
        }
    }

    /// What was done to a document, newest first.
    ///
    /// # Errors
    /// See [`DocumentError`].
    pub async fn history(
        &self,
        acting: &Acting<'_>,
        key: &str,
    ) -> Result<DocumentHistory, DocumentError> {
        let parsed = Uuid::try_parse(key).map_err(|_| DocumentError::NotFound)?;
        let revisions = self
            .store
            .document_history(acting.organization(), parsed, HISTORY)
            .await?;
        if revisions.is_empty() {
            // What was imported has none.
            self.get(acting, key).await?;
        }
        Ok(DocumentHistory { revisions })
    }

    /// Writes a changed document over the one with `stamp`.
    async fn replace(
        &self,
        acting: &Acting<'_>,
        mut document: Document,
        stamp: &str,
        action: Action,
    ) -> Result<Document, DocumentError> {
        document.concurrency_stamp = self.stamp();
        document.updated = Some(self.event(acting));
        let changed = entry(document)?;
        match self
            .store
            .replace_document(&changed, &stamp.into(), action)
            .await?
        {
            WriteOutcome::Stored => Ok(changed.document),
            WriteOutcome::Stale => Err(DocumentError::Stale),
        }
    }

    /// The caller's key, or a new one.
    fn new_key(&self, key: &str, now: Timestamp) -> Result<Uuid, FieldViolation> {
        if key.is_empty() {
            let mut random = [0; 10];
            self.world.randomness.fill(&mut random);
            let milliseconds = u64::try_from(now.as_millisecond()).unwrap_or_default();
            return Ok(
                uuid::Builder::from_unix_timestamp_millis(milliseconds, &random).into_uuid(),
            );
        }
        let parsed = Uuid::try_parse(key)
            .ok()
            .filter(|uuid| uuid.get_version_num() == 7 && uuid.to_string() == key);
        parsed.ok_or_else(|| {
            FieldViolation::new("documentKey", "is not a UUIDv7 in lower case with hyphens")
        })
    }

    fn stamp(&self) -> String {
        let mut random = [0; 16];
        self.world.randomness.fill(&mut random);
        Uuid::from_bytes(random).simple().to_string()
    }
}
