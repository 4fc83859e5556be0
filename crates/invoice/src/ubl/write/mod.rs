//! Writes UBL in the element order of its schema.

mod line;
mod party;
mod settlement;

use super::{INVOICED_OBJECT, PROJECT};
use crate::content::{Identifier, Period, SupportingDocument};
use crate::document::Traits;
use crate::syntax::{CAC_NAMESPACE, CBC_NAMESPACE, CREDIT_NOTE_NAMESPACE, INVOICE_NAMESPACE};
use crate::xml::{WriteError, Writer};
use crate::{Content, Country, Document, Kind, Subtype, codes};

pub(super) fn write(document: &Document) -> Result<String, WriteError> {
    let mut writer = Writer::new();
    let root = Root::of(document)?;
    let attributes = [
        ("xmlns", root.namespace()),
        ("xmlns:cac", CAC_NAMESPACE),
        ("xmlns:cbc", CBC_NAMESPACE),
    ];
    writer.element(root.name(), &attributes, |writer| {
        identification(writer, document, root);
        references(writer, document, root);
        party::parties(writer, document);
        settlement::payment(writer, document, root);
        settlement::totals(writer, document, root);
        line::lines(writer, document, root);
    });
    writer.finish()
}

/// The document types of UBL for invoices and credit notes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Root {
    Invoice,
    CreditNote,
}

impl Root {
    /// A credit note has its own document type, except in Saudi Arabia.
    fn of(document: &Document) -> Result<Self, WriteError> {
        let kind = document.content.kind;
        let fits_invoice = codes::kind(&document.type_code) == kind;
        let saudi = document.seller.address.country == Country::SAUDI_ARABIA.code();
        match kind {
            Kind::CreditNote if saudi && fits_invoice => Ok(Self::Invoice),
            Kind::CreditNote => Ok(Self::CreditNote),
            Kind::Invoice | Kind::DebitNote if fits_invoice => Ok(Self::Invoice),
            Kind::Invoice | Kind::DebitNote => Err(WriteError::TypeCode {
                type_code: document.type_code.clone(),
            }),
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Invoice => "Invoice",
            Self::CreditNote => "CreditNote",
        }
    }

    const fn namespace(self) -> &'static str {
        match self {
            Self::Invoice => INVOICE_NAMESPACE,
            Self::CreditNote => CREDIT_NOTE_NAMESPACE,
        }
    }
}

fn identification(writer: &mut Writer, document: &Document, root: Root) {
    let content = &document.content;
    let references = &content.references;
    writer.text("cbc:CustomizationID", &document.specification);
    writer.text("cbc:ProfileID", &document.process);
    writer.text("cbc:ID", &document.number);
    writer.text("cbc:UUID", &document.uuid);
    writer.text("cbc:IssueDate", &content.issue_date);
    writer.text("cbc:IssueTime", &document.issue_time);
    let transaction = content
        .subtype
        .map_or_else(String::new, |subtype| transaction(subtype, document.traits));
    let transaction = [("name", transaction.as_str())];
    match root {
        Root::Invoice => {
            writer.text("cbc:DueDate", &content.due_date);
            writer.text_with("cbc:InvoiceTypeCode", &transaction, &document.type_code);
            notes(writer, content);
            writer.text("cbc:TaxPointDate", &content.tax_point_date);
        }
        Root::CreditNote => {
            writer.text("cbc:TaxPointDate", &content.tax_point_date);
            writer.text_with("cbc:CreditNoteTypeCode", &transaction, &document.type_code);
            notes(writer, content);
        }
    }
    writer.text("cbc:DocumentCurrencyCode", &content.currency);
    writer.text("cbc:TaxCurrencyCode", &content.tax_currency);
    writer.text("cbc:AccountingCost", &references.accounting);
    writer.text("cbc:BuyerReference", &references.buyer);
    if content.period.is_some() || !content.tax_point_code.is_empty() {
        writer.element("cac:InvoicePeriod", &[], |writer| {
            if let Some(dates) = &content.period {
                period(writer, dates);
            }
            writer.text("cbc:DescriptionCode", &content.tax_point_code);
        });
    }
}

/// BG-1: the Arabic note is an element of its own, which names its language (decision 0149).
fn notes(writer: &mut Writer, content: &Content) {
    writer.text("cbc:Note", &content.note);
    if !content.note_ar.is_empty() {
        writer.text_with("cbc:Note", &[("languageID", "ar")], &content.note_ar);
    }
}

/// KSA-2: `NNPNESBCG`. The last two positions, which programs of earlier versions do not read, stand there if one of them is set.
fn transaction(subtype: Subtype, traits: Traits) -> String {
    let subtype = match subtype {
        Subtype::Standard => "01",
        Subtype::Simplified => "02",
    };
    let flags = [
        traits.third_party,
        traits.nominal,
        traits.export,
        traits.summary,
        traits.self_billed,
        traits.continuous,
        traits.government,
    ];
    let positions = if traits.continuous || traits.government {
        flags.len()
    } else {
        5
    };
    let flags = flags.map(|flag| if flag { '1' } else { '0' });
    let flags = flags.into_iter().take(positions);
    subtype.chars().chain(flags).collect()
}

fn references(writer: &mut Writer, document: &Document, root: Root) {
    let content = &document.content;
    let references = &content.references;
    writer.group("cac:OrderReference", |writer| {
        writer.text("cbc:ID", &content.purchase_order);
        writer.text("cbc:SalesOrderID", &references.sales_order);
    });
    for reference in &content.preceding {
        writer.element("cac:BillingReference", &[], |writer| {
            writer.element("cac:InvoiceDocumentReference", &[], |writer| {
                writer.text("cbc:ID", &reference.number);
                writer.text("cbc:UUID", &reference.document_key);
                writer.text("cbc:IssueDate", &reference.issue_date);
            });
        });
    }
    only_id(
        writer,
        "cac:DespatchDocumentReference",
        &references.despatch_advice,
    );
    only_id(
        writer,
        "cac:ReceiptDocumentReference",
        &references.receiving_advice,
    );
    match root {
        Root::Invoice => {
            only_id(
                writer,
                "cac:OriginatorDocumentReference",
                &references.tender,
            );
            only_id(
                writer,
                "cac:ContractDocumentReference",
                &references.contract,
            );
            supporting_documents(writer, document);
            only_id(writer, "cac:ProjectReference", &references.project);
        }
        Root::CreditNote => {
            only_id(
                writer,
                "cac:ContractDocumentReference",
                &references.contract,
            );
            if let Some(project) = project(&references.project) {
                supporting_document(writer, &project);
            }
            supporting_documents(writer, document);
            only_id(
                writer,
                "cac:OriginatorDocumentReference",
                &references.tender,
            );
        }
    }
}

/// BT-11 of a credit note, which UBL represents as a supporting document.
fn project(id: &str) -> Option<SupportingDocument> {
    (!id.is_empty()).then(|| SupportingDocument {
        id: Identifier {
            scheme: String::new(),
            value: id.to_owned(),
        },
        type_code: PROJECT.to_owned(),
        ..SupportingDocument::default()
    })
}

fn supporting_documents(writer: &mut Writer, document: &Document) {
    let object = &document.content.references.invoiced_object;
    if *object != Identifier::default() {
        let paper = SupportingDocument {
            id: object.clone(),
            type_code: INVOICED_OBJECT.to_owned(),
            ..SupportingDocument::default()
        };
        supporting_document(writer, &paper);
    }
    for paper in &document.content.documents {
        supporting_document(writer, paper);
    }
}

fn supporting_document(writer: &mut Writer, paper: &SupportingDocument) {
    writer.element("cac:AdditionalDocumentReference", &[], |writer| {
        identifier(writer, "cbc:ID", &paper.id);
        writer.text("cbc:UUID", &paper.uuid);
        writer.text("cbc:DocumentTypeCode", &paper.type_code);
        writer.text("cbc:DocumentDescription", &paper.description);
        writer.group("cac:Attachment", |writer| {
            if let Some(attachment) = &paper.attachment {
                let attributes = [
                    ("mimeCode", attachment.mime.as_str()),
                    ("filename", attachment.filename.as_str()),
                ];
                writer.element("cbc:EmbeddedDocumentBinaryObject", &attributes, |writer| {
                    writer.characters("cbc:EmbeddedDocumentBinaryObject", &attachment.content)
                });
            }
            writer.group("cac:ExternalReference", |writer| {
                writer.text("cbc:URI", &paper.uri);
            });
        });
    });
}

fn period(writer: &mut Writer, period: &Period) {
    writer.text("cbc:StartDate", &period.start);
    writer.text("cbc:EndDate", &period.end);
}

fn identifier(writer: &mut Writer, name: &'static str, id: &Identifier) {
    writer.text_with(name, &[("schemeID", &id.scheme)], &id.value);
}

fn only_id(writer: &mut Writer, name: &'static str, id: &str) {
    writer.group(name, |writer| writer.text("cbc:ID", id));
}
