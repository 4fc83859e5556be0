//! Downloads of a document: PDF and UBL (decision 0121).

use invoice::pdf::{Digits, Languages, Layout, Paper};
use invoice::ubl;
use invoicing_contract::invoice_mapping::to_document;
use invoicing_contract::messages::documents::{
    Document, Event, GetDocumentPdfRequest, PdfLanguage,
};
use invoicing_contract::{DocumentKey, FieldViolation};
use invoicing_http::RequestContext;
use invoicing_storage::documents::assigned_number;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

use super::file_response::FileContent;
use super::issue_time::issue_time;
use super::turns::Turn;
use super::{DocumentError, Documents};
use crate::blocking::run_blocking;
use crate::clearance::submission_of;

impl Documents {
    /// The PDF of a document.
    ///
    /// # Errors
    /// See [`DocumentError`].
    pub(super) async fn pdf(
        &self,
        context: &RequestContext,
        request: GetDocumentPdfRequest,
    ) -> Result<FileContent, DocumentError> {
        let languages = read_languages(request.language)?;
        let document = self.get(context, &request.document_key.into()).await?;
        let is_draft = !has_number(&document);
        let layout = Layout {
            paper: Paper::A4,
            languages,
            digits: Digits::Latin,
            created: last_written(&document),
            is_draft,
        };
        let name = file_name(&document, "pdf");
        let turn = self.pdf.turn(context.organization()).await?;
        let printable = self.printable(context, document, turn).await?;
        let (printable, xml) = if is_draft {
            (printable, Vec::new())
        } else {
            write_ubl(printable).await?
        };
        let Printable { document, turn } = printable;
        let rendered = self.pdf.render(turn, document, xml, layout).await;
        Ok(FileContent {
            media_type: "application/pdf".to_owned(),
            name,
            bytes: rendered?,
        })
    }

    /// The UBL of a document with a number.
    ///
    /// # Errors
    /// See [`DocumentError`].
    pub(super) async fn ubl(
        &self,
        context: &RequestContext,
        key: &DocumentKey,
    ) -> Result<FileContent, DocumentError> {
        let document = self.get(context, key).await?;
        if !has_number(&document) {
            return Err(DocumentError::NotIssued);
        }
        let name = file_name(&document, "xml");
        let turn = self.ubl_turns.take(context.organization()).await;
        let turn = turn.map_err(|_queue_full| DocumentError::UblQueueFull)?;
        let printable = self.printable(context, document, turn).await?;
        let (_, xml) = write_ubl(printable).await?;
        Ok(FileContent {
            media_type: "application/xml".to_owned(),
            name,
            bytes: xml,
        })
    }

    /// The document as UBL and PDF are written from it. It takes a turn, because its attachments are in memory from then on.
    async fn printable(
        &self,
        context: &RequestContext,
        document: Document,
        turn: Turn,
    ) -> Result<Printable, DocumentError> {
        let issue_time = issue_time(&document, &context.tenant);
        let papers = if has_number(&document) {
            self.supporting_documents(context, &document).await?
        } else {
            Vec::new()
        };
        // The authority knows it by this one (KSA-1).
        let submission = submission_of(&document);
        let mut written = to_document(document, issue_time);
        if let Some(submission) = submission {
            written.uuid = submission.to_string();
        }
        written.content.documents.extend(papers);
        Ok(Printable {
            document: written,
            turn,
        })
    }
}

/// The languages of the labels. Over gRPC a request can have a number that is none of the enum.
fn read_languages(language: i32) -> Result<Languages, FieldViolation> {
    match PdfLanguage::try_from(language) {
        Ok(PdfLanguage::English) => Ok(Languages::English),
        Ok(PdfLanguage::Arabic) => Ok(Languages::Arabic),
        Ok(PdfLanguage::Unspecified | PdfLanguage::EnglishAndArabic) => Ok(Languages::Both),
        Err(_) => Err(FieldViolation::new(
            "language",
            "is not one of the values that exist",
        )),
    }
}

/// A document with its attachments, of which a file is made.
struct Printable {
    document: invoice::Document,
    turn: Turn,
}

/// Writes UBL on a thread of its own: attachments make it large.
async fn write_ubl(printable: Printable) -> Result<(Printable, Vec<u8>), DocumentError> {
    let written = run_blocking(move || {
        let xml = ubl::write(&printable.document);
        (printable, xml)
    });
    let (printable, xml) = written.await;
    let xml = xml.map_err(DocumentError::NotWritable)?;
    Ok((printable, xml.into_bytes()))
}

fn has_number(document: &Document) -> bool {
    !assigned_number(document).is_empty()
}

/// `INV-2026-0001.pdf`, or the key of a document without a number.
fn file_name(document: &Document, extension: &str) -> String {
    let number = assigned_number(document);
    let name = if number.is_empty() {
        &document.document_key
    } else {
        number
    };
    format!("{name}.{extension}")
}

/// When the document was written last, in UTC: the same document makes the same file.
fn last_written(document: &Document) -> DateTime {
    let updated = document.updated.as_ref();
    updated
        .and_then(Event::moment)
        .unwrap_or_default()
        .to_zoned(TimeZone::UTC)
        .datetime()
}
