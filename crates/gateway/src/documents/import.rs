//! Import: a draft from a UBL or Cross Industry Invoice file (decision 0121).

use invoice::content::SupportingDocument;
use invoice::xml::Limits;
use invoice::{ParsedDocument, Syntax, Violation, check_document};
use invoicing_contract::messages::documents::{
    Document, FileSyntax, FileViolation, ImportDocumentRequest, ImportDocumentResponse,
    UnreadElement,
};
use invoicing_contract::{FieldViolation, OrganizationId, invoice_mapping};
use invoicing_http::RequestContext;
use invoicing_storage::directory::Tenant;
use jiff::civil::Date;

use super::completion::InvoiceChecker;
use super::lifecycle::CREATE_PATHS;
use super::preconditions::invoice;
use super::{DocumentError, Documents};
use crate::tenant_time::today;

/// Limits of a file. Its size is that of a request; entities and document types are not read at all.
const LIMITS: Limits = Limits {
    bytes: 4 << 20,
    token_bytes: 4 << 20,
    depth: 32,
    repeated: 20_000,
    unmapped_names: 500,
};
/// Most violations of a response.
const MAX_VIOLATIONS: usize = 100;
/// Supporting documents of Saudi Arabia that belong to one issued file: counter, hash of the file before, QR code.
const OF_ISSUED_FILE: [&str; 3] = ["ICV", "PIH", "QR"];
const NO_PLACE: &str = "documents have no field for it";

impl Documents {
    /// Creates a draft from a file.
    ///
    /// # Errors
    /// See [`DocumentError`]. The paths of violations are those of a Create.
    pub async fn import(
        &self,
        context: &RequestContext,
        request: ImportDocumentRequest,
    ) -> Result<ImportDocumentResponse, DocumentError> {
        let ImportDocumentRequest {
            document_key,
            content,
            validate_only,
        } = request;
        if content.is_empty() {
            return Err(DocumentError::ContentMissing { path: "content" });
        }
        let today = today(&context.tenant, self.clock.now());
        let read = read_file(
            &self.invoice_checker,
            context.organization(),
            content,
            today,
        );
        let (parsed, violations) = read.await?;
        let mut unread = unread(&parsed, &context.tenant);
        let ParsedDocument {
            syntax, document, ..
        } = parsed;
        let document = document.with_vat_numbers_outside_scope(&context.tenant.tax_id);
        let (number, declared) = (document.number, document.figures.totals.gross);
        let mut content = document.content;
        content.documents.retain(|paper| !is_of_issued_file(paper));
        let key = document_key.into();
        let invoice = Some(invoice_mapping::to_message(content));
        let draft = self
            .new_document(context, &key, invoice, CREATE_PATHS)
            .await;
        let (draft, draft_violations) = match draft {
            Ok(draft) => (Some(draft), Vec::new()),
            Err(DocumentError::InvalidInvoice(found)) if validate_only => (None, found),
            Err(error) => return Err(error),
        };
        let stored = match draft {
            Some(draft) => Some(self.add_unless(validate_only, context, draft).await?),
            None => None,
        };
        unread.extend(stored.as_ref().and_then(|it| other_total(it, &declared)));
        Ok(ImportDocumentResponse {
            document: stored,
            syntax: match syntax {
                Syntax::Ubl => FileSyntax::Ubl,
                Syntax::Cii => FileSyntax::Cii,
            }
            .into(),
            number,
            unread,
            violations: limited(violations.into_iter().map(of_file)),
            draft_violations: limited(draft_violations.into_iter().map(of_draft)),
        })
    }
}

/// A file, and the rules that it breaks as it is. A file of 4 MiB takes long, and many times as much memory.
async fn read_file(
    checker: &InvoiceChecker,
    organization: &OrganizationId,
    content: Vec<u8>,
    today: Date,
) -> Result<(ParsedDocument, Vec<Violation>), DocumentError> {
    let read = checker.in_turn(organization, move || {
        let parsed = invoice::read(content.as_slice(), LIMITS)?;
        let violations = check_document(&parsed.document, today).violations;
        Ok((parsed, violations))
    });
    read.await?.map_err(DocumentError::UnreadableFile)
}

/// What of a file is not in its draft.
fn unread(parsed: &ParsedDocument, tenant: &Tenant) -> Vec<UnreadElement> {
    let element = |path: &str, reason: &str| UnreadElement {
        path: path.to_owned(),
        count: 1,
        reason: reason.to_owned(),
    };
    let mut unread = Vec::new();
    let document = &parsed.document;
    if !document.number.is_empty() {
        unread.push(element(
            "number",
            "a draft gets its number when it is issued",
        ));
    }
    // Outside the scope of tax a file has the number as an identifier.
    let seller = &document.seller;
    let mut ids = seller.other_ids.iter();
    if seller.tax_id != tenant.tax_id && !ids.any(|id| id.value == tenant.tax_id) {
        unread.push(element(
            "seller",
            "the seller of a draft is the organization",
        ));
    }
    if !document.creditor_id.is_empty() {
        unread.push(element("creditorId", NO_PLACE));
    }
    for (index, paper) in document.content.documents.iter().enumerate() {
        if is_of_issued_file(paper) {
            let path = format!("documents[{index}]");
            unread.push(element(&path, "belongs to the file that was issued"));
        }
    }
    unread.extend(parsed.unmapped.iter().map(|unmapped| UnreadElement {
        path: unmapped.name.clone(),
        count: i32::try_from(unmapped.count).unwrap_or(i32::MAX),
        reason: NO_PLACE.to_owned(),
    }));
    unread
}

fn is_of_issued_file(paper: &SupportingDocument) -> bool {
    OF_ISSUED_FILE.contains(&paper.id.value.as_str())
}

/// The total that the file declares, if the draft computes another.
fn other_total(draft: &Document, declared: &str) -> Option<UnreadElement> {
    let gross = &invoice(draft)?.totals.as_ref()?.gross;
    let parse = |text: &str| invoice::decimal::parse(text).ok();
    let (computed, stated) = (parse(gross)?, parse(declared)?);
    (computed != stated).then(|| UnreadElement {
        path: "totals.gross".to_owned(),
        count: 1,
        reason: format!("the file says {declared}, the draft comes to {gross}"),
    })
}

fn limited(violations: impl Iterator<Item = FileViolation>) -> Vec<FileViolation> {
    violations.take(MAX_VIOLATIONS).collect()
}

fn of_file(violation: Violation) -> FileViolation {
    FileViolation {
        path: violation.path,
        rule: violation.rule.to_owned(),
        description: violation.description,
    }
}

fn of_draft(violation: FieldViolation) -> FileViolation {
    let FieldViolation { field, description } = violation;
    let (rule, description) = description
        .split_once(": ")
        .map(|(rule, rest)| (rule.to_owned(), rest.to_owned()))
        .unwrap_or((String::new(), description));
    FileViolation {
        path: field
            .strip_prefix(CREATE_PATHS.invoice)
            .unwrap_or(&field)
            .to_owned(),
        rule,
        description,
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    #[tokio::test]
    async fn file_is_read_once_there_is_a_turn() {
        let checker = InvoiceChecker::new();
        let turns = checker.turns.take_all().await;
        let content = b"<Quotation/>".to_vec();
        let (organization, today) = ("1".into(), Date::constant(2026, 11, 21));
        let mut read = Box::pin(read_file(&checker, &organization, content, today));
        assert!(read.as_mut().now_or_never().is_none(), "it waits");
        drop(turns);
        let refused = read.await.err();
        assert!(matches!(refused, Some(DocumentError::UnreadableFile(_))));
    }
}
