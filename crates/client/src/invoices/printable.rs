//! What is printed: a document of the service as its files have it, or a draft as it would be.

use ::invoice::content::{Party, TaxAmounts};
use ::invoice::document::{Document, Figures};
use ::invoice::xml::Limits;
use ::invoice::{CheckContext, Content, Country, Currency, Kind};
use invoicing_contract::invoice_mapping;
use invoicing_contract::messages::documents::{
    GetDocumentPdfRequest, GetDocumentUblRequest, PdfLanguage,
};
use invoicing_contract::{ConcurrencyStamp, DocumentKey, OrganizationId, operation};
use jiff::civil::Date;

use super::list_request::list_request;
use super::overlay::overlay;
use super::sellers::SellerKey;
use super::{Invoices, from_wire, parse_numbers};
use crate::gateway::{CallContext, DownloadedFile, GatewayError, PdfFile, XmlFile};
use crate::paper::Printable;
use crate::views::{
    CommandError, DocumentFormat, Draft, InvoiceQuery, LocalizedText, PrintLanguage,
};

/// How many issued documents are kept as their files have them, for another language or a second look.
const KEPT: usize = 8;

/// An issued document as its UBL has it.
pub(super) struct IssuedFile {
    organization: OrganizationId,
    key: DocumentKey,
    stamp: ConcurrencyStamp,
    document: Document,
}

impl Invoices {
    /// Downloads a document as a file.
    pub(crate) async fn download(
        &self,
        context: &CallContext,
        key: &DocumentKey,
        format: DocumentFormat,
        language: PrintLanguage,
    ) -> Result<DownloadedFile, CommandError> {
        let document_key = key.as_str().to_owned();
        let (operation, answer) = match format {
            DocumentFormat::Pdf => {
                let operation = &operation::GET_DOCUMENT_PDF;
                let request = GetDocumentPdfRequest {
                    document_key,
                    language: match language {
                        PrintLanguage::English => PdfLanguage::English,
                        PrintLanguage::Arabic => PdfLanguage::Arabic,
                        PrintLanguage::Both => PdfLanguage::EnglishAndArabic,
                    }
                    .into(),
                };
                let answer = self.gateway.call(context, operation, Some(key), &request);
                (operation, answer.await.map(|PdfFile(file)| file))
            }
            DocumentFormat::Ubl => (&operation::GET_DOCUMENT_UBL, self.ubl(context, key).await),
        };
        answer.map_err(|error| self.command_error(context, operation, &error))
    }

    async fn ubl(
        &self,
        context: &CallContext,
        key: &DocumentKey,
    ) -> Result<DownloadedFile, GatewayError> {
        let request = GetDocumentUblRequest {
            document_key: key.as_str().to_owned(),
        };
        let answer = self
            .gateway
            .call(context, &operation::GET_DOCUMENT_UBL, Some(key), &request);
        answer.await.map(|XmlFile(file)| file)
    }

    /// A document as it is printed. One with a number is read from its UBL, as its PDF is written from it, so that the paper
    /// has the same time of issue and the same QR code.
    pub(crate) async fn printable(
        &self,
        context: &CallContext,
        key: &DocumentKey,
        stamp: &ConcurrencyStamp,
    ) -> Result<Printable, CommandError> {
        let organization = &context.organization;
        if let Some(document) = self.issued_file(organization, key, stamp) {
            return Ok(Printable {
                document,
                is_draft: false,
            });
        }
        let document = match self.cached(organization, key, stamp) {
            Some(document) => document,
            None => self
                .get_document(context, key)
                .await
                .map_err(|error| self.command_error(context, &operation::GET_DOCUMENT, &error))?,
        };
        if from_wire::invoice_of(&document).number.is_empty() {
            return Ok(Printable {
                document: invoice_mapping::to_document(document, String::new()),
                is_draft: true,
            });
        }
        let file = self
            .ubl(context, key)
            .await
            .map_err(|error| self.command_error(context, &operation::GET_DOCUMENT_UBL, &error))?;
        let read = ::invoice::read(file.bytes.as_slice(), Limits::default());
        let Ok(parsed) = read else {
            tracing::error!("the UBL of a document cannot be read");
            return Err(CommandError::NotPrinted);
        };
        let mut files = self.issued_files();
        files.retain(|file| file.key != *key);
        files.push_front(IssuedFile {
            organization: organization.clone(),
            key: key.clone(),
            stamp: document.concurrency_stamp.as_str().into(),
            document: parsed.document.clone(),
        });
        files.truncate(KEPT);
        drop(files);
        Ok(Printable {
            document: parsed.document,
            is_draft: false,
        })
    }

    fn issued_file(
        &self,
        organization: &OrganizationId,
        key: &DocumentKey,
        stamp: &ConcurrencyStamp,
    ) -> Option<Document> {
        let files = self.issued_files();
        let found = files.iter().find(|file| {
            file.organization == *organization && file.key == *key && file.stamp == *stamp
        });
        found.map(|file| file.document.clone())
    }

    /// A draft as it would be printed now. What the document that it changes has beside the form is printed, if that document
    /// has been read. `name` stands for a seller of whom no document has been read.
    pub(crate) async fn draft_printable(
        &self,
        context: &CallContext,
        draft: &Draft,
        name: LocalizedText,
        today: Date,
    ) -> Printable {
        let organization = &context.organization;
        let seller = match self.known_seller(context).await {
            Some(seller) => seller,
            None => Party {
                name: (&name).into(),
                ..Party::default()
            },
        };
        let changed = draft
            .changes
            .as_ref()
            .and_then(|changes| self.cached(organization, &draft.key, &changes.stamp));
        let (document, stored) = changed
            .map(|document| {
                let (content, _) = invoice_mapping::to_content(from_wire::invoice_of(&document));
                (from_wire::invoice_of(&document).number, content)
            })
            .unwrap_or_default();
        // A number with two readings is absent, as in the totals.
        let (form, _) = parse_numbers(&draft.content);
        Printable {
            document: Document {
                number: document,
                ..draft_document(overlay(stored, &form), seller, today)
            },
            is_draft: true,
        }
    }

    /// The seller as the next document will have it, if it is known or can be read. It is asked for once in a session, and without
    /// retries: the paper beside the form does not wait for a service that is slow.
    pub(crate) async fn known_seller(&self, context: &CallContext) -> Option<Party> {
        let seller = SellerKey::of(context);
        if let Some(known) = self.sellers.get(&seller) {
            return Some(known);
        }
        if !self.sellers.ask(seller.clone()) {
            return None;
        }
        let once = CallContext {
            retries: false,
            ..context.clone()
        };
        let request = list_request(&InvoiceQuery {
            page_size: 1,
            ..InvoiceQuery::default()
        })
        .ok()?;
        let page: invoicing_contract::messages::simple::ListInvoicesResponse = self
            .gateway
            .call(&once, &operation::LIST_INVOICES, None, &request)
            .await
            .ok()?;
        let key = DocumentKey::new(page.items.first()?.document_key.clone());
        self.get_document(&once, &key).await.ok()?;
        self.sellers.get(&seller)
    }
}

/// A content of our own with its computed amounts, as far as they can be computed.
fn draft_document(mut content: Content, seller: Party, today: Date) -> Document {
    let seller_country = Country::parse(&seller.address.country).unwrap_or(Country::SAUDI_ARABIA);
    let currency = Currency::parse(&content.currency).or_else(|| Currency::parse("SAR"));
    let report = currency.map(|currency| {
        let rules = CheckContext {
            today,
            seller_country,
            currency,
        };
        ::invoice::check(&content, &rules)
    });
    let (calculation, invoice) = report
        .map(|report| (report.calculation, report.invoice))
        .unwrap_or_default();
    // As the service completes a document: KSA-11 and KSA-12 of each line.
    if seller_country == Country::SAUDI_ARABIA
        && let Some(invoice) = invoice
    {
        for (line, checked) in content.lines.iter_mut().zip(&invoice.lines) {
            line.details.tax_amounts = checked.tax_amounts.as_ref().map(|amounts| TaxAmounts {
                tax: amounts.tax.to_string(),
                gross: amounts.gross.to_string(),
            });
        }
    }
    let figures = Figures::of(&calculation).unwrap_or_else(|| Figures {
        line_nets: calculation
            .lines
            .iter()
            .map(|net| net.map(|net| net.to_string()).unwrap_or_default())
            .collect(),
        ..Figures::default()
    });
    Document {
        type_code: match content.kind {
            Kind::Invoice => "380",
            Kind::CreditNote => "381",
            Kind::DebitNote => "383",
        }
        .to_owned(),
        seller,
        content,
        figures,
        ..Document::default()
    }
    .with_omitted_values()
    .with_saudi_terms()
    .without_vat_numbers_outside_scope()
}

#[cfg(test)]
mod tests {
    use ::invoice::content::{AllowanceCharge, Line};

    use super::*;

    #[test]
    fn draft_states_the_amounts_of_percentages_as_the_issued_document_does() {
        let percentage = AllowanceCharge {
            base: "114.96".to_owned(),
            percent: "10".to_owned(),
            ..AllowanceCharge::default()
        };
        let content = Content {
            currency: "SAR".to_owned(),
            lines: vec![Line {
                allowances_charges: vec![percentage.clone()],
                ..Line::default()
            }],
            allowances_charges: vec![percentage],
            ..Content::default()
        };
        let today = jiff::civil::date(2026, 11, 21);
        let printed = draft_document(content, Party::default(), today).content;
        let of_line = &printed.lines[0].allowances_charges[0];
        assert_eq!(of_line.amount, "11.50");
        assert_eq!(printed.allowances_charges[0].amount, "11.50");
    }
}
