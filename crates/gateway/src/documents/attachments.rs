//! Attachments of documents: added and removed while the document can be edited (decision 0121).

use aws_lc_rs::digest::{SHA256, digest};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use invoice::codes::is_mime;
use invoice::content::{Attachment, Identifier, SupportingDocument};
use invoice::rules::EMBEDDED_FILE;
use invoicing_contract::attachments::{
    MAX_ATTACHMENTS, has_unwritable_character, is_file_name, is_of_type,
};
use invoicing_contract::messages::documents::{
    AddAttachmentRequest, AttachmentInfo, Document, Invoice, ListAttachmentsResponse,
    RemoveAttachmentRequest,
};
use invoicing_contract::{DocumentKey, FieldViolation};
use invoicing_http::RequestContext;
use invoicing_storage::StorageError;
use invoicing_storage::documents::{AttachmentChange, WriteOutcome};
use uuid::Uuid;

use super::document_key::parse_key;
use super::file_response::FileContent;
use super::preconditions::{check_editable, check_stamp};
use super::{DocumentError, Documents, document_row};
use crate::new_identifiers::require_stamp;

/// What Saudi Arabia calls the files that belong to an invoice: its counter, the hash of the one before, and the QR code, which is no
/// text.
const PLAIN_TEXT: &str = "text/plain";

const NOT_A_NAME: &str =
    "must be a name of 1 to 255 characters, without a path and control characters";
const NO_TYPE: &str = "is not a type that an invoice can contain (BT-125)";
const OTHER_TYPE: &str = "is not of the media type";

impl Documents {
    /// Adds an attachment to a document that can be edited.
    ///
    /// # Errors
    /// See [`DocumentError`].
    pub async fn add_attachment(
        &self,
        context: &RequestContext,
        request: AddAttachmentRequest,
    ) -> Result<Document, DocumentError> {
        let mut violations = violations(&request);
        let stamp = require_stamp(request.concurrency_stamp);
        let id = self.new_key(
            &request.attachment_id.into(),
            "attachmentId",
            self.clock.now(),
        );
        let (stamp, id) = match (stamp, id) {
            (Ok(stamp), Ok(id)) if violations.is_empty() => (stamp, id),
            (stamp, id) => {
                violations.extend(id.err());
                violations.splice(0..0, stamp.err());
                return Err(DocumentError::InvalidRequest(violations));
            }
        };
        let mut document = self.get(context, &request.document_key.into()).await?;
        check_editable(&document)?;
        check_stamp(&document, &stamp)?;
        let text = id.to_string();
        let known = &document.attachments;
        if known.iter().any(|known| known.attachment_id == text) {
            return Err(DocumentError::AttachmentExists);
        }
        if known.len() >= MAX_ATTACHMENTS {
            return Err(DocumentError::TooManyAttachments {
                most: MAX_ATTACHMENTS,
            });
        }
        document.attachments.push(AttachmentInfo {
            attachment_id: text,
            file_name: request.file_name,
            media_type: request.media_type,
            description: request.description,
            size_bytes: i32::try_from(request.content.len()).unwrap_or(i32::MAX),
            sha256: sha256(&request.content),
            added: Some(self.event(context)),
        });
        let change = AttachmentChange::Add {
            id,
            content: request.content,
        };
        self.change_attachments(context, document, &stamp, &change)
            .await
    }

    /// Removes an attachment of a document that can be edited.
    ///
    /// # Errors
    /// See [`DocumentError`].
    pub async fn remove_attachment(
        &self,
        context: &RequestContext,
        request: RemoveAttachmentRequest,
    ) -> Result<Document, DocumentError> {
        let stamp = require_stamp(request.concurrency_stamp)?;
        let mut document = self.get(context, &request.document_key.into()).await?;
        let id = known(&document, &request.attachment_id)?;
        check_editable(&document)?;
        check_stamp(&document, &stamp)?;
        document
            .attachments
            .retain(|known| known.attachment_id != request.attachment_id);
        let change = AttachmentChange::Remove { id };
        self.change_attachments(context, document, &stamp, &change)
            .await
    }

    /// The attachments of a document, without their contents.
    ///
    /// # Errors
    /// See [`DocumentError`].
    pub async fn attachments(
        &self,
        context: &RequestContext,
        key: &DocumentKey,
    ) -> Result<ListAttachmentsResponse, DocumentError> {
        Ok(ListAttachmentsResponse {
            attachments: self.get(context, key).await?.attachments,
        })
    }

    /// The file of an attachment.
    ///
    /// # Errors
    /// See [`DocumentError`].
    pub(super) async fn attachment(
        &self,
        context: &RequestContext,
        key: &DocumentKey,
        id: &str,
    ) -> Result<FileContent, DocumentError> {
        let document = self.get(context, key).await?;
        let info = document
            .attachments
            .iter()
            .find(|it| it.attachment_id == id);
        let info = info.ok_or(DocumentError::AttachmentNotFound)?;
        Ok(FileContent {
            bytes: self.content(context, &document, info).await?,
            media_type: info.media_type.clone(),
            name: info.file_name.clone(),
        })
    }

    /// The attachments as BG-24, which UBL contains.
    pub(super) async fn supporting_documents(
        &self,
        context: &RequestContext,
        document: &Document,
    ) -> Result<Vec<SupportingDocument>, DocumentError> {
        let mut papers = Vec::new();
        for info in &document.attachments {
            let content = self.content(context, document, info).await?;
            papers.push(SupportingDocument {
                id: Identifier {
                    scheme: String::new(),
                    value: info.attachment_id.clone(),
                },
                description: info.description.clone(),
                attachment: Some(Attachment {
                    mime: info.media_type.clone(),
                    filename: info.file_name.clone(),
                    content: STANDARD.encode(content),
                }),
                ..SupportingDocument::default()
            });
        }
        Ok(papers)
    }

    /// The content of an attachment. One that was removed since the document was read is not found.
    async fn content(
        &self,
        context: &RequestContext,
        document: &Document,
        info: &AttachmentInfo,
    ) -> Result<Vec<u8>, DocumentError> {
        let id = known(document, &info.attachment_id)?;
        let key = parse_key(&document.document_key)?;
        let content = self
            .store
            .attachment(context.organization(), key, id)
            .await?;
        let content = content.ok_or(DocumentError::AttachmentNotFound)?;
        if sha256(&content) != info.sha256 {
            let damaged = format!("content of the attachment {}", info.attachment_id);
            return Err(StorageError::corrupt(damaged).into());
        }
        Ok(content)
    }

    async fn change_attachments(
        &self,
        context: &RequestContext,
        mut document: Document,
        expected: &invoicing_contract::ConcurrencyStamp,
        change: &AttachmentChange,
    ) -> Result<Document, DocumentError> {
        document.concurrency_stamp = self.new_stamp();
        document.updated = Some(self.event(context));
        let row = document_row(document)?;
        let outcome = self.store.change_attachments(&row, expected, change);
        match outcome.await? {
            WriteOutcome::Stored => Ok(row.document),
            WriteOutcome::Stale => Err(DocumentError::StampMismatch),
        }
    }
}

/// The SHA-256 of a content, in hexadecimal digits.
fn sha256(content: &[u8]) -> String {
    base16ct::lower::encode_string(digest(&SHA256, content).as_ref())
}

/// The id of an attachment that the document lists.
fn known(document: &Document, id: &str) -> Result<Uuid, DocumentError> {
    let mut attachments = document.attachments.iter();
    attachments
        .find(|known| known.attachment_id == id)
        .and_then(|known| Uuid::try_parse(&known.attachment_id).ok())
        .ok_or(DocumentError::AttachmentNotFound)
}

/// What is wrong with name, type and content.
fn violations(request: &AddAttachmentRequest) -> Vec<FieldViolation> {
    let mut violations = Vec::new();
    let mut add = |field: &str, what: &str| violations.push(FieldViolation::new(field, what));
    if !is_file_name(&request.file_name) {
        add("fileName", NOT_A_NAME);
    }
    if has_unwritable_character(&request.description) {
        add("description", "must not have control characters");
    }
    if !is_mime(&request.media_type) {
        add("mediaType", NO_TYPE);
    } else if request.content.is_empty() {
        add("content", "must have at least one byte");
    } else if !is_of_type(&request.content, &request.media_type) {
        add("content", OTHER_TYPE);
    }
    violations
}

/// What is wrong with the files inside an invoice (BG-24), which its buyer gets as attachments. `path` is that of the invoice, with a
/// point after it. A name may be missing, as in files of other programs. Only the size of a request limits them, which
/// `Attachment.content` says.
pub(super) fn embedded_violations(invoice: &Invoice, path: &str) -> Vec<FieldViolation> {
    let mut violations = Vec::new();
    for (index, paper) in invoice.documents.iter().enumerate() {
        let Some(file) = &paper.attachment else {
            continue;
        };
        let mut add = |field: &str, what: &str| {
            violations.push(FieldViolation::of_rule(
                format!("{path}documents[{index}].attachment.{field}"),
                EMBEDDED_FILE,
                what,
            ));
        };
        if !file.filename.is_empty() && !is_file_name(&file.filename) {
            add("filename", NOT_A_NAME);
        }
        if !is_mime(&file.mime) && file.mime != PLAIN_TEXT {
            add("mime", NO_TYPE);
            continue;
        }
        match decode(&file.content) {
            None => add("content", "is not Base64"),
            Some(content) if content.is_empty() => add("content", "must have at least one byte"),
            Some(content) if file.mime != PLAIN_TEXT && !is_of_type(&content, &file.mime) => {
                add("content", OTHER_TYPE);
            }
            Some(_) => {}
        }
    }
    violations
}

/// The bytes of Base64, which XML breaks into lines.
fn decode(content: &str) -> Option<Vec<u8>> {
    let mut letters = content.as_bytes().to_vec();
    letters.retain(|letter| !letter.is_ascii_whitespace());
    STANDARD.decode(letters).ok()
}

#[cfg(test)]
mod tests {
    use invoicing_contract::messages::documents as wire;

    use super::*;

    #[test]
    fn name_type_and_content_are_reported_at_once() {
        let request = AddAttachmentRequest {
            file_name: "../secret".into(),
            media_type: "text/html".into(),
            description: "a\nb".into(),
            ..AddAttachmentRequest::default()
        };
        let violations = violations(&request);
        let fields: Vec<_> = violations.iter().map(|each| &*each.field).collect();
        assert_eq!(fields, ["fileName", "description", "mediaType"]);
    }

    #[test]
    fn content_must_be_of_the_declared_type() {
        for (media_type, content, field) in [
            ("text/csv", &b"BMI,Weight\n22,70\n"[..], None),
            ("text/csv", b"a\0b", Some("content")),
            ("text/csv", b"", Some("content")),
            ("text/plain", b"a", Some("mediaType")),
        ] {
            let request = AddAttachmentRequest {
                file_name: "a.csv".into(),
                media_type: media_type.into(),
                content: content.to_vec(),
                ..AddAttachmentRequest::default()
            };
            let found = violations(&request);
            let fields: Vec<_> = found.iter().map(|each| &*each.field).collect();
            assert_eq!(fields.first().copied(), field, "{content:?}");
        }
    }

    #[test]
    fn characters_that_no_file_can_hold_are_refused() {
        for letter in ['\u{7}', '\u{fffe}', '\u{ffff}'] {
            let request = AddAttachmentRequest {
                file_name: format!("a{letter}.csv"),
                media_type: "text/csv".into(),
                description: format!("a{letter}"),
                content: b"a,b".to_vec(),
                ..AddAttachmentRequest::default()
            };
            let violations = violations(&request);
            let fields: Vec<_> = violations.iter().map(|each| &*each.field).collect();
            assert_eq!(fields, ["fileName", "description"], "{letter:?}");
        }
    }

    #[test]
    fn file_inside_an_invoice_is_checked_as_an_attachment_is() {
        for (mime, filename, content, fields) in [
            ("text/csv", "hours.csv", "YSxi", ""),
            ("text/csv", "", "YS\r\n  xi", ""),
            ("text/plain", "", "AQRBY21l", ""),
            ("text/csv", "../hours.csv", "YSxi", "filename"),
            ("text/html", "a\u{7}", "YSxi", "filename mime"),
            ("application/pdf", "a.pdf", "YSxi", "content"),
            ("text/csv", "a.csv", "AAAA", "content"),
            ("text/csv", "a.csv", "a,b", "content"),
            ("text/csv", "a.csv", "", "content"),
        ] {
            let invoice = Invoice {
                documents: vec![
                    wire::SupportingDocument::default(),
                    wire::SupportingDocument {
                        attachment: Some(wire::Attachment {
                            mime: mime.to_owned(),
                            filename: filename.to_owned(),
                            content: content.to_owned(),
                        }),
                        ..wire::SupportingDocument::default()
                    },
                ],
                ..Invoice::default()
            };
            let found = embedded_violations(&invoice, "invoice.");
            let paths: Vec<_> = found.iter().map(|each| each.field.clone()).collect();
            let expected = fields
                .split_whitespace()
                .map(|field| format!("invoice.documents[1].attachment.{field}"));
            assert_eq!(paths, expected.collect::<Vec<_>>(), "{mime} {content:?}");
        }
    }
}
