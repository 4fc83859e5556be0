//! Reads UBL: the root element and its children.

mod line;
mod party;
mod references;
mod settlement;

use std::io::BufRead;

use crate::codes::{self, SEPA};
use crate::content::{Line, Period, Text};
use crate::document::Traits;
use crate::syntax::{CAC, CBC, CREDIT_NOTE, INVOICE, ParsedDocument, Syntax};
use crate::xml::{ReadError, Source};
use crate::{Country, Document, Kind, Subtype};

pub(super) fn read<R: BufRead>(mut source: Source<R>) -> Result<ParsedDocument, ReadError> {
    let mut document = Document::default();
    match source.name() {
        (INVOICE, "Invoice") => {}
        (CREDIT_NOTE, "CreditNote") => document.content.kind = Kind::CreditNote,
        _ => return Err(source.unexpected_root()),
    }
    source.children(|source| child(source, &mut document))?;
    settle_kind(&mut document);
    collect_creditor(&mut document);
    settlement::settle_tax(&mut document);
    let unmapped = source.finish()?;
    Ok(ParsedDocument {
        syntax: Syntax::Ubl,
        document,
        unmapped,
    })
}

fn child<R: BufRead>(source: &mut Source<R>, document: &mut Document) -> Result<(), ReadError> {
    let content = &mut document.content;
    let references = &mut content.references;
    match source.name() {
        (CBC, "UBLVersionID") => {
            let version = source.text()?;
            if version == "2.1" {
                Ok(())
            } else {
                source.record_last_unmapped()
            }
        }
        (CBC, "CustomizationID") => source.read_text(&mut document.specification),
        (CBC, "ProfileID") => source.read_text(&mut document.process),
        (CBC, "ID") => source.read_text(&mut document.number),
        (CBC, "UUID") => source.read_text(&mut document.uuid),
        (CBC, "IssueDate") => source.read_day(&mut content.issue_date),
        (CBC, "IssueTime") => source.read_text(&mut document.issue_time),
        (CBC, "DueDate") => source.read_day(&mut content.due_date),
        (CBC, "InvoiceTypeCode" | "CreditNoteTypeCode") => type_code(source, document),
        (CBC, "Note") => {
            let is_arabic = source.read_attribute_values("languageID", &["ar"]);
            source.append_text(if is_arabic {
                &mut content.note_ar
            } else {
                &mut content.note
            })
        }
        (CBC, "TaxPointDate") => source.read_day(&mut content.tax_point_date),
        (CBC, "DocumentCurrencyCode") => source.read_text(&mut content.currency),
        (CBC, "TaxCurrencyCode") => source.read_text(&mut content.tax_currency),
        (CBC, "AccountingCost") => source.read_text(&mut references.accounting),
        (CBC, "BuyerReference") => source.read_text(&mut references.buyer),
        (CAC, "InvoicePeriod") => document_period(source, content),
        (CAC, "OrderReference") => source.children(|source| match source.name() {
            (CBC, "ID") => source.read_text(&mut content.purchase_order),
            (CBC, "SalesOrderID") => source.read_text(&mut references.sales_order),
            _ => source.skip(),
        }),
        (CAC, "BillingReference") => references::preceding(source, &mut content.preceding),
        (CAC, "DespatchDocumentReference") => only_id(source, &mut references.despatch_advice),
        (CAC, "ReceiptDocumentReference") => only_id(source, &mut references.receiving_advice),
        (CAC, "OriginatorDocumentReference") => only_id(source, &mut references.tender),
        (CAC, "ContractDocumentReference") => only_id(source, &mut references.contract),
        (CAC, "ProjectReference") => only_id(source, &mut references.project),
        (CAC, "AdditionalDocumentReference") => references::supporting_document(source, content),
        (CAC, "AccountingSupplierParty") => within(source, "Party", |source| {
            party::seller(source, &mut document.seller)
        }),
        (CAC, "AccountingCustomerParty") => within(source, "Party", |source| {
            party::buyer(source, &mut content.buyer)
        }),
        (CAC, "PayeeParty") if content.payee.is_none() => {
            party::payee(source, content.payee.insert(Default::default()))
        }
        (CAC, "TaxRepresentativeParty") if content.tax_representative.is_none() => {
            party::tax_representative(
                source,
                content.tax_representative.insert(Default::default()),
            )
        }
        (CAC, "Delivery") if content.delivery.is_none() => references::delivery(source, content),
        (CAC, "PaymentMeans") => settlement::payment_means(source, content),
        (CAC, "PaymentTerms") => source.children(|source| match source.name() {
            (CBC, "Note") => source.append_text(&mut content.payment_terms),
            _ => source.skip(),
        }),
        (CAC, "TaxExchangeRate") => source.children(|source| match source.name() {
            (CBC, "SourceCurrencyCode") => source.expect_text(&content.currency),
            (CBC, "TargetCurrencyCode") => source.expect_text(&content.tax_currency),
            (CBC, "CalculationRate") => source.read_decimal(&mut content.exchange_rate),
            _ => source.skip(),
        }),
        (CAC, "AllowanceCharge") => {
            source.count_repeated()?;
            let mut item = Default::default();
            line::allowance_charge(source, &content.currency, &mut item)?;
            content.allowances_charges.push(item);
            Ok(())
        }
        (CAC, "TaxTotal") => settlement::tax_total(source, document),
        (CAC, "LegalMonetaryTotal") => settlement::monetary_total(source, document),
        (CAC, "InvoiceLine" | "CreditNoteLine") => {
            source.count_repeated()?;
            let (mut one, mut net) = Default::default();
            let start = source.position();
            line::line(source, &content.currency, &mut one, &mut net)?;
            let (lines, nets) = (&mut content.lines, &mut document.figures.line_nets);
            if lines.is_empty() {
                // Growing by doubling would copy ten thousand lines and take twice their memory.
                let more =
                    source.estimate_remaining(source.position() - start, size_of::<Line>())?;
                lines.reserve_exact(more + 1);
                nets.reserve_exact(more + 1);
            }
            lines.push(one);
            nets.push(net);
            Ok(())
        }
        _ => source.skip(),
    }
}

/// BT-3 and KSA-2.
fn type_code<R: BufRead>(source: &mut Source<R>, document: &mut Document) -> Result<(), ReadError> {
    let name = source.attribute("name");
    if !name.is_empty() {
        match transaction(&name) {
            Some((subtype, traits)) => {
                document.content.subtype = Some(subtype);
                document.traits = traits;
            }
            None => source.record_unmapped("@name")?,
        }
    }
    source.read_text(&mut document.type_code)?;
    Ok(())
}

/// The root element `CreditNote` is a credit note. The root element `Invoice` is an invoice or a debit note, and only in Saudi
/// Arabia a credit note as well: elsewhere the rule BR-CL-01 reports the type code of a credit note there.
fn settle_kind(document: &mut Document) {
    let kind = codes::kind(&document.type_code);
    let is_saudi = document.seller.address.country == Country::SAUDI_ARABIA.code();
    if document.content.kind == Kind::Invoice && (kind != Kind::CreditNote || is_saudi) {
        document.content.kind = kind;
    }
}

/// KSA-2: `NNPNESBCG`, of which earlier versions of the standard have the first seven positions (BR-KSA-06).
fn transaction(name: &str) -> Option<(Subtype, Traits)> {
    let (subtype, flags) = match name.as_bytes() {
        [b'0', b'1', flags @ ..] => (Subtype::Standard, flags),
        [b'0', b'2', flags @ ..] => (Subtype::Simplified, flags),
        _ => return None,
    };
    let (flags, added) = flags.split_at_checked(5)?;
    let [third_party, nominal, export, summary, self_billed] = flags else {
        return None;
    };
    let flag = |byte: &u8| match byte {
        b'0' => Some(false),
        b'1' => Some(true),
        _ => None,
    };
    let (continuous, government) = match added {
        [] => (false, false),
        [continuous] => (flag(continuous)?, false),
        [continuous, government] => (flag(continuous)?, flag(government)?),
        _ => return None,
    };
    let traits = Traits {
        third_party: flag(third_party)?,
        nominal: flag(nominal)?,
        export: flag(export)?,
        summary: flag(summary)?,
        self_billed: flag(self_billed)?,
        continuous,
        government,
    };
    Some((subtype, traits))
}

fn document_period<R: BufRead>(
    source: &mut Source<R>,
    content: &mut crate::Content,
) -> Result<(), ReadError> {
    let crate::Content {
        period: dates,
        tax_point_code,
        ..
    } = content;
    let mut found = Period::default();
    source.children(|source| match source.name() {
        (CBC, "DescriptionCode") => source.read_text(tax_point_code),
        _ => period(source, &mut found),
    })?;
    match dates {
        // A tax point code without dates is not a period.
        None if found != Period::default() || tax_point_code.is_empty() => *dates = Some(found),
        None => {}
        Some(_) => source.record_last_unmapped()?,
    }
    Ok(())
}

/// Reads a child element of a period.
fn period<R: BufRead>(source: &mut Source<R>, period: &mut Period) -> Result<(), ReadError> {
    match source.name() {
        (CBC, "StartDate") => source.read_day(&mut period.start),
        (CBC, "EndDate") => source.read_day(&mut period.end),
        _ => source.skip(),
    }
}

/// BT-90: UBL has it among the identifiers of the seller.
fn collect_creditor(document: &mut Document) {
    let ids = &mut document.seller.other_ids;
    if let Some(at) = ids.iter().position(|id| id.scheme == SEPA) {
        document.creditor_id = ids.remove(at).value;
    }
}

/// Reads the only mapped child element.
fn within<R: BufRead>(
    source: &mut Source<R>,
    child: &str,
    mut enter: impl FnMut(&mut Source<R>) -> Result<(), ReadError>,
) -> Result<(), ReadError> {
    source.children(|source| {
        if source.name() == (CAC, child) {
            enter(source)
        } else {
            source.skip()
        }
    })
}

/// Reads the only mapped child element as a text in one or both languages.
fn within_text<R: BufRead>(
    source: &mut Source<R>,
    child: &str,
    field: &mut Text,
) -> Result<(), ReadError> {
    source.children(|source| {
        if source.name() == (CBC, child) {
            source.read_localized(field)
        } else {
            source.skip()
        }
    })
}

fn only_id<R: BufRead>(source: &mut Source<R>, field: &mut String) -> Result<(), ReadError> {
    source.children(|source| match source.name() {
        (CBC, "ID") => source.read_text(field),
        _ => source.skip(),
    })
}

/// Reads an amount. A currency other than that of the document is recorded as unmapped.
fn amount<R: BufRead>(
    source: &mut Source<R>,
    currency: &str,
    field: &mut String,
) -> Result<(), ReadError> {
    if !source.attribute_is("currencyID", currency) {
        source.record_unmapped("@currencyID")?;
    }
    source.read_decimal(field)
}
