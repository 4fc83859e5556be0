//! Downloads of a document: PDF and UBL (decision 0121).

use invoice::pdf::{Digits, Languages, Layout, Paper};
use invoice::ubl;
use invoicing_contract::DocumentKey;
use invoicing_contract::invoice_mapping::to_document;
use invoicing_contract::messages::documents::{Document, PdfLanguage};
use invoicing_http::RequestContext;
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

use super::file_response::FileContent;
use super::issue_time::issue_time;
use super::preconditions::invoice;
use super::{DocumentError, Documents};

impl Documents {
    /// The PDF of a document.
    ///
    /// # Errors
    /// See [`DocumentError`].
    pub(super) async fn pdf(
        &self,
        context: &RequestContext,
        key: &DocumentKey,
        language: PdfLanguage,
    ) -> Result<FileContent, DocumentError> {
        let document = self.get(context, key).await?;
        let is_draft = !has_number(&document);
        let layout = Layout {
            paper: Paper::A4,
            languages: match language {
                PdfLanguage::English => Languages::English,
                PdfLanguage::Arabic => Languages::Arabic,
                PdfLanguage::Unspecified | PdfLanguage::EnglishAndArabic => Languages::Both,
            },
            digits: Digits::Latin,
            created: last_written(&document),
            is_draft,
        };
        let name = file_name(&document, "pdf");
        let document = self.printable(context, document).await?;
        let xml = if is_draft {
            String::new()
        } else {
            ubl::write(&document).map_err(DocumentError::NotWritable)?
        };
        let rendered = self.pdf.render(document, xml.into_bytes(), layout).await;
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
        let document = self.printable(context, document).await?;
        let xml = ubl::write(&document).map_err(DocumentError::NotWritable)?;
        Ok(FileContent {
            media_type: "application/xml".to_owned(),
            name,
            bytes: xml.into_bytes(),
        })
    }

    /// The document as UBL and PDF are written from it.
    async fn printable(
        &self,
        context: &RequestContext,
        document: Document,
    ) -> Result<invoice::Document, DocumentError> {
        let issue_time = issue_time(&document, &context.tenant);
        let papers = if has_number(&document) {
            self.supporting_documents(context, &document).await?
        } else {
            Vec::new()
        };
        let mut written = to_document(document, issue_time);
        written.content.documents.extend(papers);
        Ok(written)
    }
}

fn has_number(document: &Document) -> bool {
    invoice(document).is_some_and(|invoice| !invoice.number.is_empty())
}

/// `INV-2026-0001.pdf`, or the key of a document without a number.
fn file_name(document: &Document, extension: &str) -> String {
    let number = invoice(document).map_or("", |invoice| &invoice.number);
    let name = if number.is_empty() {
        &document.document_key
    } else {
        number
    };
    format!("{name}.{extension}")
}

/// When the document was written last, in UTC: the same document makes the same file.
fn last_written(document: &Document) -> DateTime {
    let time = document
        .updated
        .as_ref()
        .and_then(|event| event.time.as_ref());
    time.and_then(|time| Timestamp::new(time.seconds, 0).ok())
        .unwrap_or_default()
        .to_zoned(TimeZone::UTC)
        .datetime()
}
